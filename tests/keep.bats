#!/usr/bin/env bats
# bats sets stderr.
# shellcheck disable=SC2154
load helper

@test "times of the last hour" {
	now=$(date +%s)
	printf '{"n":%d,"ts":%d}\n' 1 $((now - 7200)) 2 $((now - 60)) \
	    3 $((now + 60)) 4 -3600 >in
	[ "$(keep 'ts > @-1h' in | jq -c .n | paste -sd' ')" = '2 3' ]
	[ "$(keep 'ts <= @-1h30m' in | jq -c .n | paste -sd' ')" = '1 4' ]
	[ "$(keep 'ts > @-0s' in | jq -c .n)" = 3 ]
	[ "$(keep 'ts > @-1d && ts < @"-1h"' in | jq -c .n)" = 1 ]
	run -2 keep 'ts > @"-1h\u0000x"' in
	# Without a unit it is a time.
	[ "$(keep 'ts == @-3600' in | jq -c .n)" = 4 ]
	run -2 --separate-stderr keep 'ts > @-1y' in
	[[ $stderr == *"expected a time, or - and a duration, behind @, got '@-1y'"* ]]
}

@test "golden keep" {
	golden keep
}

# `.["a" = 1` was taken for a field with a name: NAME=PATH.
@test "a bracket that is not closed is a mistake" {
	local condition
	for condition in '.["a" != 500' '.["a" == 1' 'b == 1 || .["a", "b" == 2'; do
		run -2 keep "$condition" /dev/null
		[[ ${lines[0]} == "keep: expected ']' after [\"...\"" ]]
	done
	echo '{"a=b":1,"c,d":2}' >in
	keep '.["a=b"] == 1 && .["c,d"] == 2' in | same 'names in quotes' - in
}

@test "a condition without quotes is told" {
	run -2 keep status == 500 /dev/null
	[ "${lines[0]}" = "keep: the condition is one argument: 'status == 500'" ]
}

# A caret counts columns, of which some characters take two or none.
@test "the caret stands below the mistake" {
	run -2 keep $'\u65e5\u672c == "\u65e5" && x ==' /dev/null
	[ "${lines[2]}" = "                      ^" ]
	run -2 keep $'e\u0301 == 1 && x ==' /dev/null
	[ "${lines[2]}" = "                ^" ]
	# It was beyond what was shown of a long condition.
	condition=a
	for _ in {1..300}; do condition+=$' && \u65e5'; done
	run -2 keep "$condition c" /dev/null
	[[ ${lines[1]} == '  ...'* && ${lines[1]} == *$'&& \u65e5 c' ]]
	# Each of those before it takes two columns and three bytes.
	[ "${lines[2]}" = "$(printf '%*s^' 56 '')" ]
}

@test "only an operator with something behind it is an unquoted condition" {
	for operator in '||' '|' '&&'; do
		run -2 keep a "$operator" b /dev/null
		[ "${lines[0]}" = "keep: the condition is one argument: 'a $operator b'" ]
	done
	run -2 keep a ==
	[ "$output" = 'keep: ==: No such file or directory' ]
}

@test "parentheses side by side are not nested, and a backslash may come before a d" {
	condition=a
	for _ in {1..1100}; do condition+=' || (a)'; done
	printf '%s\n' '{"a":"\\d"}' >in
	keep "$condition" in | same side - in
	keep "a =~ '\\\\d'" in | same backslash - in
}
