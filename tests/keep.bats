#!/usr/bin/env bats
load helper

@test "golden keep" {
	golden keep
}
