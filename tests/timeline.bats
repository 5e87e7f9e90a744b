#!/usr/bin/env bats
# bats sets stderr_lines.
# shellcheck disable=SC2154
load helper

@test "golden timeline" {
	golden timeline
}

@test "what one line can write is bounded" {
	# Thirty lines of 1.4 kB in all once made 90 MB, as an interval could
	# touch a million steps, and so did one of a step in so long a slice.
	for i in {1..30}; do
		echo "{\"r\":$i,\"from\":0,\"to\":59999940}"
	done >long
	run -1 --separate-stderr timeline -k r --from from --to to long
	[ "$output" = '' ]
	[ "${stderr_lines[0]}" = "timeline: long:1:22: expected a time within\
 --max-steps from --from on at 'to', got 59999940" ]
	# Of 100000 steps, and of one more.
	timeline -k r --from from --to to <<<'{"r":1,"from":0,"to":5999940}' |
		jq -s 'map(.occupancies | add) | add == 100000' | grep true
	run -1 timeline -k r --from from --to to \
	    <<<'{"r":1,"from":0,"to":6000000}'
	run -2 --separate-stderr timeline -k r --from from --to to \
	    --slice 100001m long
	[ "${stderr_lines[0]}" = \
	    'timeline: --slice must be at most 100000 steps' ]
}

# A batch of fewer tuples than slices was taken for damage.
@test "a state goes on in a batch whose intervals touch several slices" {
	printf '%s\n' '{"k":"a","f":3000,"t":9000}' bad '{"k":"a","f":0,"t":1}' >in
	timeline=(timeline -q -k k --from f --to t --slice 1h --step 30m -c)
	run -2 --separate-stderr "${timeline[@]}" --state db --on-error stop in
	run -1 "${timeline[@]}" --state db in
	[ "$(jq -c .occupancies <<<"$output")" = '[1,1]
[1,1]
[1,1]' ]
}
