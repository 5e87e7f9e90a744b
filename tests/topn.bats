#!/usr/bin/env bats
load helper

# The value was read again after window_end had been decoded in its place.
@test "a value and a window, both with escapes" {
	end=$(printf '"\\u0041%0*d"' 2000 0)
	printf '{"v":"\\u00319007199254740993.%d","window_end":%s}\n' \
	    5 "$end" 7 "$end" | topn -v v | jq -r .v |
		same 'the greater first' - <(printf '%s\n' 19007199254740993.{7,5})
}

@test "golden topn" {
	golden topn
}
