#!/usr/bin/env bats
# --interleave: files side by side, the tuple with the oldest time first.
# bats sets stderr.
# shellcheck disable=SC2154
load helper

# times NAME TIME...: a file of tuples, each of which tells where it is from.
times() {
	printf '{"k":"a","from":"'"$1"'","ts":%s}\n' "${@:2}" >"$1"
}

# order FILE: the times in the order in which they come.
order() {
	jq -r '"\(.from)\(.ts)"' "$1" | paste -sd' '
}

@test "the oldest goes first, of equal ones that of the first operand" {
	times b 1 4 9
	times c 0 4 5
	times d 4
	dedup -t ts --interleave b c d >out
	[ "$(order out)" = "c0 b1 b4 c4 d4 c5 b9" ]
	dedup -t ts --interleave d c b >out
	[ "$(order out)" = "c0 b1 d4 c4 b4 c5 b9" ]
}

@test "keep makes one log of several" {
	times b 1 4 9
	times c 0 4 5
	echo '{"from":"c"}' >>c
	run -1 --separate-stderr keep -t ts --interleave 'ts != 4' b c
	[ "$(order - <<<"$output")" = "c0 b1 c5 b9" ]
	[ "$stderr" = "keep: c:4:1: no field 'ts'" ]
	keep --mark four -t ts --interleave 'ts == 4' b - <c 2>err >out || true
	[ "$(jq -r '"\(.four)\(.from)"' out | paste -sd' ')" = \
	    '0c 0b 1b 1c 0c 0b' ]
	run -2 keep -t ts ts b c
	[[ $output == *'-t needs --interleave'* ]]
	run -2 keep --interleave ts b c
	[[ $output == *'--interleave needs -t'* ]]
}

@test "the logs of two hosts are counted as one" {
	times b 1 2 8 12 13
	times c 4 5 6 11 19
	sort -t: -k4n b c >both
	for command in 'rollcount -k k -w 5s -T' 'sessions -g 2s' 'dedup -k k -w 2s'; do
		# shellcheck disable=SC2086
		$command -t ts both >want
		# shellcheck disable=SC2086
		$command -t ts --interleave b c >got
		same "$command" want got
		# One after the other what comes second is late, or too soon.
		# shellcheck disable=SC2086
		! cmp -s want <($command -q -t ts b c) || return 1
	done
}

# Within a file times may be out of order; the file that is furthest back
# decides what is late.
@test "the watermark is the least of the files'" {
	times b 1 20 12
	times c 2 11 21
	run -0 rollcount -k k -t ts -w 10s --interleave b c
	[ "$(jq -c '[.count,.window_end]' <<<"$output" | paste -sd' ')" = \
	    '[2,10000] [2,20000] [2,30000]' ]
	run -1 --separate-stderr rollcount -k k -t ts -w 10s b c
	[[ $stderr == *'3 late tuples'* ]]
}

# Ticks by the watermark of all, so that no window of a worker ends too early.
@test "pkgroup splits the logs of two hosts as one" {
	times b 1 20 12
	times c 2 11 21
	pkgroup -n 2 -g shuffle -t ts -e 10s --interleave b c >out
	[ "$(jq -r 'if .__tick then "tick \(.__tick)" else "\(.from)\(.ts)" end' \
	    out | paste -sd' ')" = \
	    'b1 tick 0 c2 tick 10000 c11 b20 tick 20000 b12 c21 tick 30000' ] ||
		cat out
	for g in fields shuffle; do
		pkgroup -n 3 -k k -g $g -t ts -e 10s --interleave --tag task \
		    b c -- rollcount -i -T -k k -t ts -w 10s |
			rollagg -k k -T |
			jq -c 'select(.count) | [.count,.window_end]' >got
		rollcount -k k -t ts -w 10s --interleave b c |
			jq -c '[.count,.window_end]' >want
		same "$g" want got
	done
}

@test "ticks of the files are dropped" {
	times b 1 3
	echo '{"__tick":100000}' | cat - b >c
	for command in 'rollcount -k k -w 2s' 'sessions' 'dedup -k k -w 1s' \
	    'pkgroup -n 2 -k k -e 1s'; do
		# shellcheck disable=SC2086
		$command -t ts --interleave c >got
		# shellcheck disable=SC2086
		$command -t ts b >want
		same "$command" want got
	done
	keep -t ts --interleave ts c | cmp - b
}

