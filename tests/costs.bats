#!/usr/bin/env bats
# What a tuple costs does not grow with what came before it.  Each case was
# quadratic once: its story has the seconds that it took then.
load helper

# took INPUT COMMAND...: set `ms` to the milliseconds of processor time that it
# takes, its workers included.
took() {
	local TIMEFORMAT='%3U %3S' input=$1
	shift
	{ time "$@" <"$input" >/dev/null 2>&1; } 2>spent
	ms=$(awk '{ printf "%d", ($1 + $2) * 1000 }' spent)
}

# linear N PROGRAM COMMAND...: on four times the input it takes about four
# times as long, not 16 times.  PROGRAM, in awk, writes the input of size n; @N
# in an argument is that size.  A machine that is busy with other things has
# three goes.
linear() {
	local n=$1 program=$2 few many ms
	shift 2
	awk -v n="$n" "BEGIN { $program }" >few
	awk -v n="$((4 * n))" "BEGIN { $program }" >many
	for _ in 1 2 3; do
		took few "${@//@N/$n}"
		few=$ms
		took many "${@//@N/$((4 * n))}"
		many=$ms
		echo "$n: $few ms, $((4 * n)): $many ms"
		((many >= 8 * (few + 1))) || return 0
	done
	return 1
}

# Slots ahead were a list that was searched from its end: 0.6, 2.1 and 8.2 s
# for 100, 200 and 400 thousand tuples.
@test "rollcount: times that go back" {
	linear 50000 'for (i = n; i > 0; i--)
		printf "{\"k\":\"a\",\"ts\":1700000%06d}\n", i' \
	    rollcount -k k -t ts -w 1ms -e 1ms -l 1000s
}

# A report looked at every key that there was: 1.8 and 7.5 s for 25 and 50
# thousand.
@test "rollcount: each key in a slot of its own" {
	linear 10000 'for (i = 0; i < n; i++)
		printf "{\"k\":%d,\"ts\":1700000%06d}\n", i, i' \
	    rollcount -k k -t ts -w 1ms -e 1ms -l 1000s
}

# Where a sum lost its digits, all slots of the key were added up again: 1.5
# and 43 s for 10 and 40 thousand.
@test "rollcount -v: numbers that cancel" {
	linear 2000 'split("1e60 -1e60 0.5", v, " ")
		for (i = 0; i < 2 * n; i++)
			printf "{\"k\":\"a\",\"v\":%s,\"ts\":1700000%06d}\n",
			    v[i % 3 + 1], i' \
	    rollcount -k k -t ts -w @Nms -e 1ms -v v
}

# What is open of a key was moved for each that came before it: 1.4 and 5.9 s
# for 200 and 400 thousand, the newest first; 2.9 s for two files of 200 thousand
# in the wrong order.  What moved only those between two places was slower for
# two files by turns.
@test "sessions, rollcount -a: the newest first, or an older file last" {
	local first='for (i = n; i > 0; i--) t(i)'
	local last='for (i = n; i < 2 * n; i++) t(i); for (i = 0; i < n; i++) t(i)'
	local turns='for (i = 0; i < n; i++) { t(i); t(i + n) }'
	local order t='function t(i) {
		printf "{\"k\":1,\"ts\":17%08d000}\n", i }'
	for order in "$first" "$last" "$turns"; do
		linear 40000 "$order } $t BEGIN {" \
		    sessions -k k -t ts -g 500ms -l all
		linear 40000 "$order } $t BEGIN {" \
		    rollcount -a count -k k -t ts -w 1s -l all
	done
}

@test "sjoin --table: the newest rows first" {
	linear 40000 'for (i = n; i > 0; i--)
			printf "{\"k\":1,\"ts\":17%08d000}\n", i' \
	    sjoin -k k -t ts -l all --table t s=/dev/null t=-
}

