#!/usr/bin/env bats
# Advice, which a person at a terminal gets, and a log or a mail does not.
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
}

# advises ADVICE COMMAND: on a terminal the command gives it, once; with -q, or
# where standard error is no terminal, it does not.
advises() {
	on_terminal "$2"
	[ "$(grep -cxF -- "${2%% *}: $1" screen)" -eq 1 ] || {
		echo "expected: $1"
		cat screen
		return 1
	}
	quiet_about "$1" "$2 -q"
	sh -c "$2" 2>err >out || true
	! grep -F -- "$1" err
}

# quiet_about ADVICE COMMAND: on a terminal the command, which is no misuse, does
# not give it.
quiet_about() {
	on_terminal "$2"
	! grep -F -e "$1" -e 'usage: ' screen
}

on_terminal() {
	timeout 60 python3 "$TOP/tests/screen.py" 200 "$1" >screen
}

@test "a field that some tuples lack" {
	printf '{"k":%d}\n' 1 2 >in
	echo '{"n":3}' >>in
	advises "'k?' in place of 'k' takes tuples that lack it, as null" \
	    'tally -k k in'
	advises "keep 'k' in front of it leaves out the tuples that lack it" \
	    'topn -v k in'
	# Not where nothing has it, or it may be missing.
	quiet_about 'in place' 'tally -k q in'
	quiet_about 'in place' 'tally -k k? in'
	# Another field that none has does not matter.
	advises "keep 'k' in front of it leaves out the tuples that lack it" \
	    'topn -k n?,zz? -v k in'
	# The condition is one, and does what is said.
	printf '%s\n' '{"a b":1}' '{"n":3}' >in
	advises "keep '.[\"a b\"]' in front of it leaves out the tuples that lack it" \
	    "topn -v 'a b' in"
	run -0 sh -c "keep '.[\"a b\"]' in | topn -v 'a b'"
	[ "$output" = '{"rank":1,"a b":1}' ]
	# A path was quoted as one name, which no tuple has.
	printf '%s\n' '{"u":{"a b":[5]}}' '{"n":3}' >in
	for path in '.u.a b[0]' '/u/a b/0'; do
		advises "keep '.[\"u\"][\"a b\"][0]' in front of it leaves out the tuples that lack it" \
		    "topn -v '$path' in"
	done
	[ "$(keep '.["u"]["a b"][0]' in)" = '{"u":{"a b":[5]}}' ]
}

@test "a field that is like none there is" {
	echo '{"ts":1,"user":{"name":2}}' >in
	advises "no tuple has 'when'; they have 'ts', 'user', 'user.name'" \
	    'tally -k when in'
	jq -nc '[range(12) | {"m\(.)": .}] | add' >in
	on_terminal 'tally -k when in'
	grep -F "'m9', ..." screen
	run ! grep -F "'m10'" screen
	echo '{}' >in
	on_terminal 'tally -k when in'
	grep -xF "tally: no tuple has 'when'" screen
}

@test "a field that is called otherwise in another stream" {
	printf '{"id":1,"t":%d}\n' 1 2 >a
	printf '{"oid":1,"when":%d}\n' 1 2 >b
	advises "if 'id' has another name in b, -k STREAM:FIELD,... names that of each stream" \
	    'sjoin -k id a=a b=b'
	advises "if 't' has another name in b, -t STREAM:FIELD,... names that of each stream" \
	    'sjoin -k a:id,b:oid -t t a=a b=b'
}

@test "a join of numbers with strings" {
	printf '{"id":%d,"t":1}\n' 1 2 >a
	printf '{"id":"%d","t":1}\n' 1 2 >b
	want='nothing joined, as the key is a number in a and a string in b'
	advises "$want" 'sjoin -k id -t t a=a b=b'
	advises "$want" 'sjoin -m -k id,t -t t a=a b=b'
	advises "$want" 'sjoin -k id -t t a=<(cat a a) b=b'
	quiet_about duplicate 'sjoin -k id -t t a=<(cat a a) b=b'
	echo '{"id":"x","t":1}' >>a
	quiet_about 'nothing joined' 'sjoin -k id -t t a=a b=b'
}

