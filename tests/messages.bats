#!/usr/bin/env bats
# Messages that no other test quotes, by who says them.
load helper

# says MESSAGE COMMAND...: the command, given this test's input, prints the
# message, as a line of standard error or as the end of one.
says() {
	local want=$1 line
	shift
	"$@" <in >/dev/null 2>err || true
	while read -r line; do
		[[ $line != "$want" && $line != *": $want" ]] || return 0
	done <err
	echo "expected: $want"
	cat err
	return 1
}

# misuse MESSAGE COMMAND...: the same, with status 2 and before any input.
misuse() {
	: >in
	says "$1" "${@:2}"
	run -2 "${@:2}" </dev/null
}

@test "options that do not go together" {
	misuse 'a CONDITION is required' keep
	misuse '-i and --drain exclude each other' \
	    rollcount -k k -i --drain
	misuse 'file and -n exclude each other' spout file x -n 3
	misuse "file: expected a name, got '-'" spout file -
	misuse '--state needs --multilang' spout words --state s.db
	misuse '--multilang takes its tuples from Storm, not from files' \
	    topn -v n --multilang file
}

@test "values of options" {
	misuse "--exponent: expected a number, got 'x'" \
	    spout zipf --exponent x
	misuse "--max-line: expected a size like 4096, 64K or 16M, got '4X'" \
	    topn -v n --max-line 4X
}

@test "aggregates, and where slots are counted from" {
	misuse "-a: expected NAME= before the aggregate, not its field, got 'a=sum:n=x'" \
	    tally -k k -a a=sum:n=x
	misuse "-a: expected a name before '=', got '=sum:n'" \
	    sessions -a =sum:n
	misuse "--mark: expected a name other than that of ticks, got '__tick'" \
	    keep --mark __tick n
	misuse "--mark: expected a name, got ''" keep --mark '' n
	misuse "-a: expected mean for avg, got 'avg:n'" tally -a avg:n
	misuse "-a: expected p50 for median, got 'median:n'" tally -a median:n
	misuse "-a: expected distinct for unique, got 'u=unique:n'" tally -a u=unique:n
	for wrong in p p1.2.3:n p1a:n p1.:n p101:n sum median:n; do
		run -2 rollcount -w 1s -a $wrong </dev/null
		[[ $output == *"got '$wrong'"* ]]
	done
	run -1 tally -a distinct:n <<<'{"n":1e9999999999999999999999}'
	[ "${lines[0]}" = "tally: stdin:1:6: expected a number with an exponent within 10^18 at 'n', got 1e9999999999999999999999" ]
	misuse "--align: expected a time from 1677 to 2262, got '3000-01-01T00:00:00Z'" \
	    rollcount -k k -t t -w 1s --align 3000-01-01T00:00:00Z
	misuse "--align: expected a time such as 2026-01-31T00:00:00+01:00, got 'Europe/Berlin'" \
	    rollcount -k k -t t -w 1s --align Europe/Berlin
	misuse "--align: expected a time such as 2026-01-31T00:00:00+01:00, got 'x'" \
	    pkgroup -n 3 -t t -e 1s --align x
	misuse '--align needs -t' pkgroup -n 3 --align 2026-01-31
	misuse "--exponent: 1e9 is not in 0..20" spout zipf --exponent 1e9
}

@test "numbers that are too large, and what is no number" {
	echo '{"k":"a","n":1e9999999999999999999999}' >in
	for command in 'tally -k k -a sum:n' 'tally -k k -a min:n' 'topn -v n'; do
		# shellcheck disable=SC2086
		says "expected a number with an exponent within 10^18 at 'n', got 1e9999999999999999999999" \
		    $command
	done
	echo '{"k":"a","n":1e999}' >in
	says "expected a number that a double can hold at 'n', got 1e999" \
	    rollcount -k k -v n -w 1s
	says "expected a number that a double can hold at 'n', got 1e999" \
	    tally -k k -a mean:n
	echo '{"k":"a","n":[1]}' >in
	says "expected a string, number, true or false at 'n', got an array" \
	    tally -k k -a distinct:n
	echo '{"k":"a","n":{}}' >in
	says "expected a number at 'n', got an object" topn -v n
}

