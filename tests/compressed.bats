#!/usr/bin/env bats
# Input that is gzip or zstd by its first bytes.
# run --separate-stderr sets $stderr:
# shellcheck disable=SC2154
load helper

# lines FROM TO: so many tuples.
lines() {
	seq "$1" "$2" | sed 's/.*/{"k":&,"b":0}/'
}

# holds FROM TO: those are in the file rows, in order.
holds() {
	same rows <(lines "$1" "$2") rows
}

# damaged NAME REASON: that is all that keep said.
damaged() {
	echo "keep: $1: damaged compressed data: $2; what was decompressed before was used" |
		same messages - err
}

@test "a compressed file is read as the plain one, whatever it is called" {
	lines 1 20000 >log
	gzip -k log
	zstd -q log
	mv log.zst log.z
	for file in log.gz log.z; do
		keep k "$file" >rows
		holds 1 20000
		keep k <$file >rows
		holds 1 20000
		keep k <(cat $file) >rows
		holds 1 20000
		keep k --threads 1 $file >rows
		holds 1 20000
	done
	lines 20001 20010 >last
	keep k log.gz last >rows
	holds 1 20010
	keep k --stats=stats log.gz log log.z >rows
	[ "$(jq .lines stats)" = 60000 ]
	[ "$(jq .bytes stats)" = $((3 * $(wc -c <log))) ]
	# Each of the streams has a thread of its own.
	sjoin -k k a=log.gz b=log.z | jq -c .a >rows
	holds 1 20000
}

@test "a window that is too large is no mystery" {
	lines 1 10 | zstd -q --long=31 >large || skip 'zstd has no long windows'
	run -2 --separate-stderr keep k large
	[[ $stderr == *'zstd --long=31 -dc'* ]]
}

@test "members and frames follow each other, and zeros may be between them" {
	{
		lines 1 10 | gzip
		lines 11 20 | head -c 50 | zstd
		lines 11 20 | tail -c +51 | gzip
		head -c 700 /dev/zero
		lines 21 30 | zstd
		: | gzip
	} >all
	keep k all >rows
	holds 1 30
	keep k <(cat all) >rows
	holds 1 30
	# A frame that zstd is to skip comes first where it was made in parallel.
	{
		printf 'P*M\x18\x04\0\0\0abcd'
		lines 1 5 | zstd
	} >skip
	keep k skip >rows
	holds 1 5
}

@test "compressed files without content, and those that are too short to be one" {
	: | gzip >a
	: | zstd >b
	keep k a b >rows
	[ ! -s rows ]
	for text in '\x1f' '\x1f\x8b' '(' '(\xb5/' 'P*'; do
		# shellcheck disable=SC2059
		run -1 --separate-stderr keep k <(printf "$text")
		[[ $stderr == *":1:1: expected an object, got"* ]]
	done
	# So does one that goes on as nothing that is compressed does.
	run -1 --separate-stderr keep k <(printf '\x1f'; echo; echo 1)
	[ "${#stderr_lines[@]}" = 2 ]
}

# What the first read brings is too little to tell.
@test "the first bytes may come one by one" {
	lines 1 10 | gzip >x
	mkfifo p
	python3 -c '
import os
with open("x", "rb") as x:
    text = x.read()
p = os.open("p", os.O_WRONLY)
for byte in text:
    os.write(p, bytes([byte]))' &
	keep k p >rows
	holds 1 10
	wait $!
}

# The first byte was taken for text of which all had been used, and memory before
# it was read.
@test "the first bytes may come one by one in what is sent again, too" {
	lines 1 20 | gzip >x
	mkfifo p
	lines 1 10 | tally -k k --state s.db >/dev/null
	python3 -c '
import array, fcntl, os, termios
p = os.open("p", os.O_WRONLY)
waiting = array.array("i", [0])
for byte in open("x", "rb").read():
    os.write(p, bytes([byte]))
    fcntl.ioctl(p, termios.FIONREAD, waiting)
    while waiting[0] != 0:
        fcntl.ioctl(p, termios.FIONREAD, waiting)' &
	tally -k k --state s.db --replay <p >rows
	wait $!
	same rows <(lines 11 20 | tally -k k) rows
}

