#!/usr/bin/env bats
# pkgroup: groupings, Storm's choices, and what workers can do wrong.
# bats sets stderr and stderr_lines.
# shellcheck disable=SC2154
load helper

# stream N: N tuples over some keys.
stream() {
	spout zipf -n "$1" --keys 300 --seed 3 --step 7ms --jitter 500ms
}

# explain KEY SCHEME N [OPTION...]: the choices for one key, as a,b.
explain() {
	local key=$1 scheme=$2 n=$3
	shift 3
	printf '{"k":%s}\n' "$key" |
		pkgroup -n "$n" --hash "$scheme" --explain "$@" |
		sed -E 's/.*"choices":\[([0-9,]*)\].*/\1/'
}

# A key whose two candidates are one task was shown with that, wherever it went.
@test "heavy: of two tasks, both are candidates of a frequent key" {
	printf '{"k":"b"}\n{"k":"b"}\n' |
		pkgroup -n 2 -k k -g heavy --hash storm1 --explain >out
	printf '{"task":%d,"choices":[0,1],"k":"b"}\n' 1 0 | same out - out
}

@test "Storm's choices, the golden vectors" {
	status=0
	while read -r key f4 f6 f10 b4 b6 b10 r4 r6 a4 a6 c4 c6; do
		got="$(explain "$key" storm2 4 -k k -g fields)"
		got+=" $(explain "$key" storm1 6 -k k -g fields)"
		got+=" $(explain "$key" storm2 10 -k k -g fields)"
		for n in 4 6 10; do
			got+=" $(explain "$key" storm2 $n -k k)"
		done
		if [ "$r4" != - ]; then
			got+=" $(explain "$key" storm2 4)"
			got+=" $(explain "$key" storm2 6)"
		else
			got+=" - -"
		fi
		got+=" $(explain "$key" storm1 4 -k k)"
		got+=" $(explain "$key" storm1 6 -k k)"
		if [ "$c4" != - ]; then
			got+=" $(explain "$key" storm1 4)"
			got+=" $(explain "$key" storm1 6)"
		else
			got+=" - -"
		fi
		want="$f4 $f6 $f10 $b4 $b6 $b10 $r4 $r6 $a4 $a6 $c4 $c6"
		[ "$got" = "$want" ] || { echo "$key: $got, not $want"; status=1; }
	done <<-'VECTORS'
		"nathan" 3 1 9 2,3 0,1 2,6 2,0 2,0 0,1 0,1 0,1 4,1
		"mike" 1 3 3 0,2 0,2 8,9 2,3 2,4 2,1 0,5 0,3 4,5
		"jackson" 2 0 8 1,3 2,0 2,0 1,0 0,3 2,1 0,1 1,1 1,5
		"golda" 0 4 0 3,1 4,0 2,8 3,2 5,0 2,2 4,2 1,0 1,4
		"bertels" 2 4 8 1,0 4,3 0,1 0,1 3,1 0,2 4,2 3,3 1,5
		"the" 0 4 2 1,2 3,4 5,4 0,1 0,1 1,1 3,1 2,0 2,0
		"key1" 1 1 9 0,1 0,5 4,7 1,0 2,5 0,2 4,0 0,3 4,1
		"some_key_one" 2 2 4 3,0 3,0 9,0 1,2 4,1 3,1 1,1 1,1 1,3
		"some_key_two" 0 2 8 1,2 0,5 4,5 2,3 2,3 3,0 5,2 1,2 3,4
		"" 3 1 1 1,0 1,5 5,3 2,0 3,4 0,0 0,0 2,0 0,4
		"a" 0 2 8 1,0 1,2 1,5 2,1 1,4 0,1 2,3 2,0 0,4
		"h\u00e9llo" 1 5 5 1,3 3,2 9,8 0,1 2,5 3,2 5,2 2,1 2,5
		"\u65e5\u672c" 2 4 8 2,3 3,4 9,0 1,2 1,2 1,3 3,3 3,2 3,4
		"\ud83d\ude00" 2 2 0 0,3 5,1 1,3 0,2 2,5 1,0 3,0 2,1 0,1
		0 3 1 1 1,0 1,5 5,3 2,0 2,3 0,0 0,0 2,3 4,5
		1 0 2 2 1,0 2,1 8,7 2,3 2,1 1,1 1,5 2,0 2,2
		2 1 3 3 1,2 0,3 4,5 2,0 5,1 1,1 1,1 3,3 5,5
		-1 3 1 1 1,0 1,5 5,3 3,0 3,1 0,0 0,0 0,3 0,3
		42 1 1 3 1,0 4,0 6,7 3,0 1,2 2,3 4,1 2,3 4,3
		4294967296 0 2 2 1,0 2,1 8,7 3,1 3,4 1,1 1,5 0,3 2,3
		1.5 3 3 7 0,1 1,2 1,4 0,2 4,3 3,1 3,5 0,2 4,0
		true 2 2 2 1,0 3,5 1,2 2,0 5,0 3,0 5,0 2,1 2,5
		false 0 2 8 1,0 5,4 5,6 3,0 4,1 3,0 1,4 3,3 3,3
		null 3 1 1 1,0 1,5 5,3 - - 0,0 0,0 - -
	VECTORS
	[ "$status" -eq 0 ]
}