@test "tuples that found no partner in time" {
	printf '{"id":%d,"t":%d}\n' 1 10 2 100 >a
	printf '{"id":%d,"t":%d}\n' 1 50 2 110 >b
	want='2 tuples found no partner within 30s; -w LENGTH waits longer'
	advises "$want" 'sjoin -k id -t t --time-unit s a=a b=b'
	quiet_about partner 'sjoin -k id -t t --time-unit s -w 1m a=a b=b'
	quiet_about partner 'sjoin -k id -t t --time-unit s --expired x a=a b=b'
}

# A larger -l silenced the message about late tuples, and they still did not join.
@test "tuples out of order under a key that waits" {
	printf '{"s":"%s","k":%d,"t":%d}\n' x 1 100 x 9 200 y 1 50 >in
	want='1 tuple came too late for what waits with the same key; -m joins it, too'
	advises "$want" 'sjoin -k k -t t --time-unit s -w 5s -l 150s -s s x y <in'
	advises "${want%;*}" \
	    'sjoin -k k -t t --time-unit s -w 5s -l 150s -d replace -s s x y <in'
	echo '{"s":"x","k":1,"t":51}' >>in
	advises '2 tuples came too late for what waits with the same key; -m joins them, too' \
	    'sjoin -k k -t t --time-unit s -w 5s -l 150s -s s x y <in'
	for option in -m '--expired out'; do
		quiet_about 'came too late' \
		    "sjoin -k k -t t --time-unit s -w 5s -l 150s $option -s s x y <in"
	done
}

@test "a file of tuples behind the -- of pkgroup" {
	printf '{"k":%d}\n' 1 2 3 >in
	echo '.k' >program
	printf '{"a": 1,\n"b": 2}\n' >config
	on_terminal 'pkgroup -n 2 -k k -- tally -k k in <in'
	[ "$(grep -cx "pkgroup: each task reads all of 'in', and not its part; for that it goes before --" screen)" -eq 1 ]
	quiet_about 'each task' 'pkgroup -q -n 2 -k k -- tally -k k in <in'
	quiet_about 'each task' 'pkgroup -n 2 -k k in -- tally -k k'
	quiet_about 'each task' 'pkgroup -n 2 -k k in -- jq -c -f program'
	quiet_about 'each task' 'pkgroup -n 2 -k k in -- sh -c cat -f in'
	quiet_about 'each task' 'pkgroup -n 2 -k k in -- sh -c cat program config'
}

@test "tuples that a table has no row for" {
	printf '{"k":%d}\n' 1 2 3 >t
	printf '{"k":%d}\n' 3 4 5 >s
	advises '2 tuples found no row of a table; -a s writes them with null' \
	    'sjoin --table t -k k s=s t=t'
	quiet_about 'no row' 'sjoin --table t -k k -a s s=s t=t'
	quiet_about 'no row' 'sjoin --table t -k k -v s s=s t=t'
	quiet_about 'no row' 'sjoin --table s -k k s=s t=s'
}

@test "an older file behind a newer one" {
	printf '{"t":%d}\n' 100 101 >a
	printf '{"t":%d}\n' 10 11 >b
	want='if each file is in order, --interleave reads them side by side'
	advises "$want" 'rollcount -w 1s -t t --time-unit s a b'
	quiet_about interleave 'rollcount -w 1s -t t --time-unit s b a'
	quiet_about interleave 'rollcount -w 1s -t t --time-unit s --interleave a b'
	quiet_about interleave 'rollcount -w 1s -t t --time-unit s --late x a b'
	cat a b >c
	quiet_about interleave 'rollcount -w 1s -t t --time-unit s c'
}

# With one clock ahead a live pipe gave nothing, and no word until its end.
@test "late tuples, before the input ends" {
	printf '{"t":%d}\n' 100 10 20 >in
	# The row of --live comes when all is read, and waited for more.
	live='{ cat in; until [ -s out ]; do :; done; } |
	    rollcount -w 1s -t t --time-unit s --live 10ms'
	on_terminal "$live >out"
	grep -F "rollcount: 2 late tuples so far, by up to 1m30s; the end of \
the input tells of all" screen
	[ "$(grep -c 'so far' screen)" = 1 ]
	rm out
	quiet_about 'so far' "$live -q >out"
	rm out
	quiet_about 'so far' "$live --late late >out"
	quiet_about 'so far' 'rollcount -w 1s -t t --time-unit s in'
}

