#!/usr/bin/env bats
# bats sets stderr.
# shellcheck disable=SC2154
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	command -v gnuplot >/dev/null || skip 'no gnuplot'
}

# A line that rises, of three keys.
rising() {
	for i in 0 1 2 3 4; do
		for k in a b c; do
			echo "{\"k\":\"$k\",\"t\":$((1700000000 + i * 60)),\"n\":$((i * 5000))}"
		done
	done
}

@test "a picture has its axes, its legend, and commas in its numbers" {
	rising >in
	tplot -x t -y n -k k -o out.svg in
	for text in a b c n 0 2,000 20,000 22:14:00 't, 2023-11-14'; do
		grep -q ">$text<" out.svg ||
			{ echo "no $text"; grep '<text' -A1 out.svg; return 1; }
	done
	tplot -x t -y n -o out.png in
	[ "$(head -c 4 out.png | tail -c 3)" = PNG ]
	ls >files
	[ "$(grep -c '^out' files)" -eq 2 ]
}

# The first picture on a terminal ended it: "out of memory".
@test "on a terminal it is drawn again as lines come" {
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
	lines=('{"t":1,"n":1}' '{"t":2,"n":5}' '{"t":3,"n":2}')
	# It rests nine times as long as gnuplot took.
	TERM=xterm timeout 300 python3 "$TOP/tests/screen.py" 60 \
	    'tplot -x t -y n' "${lines[@]}" >screen
	[ "$(grep -ac $'\e\[J' written)" -ge 3 ]
	printf '%s\n' "${lines[@]}" | COLUMNS=60 tplot -x t -y n >want
	{ cat want && printf '\n0\n'; } | same screen - screen
}

@test "on a terminal it is drawn again when that is resized" {
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
	lines=('{"t":1,"n":1}' '{"t":2,"n":5}')
	LINES=20 TERM=xterm timeout 300 python3 "$TOP/tests/screen.py" 60 \
	    'tplot -x t -y n' "${lines[@]}" 50x12 >screen
	# The cursor goes up so many lines to where the next one begins.
	grep -aq $'\e\[18A' written
	grep -aq $'\e\[10A' written
}

@test "text has the size that it is given" {
	rising >in
	tplot -x t -y n -k k in >out
	[ "$(wc -l <out)" -ge 20 ]
	[ "$(wc -L <out)" -le 80 ]
	grep -q '20,000' out
	COLUMNS=50 tplot -x t -y n in >out
	[ "$(wc -L <out)" -le 50 ]
}

# The product of its milliseconds was beyond the integers.
@test "the first of all times is drawn" {
	printf '{"t":"1677-09-21T00:12:43.145224193Z","n":1}\n' >in
	tplot -x t -y n in | grep -q 1677
}

