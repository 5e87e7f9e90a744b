#!/usr/bin/env bats
load helper

@test "golden spout" {
	golden spout
}