# Each tuple looked at all files: 0.42 and 3.9 s for a million in 100 and 1000.
@test "rollcount --interleave: many files" {
	mkdir f250 f1000
	linear 250 'for (f = 0; f < n; f++) {
			name = sprintf("f%d/%d", n, f)
			for (i = 0; i < 300; i++)
				printf "{\"k\":1,\"ts\":17000%08d}\n",
				    n * i + f >name
			close(name)
		}' \
	    sh -c 'exec rollcount -k k -t ts -w 1s --interleave f@N/*'
}

# Each tuple looked through all sources of its key: 11 and 45 s for 60 and 120
# thousand.
@test "rollagg: many sources of one key" {
	linear 4000 'for (i = 0; i < n; i++)
			printf "{\"k\":1,\"task\":%d,\"count\":1}\n", i
		for (i = 0; i < n; i += 2)
			printf "{\"k\":1,\"task\":%d,\"count\":0}\n", i' \
	    rollagg -k k
}

# Each part that came back had a new place: 27 MB for a million lines, 75 for four.
@test "rollagg: memory of parts that come and go" {
	[[ $BUILD != *san* ]] || skip "sanitizers keep what was freed"
	peak() {
		seq "$1" | awk 'BEGIN {print "{\"k\":2,\"task\":1,\"count\":5}"} {printf "{\"k\":1,\"task\":1,\"count\":%d}\n", $1 % 2}' |
			python3 -c 'import resource, subprocess
subprocess.run(["rollagg", "-k", "k"], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)'
	}
	[ "$(peak 1000000)" -lt $(($(peak 10000) + 3000)) ]
}

# What a source had was taken off by adding up all others again: 0.4 and 6.1 s
# for 5 and 20 thousand.
@test "rollagg: numbers that cancel" {
	linear 4000 'for (i = 0; i < n; i++)
			printf "{\"k\":1,\"task\":%d,\"count\":0.1}\n", i
		for (i = 0; i < n; i++)
			printf "{\"k\":1,\"task\":%d,\"count\":%s}\n", i / 2,
			    i % 2 == 0 ? "-1e60" : "0.3"' \
	    rollagg -k k
}

# Each session that closed moved all later ones of its key: 0.3, 0.9 and 3.6 s
# for 50, 100 and 200 thousand.
@test "sessions: many of one key" {
	linear 40000 'for (i = 0; i < n; i++)
		printf "{\"ts\":17%08d}\n", 10 * i' \
	    sessions -t ts -g 5s -l all
}

# What waits of a key was a list by time, searched from its end: 0.6, 2.3 and
# 8 s for 20, 40 and 80 thousand.
@test "sjoin -m: one key, times that go back" {
	linear 10000 'for (i = n; i > 0; i--)
		printf "{\"s\":\"a\",\"k\":1,\"ts\":1700000%06d}\n", i' \
	    sjoin -k k -t ts -s s -m -w 1000s -l 1000s a b
}

# The same list, where each tuple went by all later ones of the other stream.
@test "sjoin -m: one key, a stream ahead of the other" {
	linear 8000 'for (i = 0; i < n; i++)
		printf "{\"s\":\"%s\",\"k\":1,\"ts\":170000%d%06d}\n",
		    i % 2 == 0 ? "a" : "b", i % 2, 5 * i' \
	    sjoin -k k -t ts -s s -m -w 10ms -l 1000s a b
}

# To forget the keys of a batch the whole table was cleared, as large as the
# largest batch had made it: 0.5 and 2.3 s for 50 and 100 thousand.
@test "topn -k: a large batch, then small ones" {
	linear 20000 'for (i = 0; i < n; i++)
			printf "{\"k\":%d,\"v\":5}\n", i
		for (i = 0; i < n; i++)
			printf "{\"k\":%d,\"v\":5}\n{\"__tick\":%d}\n", i, i' \
	    topn -k k -v v
}

# Long keys that come and go made all others be copied: 0.15, 0.6 and 2.0 s for
# 50, 100 and 200 thousand.
@test "sjoin: long keys come and go beside those that wait" {
	linear 8000 'for (i = 0; i < 8 * n; i++)
			printf "{\"s\":\"a\",\"k\":%d,\"ts\":1}\n", i
		for (x = "x"; length(x) < 1024;)
			x = x x
		for (i = 0; i < n; i++) {
			printf "{\"s\":\"a\",\"k\":\"%s%d\",\"ts\":2}\n", x, i
			printf "{\"s\":\"b\",\"k\":\"%s%d\",\"ts\":2}\n", x, i
		}' \
	    sjoin -k k -t ts -s s -w 10s a b
}

# Ticks that had not been passed on were moved with each one that was: 0.6 s
# for 20 thousand.
@test "pkgroup: ticks without rows" {
	linear 2000 'for (i = 0; i < n; i++)
		printf "{\"__tick\":%d}\n", i' \
	    pkgroup -n 8 -k k --merge tick -- cat
}

# The same, of the tasks that have no rows: 0.15 and 1.5 s for 5 and 20
# thousand.
@test "pkgroup: all rows to one task" {
	linear 1000 'for (i = 0; i < n; i++)
		printf "{\"k\":\"k\",\"ts\":%d}\n", i' \
	    pkgroup -n 16 -k k -g fields -t ts -e 1s --time-unit s -- cat
}

# Its beginning was looked for after each write: 0.2 and 2.4 s for 4 and 16 MB.
@test "pkgroup: one long line" {
	linear 4 'printf "{\"k\":\"k\",\"x\":\""
		for (x = "x"; length(x) < 1048576;)
			x = x x
		for (i = 0; i < n; i++)
			printf "%s", x
		printf "\"}\n"' \
	    pkgroup -n 2 -k k -- cat
}

# The C library began anew at each a: 0.11 and 1.8 s for 10 and 40 kB, and twice as
# long where the + is.
@test "keep =~: a long string without a match" {
	linear 100000 'printf "{\"s\":\"b"
		for (i = 0; i < n; i++)
			printf "a"
		printf "\"}\n"' \
	    keep 's =~ "a.*b"'
	linear 100000 'printf "{\"s\":\""
		for (i = 0; i < n; i++)
			printf "a"
		printf "\"}\n"' \
	    keep 's =~ "[a-z]+[0-9]"'
}

# For each column all cells were looked at: 1.1 and 25 s for a row of 40 and 160
# thousand.
@test "tview --format markdown: many columns" {
	linear 20000 'for (i = 0; i < n; i++)
		printf "%s\"f%d\":%d", i == 0 ? "{" : ",", i, i
		print "}"' \
	    tview --format markdown
}

# Each step that an interval touches was counted up.
@test "timeline: long intervals" {
	linear 10000 'for (i = 0; i < n; i++)
		printf "{\"k\":\"k\",\"a\":%d,\"b\":%d}\n", i, i + n' \
	    timeline -k k --from a --to b --time-unit s --step 1s --slice 1h
}

# Each member was compared with each name of its length and first letter.
@test "tally -k: many fields that are called alike" {
	# shellcheck disable=SC2016
	linear 400 'for (l = 0; l < 300; l++) {
			for (i = 0; i <= n; i++)
				printf "%s\"f%d\":%d", i == 0 ? "{" : ",", i, i
			print "}"
		}' \
	    bash -c 'tally -k "$(printf "f%d," {1..@N})f0"'
}

# Each field, aggregate and name was held against all before it: 0.07 and 1.6 s
# for 4 and 16 thousand of a key.
@test "tally: many fields on the command line" {
	# shellcheck disable=SC2016
	linear 4000 '' bash -c 'tally -k "$(printf "f%d," {1..@N})f0"'
	# shellcheck disable=SC2016
	linear 2500 '' bash -c 'tally -a "$(printf "sum:f%d," {1..@N})count"'
}

# The names of all streams were compared one by one: 0.2 and 2.7 s.
@test "sjoin -s: a thousand streams and more" {
	# shellcheck disable=SC2016 # the inner shell counts
	linear 2000 'for (i = 0; i < 20 * n; i++)
		print "{\"s\":\"1999999\",\"k\":1}"' \
	    bash -c 'sjoin -m -k k -s s $(seq 1000000 $((1000000 + @N)))'
}
