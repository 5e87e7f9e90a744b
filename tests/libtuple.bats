#!/usr/bin/env bats
# The library as others use it: from what `make install` leaves.
# shellcheck disable=SC2154
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[[ $BUILD != *-san* ]] || skip "it is not installed with sanitizers"
	env -u MAKEFLAGS make -s -C "$TOP" -o all build="$BUILD" DESTDIR= \
	    PREFIX="$PWD/inst" install
	export PKG_CONFIG_PATH=$PWD/inst/lib/pkgconfig
}

# growth: build the example with what pkg-config says.
growth() {
	local more=()
	[[ $BUILD != *-coverage* ]] || more=(--coverage)
	# shellcheck disable=SC2046
	cc -std=c11 -Wall -Wextra -Werror "${more[@]}" -o growth \
	    "$TOP/tests/example/growth.c" $(pkg-config --cflags --libs libtuple)
}

@test "a bolt of one's own is built against what is installed, and runs in a pipe" {
	growth
	printf '{"h":"%s","b":%s}\n' a 3 b 1 a 7.5 b 1 >in
	./growth -k h -v b in >out
	printf '%s\n' '{"h":"a","growth":4.5}' '{"h":"b","growth":0}' >want
	same rows want out
	run -1 --separate-stderr ./growth -k h -v b <<<'{"h":"a"}'
	[ "${stderr_lines[0]}" = "growth: stdin:1:1: no field 'b'" ]
	run -2 --separate-stderr ./growth -v b in
	[ "${stderr_lines[0]}" = 'growth: -k is required' ]
	./growth --help | grep -q 'forget a key that has been silent'
	[ "$(wc -l <"$TOP/tests/example/growth.c")" -lt 80 ]
}

@test "the same binary is a bolt of Storm's" {
	growth
	PATH=$PWD:$PATH PYTHONPATH=$TOP/tests/multilang python3 - <<-'END'
	from storm import Bolt

	with Bolt(["growth", "-k", "h", "-v", "b"],
	          sources={"s": {"default": ["h", "b"]}},
	          outputs={"default": ["h", "growth"]}) as bolt:
	    for values in (["a", 1], ["a", 4]):
	        bolt.send("s", values)
	    bolt.sync()
	    assert bolt.rows() == [["a", 3]], bolt.rows()
	END
}

@test "a program that links the library sees what libtuple.h declares, alone" {
	nm -g --defined-only inst/lib/libtuple.a | awk 'NF == 3 { print $3 }' |
		sort >defined
	grep -v ^typedef inst/include/libtuple.h | grep -o '\blt_[a-z_]*(' | tr -d '(' |
		sort -u >declared
	same 'public names' declared defined
}

@test "what is installed is uninstalled" {
	[ -e inst/bin/topn ] && [ -e inst/share/man/man3/libtuple.3 ]
	env -u MAKEFLAGS make -s -C "$TOP" build="$BUILD" DESTDIR= \
	    PREFIX="$PWD/inst" uninstall
	[ -z "$(find inst -type f)" ]
}
