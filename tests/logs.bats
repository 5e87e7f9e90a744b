#!/usr/bin/env bats
# --state and files that grow, are renamed, copied, cut and swapped: every
# line counts once.
load helper

# lines FROM TO: so many tuples, of 60 bytes each.
lines() {
	seq "$1" "$2" | awk '{ printf "{\"k\":%d,\"pad\":\"%s\"}\n", $1,
	    substr("------------------------------------------------", 1,
		44 - length($1)) }'
}

# count FILE...: go on with the files.
count() {
	tally -k k --state s.db "$@" >out 2>>err
}

# counted FROM TO: those were counted, each once, and nothing else was; and
# nobody was warned.
counted() {
	tally --dump --state s.db | jq -r '"\(.k) \(.count)"' |
		same counts <(seq -f '%g 1' "$1" "$2") -
	same messages /dev/null err
}

# warned TEXT: that is all that was said.
warned() {
	echo "tally: warning: $1" | same messages - err
	: >err
}

# The copy was counted again: it has neither the name nor the inode of what the
# state had read.
@test "a log that is copied and truncated counts once" {
	lines 1 100 >web.log
	count web.log*
	cp web.log web.log.1
	: >web.log
	count web.log*
	counted 1 100
	lines 101 150 >>web.log
	count web.log*
	counted 1 150
	# It grows before it is copied over the last copy, and again behind it.
	lines 151 200 >>web.log
	cp web.log web.log.1
	lines 201 230 >web.log
	count web.log*
	counted 1 230
	# Nor does a second rotation between two runs lose anything.
	lines 231 240 >>web.log
	mv web.log.1 web.log.2
	cp web.log web.log.1
	lines 241 260 >web.log
	count web.log*
	counted 1 260
}

