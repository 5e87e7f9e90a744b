#!/usr/bin/env bats
# What all commands have in common, from outside.  A tuple that each of them
# can use: {"k":"a","t":0,"v":1}.
# Each test sets READER, ARGS, STDIN and NEEDS for itself:
# shellcheck disable=SC2030,SC2031
load helper

# readers CHECK...: run it for each command that reads, file_readers for those
# that name files as cat does: with its options in ARGS, the operands for its
# standard input in STDIN, and the fields that it cannot do without in NEEDS, in
# the order in which it misses them.
# Not within && or ||, where nothing in the check would end it.
readers() {
	file_readers "$@"
	as_reader pkgroup "$@"
	as_reader sjoin "$@"
}

file_readers() {
	local command
	for command in $(commands); do
		case $command in
		pkgroup | sjoin | spout) ;;
		*) as_reader "$command" "$@" ;;
		esac
	done
}

as_reader() {
	local READER=$1 ARGS STDIN=() NEEDS
	case $READER in
	rollcount) ARGS=(-k k -t t -v v -w 1s -e 1s) NEEDS=ktv ;;
	sessions) ARGS=(-k k -t t -g 1s -a sum:v) NEEDS=ktv ;;
	topn) ARGS=(-k k -v v) NEEDS=kv ;;
	rollagg) ARGS=(-k k -v v -s t) NEEDS=ktv ;;
	tally) ARGS=(-k k -a sum:v) NEEDS=kv ;;
	timeline) ARGS=(-k k --from t --to t) NEEDS=kt ;;
	keep) ARGS=('v > 0') NEEDS= ;;
	dedup) ARGS=(-k k -w 1s -t t) NEEDS=kt ;;
	tview) ARGS=(-k k --format csv) NEEDS=k ;;
	tplot) ARGS=(-k k -x t -y t) NEEDS=kt ;;
	pkgroup) ARGS=(-n 1 -k k) NEEDS=k ;;
	sjoin) ARGS=(-k k -a x) STDIN=(x=- y=/dev/null) NEEDS=k ;;
	*) false ;;
	esac || { echo "what does $READER take?"; return 1; }
	echo "with $READER:"
	"${@:2}"
}

# got COMMAND...: run it, keep out, err and rc.
got() {
	rc=0
	"$@" >out 2>err || rc=$?
}

# reads FILE [OPTION...]: the same of the reader, with FILE as standard input.
reads() {
	got "$READER" "${ARGS[@]}" "${@:2}" "${STDIN[@]}" <"$1"
}

# says RC [LINE...]: what got has seen on stderr, and the status.
says() {
	local want=$1
	shift
	same stderr <(printf '%s\n' "$@" | sed '1{/^$/d}') err || return
	[ "$rc" -eq "$want" ] || { echo "status $rc, not $want"; return 1; }
}

# is_like_good: whether the output is as for the good lines alone.
is_like_good() {
	"$READER" "${ARGS[@]}" "${STDIN[@]}" <good >want && same stdout want out
}

good() {
	printf '{"k":"a","t":0,"v":1}\n{"k":"b","t":1,"v":2}\n' >good
}

# bad TEXT MESSAGE: one bad line between two good ones; TEXT is for printf.
bad() {
	good
	{ head -n 1 good; printf '%b\n' "$1"; tail -n 1 good; } >in
	reads in
	says 1 "$READER: stdin:2:$2" && is_like_good && return
	echo "after the line $1"
	return 1
}

# together: the lines in at, each in front of a good one, with the messages in
# said.
together() {
	good
	head -n 1 good | tee in >want.in
	for text in "${at[@]}"; do
		printf '%b\n' "$text" >>in
		tail -n 1 good | tee -a in >>want.in
	done
	mv want.in good
	reads in
	says 1 "${said[@]}" && is_like_good
}

