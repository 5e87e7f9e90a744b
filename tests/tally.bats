#!/usr/bin/env bats
load helper

@test "golden tally" {
	golden tally
}
