#!/usr/bin/env bats
load helper

@test "golden sessions" {
	golden sessions
}

@test "by arrival time a session ends by the clock, though nothing comes" {
	# The writer waits for the row, so it can only be the clock's.
	mkfifo in out
	sessions -g 10ms <in >out &
	exec 5>in 6<out
	echo '{}' >&5
	read -r -t 60 row <&6
	[[ $row == '{"count":1,"session_start":'* ]]
	exec 5>&-
	wait $!
	run -1 read -r row <&6
}

@test "sessions stay open from run to run, and are closed once" {
	lines() { printf '{"k":"%s","t":%d,"x":%d.5}\n' "$@"; }
	lines a 0 1 b 1 2 a 100 3 a 50 4 b 104 5 >one
	lines c 90 6 b 51 7 a 75 8 d 300 9 >two
	local options='-k k -t t -g 40 -l 60 -a count,mean:x,first:x,p50:x,distinct:x'
	# shellcheck disable=SC2086
	sessions $options one two >want
	for part in one two; do
		# shellcheck disable=SC2086
		sessions $options --state s.db $part >>got
	done
	[ "$(sqlite3 s.db 'select k, session_end, count from sessions')" = 'd|300000|1' ]
	# shellcheck disable=SC2086
	sessions $options --state s.db --final two >>got
	same 'as in one' want got
	run -2 sessions -k k -t t -g 41 -l 60 --state s.db two
	[[ $output == *'-g'* ]]
}

# It stayed in the state, and was written again by the next run.
@test "a session of an earlier run that one of this run is united with is closed once" {
	local args=(-k k -t t -g 40 -l 100 --state s.db)
	printf '{"k":"a","t":%d}\n' 1100 | sessions "${args[@]}"
	printf '{"k":"a","t":%d}\n' 1050 1075 9000 | sessions "${args[@]}" >out
	[ "$(cut -d, -f2,3,4 out)" = '"count":3,"session_start":1050000,"session_end":1100000' ]
	[ "$(sqlite3 s.db 'select count, session_end from sessions')" = '1|9000000' ]
}

@test "sessions of a state keep the spellings of their keys" {
	printf '{"k":%s,"t":%d}\n' 1.0 0 1 100 1.0 200 >in
	sessions -k k -t t -g 40 in >want
	sessions -k k -t t -g 40 -l 1h --state s.db in
	sessions -k k -t t -g 40 -l 1h --state s.db --final /dev/null |
		same spellings want -
}

# One goes on for all the time, while ten at a time come and go.
@test "many sessions come and go before a state is written" {
	awk 'BEGIN { for (t = 0; t < 5000; t += 100) {
		for (k = 0; k < 10; k++)
			printf "{\"k\":%d,\"t\":%d}\n", k, t
		for (k = 0; k < 100; k += 30)
			printf "{\"k\":\"on\",\"t\":%d}\n", t + k
	} }' >in
	sessions -k k -t t -g 40 in >want
	sessions -k k -t t -g 40 --state s.db in >got
	[ "$(sqlite3 s.db 'select k, session_start, session_end from sessions')" = 'on|0|4990000' ]
	sessions -k k -t t -g 40 --state s.db --final /dev/null >>got
	same 'as in one' want got
}

@test "by arrival time the ticks of the input move nothing" {
	printf '%s\n' '{"k":"a"}' '{"__tick":4102444800000}' '{"k":"a"}' |
	    sessions -k k >out
	[[ $(<out) == '{"k":"a","count":2,'* ]]
}
