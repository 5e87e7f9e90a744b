#!/usr/bin/env bats
load helper

@test "golden topn" {
	golden topn
}