@test "standard input is one of them, and alone is enough" {
	times b 1 4
	times c 2 3
	[ "$(dedup -t ts --interleave b - <c | order -)" = "b1 c2 c3 b4" ]
	[ "$(dedup -t ts --interleave <c | order -)" = "c2 c3" ]
}

@test "a pipe that is in time is waited for" {
	mkfifo p
	times b 2 4
	dedup -t ts --interleave --idle 60s b p >out &
	exec 5>p
	echo '{"from":"p","ts":1}' >&5
	soon out 1
	echo '{"from":"p","ts":3}' >&5
	exec 5>&-
	wait $!
	[ "$(order out)" = "p1 b2 p3 b4" ]
}

@test "a silent pipe is waited for --idle long, then holds nothing up" {
	mkfifo p
	times b 2 4 30
	rollcount -k k -t ts -w 10s --interleave --idle 20ms --late late b p >out &
	exec 5>p
	# The last tuple of b is held by nothing, and closes the first window.
	soon out 1
	echo '{"k":"a","from":"p","ts":3}' >&5
	echo '{"k":"a","from":"p","ts":33}' >&5
	exec 5>&-
	wait $!
	[ "$(order late)" = p3 ]
	[ "$(jq -c '[.count,.window_end]' out | paste -sd' ')" = \
	    '[2,10000] [0,20000] [2,40000]' ]
}

# beside_silent THREADS: set `ms` to the time that b takes beside a pipe that is
# silent after a megabyte.
beside_silent() {
	local start=$EPOCHREALTIME
	dedup -t ts --interleave --idle 50ms --threads "$1" b p >out &
	exec 5>p
	head -n 60000 b | sed 's/b/p/' >&5
	soon out 460000
	ms=$(((${EPOCHREALTIME/./} - ${start/./}) / 1000))
	exec 5>&-
	wait $!
}

# With threads each look at it, after 64 tuples, took 5 ms: 31 s in place of one.
@test "a pipe that is silent after a megabyte costs nothing" {
	seq 1 400000 | sed 's/.*/{"from":"b","ts":&}/' >b
	mkfifo p
	# A machine that is busy with other things has three goes.
	for _ in 1 2 3; do
		beside_silent 1
		one=$ms
		beside_silent 2
		echo "one thread: $one ms, two: $ms"
		((ms >= 8 * one)) || break
	done
	((ms < 8 * one))
}

