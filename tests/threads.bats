#!/usr/bin/env bats
# However many threads scan, and in whatever order they come to it, each
# command writes the same.  With SAN=thread they wait at random wherever they
# hand over, see faults/delays.c; SEEDS says how.
load helper

setup_file() {
	cd "$BATS_FILE_TMPDIR" || return
	# Some have escapes, blanks or other members, and some are bad.
	python3 - <<-'END'
		import random
		rng = random.Random(7)
		for name, lines in ('a', 28000), ('b', 18000), ('c', 4000):
		    with open(name, 'w') as out:
		        for i in range(lines):
		            t = 1700000000000 + i * 60000 // lines * 10 + rng.randrange(9)
		            line = '{"k":"k%d","t":%d,"n":%d,"s":"%s"}' % (
		                rng.paretovariate(1), t, rng.randrange(1000),
		                rng.choice(('x', chr(233), r'\"', '-' * 99, 'some text')))
		            if rng.random() < .2:
		                line = line.replace(':', ': ').replace(',', ', ')
		            out.write(line + '\n')
		            if rng.random() < .001:
		                out.write(rng.choice(('', '{"k":', '\f', '{"k":{}}')) + '\n')
	END
}

# runs NAME ARGUMENT...: the command, with its messages behind its rows.
runs() {
	local status=0
	"$@" >rows 2>messages || status=$?
	cat rows messages
	echo "$status"
}

# same_by_threads NAME ARGUMENT...: in all numbers of threads.
same_by_threads() {
	local seed
	runs "$1" --threads 1 "${@:2}" >want
	[ "$(wc -c <want)" -gt 200 ]
	for seed in ${SEEDS:-1}; do
		DELAYS=$seed runs "$1" --threads $((seed % 4 + 2)) "${@:2}" >got
		same "$* ($seed)" want got
	done
}

@test "one input" {
	cd "$BATS_FILE_TMPDIR"
	same_by_threads rollcount -k k -t t -w 1m -e 10s -l 1s \
	    -a count,mean:n,p95:n,distinct:s a
	same_by_threads sessions -k k -t t -g 1s -l 1s -a count,max:n a
	same_by_threads dedup -k k,n -t t -w 20s a
	same_by_threads tally -k k -a count,sum:n,first:s a b
	same_by_threads timeline -k k --from t --to t --slice 1m --step 10s a
	same_by_threads topn -n 20 -k k -v n b a
	same_by_threads keep 'n > 500' a
	pkgroup -n 3 -k k -q a >tasks || true
	same_by_threads rollagg -k k -v n tasks
	same_by_threads tview a
	same_by_threads pkgroup -n 3 -k k -t t -e 10s -l 1s a
}

@test "several side by side, and pipes" {
	cd "$BATS_FILE_TMPDIR"
	same_by_threads sjoin -k k,n -t t -w 5s -l 1s a=a b=b c=c
	same_by_threads rollcount -k k -t t -w 1m -l 1s --interleave a b c
	same_by_threads sessions -t t -g 1s --interleave c b
	same_by_threads dedup -k k,n -t t -w 20s -l 1s --interleave b a
	mkfifo p
	cat b >p &
	runs tally --threads 1 -k k a p c >want
	cat b >p &
	runs tally --threads 3 -k k a p c >got
	same 'a pipe between files' want got
}

@test "with a state" {
	cd "$BATS_FILE_TMPDIR"
	for n in 1 4; do
		rm -f s.db
		for file in a b; do
			runs rollcount --threads $n -k k -t t -w 1m -l 1s -a count,p95:n \
			    --state s.db $file
		done >rows.$n
	done
	same 'rows' rows.1 rows.4
}
