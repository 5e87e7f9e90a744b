#!/usr/bin/env bats
load helper

@test "golden spout" {
	golden spout
}

# The counters of what a file has were all 0.
@test "--stats counts the lines of a file" {
	printf '{"a":1}\n{"__tick":2}\n\nbad\n{"a":2}' >in
	run -1 spout file in --stats=stats
	grep -q '"lines":5,"bytes":33,"blank":1,"ticks":1,"rejects":1,' stats
	grep -q '"emitted":2,' stats
	# A tick that is not due yet is read, but not written.
	printf '{"a":1}\n{"__tick":2}\n' >in
	spout file in -r 0.001 --stats=stats >out &
	soon out 1
	kill -TERM $!
	wait $! || :
	grep -q '"ticks":1,.*"emitted":1,' stats
}

# The time of the next tuple was beyond the integers.
@test "it ends before times that are not read" {
	spout words --step 106751d >out
	[ "$(wc -l <out)" -eq 1 ]
	spout words --step 1d --seed 1 | tail -n 1 |
		jq .ts | same last <(echo 9223366400000) -
	spout words --jitter 106751d >out
	[ ! -s out ]
}

# It ended with fewer, and said nothing.
@test "more tuples than there are times are refused" {
	spout words -n 2 --step 87000d | same two - <(spout words --step 87000d)
	while IFS='|' read -r n options; do
		read -ra options <<<"$options"
		run -2 spout words -n "$n" "${options[@]}"
		[ "${lines[0]}" = "spout: -n: the last of $n tuples would come after the year 2262" ]
	done <<'END'
2|--step 88000d
2|--step 87000d --jitter 1000d
3|--step 44000d
1|--jitter 106751d
9223372036854775807|--step 1ms
END
	spout words -n 3 --step 0 | wc -l | same three - <(echo 3)
}

# Its draws were those of the words.
@test "disorder does not change what the tuples are" {
	spout zipf -n 1000 --keys 50 | jq .word >want
	spout zipf -n 1000 --keys 50 --jitter 5s >in
	jq .word in | same words want -
	[ "$(jq -s 'map(.ts) | . == sort' in)" = false ]
}

# What is beyond the integers was taken for no pause at all.
@test "a rate that is hardly one is no flood" {
	spout words -r 1e-17 >out &
	soon out 1
	kill -TERM $!
	wait $! || [ $? -eq 143 ]
	[ "$(wc -l <out)" -eq 1 ]
}

# Its file had become its stdout, which was said to be an input.
@test "a closed stdout is told" {
	echo '{"a":1}' >in
	rc=0
	spout file in >&- 2>err || rc=$?
	[ "$rc" -eq 2 ]
	[ "$(cat err)" = "spout: stdout: Bad file descriptor" ]
}

@test "presence ends after as many as are asked for" {
	spout presence -n 3 >out
	[ "$(wc -l <out)" -eq 3 ]
	spout presence -n 300 | head -n 3 | same 'the first' out -
}

@test "options that are for other tuples are refused" {
	echo '{}' >in
	while IFS='|' read -r what option; do
		read -ra args <<<"$what $option"
		run -2 spout "${args[@]}"
		[ "${lines[0]}" = "spout: ${what%% *} and ${option%% *} exclude each other" ]
	done <<'END'
file in|-n 1
file in|--seed 3
file in|--step 1s
file in|--jitter 1s
words -n 1|--keys 5
lognormal -n 1|--exponent 2
zipf -n 1|--mu 1
zipf -n 1|--sigma 1
words -n 1|--sigma 1
presence -n 1|--sigma 1
END
}

@test "options that are left out are what the page says" {
	spout zipf -n 200 | same zipf - <(spout zipf -n 200 --keys 10000 \
	    --exponent 1 --seed 0 --step 100ms --jitter 0 -r 0)
	spout lognormal -n 200 |
		same lognormal - <(spout lognormal -n 200 --mu 1.789 --sigma 2.366)
}

