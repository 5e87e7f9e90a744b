#!/usr/bin/env bats
# Storm's multilang protocol without Storm: tests/multilang/storm.py speaks it
# as strictly as ShellBolt and ShellSpout do.
load helper

# cases FILE: run each case of tests/multilang/FILE, to the end.
cases() {
	local case status=0
	for case in $(python3 "$TOP/tests/multilang/$1"); do
		python3 "$TOP/tests/multilang/$1" "$case" || {
			echo "$1 $case"
			status=1
		}
	done
	return "$status"
}

@test "a bolt falls into none of the protocol's traps" {
	cases bolts.py
}

@test "each bolt emits, acks and fails what it should" {
	cases patterns.py
}

@test "a spout keeps what is pending, replays what failed, goes on after a stop" {
	cases spouts.py
}

@test "a bolt takes and gives blocks of lines" {
	cases blocks.py
}

@test "a spout gives blocks of lines, and replays one that failed" {
	cases spout_blocks.py
}