@test "late tuples of a state, which has its -l" {
	printf '{"t":%d}\n' 100 10 >in
	want='a state keeps the -l that it was begun with; --name begins another'
	on_terminal 'rollcount -w 1s -t t --time-unit s --state s.db in'
	grep -F "$want" screen
	quiet_about 'a state' 'rollcount -w 1s -t t --time-unit s in'
	quiet_about 'a state' \
	    'rollcount -w 1s -t t --time-unit s -l 5m --state t.db in'
}

@test "a state that has all rows" {
	echo '{"k":1,"t":10}' >in
	want='what is open is kept in the state, for the next run; --final writes it'
	for command in 'rollcount -w 1h' 'sessions -k k'; do
		rm -f s.db
		on_terminal "$command -t t --state s.db in"
		grep -F "$want" screen
		quiet_about 'what is open' "$command -t t --state s.db --final in"
		quiet_about 'what is open' "$command -t t --state t.db /dev/null"
	done
	quiet_about 'what is open' 'tally -k k --state t.db in'
	echo '{"k":1,"t":20}' >>in # some rows are written
	quiet_about 'what is open' 'rollcount -t t -w 5s --state u.db in'
}

@test "a file that rows of the others wait for" {
	printf '{"t":%d}\n' 0 60 120 >a
	printf '{"t":%d}\n' 0 30 >b
	for command in 'rollcount -w 10s' 'sessions -g 10s'; do
		rm -f s.db
		want="'b' ends 1m30s before the latest tuple, and rows wait for it"
		command="$command -t t --time-unit s --interleave"
		on_terminal "$command --state s.db a b"
		grep -F "$want; once it has ended for good, name it no longer" \
		    screen
		on_terminal "$command --state s.db a b" # each time
		grep -F "$want" screen
		quiet_about 'wait for it' "$command a b"
		quiet_about 'wait for it' "$command --state t.db --final a b"
		rm t.db
		quiet_about 'wait for it' "$command -l all --state t.db a b"
		rm t.db
		quiet_about 'wait for it' "$command --state s.db a"
	done
	quiet_about 'wait for it' \
	    'rollcount -w 2m -t t --time-unit s --interleave --state u.db a b'
	: >c
	on_terminal 'rollcount -w 10s -t t --interleave --state v.db a c'
	grep -F "'c' has had no tuple, and rows wait for it" screen
	# Nor had it where the watermark had come far without it.
	rollcount -w 10s -t t --interleave --state x.db a
	echo '{"t":90000}' >>a
	on_terminal 'rollcount -w 10s -t t --interleave --state x.db a c'
	grep -F "'c' has had no tuple, and rows wait for it" screen
	# What is written at once waits for nothing.
	quiet_about 'wait for it' \
	    'dedup -t t --time-unit s -w 10s --interleave --state w.db a b'
}

@test "text in Latin-1" {
	printf '{"k":"caf\xe9"}\n{"k":"tea"}\n' >in
	advises 'if the text is Latin-1, iconv -f LATIN1 -t UTF-8 converts it' \
	    'tally -k k in'
	iconv -f LATIN1 -t UTF-8 in >converted
	quiet_about Latin-1 'tally -k k converted'
	[ "$(tally -k k converted | jq -r .k | sort)" = $'caf\u00e9\ntea' ]
}

@test "times that are not read" {
	printf '{"t":"%s"}\n' 2026-05-01 '1 May 2026' '3 May 2026' >in
	advises 'tuple(5) lists the times that are read; --time-format reads others' \
	    'rollcount -t t -w 1d in'
	quiet_about 'tuple(5)' "rollcount -t t -w 1d --time-format '%d %b %Y' in"
	jq -c '.n = 1' in >points
	advises 'tuple(5) lists the times that are read; --time-format reads others' \
	    'tplot -x t -y n points'
}