# No more than nine at a time, as of ten all others are only counted.
bad_syntax() {
	local status=0 at=() said=()
	while IFS='	' read -r text message; do
		at+=("$text")
		said+=("$READER: stdin:$((2 * ${#at[@]})):$message")
		((${#at[@]} == 9)) || continue
		together || status=1
		at=() said=()
	done <<'END'
{"k":"a","t":0,"v":1	21: expected ',' or '}' after a value, got end of line
{"k":"a","t":0,"v":1   	24: expected ',' or '}' after a value, got end of line
{"k":"a","t	12: expected '"' at the end of a string, got end of line
{"k":"a","t"	13: expected ':' after a key, got end of line
{"k":	6: expected a value, got end of line
{	2: expected a key in quotes, got end of line
[{"k":"a","t":0,"v":1}]	1: expected an object, got '['
"k"	1: expected an object, got '"'
null	1: expected an object, got 'n'
17	1: expected an object, got '1'
{"k":"a","t":0,"v":1}}	22: expected nothing after the object, got '}'
{"k":"a","t":0,"v":1}{"k":"a"}	22: expected nothing after the object, got '{'
{"k":"a","t":0,"v":1} x	23: expected nothing after the object, got 'x'
{"k":"a","t":0,"v":01}	21: expected ',' or '}' after a value, got '1'
{"k":"a","t":0,"v":+1}	20: expected a value, got '+'
{"k":"a","t":0,"v":.5}	20: expected a value, got '.'
{"k":"a","t":0,"v":1.}	22: expected a digit after '.', got '}'
{"k":"a","t":0,"v":-}	21: expected a digit after '-', got '}'
{"k":"a","t":0,"v":1e}	22: expected a digit in the exponent, got '}'
{"k":"a","t":0,"v":NaN}	20: expected a value, got 'N'
{"k":"a","t":0,"v":1,}	22: expected a key in quotes, got '}'
{"k":"a","t":0,"v":1,"l":[1,]}	29: expected a value, got ']'
{"k":"a","t":0,"v":1,"l":[1 2]}	29: expected ',' or ']' after a value, got '2'
{k:"a"}	2: expected a key in quotes, got 'k'
{'k':"a"}	2: expected a key in quotes, got '''
{"k" "a"}	6: expected ':' after a key, got '"'
{"k":"a" "t":0}	10: expected ',' or '}' after a value, got '"'
{"k":"\\x"}	8: expected one of "/\bfnrtu after a \, got 'x'
{"k":"\\u12g4"}	11: expected four hex digits after \u, got 'g'
{"k":"\\	8: expected one of "/\bfnrtu after a \, got end of line
{"k":"a\tb"}	8: expected control bytes to be escaped, got \x09
{"k":"a\rb"}	8: expected control bytes to be escaped, got \x0d
{"k":"a\0000b"}	8: expected control bytes to be escaped, got \x00; tr -d '\0' takes such bytes off
\0000	1: expected an object, got \x00; tr -d '\0' takes such bytes off
{"k":1\0000}	7: expected ',' or '}' after a value, got \x00; tr -d '\0' takes such bytes off
{"k":"\0377"}	7: expected UTF-8, got \xff
{"k":"\0300\0257"}	7: expected UTF-8, got \xc0
{"k":"\0355\0240\0200"}	7: expected UTF-8, got \xed
{"k":"\0364\0220\0200\0200"}	7: expected UTF-8, got \xf4
{"k":"\0342\0202"}	7: expected UTF-8, got \xe2
{"\0377":1}	3: expected UTF-8, got \xff
{"k":1,\0377}	8: expected a key in quotes, got \xff
END
	together || status=1
	return "$status"
}

@test "a line that is no JSON object says where and why, and nothing else is lost" {
	readers bad_syntax
}

# lacks FIELD TEXT: the same of a line that has not the field that is needed.
lacks() {
	[[ $NEEDS != *$1* ]] || bad "$2" "1: no field '$1'"
}

bad_fields() {
	local key='a string, number, true, false or null' value
	bad '\0303\0251' "1: expected an object, got '"$'\303\251'"'"
	lacks k '{"t":0,"v":1}'
	lacks k '{}'
	lacks k '{"__tick":1.5}'
	lacks k '{"__tick":"1"}'
	lacks k '{"__tick":1,"__tick":1}'
	lacks t '{"k":1,"v":1}'
	# A sum is of the tuples that have a number there.
	[[ ${ARGS[*]} == *sum:v* ]] || lacks v '{"k":1,"t":0}'
	if [[ $NEEDS == *k* ]]; then
		bad '{"k":[],"t":0,"v":1}' "6: expected $key at 'k', got an array"
		bad ' {"k":{},"t":0,"v":1}' "7: expected $key at 'k', got an object"
	fi
	[[ $NEEDS == *v* ]] || return 0
	[ "$READER" != rollcount ] || set -- null
	for value in "$@" true '"0x1"' '""'; do
		bad "{\"k\":1,\"t\":0,\"v\":$value}" \
		    "18: expected a number at 'v', got $value"
	done
	bad '{"k":1,"t":0,"v":[1]}' "18: expected a number at 'v', got an array"
}

@test "a field that is missing or of another kind makes a bad line" {
	readers bad_fields
}

@test "what is no time makes a bad line" {
	READER=rollcount ARGS=(-k k -t t -v v -w 1s -e 1s)
	for t in '"noon"' 'null' 'true' '"2023-02-29T00:00:00Z"' '"2023-11-14Z"' \
	    '"2023-11-14T24:00:00Z"' '"2023-11-14T22Z"' '""' '"1 "' \
	    '"2023-11-14T22:13:20.Z"' '"2023-11-14T22:13:20+1"' '"NaN"'; do
		bad "{\"k\":1,\"t\":$t,\"v\":1}" "12: expected a time at 't', got $t"
	done
	for t in '"1600-01-01T00:00:00Z"' '"2262-04-11T23:47:17Z"' 99999999999 \
	    9223372037 -9223372037 1e99 '"1e99"' 9223372036854775808; do
		bad "{\"k\":1,\"t\":$t,\"v\":1}" \
		    "12: expected a time from 1677 to 2262 at 't', got $t"
	done
	bad '{"k":1,"v":1}' "1: no field 't'"
	bad '{"k":1,"t":[0],"v":1}' "12: expected a time at 't', got an array"
}

# deep_lines: `in` has three lines that are too deep, between good ones; `most`
# has one that is as deep as can be.
deep_lines() {
	good
	python3 - >deep <<'END'
start = '{"k":1,"v":1,"t":0,"x":'
print(start + "[" * 1000000)
print(start + "[" * 1024 + "]" * 1024 + "}")
print('{"x":' * 1000000)
print(start + "[" * 1023 + "]" * 1023 + "}")
END
	{ head -n 1 good; head -n 3 deep; tail -n 1 good; } >in
	tail -n 1 deep >most
}

deep() {
	local depth=1024
	reads in
	says 1 "$READER: stdin:2:$((23 + depth)): expected at most 1024 levels of nesting, got more" \
	    "$READER: stdin:3:$((23 + depth)): expected at most 1024 levels of nesting, got more" \
	    "$READER: stdin:4:5121: expected at most 1024 levels of nesting, got more"
	is_like_good
	# One level less is good.
	reads most
	says 0
}

@test "a nesting of a million is one bad line" {
	deep_lines
	readers deep
}

long() {
	good
	{
		head -n 1 good
		echo '{"k":1,"t":0,"v":1,"x":"1234567"}'
		tail -n 1 good
		# Longer than any block that is read.
		head -c 1000000 /dev/zero | tr '\0' x
		echo
		echo '{"k":1,"t":0,"v":1,"x":"12345678"}'
	} >in
	reads in --max-line 33 --rejects bad
	says 0 "$READER: stdin:4:34: expected a line of at most 33 bytes, got more" \
	    "$READER: stdin:5:34: expected a line of at most 33 bytes, got more"
	tail -n 2 in | cmp - bad
	reads <(head -n 3 in) --max-line 33
	says 0
	# What is longer by its white space is too long as well, CR included.
	printf '{"k":1,"t":0,"v":1,"x":"1234567"}\r\n' >in
	reads in --max-line 33
	says 1 "$READER: stdin:1:34: expected a line of at most 33 bytes, got more"
	# The last line, without a newline.
	printf 'xxxxxx' >in
	reads in --max-line 5 --rejects bad
	says 0 "$READER: stdin:1:6: expected a line of at most 5 bytes, got more"
	[ "$(cat bad)" = xxxxxx ]
}

@test "a line beyond --max-line is reported, kept byte for byte, and passed over" {
	readers long
}

ten() {
	good
	{
		cat good
		for ((i = 0; i < 13; i++)); do echo x; done
		for ((i = 0; i < 12; i++)); do printf '%060d\n' 0; done
		for ((i = 0; i < 10; i++)); do printf '{"\377'; echo; done
	} >in
	reads in --max-line 50
	mapfile -t want < <(
		for i in {3..12}; do echo "$READER: stdin:$i:1: expected an object, got 'x'"; done
		for i in {16..25}; do echo "$READER: stdin:$i:51: expected a line of at most 50 bytes, got more"; done
		for i in {28..37}; do printf '%s: stdin:%s:3: expected UTF-8, got \\xff\n' "$READER" "$i"; done
		echo "$READER: 35 bad lines in all, 5 of them not shown"
	)
	says 1 "${want[@]}"
	is_like_good
}

@test "of each kind ten messages, then one line that sums up" {
	readers ten
}

# odd MESSAGE: standard input is such a file, of which this is told once,
# whatever else is in it.
odd() {
	local n
	n=$(find odd -type f | wc -l)
	cat >"odd/$n.json"
	echo "$1" >"odd/$n.says"
}

odd_ones() {
	mkdir odd
	for i in {1..20}; do echo "{\"k\":\"a\",\"t\":$i,\"v\":$i}"; done >tuples
	jq -c -s . tuples | odd "$array"
	jq -s . tuples | odd "$array"
	sed '1s/^/[/; $!s/$/,/; $s/$/]/' tuples | odd "$array"
	sed '1s/^/ [ /; $!s/$/\r,/; $s/$/\r]/' tuples | odd "$array"
	echo '[]' | odd "$array"
	jq . tuples | odd "$pretty"
	jq -s '{items: .}' tuples | odd "$pretty"
	sed 's/,/,\n/; s/$/\r/' tuples | odd "$pretty"
	jq -c -s '{items: .}' tuples | sed 's/\[/[\n/' | odd "$pretty"
	sed 's/$/,/' tuples | odd "$commas"
	sed 's/$/, \r/' tuples | odd "$commas"
	sed "s/\"/'/g" tuples |
		odd 'expected an object, got what looks like a dict of Python; json.dumps writes JSON'
	printf '<?xml version="1.0"?>\n<k>1</k>\n' |
		odd 'expected an object, got what looks like XML or HTML'
	printf '<!DOCTYPE html>\n<p>\n' |
		odd 'expected an object, got what looks like XML or HTML'
	sed 's/^/\x1e/' tuples |
		odd "$object what looks like a JSON text sequence; tr -d '\\036' takes the separators off"
	for order in 16LE 16BE 32LE 32BE; do
		local utf="expected UTF-8, got what looks like UTF-${order%?E}; iconv -f UTF-$order -t UTF-8 converts it"
		iconv -f UTF-8 -t UTF-$order tuples >$order
		odd "$utf" <$order
		{ printf '\357\273\277' && cat tuples; } |
			iconv -f UTF-8 -t UTF-$order | odd "$utf"
	done
}

no_ndjson() {
	local file message
	for file in odd/*.json; do
		message=$(<"${file%.json}.says")
		got "$READER" "${ARGS[@]}" "$file"
		says 1 "$READER: $file:1:1: $message"
		# As told of a pipe, and of a file behind a good one.
		good
		got "$READER" "${ARGS[@]}" good - <"$file"
		says 1 "$READER: stdin:1:1: $message"
		# Blank lines are no lines.
		[[ $message != *iconv* ]] || continue
		got "$READER" "${ARGS[@]}" < <(printf '\n \r\n' && cat "$file")
		says 1 "$READER: stdin:3:1: $message"
	done
	# A long line, behind a newline in UTF-16, does not show the order.
	{ echo && sed 's/}$/&                                             /' tuples; } |
		iconv -f UTF-8 -t UTF-16LE >in
	got "$READER" "${ARGS[@]}" --max-line 40 in
	! grep iconv err || return
	# What helps does.
	for order in 16LE 16BE 32LE 32BE; do
		iconv -f UTF-$order -t UTF-8 $order >good
		got "$READER" "${ARGS[@]}" good
		says 0
	done
	# A line beyond the limit is known by its beginning.
	jq -c -s . tuples >in
	got "$READER" "${ARGS[@]}" --max-line 99 in
	says 1 "$READER: in:1:1: $array"
	# Two files, and others that are bad in another way.
	cp in in2
	got "$READER" "${ARGS[@]}" in <(echo x) in2 <(echo '{"k":"a","t":0,"v":1,')
	sed -i 's|/dev/fd/[0-9]*|pipe|' err
	says 1 "$READER: in:1:1: $array" \
	    "$READER: pipe:1:1: expected an object, got 'x'" \
	    "$READER: in2:1:1: $array" \
	    "$READER: pipe:1:1: $pretty"
	# Logs begin with a bracket, too, and broken tuples with a brace.
	printf '[%s] x\n' info '{' '12:00' >in
	got "$READER" "${ARGS[@]}" in
	says 1 "$READER: in:1:1: expected an object, got '['" \
	    "$READER: in:2:1: expected an object, got '['" \
	    "$READER: in:3:1: expected an object, got '['"
	printf '%s\n' '{"k":"a,' '{"k":,' '{"k"},' >in
	for i in 1 2 3; do
		got "$READER" "${ARGS[@]}" < <(sed -n "${i}p" in)
		grep -q "stdin:1:[0-9]*: expected .* got [',e]" err
	done
}

# Ten cryptic messages, and a count of those not shown.
@test "input that is no NDJSON is told once, with what helps" {
	local object='expected one object a line, got'
	local array="$object what looks like a JSON array; jq -c '.[]' takes it apart"
	local pretty="$object what looks like pretty-printed JSON; jq -c . puts each object on a line"
	local commas="$object lines that end in commas; sed 's/,[[:space:]]*\$//' takes them off"
	odd_ones
	[ "$(printf '%s\n' odd/*.json | wc -l)" -eq 23 ]
	file_readers no_ndjson
}

quiet() {
	good
	cp good all
	for i in {1..20}; do echo x; done >>all
	got "$READER" "${ARGS[@]}" -q --rejects bad all
	says 0
	is_like_good
	[ "$(wc -l <bad)" -eq 20 ]
	got "$READER" "${ARGS[@]}" --quiet all
	says 1
	jq -c -s . good >array
	got "$READER" "${ARGS[@]}" -q array
	says 1
	# What ends it is told.
	got "$READER" "${ARGS[@]}" -q --on-error stop all
	says 2 "$READER: ended at all:3 by --on-error stop"
	got "$READER" "${ARGS[@]}" -q none
	says 2 "$READER: none: No such file or directory"
}

@test "-q leaves out what is said of the data, and no more" {
	file_readers quiet
	printf '{"k":1,"t":9}\n{"k":1,"t":0}\n' >late
	got rollcount -q -k k -t t -w 1s late
	says 1
}

no_control_bytes() {
	good
	{
		printf '\033[31m\n{"k":"\033]0;x\007","t":0}\n{"k":1,\177}\n'
		printf '{"k":1,"t":0,"v":"\177\302\2331m"}\n{"k":1\010}\n\302\205\n'
		printf '{"k":1,"t":0,"v":"%s"}\n' "$(printf '\302\2331m%.0s' {1..50})"
		printf '\342\200\256\n' # which turns the direction of writing
	} >in
	got "$READER" "${ARGS[@]}" - $'no\033file\nat all' <in
	[ "$rc" -eq 2 ]
	got "$READER" "${ARGS[@]}" - <in
	[ "$rc" -eq 1 ]
	if [[ $NEEDS == *v* ]]; then
		[ "$(wc -l <err)" -eq 8 ]
	else
		[ "$(wc -l <err)" -eq 6 ]
	fi
	cp in $'a\033[7mb'
	"$READER" "${ARGS[@]}" $'a\033[7mb' >>out 2>>err || true
	"$READER" --nope $'-\033' >>out 2>>err || true
	"$READER" $'-\033' >>out 2>>err || true
	"$READER" -k $'\033' -v $'.\177.' >>out 2>>err || true
	"$READER" "${ARGS[@]}" --max-line $'\033' >>out 2>>err || true
	"$READER" "${ARGS[@]}" --rejects $'/none/\033' >>out 2>>err </dev/null || true
	"$READER" "${ARGS[@]}" $'/none/\033' >>out 2>>err || true
	! LC_ALL=C grep -anP '[^\x20-\x7e\t]' err || return
	grep -qF 'a\x1b[7mb:2:7: expected control bytes to be escaped, got \x1b' err
}

@test "no message has a control byte in it" {
	file_readers no_control_bytes
}

rejects() {
	good
	printf '{"k":"a","t":0,"v":1}\n  [\001\000 \r\n{"k":"b","t":1,"v":2}\nx\t\n\n17' >in
	printf '  [\001\000 \r\nx\t\n17\n' >want
	reads in --rejects bad
	[ "$rc" -eq 0 ]
	cmp want bad
	is_like_good
	[ "$(wc -l <err)" -eq 3 ]
	# What was there before is gone.
	reads good --rejects bad
	says 0
	[ ! -s bad ]
}

@test "--rejects keeps the bad lines as they were" {
	readers rejects
}

on_error() {
	good
	{ head -n 1 good; echo x; tail -n 1 good; echo y; echo z; } >in
	reads in --on-error skip
	[ "$rc" -eq 0 ]
	is_like_good
	reads in --on-error report
	[ "$rc" -eq 1 ]
	reads in --on-error stop --rejects bad
	says 2 "$READER: stdin:2:1: expected an object, got 'x'" \
	    "$READER: ended at stdin:2 by --on-error stop"
	[ "$(cat bad)" = x ]
	reads in --max-errors 0
	says 2 "$READER: stdin:2:1: expected an object, got 'x'" \
	    "$READER: ended at stdin:2 by --max-errors"
	reads in --max-errors 2
	says 2 "$READER: stdin:2:1: expected an object, got 'x'" \
	    "$READER: stdin:4:1: expected an object, got 'y'" \
	    "$READER: stdin:5:1: expected an object, got 'z'" \
	    "$READER: ended at stdin:5 by --max-errors"
	reads in --max-errors 3
	[ "$rc" -eq 1 ]
	is_like_good
	reads <(head -c 1000000 /dev/zero | tr '\0' y) --max-line 30 --on-error stop --rejects bad
	[ "$rc" -eq 2 ]
	[ "$(wc -c <bad)" -eq 1000001 ]
}

@test "--on-error and --max-errors say when to end" {
	readers on_error
}

# misuse MESSAGE ARGS...: the command is told so, its usage, and where to read on.
misuse() {
	local message=$1
	shift
	got "$@" </dev/null
	says 2 "$1: $message" "$("$1" --help | sed '/^$/,$d')" \
	    "$1 --help tells more" ||
		{ echo "said of: $*"; return 1; }
	[ ! -s out ]
}

misuse_of_readers() {
	misuse "no option '--nope'" "$READER" --nope
	misuse "no option '--nope=3'" "$READER" --nope=3
	misuse "no option '-Z'" "$READER" -Z
	misuse "no option '-Z'" "$READER" --progress -qZ
	misuse '--progress takes no argument' "$READER" --progress=1
	misuse '--max-line needs an argument' "$READER" --max-line
	misuse "--max-errors: expected a whole number, got '1.5'" \
	    "$READER" "${ARGS[@]}" --max-errors 1.5
	misuse "--max-errors: must be at least 0, got '-1'" \
	    "$READER" "${ARGS[@]}" --max-errors -1
	misuse '--max-line: 0 is not in 1..1073741824 bytes' \
	    "$READER" "${ARGS[@]}" --max-line 0
	misuse '--max-line: 2G is not in 1..1073741824 bytes' \
	    "$READER" "${ARGS[@]}" --max-line 2G
	misuse "--on-error: expected one of report, skip, stop, got 'die'" \
	    "$READER" "${ARGS[@]}" --on-error die
	# The others have no -k, or look at it later.
	case $READER in keep | pkgroup | sjoin | tplot) return ;; esac
	misuse '-k needs an argument' "$READER" -k
	misuse "-k: expected a field, got ''" "$READER" -k ''
	misuse "-k: expected a field, got 'a,,b'" "$READER" -k a,,b
	misuse "-k: expected a name after '.', got '.a..b'" "$READER" -k .a..b
	misuse "-k: expected a name before '=', got '=a'" "$READER" -k =a
	misuse "-k: expected UTF-8, got 'a,\\xff'" "$READER" -k $'a,\xff'
	misuse "-k: expected an index like [0] or a name like [\"a.b\"], got '.[x]'" \
	    "$READER" -k '.[x]'
}

@test "misuse is told in a sentence, with the usage and status 2" {
	readers misuse_of_readers
	# Names that other programs have for options.
	misuse "no option '--slide'; did you mean '--every'?" rollcount --slide 5m
	misuse "no option '--grace=1s'; did you mean '--lateness'?" \
	    sessions --grace=1s
	misuse "no option '--grace'" tally --grace
	# What other commands have; --state was taken for --stats.
	misuse "no option '-w'; rollcount, dedup and sjoin have it" tally -w 5m
	misuse "no option '--window=5m'; rollcount, dedup and sjoin have it" \
	    tally --window=5m
	misuse "no option '--window'; did you mean '--gap'?" sessions --window 5m
	misuse "no option '--where'; keep takes a condition as its first operand" \
	    keep --where x
	misuse "no option '--by'; did you mean '--value'?" topn --by count
	misuse "no option '--state'; dedup, rollcount, sessions, sjoin, tally and timeline have it" \
	    keep --state s x
	misuse "no option '--sort'; topn ranks tuples" tally --sort count
	misuse "no option '--group-by'; did you mean '--key'?" tally --group-by k
	misuse "no option '--group-by'; did you mean '--group'?" topn --group-by k
	misuse "-a: expected distinct for count_distinct, got 'count_distinct:x'" \
	    tally -a count_distinct:x
	misuse "'--max=3' may be --max-ahead or --max-errors or --max-line" \
	    keep --max=3
	misuse "'--max=3' may be --max-steps or --max-keys or --max-errors or --max-line" \
	    timeline --max=3
	misuse "-v: expected one field, got 'a,b'" rollcount -k k -v a,b
	misuse "-v: expected one field, got 'a,b'" topn -v a,b
	misuse '-l needs -t' dedup -w 1s -l 1s
	misuse "-a: expected UTF-8, got 'sum:\\xff'" tally -a $'sum:\xff'
	# Only what is wrong is quoted, not the whole list.
	misuse "-a: expected mean for avg, got 'avg:x'" tally -a count,avg:x,sum:x
	misuse "-a: expected a field after the aggregate, as sum:bytes, got 'sum'" \
	    rollcount -k k -a 'count, sum,max:x'
	misuse "--tag: expected UTF-8, got '\\xff'" pkgroup -n 2 --tag $'\xff'
	local form='expected a duration of ms, s, m, h, d or w, such as 9s, 1h30m or 1.5d'
	misuse '-k is required' timeline
	misuse '-v or -t is required' topn -k a
	misuse '-v and -t exclude each other' topn -v a -t b
	misuse '--time-unit needs -t' topn -v a --time-unit s
	misuse '-w 10s must be a multiple of -e 3s' rollcount -k a -w 10s -e 3s
	misuse '-w 1.5s must be a multiple of -e 2s' rollcount -k a -w 1500ms -e 2s
	misuse '-w 5m (the default) must be a multiple of -e 7s' \
	    rollcount -k a -e 7s
	misuse '-w 0 needs -t' sjoin -k a -w 0 x=a y=b
	misuse '--table and -m exclude each other' \
	    sjoin -m -k a -t t --table x x=a y=b
	misuse '--table and -d exclude each other' \
	    sjoin -d replace -k a --table x x=a y=b
	misuse '-w needs a table that has times' sjoin -k a -w 1s --table x x=a y=b
	misuse "--table: expected one of x,y, got 'z'" sjoin -k a --table z x=a y=b
	misuse "--table: expected all streams but one, got 'x,y'" \
	    sjoin -k a --table x,y x=a y=b
	misuse "-a: 'x' is a table" sjoin -k a -a x --table x x=a y=b
	misuse "-v: 'x' is a table" sjoin -k a -a y -v x --table x x=a y=b
	misuse "-t: expected a field for each stream, got 'x:t'" \
	    sjoin -k a -t x:t --table x x=a y=b
	misuse '-w BEFORE..AFTER needs -m' sjoin -k a -t t -w 0..1s x=a y=b
	misuse '-w BEFORE..AFTER is for two streams' \
	    sjoin -m -k a -t t -w 0..1s x=a y=b z=c
	misuse "-w: ends before it begins, got '1s..-2s'" \
	    sjoin -m -k a -t t -w 1s..-2s x=a y=b
	misuse "-w: expected a duration of ms, s, m, h, d or w, such as 9s, 1h30m or 1.5d, got '1s..'" \
	    sjoin -m -k a -t t -w 1s.. x=a y=b
	misuse '-i and -l exclude each other' rollcount -k a -t t -i -l 1s
	misuse '--multilang and -l all exclude each other' rollcount -k a \
	    -t t -l all --multilang
	misuse '-e and -b exclude each other' topn -v v -e 1s -b b
	misuse "-v: expected a path without NAME=, got 'a=b'" \
	    topn -v a=b
	misuse "no member can be named '__tick', as ticks are" \
	    tally -a __tick=count
	misuse "--rejects: expected a file, got ''" keep a --rejects ''
	misuse "--stats: expected a file, got ''" keep a --stats=
	# A file of that name was made.
	misuse "--rejects: expected a file, got '-'" \
	    keep a --rejects -
	misuse "--late: expected a file, got '-'" \
	    rollcount -t t --late -
	misuse "-n: must be at least 1, got '0'" topn -v v -n 0
	misuse "-n: expected a whole number, got 'ten'" topn -v v -n ten
	misuse '-n: 99999999999999999999 is not in 1..9223372036854775807' \
	    topn -v v -n 99999999999999999999
	for d in 1x 1h1h s 1h-3m -5s '' '1 s' 1e3s +1s 1. . 0x10s 1S 1us nan inf; do
		misuse "-w: $form, got '$d'" rollcount -k a -w "$d"
	done
	for d in 0 0s 0.0ms; do
		misuse "-w: must be at least 1ms, got '$d'" rollcount -k a -w "$d"
	done
	misuse "-w: must be in whole milliseconds, got '1.5ms'" rollcount -k a -w 1.5ms
	misuse "-w: must be in whole milliseconds, got '0.0001s'" rollcount -k a -w 0.0001s
	misuse "-w: must be less than 292 years, got '999999d'" rollcount -k a -w 999999d
	misuse "-w: must be less than 292 years, got '99999999999999999999999999999999999999999'" \
	    rollcount -k a -w 99999999999999999999999999999999999999999
	misuse "-l: $form, or all, got '-1s'" rollcount -k a -t t -l -1s
	misuse "--time-unit: expected one of auto, s, ms, us, ns, got 'm'" \
	    rollcount -k a -t t --time-unit m
	misuse 'expected words, zipf, lognormal, presence or file FILE' spout
	misuse "expected nothing after 'words', got 'zipf'" spout words zipf
	misuse 'words and --keys exclude each other' spout words --keys 5
	misuse 'file and --jitter exclude each other' spout file a --jitter 1s
	misuse "expected words, zipf, lognormal, presence or file FILE, got 'sentences'" spout sentences
	misuse "-n: must be at least 0, got '-1'" spout words -n -1
	misuse "--seed: must be at least 0, got '-1'" spout words --seed -1
	misuse "--step: $form, got '-1s'" spout words --step -1s
}

# Only tally refused; the others wrote rows of which jq sees one of the two.
@test "a row that would have one member twice is misuse" {
	named() {
		misuse "two members are named '$1'; NAME= gives one another name" \
		    "${@:2}"
	}
	for name in count window_end window_seconds; do
		named $name rollcount -k "$name=host"
	done
	for name in count session_start session_end session_seconds; do
		named $name sessions -k "$name=host"
	done
	named a rollcount -k a=id,a=ts
	named id rollcount -k id -k .id
	named occupancies timeline -k occupancies=id --from f --to t
	named sliceStartMillis timeline -k sliceStartMillis --from f --to t
	named id sjoin -k id id=g x=h
	named x sjoin -k x:x=id,h:id x=g h=h
	named id sjoin -k id -o id,v,id g=g h=h
	named 'a\"b' sjoin -k id -o 'a"b=id,a"b=v' g=g h=h
	named count tally -k count
	misuse "--tag: 'choices' is a member that --explain writes" \
	    pkgroup -n 2 --explain --tag choices
	# Names of one stream are no members where a list says what is.
	echo '{"id":1}' >in
	sjoin -k id -o id,x=id id=in x=in >out
	[ "$(cat out)" = '{"id":1,"x":1}' ]
}

files() {
	good
	mkdir dir
	got "$READER" "${ARGS[@]}" none
	says 2 "$READER: none: No such file or directory"
	got "$READER" "${ARGS[@]}" good none
	says 2 "$READER: none: No such file or directory"
	[ ! -s out ]
	got "$READER" "${ARGS[@]}" dir
	says 2 "$READER: dir: Is a directory"
	got "$READER" "${ARGS[@]}" <dir
	says 2 "$READER: stdin: Is a directory"
	got "$READER" "${ARGS[@]}" --rejects dir good
	says 2 "$READER: dir: Is a directory"
	got "$READER" "${ARGS[@]}" --stats=none/s good
	says 2 "$READER: none/s: No such file or directory"
	rmdir dir
}

@test "a file that is not there, or a directory, is status 2" {
	file_readers files
	got rollcount -k k --late none/l good
	says 2 'rollcount: none/l: No such file or directory'
}

@test "a file that may not be read is status 2" {
	[ "$(id -u)" -ne 0 ] || skip 'root may read it'
	good
	chmod 0 good
	got topn -v v good
	says 2 'topn: good: Permission denied'
}

full() {
	good
	echo x >>good
	rc=0
	"$READER" "${ARGS[@]}" --on-error skip "${STDIN[@]}" <good \
	    >/dev/full 2>err || rc=$?
	[ "$(tail -n 1 err)" = "$READER: stdout: No space left on device" ]
	[ "$rc" -eq 2 ]
	reads good --rejects /dev/full
	[ "$(tail -n 1 err)" = "$READER: /dev/full: No space left on device" ]
	[ "$rc" -eq 2 ]
	reads good --stats=/dev/full
	[ "$(tail -n 1 err)" = "$READER: /dev/full: No space left on device" ]
	[ "$rc" -eq 2 ]
	rc=0
	"$READER" --help >/dev/full 2>err || rc=$?
	says 2 "$READER: stdout: No space left on device"
	rc=0
	"$READER" --version >/dev/full 2>err || rc=$?
	says 2 "$READER: stdout: No space left on device"
}

@test "a full disk is status 2 with a message" {
	readers full
	rc=0
	spout words -n 10 >/dev/full 2>err || rc=$?
	says 2 'spout: stdout: No space left on device'
	printf '{"k":1,"t":9}\n{"k":1,"t":0}\n' >late
	got rollcount -k k -t t -w 1s -e 1s --late /dev/full late
	says 2 'rollcount: /dev/full: No space left on device'
}

closed() {
	good
	rc=0
	"$READER" "${ARGS[@]}" good >&- 2>err || rc=$?
	says 2 "$READER: stdout: Bad file descriptor"
	got timeout -s KILL 60 "$READER" "${ARGS[@]}" <&-
	says 2 "$READER: stdin: Bad file descriptor"
	rc=0
	"$READER" "${ARGS[@]}" good <&- >&- 2>err || rc=$?
	says 2 "$READER: stdout: Bad file descriptor"
	got "$READER" "${ARGS[@]}" good <&-
	says 0
	is_like_good
	# No side file takes the place of what is closed.
	echo x >>good
	rc=0
	"$READER" --rejects bad "${ARGS[@]}" good <&- >&- 2>&- || rc=$?
	[ "$rc" -eq 2 ]
	head -n 2 good >good2 && mv good2 good
	rc=0
	"$READER" --rejects bad "${ARGS[@]}" good >out <&- 2>&- || rc=$?
	[ "$rc" -eq 0 ]
	is_like_good
	[ ! -s bad ]
}

@test "a closed stdin or stdout is an error, not silence" {
	file_readers closed
}

@test "a reader that has had enough ends the writers quietly" {
	local -a statuses
	spout words 2>err | head -n 1 >out || true
	[ "$(wc -l <out)" -eq 1 ]
	[ ! -s err ]
	spout words 2>err | rollcount -k ts -t ts -w 1s -e 1s 2>>err |
		head -n 1 >out && statuses=("${PIPESTATUS[@]}")
	[ "${statuses[*]}" = '141 141 0' ]
	spout words 2>>err | topn -b ts -v ts 2>>err |
		head -n 1 >out && statuses=("${PIPESTATUS[@]}")
	[ "${statuses[*]}" = '141 141 0' ]
	[ ! -s err ]
}

several() {
	for i in 1 2 3 4; do
		printf '{"k":"%s","t":%s,"v":%s}\nbad\n' $i $i $i >f$i
	done
	printf '\357\273\277{"k":"2b","t":2,"v":9}' >>f2
	got "$READER" "${ARGS[@]}" --stats=stats f1 f2 - f4 <f3
	says 1 "$READER: f1:2:1: expected an object, got 'b'" \
	    "$READER: f2:2:1: expected an object, got 'b'" \
	    "$READER: f2:3:1: expected an object, got a byte order mark" \
	    "$READER: stdin:2:1: expected an object, got 'b'" \
	    "$READER: f4:2:1: expected an object, got 'b'"
	[ "$(jq -c '[.lines, .rejects]' stats)" = '[9,5]' ]
	cat f1 f2 >f12
	got "$READER" "${ARGS[@]}" --on-error skip f12 f3 f4
	mv out all
	got "$READER" "${ARGS[@]}" --on-error skip f1 f2 - - f4 <f3
	same 'two operands -' all out
	# A BOM at the start of each, a last line without newline in each.
	printf '\357\273\277{"k":"2","t":2,"v":2}' >f2
	printf '\357\273\277{"k":"1","t":1,"v":1}' >f1
	printf '{"k":"3","t":3,"v":3}' >f3
	got "$READER" "${ARGS[@]}" f1 f2 - <f3
	says 0
	mv out all
	printf '{"k":"%s","t":%s,"v":%s}\n' 1 1 1 2 2 2 3 3 3 |
		"$READER" "${ARGS[@]}" >out
	same 'as one' out all
}

@test "operands are read in order, as cat does, with - for stdin" {
	file_readers several
}

chunks() {
	{
		printf '\357\273\277{"k":"a","t":0,"v":1}\r\n'
		printf '{"k":"\\u00e9","t":1,"v":2}\n\n{"k":"\303\251","t":2,"v":3}\r\n'
		printf 'x\n{"k":"\360\237\230\200","t":3,"v":4,"pad":"%090d"}\n' 7
		printf '{"__tick":3}\n{"k":"b","t":4,"v":5,"pad":"%0300d"}\n' 7
		printf '{"k":"c","t":5,"v":6}\r'
	} >in
	reads in --max-line 200 --rejects want.bad
	mv out want && mv err want.err
	for size in 1 7 64; do
		python3 -c 'import os, sys
size = int(sys.argv[1])
data = open("in", "rb").read()
for i in range(0, len(data), size):
    os.write(1, data[i:i + size])
    # Let the other end take it.
    os.sched_yield()' "$size" |
			"$READER" "${ARGS[@]}" --max-line 200 --rejects bad \
			    "${STDIN[@]}" >out 2>err
		same "in chunks of $size" want out
		same "messages, in chunks of $size" want.err err
		same "rejects, in chunks of $size" want.bad bad
	done
	[ "$(grep -c ': expected ' want.err)" -eq 2 ]
}

@test "how the input is cut into reads makes no difference" {
	readers chunks
}

stats() {
	good
	printf '\n{"__tick":0}\nx\n' >>good
	reads good --stats=stats --on-error skip
	rows=$(grep -vc __tick out)
	# Its header is no row.
	[ "$READER" != tview ] || rows=$((rows - 1))
	jq -e --arg reader "$READER" --argjson rows "$rows" \
	    --argjson bytes "$(wc -c <good)" '
		.command == $reader and .lines == 5 and .blank == 1 and
		.ticks == 1 and .rejects == 1 and .late == 0 and
		.max_late_ms == 0 and
		.emitted == $rows and .bytes == $bytes and
		(.live_keys | type) == "number" and .seconds >= 0 and
		.seconds < 60 and .scan_ns > 0 and .bolt_ns > 0 and
		.write_ns >= ($rows | if . > 0 then 1 else 0 end) and
		(.scan_ns + .bolt_ns + .write_ns) * .lines < 60e9' stats
	[ "$(wc -l <stats)" -eq 1 ]
	reads <(head -n 2 good) --stats
	jq -e '.lines == 2 and .rejects == 0' err
	# The counters are written where an error ends it, too.
	reads good --stats=stats --on-error stop
	[ "$rc" -eq 2 ]
	jq -e '.rejects == 1 and .lines == 5' stats
}

@test "--stats writes one JSON object with the right figures" {
	readers stats
	printf '{"k":1,"t":9}\n{"k":1,"t":0}\n' |
		got rollcount -k k -t t -w 1s -e 1s --stats=stats --late late
	jq -e '.late == 1 and .lines == 2 and .emitted == 1 and .live_keys == 1' stats
	got spout words -n 7 --stats
	jq -e '.command == "spout" and .emitted == 7' err
}

@test "--help and --version are on stdout, with status 0" {
	for c in $(commands); do
		got "$c" --help
		[ "$rc" -eq 0 ]
		[ ! -s err ]
		[[ $(head -n 1 out) == "usage: $c "* ]]
		grep -qx 'examples:' out
		grep -q "^  .*$c" <(sed '1,/^examples:/d' out)
		# It fits a terminal.
		[ "$(sed 1d out | wc -L)" -le 80 ]
		got "$c" --version
		[ "$rc" -eq 0 ]
		[ ! -s err ]
		[[ $(cat out) =~ ^$c\ \(tupletools\)\ [0-9.]+$ ]]
		# Also where the rest makes no sense.
		got "$c" --help none
		[ "$rc" -eq 0 ]
		mv out help
		got "$c" -h none
		[ "$rc" -eq 0 ]
		same "$c -h" help out
	done
}

@test "--help lists what is used daily first, and what is for Storm last" {
	for c in $(commands); do
		"$c" --help | sed -nE 's/^(  -., |      )--([a-z-]+).*/\2/p' >options
		case $c in
		pkgroup) ends='tasks multilang' ;;
		spout) ends='count retries' ;;
		dedup | sjoin | rollcount | sessions | tally | timeline)
			ends='key multilang' ;;
		topn) ends='count multilang' ;;
		rollagg) ends='key multilang' ;;
		keep) ends='invert multilang' ;;
		tview) ends='key version' ;;
		tplot) ends='x version' ;;
		esac
		[ "$(sed -n '1p; $p' options | squeeze)" = "$ends" ]
	done
}

@test "blanks around a comma in a list are passed over" {
	echo '{"k":"a","b c":2," d":3,"x , y":4,"t":1}' >in
	tally -k 'k , t,	b c ,["x , y"]' -a 'n=count , sum:t,max: d' in >out
	echo '{"k":"a","t":1,"b c":2,"[\"x , y\"]":4,"n":1,"sum_t":1,"max_ d":3}' |
		same tally - out
	# But not those of a name.
	topn -k ' d' -v t in >out
	[ "$(jq -c '[.rank, .[" d"]]' out)" = '[1,3]' ]
	sjoin -k 'x:k , y:k' -o 'k, x.t ,z=y.t' -a 'x , y' x=in y=in >out
	echo '{"k":"a","x.t":1,"z":1}' | same sjoin - out
	# A state begun with the one is gone on with by the other.
	tally -k 'k,t' --state s.db in
	tally -k 'k , t' --state s.db in
	misuse "-k: expected a field, got 'a,,b'" tally -k 'a , ,b'
}

terminal() {
	cat >terminal.py <<'END'
import os, pty, subprocess, sys
other, terminal = pty.openpty()
sys.exit(subprocess.run(sys.argv[1:], stdin=terminal, timeout=60).returncode)
END
	[ "$READER" != sjoin ] || ARGS=(-k t -s k a b)
	got python3 terminal.py "$READER" "${ARGS[@]}"
	[ "$rc" -eq 2 ]
	[ ! -s out ]
	grep -q "^usage: $READER " err
	case $READER in
	sjoin) files='' ;; # whose operands are no files then
	*) files=': name a FILE, or - to type' ;;
	esac
	grep -qx "stdin is a terminal$files; $READER --help tells more" err
	[ "$(wc -l <err)" -le 5 ]
	# Side by side, stdin was taken for a file that is named.
	case $READER in
	dedup | keep | rollcount | sessions)
		got python3 terminal.py "$READER" "${ARGS[@]}" -t t --interleave
		[ "$rc" -eq 2 ]
		grep -qx "stdin is a terminal$files; $READER --help tells more" err
		;;
	esac
	[ "$files" ] || return 0
	good
	got python3 terminal.py "$READER" "${ARGS[@]}" good
	says 0
	is_like_good
}

@test "a terminal for stdin gives a short help and status 2" {
	python3 -c 'import pty; pty.openpty()' 2>/dev/null || skip 'no terminal'
	readers terminal
}

# Both writers have the file open before either has much to say.
sharing() {
	mkfifo in1 in2 said1 said2
	exec 4<>in1 5<>in2 6<>said1 7<>said2
	for i in 1 2; do
		"$READER" "${ARGS[@]}" --max-line 100 --rejects shared "in$i" \
		    >out 2>"said$i" 3>&- 4>&- 5>&- 6>&- 7>&- &
		pids[i]=$!
	done
	# A message says that a command is under way.
	echo start >&4
	echo start >&5
	read -r -t 60 <&6
	read -r -t 60 <&7
	python3 -c 'import threading
def write(name, letter):
    with open(name, "w") as f:
        for i in range(20000):
            f.write("%s%06d%s\n" % (letter, i, letter * (i % 150)))
threads = [threading.Thread(target=write, args=a)
           for a in (("in1", "a"), ("in2", "b"))]
for t in threads:
    t.start()
for t in threads:
    t.join()'
	exec 4>&- 5>&-
	wait "${pids[1]}"
	wait "${pids[2]}"
	exec 6>&- 7>&-
	# The second may have truncated the file after the first one's start.
	sed -i '/^start$/d' shared
	[ "$(sort -u shared | wc -l)" -eq 40000 ]
	[ "$(grep -cxE '(a[0-9]{6}a*|b[0-9]{6}b*)' shared)" -eq 40000 ]
	rm in1 in2 said1 said2 shared
}

@test "two writers share one --rejects file" {
	file_readers sharing
}

# The thread that reads ahead took a FIFO without a writer to be at its end.
@test "a FIFO after a long file is waited for" {
	spout words -n 100000 >long
	rollcount -k word -t ts -w 1s long >all
	mkfifo fifo
	rollcount --threads 2 -k word -t ts -w 1s long fifo >out &
	# It writes the windows that are closed before it waits.
	soon out "$(grep -vc "$(tail -n 1 all |
	    grep -o '"window_end":[0-9]*')" all)"
	echo '{"word":"last","ts":1800000000000}' >fifo
	wait $!
	grep -q '^{"word":"last","count":1,' out
}

# What is read in pieces of a quarter of a megabyte is scanned by whichever
# thread has time; nothing of that may show.
on_processors() {
	local threads
	for threads in 1 2 8; do
		got "$READER" "${ARGS[@]}" --threads $threads --max-line 1M \
		    --rejects rejected$threads long short long
		{ cat err && echo "status $rc"; } >err$threads
		mv out out$threads
		got "$READER" "${ARGS[@]}" --threads $threads < <(cat long)
		cat out >>out$threads
		cat err >>err$threads
		got "$READER" "${ARGS[@]}" --threads $threads long /proc/self/mem
		cat out >>out$threads
		{ cat err && echo "status $rc"; } >>err$threads
	done
	grep -q "$READER: /proc/self/mem: " err1 || return
	for threads in 2 8; do
		same stdout out1 out$threads && same stderr err1 err$threads &&
		    same rejects rejected1 rejected$threads || return
	done
	[ "$(grep -c ': expected\|longer' err2)" -ge 12 ] && [ -s out2 ]
	rm rejected[128]
}

@test "with more processors everything is the same" {
	spout zipf -n 60000 --keys 500 --seed 1 | sed '20000s/}$//
	    30000s/.*/\n/; 40000s/"ts"/"at"/; 50000s/^/\x00/
	    s/"word"/"v":1,"k"/; s/"ts"/"t"/' >long
	{
		printf '{"k":"%02000000d","t":1,"v":1}\n{"k":1' 0
	} >short
	sed -n '1,3p' long >>short
	file_readers on_processors
}

# The thread that read ended the program, and what it was ahead by was lost;
# then so were rows that had not been written yet.
@test "what came before a read error is written" {
	local file threads
	spout words -n 60000 >long
	head -n 20 long >short
	for file in long short; do
		# The window that is open stays so.
		rollcount -k word -t ts -w 1s -e 1s $file >all
		grep -v "$(tail -n 1 all | grep -o '"window_end":[0-9]*')" \
		    all >want
		for threads in 1 2; do
			got rollcount -k word -t ts -w 1s -e 1s \
			    --threads $threads $file /proc/self/mem
			same stdout want out
			says 2 'rollcount: /proc/self/mem: Input/output error'
		done
	done
}

# Each piece of a line too long left a memory of another size, and each of them
# was grown to one and a half of the last.
@test "long lines cost the second processor no memory to speak of" {
	python3 -c 'print(("{\"k\":1}\n" + " " * 300000 + "\n") * 200 +
	    ("{\"k\":1,\"pad\":\"" + "0" * 31 + "\"}\n") * 100000, end="")' >long
	(
		# The sanitizers map terabytes.
		[[ $BUILD == *san* ]] || ulimit -v 1000000
		tally -k k --threads 2 --max-line 200 --on-error skip long >out
	)
	grep -qx '{"k":1,"count":100200}' out
}

# Of short lines that lack most of what is looked for a batch had hundreds of
# megabytes: 3.1 GB for 2500 fields, 0.2 GB for 160.
@test "many fields take no memory to speak of, however short the lines" {
	seq 500000 | sed 's/.*/{}/' >short
	for threads in 1 2; do
		(
			# The sanitizers map terabytes.
			[[ $BUILD == *san* ]] || ulimit -v 200000
			keep -v "$(echo f{1..160} | sed 's/ / || /g')" \
			    --threads "$threads" short 2>/dev/null >out
		)
		cmp short out
	done
}

# hinted RC LINE...: what got has seen ends with these lines.
hinted() {
	local status=$1
	shift
	same stderr <(printf '%s\n' "$@") <(tail -n $# err) || return
	[ "$rc" -eq "$status" ] || { echo "status $rc, not $status"; return 1; }
}

@test "a field that no tuple has is named at the end, with what may be meant" {
	for i in {1..30}; do echo "{\"rtt\":$i,\"Key\":1}"; done >in
	got topn -v rt in
	hinted 1 'topn: 30 bad lines in all, 20 of them not shown' \
	    "topn: no tuple has 'rt'; did you mean 'rtt'?"
	# Once for each, however often options name it.
	got tally -k key -a sum:rtx,max:rtx,min:rtt in
	hinted 1 "tally: no tuple has 'key'; did you mean 'Key'?" \
	    "tally: no tuple has 'rtx'; did you mean 'rtt'?"
	got topn -v other in
	hinted 1 "topn: no tuple has 'other'"
	got topn -q -v other in
	says 1
	# What is meant is spelled as what was asked for.
	echo '{"id.orig":1,"u":{"name":2}}' >dots
	got keep '.id.orig == 1 && .u.nam == 2' dots
	hinted 0 "keep: no tuple has '.id.orig'; did you mean 'id.orig'?" \
	    "keep: no tuple has '.u.nam'; did you mean '.u.name'?"
	got keep 'id.orig == 1' dots
	says 0
	# A dot too much, before what a row of our own calls it.
	echo '{"tags[0]":1,"a":{"x.y":3}}' >rows
	got tally -k '.tags[0]' rows
	hinted 1 "tally: no tuple has '.tags[0]'; did you mean 'tags[0]'?"
	got tally -k .a.x.y rows
	hinted 1 "tally: no tuple has '.a.x.y'; did you mean '.a[\"x.y\"]'?"
	# Whose name looks like a path was hinted at as that path, again.
	echo '{"/u/name":1}' >rows
	got topn -k /u/name -v /u/name rows
	hinted 1 "topn: no tuple has '/u/name'; did you mean '.[\"/u/name\"]'?"
	# A name with dots in an object was hinted at as another path, in a circle.
	echo '{"labels":{"app.io/name":"x"},"id.orig":1,"a.b":{"c":2}}' >dots
	got tally -k labels.app.io/name dots
	hinted 1 "tally: no tuple has 'labels.app.io/name'; did you mean '.labels[\"app.io/name\"]'?"
	got tally -k id.orgi dots
	hinted 1 "tally: no tuple has 'id.orgi'; did you mean 'id.orig'?"
	got tally -k a.b.d dots
	hinted 1 "tally: no tuple has 'a.b.d'; did you mean '.[\"a.b\"].c'?"
	# What a later member stands for was hinted at.
	echo '{"a":{"b":1},"a":2}' >dots
	got tally -k a.b dots
	hinted 1 "tally: no tuple has 'a.b'"
	# What sjoin hinted at was a field of the stream of that name.
	printf '%s\n' '{"type":"alert","id":1,"alert":{"sig":"s"}}' \
	    '{"type":"flow","id":1}' >eve
	got sjoin -k id -s type -o id,alert.sig,sig alert flow <eve
	hinted 0 "sjoin: no tuple has 'alert.sig'; did you mean 'alert.alert.sig'?" \
	    "sjoin: no tuple has 'sig'; did you mean '.alert.sig'?"
	got sjoin -k id -s type -o id,alert.alert.sig,x=.alert.sig alert flow <eve
	says 0
	# What another stream has was hinted at, too.
	got sjoin -k id -s type -o id,flow.alrt,alert.alrt alert flow <eve
	hinted 0 "sjoin: no tuple has 'flow.alrt'" \
	    "sjoin: no tuple has 'alert.alrt'; did you mean 'alert.alert'?"
	got sjoin -k id -s type -o id,flow.alrt,alert.alrt flow alert <eve
	hinted 0 "sjoin: no tuple has 'flow.alrt'" \
	    "sjoin: no tuple has 'alert.alrt'; did you mean 'alert.alert'?"
	# Another stream that has the field was enough.
	got sjoin -k id -s type -o id,flow.alert,alert.alert flow alert <eve
	hinted 0 "sjoin: no tuple has 'flow.alert'"
	echo '{"id":1,"m":1}' >m
	echo '{"id":1,"n":1}' >n
	got sjoin -k id -o x.n,y.n,n x=m y=n
	hinted 0 "sjoin: no tuple has 'x.n'"
	# What was to be a value was a name, without a message.
	got keep 'm == 2 || 3 || n' m
	hinted 0 "keep: no tuple has '3'; alone it is a name, not a value"
	# What keep would end a name at was hinted at without quotes.
	echo '{"resp(ms)":1}' >dots
	got keep 'respms == 1' dots
	hinted 0 "keep: no tuple has 'respms'; did you mean '.[\"resp(ms)\"]'?"
	# A member that is far from the first ones is known, too.
	echo '{"rtt":31,"othr":1}' >>in
	for i in {32..70}; do echo "{\"rtt\":$i,\"other1\":1}"; done >>in
	got topn -v other in
	hinted 1 "topn: no tuple has 'other'; did you mean 'other1'?"
}

@test "a field that one tuple has is not named, wherever that tuple is" {
	# Whole blocks of plain lines are not looked at one by one, and what is
	# longer than 1 MB is read on another thread.
	for n in 1 33 100 20000; do
		for i in 1 $((n / 2 + 1)) $n; do
			awk -v n="$n" -v i="$i" 'BEGIN { for (j = 1; j <= n; j++)
			    printf "{\"id\":%d,\"ts\":%d,\"n\":%d%s,\"pad\":\"%50s\"}\n",
				j, j, j, j == i ? ",\"some\":1" : "", "" }' >a
			sjoin -k id -t ts -w 1h -o id,a.some a=a b=a >out 2>err
			[ ! -s err ]
		done
	done
	got sjoin -k id -t ts -w 1h -o id,a.som a=a b=a
	says 0 "sjoin: no tuple has 'a.som'"
}

@test "of many fields that no tuple has ten are named" {
	got tally -k "$(seq -s, -f 'f%g?' 1 30)" <<<'{"k":1}'
	[ "$(wc -l <err)" -eq 11 ]
	hinted 0 "tally: no tuple has 'f10'" \
	    'tally: 20 more messages like these are not shown'
	got tally -k "$(seq -s, -f 'f%g?' 1 10)" <<<'{"k":1}'
	[ "$(wc -l <err)" -eq 10 ]
}

@test "where there was nothing to have a field, none is missing" {
	got topn -v rt </dev/null
	says 0
	got topn -v rt <<<'{"__tick":1}'
	says 0
	got topn -v rt <<<$'\n[1]'
	hinted 1 "topn: stdin:2:1: expected an object, got '['"
	# An end before the end says nothing of fields that may come,
	got tally -k k -a sum:v,max:v --on-error stop <<<$'{"k":1,"v":2}\nx'
	hinted 2 'tally: ended at stdin:2 by --on-error stop'
	# unless one that was not there has caused it.
	got topn -v rt --on-error stop <<<$'{"rtt":1}\n{"rtt":2}'
	hinted 2 "topn: no tuple has 'rt'; did you mean 'rtt'?"
}

@test "a run that goes on from a state does not miss what earlier ones had" {
	echo '{"type":"a","id":1,"x":1}' >log
	sjoin=(sjoin -k id -s type -o "id,x,yy" --state s.db a b)
	got "${sjoin[@]}" <log
	hinted 0 "sjoin: no tuple has 'yy'" "sjoin: no tuple is of stream 'b'"
	echo '{"type":"a","id":2}' >>log
	for file in log /dev/null log; do
		got "${sjoin[@]}" <"$file"
		says 0
	done
	echo '{"type":"a","ID":3}' >>log
	got "${sjoin[@]}" <log
	hinted 1 "sjoin: no tuple has 'id'; did you mean 'ID'?" \
	    "sjoin: no tuple has 'x'" "sjoin: no tuple has 'yy'"
}

@test "TUPLETOOLS_INDEX names the version of the index, if it runs here" {
	local ran=0 version
	echo '{"k":[1],"x":"a\"b"}' >in
	tally -k x in >want
	for version in avx512 avx2 sse42 neon none; do
		TUPLETOOLS_INDEX=$version got tally -k x in
		if ((rc == 0)); then
			says 0
			same stdout want out
			ran=$((ran + 1))
		else
			says 2 "tally: TUPLETOOLS_INDEX: no version \
'$version' of the index runs here"
		fi
	done
	[ "$rc" -eq 2 ]
	[ "$ran" -gt 0 ] || [[ $(uname -m) != @(x86_64|aarch64) ]]
	# As good as none given.
	TUPLETOOLS_INDEX='' got tally -k x in
	says 0
}

# privileges: what the filter that runs as $FILTER_PID gave up, as Linux tells.
privileges() {
	local line
	# It has begun once it has answered.
	echo '{"k":1}' >&"${FILTER[1]}"
	read -r -t 60 line <&"${FILTER[0]}"
	[ "$line" = "$1" ]
	awk '/^NoNewPrivs/ { print $2 }' "/proc/$FILTER_PID/status"
}

@test "commands can gain no rights, but for the one that starts others" {
	grep -q NoNewPrivs /proc/self/status || skip 'not told here'
	[[ $BUILD != *-portable* ]] || skip 'nothing is given up there'
	coproc FILTER { exec keep k; }
	[ "$(privileges '{"k":1}')" = 1 ]
	coproc FILTER { exec pkgroup -n 1 -k k -- keep k; }
	[ "$(privileges '{"k":1}')" = 0 ]
}
