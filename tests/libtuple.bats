#!/usr/bin/env bats
# The library as others use it: from what `make install` leaves.
# shellcheck disable=SC2154
load helper

setup() {
	cd "$BATS_TEST_TMPDIR" || return
	[[ $BUILD != *-san* ]] || skip "it is not installed with sanitizers"
	env -u MAKEFLAGS make -s -C "$TOP" -o all build="${BUILD#"$TOP/"}" DESTDIR= \
	    PREFIX="$PWD/inst" install
	export PKG_CONFIG_PATH=$PWD/inst/lib/pkgconfig
}

# example NAME: build it with what pkg-config says.
example() {
	local more=()
	[[ $BUILD != *-coverage* ]] || more=(--coverage)
	# shellcheck disable=SC2046
	cc -std=c11 -Wall -Wextra -Werror "${more[@]}" -o "$1" \
	    "$TOP/tests/example/$1.c" $(pkg-config --cflags --libs libtuple)
}

@test "a bolt of one's own is built against what is installed, and runs in a pipe" {
	example growth
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

# What had been on the stack was taken for kinds of faults that nobody asks for:
# the message was what lay there, too.
@test "a fault does not depend on what the bolt has left on the stack" {
	{
		echo 'static void fill_stack(void) {'
		echo 'volatile unsigned char bytes[8192];'
		echo 'for (int i = 0; i < 8192; i++) bytes[i] = 0xff; }'
		sed 's/if (lt_key/fill_stack(); &/' "$TOP/tests/example/growth.c"
	} >left.c
	# shellcheck disable=SC2046
	cc -std=c11 -O0 -o left left.c $(pkg-config --cflags --libs libtuple)
	run -1 --separate-stderr ./left -k h -v b <<<'{"h":"a"}'
	[ "${stderr_lines[0]}" = "left: stdin:1:1: no field 'b'" ]
}

# They ended it by SIGSEGV, at the first option that was wrong.
@test "a letter or a name that no option can have is told" {
	while read -r old new said; do
		sed "s/$old/$new/" "$TOP/tests/example/growth.c" >odd.c
		# shellcheck disable=SC2046
		cc -std=c11 -o odd odd.c $(pkg-config --cflags --libs libtuple)
		run -2 --separate-stderr ./odd -x
		[ "$stderr" = "odd: --$said" ]
	done <<-'OPTIONS'
		'v' '?' value: '?' is no letter or digit
		'v' 'h' value: another option has its name or its letter
		'v' 'k' value: another option has its name or its letter
		'v' 'q' value: another option has its name or its letter
		"value" "key" key: another option has its name or its letter
		"value" "stats" stats: another option has its name or its letter
		"value" "version" version: another option has its name or its letter
		"value" "multilang" multilang: another option has its name or its letter
	OPTIONS
}

@test "the same binary is a bolt of Storm's" {
	example growth
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

@test "each function gives what it says, in a pipe and under Storm" {
	example each_call
	cat >in <<-'IN'
		{"v":[1, 2],"t":1700000000.5,"n":"a\n\"b"}
		{"v":1,"t":"2023-11-14T22:13:20.25Z","n":"\u0041"}
		{"__tick":1000}
		{"v":1,"t":1,"n":7}
		{"v":1,"t":1,"n":""}
		{"v":1,"t":"x","n":"a"}
		{"t":1,"n":"a"}
	IN
	run -1 --separate-stderr ./each_call -v v -t t -n n in
	same rows - <<-'ROWS' <(printf '%s\n' "$output")
		{"line":"{\"v\":[1, 2],\"t\":1700000000.5,\"n\":\"a\\n\\\"b\"}","json":[1, 2],"ns":1700000000500000000,"name":"a\n\"b"}
		{"line":"{\"v\":1,\"t\":\"2023-11-14T22:13:20.25Z\",\"n\":\"\\u0041\"}","json":1,"ns":1700000000250000000,"name":"A"}
		{"__tick":1001}
		{"end":0.1}
	ROWS
	same messages - <<-'MESSAGES' <(printf '%s\n' "$stderr" | head -n 4)
		each_call: in:4:18: expected a string at 'n', got 7
		each_call: in:5:18: expected a name at 'n', got ""
		each_call: in:6:12: expected a time at 't', got "x"
		each_call: in:7:1: no field 'v'
	MESSAGES
	PATH=$PWD:$PATH PYTHONPATH=$TOP/tests/multilang python3 - <<-'END'
	from storm import Bolt

	with Bolt(["each_call", "-v", "v", "-t", "t", "-n", "n", "--late"],
	          sources={"s": {"default": ["v", "t", "n"]}},
	          outputs={"default": ["json", "name"]}) as bolt:
	    a, b, c = [bolt.send("s", values)
	               for values in ([1, 1, "a"], [2, 1, "b"], [False, 1, "c"])]
	    bolt.sync()
	    rows = bolt.rows()
	    assert rows == [[1, "a"], [2, "b"], [False, "c"]], rows
	    settled = bolt.settled()
	    assert settled == [[a, b], [c]], (settled, a, b, c)
	END
	# The clock ticked beside Storm.
	EVERY=1 PATH=$PWD:$PATH PYTHONPATH=$TOP/tests/multilang python3 - <<-'END'
	import time
	from storm import Bolt

	for seconds in 3600, None:
	    conf = {"topology.tick.tuple.freq.secs": seconds} if seconds else {}
	    begin = time.monotonic()
	    with Bolt(["each_call", "-v", "v", "-t", "t", "-n", "n"], conf=conf,
	              sources={"s": {"default": ["v", "t", "n"]}},
	              outputs={"default": ["json", "name"]}) as bolt:
	        ticked = 0
	        while time.monotonic() < begin + 0.2 or not (seconds or ticked):
	            bolt.sync()
	            ticked += len(bolt.rows())
	        assert (ticked == 0) == (seconds is not None), ticked
	END
}

# The second string with escapes took the place of the first, a row that was
# begun stood before the next one, and lt_reject after lt_number said nothing.
@test "strings last until the call ends, and what is not emitted is dropped" {
	example pair
	cat >in <<-'IN'
		{"a":"user\\alice","b":"user\\bob"}
		{"a":[1],"b":"x"}
		{"a":"\u0031\u0032","b":"\u0033"}
		{"a":"c","b":4}
		{"a":"d","b":"e"}
		{"a":"f"}
		{"a":"\ud800","b":"x"}
	IN
	run -1 --separate-stderr ./pair -a a -b b in
	same rows - <<-'ROWS' <(printf '%s\n' "$output")
		{"a":"user\\alice","b":"user\\bob"}
		{"a":12,"b":"3"}
		{"a":"d","b":"e"}
		{"a":"\ud800","b":"x"}
	ROWS
	same messages - <<-'MESSAGES' <(printf '%s\n' "$stderr" | head -n 3)
		pair: in:2:6: expected a string or a number at 'a', got an array
		pair: in:4:14: expected a string at 'b', got 4
		pair: in:6:1: no field 'b'
	MESSAGES
	PATH=$PWD:$PATH PYTHONPATH=$TOP/tests/multilang python3 - <<-'END'
	from storm import Bolt

	with Bolt(["pair", "-a", "a", "-b", "b"],
	          sources={"s": {"default": ["a", "b"]}},
	          outputs={"default": ["a", "b"]}) as bolt:
	    ids = [bolt.send("s", values)
	           for values in (["x", "y"], ["z", 1], ["v", "w"])]
	    bolt.sync()
	    assert bolt.rows() == [["x", "y"], ["v", "w"]], bolt.rows()
	    assert bolt.settled() == [[ids[0], ids[2]], [ids[1]]]
	END
}

@test "mistakes of a program in C end it with a message" {
	example pair
	EVERY=-1 run -2 --separate-stderr ./pair -a a -b b </dev/null
	[ "$stderr" = 'pair: tick_every_ms is below 0' ]
	PATH=$PWD:$PATH PYTHONPATH=$TOP/tests/multilang python3 - <<-'END'
	from storm import Bolt, Died

	bolt = Bolt(["pair", "-a", "a", "-b", "b", "--twice"], stderr="keep",
	            sources={"s": {"default": ["a", "b"]}},
	            outputs={"default": ["a", "b"]})
	try:
	    bolt.send("s", ["x", "y"])
	    bolt.sync()
	    assert False, "it goes on"
	except Died:
	    pass
	assert bolt.close() == 2
	bolt.errors.seek(0)
	said = bolt.errors.read()
	assert said == b"pair: the bolt uses a tuple that was acked or failed before\n", said
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
	env -u MAKEFLAGS make -s -C "$TOP" build="${BUILD#"$TOP/"}" DESTDIR= \
	    PREFIX="$PWD/inst" uninstall
	[ -z "$(find inst -type f)" ]
}
