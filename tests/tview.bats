#!/usr/bin/env bats
# bats sets stderr.
# shellcheck disable=SC2154
load helper

@test "golden tview" {
	golden tview
}

# on_screen COLUMNS COMMAND [LINE...]: what it leaves on a terminal of so many
# columns; each line comes when the one before has been drawn.
on_screen() {
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
	TERM=xterm timeout 60 python3 "$TOP/tests/screen.py" "$@" >screen
}

@test "the last table stays on the terminal" {
	for i in {1..500}; do
		printf '{"k":"a","n":%d}\n{"k":"b","n":%d}\n{"__tick":%d}\n' \
		    "$i" $((i * 2)) "$i"
	done >in
	on_screen 40 'tview --color=never in'
	{ tail -n 3 in | tview && printf '\n0\n'; } | same screen - screen
}

@test "a table is drawn in place of the one before" {
	lines=('{"k":"a","n":1,"window_end":1}' '{"k":"b","n":2,"window_end":1}'
	    '{"k":"c","n":3,"window_end":2}' '{"k":"d","n":4,"window_end":2}')
	on_screen 40 'tview --color=never' "${lines[@]}"
	printf '%s\n' "${lines[@]:2}" | tview >want
	{ cat want && printf '\n0\n'; } | same screen - screen
	[ "$(grep -ac $'\e\[?7l' written)" -ge 4 ]
	grep -aq '^.*a *1 ' written
}

# The message stood on the table, which was whole again with the next rows.
@test "a table is drawn again below a message of a bad line" {
	lines=('{"k":"a","n":1,"window_end":1}' '{"x' '[1]')
	on_screen 70 'tview --color=never' "${lines[@]}"
	# It was: else the third line would wait for the second to be drawn.
	cat - <(tview <<<"${lines[0]}") >want <<-'END'
		tview: stdin:2:4: expected '"' at the end of a string, got end of line
		tview: stdin:3:1: expected an object, got '['
	END
	{ cat want && printf '\n0\n'; } | same screen - screen
}

# What is read at once is drawn at most once, however many batches it has.
@test "batches that come faster than they can be seen are not all drawn" {
	for i in {1..2000}; do echo "{\"n\":$i,\"window_end\":$i}"; done >in
	on_screen 40 'tview in'
	frames=$(grep -ac $'\e\[?7l' written || true)
	[ "$frames" -le 20 ] || { echo "$frames of 2000 drawn"; return 1; }
}

@test "cells are cut to the terminal, and elsewhere to COLUMNS" {
	echo '{"path":"/a/path/that/is/long","n":12345,"text":"more of it"}' >in
	COLUMNS=24 tview in >want
	[ "$(wc -L <want)" -le 24 ]
	on_screen 24 'tview --color=never in'
	{ cat want && printf '\n0\n'; } | same screen - screen
	tview in >out
	grep -q '/a/path/that/is/long  12345  more of it' out
	# The last ones are left out where nothing else helps.
	for columns in 1 2 3 7 12; do
		COLUMNS=$columns tview in >out
		[ "$(wc -L <out)" -le $columns ]
	done
}

@test "a thousand rows are more than a window has, and are there at the end" {
	for i in {1..1000}; do echo "{\"n\":$i}"; done >in
	on_screen 40 'tview --color=never in'
	{ tview in && printf '\n0\n'; } | same screen - screen
}

# Of three lines one was for how many rows more there are, but was left empty.
@test "a window of three lines has a row below the header" {
	lines=('{"k":"a","n":1,"window_end":1}' '{"k":"b","n":2,"window_end":1}'
	    '{"k":"c","n":3,"window_end":1}')
	on_screen 40 'stty rows 3 <&1; tview --color=never' "${lines[@]}"
	printf '%s\n' "${lines[@]}" | tview >want
	{ cat want && printf '\n0\n'; } | same screen - screen
	[ "$(grep -ac '^.*a *1 ' written)" -eq 4 ]
}

@test "as many rows as the window has room for are shown as they are" {
	lines=('{"n":1,"window_end":1}' '{"n":2,"window_end":1}')
	on_screen 40 'stty rows 4 <&1; tview --color=never' "${lines[@]}"
	run ! grep -aq more written
}

@test "a window of two lines has the header" {
	lines=('{"k":"a","n":1}' '{"k":"b","n":2}')
	on_screen 40 'stty rows 2 <&1; tview --color=never' "${lines[@]}"
	printf '%s\n' "${lines[@]}" | tview >want
	{ cat want && printf '\n0\n'; } | same screen - screen
	[ "$(grep -ac 'k *n' written)" -eq 2 ]
	[ "$(grep -ac 'a *1' written)" -eq 1 ]
}

