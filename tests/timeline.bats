#!/usr/bin/env bats
load helper

@test "golden timeline" {
	golden timeline
}