@test "times that are compared as text, which is not their order" {
	printf '{"ts":"2026-03-01T12:%d:00Z"}\n' 10 20 >in
	want="'ts' is compared as text, which is not the order of its times; @ before the quotes makes it a time"
	advises "$want" "keep 'ts > \"2026-03-01 12:15\"' in"
	advises "$want" "keep 'ts > \"2026-03-01T12:15:00+01:00\"' in"
	for condition in 'ts > "2026-03-01T12:15"' 'ts > @"2026-03-01 12:15"' \
	    'ts == "2026-03-01 12:15"' 'ts > "x"' 'ts > "1.5"'; do
		quiet_about 'compared as text' "keep '$condition' in"
	done
	echo '{"ts":"11/Oct/2025:00:00:00 -0700"}' >in
	advises "$want" "keep 'ts > \"10/Oct/2026:00:00:00 -0700\"' in"
	# Here one has a digit where the other has its zone.
	echo '{"ts":"2026-03-01T12:10:00.5Z"}' >in
	advises "$want" "keep 'ts > \"2026-03-01T12:10:00.55Z\"' in"
}

@test "times where topn expects numbers" {
	printf '{"k":1,"t":"2026-05-0%d"}\n' 1 2 >in
	advises 'times are ranked by -t, not by -v' 'topn -v t in'
	quiet_about 'ranked by -t' 'topn -t t in'
	# The key is what is missing.
	quiet_about 'ranked by -t' 'topn -k x -v k in'
}

@test "times of 1970" {
	local want='the times are of 1970: -t may be no time, or --time-format or --time-unit is needed'
	echo '{"k":1,"date":20260301,"status":404,"ts":1772366400}' >in
	advises "$want" 'topn -t date in'
	for command in 'rollcount -w 1d in' 'sessions -k k in' \
	    'dedup -k k -w 1d in' 'sjoin -k k a=in b=in'; do
		advises "$want" "$command -t date"
		quiet_about "$want" "$command -t ts"
	done
	advises "$want" 'rollcount -t status -w 1d in'
	quiet_about "$want" "rollcount -t date --time-format '%Y%m%d' -w 1d in"
	quiet_about "$want" 'tally -k date in'
	echo '{"t":"1969-12-31"}' >in
	quiet_about "$want" 'topn -t t in'
}

@test "a clock that is far ahead" {
	printf '{"t":"20%d-01-01T00:00:%02dZ"}\n' 26 1 66 1 26 2 >in
	advises 'if one clock is ahead, --max-ahead 1h leaves out the tuples with its time' \
	    'rollcount -t t -w 1s in'
	quiet_about 'max-ahead' 'rollcount -t t -w 1s --max-ahead 1h in'
	run ! rollcount -t t -w 1s --no-zeros --max-ahead 1h -q in
	[ "${#lines[@]}" -eq 2 ]
	quiet_about 'max-ahead' 'rollcount -t t -w 1s --late x in'
	printf '{"t":"2026-01-01T00:%02d:00Z"}\n' 9 1 >in
	quiet_about 'max-ahead' 'rollcount -t t -w 1s in'
}

@test "whole files without -t" {
	local want='without -t, tuples have the time at which they were read; -t PATH takes their own'
	echo '{"k":1}' >in
	: >empty
	for command in 'rollcount -k k -w 1s' 'sessions -k k'; do
		advises "$want" "$command in"
		advises "$want" "$command <in"
		# A pipe may be written to while it is read.
		quiet_about "$want" "cat in | $command"
		quiet_about "$want" "$command /dev/null"
		quiet_about "$want" "$command empty"
	done
	advises "$want" 'dedup -k k -w 1s in'
	quiet_about "$want" 'dedup -k k in'
	gzip -k in
	advises "$want" 'rollcount -k k -w 1s in.gz'
	quiet_about "$want" 'rollcount -k k -w 1s in.gz -'
	quiet_about "$want" 'rollcount -k k -i -w 1s in'
	# Its tuples have nearly the same time, and go together anyway.
	quiet_about "$want" 'sjoin -k k a=in b=in'
	advises "$want" 'sjoin -k k -w 30s a=in b=in'
	quiet_about "$want" 'tally -k k in'
}

