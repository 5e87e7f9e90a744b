#!/usr/bin/env bats
# Times as people write them, and --time-format.
# bats sets stderr.
# shellcheck disable=SC2154
load helper

@test "times in all spellings come to one" {
	cat >in <<-'END'
	{"k":1,"t":"2024-10-01T11:55:36Z"}
	{"k":2,"t":"2024/10/01 11:55:36"}
	{"k":3,"t":"2024-10-01 11:55:36,000 UTC"}
	{"k":4,"t":"01/Oct/2024:13:55:36 +0200"}
	{"k":5,"t":"01\/Oct\/2024:13:55:36 +0200"}
	{"k":6,"t":"Tue, 01 Oct 2024 13:55:36 +0200"}
	{"k":7,"t":1727783736}
	END
	[ "$(rollcount -k k -t t -w 1s in | jq -c '[.k, .window_end]')" = "$(
	    printf '[%d,1727783737000]\n' 1 2 3 4 5 6 7)" ]
}

@test "every command that reads times reads them by --time-format" {
	local by=(--time-format '%d.%m.%y %H h %M')
	echo '{"k":1,"t":"01.10.24 11 h 55"}' >in
	[ "$(rollcount -k k -t t -w 1m "${by[@]}" in | jq .window_end)" = \
	    1727783760000 ]
	[ "$(pkgroup -n 1 -k k -t t -e 1m "${by[@]}" <in | jq '.__tick' | head -n 1)" = \
	    1727783700000 ]
	[ "$(timeline -k k --from t --to t "${by[@]}" in | jq .sliceStartMillis)" = \
	    1727780400000 ]
	[ "$(dedup -k k -t t -w 1m "${by[@]}" in in | wc -l)" = 1 ]
	[ "$(sessions -k k -t t "${by[@]}" in | jq .session_start)" = \
	    1727783700000 ]
	sed 's/55/56/' in >in2
	[ "$(sjoin -k k -t t -w 1m "${by[@]}" a=in b=in2 | wc -l)" = 1 ]
	[ -z "$(sjoin -k k -t t -w 59s "${by[@]}" a=in b=in2)" ]
	[ "$(keep "${by[@]}" 't == @2024-10-01T11:55Z' in in2)" = "$(cat in)" ]
	[ "$(keep "${by[@]}" 't > @-1d || t < @2024-10-01T11:56Z' in in2)" = \
	    "$(cat in)" ]
}

# It was refused without -t, and conditions were not read by it.
@test "keep reads what is compared with a time by --time-format and --time-unit" {
	printf '{"t":"%s"}\n' 2024-03-02 02.03.2024 03.03.2024 >in
	[ "$(keep --time-format %d.%m.%Y 't >= @2024-03-03' in)" = \
	    '{"t":"03.03.2024"}' ]
	[ "$(keep --time-format %d.%m.%Y 't != @2024-03-02' in)" = \
	    "$(sed -n '1p;3p' in)" ]
	printf '{"t":%s}\n' 90000000000 100 >numbers
	[ "$(keep --time-unit ms 't >= @1972-01-01' numbers)" = \
	    '{"t":90000000000}' ]
	[ -z "$(keep --time-unit ms 't >= @1973-01-01' numbers)" ]
	run -2 keep --time-format %F 't > "2024-03-03"' in
	[ "${lines[0]}" = 'keep: --time-format needs -t or an @TIME' ]
	run -2 keep --time-unit ms 't > 3' in
	[ "${lines[0]}" = 'keep: --time-unit needs -t or an @TIME' ]
}

# The offset was taken from the time in the zone of TZ.
@test "%s is the time in every zone, whatever offset is beside it" {
	# right: with leap seconds, which strptime(3) put in.
	for zone in UTC Asia/Tokyo America/New_York right/UTC; do
		for form in '%s %z' '%z %s' '%s.%f %z' '%s %Y' '%Z %s' '%j %s'; do
			at=${form/\%s/1772366400}
			at=${at/\%z/+0100}
			at=${at/\%f/000}
			at=${at/\%Y/1999}
			at=${at/\%Z/CET}
			at=${at/\%j/060}
			echo "{\"t\":\"$at\"}" >in
			run -0 env TZ=$zone rollcount -t t -w 1s --time-format "$form" in
			[ "$output" = '{"count":1,"window_end":1772366401000,"window_seconds":1}' ]
		done
	done
}