@test "a dumb terminal is written to, not drawn on" {
	printf '%s\n' '{"n":1}' '{"__tick":1}' '{"n":2}' >in
	on_screen 40 'TERM=dumb tview --color=never in'
	{ tview in && printf '\n0\n'; } | same screen - screen
	run ! grep -aq $'\e' written
}

@test "bars are as long as there is room, up to a limit" {
	printf '{"k":"abc","n":%d}\n' 5 10 >in
	for columns in 20 30 300; do
		COLUMNS=$columns tview --bar n in >out
		wc -L <out
	done | paste -sd' ' >widths
	[ "$(cat widths)" = '20 30 41' ]
	COLUMNS=600 tview --bar n in | same 'the most' out -
	# Where there is none, the cells have its room.
	echo '{"k":"abcdefgh","n":5}' >in
	COLUMNS=15 tview in >want
	COLUMNS=15 tview --bar n in | same 'no bar' want -
}

# It had all memory that there was.
@test "what no double holds has no bar" {
	printf '{"n":5}\n{"n":1e400}\n' >in
	[[ $BUILD == *san* ]] || ulimit -v 3000000
	run -1 --separate-stderr tview --bar n in
	[ "$stderr" = "tview: in:2:6: expected a number that a double can hold at 'n', got 1e400" ]
}

# The last one alone was drawn.
@test "CSV has all batches on the terminal, too" {
	printf '%s\n' '{"n":1}' '{"__tick":1}' '{"n":2}' '{"__tick":2}' >in
	on_screen 40 'tview --format csv in'
	printf '%s\n' n 1 2 '' 0 | same screen - screen
}

@test "a newline in a cell of CSV is one on the terminal" {
	printf '{"a":"x\\ny","b":1}\n' >in
	on_screen 40 'tview --format csv in'
	printf '%s\n' 'a,b' '"x' 'y",1' '' 0 | same screen - screen
}

@test "no control byte reaches the terminal, in any format" {
	printf '{"a\\u001b":"\\u001b[31m\\u0007\\u009b\\u0000\\u007f","b":"\302\233x\\r"}\n' >in
	for format in table csv tsv markdown; do
		# A tab of tsv is more than screen.py knows.
		on_screen 80 "TERM=dumb tview --format $format in" || [ $format = tsv ]
		tr -d '\r\n\t' <written >bytes
		! LC_ALL=C grep -anP '[\x00-\x1f\x7f]|\xc2[\x80-\x9f]' bytes ||
			{ echo "in $format"; return 1; }
		grep -qF '\x1b[31m\x07\u009b\x00\x7f' written
	done
	# What is no terminal gets it as it is.
	tview --format csv in >out
	grep -q $'\e\[31m' out
}

# Headers and what is between two tables were counted, too.
@test "--stats counts rows" {
	printf '%s\n' '{"a":1}' '{"a":2}' '{"__tick":1}' '{"b":3}' >in
	for format in table csv markdown; do
		tview --format $format --stats=stats in >out
		[ "$(jq .emitted stats)" = 3 ]
	done
}

@test "NO_COLOR and --color say whether there is color" {
	echo '{"n":1}' >in
	colored() {
		grep -aq $'\e\[1m' "$1"
	}
	on_screen 40 'tview in' && colored written
	on_screen 40 'NO_COLOR= tview in' && colored written
	on_screen 40 'NO_COLOR=1 tview --color in' && colored written
	tview --color=always in >out && colored out
	on_screen 40 'NO_COLOR=1 tview in' && ! colored written
	on_screen 40 'tview --color=never in' && ! colored written
	tview in >out && ! colored out
	tview --color=auto in >out && ! colored out
	run -2 tview --color=red in
	[ "${lines[0]}" = "tview: --color: expected one of auto, always, never, got 'red'" ]
}

@test "times are dates of the local time zone" {
	echo '{"window_end":1709251200000}' >in
	[ "$(TZ=JST-9 tview in | tail -n 1)" = '2024-03-01 09:00:00' ]
}

@test "interrupted, it shows what comes before the end of its input" {
	mkfifo in
	tview - <in >out 2>err &
	pid=$!
	exec 4>in
	echo '{"n":1,"window_end":1}' >&4
	echo '{"n":2,"window_end":2}' >&4
	soon out 2
	kill -TERM $pid
	echo '{"n":3,"window_end":3}' >&4
	soon out 5
	exec 4>&-
	rc=0
	wait $pid || rc=$?
	[ "$rc" -eq 143 ]
	[ "$(tail -n 1 out)" = '3  1970-01-01 00:00:00.003' ]
}