@test "Storm's sequences" {
	words() { printf '{"word":"%s"}\n' "$@"; }
	tasks() { sed -E 's/^\{"task":([0-9]+).*/\1/' | squeeze; }
	[ "$(words key1 key1 key1 nathan nathan mike mike key1 jackson golda \
	    bertels nathan | pkgroup -n 6 --hash storm2 | tasks)" = \
	    '2 5 2 0 0 4 4 5 3 5 1 2' ]
	[ "$(words nathan nathan nathan mike mike jackson jackson golda golda \
	    bertels bertels nathan | pkgroup -n 4 --hash storm2 -k word |
	    tasks)" = '2 3 2 0 0 1 1 3 3 1 0 2' ]
	[ "$(printf '{"a":"a","b":1}\n' | pkgroup -n 6 -g fields \
	    --hash storm1 -k a,b | tasks)" = 3 ]
}

@test "1 and 1.0 are one key, which Storm's hashes do not know" {
	[ "$(explain 1 native 50)" = "$(explain 1.0 native 50)" ]
	[ "$(explain 1 storm1 50 -k k)" != "$(explain 1.0 storm1 50 -k k)" ]
	[ "$(explain 1 storm2 50 -k k)" != "$(explain 1.0 storm2 50 -k k)" ]
}

@test "native candidates are two different tasks" {
	for n in 2 3 7; do
		stream 300 | pkgroup -n $n -k word --explain |
			jq -e -s 'all(.choices[0] != .choices[1])' >/dev/null
	done
	[ "$(explain '"a"' native 1)" = 0,0 ]
}