# Whatever is in the data, it is a label and no command.
@test "no byte of the input becomes a command" {
	while IFS= read -r label; do
		jq -cn --arg k "$label" '{$k, t: 1, n: 1}, {$k, t: 2, n: 2}'
	done >in <<'LABELS'
'; system('touch broken'); print '
"; system("touch broken"); print "
`touch broken`
'`touch broken`'
$(touch broken)
@touch
! touch broken
\
a\
b
''
'''
END
set output 'broken'
#
%s %n {/Symbol a} _^ & ~ @a
LABELS
	printf '%s\n' '{"k":"\n!touch broken\nEND\n!touch broken\n","t":1,"n":3}' \
	    '{"k":"x\u0000\u001b[31m\u202e","t":1,"n":3}' >>in
	for type in line step bar; do
		tplot -x t -y n -k k --type $type -o out.svg in
		tplot -x t -y n -k k --type $type in >out
		! LC_ALL=C grep -anP '[\x00-\x09\x0b-\x1f\x7f]' out || return
	done
	jq -c '{"'"'"'`touch broken`": .t, n}' in >named
	tplot -x "'\`touch broken\`" -y n -o named.svg named
	[ ! -e broken ]
	# Nothing was taken for markup, either.
	grep Symbol in | tplot -x t -y n -k k -o out.svg
	grep -q '_^ &amp; ~ @a' out.svg
}

@test "ten keys are shown, and the others added up" {
	for i in {1..13}; do echo "{\"k\":$i,\"t\":0,\"n\":$i}"; done >in
	for i in {1..13}; do echo "{\"k\":$i,\"t\":1,\"n\":$i}"; done >>in
	tplot -x t -y n -k k in >out
	grep -q '3 others' out
}

@test "an array is spread over its slice" {
	echo '{"t":1700000400000,"n":[0,"1",2,null,"\u0034",5]}' >in
	for i in 0 1 2 4 5; do
		echo "{\"t\":$((1700000400 + i * 600)),\"n\":$i}"
	done >points
	tplot -x t -y n in >out
	tplot -x t -y n points | same 'one by one' - out
	tplot -x t -y n --slice 6m in >out
	grep -q '22:2[0-9]' out
}

# They stood one over the other: "22:13:322:14:0".
@test "times on the axis do not touch" {
	for seconds in 1 5 60 299 300 599 601 3000 20000 86400 172800; do
		printf '{"t":%d,"n":1}\n' 1700000000 $((1700000000 + seconds)) >in
		for columns in 22 24 30 40 60 80 200; do
			# Where none fits there is none, and no mark of gnuplot's.
			COLUMNS=$columns tplot -x t -y n in | tail -n 2 |
				head -n 1 >axis
			sed 's/^/ /' axis | grep -qE \
			    '^( +[0-9]{2}[:-][0-9]{2}(:[0-9]{2}(\.[0-9])?)?)* *$' || {
				echo "$seconds $columns"
				cat axis
				return 1
			}
		done
	done
}

@test "times of weeks have the day, of months the month, of years the year" {
	drawn() {
		printf '{"t":%s,"n":1}\n' "$@" | COLUMNS=80 tplot -x t -y n >out
	}
	drawn 1700000000 1702000000
	grep -q ' 11-20 ' out # a Monday
	grep -q ' t, 2023 ' out
	drawn 1700000000 1717000000
	grep -q ' 2024-01 ' out
	drawn 1500000000 1717000000
	grep -q ' 2020 ' out
}

# 03-01 03-02 03-02 03-03: a mark each twelve hours, of which only the day was
# written; below a second all marks were alike.
@test "no two marks of times are alike" {
	for seconds in .000009 .0009 .5 259200 400000 30000000; do
		jq -nc "1772366400, 1772366400 + $seconds |
		    {t: (. * 1e6 | round), n: 1}" >in
		tplot -x t -y n in | tail -n 2 | head -n 1 | tr -s ' ' '\n' |
			grep . >marks
		sort -u marks | same "marks of $seconds s" - <(sort marks)
	done
}

# The digits of 100,000 and more ran into each other.
@test "numbers on the axis do not touch" {
	for most in 1000000000 1000000.5; do
		printf '{"x":%s,"y":1}\n' 1000000 "$most" | tplot -x x -y y >out
		tail -n 2 out | head -n 1 | tr -s ' ' '\n' | grep . >marks
		[ "$(wc -l <marks)" -ge 2 ]
		grep -vqE '^[0-9]{1,3}(,[0-9]{3})*(\.[0-9])?$' marks && return 1
	done
	true
}

@test "the y axis is named, however long its name" {
	for name in n count requests mean_response_time; do
		printf '{"x":%d,"%s":200}\n' 1 $name 2 $name |
			tplot -x x -y $name | head -n 1 | grep -qx " $name *"
	done
}

# The bars of days were as far apart as if each line were alone.
@test "bars stand at their places" {
	printf '{"x":%d,"k":"%s","n":9}\n' 1 b 2 a 3 c |
		tplot -x x -y n -k k --type bar >out
	[[ $(tail -n 1 out) == *b*a*c* ]]
	tail -n 3 out | head -n 1 | grep -qE ' 1 +2 +3 *$'
	# Each is over its own number.
	sed -n '/\*/h; /#/h; $!d; x; p' out | grep -qE '\*.*#|#.*\*'
}

# Of points within a millisecond, and of the hour that comes twice in autumn,
# all but the last were dropped.
@test "points at different times are different points" {
	points() {
		mkdir -p bin
		printf '#!/bin/sh\nexec tee script </dev/stdin\n' >bin/gnuplot
		chmod +x bin/gnuplot
		PATH=$PWD/bin:$PATH tplot -x t -y y "$1" >/dev/null || true
		sed -n '/^\$d0/,/^END/p' script | grep -c '^[0-9]'
	}
	printf '{"t":%s,"y":%d}\n' 1772366400000001 1 1772366400000900 9 >us
	[ "$(points us)" -eq 2 ]
	for h in 23 0 1 2; do
		echo "{\"t\":\"2024-10-2$((h == 23 ? 6 : 7))T$h:30Z\",\"y\":$h}"
	done | sed 's/T\([0-9]\):/T0\1:/' >autumn
	[ "$(TZ=Europe/Berlin points autumn)" -eq 4 ]
}

# The axis had no end: tplot went on until there was no memory.
@test "numbers of any size are drawn" {
	for x in 1e15 1e17 1e30 -1e300 1e308; do
		for type in line bar; do
			echo "{\"x\":$x,\"y\":$x}" | tplot -x x -y y --type $type >out
			[ "$(wc -l <out)" -eq 23 ]
		done
	done
	printf '{"x":%s,"y":%s}\n' 1 1e308 2 -1.7e308 3 -1e20 | tplot -x x -y y >out
	[ "$(wc -L <out)" -le 80 ]
	printf '{"x":%s,"y":%s}\n' 1 -1e20 2 1 | tplot -x x -y y | grep -q -- '-1e+20'
}

@test "-k FIELD? takes what is missing as null" {
	printf '{"x":1,"y":2}\n{"x":2,"y":2,"k":"a"}\n' |
		tplot -x x -y y -k 'k?' | tail -n 1 | grep -q 'null.* a '
}

# Browsers refused the picture of a log with probes in it.
@test "an SVG is XML, whatever the labels hold" {
	printf '{"p":"%s","t":1,"n":3}\n' '/?q=<![CDATA[x]]>' '\ufffe' '&<' |
		tplot -x t -y n -k p -o x.svg
	python3 -c 'import sys, xml.dom.minidom
xml.dom.minidom.parse("x.svg")'
}

@test "times are of the local time zone" {
	rising >in
	TZ=JST-9 tplot -x t -y n in >out
	grep -q '07:1[0-9]' out
	grep -q '2023-11-15' out
}

@test "what cannot be drawn is a bad line" {
	printf '%s\n' '{"t":1,"n":1}' '{"t":"x","n":1}' '{"t":2,"n":"x"}' \
	    '{"t":2,"n":[1]}' '{"t":2,"n":1e999}' '{"t":2,"n":null}' >in
	rc=0
	tplot -x t -y n in >out 2>err || rc=$?
	[ "$rc" -eq 1 ]
	cat >want <<'END'
tplot: in:2:6: expected a number at 't', got "x"
tplot: in:3:12: expected a number at 'n', got "x"
tplot: in:4:6: expected a time, for an array, at 't', got 2
tplot: in:5:12: expected a number that a double can hold at 'n', got 1e999
END
	same stderr want err
	# The first tuple says which it is: this only told of a time.
	run -1 tplot -x t -y n <<<'{"t":"soon","n":1}'
	[ "${lines[0]}" = "tplot: stdin:1:6: expected a number or a time at 't', got \"soon\"" ]
}

# Slices before September 2001 were taken for numbers, and refused.
@test "what an array is spread from is a time, of any year" {
	echo '{"k":1,"f":"2000-01-01T10:00:00Z","t":"2000-01-01T10:30:00Z"}' |
		timeline -k k --from f --to t |
		TZ=UTC tplot -x sliceStartMillis -y occupancies >out
	grep -q 'sliceStartMillis, 2000-01-01' out
	grep -q 10:30 out
	# Milliseconds of these years are read as seconds unless told.
	echo '{"k":1,"f":"1969-03-01T12:00:00Z","t":"1969-03-01T12:30:00Z"}' |
		timeline -k k --from f --to t >in
	TZ=UTC tplot -x sliceStartMillis -y occupancies --time-unit ms in >out
	grep -q 'sliceStartMillis, 1969-03-01' out
	printf '{"t":"%d.3.2026","n":%d}\n' 1 1 2 2 |
		TZ=UTC tplot -x t -y n --time-format '%d.%m.%Y' >out
	grep -q 't, 2026-03' out
	run -1 --separate-stderr tplot -x t -y n --time-unit ms <<<'{"t":"x","n":1}'
	# shellcheck disable=SC2154 # bats sets stderr
	[[ $stderr == *"expected a time at 't'"* ]]
}

# A bad line, or one without a point, said that the others have no times.
@test "the first tuple with a point says what the x axis is" {
	for first in '{"t":5}' '{"t":5,"n":"x"}' '{"t":5,"n":null}'; do
		{
			echo "$first"
			printf '{"t":"2026-01-0%d","n":1}\n' 1 2 3
		} >in
		rc=0
		tplot -x t -y n in >out 2>err || rc=$?
		grep -q 't, 2026-01' out
		[ "$rc" -eq "$(grep -c in:1: err)" ]
		[ "$(wc -l <err)" -eq "$rc" ]
	done
}

# The border was drawn over it.
@test "a line of zeros can be seen" {
	printf '{"t":%d,"n":0}\n' 1 2 3 | tplot -x t -y n >out
	grep -q '^ 0.0 \*\*\*\*\*' out
}

# Marks for which there were no rows were written over each other.
@test "on a low terminal the y axis has fewer marks" {
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
	rising >in
	for rows in 10 12 13 16 17 20; do
		LINES=$rows TERM=xterm timeout 60 python3 "$TOP/tests/screen.py" \
		    60 "tplot -x t -y n in" >screen
		grep -c '^ *[0-9][0-9,]* [+|*]' screen
	done >marks
	printf '%d\n' 2 2 3 3 5 5 | same marks - marks
}

# To go from mark to mark by adding one never ended.
@test "numbers that differ in their last bits are drawn" {
	printf '{"t":%s,"v":1}\n' 1e20 100000000000000016384 |
		timeout -s KILL 60 tplot -x t -y v -o t.svg
	printf '{"t":%s,"v":1}\n' 5e-324 1e-323 |
		timeout -s KILL 60 tplot -x t -y v -o t.svg
	printf '{"t":1,"v":%s}\n' -1e300 1e300 -9007199254740993 |
		timeout -s KILL 60 tplot -x t -y v -o t.svg
}

# gnuplot took ten seconds for 400000 points, and each second for all again.
@test "of many points gnuplot gets those that can be seen" {
	mkdir bin
	printf '%s\n' '#!/bin/sh' 'cat >script' 'echo drawn' >bin/gnuplot
	chmod +x bin/gnuplot
	awk 'BEGIN { for (i = 0; i < 100000; i++)
		printf "{\"t\":%d,\"n\":%d}\n", i + 1,
		    i == 777 ? 5000 : i == 50001 ? -5000 : i % 100 }' >in
	for type in line step; do
		PATH=$PWD/bin:$PATH tplot -x t -y n --type $type -o out.svg in
		sed '1,/^[$]d0/d; /^END/,$d' script >points
		[ "$(wc -l <points)" -le 10240 ]
		for point in '1 0' '778 5000' '50002 -5000' '100000 99'; do
			grep -qx -- "$point" points
		done
		sort -c -n points
	done
	head -n 2000 in >few
	PATH=$PWD/bin:$PATH tplot -x t -y n -o out.svg few
	[ "$(grep -c '^[0-9]' script)" -eq 2000 ]
	PATH=$PWD/bin:$PATH tplot -x t -y n --type bar -o out.svg in
	[ "$(grep -c '^[0-9]' script)" -eq 100000 ]
}

# gnuplot was ended by what a terminal sends to all of a pipeline, and the
# picture was lost.
@test "a signal to all of a pipeline does not end gnuplot" {
	local gnuplot
	gnuplot=$(command -v gnuplot)
	mkdir bin
	mkfifo go
	# shellcheck disable=SC2016
	# The first one only sees whether there is gnuplot, the second draws.
	printf '%s\n' '#!/bin/sh' 'echo >>begun' \
	    '[ "$(wc -l <begun)" -ne 2 ] || cat go' "exec $gnuplot \"\$@\"" \
	    >bin/gnuplot
	chmod +x bin/gnuplot
	rising >in
	PATH=$PWD/bin:$PATH setsid "$(command -v tplot)" -x t -y n -k k \
	    -o out.svg in 3>&- &
	soon begun 2
	kill -TERM -- "-$!"
	: >go
	status=0
	wait $! || status=$?
	[ "$status" -eq 143 ]
	grep -q '>20,000<' out.svg
}

# In a container each process has the number 1: what a killed one had left was in
# the way of all that came after it.
@test "what a process of the same number has left is not in the way" {
	rising >in
	# shellcheck disable=SC2016
	sh -c 'echo old >out.svg.$$; exec tplot -x t -y n -o out.svg in'
	grep -q '<svg' out.svg
}

@test "a picture that cannot take its place leaves no other file" {
	mkdir d.svg
	rising | (! tplot -x t -y n -o d.svg) 2>err
	echo 'tplot: d.svg: Is a directory' | same stderr - err
	[ "$(echo d.svg*)" = d.svg ]
}

@test "where there is nothing to draw a line says so, and an old picture stays" {
	tplot -x t -y n -o out.svg </dev/null 2>err
	[ ! -e out.svg ]
	echo old >out.svg
	tplot -x t -y n -o out.svg </dev/null 2>>err
	[ "$(cat out.svg)" = old ]
	said='tplot: warning: there is nothing to draw; out.svg was not written'
	printf '%s\n' "$said" "$said" | same stderr - err
}

# A picture with the wrong times was drawn, and nothing told of it.
@test "a slice that is not that of the arrays is told of" {
	for i in 0 1 2 5; do
		echo "{\"t\":$((1700000100 + i * 900)),\"n\":[1,2,3]}"
	done >in
	tplot -x t -y n -o out.svg in 2>err
	echo 'tplot: warning: arrays are spread over 1h, but begin 15m apart; is that their --slice?' |
		same stderr - err
	tplot -x t -y n --slice 15m -o out.svg in 2>err
	[ ! -s err ]
	# They overlap, so that two are enough.
	head -n 2 in | tplot -x t -y n --slice 30m -o out.svg 2>err
	grep -q 'over 30m, but begin 15m apart' err
	# Some may be missing between these: only without --slice that is odd, ...
	tplot -x t -y n --slice 5m -o out.svg in 2>err
	[ ! -s err ]
	for i in 0 6 12 18; do
		echo "{\"t\":$((1700000100 + i * 3600)),\"n\":[1,2,3]}"
	done >in
	tplot -x t -y n -o out.svg in 2>err
	grep -q 'over 1h, but begin 6h apart' err
	# ... and only where there are more than three.
	head -n 3 in | tplot -x t -y n -o out.svg 2>err
	[ ! -s err ]
	# Those of several keys begin together.
	printf '{"k":%d,"t":1700000100,"n":[1,2]}\n' 1 2 3 4 |
		tplot -x t -y n -k k -o out.svg 2>err
	[ ! -s err ]
}

# One slice a key: a day of rooms was drawn within an hour.
@test "more values than an hour has minutes are told of, without --slice" {
	jq -nc '{t: 1700000000, n: [range(61)]}' >in
	tplot -x t -y n -o out.svg in 2>err
	echo 'tplot: warning: arrays of up to 61 values are spread over 1h; is that their --slice?' |
		same stderr - err
	tplot -x t -y n --slice 1h -o out.svg in 2>err
	[ ! -s err ]
	jq -nc '{t: 1700000000, n: [range(60)]}' | tplot -x t -y n -o out.svg 2>err
	[ ! -s err ]
}

@test "what the file is called says what it is" {
	rc=0
	tplot -x t -y n -o out.pdf </dev/null 2>err || rc=$?
	[ "$rc" -eq 2 ]
	grep -q "^tplot: -o: expected a name that ends in .svg or .png, got 'out.pdf'" err
	echo '{"t":1,"n":1}' >in.svg
	rc=0
	tplot -x t -y n -o in.svg in.svg 2>err || rc=$?
	[ "$rc" -eq 2 ]
	[ "$(cat in.svg)" = '{"t":1,"n":1}' ]
}

@test "without gnuplot a line says what to install" {
	mkdir bin
	ln -s "$(command -v tplot)" bin
	rc=0
	PATH=$PWD/bin tplot -x t -y n </dev/null 2>err || rc=$?
	[ "$rc" -eq 2 ]
	[ "$(cat err)" = 'tplot: gnuplot, which draws, is not installed; on Debian, apt-get install gnuplot-nox' ]
}

@test "what gnuplot says of its failure is passed on" {
	mkdir bin
	printf '#!/bin/sh\necho line 3: no >&2; exit 1\n' >bin/gnuplot
	chmod +x bin/gnuplot
	echo '{"x":1,"y":1}' >in
	PATH=$PWD/bin:$PATH run -2 --separate-stderr tplot -x x -y y in
	[ "$stderr" = "tplot: gnuplot could not draw it: line 3: no" ]
}

# The new picture took the place of the link, and everyone could read it.
@test "a picture keeps its mode, and a link to it stays one" {
	rising >in
	mkdir private
	echo old >private/out.svg
	chmod 600 private/out.svg
	ln -s private/out.svg out.svg
	tplot -x t -y n -o out.svg in
	[ -L out.svg ]
	grep -q '<svg' private/out.svg
	[ "$(stat -c %a private/out.svg)" = 600 ]
	[ "$(ls private)" = out.svg ]
	# Before there is a picture, too.
	rm private/out.svg
	tplot -x t -y n -o out.svg in
	[ -L out.svg ]
	grep -q '<svg' private/out.svg
}

# It was replaced by a file, and its reader got nothing.
@test "a picture is written into a named pipe" {
	rising >in
	mkfifo out.svg
	cat out.svg >got &
	tplot -x t -y n -o out.svg in
	wait $!
	[ -p out.svg ]
	grep -q '</svg>' got
	# Where nobody reads it, too, a signal ends tplot.
	tplot -x t -y n -o out.svg in &
	kill -TERM $!
	rc=0
	wait $! || rc=$?
	[ "$rc" -eq 143 ]
	# One that had come before the pipe was opened was forgotten.
	mkfifo points
	tplot -x t -y n -o out.svg points 7>&- &
	exec 7>points
	cat in >&7
	kill -TERM $!
	exec 7>&-
	rc=0
	wait $! || rc=$?
	[ "$rc" -eq 143 ]
}

# When it had been drawn before the end it was drawn again, after its reader had
# gone, and that never ended.
@test "into a named pipe a picture is drawn at the end alone" {
	mkdir bin other
	# shellcheck disable=SC2016
	printf '%s\n' '#!/bin/sh' 'echo >>"$RUNS"' 'cat >script' 'echo drawn' >bin/gnuplot
	chmod +x bin/gnuplot
	mkfifo out.svg points
	cat out.svg >got &
	local cat=$!
	RUNS=into_pipe PATH=$PWD/bin:$PATH tplot -x t -y n -o out.svg points 7>&- 8>&- &
	local into_pipe=$!
	exec 7>points
	# Another one, begun later, tells when it is time.
	mkfifo other/points
	RUNS=into_file PATH=$PWD/bin:$PATH tplot -x t -y n -o other.svg other/points 7>&- 8>&- &
	local into_file=$!
	exec 8>other/points
	rising | tee other/in >&7
	cat other/in >&8
	soon into_file 2
	rising | tee other/in >&7
	cat other/in >&8
	soon into_file 3
	exec 7>&- 8>&-
	wait "$into_file"
	wait "$into_pipe"
	wait "$cat"
	[ "$(wc -l <into_pipe)" -eq 2 ]
	[ "$(cat got)" = drawn ]
}

# gnuplot does not see that a disk is full: half a picture, or none, took the
# place of a good one.
@test "what cannot be written leaves the picture as it was" {
	rising >in
	echo good >out.svg
	(
		trap '' XFSZ
		ulimit -f 8
		rc=0
		tplot -x t -y n -o out.svg in 2>err || rc=$?
		[ "$rc" -eq 2 ]
	)
	[ "$(cat err)" = 'tplot: out.svg: File too large' ]
	mkdir bin
	printf '%s\n' '#!/bin/sh' 'exit 0' >bin/gnuplot
	chmod +x bin/gnuplot
	rc=0
	PATH=$PWD/bin:$PATH tplot -x t -y n -o out.svg in 2>err || rc=$?
	[ "$rc" -eq 2 ]
	[ "$(cat err)" = 'tplot: gnuplot drew nothing' ]
	[ "$(cat out.svg)" = good ]
	[ "$(echo out.svg*)" = out.svg ]
}

# A terminal that gnuplot lacks, and children that nobody waits for, came from
# whoever started it.
@test "GNUTERM and an ignored SIGCHLD change nothing" {
	rising >in
	(
		trap '' CHLD
		GNUTERM=qt tplot -x t -y n -o out.svg in
	)
	grep -q '</svg>' out.svg
}

@test "a name of a picture is more than how it ends" {
	command -v gnuplot >/dev/null || skip 'no gnuplot'
	for file in .svg .png; do
		run -2 tplot -x a -y a -o $file <<<'{"a":1}'
		[ "${lines[0]}" = "tplot: -o: expected a name that ends in .svg or .png, got '$file'" ]
		[ ! -e $file ]
	done
}

# drawn OPTION...: what gnuplot is told, as script.
drawn() {
	mkdir -p bin
	printf '%s\n' '#!/bin/sh' 'cat >script' 'echo drawn' >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH tplot -x x -y y "$@" >/dev/null
}

@test "what gnuplot is told of one point, of small numbers and of many keys" {
	echo '{"x":1,"y":1}' >in
	drawn in
	grep -qxF 'set xrange [0:2]' script
	grep -q 'with points' script
	drawn --type bar in
	grep -q 'with boxes' script
	drawn --type bar <<<'{"x":1700000000,"y":1}'
	grep -qx 'set boxwidth 48' script
	printf '{"x":%s,"y":1}\n' 0 1e-6 | drawn
	grep -qF 'set xtics ("0" 0, "2e-07" 2e-07, ' script
	printf '{"k":%d,"x":1,"y":1}\n' {1..12} | drawn -k k -o out.svg
	grep -o 'dt [12]' script | uniq -c | squeeze | same dashes <(echo 7 dt 1 3 dt 2 1 dt 1) -
	grep -q "rgb '#999999'" script
}

@test "all that gnuplot is told" {
	printf '{"k":"%s","x":%s,"y":%s}\n' a 1 2 b 2 3.5 a 3 -1 a 2 7 b 2 3 c 1 9 >in
	drawn -k k in
	same text - script <<'TOLD'
set terminal dumb noenhanced nofeed size 80,24
set encoding utf8
set border 3 back
set tics nomirror
set key outside below
set style fill solid 0.8 noborder
set xlabel "x"
set tmargin 2
set label 1 "y" at character 1, character 23
set xrange [1:3]
set xtics ("1.0" 1, "1.2" 1.2000000000000002, "1.4" 1.4000000000000001, "1.6" 1.6, "1.8" 1.8, "2.0" 2, "2.2" 2.2, "2.4" 2.4000000000000004, "2.6" 2.6, "2.8" 2.8000000000000003, "3.0" 3)
set yrange [-2:10]
set ytics ("-2" -2, "0" 0, "2" 2, "4" 4, "6" 6, "8" 8, "10" 10)
$d0 << END
1 9
END
$d1 << END
1 2
2 7
3 -1
END
$d2 << END
2 3
END
plot $d0 using 1:2 with points pt 7 title "c", $d1 using 1:2 with lines title "a", $d2 using 1:2 with points pt 7 title "b"
TOLD
	drawn -k k -o out.png --type bar in
	same bars - script <<'TOLD'
set terminal pngcairo size 1280,720 noenhanced font 'sans,13' background '#ffffff'
set encoding utf8
set border 3 back
set tics nomirror
set key outside right top Left reverse samplen 2
set grid ytics lc rgb '#dddddd' lt 1 lw 1
set style fill solid 0.8 noborder
set xlabel "x"
set ylabel "y"
set xrange [0.5:3.5]
set xtics ("1" 1, "2" 2, "3" 3)
set yrange [-2:10]
set ytics ("-2" -2, "0" 0, "2" 2, "4" 4, "6" 6, "8" 8, "10" 10)
set boxwidth 0.26666666666666666
$d0 << END
0.73333333333333339 9
END
$d1 << END
1 2
2 7
3 -1
END
$d2 << END
2.2666666666666666 3
END
plot $d0 using 1:2 with boxes lc rgb '#0072B2' lw 2 dt 1 title "c", $d1 using 1:2 with boxes lc rgb '#D55E00' lw 2 dt 1 title "a", $d2 using 1:2 with boxes lc rgb '#009E73' lw 2 dt 1 title "b"
TOLD
	printf '{"x":%s,"y":%s}\n' 1700000000 1 1700000060.25 2 1700000090 0.5 >moments
	drawn --type step -o out.svg moments
	head -n 1 script | same svg <(echo "set terminal svg size 960,540 noenhanced font 'sans-serif,13' background '#ffffff'") -
	sed '1,/^[$]d0/d' script | same times - /dev/fd/3 3<<'TOLD'
1700000000.000000 1
1700000060.250000 2
1700000090.000000 0.5
END
plot $d0 using 1:2 with steps lc rgb '#0072B2' lw 2 dt 1 notitle
TOLD
	drawn --type bar moments
	grep -xF 'set xrange ["1699999985.125000":"1700000104.875000"]' script
	grep -xF 'set boxwidth 23.800000000000001' script
}

@test "the wider the legend of a picture, the fewer marks have room beside it" {
	# step COLUMNS MOST STEP: the second mark, with a label of so many columns.
	step() {
		printf '{"k":"%*s","x":%d,"y":1}\n' "$1" k 0 "$1" k "$2" |
			drawn -k k -o out.svg
		grep -F "\"0\" 0, \"$3\" " script
	}
	step 28 80000 10,000
	step 29 80000 20,000
	step 32 1000000 200,000
	step 99 1000000 200,000
}