@test "no rows are too few to show" {
	run -2 tview -n 0 </dev/null
	[ "${lines[0]}" = "tview: -n: must be at least 1, got '0'" ]
	echo '{"a":1}' | tview -n 1 | same one <(printf 'a\n1\n') -
}

@test "a bar that is shorter than ten is none" {
	printf '{"k":"%s","n":%d}\n' abc 5 abcdefgh 10 >in
	COLUMNS=18 tview in >want
	COLUMNS=18 tview --bar n in | same 18 want -
	# Ten full blocks (U+2588).
	COLUMNS=19 tview --bar n in |
		grep -q "10  $(printf '\xe2\x96\x88%.0s' {1..10})\$"
}

@test "no blanks stand where a column had no room" {
	echo '{"a":1,"b":2,"c":3}' >in
	for columns in 1 2 3; do
		COLUMNS=$columns tview in | same "$columns" <(printf 'a\n1\n') -
	done
	COLUMNS=6 tview in | same 6 <(printf 'a  b\n1  2\n') -
}

@test "carriage returns, empty rows and mixed columns of other formats" {
	printf '%s\n' '{"a":"x\ry"}' | tview --format tsv | same escaped <(printf '%s\n' a 'x\ry') -
	echo '{"a":null}' | tview --format tsv | same empty <(printf 'a\n\n') -
	printf '{"a":%s}\n' '"x"' 5 | tview --format markdown |
		same mixed <(printf '%s\n' '| a |' '| --- |' '| x |' '| 5 |') -
}

# cut_to OPTION...: the last row in each of the widths; in ASCII.
cut_to() {
	local columns
	for columns in $widths; do
		COLUMNS=$columns tview "$@" in | tail -n 1
	done | sed $'s/\xe2\x80\xa6/~/g; s/\xe2\x96\x88/#/g; s/\xe2\x96\x8c/+/g'
}

@test "the widest text is cut first, then the widest cell, and the last are left out" {
	echo '{"path":"/a/path/of/twenty/b","user":"somebody-12","n":1234567,"at":null,"window_end":1772366400123}' >in
	cat >want <<'END'
/a/path/of/twenty/b  somebody-12  1234567  -   2026-03-01 12:00:00.123
/a/path/of/twenty~  somebody-12  1234567  -   2026-03-01 12:00:00.123
/a/path/o~  somebody-~  1234567  -   2026-03-01 12:00:00.123
/a/path~  somebody~  1234567  -   2026-03-01 12:00:00.123
/a/path~  somebod~  1234567  -   2026-03-01 12:00:00.123
/a/path~  somebod~  1234567  -   2026-03-01 12:00:00.~
/a/path~  somebod~  1234567  -   2026-03-01 12:00:00~
/a/pat~  somebo~  1234567  -   2026-03~
/a/pa~  someb~  1234567  -   2026-0~
/a/p~  some~  12345~  -   2026-0~
/a/p~  some~  1234~  -   2026-0~
/a/p~  some~  1234~  -   2026-~
/a/p~  some~  1234~  -   2026~
/a/~  som~  123~  -   2026~
/a~  so~  12~  -   2026~
/a~  so~  12~  -   2~
/a~  so~  12~  -   ~
/a~  so~  12~  -
/a~  so~  12~
/a~  so~  1~
/a~  so~  ~
/a~  so~
/a~  s~
/a~  ~
/a~
/a~
/a~
END
	widths='72 69 60 57 56 54 53 39 36 33 32 31 30 27 24 21 20 19 15 12 11 10 7 6 5 4 3'
	cut_to | same cut want -
}

@test "text is cut beside a bar of ten, and where that does not help there is none" {
	printf '{"a":"%s","b":"%s","n":%d}\n' abcdefghijkl abcdefghij 12 abc abcdefghijklmno 3 >in
	cat >want <<'END'
abc           abcdefghijklmno   3  ########
abc           abcdefghijklmno   3  ##+
abc          abcdefghij~   3  ##+
abc        abcdefghi~   3  ##+
abc       abcdefg~   3  ##+
abc      abcdefg~   3  ##+
abc   abc~   3  ##+
abc  abc~   3  ##+
abc  ab~   3  ##+
abc       abcdefgh~   3
abc       abcdefg~   3
abc  ab~   3
END
	widths='70 45 40 37 34 33 26 25 24 23 22 12'
	cut_to --bar n | same bars want -
}
