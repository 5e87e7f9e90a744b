#!/usr/bin/env bats
load helper

@test "golden spout" {
	golden spout
}

# The counters of what a file has were all 0.
@test "--stats counts the lines of a file" {
	printf '{"a":1}\n{"__tick":2}\n\nbad\n{"a":2}' >in
	run -1 spout file in --stats=stats
	grep -q '"lines":5,"bytes":33,"blank":1,"ticks":1,"rejects":1,' stats
	grep -q '"emitted":2,' stats
	# A tick that is not due yet is read, but not written.
	printf '{"a":1}\n{"__tick":2}\n' >in
	spout file in -r 0.001 --stats=stats >out &
	soon out 1
	kill -TERM $!
	wait $! || :
	grep -q '"ticks":1,.*"emitted":1,' stats
}

# The time of the next tuple was beyond the integers.
@test "it ends before times that are not read" {
	spout words --step 106751d >out
	[ "$(wc -l <out)" -eq 1 ]
	spout words --step 1d --seed 1 | tail -n 1 |
		jq .ts | same last <(echo 9223366400000) -
	spout words -n 2 --jitter 106751d >out
	[ ! -s out ]
}

# What is beyond the integers was taken for no pause at all.
@test "a rate that is hardly one is no flood" {
	spout words -r 1e-17 >out &
	soon out 1
	kill -TERM $!
	wait $! || [ $? -eq 143 ]
	[ "$(wc -l <out)" -eq 1 ]
}

# Its file had become its stdout, which was said to be an input.
@test "a closed stdout is told" {
	echo '{"a":1}' >in
	rc=0
	spout file in >&- 2>err || rc=$?
	[ "$rc" -eq 2 ]
	[ "$(cat err)" = "spout: stdout: Bad file descriptor" ]
}

@test "presence ends after as many as are asked for" {
	spout presence -n 3 >out
	[ "$(wc -l <out)" -eq 3 ]
	spout presence -n 300 | head -n 3 | same 'the first' out -
}
