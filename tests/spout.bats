#!/usr/bin/env bats
load helper

@test "golden spout" {
	golden spout
}

@test "presence ends after as many as are asked for" {
	spout presence -n 3 >out
	[ "$(wc -l <out)" -eq 3 ]
	spout presence -n 300 | head -n 3 | same 'the first' out -
}