# Three bytes less were cut, for dots that took as many.
@test "a value of 63 bytes is shown whole, a longer one is cut" {
	printf '{"n":"%061d"}\n' 0 >in
	sed -i 's/0"/x"/' in
	says "expected a number at 'n', got \"$(printf '%060d' 0)x\"" topn -v n
	printf '{"n":"%062d"}\n' 0 >in
	sed -i 's/0"/x"/' in
	says "expected a number at 'n', got \"$(printf '%059d' 0)..." topn -v n
}

@test "the first member of a tuple as its key" {
	echo '{}' >in
	says 'expected a member to group by, got an empty object' \
	    pkgroup -n 2
	echo '{"k":[1]}' >in
	says "expected a string, number, true, false or null in the first member, got an array" pkgroup -n 2
	echo '{"k":null}' >in
	says 'expected a string, number, true or false in the first member, got null' \
	    pkgroup -n 2 --hash storm2
	printf '{"k":%s}\n' "$(printf '1%.0s' {1..10001})" >in
	says 'expected an integer of at most 10000 digits in the first member' \
	    pkgroup -n 2 --hash storm2
	# Fields had one task for all of these.
	says 'expected an integer of at most 10000 digits in the first member' \
	    pkgroup -n 2 -g fields --hash storm1
	pkgroup -n 2 --hash storm2 -k k <in 2>err || true
	grep -q "expected an integer of at most 10000 digits at 'k', got 1" err
}

@test "files that are not newline-delimited JSON" {
	printf '{\n "n":1\n}\n' >in
	says 'expected one object a line, got what looks like pretty-printed JSON; jq -c . puts each object on a line' \
	    topn -v n
	printf '{"n":1},\n{"n":2},\n' >in
	says "expected one object a line, got lines that end in commas; sed 's/,[[:space:]]*\$//' takes them off" \
	    topn -v n
	printf '{"n":"\\",\n' >in
	says "expected '\"' at the end of a string, got end of line" topn -v n
	# The last of an array is an object alone on its line.
	printf '[\n{"n":1},\n{"n":2}\n]\n' >in
	says "expected one object a line, got what looks like a JSON array; jq -c '.[]' takes it apart" \
	    topn -v n
	[ "$(wc -l <err)" = 1 ]
	# One odd line, and nothing was said of all that were bad behind it.
	printf '%s\n' '[' '{"n":1}' '{"n":"x"}' '{"n":2' >in
	says "stdin:3:6: expected a number at 'n', got \"x\"" topn -v n
	says "stdin:4:7: expected ',' or '}' after a value, got end of line" topn -v n
	printf '\377\376{\0"\0n\0"\0:\0001\0}\0\n\0' >in
	says 'expected UTF-8, got what looks like UTF-16; iconv -f UTF-16LE -t UTF-8 converts it' \
	    topn -v n
	printf '\376\377\0{\0"\0n\0"\0:\0001\0}\0\n' >in
	says 'expected UTF-8, got what looks like UTF-16; iconv -f UTF-16BE -t UTF-8 converts it' \
	    topn -v n
}

# Such a line silenced the messages about all others of its file.
@test "a first line with other than one tuple says nothing of the others" {
	for first in '{"tags":[{"x":1}]}' '{"k":1} {"k":2}'; do
		{
			echo "$first"
			echo '{"k":1}'
			for _ in {1..20}; do
				echo garbage
			done
		} >in
		run -1 tally -k k in
		[ "$(grep -c ':[0-9]*:1: expected an object' <<<"$output")" -ge 9 ]
		grep -F 'tally: 21 bad lines in all' <<<"$output"
	done
}