@test "duplicates of a join, which its rows do not show" {
	printf '{"x":"%s","k":1}\n' a a b >in
	advises '1 tuple failed as a duplicate of its key; -m joins it, too' \
	    'sjoin -k k -s x a b <in'
	for option in '-d replace' -m '--expired out'; do
		quiet_about duplicate "sjoin -k k -s x $option a b <in"
	done
	printf '{"x":"%s","k":1}\n' a a a b >in
	advises '2 tuples failed as duplicates of their key; -m joins them, too' \
	    'sjoin -k k -s x a b <in'
	printf '{"x":"%s","k":1}\n' a b a b >in
	quiet_about duplicate 'sjoin -k k -s x a b <in'
}

@test "a misspelled field of a condition, which need not be there" {
	echo '{"user":"ann"}' >in
	advises "no tuple has 'usr'; did you mean 'user'?" "keep usr in"
	advises "no tuple has 'usr'; did you mean 'user'?" "keep '!usr || usr' in"
	quiet_about 'no tuple has' "keep error in"
	# One that is compared is named anyway, and once.
	on_terminal "keep 'usr && usr == 1' in"
	[ "$(grep -c "no tuple has 'usr'" screen)" -eq 1 ]
	run -0 keep 'level && level == 1' in
	[ "$output" = "keep: no tuple has 'level'" ]
}

@test "a file in the place of the condition" {
	echo '{"a":1}' >a.ndjson
	cp a.ndjson a
	for file in a.ndjson ./a "$PWD/a"; do
		run -2 keep "$file" </dev/null
		[ "${lines[0]}" = "keep: a CONDITION is required before '$file'" ]
	done
	# Nor is the condition behind the file.
	run -2 keep a.ndjson 'a>0'
	[ "${lines[0]}" = "keep: a CONDITION is required before 'a.ndjson'" ]
	# A name alone is more often a field.
	run -0 keep a <a.ndjson
	[ "$output" = '{"a":1}' ]
	run -0 keep a.b a
	# Nor is what begins with a dot or is a folder, or where - is an operand.
	echo '{"a":{"ndjson":1},"home":1,"env":1}' >in
	touch .env
	mkdir home
	for field in .env "/home"; do
		run -0 keep "$field" <in
		[ "$output" = "$(<in)" ]
	done
	run -0 keep a.ndjson - <in
	[ "$output" = "$(<in)" ]
}

@test "points of several keys without -k" {
	command -v gnuplot >/dev/null || skip 'no gnuplot'
	printf '{"x":%d,"y":%d}\n' 1 1 1 50 2 2 2 40 2 30 >in
	advises "3 points were replaced by later ones with the same 'x'; -k FIELD draws a line for each value of FIELD" \
	    'tplot -x x -y y -o out.svg in'
	quiet_about replaced 'tplot -x x -y y -k y -o out.svg in'
	# The same point twice hides nothing.
	printf '{"x":%d,"y":2}\n' 1 2 2 >in
	quiet_about replaced 'tplot -x x -y y -o out.svg in'
}

# They were silent, and passed on nothing, or all.
@test "a comparison that no tuple can meet" {
	# tells WANT CONDITION TUPLE
	tells() {
		echo "$3" >in
		advises "$1" "keep '$2' in"
	}
	tells "no 'ts' is a number; @1772366400 is a time" 'ts >= 1772366400' \
	    '{"ts":"2026-03-01T12:11:00Z"}'
	# The first tuple is enough to know.
	tells "no 'ts' is a number; @1772366400 is a time" 'ts >= 1772366400' \
	    "$(printf '{"ts":"%s"}\n' 2026-03-01 -)"
	tells "no 'path' is a number" 'path > 5' '{"path":"/a"}'
	tells "no 'tags' is a string" 'tags == "a"' '{"tags":["a"]}'
	tells "no 'ok' is a string" 'ok =~ "a"' '{"ok":true}'
	tells "no 'status' is true or false" 'status == true' '{"status":1}'
	tells "no 'at' is a time" 'at > @2026-03-01' '{"at":"noon"}'
	advises "no 'at' is a time by --time-format" \
	    "keep --time-format %d.%m.%Y 'at > @2026-03-01' in"
	echo '{"at":"2026-03-01"}' >in
	quiet_about '; @1709424000' \
	    "keep --time-format %d.%m.%Y 'at > @2026-03-01 || at > 1709424000' in"
	tells "'@2026-03-01' is a string; the @ of a time stands before its quotes" \
	    'at > "@2026-03-01"' '{"at":"2026-03-01T12:11Z"}'
	tells "no 'at' is a number" 'at > 1e300' '{"at":"2026-03-01"}'
	quiet_about 'at is a time' "keep 'at > 1e300' in"
	echo '{"user":"@12345"}' >in
	for condition in '== "@12345"' '=~ "@2026-03-01"' '== "v2026-03-01"'; do
		quiet_about ' is ' "keep 'user $condition' in"
	done
	echo '{"n":"3","m":"x","ok":true,"null":null,"i":5}' >in
	for condition in 'm == null' 'ok != false' 'n > 5' 'null > 5' 'x.y > 5' \
	    'n < 5 || m > 5' 'n == .m' 'i =~ "9"'; do
		quiet_about ' is ' "keep '$condition' in"
	done
	# One of them is enough.
	printf '{"n":%s}\n' '"x"' 4 '"y"' >in
	quiet_about ' is ' "keep 'n > 5' in"
}

