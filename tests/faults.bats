#!/usr/bin/env bats
# Calls of the system that fail, which tests/faults/faults.c sees to.
load helper

setup() {
	can_fault
	cd "$BATS_TEST_TMPDIR" || return
}

# fails FAULT COMMAND...: its status is in $status, what it says in out and err.
fails() {
	status=0
	faulty "$@" >out 2>err || status=$?
}

# each_malloc COMMAND...: let each of the first allocations fail.  That is
# told, or the output is right, and the file stats.
each_malloc() {
	local i told=0
	: >stats
	"$@" <in >want
	mv stats want.stats
	for ((i = 1; i <= 120; i++)); do
		: >stats
		fails "memory:$i:12" "$@" <in
		if [ "$status" -ne 0 ]; then
			[ -s err ]
			((told += 1))
			continue
		fi
		sed -i -E 's/"(pid|seconds)":[0-9.e-]+//' want out want.stats stats
		same "output without the allocation $i" want out
		same "counters without the allocation $i" want.stats stats
	done
	[ "$told" -gt 0 ]
}

@test "of each kind of call some that fail are told, or make no difference" {
	can_fault_all
	python3 "$TOP/tests/faults/faults.py" "$BUILD" --few 6
}

# It was emptied for the counters, as a file of their own is.
@test "the file of standard error keeps its messages, though it is not known" {
	can_fault_all
	echo bad >in
	for i in {1..12}; do
		fails "fstat:$i:5" tally -k k --stats in
		grep -q 'in:1:1: expected an object' err || [ "$status" -eq 2 ]
	done
}

# The file that it was to be made of stayed, under a name of its own.
@test "a state that cannot be made leaves nothing behind" {
	can_fault_all
	echo '{"k":1}' >log
	for call in fdatasync:1:5 fdatasync:1:28 link:1:1 disk:1:28+ \
	    memory:600:12+; do
		fails "$call" tally -k k --state s.db log
		[ "$status" -eq 2 ]
		[ "$(wc -l <err)" -eq 1 ]
		rm -f s.db
		[ "$(echo *)" = 'counts err log out' ]
	done
}

# The header of a state that came in two parts was that of no state.
@test "a header that is read bit by bit is one" {
	echo '{"k":1}' >log
	tally -k k --state s.db log
	for how in 0 4; do
		fails pread:1:$how tally -k k --state s.db log
		[ "$status" -eq 0 ]
		[ ! -s err ]
	done
}

# It was emptied, as nothing was known to be read and written.
@test "an input that cannot be looked at is not written to" {
	can_fault_all
	echo '{"k":1}' >in
	for i in {1..6}; do
		fails "stat:$i:5" tally -k k --output in in
		[ "$status" -eq 2 ]
		[ "$(<in)" = '{"k":1}' ]
	done
}

# They were lost, with status 2.
@test "counters are written although a signal comes just then" {
	echo '{"k":1}' >in
	for i in 1 2 3; do
		rm -f stats
		fails "write:$i:4" tally -k k --stats=stats in
		[ "$status" -eq 0 ]
		jq -e '.lines == 1' stats
	done
}

# It was called damaged, and then is to be moved away.
@test "a state that cannot be read just now is not damaged" {
	can_fault_all
	yes '{"k":1}' | head -n 100 >in
	for k in {1..2000}; do echo "{\"k\":$k}"; done >>in
	tally -k k --state s.db in
	for i in {1..16}; do
		fails "pread:$i:5" tally -k k --state s.db in
		if [ "$status" -ne 0 ]; then
			grep -q 'I/O error\|Input/output error' err
			run ! grep damaged err
		fi
	done
}

# Whoever read ahead could not say so, and was waited for.
@test "a thread that cannot be heard ends the command" {
	spout words -n 60000 >in
	fails write:1:5 tally -k word --threads 2 in
	[ "$status" -eq 2 ]
	[ "$(<err)" = 'tally: pipe: Input/output error' ]
}

# Nothing told that signals would be waited for, for ever, instead of looked at.
@test "a pipe that cannot be made as it must be is told of" {
	for i in 1 2 3 4; do
		fails "fcntl:$((i + 3)):22" tally -k k </dev/null
		[ "$status" -eq 2 ]
		[ "$(<err)" = 'tally: pipe: Invalid argument' ]
	done
}

# It was asked once only, and its end was waited for.
@test "a worker that ends while something else happens has ended" {
	spout words -n 10 >in
	for i in 1 2 3; do
		fails waitpid:$i:4 pkgroup -n 1 -k word -- sort <in
		[ "$status" -eq 0 ]
		[ ! -s err ]
		sort out | same rows <(sort in) -
	done
}

# A worker had pkgroup's own stdin; of --stats quotes were missing, and of what
# Storm had set, the ends of names.
@test "without memory nothing is left out silently" {
	spout words -n 10 >in
	each_malloc pkgroup -n 1 -k word -- cat
	cat >in <<-'END'
	{"conf":{"topology.tick.tuple.freq.secs":3},"context":{}}
	end
	END
	each_malloc rollcount --multilang -k word -w 6s -e 3s
	each_malloc spout words -n 10 --stats=stats
}