# strptime(3) went on from 2^64 at 0.
@test "%s has a bound" {
	echo '{"t":"18446744075481918016"}' >in
	run -1 --separate-stderr rollcount -t t -w 1s --time-format %s in
	[ "${stderr_lines[0]}" = "rollcount: in:1:6: expected a time from 1677 to 2262 at 't', got \"18446744075481918016\"" ]
}

# They were the minute of 1970 that nothing had been read of yet.
@test "NULs are no date" {
	echo '{"t":"\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0000:07Z"}' >in
	run -1 --separate-stderr rollcount -t t -w 1s in
	[ -z "$output" ]
}

@test "%F and %T are short for a date and a time" {
	echo '{"k":1,"t":"2024-10-01 11:55:36.250"}' >in
	sessions -k k -t t --time-format '%F %T.%f' in >got
	grep -q '"session_start":1727783736250,' got
}

# strptime(3) passes over any word there: the time was wrong by the offset.
@test "an offset is no name of a zone" {
	for zone in +0100 -03 +01:00 UTC+1 'UTC -3'; do
		echo "{\"t\":\"1.10.2024 12:00 $zone\"}" >in
		rc=0
		rollcount -t t -w 1s --time-format '%d.%m.%Y %H:%M %Z' in \
			>out 2>err || rc=$?
		[ "$rc" -eq 1 ]
		[ ! -s out ]
	done
	for zone in UTC CEST America/Port-au-Prince EST5EDT; do
		echo "{\"t\":\"1.10.2024 12:00 $zone\"}" >in
		run -0 rollcount -t t -w 1s --time-format '%d.%m.%Y %H:%M %Z' in
		[[ $output == *'"window_end":1727784001000,'* ]]
	done
}

@test "with --time-format nothing else is a time" {
	printf '{"k":1,"t":%s}\n' '"2024-10-01"' 1727783736 '"1727783736"' \
	    '"2024-10-01T11:55:36Z"' null '"2024-10-01 "' '"2024-02-30"' >in
	run -1 --separate-stderr rollcount -k k -t t -w 1d \
	    --time-format %Y-%m-%d in
	[ "$output" = '{"k":1,"count":1,"window_end":1727827200000,"window_seconds":86400}' ]
	[ "$(wc -l <<<"$stderr")" = 6 ]
	[[ $stderr == "rollcount: in:2:12: expected a time by --time-format at 't', got 1727783736"* ]]
}

@test "the environment changes nothing about times by a format" {
	printf '{"k":1,"t":"%s"}\n' '1 Mai 2024' '1 May 2024' >in
	for zone in UTC America/New_York; do
		TZ=$zone LC_ALL=de_DE.UTF-8 rollcount -q -k k -t t -w 1d \
		    --time-format '%d %b %Y' in >got || [ $? = 1 ]
		[ "$(jq .window_end got)" = 1714608000000 ]
	done
}

@test "formats that cannot be used" {
	refuses() {
		run -2 --separate-stderr "${@:2}"
		[ "$(head -n 1 <<<"$stderr")" = "rollcount: $1" ]
	}
	refuses "--time-format: expected conversions, as in %Y-%m-%d, got 'YYYY-MM-DD'" \
	    rollcount -k k -t t --time-format YYYY-MM-DD
	refuses "--time-format: expected no %Q, which strptime(3) cannot read, got '%Q'" \
	    rollcount -k k -t t --time-format %Q
	# strptime(3) passes over it: all times were on a first of January.
	refuses "--time-format: expected no %G, of which strptime(3) makes no date, got '%G-W%V-%u'" \
	    rollcount -k k -t t --time-format %G-W%V-%u
	refuses "--time-format: expected %f once, got '%f%f'" \
	    rollcount -k k -t t --time-format %f%f
	refuses "--time-format: expected from 1 to 255 bytes, got ''" \
	    rollcount -k k -t t --time-format ''
	# It was read beyond its end.
	refuses "--time-format: expected no %, which strptime(3) cannot read, got 'a%'" \
	    rollcount -k k -t t --time-format a%
	refuses "--time-format needs -t" rollcount -k k --time-format %s
	refuses "--time-unit needs -t" rollcount -k k --time-unit s
	refuses "--time-format and --time-unit exclude each other" \
	    rollcount -k k -t t --time-format %s --time-unit s
}

