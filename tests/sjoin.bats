#!/usr/bin/env bats
load helper

@test "golden sjoin" {
	golden sjoin
}
