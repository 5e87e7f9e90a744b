#!/usr/bin/env bats
load helper

@test "golden rollcount" {
	golden rollcount
}
