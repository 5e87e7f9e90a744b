#!/usr/bin/env bats
# Files that are written to are no others: nothing that is read is emptied, and
# a command that is refused leaves nothing behind.
# shellcheck disable=SC2094
load helper

# refuses MESSAGE COMMAND...: misuse, for that reason.
refuses() {
	local want=$1 status=0
	shift
	"$@" 2>.err || status=$?
	[ "$status" -eq 2 ] || { echo "status $status"; cat .err; return 1; }
	[[ $(head -n 1 .err) == *": $want" ]] || { cat .err; return 1; }
	rm .err
}

# untouched COMMAND...: it leaves the folder as it is.
untouched() {
	find . -type f ! -name '.*' -exec md5sum {} + | sort >.before
	"$@" || return
	find . -type f ! -name '.*' -exec md5sum {} + | sort >.after
	same 'the files' .before .after
}

# The counters took the place of what had been read, with status 0.
@test "--stats is no input and no state" {
	printf '{"k":1}\n' >x
	ln x hard && ln -s x soft && mkdir folder
	tally -k k --state s.db x >out
	for file in x ./x folder/../x hard soft "$PWD/x"; do
		untouched refuses "--stats: '$file' is an input, too" \
		    tally -k k --stats="$file" x
		untouched refuses "--stats: '$file' is an input, too" \
		    tally -k k --stats="$file" <x
		untouched refuses "--stats: '$file' is an input, too" \
		    spout file x --stats="$file"
		untouched refuses "--stats: '$file' is an input, too" \
		    sjoin -k k --stats="$file" a=- b=/dev/null <x
		untouched refuses "--stats: '$file' is an input, too" \
		    sjoin -k k --stats="$file" a=/dev/null b=x
	done
	ln -s s.db link
	for file in s.db link; do
		untouched refuses "--stats: '$file' is part of the state" \
		    tally -k k --stats=$file --state s.db x
	done
	untouched refuses "--stats: 's.db' is part of the state" \
	    tally --dump --stats=s.db --state link
}

# The counters of the run before were gone, and no others in their place.
@test "a run that its state refuses leaves the files of the run before" {
	printf '{"k":1}\n{\n' >x
	status=0
	tally -k k --state s.db --output out --rejects bad --stats=st x ||
		status=$?
	[ "$status" -eq 0 ]
	for file in out bad st; do
		[ -s $file ]
	done
	untouched refuses "s.db: -a: 'tally' was begun with 'count', not\
 'sum:v'; --name begins another" \
	    tally -k k -a sum:v --state s.db --output out --rejects bad \
	    --stats=st x
	tally -k k --state s.db --output out --stats=st x
	[ "$(wc -l <st)" -eq 1 ]
}

# Part 0 was emptied, and then there was nothing to split.
@test "the files of pkgroup are not its input" {
	printf '{"k":1}\n' >p0
	untouched refuses "--files: 'p0' is an input, too" \
	    pkgroup -n 2 -k k --files p%d <p0
	ln p0 p3
	untouched refuses "--files: 'p3' is the file of --files, too" \
	    pkgroup -n 4 -k k --files p%d </dev/null
	untouched refuses "--files: 'q1' is the file of --rejects, too" \
	    pkgroup -n 2 -k k --files q%d --rejects q1 <p0
}

# The side file was made, and the state could not be begun in it.
@test "what is not there yet is told apart, too" {
	printf '{"k":1}\n' >x
	mkdir folder && ln -s folder/n.db soft && ln -s soft softer
	for file in ./n.db n.db folder/../n.db "$PWD/n.db" n.db-wal n.db-journal; do
		untouched refuses "--rejects: '$file' is part of the state" \
		    tally -k k --rejects "$file" --state n.db x
	done
	for file in folder/n.db soft softer; do
		untouched refuses "--stats: '$file' is part of the state" \
		    tally -k k --stats=$file --state folder/n.db x
	done
	untouched refuses "--stats: 'new' is an input, too" \
	    tally -k k --stats=new new
	untouched refuses "--stats: './new' is the file of --output, too" \
	    tally -k k --output new --stats=./new x
}

# It was the command's own input, opened by then, and was emptied.
@test "a descriptor that is not open is no output" {
	[ -d /proc/self/fd ] || skip 'no /proc here'
	echo '{"k":1}' >x
	for fd in /dev/fd/{11..19} /proc/self/fd/11; do
		untouched refuses "--output: '$fd' is not open" \
		    tally -k k --output "$fd" x
	done
	untouched refuses "--stats: '/dev/fd/11' is not open" \
	    tally -k k --stats=/dev/fd/11 x
	run -2 tally -k k /dev/fd/11
	[ "$output" = 'tally: /dev/fd/11: No such file or directory' ]
	tally -k k --output /dev/fd/11 x 11>out
	same opened <(echo '{"k":1,"count":1}') out
}

# An empty log became a database.
@test "the state is no input" {
	: >x
	untouched refuses "--state: 'x' is an input, too" tally -k k --state x x
	untouched refuses "--state: 'x' is an input, too" tally -k k --state x <x
	untouched refuses "--state: 'x' is an input, too" \
	    spout file x --multilang --state x </dev/null
}

