#!/usr/bin/env bats
load helper

@test "golden tally" {
	golden tally
}

@test "the dot of a path is not in the name of its aggregate" {
	run -0 tally -a 'sum:.n,max:.a.b' <<<'{"n":2,"a":{"b":3}}'
	[ "$output" = '{"sum_n":2,"max_a.b":3}' ]
}

@test "a name that was a file in the last run may be a pipe in this" {
	echo '{"k":"a"}' >x
	tally -k k --state s.db x
	rm x
	mkfifo x
	echo '{"k":"b"}' >x &
	tally -k k --state s.db x >out
	[ "$(tally -k k --state s.db --dump | jq -c '[.k,.count]' | paste -sd' ')" = \
	    '["a",1] ["b",1]' ]
}