# The limit of open files was raised for outputs alone.
@test "as many files as the system allows" {
	mkdir many
	for i in {1..90}; do
		times b "$i"
		mv b "many/$i"
	done
	(
		ulimit -Sn 64
		dedup -t ts --interleave many/* >out
	)
	[ "$(wc -l <out)" = 90 ]
	jq .ts out | sort -nc
}

# While it could not be read, as the worker had enough, it was taken for silent.
@test "a pipe is not silent while nobody reads it" {
	# Lines of two lengths: so one of the pipes is dry before the other.
	local from=a pad
	for pad in %0400d %0900d; do
		seq 10 10 10000 | sed "s/.*/{\"from\":\"$from\",\"ts\":&,\"pad\":\"$(
			# shellcheck disable=SC2059
			printf "$pad" 0)\"}/" >"$from"
		from=b
	done
	mkfifo pa pb
	exec 5<>pa 6<>pb
	# All is there before it reads: who writes to the pipes is never slow.
	python3 -c 'import fcntl
for pipe in 5, 6:
    fcntl.fcntl(pipe, 1031, 1 << 20) # F_SETPIPE_SZ'
	cat a >&5
	cat b >&6
	# Its worker has something else to do for three seconds.
	pkgroup -n 1 -g global -t ts -e 1s --interleave --idle 2s pa pb -- \
	    sh -c 'spout words -n 4 -r 1 >/dev/null; exec cat' \
	    >out 5>&- 6>&- &
	soon out 1
	exec 5>&- 6>&-
	wait $!
	grep -v __tick out | jq .ts >order
	sort -n order | same order - order
}

@test "time goes on by itself where no file has a line" {
	mkfifo p
	times b 1700000000
	rollcount -k k -t ts -w 50ms --live 50ms --idle 1ms --interleave b p >out &
	exec 5>p
	soon out 2
	exec 5>&-
	wait $!
	[ "$(jq -c .count out | paste -sd' ')" = '1 0' ]
}

@test "in pieces as in one, whatever is ahead" {
	python3 - <<-'END'
		import random
		rng = random.Random(7)
		for name, n in ('b', 300), ('c', 200), ('d', 40):
		    times = sorted(rng.randrange(1000) for _ in range(n))
		    with open('all-' + name, 'w') as out:
		        for i, t in enumerate(times):
		            out.write('{"k":"k%d","n":"%s%d","ts":%d}\n' % (
		                rng.randrange(3), name, i, t))
	END
	local command options
	for command in 'rollcount -k k -a count,max:n -w 30s -e 10s' \
	    'sessions -k k -g 3s -a count,max:n' 'dedup -k k -w 7s'; do
		options="-t ts --interleave --state $(echo "$command" | cut -c1-4).db"
		# shellcheck disable=SC2086
		$command -t ts --interleave all-b all-c all-d >want
		: >got
		for n in 10 11 35 100 100 300; do
			head -n $((3 * n)) all-b >b
			head -n $((n > 30 ? n : 0)) all-c >c
			head -n $((n / 3)) all-d >d
			# shellcheck disable=SC2086
			$command $options b c d >>got
		done
		# shellcheck disable=SC2086
		$command $options --final b c d >>got
		if [[ $command == dedup* ]]; then
			# Which of two within 7 s comes first depends on the pieces.
			jq -s 'group_by(.k)[] | [.[].ts] | sort |
			    [., .[1:]] | transpose[:-1][] |
			    select(.[1] - .[0] < 7)' got >near
			[ ! -s near ]
			continue
		fi
		same "$command" want got
	done
}

@test "what has ended holds the watermark, unless it is not named again" {
	times b 1 25
	times c 2
	rollcount -k k -t ts -w 10s --state s.db --interleave b c >out
	[ ! -s out ]
	times b 1 25 35
	rollcount -k k -t ts -w 10s --state s.db --interleave b c >out
	[ ! -s out ]
	times b 1 25 35 36
	rollcount -k k -t ts -w 10s --state s.db --interleave b >out
	[ "$(jq -c '[.count,.window_end]' out | paste -sd' ')" = \
	    '[2,10000] [0,20000] [1,30000]' ]
	# It comes back, too late.
	times c 2 3
	rollcount -k k -t ts -w 10s --state s.db --final --late late \
	    --interleave c b >out
	[ "$(order late)" = c3 ]
	[ "$(jq -c '[.count,.window_end]' out)" = '[2,40000]' ]
}

# Only a tuple later than all that was read let the windows go.
@test "what is not named again holds nothing, before anything is read" {
	times b 1 100
	times c 2
	rollcount -k k -t ts -w 10s --no-zeros --state s.db --interleave b c
	cp s.db t.db
	rollcount -k k -t ts -w 10s --no-zeros --state s.db --interleave b >out
	[ "$(jq -c '[.count,.window_end]' out)" = '[2,10000]' ]
	times b 1 100 15
	rollcount -k k -t ts -w 10s --no-zeros --state t.db --interleave \
	    --late late b >out
	[ "$(jq -c '[.count,.window_end]' out)" = '[2,10000]' ]
	[ "$(order late)" = b15 ]
	times b 1 100
	dedup -k from -t ts -w 10s --state d.db --interleave b c >out
	[ "$(sqlite3 d.db 'select count(*) from dedup')" = 3 ]
	dedup -k from -t ts -w 10s --state d.db --interleave b
	[ "$(sqlite3 d.db 'select count(*) from dedup')" = 1 ]
}

@test "a state that is damaged says so" {
	times b 1 25
	times c 2
	dedup -k k -t ts -w 10s --state s.db --interleave b c >out
	for value in 010105 01000262feffffffffffffffff01; do
		sqlite3 s.db "update tupletools_values set value = x'$value'
		    where name = 'watermark'"
		run -2 --separate-stderr dedup -k k -t ts -w 10s --state s.db \
		    --interleave b c
		[[ $stderr == *watermark* ]]
	done
}

# Its time had a turn, so that older tuples of its file came behind younger ones.
@test "a line that is bad but for its time has no effect on the order" {
	printf '{"t":50,"x":1}\n{"k":1,"t":1,"x":1}\n' >b
	printf '{"k":1,"t":10,"x":1}\n' >c
	for command in 'rollcount -k k -w 10s -a first:t,last:t' \
	    'sessions -k k -a first:t,last:t' 'dedup -k k' \
	    'pkgroup -n 1 -k k -e 10s'; do
		# shellcheck disable=SC2086
		run ! $command -q -t t --interleave b c
		cp b whole
		sed -i 1d b
		# shellcheck disable=SC2086
		[ "$output" = "$($command -t t --interleave b c)" ]
		mv whole b
	done
	# Nor what is no number for an aggregate or a weight.
	printf '{"t":50,"x":"y"}\n{"t":1,"x":2}\n' >b
	run ! rollcount -q -t t -w 1m -a first:x,sum:x --interleave b c
	[ "$(jq .first_x <<<"$output")" = 2 ]
	[ "$(jq .sum_x <<<"$output")" = 3 ]
	run ! rollcount -q -t t -w 10s -v x --no-zeros --interleave b c
	[ "$(jq -c .count <<<"$output")" = $'2\n1' ]
}

@test "keys that are asked for in the state are those of all files" {
	times b 1 4
	times c 2 3
	[ "$(dedup -t ts --interleave --state s.db b c | order -)" = "b1 c2 c3 b4" ]
	times b 1 4 5
	[ "$(dedup -t ts --interleave --state s.db b c | order -)" = b5 ]
}

@test "--interleave where it makes no sense" {
	refuses() {
		run -2 --separate-stderr "${@:2}"
		[ "$(head -n 1 <<<"$stderr")" = "$2: $1" ]
	}
	for command in 'rollcount -k k' 'sessions' 'dedup -k k -w 1s'; do
		# shellcheck disable=SC2086
		refuses '--interleave needs -t' $command --interleave a b
		# shellcheck disable=SC2086
		refuses '--idle needs --interleave' $command -t t --idle 1s
		# shellcheck disable=SC2086
		refuses '--multilang and --interleave exclude each other' \
		    $command -t t --interleave --multilang
	done
	refuses '-i and --interleave exclude each other' \
	    rollcount -k k -t t -i --interleave a b
	times b 1
	refuses '--interleave needs -t' pkgroup -n 2 --interleave b
	rollcount -k k -t ts --state s.db b
	run -2 --separate-stderr rollcount -k k -t ts --state s.db --interleave b
	[[ $stderr == *--interleave* ]]
}

# The watermark went by the name: the renamed log had none, and held all rows,
# and the new one had that of the old.
@test "the watermark of a log that was renamed goes on with a state" {
	roll=(rollcount -k k -t ts -w 10s --no-zeros --interleave --state db)
	printf '{"k":"a","ts":%d}\n' 1 100 >a.log
	printf '{"k":"b","ts":%d}\n' 2 26 >b.log
	"${roll[@]}" a.log b.log >first
	mv a.log a.log.1
	echo '{"k":"a","ts":101}' >a.log
	printf '{"k":"b","ts":%d}\n' 42 56 >>b.log
	cp db db2
	for files in "a.log.1 a.log b.log" "a.log a.log.1 b.log"; do
		cp db2 db
		# shellcheck disable=SC2086
		"${roll[@]}" $files | jq -c '[.k, .window_end]' >rows
		same "$files" <(printf '["b",%d]\n' 30000 50000) rows
	done
	# Of a log whose old lines are not read any more, the time goes on.
	cp db2 db
	: >a.log
	"${roll[@]}" a.log b.log | jq -c '[.k, .window_end]' >rows
	same "no old log" <(printf '["b",%d]\n' 30000 50000) rows
}
