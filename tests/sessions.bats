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
	read -r -t 20 row <&6
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