@test "formats, and times by them, have 255 bytes at most" {
	printf -v x '%245s' ''
	echo "{\"t\":\"01.05.2024$x\"}" >in
	rollcount -t t -w 1d --time-format "%d.%m.%Y$x" in >out
	[ "$(jq .window_end out)" = 1714608000000 ]
	echo "{\"t\":\"01.05.2024$x!\"}" >in
	run -1 rollcount -q -t t -w 1d --time-format "%d.%m.%Y$x!" in
	rollcount -t t -w 1d --time-format "%d.%m.%Y$x!!" /dev/null
	run -2 rollcount -t t -w 1d --time-format "%d.%m.%Y$x!!!" /dev/null
	[[ ${lines[0]} == 'rollcount: --time-format: expected from 1 to 255 bytes, got '* ]]
}

# What was counted by other times would have been added to.
@test "a state goes on with the format that it was begun with" {
	echo '{"k":1,"t":"2024-10-01"}' >in
	rollcount -k k -t t -w 1d --time-format %Y-%m-%d --state s.db in
	run -2 --separate-stderr rollcount -k k -t t -w 1d \
	    --time-format %Y-%d-%m --state s.db in
	[[ $stderr == *--time-format* ]]
	rollcount -k k -t t -w 1d --time-format %Y-%m-%d --state s.db --final in
}

@test "times by random formats are what Python reads" {
	python3 "$TOP/tests/random/times.py" "${TUPLETOOLS_BIN:-$BUILD/bin}"
}

# A tuple from the year 2200, as one host's wrong clock made it, moved the
# watermark there, and all that came after it was late.
@test "a time too far ahead of the clock makes a bad line, in every command" {
	local wrong='{"k":1,"ts":"2200-01-01T00:00:02Z"}'
	printf '%s\n' '{"k":1,"ts":1700000000}' "$wrong" \
	    '{"k":1,"ts":1700000001}' >in
	takes() { # COMMAND...
		run -1 --separate-stderr "$@" --max-ahead 1d <in
		[[ $stderr == "$1: "*":2:13: expected a time at most 1d ahead of the clock at 'ts', got "* ]]
		"$@" --max-ahead 1d --rejects bad --stats=stats <in >out
		[ "$(jq -c '[.rejects,.late]' stats)" = '[1,0]' ]
		[ "$(head -n 1 bad)" = "$wrong" ]
	}
	takes rollcount -k k -t ts -w 10s
	[ "$(jq .count out)" = 2 ]
	takes sessions -k k -t ts
	[ "$(jq .count out)" = 2 ]
	takes dedup -k k -t ts -w 1s
	[ "$(wc -l <out)" = 2 ]
	takes pkgroup -n 1 -k k -t ts -e 10s
	[ "$(jq -c .__tick out | tail -n 1)" = 1700000010000 ]
	echo '{"k":1,"ts":1700000001}' >b
	takes sjoin -m -k k -t ts a=in b=b
	[ "$(wc -l <out)" = 2 ]
}

@test "a time is held against the clock of the machine" {
	printf '{"k":1,"ts":%s}\n' "$(date +%s)" "$(($(date +%s) + 3600))" >in
	run -1 --separate-stderr rollcount -k k -t ts -w 2h --max-ahead 59m in
	[ "$(jq .count <<<"$output")" = 1 ]
	run -0 rollcount -a count -t ts -w 1w --max-ahead 61m in
}

# What waits in a state was in time when it was read.
@test "a state goes on without, with and with another --max-ahead" {
	echo '{"k":1,"ts":"2200-01-01"}' >a
	sjoin -k k -t ts --state s.db a=a b=/dev/null
	cp a b
	run -1 --separate-stderr sjoin -k k -t ts --state s.db --max-ahead 1d \
	    a=a b=b
	[[ $stderr == "sjoin: b:1:13: expected a time at most 1d ahead"* ]]
	echo '{"k":1,"ts":"2200-01-01T00:00:01Z"}' >>b
	[ "$(sjoin -k k -t ts --state s.db --max-ahead 90000d a=a b=b | wc -l)" = 1 ]
}

@test "--max-ahead needs times" {
	for c in rollcount sessions "dedup -w 1s" "pkgroup -n 1" "sjoin a=a b=b"; do
		# shellcheck disable=SC2086
		run -2 --separate-stderr $c -k k --max-ahead 1m
		[[ $stderr == *": --max-ahead needs -t"* ]]
	done
}