# Sliding windows, sessions, joins and dedup were wrong where times were a little
# out of order, and nothing said so: such tuples are not late.
@test "tuples that rows written before may lack" {
	lacks() { advises "1 tuple came after $1; -l $2 avoids that" "$3"; }
	lacks_not() { quiet_about 'came after' "$1"; }
	printf '{"t":%d}\n' 1000000030 1000000081 1000000070 1000000150 >in
	lacks 'windows had been written that lack it' 11s 'rollcount -t t -w 2m -e 1m in'
	lacks_not 'rollcount -t t -w 2m -e 1m -l 11s in'
	sed 's/81/86/' in >later
	lacks 'windows had been written that lack it' 16s 'rollcount -t t -w 2m -e 1m -l 5s later'
	lacks_not 'rollcount -t t -w 1m in' # it is late there
	lacks_not 'rollcount -t t -w 1h in' # its window is open
	# With -i no -l keeps it.
	sed '3i {"__tick":1000000080000}' in >ticked
	lacks_not 'rollcount -i -t t -w 2m -e 1m ticked'
	printf '{"k":"%s","t":%d}\n' A 1000000000 B 1000000011 A 1000000005 >in
	lacks 'sessions had been written that may lack it' 6s 'sessions -k k -t t -g 10s in'
	lacks_not 'sessions -k k -t t -g 10s -l 6s in'
	lacks_not 'sessions -k k -t t -g 20s in' # it joins the first
	sed '3s/05/10/' in >later # the gap is in bounds
	lacks 'sessions had been written that may lack it' 1s 'sessions -k k -t t -g 10s later'
	lacks_not 'sessions -k k -t t -g 9s later'
	lacks 'tuples had been forgotten that may equal it' 6s 'dedup -k k -t t -w 11s in'
	lacks_not 'dedup -k k -t t -w 11s -l 6s in'
	lacks_not 'dedup -k k -t t -w 12s in' # it is dropped
	lacks_not 'dedup -k k -t t -w 10s later' # it is LENGTH from the first
	# It joins a session that is open, whose start it becomes.
	printf '{"k":"A","t":%d}\n' 1000000000 1000000016 1000000009 >open
	lacks 'sessions had been written that may lack it' 7s 'sessions -k k -t t -g 10s open'
	# Nothing is closed, or forgotten.
	sed -i '3s/A/C/' in
	lacks_not 'sessions -k k -t t -g 30m in'
	lacks_not 'dedup -k k -t t -w 1h in'
	# What was is too old.
	printf '{"k":"%s","t":%d}\n' A 1000000000 B 1000000090 C 1000000085 >in
	lacks_not 'sessions -k k -t t -g 10s in'
	lacks_not 'dedup -k k -t t -w 10s in'
}