@test "an option that is misspelled" {
	misuse "no option '--windows=1h'; did you mean '--window'?" \
	    rollcount --windows=1h
	misuse "no option '-n'; did you mean '--interleave'?" \
	    rollcount -interleave
	misuse "no option '-s'; did you mean '--state'?" tally -state=x
	misuse "no option '-z'" tally -z -k
	misuse "no option '--xyz=1'" tally --xyz=1
}

@test "lines with several objects, or an array within one" {
	for several in '{"n":1}{"n":2}' ' {"n":1} {"n":2}' '{"s":"\"{"} [1]'; do
		echo "$several" >in
		says 'expected one object a line, got several; jq -c . puts each object on a line' \
		    topn -v n
	done
	echo '{"n":{} {"n":2}' >in
	says "expected ',' or '}' after a value, got '{'" topn -v n
	echo '{"n":1}}' >in
	says "expected nothing after the object, got '}'" topn -v n
	echo '{"Records":[ {"n":1},{"n":2}]}' >in
	says "expected one object a line, got an array within one; jq -c '.[][]' takes it apart" \
	    topn -v n
	for tuple in '{"a":[]}' '{"a":[1]}' '{"a":[{}],"b":1}' '{"b":{}}'; do
		echo "$tuple" >in
		says "no field 'n'" topn -v n
	done
}