@test "of a damaged file what came before counts, the next one is read, and all is told at the end" {
	lines 1 1000 >a
	lines 1001 1005 >b
	gzip -k a
	zstd -q -k a
	head -c -9 a.gz >cut.gz
	head -c -9 a.zst >cut.zst
	for file in cut.gz cut.zst; do
		run -2 keep k $file b
		keep k $file b >rows 2>err || true
		damaged $file 'unexpected end'
		n=$(grep -c . rows)
		[ "$n" -ge 5 ] && [ "$n" -le 1005 ]
		same rows <(head -n $((n - 5)) a; cat b) rows
		# And what is half a line is none.
		keep k <(cat $file) >rows 2>err || true
		damaged "$(sed 's/keep: \([^:]*\):.*/\1/' err)" 'unexpected end'
		same rows <(head -n "$(wc -l <rows)" a) rows
	done
	{ cat a.gz; echo; } >more.gz
	keep k more.gz >rows 2>err || [ $? = 2 ]
	damaged more.gz 'something else follows'
	holds 1 1000
	{ head -c -8 a.gz; printf 12345678; } >sum.gz
	keep k sum.gz >rows 2>err || [ $? = 2 ]
	damaged sum.gz 'incorrect data check'
	holds 1 1000
	# One of two streams.
	run -2 --separate-stderr sjoin -k k a=more.gz b=b -a b --idle 1ms
	[ "${#lines[@]}" = 5 ]
}

@test "a lack of memory is no damage" {
	[[ $BUILD != *san* ]] || skip "sanitizers need memory"
	seq 200000 | sed 's/.*/{"k":&}/' | zstd -q --long=27 >in.zst
	(
		ulimit -v 120000
		run -2 tally -k k in.zst
		[ "$output" = "tally: out of memory" ]
	)
}

@test "whoever ends early does not wait for the rest" {
	{ echo '{'; lines 1 300000; } >a
	gzip -1 a
	run -2 keep --on-error stop k a.gz
	keep k --on-error skip a.gz | head -n 1 >rows
	holds 1 1
	# Nor for what never comes.
	mkfifo p
	exec 9<>p
	echo '{' | gzip >&9
	run -2 keep --on-error stop k p
	exec 9>&-
}

@test "what comes compressed through a pipe is shown at once" {
	mkfifo p q
	keep k <p >q &
	exec 8>p 9<q
	python3 -c '
import sys, zlib
z = zlib.compressobj(wbits=31)
out = sys.stdout.buffer
out.write(z.compress(b"{\"k\":1}\n") + z.flush(zlib.Z_SYNC_FLUSH))' >&8
	read -r line <&9
	[ "$line" = '{"k":1}' ]
	exec 8>&-
	status=0
	wait $! || status=$?
	[ $status = 2 ]
	exec 9<&-
}

# It was taken for a pipe that is silent while its decompression had no more:
# rows depended on the time that this took.
@test "a compressed file beside others is read like a plain one" {
	for i in 1 2 3 4 5 6; do echo "{\"id\":1,\"n\":$i}"; done >a
	gzip -k a
	for i in {1..20}; do
		[ "$(sjoin -k id -o a.n,b.n a=a.gz b=a.gz | wc -l)" -eq 6 ]
	done
	# Blanks that take a while.
	{ head -c 50000000 /dev/zero | tr '\0' ' '; echo '{"k":1,"ts":1}'; } |
	    gzip -1 >late.gz
	printf '{"k":1,"ts":%d}\n' 5 50 >b
	run -0 rollcount -a count -t ts -w 10s --interleave --idle 1ms \
	    --no-zeros late.gz b
	[ "${lines[0]}" = '{"count":2,"window_end":10000,"window_seconds":10}' ]
	echo '{"k":1}' >s
	[ "$(sjoin -k k --table t -a s --idle 1ms -o k,ts s=s t=late.gz)" = \
	    '{"k":1,"ts":1}' ]
}