@test "tuples pass byte for byte, to files, to workers and with a task" {
	stream 1000 >in
	pkgroup -n 3 -k word --files part-%02d <in
	[ "$(cat part-?? | wc -l)" -eq 1000 ]
	sort part-00 part-01 part-02 | cmp - <(sort in)
	pkgroup -n 3 -k word --files %%-%3d <in
	cat %-000 %-001 %-002 | cmp - <(cat part-??)
	pkgroup -n 1 -k word --files %20d <in
	cmp 00000000000000000000 in
	pkgroup -n 3 -g shuffle -- cat <in >out
	sort out | cmp - <(sort in)
	pkgroup -n 3 -g shuffle <in >out
	sed 's/"task":[0-9]*,//' out | cmp - in
	printf '{ "a" : 1.10 , "task":7}\n{"a":2}\n' >odd
	run -0 pkgroup -n 1 <odd
	[ "$output" = '{"task":0, "a" : 1.10 }
{"task":0,"a":2}' ]
}

@test "ticks go to all tasks; with -t they are made" {
	tick='{"__tick":5}'
	run -0 pkgroup -n 2 -g all -- cat <<<"$tick"
	[ "$output" = "$tick
$tick" ]
	run -0 pkgroup -n 2 --merge tick --tag t -- cat <<-IN
		{"a":1}
		$tick
		{"a":2}
	IN
	[ "$(tail -n 2 <<<"$output")" = '{"__tick":5}
{"t":1,"a":2}' ] || [ "$(tail -n 2 <<<"$output")" = '{"__tick":5}
{"t":0,"a":2}' ]
	run -0 pkgroup -n 2 -g global -t ts -e 3s -l 1s <<-IN
		{"ts":1700000004000}
		{"ts":1700000004001}
		{"ts":1700000013000}
		{"ts":1700000001000}
	IN
	[ "$output" = '{"__tick":1700000001000}
{"task":0,"ts":1700000004000}
{"task":0,"ts":1700000004001}
{"__tick":1700000010000}
{"task":0,"ts":1700000013000}
{"task":0,"ts":1700000001000}
{"__tick":1700000016000}' ]
}

# What a task had to read filled its pipe while it was ahead and not read; the
# others never got the tick that it was waited for.
@test "a task that is ahead is read while it alone has work to do" {
	python3 -c 'for i in range(100000):
	print("{\"k\":\"a\",\"id\":\"u%07d\",\"ts\":%d}" % (i, i * 10))' >skew
	timeout 60 pkgroup -n 2 -g fields -k k -t ts -e 1s skew -- \
	    rollcount -T -k id -t ts -w 1s -e 1s >out
	[ "$(grep -c '"count":1' out)" -eq 100000 ]
}

# top COMMAND...: rolling top words, counted by COMMAND.
top() {
	"$@" | topn -n 5 -k word -v count
}

# workers GROUPING WORKER...: rolling counts by workers.
workers() {
	local g=$1
	shift
	timeout 60 pkgroup -n 4 -g "$g" -k word -t ts -e 3s -l 1s --tag task \
	    -- "$@" | rollagg -k word -T
}

@test "rolling top words through four workers is what one process gives" {
	stream 20000 >in
	count=(rollcount -i -T -k word -t ts -w 9s -e 3s)
	top rollcount -k word -t ts -w 9s -e 3s -l 1s -T in >want
	for g in partial fields heavy shuffle global none; do
		workers $g "${count[@]}" <in >got
		topn -n 5 -k word -v count got | cmp - want
	done
	cat >slow <<-'SLOW'
		import os, random, sys
		r = random.Random(os.environ['PKGROUP_TASK'])
		held = []
		for line in sys.stdin.buffer:
		    held.append(line)
		    if r.random() < r.choice((.001, .01, .1)):
		        sys.stdout.buffer.writelines(held)
		        sys.stdout.buffer.flush()
		        held = []
		sys.stdout.buffer.writelines(held)
	SLOW
	workers shuffle sh -c "python3 slow | ${count[*]}" <in >got
	topn -n 5 -k word -v count got | cmp - want
	workers partial sh -c "${count[*]} | python3 slow" <in >got
	topn -n 5 -k word -v count got | cmp - want
}

# batches FILE: the rows, sorted within each batch; window_end tells which.
batches() {
	grep -v __tick "$1" >rows
	grep -o '"window_end":[0-9]*' rows | sort -c && sort rows
}

# as_one FILE KEY TIME WINDOW EVERY LATENESS: rolling counts of real data by
# four workers, against one process; late tuples are late in both.
as_one() {
	local one
	one=(-k "$2" -t "$3" -w "$4" -e "$5")
	zcat "$DATA/$1" >in
	rollcount "${one[@]}" -l "$6" -T --late late in >one
	batches one >want
	topn -n 5 -k "$2" -v count one >top
	for g in partial fields heavy shuffle global none; do
		timeout 100 pkgroup -n 4 -g $g -k "$2" -t "$3" -e "$5" \
		    -l "$6" --tag task -- sh -c "exec rollcount ${one[*]} \
		    -i -T --late late.\$PKGROUP_TASK" <in |
			rollagg -k "$2" -T >four
		batches four | cmp - want
		topn -n 5 -k "$2" -v count four | cmp - top
		cat late.? | sort | cmp - <(sort late)
	done
}

@test "-l all makes one tick, at the end of the last slot" {
	spout words -n 300 --jitter 20s --seed 1 >in
	rollcount -k word -t ts -w 9s -e 3s -l all -T in >one
	batches one >want
	last=$(tail -n 1 one)
	pkgroup -n 3 -k word -t ts -e 3s -l all -- cat <in >out
	[ "$(grep __tick out)" = "$last" ]
	[ "$(tail -n 1 out)" = "$last" ]
	pkgroup -n 3 -k word -t ts -e 3s -l all --tag task -- \
	    rollcount -k word -t ts -w 9s -e 3s -iT <in | rollagg -k word -T >out
	batches out | same three want -
}

@test "--align: ticks are counted from there, as the slots of rollcount" {
	stream 3000 >in
	for start in 1970-01-01T00:00:02Z 2023-11-14T22:13:21.5Z; do
		win=(-k word -t ts -e 3s --align "$start")
		rollcount "${win[@]}" -w 9s -l 1s -T in >one
		batches one >want
		pkgroup -n 3 "${win[@]}" -l 1s --tag task -- \
		    rollcount "${win[@]}" -w 9s -iT <in |
			rollagg -k word -T >three
		batches three | same "$start" want -
	done
	pkgroup -n 1 -g global -t ts --time-unit ms -e 10s \
	    --align 1970-01-01T00:00:02Z >out <<-IN
		{"ts":23000}
		{"ts":36000}
	IN
	same ticks - out <<-OUT
		{"__tick":22000}
		{"task":0,"ts":23000}
		{"__tick":32000}
		{"task":0,"ts":36000}
		{"__tick":42000}
	OUT
}

@test "real data through four workers: Wikipedia edits" {
	data wikipedia-edits.ndjson.gz
	as_one wikipedia-edits.ndjson.gz channel time 2h 30m 0
	as_one wikipedia-edits.ndjson.gz user time 1h 10m 0
}

@test "real data through four workers: DNS, out of order" {
	data zeek-dns.ndjson.gz
	as_one zeek-dns.ndjson.gz id.orig_h ts 10m 1m 30s
}

@test "126 and 127 as env has them" {
	run -127 pkgroup -n 2 -- no-such-command <<<'{"a":1}'
	[ "$output" = 'pkgroup: no-such-command: No such file or directory' ]
	run -126 pkgroup -n 2 -- ./. <<<'{"a":1}'
}

@test "a worker that ends with a status is named, and its status taken" {
	stream 100 >in
	# shellcheck disable=SC2016
	run -3 --separate-stderr pkgroup -n 2 -g shuffle -- \
	    sh -c 'cat; exit $((PKGROUP_TASK * 3))' <in
	[ "$stderr" = 'pkgroup: task 1 (sh): ended with status 3' ]
	sort <<<"$output" | cmp - <(sort in)
}

# stay COMMAND...: run it, and end only when the test closes descriptor 5, which
# is the FIFO hold.
stay() {
	exec 3>&- 5<hold
	"$@" || true
	cat <&5
}

@test "a worker that ends early is named, and ends all" {
	mkfifo hold
	exec 5<>hold
	# shellcheck disable=SC2016
	for worker in 'head -n 3' '[ $PKGROUP_TASK = 1 ] || exec cat; head -n 3'
	do
		run -2 --separate-stderr timeout 60 pkgroup -n 2 -g shuffle -- \
		    sh -c "$worker" < <(stay stream 200000)
		[[ $stderr == *'task '[01]' (sh): '* ]]
		[[ $stderr == *'before its input'* ]]
	done
	exec 5<&-
}

@test "a worker that is killed is named, and ends all at once" {
	mkfifo hold
	exec 5<>hold
	# shellcheck disable=SC2016
	run -2 --separate-stderr timeout 60 pkgroup -n 3 -g shuffle -- sh -c \
	    'if [ $PKGROUP_TASK = 1 ]; then head -n 9; kill -9 $$; fi; cat' \
	    < <(stay stream 1000)
	[ "$stderr" = 'pkgroup: task 1 (sh): killed by signal 9' ]
	exec 5<&-
}

@test "a worker that never reads, or never writes, holds nobody else up" {
	# Task 1 begins when task 0 has all it gets.
	mkfifo go
	# shellcheck disable=SC2016
	run -0 timeout 60 pkgroup -n 2 -g shuffle -- sh -c '
	    if [ $PKGROUP_TASK = 0 ]; then wc -l; echo >go
	    else read -r _ <go; wc -l; fi' < <(stream 10000)
	[ "$output" = '5000
5000' ]
}

@test "what has no newline at the end is still a line" {
	run -0 pkgroup -n 2 -g shuffle -- \
	    sh -c 'cat; printf "{}\n[]"' </dev/null
	[ "${#lines[@]}" -eq 4 ]
}

@test "ticks have no tag where lines are merged" {
	spout zipf -n 500 --step 20ms >in
	rollcount -k word -t ts -w 2s -T <in >rows
	sed '/__tick/!s/^{/{"task":0,/' rows >want
	pkgroup -n 1 -k word --merge line --tag task -- \
	    rollcount -k word -t ts -w 2s -T <in >got
	grep -q __tick want
	same rows want got
}

@test "64 MiB without a tick are too many" {
	rc=0
	timeout 60 pkgroup -n 1 --merge tick -- \
	    sh -c 'yes "{}" | head -c 80000000; cat' </dev/null >out 2>err || rc=$?
	[ "$rc" -eq 2 ]
	[ "$(cat err)" = 'pkgroup: task 0 (sh): sent 64 MiB without a tick' ]
}

# The workers, which it ends too, were said to have failed.
@test "a signal to pkgroup and its workers is no failure of theirs" {
	mkfifo p
	setsid "$(command -v pkgroup)" -n 2 -k k -- cat <p >out 2>err 3>&- &
	exec 5>p
	printf '{"k":%d}\n' {1..9} >&5
	soon out 9
	kill -TERM -- "-$!"
	status=0
	wait $! || status=$?
	exec 5>&-
	[ "$status" -eq 143 ]
	[ ! -s err ]
}

@test "SIGTERM is passed on" {
	mkfifo hold
	exec 5<>hold
	# shellcheck disable=SC2016
	pkgroup -n 2 -- sh -c 'trap "echo told >>said; exit 0" TERM
	    cat hold >/dev/null &
	    echo "{}"; wait' < <(stay true) >out 3>&- 5<&- &
	soon out 2
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 143 ]
	[ "$(cat said)" = 'told
told' ]
	exec 5<&-
}

@test "--stats tells tuples by task and the imbalance" {
	stream 1000 | pkgroup -n 4 -g shuffle --stats=stats -- cat >/dev/null
	jq -e '.tasks == [250,250,250,250] and .emitted == 1000 and
	    .imbalance_final == 0 and .imbalance < 0.001' stats
	stream 1000 | pkgroup -n 20 -k word --stats=stats >/dev/null
	jq -e '.pairs > 100 and .top_key > 0.1 and
	    (.hint | test("-g heavy"))' stats
	# From a million on they are estimated.
	for n in 100000 1100000; do
		seq $n | sed 's/.*/{"k":&}/' |
			pkgroup -n 3 -k k -g fields --stats=stats >/dev/null
		jq -e ".pairs / $n - 1 | fabs < 0.02" stats
	done
	jq -e '.pairs != 1100000' stats
}

@test "files are read one after the other, before -- or without a command" {
	stream 100 >a
	stream 50 | tac >b
	cat a b | pkgroup -n 3 -k word >want
	pkgroup -n 3 -k word a b >got
	same 'to stdout' want got
	pkgroup -n 3 -k word - b <a >got
	same 'stdin first' want got
	pkgroup -n 3 -k word --files p%d a b
	cat p0 p1 p2 | sort >got
	pkgroup -n 3 -k word a b -- cat | sort >want
	same 'to files, to workers' want got
	cat a b | sort | same 'all' - got
	# What follows the first -- is the command's, and no file.
	pkgroup -n 2 -g global a -- sh -c 'cat >/dev/null; echo "$@"' - -- b >got
	[ "$(sort got | uniq)" = '-- b' ]
}

@test "ticks go to all files, a task is put over that of the row" {
	printf '{"k":"a"}\n{"__tick":5}\n{"k":"b"}\n' |
		pkgroup -n 2 -g shuffle --files t%d
	printf '{"k":"a"}\n{"__tick":5}\n' | same 'first' - t0
	head -n 1 t0 >a0
	printf '{"__tick":5}\n{"k":"b"}\n' | same 'second' - t1
	echo '{"k":"a","t":7,"n":1}' | pkgroup -n 1 --tag t -- cat >got
	echo '{"t":0,"k":"a","n":1}' | same 'tagged' - got
	# What is no object passes as it is.
	pkgroup -n 1 --tag t a0 -- sh -c 'cat; echo text; echo "{x"' >got
	printf '%s\n' '{"t":0,"k":"a"}' text '{x' | same 'text' - got
}

# Of a file a tick that came again was dropped, and its rows came before the
# first; of a pipe both were passed on.
@test "a tick that is no later than the one before ends no batch" {
	printf '%s\n' '{"__tick":500}' '{"k":"a"}' '{"__tick":500}' '{"k":"b"}' \
	    '{"__tick":7}' '{"k":"c"}' '{"__tick":600}' '{"k":"d"}' >in
	pkgroup -n 2 -g global --merge tick in -- cat >got
	printf '%s\n' '{"__tick":500}' '{"k":"a"}' '{"k":"b"}' '{"k":"c"}' \
	    '{"__tick":600}' '{"k":"d"}' | same 'a file' - got
	mkfifo p
	pkgroup -n 2 -g global --merge tick -- cat <p >live &
	exec 5>p
	head -n 1 in >&5
	soon live 1
	tail -n +2 in >&5
	exec 5>&-
	wait $!
	same 'a pipe' got live
}

@test "options may stand behind files" {
	stream 50 >a
	pkgroup -n 3 -k word a -- sort >want
	pkgroup a -n 3 -k word -- sort >got
	same 'behind' <(sort want) <(sort got)
	POSIXLY_CORRECT=1 pkgroup -n 3 -k word a -- sort >got
	same 'in order' <(sort want) <(sort got)
	# One that is an option's argument begins no command.
	echo '{"--":1}' >b
	[ "$(pkgroup -k -- -n 2 b)" = "$(pkgroup -n 2 -k '["--"]' b)" ]
	[ "$(pkgroup b -k -- -n 2 -- cat)" = '{"--":1}' ]
	[ "$(pkgroup a -n 1 -- echo -k -- x 2>err)" = '-k -- x' ] || cat err
}

@test "heavy: a frequent key may go to any task" {
	printf '{"k":"a"}\n%.0s' {1..40} |
		pkgroup -n 5 -g heavy -k k --explain >got
	[ "$(tail -n 1 got | jq -c .choices)" = '[0,1,2,3,4]' ]
	[ "$(jq .task got | sort -u | paste -sd' ')" = '0 1 2 3 4' ]
	# Two, while it is not known to be frequent.
	seq 40 | sed 's/.*/{"k":&}/' |
		pkgroup -n 5 -g heavy -k k --explain | tail -n 1 |
		jq -e '.choices | length == 2'
}

@test "misuse is explained" {
	while IFS='|' read -r args want; do
		# shellcheck disable=SC2086
		run -2 pkgroup $args </dev/null
		[ "${lines[0]}" = "pkgroup: $want" ] || {
			echo "$args: ${lines[0]}"
			return 1
		}
	done <<-'CASES'
		-k a|-n is required
		-n 2 --to x|--to needs --multilang
		--multilang -n 2|-n and --multilang exclude each other
		--multilang -t t -e 1s|-t and --multilang exclude each other
		--multilang --files p%d|--files and --multilang exclude each other
		--multilang --explain|--explain and --multilang exclude each other
		--multilang -- cat|--multilang and a command exclude each other
		-n 2 cat|expected a file, or -- before a command, got 'cat'
		-n 2 --|expected a command after --
		-n 2 -t ts|-t and -e go together
		-n 2 -l 1s|-l needs -t
		-n 2 --files x|--files: expected one %d, for the task, got 'x'
		-n 2 --files %d%03d|--files: expected one %d, for the task, got '%d%03d'
		-n 2 --files %x|--files: expected %d, %3d, %03d or %% after a %, got '%x'
		-n 2 --files %21d|--files: expected %d, %3d, %03d or %% after a %, got '%21d'
		-n 2 --files %d --tag t|--tag and --files exclude each other
		-n 2 --files %d -- cat|--files and a command exclude each other
		-n 2 --explain -- cat|--explain and a command exclude each other
		-n 2 --tag __tick|--tag: expected a name other than that of ticks, got '__tick'
		-n 2 --merge line|--merge needs a command
		-n 2 -g fields --choices d|--choices needs -g heavy
	CASES
}

# The queues were dropped with the program, and the rows before the bad line.
@test "what came before --on-error stop is sent, and waited for" {
	printf '{"a":1}\n{"a":2}\nx\n{"a":3}\n' >in
	# The worker begins when the bad line has been reported.
	mkfifo err
	exec 5<>err
	status=0
	timeout 60 pkgroup -n 1 -k a --on-error stop -- \
	    sh -c 'read -r _ <err; cat' <in >out 2>&5 || status=$?
	exec 5<&-
	[ "$status" -eq 2 ]
	same rows <(head -n 2 in) out
}

@test "more files than the soft limit of descriptors" {
	ulimit -Sn 64
	mkdir q
	echo '{"a":1}' | pkgroup -n 100 -g shuffle --files q/%d
	files=(q/*)
	[ ${#files[@]} -eq 100 ]
}

# All that workers had not been sent yet was lost.
@test "what came before a read error gets to the tasks" {
	spout words -n 60000 >all
	run -2 --separate-stderr python3 "$TOP/tests/unreadable.py" all \
	    pkgroup -n 2 -k word -- cat
	[ "$stderr" = 'pkgroup: stdin: Input/output error' ]
	same rows <(sort all) <(sort <<<"$output")
	run -2 --separate-stderr python3 "$TOP/tests/unreadable.py" all \
	    pkgroup -n 2 -k word --files part-%d
	[ "$stderr" = 'pkgroup: stdin: Input/output error' ]
	same files <(sort all) <(sort part-*)
}

# Without it nobody learned that the workers had ended.
@test "a blocked SIGCHLD is none" {
	spout words -n 30 >in
	timeout 60 python3 -c 'import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
os.execvp("pkgroup", sys.argv[1:])' pkgroup -n 2 -k word in -- cat >out
	[ "$(wc -l <out)" -eq 30 ]
}

# Each member of each tuple was looked at, for 325 ns a tuple.
@test "the task takes the place of a member of its name, however spelled" {
	printf '%s\n' '{}' '{ }' '{"task":5}' '{"a":1,"t\u0061sk":7,"b":2}' \
	    '{"a":{"task":1},"b":"task"}' '{"task":1,"z":0,"task":2}' >in
	printf '%s\n' '{"task":0}' '{"task":0}' '{"task":0}' \
	    '{"task":0,"a":1,"b":2}' '{"task":0,"a":{"task":1},"b":"task"}' \
	    '{"task":0,"z":0}' >want
	pkgroup -n 1 -g global in | same all want -
	pkgroup -n 1 -g global --tag task -- cat <in | same all want -
	echo '{"a.b\"c":1,"a":{"b\"c":2}}' |
	    pkgroup -n 1 -g global --tag 'a.b"c' >got
	echo '{"a.b\"c":0,"a":{"b\"c":2}}' | same quoted - got
}

# The tuple's own was written, too, behind the one of --explain.
@test "so do the choices of --explain" {
	printf '%s\n' '{"choices":[],"k":1}' \
	    '{"task":9, "cho\u0069ces":{"a":[1]} , "k":1,"task":8}' >in
	printf '%s\n' '{"task":0,"choices":[0,1],"k":1}' \
	    '{"task":1,"choices":[0,1],"k":1}' >want
	pkgroup -n 2 -k k --explain in | same all want -
	printf '%s\n' '{"t":0,"choices":[0,1],"k":1}' \
	    '{"t":1,"choices":[0,1],"task":9, "k":1,"task":8}' >want
	pkgroup -n 2 -k k --explain --tag t in | same tagged want -
}

@test "the last window of all times comes back from workers" {
	printf '{"k":1,"t":%s}\n' 1 9223372036854775807 >in
	rollcount -k k -t t -w 1h in >want
	pkgroup -n 2 -k k -t t -e 1h --tag task in -- \
	    rollcount -k k -i -t t -w 1h -T | rollagg -k k >out
	grep -q '"window_end":9223372800000' out
	same rows want out
}

@test "lines that workers write with blanks around them are tuples and ticks" {
	printf '%s\n' '{"k":1}' '{"__tick":5}' >in
	for order in line tick; do
		pkgroup -n 1 --merge $order --tag t in -- sed 's/^/ /' | tr -d ' ' |
			same $order - <(printf '%s\n' '{"t":0,"k":1}' '{"__tick":5}')
	done
}

@test "ticks of workers may have escapes, or be of 1970 and before" {
	# It reads its input to the end, so that it does not end before it.
	# shellcheck disable=SC2016
	for tick in '{"\u005f_tick":5}' '{"__tick":0}' '{"__tick":-5}'; do
		printf '%s\n' '{"a":1}' "$tick" '{"a":2}' >rows
		pkgroup -n 2 --merge tick --tag t -- \
		    sh -c 'cat >/dev/null; cat rows' </dev/null >out
		ms=$(jq 'to_entries[0].value' <<<"$tick")
		printf '%s\n' '{"t":0,"a":1}' '{"t":1,"a":1}' "{\"__tick\":$ms}" \
		    '{"t":0,"a":2}' '{"t":1,"a":2}' | same "$tick" - out
	done
}

@test "no batch is complete that lacks the rows of a worker that was killed" {
	printf '%s\n' '{"k":0}' '{"__tick":1}' '{"k":2}' >rows
	printf '%s\n' '{"__tick":2}' '{"k":3}' >further
	# The one is killed when the other has written what it has.
	mkfifo go
	# shellcheck disable=SC2016
	run -2 --separate-stderr pkgroup -n 2 --merge tick -- sh -c '
	    cat rows
	    [ "$PKGROUP_TASK" = 0 ] || { read -r _ <go; kill -9 $$; }
	    cat further
	    echo >go
	    cat' </dev/null
	printf '%s\n' '{"k":0}' '{"k":0}' '{"__tick":1}' '{"k":2}' '{"k":3}' \
	    '{"k":2}' | same rows - <(echo "$output")
}

@test "half a line of a worker that was killed is not passed on" {
	for tag in '' '--tag t'; do
		# shellcheck disable=SC2016,SC2086
		run -2 --separate-stderr pkgroup -n 1 $tag -- \
		    sh -c 'printf "%s\n%s" "{}" "{\"k"; kill -9 $$' </dev/null
		[ "${#lines[@]}" -eq 1 ]
	done
}

# hints OPTION...: whether --stats has a hint.
hints() {
	pkgroup "$@" --stats=stats in >out
	jq 'has("hint")' stats
}

# 1 / 5N of the tuples is not frequent yet, more is; a share of p has 2 p N + 3.
@test "heavy: the larger the share of a key, the more tasks it may go to" {
	# share STEP TUPLES N: how many choices each STEP-th has, the last of all.
	share() {
		seq "$2" | awk -v step="$1" '
			{ print "{\"k\":" ($1 % step ? $1 : "\"a\"") "}" }' |
			pkgroup -n "$3" -g heavy -k k --explain |
			grep '"a"' | tail -n 1 | jq '.choices | length'
	}
	[ "$(share 50 50 10)" -eq 2 ]
	[ "$(share 49 49 10)" -eq 3 ]
	[ "$(share 5 500 50)" -eq 23 ]
	[ "$(share 2 500 50)" -eq 50 ]
	[ "$(share 10 500 60)" -eq 15 ]
}

@test "heavy: a key may go to its two tasks of partial first" {
	seq 200 | sed 's/.*/{"k":&}/' >in
	for g in partial heavy; do
		pkgroup -n 7 -g $g -k k --explain in | tail -n 150 | jq -c .choices >"of-$g"
	done
	same others of-partial of-heavy
	echo '{"k":"a"}' | pkgroup -n 50 -k k --explain | jq -c .choices >want
	sed '0~5s/[0-9]*}/"a"}/' in | pkgroup -n 50 -g heavy -k k --explain |
		grep '"a"' | jq -c '.choices[:2]' | sort -u | same frequent want -
}

# choices N OPTION...: how many choices the key 1 has after 1200 tuples of keys
# that have so many twentieths each, and of OTHERS others.
choices() {
	awk -v shares="$shares" -v others="$others" 'BEGIN {
		n = split(shares, share, " ")
		for (i = 0; i < 1200; i++) {
			left = i % 20
			for (k = 1; k <= n && left >= share[k]; k++)
				left -= share[k]
			print "{\"k\":" (k <= n ? k : "\"" i % others "\"") "}"
		}
	}' | pkgroup -n "$1" -g heavy "${@:2}" -k k --explain |
		grep '"k":1}' | tail -n 1 | jq '.choices | length'
}

# The numbers are those of the condition in "When Two Choices Are not Enough".
@test "D-Choices gives frequent keys as many tasks as theory asks for" {
	local others=10000 shares='2 2 2 2'
	[ "$(choices 40 --choices d)" -eq 11 ]
	[ "$(choices 100 --choices d)" -eq 26 ]
	shares='1 1 1 1 1 1 1 1'
	[ "$(choices 60 --choices d)" -eq 8 ]
	[ "$(choices 100 --choices d)" -eq 13 ]
}

# Each task that a key goes to is a counter there: there are 0.4 more than two for
# each key, of 64, 244 and many keys.
@test "W-Choices gives frequent keys the more tasks the more keys there are" {
	local others shares='2 2 2 2'
	for others in 100 400 10000; do
		choices 50
	done | paste -sd' ' | same choices <(echo 13 22 50) -
}

@test "heavy is hinted at where a key has more than its tasks can take" {
	printf '{"k":%d}\n' 1 1 1 1 >in
	[ "$(hints -n 3 -k k -g fields)" = true ]
	[ "$(hints -n 3 -k k)" = true ]
	[ "$(hints -n 3 -k k -g shuffle)" = false ]
	[ "$(hints -n 1 -k k -g fields)" = false ]
	[ "$(hints -n 2 -k k)" = false ]
}

@test "the counters of one key are exact" {
	printf '{"k":%d}\n' 1 1 1 1 1 >in
	pkgroup -n 5 -k k -g shuffle --stats=stats in >out
	[ "$(jq .pairs stats)" = 5 ]
	pkgroup -n 5 -k k -g fields --stats=stats in >out
	[ "$(jq -c '[.imbalance, .imbalance_relative, .imbalance_final]' stats)" = \
	    '[0.48,0.8,0.8]' ]
	printf '{"k":%d}\n' 1 1 1 2 >in
	pkgroup -n 7 -k k --hash storm1 --stats=stats in >out
	[ "$(jq .top_key stats)" = 0.75 ]
	pkgroup -n 3 -k k -g heavy --stats=stats in >out
	[ "$(jq .live_keys stats)" = 2 ]
}

@test "D-Choices gives a frequent key two tasks at the least" {
	seq 4000 | awk '{ k = $1 % 20 == 0 ? "\"a\"" : $1; print "{\"k\":" k "}" }' |
		pkgroup -n 10 -g heavy --choices d -k k --explain |
		grep '"a"' | tail -n 1 | jq -e '.choices | length == 2'
}

@test "--choices is of heavy alone, whichever it is" {
	run -2 pkgroup -n 2 --choices w </dev/null
	[ "${lines[0]}" = 'pkgroup: --choices needs -g heavy' ]
}

@test "none draws others with another --seed" {
	yes '{}' | head -n 100 >in
	pkgroup -n 7 -g none --seed 5 in >five
	pkgroup -n 7 -g none --seed 5 in | same again five -
	pkgroup -n 7 -g none in >out
	run ! cmp -s five out
}

# Double.toString gives 4.6116860184273879E18, which has a digit too many.
@test "Storm's hashes of what is at the edges" {
	task() { pkgroup --hash storm1 "$@" | sed -E 's/^\{"task":([0-9]+).*/\1/'; }
	[ "$(echo '{"k":null}' | task -n 7 -g fields)" = 3 ]
	[ "$(echo '{"k":4611686018427387904.0}' | task -n 97)" = 93 ]
	many=$(printf '%010000d' 0 | tr 0 1)
	[ "$(echo "{\"k\":$many}" | task -n 7 -k k)" = 0 ]
	[ "$(echo "{\"k\":-$many}" | task -n 7)" = 2 ]
	run -1 pkgroup -n 7 --hash storm1 <<<"{\"k\":-${many}1}"
}