@test "compressed files of other kinds, CSV, and text" {
	echo '{"n":1}' >file
	tar -cf in file
	says 'expected an object, got what looks like tar; tar -xOf writes what is in it' \
	    topn -v n
	printf '#separator \\x09\n#fields\tts\n' >in
	says 'expected an object, got what looks like a Zeek log in TSV; LogAscii::use_json=T has Zeek write JSON' \
	    topn -v n
	printf '\375\067zXZ\0\n' >in
	says 'expected text, gzip or zstd, got what looks like xz; xz -dc decompresses it' \
	    topn -v n
	printf 'BZh9\n' >in
	says 'expected text, gzip or zstd, got what looks like bzip2; bzip2 -dc decompresses it' \
	    topn -v n
	printf 'PK\003\004\024\n' >in
	says 'expected text, gzip or zstd, got what looks like zip; unzip -p decompresses it' \
	    topn -v n
	printf 'host,"the status",ms\na,200,3\n' >in
	says 'expected an object, got what looks like CSV; mlr --icsv --ojsonl cat converts it' \
	    topn -v n
	printf 'a;b\n1;2\n' >in
	says "expected an object, got what looks like CSV; mlr --icsv --ifs ';' --ojsonl cat converts it" \
	    topn -v n
	printf 'a\tb\n1\t2\n' >in
	says 'expected an object, got what looks like TSV; mlr --itsv --ojsonl cat converts it' \
	    topn -v n
	printf '"a","b"\r\n' >in
	says 'expected an object, got what looks like CSV; mlr --icsv --ojsonl cat converts it' \
	    topn -v n
	for text in '2026-03-01T12:00:01.000Z {"a":1}' '[pod/x] {"a":1}' \
	    '2026-03-01 12:00:01 host app: {}'; do
		echo "$text" >in
		says "expected an object, got one behind text; sed -u 's/^[^{]*//' takes that off" \
		    tally -k a
	done
	for text in '192.0.2.1 - - [01/Mar/2026:12:00:01 +0000] "GET / HTTP/1.1" 200' \
	    'level=info msg="hi there"' 'ERROR of server { port = 80 }' 'host=a n=1' '[2026-03-01 12:00:01] INFO hi'; do
		echo "$text" >in
		says 'expected an object, got what looks like a log of text; tupletools-cookbook(7) shows how to make tuples of it' \
		    topn -v n
	done
	echo '{"n":1}' >a
	cp a b
	tail a b >in
	# shellcheck disable=SC2154 # bats sets stderr
	run -1 --separate-stderr tally in
	[ "$output" = '{"count":2}' ]
	# shellcheck disable=SC2154
	[ "$stderr" = "tally: in:1:1: expected an object, got a header of tail; tail -q leaves them out
tally: in:4:1: expected an object, got '='" ]
	for array in '[1, 2, 3' '[1, 2, 3] '; do
		echo "$array" >in
		says "expected an object, got '['" topn -v n
	done
	printf 'yes, no\n' >in
	says "expected an object, got 'y'" topn -v n
}

@test "what workers do wrong" {
	yes '{"k":1}' | head -n 100000 >in
	says 'task 0 (true): ended before its input did' pkgroup -n 1 -- true
	says 'task 0 (sh): stopped reading before its input ended' \
	    pkgroup -n 1 -- sh -c 'exec <&-; exec tail -f /dev/null'
	says 'task 0 (sh): ended with status 3 before its input did' \
	    pkgroup -n 1 -- sh -c 'exit 3'
	says 'task 0 (sh): killed by signal 9' \
	    pkgroup -n 1 -- sh -c 'kill -9 $$'
	says 'task 0 (sh): sent a line of more than 64 MiB' \
	    pkgroup -n 1 -- sh -c 'head -c 68000000 /dev/zero; cat'
}

@test "Storm's first message" {
	echo '[1]' >in
	echo end >>in
	says "stdin: expected Storm's setup message, got an array" \
	    topn -v n --multilang
	: >in
	says "stdin: expected Storm's setup message, got end of input" \
	    topn -v n --multilang
	printf '{"conf":{}}\nend\n' >in
	says "stdin: expected Storm's setup message: expected conf and context" \
	    topn -v n --multilang
}

# storm_says MESSAGE INPUT COMMAND...: the bolt, which has had Storm's first
# message and then gets INPUT, has the message in Storm's log.
storm_says() {
	local want=$1 input=$2
	shift 2
	{
		printf '{"pidDir":".","conf":{},"context":{"taskid":1,'
		printf '"task->component":{"1":"b"},"componentid":"b",'
		printf '"stream->outputfields":{"default":["n"]}}}\nend\n'
		printf '%s\nend\n' "$input"
	} >in
	"$@" --multilang <in >out
	grep -qF -- "$want" out || { echo "expected: $want"; cat out; return 1; }
}

@test "what a bolt has to say of Storm's messages" {
	storm_says 'topology.tick.tuple.freq.secs is not set, nothing is emitted without ticks' \
	    '[]' rollagg -k n
	storm_says 'a message was skipped: ' '{"id":}' topn -v n
	storm_says 'a message without an id was skipped' '{}' topn -v n
	storm_says 'a message of more than 1000 bytes was skipped' \
	    "{\"id\":\"$(printf '%0200000d' 0)\"}" topn -v n --max-line 1000
	storm_says 'failed: expected a tuple' \
	    '{"id":"1","comp":"w","stream":"default","task":2}' topn -v n
	storm_says 'failed: expected a list of entries as rankings' \
	    '{"id":"1","comp":"w","stream":"default","task":2,"tuple":[{"rankings":7}]}' \
	    topn -v n
}

@test "what an array alone, a string and words with tabs look like" {
	# LINE|what keep says of it
	while IFS='|' read -r line want; do
		printf '%b\n' "$line" >in
		run -1 keep a in
		[[ ${lines[0]} == "keep: in:1:"*": expected $want"* ]] || {
			echo "$line: ${lines[0]}"
			return 1
		}
	done <<'END'
[]|one object a line, got what looks like a JSON array
[ ]|one object a line, got what looks like a JSON array
"x" {"a":1}|an object, got '"'
one\ttwo three four!|an object, got what looks like a log of text
b=c hi!|an object, got what looks like a log of text
hi! b=c|an object, got 'h'
[x]y z! t|an object, got '['
 {"a":1} }|nothing after the object, got '}'
END
}