@test "joins whose tuples came after what they may join" {
	lacks() { advises "1 tuple came after $1; -l $2 avoids that" "$3"; }
	lacks_not() { quiet_about 'came after' "$1"; }
	stream() { printf '{"s":"%s","k":"%s","t":1000000%03d}\n' "$@" >in; }
	local join='sjoin -s s -k k -t t'
	stream q A 0 q B 31 a A 20
	lacks 'tuples had expired that may join it' 11s "$join -w 30s q a <in"
	lacks_not "$join -w 30s -l 11s q a <in"
	lacks_not "$join -w 60s q a <in" # none had
	stream q A 0 a C 5 a A 1 q B 90 a B 91 # nor here, when it came
	lacks_not "$join -w 30s q a <in"
	stream q A 0 a A 1 q B 40 a A 25 a B 41 # one that had joined
	lacks 'tuples had expired that may join it' 15s "$join -m -w 30s q a <in"
	lacks_not "$join -m -w 30s -l 15s q a <in"
	stream q B 40 q A 9 a A 20 # one that did not wait, as it had expired
	lacks 'tuples had expired that may join it' 31s "$join -m -w 30s q a <in"
	lacks 'tuples had expired that may join it' 31s "$join -w 30s q a <in"
	stream q A 0 q B 90 a A 20 # it is late, which is told by itself
	lacks_not "$join -w 30s q a <in"
	lacks_not "$join -m -w 30s q a <in"
	stream t A 0 q A 15 t A 20 t A 10 q A 21
	lacks 'tuples had been joined that may need it' 10s "$join --table t t q <in"
	lacks_not "$join --table t -l 10s t q <in"
	stream t A 0 q A 20 t B 30 t A 20 q A 41 # of its very time
	lacks 'tuples had been joined that may need it' 10s "$join --table t t q <in"
	stream t A 0 q A 30 t A 40 q B 10 t A 20 q A 41 # not the last that was joined
	lacks 'tuples had been joined that may need it' 20s "$join --table t t q <in"
	stream t A 0 q A 100 q A 99 q A 98 # which has its row
	lacks_not "$join --table t t q <in"
}

@test "tuples that may be lacking, of a state and of several files" {
	printf '{"k":"%s","t":%d}\n' A 1000000000 B 1000000011 A 1000000005 >a
	on_terminal 'sessions -k k -t t -g 10s --state s a'
	grep -F 'came after sessions had been written that may lack it; -l 6s avoids that' screen
	grep -F 'a state keeps the -l that it was begun with; --name begins another' screen
	printf '{"t":%d}\n' 1000000030 1000000081 1000000150 >a
	printf '{"t":%d}\n' 1000000070 >b
	on_terminal 'rollcount -t t -w 2m -e 1m a b'
	grep -F 'if each file is in order, --interleave reads them side by side' screen
}

@test "how far times are out of order is in --stats" {
	printf '{"k":1,"t":%d}\n' 5000 4000 7000 6500 >a
	printf '{"k":1,"t":%d}\n' 1000 3000 >b
	for run in 'rollcount -k k -t t' 'sessions -k k -t t' 'dedup -k k -t t -w 1s' \
	    'rollcount -t t -l all' 'dedup -k k -t t' \
	    'sjoin -k k -t t -m c=a d=b'; do
		[[ $run = sjoin* ]] || run+=' a'
		$run -q --time-unit ms --stats=stats >/dev/null || [ $? -eq 1 ]
		jq -e '.disorder_ms == 1000' stats || { echo "$run"; return 1; }
	done
	rollcount -q -t t --time-unit ms --stats=stats a b >/dev/null || [ $? -eq 1 ]
	jq -e '.disorder_ms == 6000' stats
	rollcount -q -t t --time-unit ms --interleave --stats=stats a b >/dev/null
	jq -e '.disorder_ms == 1000' stats
}

# They were in no row, and nothing said so.
@test "tuples after the last tick" {
	printf '{"k":1,"t":%d}\n' 1 5 >in
	echo '{"__tick":10000}' >>in
	cp in further
	echo '{"k":1,"t":11}' >>further
	for options in '' ' -t t'; do
		says='tuples after the last tick are in no row'
		advises "$says" "rollcount -k k -w 10s -i$options further"
		quiet_about "$says" "rollcount -k k -w 10s -i$options in"
		# A state keeps them.
		rm -f s.db
		quiet_about "$says" \
		    "rollcount -k k -w 10s -i$options --state s.db further"
	done
}