@test "numbers out of their bounds are refused" {
	while IFS='|' read -r what option least most below above; do
		spout "$what" -n 1 "$option" "$least" >out
		spout "$what" -n 1 "$option" "$most" >>out
		[ "$(wc -l <out)" -eq 2 ]
		for value in "$below" "$above"; do
			run -2 spout "$what" -n 1 "$option" "$value"
			[ "${lines[0]}" = "spout: $option: $value is not in $least..$most" ]
		done
	done <<'END'
words|-r|0|1000000000|-0.1|1000000001
zipf|--exponent|0|20|-0.1|20.1
zipf|--keys|1|281474976710656|0|281474976710657
lognormal|--mu|-100|100|-100.1|100.1
lognormal|--sigma|0|100|-0.1|100.1
END
}

@test "the last of all times has a tuple" {
	spout words --step 7523372036854ms | jq .ts | same times - \
	    <(printf '%d\n' 1700000000000 9223372036854)
	# None are never too many.
	spout words -n 0 --jitter 106751d >out
	[ ! -s out ]
}

@test "a damaged file is trouble, whatever lines it has" {
	for bad in '' bad; do
		{
			printf '%s\n' '{"n":1}' $bad
			yes '{"n":2}' | head -n 99999
		} | gzip | head -c 60 >in.gz
		rc=0
		spout file in.gz >out 2>err || rc=$?
		[ "$rc" -eq 2 ]
		grep -q '^spout: in.gz: damaged compressed data' err
		[ "$(head -n 1 out)" = '{"n":1}' ]
	done
}

@test "ticks that were written in their time are no tuples" {
	printf '%s\n' '{"a":1}' '{"__tick":2}' >in
	spout file in -r 1000 --stats=stats | same lines in -
	[ "$(jq -c '[.ticks, .emitted]' stats)" = '[1,1]' ]
}

@test "a file that is no NDJSON is told once, with what helps" {
	printf '\na,b\n1,2\n3,4\n' >in
	run -1 spout file in
	[ "$output" = "spout: in:2:1: expected an object, got what looks like CSV; mlr --icsv --ojsonl cat converts it" ]
}

@test "a line of more than 64 MiB is told of, and passed over" {
	# long N: three lines, of which the second has N bytes.
	long() {
		printf '{"a":1}\n{"b":"'
		head -c $(($1 - 8)) /dev/zero | tr '\0' x
		printf '"}\n{"a":2}\n'
	}
	[ "$(long 67108864 | spout file /dev/stdin | wc -l)" -eq 3 ]
	rc=0
	long 67108865 | spout file /dev/stdin >out 2>err || rc=$?
	[ "$rc" -eq 1 ]
	printf '{"a":%d}\n' 1 2 | same output - out
	echo 'spout: /dev/stdin:2:67108865: expected a line of at most 67108864 bytes, got more' |
		same stderr - err
}

@test "the column of a mistake counts the blanks before the line" {
	run -1 spout file /dev/stdin <<<'  {"a":x}'
	[ "$output" = "spout: /dev/stdin:1:8: expected a value, got 'x'" ]
}

# storm COMMAND...: what Storm asks for, one message a line; none is an answer.
storm() {
	printf '{"pidDir":".","conf":{},"context":{"taskid":1,'
	printf '"task->component":{"1":"b"},"componentid":"b",'
	printf '"stream->outputfields":{"default":["%s"]}}}\nend\n' "$1"
	printf '%s\nend\n' "${@:2}"
}

@test "what failed is not given up where no --retries were said" {
	storm word '{"command":"next"}' '{"command":"fail","id":"0"}' >in
	spout words -n 1 --multilang <in >out
	grep -q '"id":"0"' out
	run ! grep 'given up' out
	spout words -n 1 --retries 0 --multilang <in >out
	grep -qF 'tuple 0 has failed 1 times and is given up: {' out
}

@test "a bad line of a file with a state is told of, and what follows comes" {
	printf '%s\n' '{"n":1}' bad '{"n":2}' >lines
	next='{"command":"next"}'
	storm n "$next" "$next" >in
	spout file lines --multilang --state s.db <in >out || [ $? -eq 1 ]
	grep -q "lines:2:1: expected an object, got 'b'" out
	grep -q '"id":"1","tuple":\[2\]' out
}
