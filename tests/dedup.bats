#!/usr/bin/env bats
load helper

@test "golden dedup" {
	golden dedup
}

# The rows of one run over all of a log, against those of a run for each piece,
# of which a later one reads only what is new.
in_pieces() {
	local n
	dedup "$@" --dropped want.dropped log >want
	rm -f s.db out dropped
	for n in 1 5 6 20 40; do
		head -n "$n" log >part
		dedup "$@" --state s.db --dropped dropped --output out part
	done
	same rows want out
	same dropped want.dropped dropped
}

@test "dedup goes on from its state, and drops in the order of the input" {
	for i in {0..39}; do
		echo "{\"k\":$((i * i % 11)),\"t\":$((i * 37 % 50))}"
	done >log
	in_pieces -k k
	in_pieces
	in_pieces -k k -t t -w 10s
	in_pieces -k k -t t -w 10s -l 20s
	in_pieces -k k -t t -w 1s -l all
	in_pieces -t t -w 15s
	[ "$(sqlite3 s.db 'SELECT count(*) FROM dedup')" -gt 0 ]
}

@test "with a state a row is there when nothing is left to read, a tick in its place" {
	printf '%s\n' '{"k":1}' '{"__tick":5}' '{"k":1}' '{"k":2}' >in
	mkfifo pipe
	dedup -k k --state s.db >out <pipe 3>&- &
	exec 4>pipe
	cat in >&4
	soon out 3
	head -n 2 in | cat - <(tail -n 1 in) | same rows - out
	exec 4>&-
	wait $!
}

# It was written again with each commit.
@test "a key that the state has is not written again" {
	printf '{"k":%d}\n' {1..9} >log
	dedup -k k --state s.db log >/dev/null
	sqlite3 s.db "CREATE TRIGGER t BEFORE INSERT ON dedup
	    BEGIN SELECT RAISE(ABORT, 'written again'); END"
	printf '{"k":%d}\n' {1..9} >>log
	dedup -k k --state s.db log >out
	[ ! -s out ]
}

# All that had passed since the last commit was kept, and written: a gigabyte of
# log took 3.5 times as long as without --state, and twenty times the memory.
@test "what is forgotten before a commit is neither kept nor written" {
	: >log
	dedup -k k -t t -w 10s --state s.db log
	sqlite3 s.db "CREATE TRIGGER t BEFORE INSERT ON dedup
	    WHEN new.timeMillis <= 199999000 - 10000
	    BEGIN SELECT RAISE(ABORT, 'forgotten'); END"
	awk 'BEGIN { for (i = 0; i < 200000; i++)
	    printf "{\"k\":\"%0200d\",\"t\":%d}\n", i, i }' >log
	(
		# The sanitizers map terabytes.
		[[ $BUILD == *san* ]] || ulimit -v 50000
		dedup -k k -t t -w 10s --state s.db --commit 1h \
		    --threads 1 log
	) >out
	[ "$(wc -l <out)" -eq 200000 ]
	[ "$(sqlite3 s.db 'SELECT count(*) FROM dedup')" -eq 10 ]
}

@test "--stats tells how many were dropped" {
	printf '{"k":%d}\n' 1 1 2 1 >log
	dedup -k k --stats=stats log >/dev/null
	[ "$(jq -c '[.emitted, .live_keys, .dropped]' stats)" = '[2,2,2]' ]
}

# Repeats of what was forgotten passed without a word: a log with the newest
# lines first looked as if it had 38113 alerts in place of 15538.
@test "dedup -w says how many late tuples it could not tell from repeats" {
	for i in 90 10 85 19 20; do echo "{\"k\":1,\"t\":$i}"; done >in
	run --separate-stderr -0 dedup -k k -t t -w 10s in
	[ "${#lines[@]}" = 4 ]
	[ "$stderr" = "dedup: warning: 3 late tuples passed, repeats or not, as \
what came before them was forgotten; -l 1m10.001s remembers it long enough" ]
	run --separate-stderr -0 dedup -k k -t t -w 10s -l 1m10.001s in
	[ "${#lines[@]}" = 3 ]
	[ -z "$stderr" ]
	run --separate-stderr -0 dedup -k k -t t -w 10s -l 1m10s in
	[[ $stderr = *": 1 late tuple passed,"*"-l 1m10.001s remembers it long enough" ]]
	run --separate-stderr -0 dedup -q -k k -t t -w 10s in
	[ -z "$stderr" ]
	# It was silent where a state is gone on with.
	dedup -k k -t t -w 10s --state s >first <<<'{"k":2,"t":1}'
	run --separate-stderr -0 dedup -k k -t t -w 10s --state s in
	[[ $stderr = *': 3 late tuples passed,'* ]]
}

# The state was said to be damaged.
@test "dedup -w goes on with more keys than --max-keys" {
	printf '{"k":%d,"t":1}\n' 1 2 3 >in
	dedup -k k -t t -w 10s --state s in >out
	echo '{"k":2,"t":2}' >>in
	dedup -k k -t t -w 10s --max-keys 1 --state s in >out
	[ ! -s out ]
	echo '{"k":4,"t":2}' >>in
	run -2 --separate-stderr dedup -k k -t t -w 10s --max-keys 1 --state s in
	[[ $stderr = *'ended at in:5 by --max-keys'* ]]
}
