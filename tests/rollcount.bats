#!/usr/bin/env bats
# bats sets stderr.
# shellcheck disable=SC2154
load helper

@test "golden rollcount" {
	golden rollcount
}

@test "the -l that is advised keeps what was late; -l all keeps everything" {
	spout words -n 500 --jitter 200s --seed 3 >in
	behind=$(jq -n '[foreach (inputs | .ts) as $t (0;
	    [., $t] | max; . - $t)] | max' in)
	rollcount -k word -t ts -w 1ms -e 1ms --stats=stats in >out 2>err ||
		[ $? -eq 1 ]
	jq -e ".late > 0 and .max_late_ms == $behind" stats
	advice='late tuples, by up to ([0-9.ms]+); -l ([0-9.ms]+) keeps them$'
	[[ $(<err) =~ $advice ]]
	[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
	rollcount -k word -t ts -w 1ms -e 1ms -l "${BASH_REMATCH[2]}" in |
		sort >out 2>err
	rollcount -k word -t ts -w 1ms -e 1ms -l all in | sort | same all out -
	jq -s -e 'map(.count) | add == 500' out
	[ ! -s err ]
}

# at TIME...: a tuple at each of them.
at() {
	printf '{"k":"a","t":%d}\n' "$@"
}

# Nothing was written, and nothing said.
@test "-i without a tick" {
	at 1 5 >in
	for options in '' '-t t'; do
		# shellcheck disable=SC2086
		run --separate-stderr rollcount -k k -w 1s -i $options in
		[ "$status" -eq 0 ]
		[ "$stderr" = "rollcount: warning: no tick came, so no window was written; -i needs those of rollcount -T or pkgroup -t -e, which jq and grep leave out" ]
	done
	echo '{"__tick":1000}' >>in
	run --separate-stderr rollcount -k k -w 1s -i in
	[ -z "$stderr" ]
	run --separate-stderr rollcount -k k -w 1s -i </dev/null
	[ -z "$stderr" ]
}

# A number that had been decoded was read again after the time was decoded in
# its place: 7975.
@test "a number and a time, both with escapes" {
	yes '{"v":"\u0031e30","t":"\u0032024-01-01T00:00:00Z"}' | head -n 3 |
		rollcount -v v -t t -w 1m >out
	grep -q '^{"count":3000000000000000000000000000000,' out
}

# -l was said to keep them, though they were not behind it; with -l all they
# were late by 292 million years, and by more before 1970.
@test "what a --final has closed is not kept by any -l" {
	for l in 0s 5s all; do
		rm -f s.db*
		at 1 5 12 | rollcount -k k -t t -w 10s -l $l --state s.db --final
		run -1 --separate-stderr rollcount -k k -t t -w 10s -l $l \
		    --state s.db --final --stats=stats < <(at 13 14 25)
		[ "$stderr" = "rollcount: warning: 2 late tuples, whose window an earlier --final has closed" ]
		jq -e '.max_late_ms == 0' stats
	done
	rm s.db*
	args=(-k k -t t --time-unit s -w 3m -e 1m -l all --state s.db)
	at -100 -40 | rollcount "${args[@]}" --final
	run -1 rollcount "${args[@]}" --stats=stats < <(at -30 -4000)
	jq -e '.late == 1 and .max_late_ms == 0 and .behind == 1 and
	    .max_behind_ms == 0' stats
}

# It was counted, and in no row.
@test "what comes behind a --final, but in time, is in the next window" {
	args=(-k k -t t --time-unit s -w 3m -e 1m --state s.db --final)
	at 1000 1400 | rollcount "${args[@]}" | tail -n 1 >out
	at 1390 | rollcount "${args[@]}" >>out
	printf '{"k":"a","count":%d,"window_end":%d,"window_seconds":180}\n' \
	    1 1440000 2 1500000 | same rows - out
}

@test "-l all with a state holds all windows from run to run, until --final" {
	args=(-k k -t t -w 2s -e 1s -l all)
	at 50 3 | rollcount "${args[@]}" --state s.db >out
	at 1 20 | rollcount "${args[@]}" --state s.db >>out
	[ ! -s out ]
	says="rollcount: s.db: -l: 'rollcount' was begun with 'all', not '0s'"
	run -2 rollcount "${args[@]:0:8}" --state s.db </dev/null
	[[ ${lines[0]} == "$says"* ]]
	at 2 | rollcount "${args[@]}" --state s.db --final >out
	at 50 3 1 20 2 | rollcount "${args[@]}" | same all - out
}

# All slots from the first one that was counted in were written: with a late
# tuple nearly all that there was.
@test "a commit writes only the slots that have changed" {
	for t in {0..11}; do
		printf '{"k":"%s","t":%d}\n' a "$((60 * t))" b "$((60 * t))"
	done >in
	args=(-k k -t t --time-unit s -w 10m -e 1m -l 2m --state s.db)
	rollcount "${args[@]}" in >/dev/null
	sqlite3 s.db 'CREATE TABLE written (slot, k, count);
		CREATE TRIGGER t AFTER INSERT ON rollcount BEGIN
		INSERT INTO written VALUES
		(new.slotStartMillis / 60000, new.k, new.count); END'
	printf '{"k":"%s","t":%d}\n' a 185 b 660 c 660 a 190 >>in
	rollcount "${args[@]}" in
	sqlite3 s.db 'SELECT * FROM written ORDER BY 1, 2' >got
	printf '%s\n' '3|a|3' '3|b|1' '11|a|1' '11|b|2' '11|c|1' |
	    same written - got
}

# What no window needs any more had been dropped from the rows.
@test "a slot of the state has its aggregates for as long as it is there" {
	printf '{"k":"a","t":%d,"v":%d}\n' 1 5 2 9 4 1 |
	    rollcount -k k -t t -w 3s -e 1s -a count,sum:v --state s.db >/dev/null
	sqlite3 s.db 'SELECT slotStartMillis, count, sum_v FROM rollcount
	    ORDER BY 1' >got
	printf '%s\n' '1000|1|5' '2000|1|9' '4000|1|1' | same slots - got
}