# It read what it had written, for ever, or what the shell had emptied.
@test "stdout is no input, no state and no side file" {
	printf '{"k":1}\n' >x
	tally -k k --state s.db x >out
	appends() {
		"$@" >>x
	}
	untouched refuses "stdout: 'x' is an input, too" appends topn -v k x
	untouched refuses "stdout: 'stdin' is an input, too" \
	    appends topn -v k <x
	untouched refuses "stdout: 'x' is an input, too" appends spout file x
	untouched refuses "--rejects: '/dev/stdout' is the file of stdout, too" \
	    appends topn -v k --rejects /dev/stdout out
	untouched refuses "--stats: 'x' is the file of stdout, too" \
	    appends topn -v k --stats=x out
	appends_to_state() {
		"$@" >>s.db
	}
	untouched refuses "stdout: 's.db' is part of the state" \
	    appends_to_state tally --dump --state s.db
	# Rows go elsewhere then.
	tally -k k --output rows --stats=/dev/stdout x >counters
	[ -s rows ] && jq -e '.emitted == 1' counters
	# And a pipe is nothing that can be emptied.
	topn -v k --rejects /dev/stdout <(echo '[]') >/dev/null 2>&1
	echo '{"k":1}' | topn -v k --stats=/dev/stdout | grep -q '"emitted":1'
}

@test "side files may be one, the counters stand alone" {
	printf '{"k":1,"t":9}\n{}\n{"k":1,"t":0}\n' >x
	rollcount -k k -t t -w 1s -e 1s --rejects side --late side x >out 2>err
	printf '{}\n{"k":1,"t":0}\n' >want
	sort side | same side - <(sort want)
	untouched refuses "--stats: 'side' is the file of --rejects, too" \
	    rollcount -k k -t t --rejects side --stats=side x
	untouched refuses "--late: 'side' is the file of --output, too" \
	    rollcount -k k -t t --output side --late side x
}

# The counters of the run before were gone.
@test "where the input cannot be read nothing is emptied" {
	echo before >stats
	echo before >bad
	run -2 tally -k k --stats=stats --rejects bad none
	[ "$(cat stats bad)" = "before
before" ]
	run -2 tally -k k --stats=new none
	[ ! -e new ]
}

# The later of the two emptied what the first had written.
@test "a side file is not emptied while another command writes to it" {
	mkfifo go
	keep -q n --rejects bad <go &
	exec 5>go
	echo first >&5
	soon bad 1
	keep -q n --rejects bad <<<second
	echo third >&5
	exec 5>&-
	wait $!
	same bad <(printf '%s\n' first second third) bad
	keep -q n --rejects bad <<<alone
	same bad <(echo alone) bad
}

# It waited, and no signal ended that.
@test "a side file that another program has locked is written all the same" {
	: >bad
	mkfifo hold
	python3 -c 'import fcntl, sys
with open("bad", "r+") as bad:
    fcntl.lockf(bad, fcntl.LOCK_EX)
    print(flush=True)
    sys.stdin.read()' <hold >locked &
	exec 5>hold
	soon locked 1
	timeout 60 keep -q n --rejects bad <<<x
	exec 5>&-
	wait $!
	same bad <(echo x) bad
}

# A state of its own kept no lock.
@test "an output that a state goes on with is not emptied by another command" {
	mkfifo go
	dedup -k n --state s.db --output out <go &
	exec 5>go
	echo '{"n":1}' >&5
	soon out 1
	dedup -k n --output out <<<'{"n":2}'
	exec 5>&-
	wait $! || true
	grep -qx '{"n":1}' out
}

# It was the log of all jobs before.
@test "what standard error goes to is not emptied" {
	# What was appended was written over by messages.
	sjoin -s s -k k a b --expired /dev/stderr <<<'{"s":"a","k":1}' 2>log
	same log - log <<-'END'
		{"reason":"end","stream":"a","tuple":{"s":"a","k":1}}
		sjoin: no tuple is of stream 'b'
	END
	echo before >log
	{
		keep n --rejects /dev/stderr <<<x
		keep -q n --rejects log <<<y
		tally --stats=/dev/stderr <<<'{}'
	} 2>>log
	sed -i 's/,"lines".*/.../' log
	same log - log <<-'END'
		before
		keep: stdin:1:1: expected an object, got 'x'
		x
		y
		{"command":"tally"...
	END
}

# All that was read before it was thrown away.
@test "a file that is gone when its turn comes leaves the others" {
	local file
	for file in b c d; do echo '{"k":1}' >$file; done
	mkfifo a
	tally -k k --state s a b c d >out 2>err 5>&- &
	exec 5>a
	rm b d
	echo '{"k":1}' >&5
	exec 5>&-
	status=0
	wait $! || status=$?
	[ "$status" -eq 2 ]
	same messages - err <<-'END'
		tally: b: No such file or directory
		tally: d: No such file or directory
	END
	[ "$(cat out)" = '{"k":1,"count":2}' ]
	[ "$(tally -k k --dump --state s)" = '{"k":1,"count":2}' ]
}

# Each stream had a part of the lines, and of lines.
@test "a pipe is not read by two streams" {
	local operand
	for operand in - /dev/stdin pipe; do
		mkfifo pipe 2>/dev/null || true
		refuses "expected '$operand' once, got it twice" rollcount \
		    -t t --interleave "$operand" "$operand" < <(echo '{"t":1}')
	done
	refuses "expected './pipe' once, got it twice" sjoin -k k a=pipe b=./pipe
	sjoin -k k a=/dev/null b=/dev/null
	echo '{"t":1}' >a
	[ "$(rollcount -t t -w 1s --interleave a a)" = '{"count":2,"window_end":2000,"window_seconds":1}' ]
}
