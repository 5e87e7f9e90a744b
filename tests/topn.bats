#!/usr/bin/env bats
load helper

# The value was read again after window_end had been decoded in its place.
@test "a value and a window, both with escapes" {
	end=$(printf '"\\u0041%0*d"' 2000 0)
	printf '{"v":"\\u00319007199254740993.%d","window_end":%s}\n' \
	    5 "$end" 7 "$end" | topn -v v | jq -r .v |
		same 'the greater first' - <(printf '%s\n' 19007199254740993.{7,5})
}

@test "tuples are ranked by time, the latest first" {
	printf '{"k":"%s","t":%s}\n' a 1772366400 b '"2026-03-01T12:00:01Z"' \
	    a '"2026-03-01T13:00:00.5+01:00"' b 1772366399000 c null >in
	order() {
		topn -q --on-error skip "$@" in | jq -r '"\(.rank)\(.k)"' | paste -sd' '
	}
	[ "$(order -t t)" = '1b 2a 3a 4b' ]
	[ "$(order -t t -n 2 -r)" = '1b 2a' ]
	[ "$(order -t t -n 1 -g k)" = '1a 1b' ]
	# The last tuple of a key stands for it, and 1970 is no 0 that leaves.
	[ "$(order -t t -k k)" = '1a 2b' ]
	[ "$(echo '{"k":"z","t":0}' | topn -k k -t t)" = '{"rank":1,"k":"z","t":0}' ]
	run -1 --separate-stderr topn -t t in
	[[ $stderr == *"in:5:"*"'t'"* ]]
	[ "$(printf '{"t":"%s"}\n' '1 May 2026' '30 Apr 2026' |
		topn -r -n 1 -t t --time-format '%d %b %Y')" = \
	    '{"rank":1,"t":"30 Apr 2026"}' ]
}

# Rows are ranked by when windows end, not each window by itself.
@test "the last window of each key" {
	printf '{"k":"%s","window_end":%d}\n' a 10 b 20 a 30 >in
	run -0 --separate-stderr topn -n 1 -g k -t window_end in
	[ -z "$stderr" ]
	run -0 --separate-stderr topn -n 2 -t window_end in
	[ "$(jq -s -c 'map(.window_end)' <<<"$output")" = '[30,20]' ]
	[ -z "$stderr" ]
}

@test "golden topn" {
	golden topn
}

# A window of two rows at the end was taken for one that stood alone.
@test "windows that were ranked together are told of, wherever they change" {
	printf '{"v":%d,"window_end":%d}\n' 1 1 2 2 3 2 >in
	run -0 --separate-stderr topn -v v in
	# shellcheck disable=SC2154 # bats sets stderr
	[[ $stderr == 'topn: warning: windows were ranked together; '* ]]
}

@test "a key that has gone makes room for one of another group" {
	printf '{"g":%d,"k":1,"v":%d}\n' 1 1 1 0 2 1 |
		topn -g g -k k -v v --max-keys 1 >out
	echo '{"rank":1,"g":2,"k":1,"v":1}' | same rows - out
}
