#!/usr/bin/env bats
# --live: event time goes on where no line comes.  Who writes waits for the
# row, so that only the clock can have brought it.
# bats sets stderr.
# shellcheck disable=SC2154
load helper

# live COMMAND...: run it between the descriptors 5, its input, and 6.
live() {
	mkfifo in out
	"$@" <in >out &
	exec 5>in 6<out
}

# row: read one row of it.
row() {
	read -r -t 60 row <&6
}

# ends: its input has ended; it has no more rows.
ends() {
	exec 5>&-
	! row || return 1
	wait $!
}

@test "a window is written though no line comes" {
	live rollcount -k k -t ts -w 200ms --live 100ms -T
	echo '{"k":"a","ts":1700000000}' >&5
	row
	[ "$row" = '{"k":"a","count":1,"window_end":1700000000200,"window_seconds":0.2}' ]
	row
	[ "$row" = '{"__tick":1700000000200}' ]
	# The key leaves, with nothing more to come.
	row
	[ "$row" = '{"k":"a","count":0,"window_end":1700000000400,"window_seconds":0.2}' ]
	row
	# So far ahead that the clock has not come to it, however slow this is.
	echo '{"k":"b","ts":1700003600}' >&5
	row
	[ "$(jq -c '[.k,.count]' <<<"$row")" = '["b",1]' ]
	exec 5>&-
	wait $!
}

@test "before the first tuple there is no time to go on" {
	live rollcount -k k -t ts -w 1ms --live 1ms
	echo 'no tuple' >&5
	echo '{"k":"a","ts":1}' >&5
	row
	[ "$(jq .window_end <<<"$row")" = 1001 ]
	exec 5>&-
	wait $! || [ $? = 1 ]
}

@test "nor where streams are interleaved" {
	mkfifo in out
	rollcount -k k -t ts -w 1ms --live 1ms --interleave <in >out 2>err &
	exec 5>in 6<out
	echo 'no tuple' >&5
	soon err 1
	echo 'nor this' >&5
	soon err 2
	echo '{"k":"a","ts":1}' >&5
	row
	[ "$(jq .window_end <<<"$row")" = 1001 ]
	exec 5>&-
	wait $! || [ $? = 1 ]
}

@test "a session is written though no line comes" {
	live sessions -k k -t ts -g 50ms --live 100ms
	echo '{"k":"a","ts":1700000000}' >&5
	row
	[ "$row" = '{"k":"a","count":1,"session_start":1700000000000,"session_end":1700000000000,"session_seconds":0}' ]
	ends
}

@test "what stays alone is told though no line comes" {
	live sjoin -k k -t ts -w 50ms --live 100ms -s s -v a a b
	echo '{"s":"a","k":1,"ts":1700000000}' >&5
	row
	[ "$row" = '{"k":1,"a":{"s":"a","k":1,"ts":1700000000},"b":null}' ]
	ends
}

@test "what stays alone is told though none of several streams says more" {
	mkfifo b
	live sjoin -k k -t ts -w 50ms --live 100ms --idle 10ms -v a a=- b=b
	exec 7>b
	echo '{"k":1,"ts":1700000000}' >&5
	row
	[ "$(jq -c .a.k <<<"$row")" = 1 ]
	# It waits for a partner in time that has come to both.
	echo '{"k":2,"ts":1700003600}' >&5
	row
	[ "$(jq -c .a.k <<<"$row")" = 2 ]
	exec 7>&-
	ends
}

@test "a row of a table is known to be the one though no line comes" {
	mkfifo t
	live sjoin -k k -t ts --live 50ms --idle 10ms --table t s=- t=t
	exec 7>t
	echo '{"k":1,"ts":1700000000,"v":1}' >&7
	echo '{"k":1,"ts":1700000000}' >&5
	row
	[ "$(jq -c .t.v <<<"$row")" = 1 ]
	exec 7>&-
	ends
}

# What is held until the others have spoken is still to come: time that went
# on without it would make it late.
@test "time does not go on while a tuple waits for its turn" {
	mkfifo in out b
	# All is there before it reads: b must not seem silent before it speaks.
	exec 5<>in 7<>b
	printf '{"k":1,"ts":1700000000%s}\n' '' .3 >&5
	echo '{"k":1,"ts":1700000000}' >&7
	sjoin -m -k k -t ts -w 100ms --live 1ms --idle 1h --expired expired \
	    a=- b=b <in >out 5>&- 7>&- &
	exec 6<out
	row
	# Time that goes on now is past what waits in the first stream.
	! read -r -t 0.6 row <&6 || return 1
	echo '{"k":1,"ts":1700000000.3}' >&7
	exec 5>&- 7>&-
	row
	wait $!
	[ "$(jq -r .reason expired | sort -u)" != late ]
}

@test "a state keeps where time came to by itself" {
	live rollcount -k k -t ts -w 100ms --live 50ms --state s.db
	echo '{"k":"a","ts":1700000000}' >&5
	row
	ends || true
	echo '{"k":"a","ts":1700000000.05}' >again
	rollcount -k k -t ts -w 100ms --state s.db --late late --final again >out2
	same late again late
}