@test "the copy may be found later, and by another pattern" {
	lines 1 100 >log
	count log
	lines 101 120 >>log
	cp log log.1
	lines 121 130 >log
	count log
	warned 'log: was read up to byte 6000, but it was truncated since; read from its start'
	count log
	lines 131 140 >>log
	count log log.1
	counted 1 140
	mkdir old
	mv log.1 old/log.gone
	count old/* log
	counted 1 140
}

@test "a log that is renamed counts once, whichever name comes first" {
	lines 1 100 >log
	count log
	for last in 110 120 130; do
		lines $((last - 9)) $((last - 5)) >>log
		mv log log.1
		lines $((last - 4)) "$last" >log
		if [ $last = 120 ]; then count log log.1; else count log.1 log; fi
		counted 1 $last
	done
}

@test "two files that swap their names" {
	lines 1 10 >a
	lines 11 30 >b
	count a b
	mv a c
	mv b a
	mv c b
	lines 31 40 >>a
	lines 41 50 >>b
	count a b
	counted 1 50
}

# What both begin with is more than is looked at.
@test "two files with the same beginning, of which one goes on" {
	lines 1 100 >a
	cp a b
	lines 101 200 >>b
	count b
	count a b
	warned 'a: begins like b, which was read before; the lines of both count'
	tally --dump --state s.db | jq -r .count | sort | uniq -c |
		tr -s ' ' | same counts <(printf ' %d %d\n' 100 1 100 2) -
	# Both are copied; each copy goes on where its file was.
	cp a a.1
	cp b b.1
	lines 201 210 >>a.1
	lines 211 220 >>b.1
	: >a
	: >b
	count ./?.1 ./?
	[ "$(tally --dump --state s.db | jq -s 'map(.count) | add')" = 320 ]
	same messages /dev/null err
}

# Each begins with all that was read of the other.  To take the longest record
# that stands would pass over lines that nobody has read.
@test "logs of equal lines go on, each where it was" {
	equal() { yes "$(lines 1 1)" | head -n "$1"; }
	equal 100 >a
	equal 200 >b
	count a b
	equal 150 >>a
	count a
	[ "$(tally --dump --state s.db | jq .count)" = 450 ]
	rm s.db
	equal 100 >log
	count log
	mv log log.1
	equal 30 >log
	count log.1 log
	equal 80 >>log
	mv log log.1
	equal 5 >log
	count log.1 log
	[ "$(tally --dump --state s.db | jq .count)" = 215 ]
	warned 'log: begins like log.1, which was read before; the lines of both count'
}

@test "two empty files, and two new ones of one content" {
	: >a
	: >b
	count a b
	lines 1 50 >a
	cp a b
	count a b
	count a b
	[ "$(tally --dump --state s.db | jq -s 'map(.count) | add')" = 100 ]
	same messages /dev/null err
}

# They counted twice, without a word.
@test "a link to a log is told of" {
	lines 1 100 >log
	count log
	ln -s log log.now
	count log log.now
	[ "$(tally --dump --state s.db | jq -s 'map(.count) | add')" = 200 ]
	warned 'log.now: begins like log, which was read before; the lines of both count'
}

# A link is another name: to cat they are two files.
@test "hard and symbolic links, and a file that is named twice" {
	lines 1 50 >a
	count a a
	ln a b
	ln -s a c
	count b a
	count c
	lines 51 60 >>a
	count c
	tally --dump --state s.db | jq -r .count | sort | uniq -c |
		tr -s ' ' | same counts <(printf ' %d %d\n' 10 1 50 2) -
	same messages /dev/null err
}

# Nobody can tell, but it is not done in silence.
@test "a copy that is being made of a log that is not truncated yet" {
	lines 1 100 >log
	count log
	head -c 4000 log >log.1
	lines 101 110 >>log
	count log log.1
	warned 'log.1: begins like log, which was read before; the lines of both count'
	[ "$(tally --dump --state s.db | jq -s 'map(.count) | add')" = $((110 + 66)) ]
}

# It has no name: another file there is not one that has taken its place.
@test "standard input that is a file" {
	lines 1 50 >a
	count <a
	lines 51 60 >>a
	mv a a.1
	head -n 1 a.1 >b
	lines 61 70 >>b
	count a.1
	count <b
	tally --dump --state s.db | jq -r .count | sort | uniq -c |
		tr -s ' ' | same counts <(printf ' %d %d\n' 69 1 1 2) -
	same messages /dev/null err
	# Whoever has read its beginning has done so.
	{ read -r && count; } <<<"$(lines 80 90)"
	lines 100 110 >c
	{ read -r && count; } <c
	lines 111 120 >>c
	count c
	[ "$(tally --dump --state s.db | jq -s 'map(.k) | max, length')" = "$(
	    printf '%d\n' 120 $((70 + 10 + 20)))" ]
}

# Too short to be known by their content, they are by name and inode.
@test "files of a few bytes" {
	lines 1 2 >a
	lines 3 4 >b
	count a b
	mv a c
	lines 5 6 >>c
	mv b a
	count a c
	counted 1 6
	cp a b
	: >a
	count b
	[ "$(tally --dump --state s.db | jq -s 'map(.count) | add')" = 8 ]
}

# The record of a longer file, which was truncated, would have come before that
# of the first line that is in it now.
@test "a file that begins with the same line each time" {
	lines 1 1 >a
	count a
	: >a
	count a
	warned 'a: was read up to byte 60, but it was truncated since; read from its start'
	lines 1 3 >a
	count a
	[ "$(tally --dump --state s.db | jq -s 'map(.count) | add')" = 4 ]
}

@test "an inode that is used again" {
	lines 1 100 >a
	count a
	cp a keep
	# In place, as if it were the next file to get the inode.
	ln a b
	rm a
	lines 101 300 >b
	count b
	count keep
	counted 1 300
}

# The error was of another call: Resource temporarily unavailable.
@test "a log that is truncated under a running command" {
	mkfifo rows
	lines 1 40000 >log
	# It reads no further than its rows are taken.
	tally -k k -c --batch 1 --state s.db --commit 1h log >rows 2>err &
	exec 9<rows
	read -r -u 9 _
	lines 40001 40010 >>log
	cp log log.1
	lines 40011 40100 >log
	cat <&9 >/dev/null
	wait $!
	[[ $(cat err) == "tally: warning: log: was read up to byte "*", but it was truncated since; read from its start" ]]
	: >err
	tally -k k -c --batch 1 --state s.db log log.1 >/dev/null 2>err
	counted 1 40100
}

# It said the same as of a new log in the place of a copied one.
@test "where a line was deleted, the warning says that the start was read before" {
	lines 1 100 >log
	count log
	sed -i 50d log
	count log
	warned 'log: was read up to byte 6000, but another file has taken its place; read from its start, which was read before'
	# Below 1024 bytes it cannot be known.
	lines 1 10 >log
	count log
	: >err
	lines 1 9 >.new
	cat .new >log
	count log
	warned 'log: was read up to byte 600, but it was truncated since; read from its start'
}

# By then it was as long again.
@test "a log that is rewritten under a running command" {
	mkfifo rows
	lines 1 40000 >log
	tally -k k -c --batch 1 --state s.db log >rows 2>err &
	exec 9<rows
	read -r -u 9 _
	cp log log.1
	lines 40001 90000 >log
	cat <&9 >/dev/null
	wait $!
	[[ $(cat err) == "tally: warning: log: was read up to byte "*", but it was rewritten since; read from its start" ]]
	: >err
	tally -k k -c --batch 1 --state s.db log log.1 >/dev/null 2>err
	counted 1 90000
}

# By the time that the second name came, the first file had it.
@test "a log that is renamed, or copied, before its new name is read" {
	for how in mv cp; do
		rm -f s.db log*
		mkfifo rows
		lines 1 100 >log.1
		lines 101 140 >log
		tally -k k --state s.db log.1 >err
		lines 141 10000 >>log
		tally -k k -c --batch 1 --state s.db --commit 1h log log.1 \
		    >rows 2>err &
		exec 9<rows
		read -r -u 9 _
		lines 10001 10010 >>log
		$how log log.1
		lines 10011 10020 >log
		cat <&9 >/dev/null
		wait $!
		tally -k k --state s.db log.1 log >/dev/null 2>>err
		: >err
		counted 1 10020
		rm rows
	done
}

@test "of files that are not named again the last thousand are known" {
	for ((i = 0; i < 1011; i++)); do
		lines $((i * 20)) $((i * 20 + 19)) >f$i
	done
	count f[0-9] f10
	count f1[1-9] f[2-9]? f???
	count f????
	rename() { mv "$1" "x$1"; }
	for i in 0 5 9 10 11 1010; do rename f$i; done
	count xf11 xf1010 f12
	[ ! -s out ]
	# Those were used before the others.
	count xf0 xf5 xf9 xf10
	[ "$(wc -l <out)" -gt 0 ]
	[ "$(tally --dump --state s.db | wc -l)" = $((1011 * 20)) ]
	same messages /dev/null err
}

# What was read of it was taken for that of the other stream.
@test "a stream has its own files" {
	lines 1 50 >a
	sjoin -k k -t k -w 1s -l 1h --state s.db a=a b=/dev/null
	cp a b
	sjoin -k k -t k -w 1s -l 1h --state s.db --final a=a b=b >rows
	[ "$(wc -l <rows)" = 50 ]
}

# Whoever has compressed it has written another file, of other bytes.
@test "a log that is renamed, then compressed, counts once" {
	for how in gzip 'zstd -q --rm'; do
		rm -f log* s.db
		lines 1 100 >log
		count log
		lines 101 120 >>log
		mv log log.1
		lines 121 150 >log
		$how log.1
		count log.1.* log
		counted 1 150
		# The next night, under the next name.
		mv log.1.* log.2.old
		mv log log.1
		lines 151 160 >>log.1
		$how log.1
		lines 161 170 >log
		count log*
		counted 1 170
		count log*
		[ ! -s out ]
		counted 1 170
	done
}

@test "a compressed log that is replaced by another one" {
	lines 1 100 | gzip >old.gz
	count old.gz
	lines 101 200 | gzip >new
	mv new old.gz
	count old.gz
	warned 'old.gz: was read up to byte 6000, but another file has taken its place; read from its start'
	counted 1 200
}

@test "a compressed file that grows by members goes on, and one that has not changed is not read" {
	lines 1 100 | gzip >a
	count a
	lines 101 150 | zstd -q >>a
	tally -k k --state s.db --stats=stats a >out
	[ "$(jq .lines stats)" = 50 ]
	counted 1 150
	tally -k k --state s.db --stats=stats a >out
	[ "$(jq -c '[.lines, .bytes]' stats)" = '[0,0]' ]
	# It would not even notice.
	touch -r a before
	printf X | dd of=a bs=1 seek=40 conv=notrunc status=none
	touch -r before a
	count a
	counted 1 150
	touch -d '2001-01-01' a
	tally -k k --state s.db a >out 2>>err || [ $? = 2 ]
	grep -q 'a: damaged compressed data: ' err
}

# It waited for its rest, and nothing told of it.
@test "a compressed file whose last line has no newline" {
	lines 1 10 | head -c -1 | gzip >a
	count a
	counted 1 10
	count a
	counted 1 10
	lines 11 12 | gzip >b
	count b
	counted 1 12
}

# That it is the same log was not known, and nothing told of it.
@test "a log of a few bytes that was compressed" {
	lines 1 10 >a
	count a
	gzip -c a >a.1.gz
	lines 11 12 >a
	count a a.1.gz
	sed -i '/a: was read up to byte 600, but it was truncated since;/d' err
	warned 'a.1.gz: begins like a file of which 600 bytes were read before; below 1024 that is not enough to know it again, and its lines count'
	[ "$(tally --dump --state s.db | jq -s 'map(.count) | add')" = 22 ]
}

@test "a compressed file that was not read to its end goes on where it was" {
	mkfifo rows
	lines 1 3000 | gzip >a
	tally -k k -c --batch 1 --state s.db --commit 1ms a >rows 2>err &
	exec 9<rows
	read -r -u 9 _
	read -r -u 9 _
	kill -9 $!
	exec 9<&-
	wait $! || true
	count a
	counted 1 3000
	# And so does one that is cut off, when the rest of it comes.
	lines 3001 9000 | gzip >b
	head -c 9000 b >c
	tally -k k --state s.db c >out 2>>err || [ $? = 2 ]
	grep -qx 'tally: c: damaged compressed data: unexpected end; what was decompressed before was used' err
	: >err
	cp b c
	count c
	counted 1 9000
}


@test "a compressed log that is being written beside the log is told of" {
	lines 1 100 >log
	count log
	gzip -k log
	count log log.gz
	warned 'log.gz: begins like log, which was read before; the lines of both count'
}

# The blank lines of another file made it the first line of this one.
@test "a bad line in the middle of a log does not tell of the whole log" {
	printf '{"v":1}\n%.0s' {1..5} >log
	printf '\n\n\n\n\n' >blank
	tally --state s.db -k v log >out
	printf '[\n{"v":2}\n' >>log
	run -1 --separate-stderr tally --state s.db -k v blank log
	# shellcheck disable=SC2154 # bats sets stderr
	[ "$stderr" = "tally: log:6:1: expected an object, got '['" ]
}
