#!/usr/bin/env bats
# rollagg: sums by key over sources, at each tick.
# bats sets stderr and stderr_lines.
# shellcheck disable=SC2154
load helper

@test "sums at each tick, once a key, in the order of first reports" {
	run -0 rollagg -k w -T <<-'IN'
		{"task":0,"w":"b","count":1,"x":1}
		{"task":1,"w":"a","count":2}
		{"task":1,"w":"b","count":4 , "x":2}
		{"__tick":10}
		{"w":"b","count":7,"task":0}
		{"__tick":20}
		{"__tick":30}
	IN
	[ "$output" = '{"w":"b","count":5 , "x":2}
{"w":"a","count":2}
{"__tick":10}
{"w":"b","count":11}
{"__tick":20}
{"__tick":30}' ]
}

@test "a part that is 0 is forgotten, a key without parts too" {
	run -0 --separate-stderr rollagg -k w --stats <<-'IN'
		{"task":0,"w":"a","count":1}
		{"task":1,"w":"a","count":2}
		{"__tick":1}
		{"task":0,"w":"a","count":0}
		{"__tick":2}
		{"task":1,"w":"a","count":0.0}
		{"__tick":3}
	IN
	[ "$output" = '{"w":"a","count":3}
{"w":"a","count":2}
{"w":"a","count":0}' ]
	[[ $stderr == *'"live_keys":0'* ]]
}

@test "without ticks the end is the only batch" {
	run -0 rollagg -k w <<-'IN'
		{"task":0,"w":"a","count":1}
		{"task":1,"w":"a","count":2}
	IN
	[ "$output" = '{"w":"a","count":3}' ]
}

@test "what comes after the last tick is left out, with a warning" {
	run -0 --separate-stderr rollagg -k w <<-'IN'
		{"task":0,"w":"a","count":1}
		{"__tick":1}
		{"task":0,"w":"a","count":2}
	IN
	[ "$output" = '{"w":"a","count":1}' ]
	[ "$stderr" = 'rollagg: warning: rows of 1 key after the last tick are'\
' left out: no tick has ended their batch' ]
}

@test "integers are exact, others doubles; 128 bits and more" {
	run -0 rollagg -k w <<-'IN'
		{"task":0,"w":"a","count":9223372036854775807}
		{"task":1,"w":"a","count":9223372036854775807}
		{"task":2,"w":"a","count":"2"}
		{"task":0,"w":"b","count":0.5}
		{"task":1,"w":"b","count":1}
	IN
	[ "$output" = '{"w":"a","count":18446744073709551616}
{"w":"b","count":1.5}' ]
}

@test "the source may be anywhere, the value too" {
	run -0 rollagg -k w -v .m.n -s .m.from <<-'IN'
		{"m":{"from":"x","n":1},"w":"a"}
		{"w":"a","m":{"n":2,"from":"y"}}
	IN
	[ "$output" = '{"w":"a","m":{"n":3}}' ]
	run -0 rollagg -k w -s s <<<'{"w":"a", "count":1, "s":1 }'
	[ "$output" = '{"w":"a", "count":1 }' ]
}

@test "sources compare as keys do" {
	run -0 rollagg -k w <<-'IN'
		{"task":1,"w":"a","count":1}
		{"task":1.0,"w":"a","count":2}
		{"task":"1","w":"a","count":4}
		{"task":null,"w":"a","count":8}
	IN
	[ "$output" = '{"w":"a","count":14}' ]
}

@test "a tuple without source, value or key is a bad line" {
	run -1 --separate-stderr rollagg -k w <<-'IN'
		{"w":"a","count":1}
		{"w":"a","task":1}
		{"w":"a","task":[],"count":1}
		{"w":"a","task":1,"count":1e999}
		{"count":1,"task":1}
		{"w":"a","task":1,"count":1}
	IN
	[ "$output" = '{"w":"a","count":1}' ]
	[ "${stderr_lines[0]}" = "rollagg: stdin:1:1: no field 'task'" ]
	[ "${#stderr_lines[@]}" -eq 5 ]
}

# What is left of a sum where numbers with a fraction come and go.
@test "parts that are forgotten leave nothing behind" {
	printf '{"k":"a","task":%d,"count":%s}\n' 0 0.1 1 0.2 2 1e300 2 0.3 \
	    1 0 0 0 >in
	[ "$(rollagg -k k in)" = '{"k":"a","count":0.3}' ]
	printf '{"k":"a","task":%d,"count":%s}\n' 0 0.1 1 0.2 0 0 1 0 >in
	[ "$(rollagg -k k in)" = '{"k":"a","count":0}' ]
}

# Its member was left out of the rows, as the source is.
@test "the source is no key" {
	for k in word,task .task /task '["task"]'; do
		run -2 --separate-stderr rollagg -k "$k" </dev/null
		[ "${stderr_lines[0]}" = "rollagg: -k: '${k#word,}' tells whose a count is (-s), so it is no key" ]
	done
	run -2 rollagg -k word -s .word </dev/null
}

# The sum was written in place of the key.
@test "the count is no key" {
	run -2 --separate-stderr rollagg -k word,count </dev/null
	[ "${stderr_lines[0]}" = "rollagg: -k: 'count' is the count (-v), so it is no key" ]
	run -2 --separate-stderr rollagg -k word -v task </dev/null
	[ "${stderr_lines[0]}" = "rollagg: -v: 'task' tells whose a count is (-s), so it is not added up" ]
	# Without other members the sum was a tick.
	run -2 --separate-stderr rollagg -k 'word?' -v /__tick </dev/null
	[ "${stderr_lines[0]}" = "rollagg: no member can be named '__tick', as ticks are" ]
	run -2 rollagg -k word -v word </dev/null
}

# The mean of one worker looked like that of all.
@test "rows that differ in more than the count are told on a terminal" {
	cd "$BATS_TEST_TMPDIR"
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
	local told="only 'count' is added up, but rows of a key differ in more"
	told_of() { timeout 60 python3 "$TOP/tests/screen.py" 200 "$1" | grep -c "$told"; }
	printf '{"k":1,"mean":%d,"count":3,"task":%d}\n' 5 0 7 1 >in
	[ "$(told_of 'rollagg -k k in')" -eq 1 ]
	[ "$(told_of 'rollagg -k k -q in')" -eq 0 ]
	rollagg -k k in 2>err >out
	[ ! -s err ]
	told+=', and no tick (-T) has ended their batches: what else'
	[ "$(told_of 'rollagg -k k in')" -eq 1 ]
	echo '{"__tick":9}' >>in
	told="only 'count' is added up, but rows of a key differ in more: what else"
	[ "$(told_of 'rollagg -k k in')" -eq 1 ]
	# The same source may say something else later.
	printf '{"k":1,"mean":%d,"count":3,"task":0}\n' 5 7 >in
	[ "$(told_of 'rollagg -k k in')" -eq 0 ]
	printf '{"k":1,"count":%d,"end":9,"task":%d}\n' 5 0 7 1 >in
	[ "$(told_of 'rollagg -k k in')" -eq 0 ]
	# Each batch by itself.
	printf '{"k":1,"count":5,"end":%d,"task":%d}\n{"__tick":%d}\n' 1 0 1 2 1 2 >in
	[ "$(told_of 'rollagg -k k in')" -eq 0 ]
}

@test "a key and a source are two things" {
	printf '{"k":%d,"task":%d,"count":%d}\n' 1 11 4 11 1 8 | rollagg -k k |
	    same sums <(printf '{"k":%d,"count":%d}\n' 1 4 11 8) -
}