@test "a state of streams keeps where time came to by itself" {
	live sjoin -k k -t ts -w 50ms --live 50ms -v a -s s --state s.db a b
	echo '{"s":"a","k":1,"ts":1700000000}' >&5
	row
	ends || true
	echo '{"s":"a","k":1,"ts":1700000000.01}' >again
	sjoin -k k -t ts -w 50ms -v a -s s --state s.db --expired expired a b \
	    <again >out2
	[ "$(jq -r .reason expired)" = late ]
}

# closed_is_committed N OPTION...: the N rows of one tuple are in the state when
# the clock alone has closed its windows.
closed_is_committed() {
	local n=$1
	shift
	mkfifo in
	rollcount -k k "$@" --commit 1ms --state s.db --output rows <in &
	exec 5>in
	echo '{"k":"a","ts":1700000000}' >&5
	soon rows "$n"
	committed 'select count(*) from rollcount' 0
	kill -9 $!
	exec 5>&-
	wait $! || true
	rollcount -k k "$@" --state s.db --output rows --final </dev/null
	[ "$(wc -l <rows)" = "$n" ]
}

# They were committed when the next line came, perhaps hours later.
@test "what time closes by itself is committed" {
	closed_is_committed 2 -t ts -w 100ms --live 1ms
}

@test "what the clock closes is committed" {
	closed_is_committed 3 -w 100ms -e 50ms
}

@test "what expires by itself is committed" {
	join=(sjoin -k k -t ts -w 200ms -s s --state s.db --expired gone a b)
	mkfifo in
	"${join[@]}" --live 1ms --commit 1ms <in &
	exec 5>in
	echo '{"s":"a","k":1,"ts":1700000000}' >&5
	soon gone 1
	committed 'select count(*) from sjoin' 0
	kill -9 $!
	exec 5>&-
	wait $! || true
	"${join[@]}" --final </dev/null
	[ "$(wc -l <gone)" = 1 ]
}

# They were read before a commit that did not have them, and then not committed
# until something else was read.
@test "what waited for a silent stream is committed" {
	mkfifo a b
	rollcount -k k -t ts -w 1s --interleave --idle 200ms --commit 1ms \
	    --state s.db --output rows a b &
	exec 5>a 7>b
	printf '{"k":"a","ts":%d}\n' 1700000000 1700000001 >&5
	soon rows 1
	committed 'select count(*) from rollcount' 2
	exec 5>&-
	exec 7>&-
	wait $!
}

# It looked without end whether time could go on: all of a processor.
@test "waiting for the turn of a tuple takes no time of a processor" {
	mkfifo b
	TIMEFORMAT='%3U %3S %3R'
	mkfifo in
	{
		time sjoin -k k -t ts -w 1ms -v a --live 1ms --idle 1s \
		    a=in b=b >out
	} 2>spent &
	exec 5>in 7>b
	echo '{"k":1,"ts":1700000000}' >&5
	soon out 1
	exec 5>&-
	exec 7>&-
	wait $!
	awk '{ print; exit $1 + $2 > $3 / 2 }' spent
}

@test "files end as they do without" {
	for end in '' '--late late'; do
		# shellcheck disable=SC2086
		rollcount -k host -t ts -w 1m -q $end \
		    "$TOP/man/samples/access.ndjson" >want || true
		# shellcheck disable=SC2086
		rollcount -k host -t ts -w 1m -q --live 1ms $end \
		    "$TOP/man/samples/access.ndjson" >got || true
		same rows want got
	done
}

@test "of a random source each tuple is in the rows or late, once" {
	python3 "$TOP/tests/crash/live.py" "${TUPLETOOLS_BIN:-$BUILD/bin}" \
	    --seconds 2
}

@test "--live where time cannot go on" {
	refuses() {
		run -2 --separate-stderr "${@:2}"
		[ "$(head -n 1 <<<"$stderr")" = "$2: $1" ]
	}
	refuses '--live needs -t' rollcount -k k --live 1s
	refuses '--live needs -t' sessions -k k --live 1s
	refuses '--live needs -t' sjoin -k k --live 1s a=a b=b
	refuses '--live and -l all exclude each other' \
	    rollcount -k k -t t -l all --live 1s
	refuses '--live and -l all exclude each other' \
	    sessions -k k -t t -l all --live 1s
	refuses '--live and -l all exclude each other' \
	    sjoin -k k -t t -l all --live 1s a=a b=b
	refuses '-i and --live exclude each other' \
	    rollcount -k k -t t -i --live 1s
	refuses "--live: must be at least 1ms, got '0'" \
	    rollcount -k k -t t --live 0
}

# The beginning of the line counted as a tuple, up to its end.
@test "a line that is too long and comes in parts is no tuple" {
	live rollcount -k k -t ts -w 400ms -e 400ms --live 50ms --max-line 100
	echo '{"k":"a","ts":1700000000}' >&5
	row=
	for ((i = 0; i < 100; i++)); do
		((i % 2 == 0)) && printf '%0200d' 0 >&5 || echo >&5
		! read -r -t 0.1 part <&6 || break
		row+=$part
	done
	[ "$(jq .window_end <<<"$row$part")" = 1700000000400 ]
	exec 5>&-
	wait $! || [ $? = 1 ]
}
