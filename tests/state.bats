#!/usr/bin/env bats
# --state: what every command that has one does alike.
load helper

# rows KEY...: tuples.
rows() {
	printf '{"k":"%s"}\n' "$@"
}

# says STATUS TEXT COMMAND...: fails so, and stderr is TEXT.
says() {
	local status=0 want=$1 text=$2
	shift 2
	"$@" >.out 2>.err </dev/null || status=$?
	echo "$text" >.text
	[ "$status" -eq "$want" ] || { echo "status $status"; cat .err; return 1; }
	same "$*" .text <(head -n 1 .err)
}

counts() {
	tally -k k --state s.db --dump
}

@test "a file that grows is read from where it was left" {
	rows a b a >log
	tally -k k --state s.db log >out
	printf '{"k":"c"}\n{"k":"' >>log
	tally -k k --state s.db log >>out
	printf 'a"}\n' >>log
	tally -k k --state s.db log >>out
	tally -k k --state s.db <log >>out
	printf '%s\n' '{"k":"a","count":2}' '{"k":"b","count":1}' \
	    '{"k":"c","count":1}' '{"k":"a","count":3}' | same out - out
}

@test "a last line without newline counts with --final" {
	printf '{"k":"a"}\n{"k":"b"}' >log
	tally -k k --state s.db log >out
	tally -k k --state s.db --final log >>out
	tally -k k --state s.db --final log >>out
	printf '%s\n' '{"k":"a","count":1}' '{"k":"b","count":1}' | same out - out
}

@test "messages count lines from the start of the file" {
	rows a b >log
	tally -k k --state s.db log
	echo x >>log
	says 1 "tally: log:3:1: expected an object, got 'x'" tally -k k --state s.db log
}

@test "a log that was rotated counts once, under both names" {
	rows a b >log
	tally -k k --state s.db log.1 log 2>err || rows >log.1
	rows c >>log
	mv log log.1
	rows d >log
	tally -k k --state s.db log log.1 2>err
	[ ! -s err ]
	rows e >>log
	tally -k k --state s.db log.1 log
	[ "$(counts | jq -s 'map(.count) | add')" -eq 5 ]
}

@test "a rotation that overwrites the last one, whose inode is used again" {
	rows a b >log
	tally -k k --state s.db log >/dev/null
	for k in c d e f; do
		rows x >>log
		mv log log.1
		rows $k >log
		tally -k k --state s.db log log.1 >/dev/null 2>>err
	done
	[ ! -s err ]
	counts | jq -r '.k + "\(.count)"' | paste -s -d ' ' >got
	echo 'a1 b1 c1 d1 e1 f1 x4' | same counts - got
}

@test "another file, a shorter one and a rewritten one are read from the start" {
	rows a b >log
	tally -k k --state s.db log
	mv log old
	rows c >log
	says 0 "tally: warning: log: was read up to byte 20, but another file has taken its place; read from its start" \
	    tally -k k --state s.db log
	: >log
	says 0 "tally: warning: log: was read up to byte 10, but it was truncated since; read from its start" \
	    tally -k k --state s.db log
	rows d >>log
	tally -k k --state s.db log
	rows e f >.new
	cat .new >log
	says 0 "tally: warning: log: was read up to byte 10, but it was rewritten since; read from its start" \
	    tally -k k --state s.db log
	tally -k k --state s.db old
	counts | jq -r '.k + "\(.count)"' | paste -s -d ' ' >got
	echo 'a1 b1 c1 d1 e1 f1' | same counts - got
}

@test "a file named twice is read twice" {
	rows a >log
	tally -k k --state s.db log log
	rows b >>log
	tally -k k --state s.db log log
	[ "$(counts | jq -s 'map(.count) | add')" -eq 4 ]
}

@test "a pipe is new each time, or with --replay the same again" {
	rows a b | tally -k k --state s.db >out
	rows a b | tally -k k --state s.db >>out
	rows a b c | tally -k k --state s.db --replay >>out
	printf '%s\n' '{"k":"a","count":1}' '{"k":"b","count":1}' \
	    '{"k":"a","count":2}' '{"k":"b","count":2}' '{"k":"c","count":1}' |
		same out - out
	rows x y c >in
	says 2 "tally: stdin: --replay: expected what was read before, got something else" \
	    bash -c 'cat in | tally -k k --state s.db --replay'
	rows a >in
	says 2 "tally: stdin: --replay: expected the 30 bytes that were read before, got 10" \
	    bash -c 'cat in | tally -k k --state s.db --replay'
}

@test "--output is continued, and what is past the last commit cut off" {
	rows a >log
	tally -k k --state s.db --output out log
	printf 'torn' >>out
	rows b >>log
	tally -k k --state s.db --output out log
	printf '%s\n' '{"k":"a","count":1}' '{"k":"b","count":1}' | same out - out
	: >out
	rows c >>log
	says 0 "tally: warning: out: is shorter than what was written to it; rows are appended" \
	    tally -k k --state s.db --output out log
	[ "$(cat out)" = '{"k":"c","count":1}' ]
	tally -k k --output out log
	[ "$(wc -l <out)" -eq 3 ]
}

# By another name it had no record; by the old one again, rows were cut off that
# had been committed meanwhile.
# The rows went where nobody can read them, and the state knew them as written.
@test "an --output that is removed during a run loses no row" {
	mkfifo pipe
	dedup -k k --state s.db --output out --commit 1h pipe 2>err &
	exec 9>pipe
	rows a >&9
	until [ -s out ]; do :; done
	rm out
	rows b >&9
	exec 9>&-
	status=0
	wait $! || status=$?
	[ "$status" = 2 ]
	[ "$(cat err)" = "dedup: out: it was removed while this run wrote to it; \
the next run writes again what was not committed" ]
	rows a b | dedup -k k --state s.db --output out
	[ "$(jq -r .k out)" = $'a\nb' ]
}

@test "--output is known by whatever name" {
	ln -s out link
	local n=0
	for name in out ./out link "$PWD/out" out link; do
		rows "$n" >>log
		dedup -k k --state s.db --output "$name" log
		# As if the next run had been killed.
		((++n % 2 || n == 6)) || printf '{"k":"torn' >>out
	done
	rows 0 1 2 3 4 5 | same out - out
	# Another file that has this name now begins anew.
	mv out old
	rows 6 >>log
	dedup -k k --state s.db --output out log
	rows 6 | same new - out
}

@test "a dump is all that its --output has" {
	rows a b >log
	tally -k k --state s.db log >want
	echo '{"torn' >out
	echo bad >rejects
	tally --dump --state s.db --output out
	tally --dump --state s.db --output out --rejects rejects
	same out want out
	echo bad | same "side files go on" - rejects
}

# A cron job with one file for both lost all the rows of its runs.
@test "a dump does not empty the file that the runs append to" {
	rows a b >log
	tally -k k -c --state s.db --output rows log
	cp rows want
	ln rows link
	for out in rows link; do
		says 2 "tally: --output: runs of this state append to '$out', which --dump would empty; give it another file" \
		    tally --dump --state s.db --output "$out"
	done
	same rows want rows
	# One that was put back, or edited, is it too.
	cp rows copy
	mv copy rows
	run -2 tally --dump --state s.db --output rows
	rm link
	mv rows rows.1
	tally --dump --state s.db --output dump --stats=st
	grep -q write_ns st
	rows b >>log
	tally -k k -c --state s.db --output rows.1 log
	same rows.1 <(cat want; echo '{"k":"b","count":2}') rows.1
}

# Its message was written into the state.
@test "a dump without a stderr leaves the state as it was" {
	rows a >log
	tally -k k --state s.db log >want
	cp s.db before
	run -2 tally --state s.db --dump --name nope 2>&-
	cmp s.db before
	cp log before
	run -2 tally --state log --dump 2>&-
	cmp log before
}

# SQLite has its log beside what the link leads to.
@test "a state by a symbolic link has its log" {
	mkfifo pipe
	mkdir d
	ln -s d/s.db link
	tally -k k --state d/s.db --commit 1ms pipe >/dev/null &
	first=$!
	exec 9>pipe
	rows a b >&9
	until [ "$(tally --dump --state link 2>/dev/null | wc -l)" = 2 ]; do :; done
	kill -9 "$first"
	exec 9>&-
	wait "$first" || true
	[ -s d/s.db-wal ]
	# As one that was killed while it carried over its log leaves it.
	truncate -s 4096 d/s.db
	tally -k k --state link </dev/null
	tally --dump --state link | wc -l | same rows <(echo 2) -
}

@test "other options are a mistake that says which" {
	rows a >log
	tally -k k --state s.db log
	cp s.db before
	says 2 "tally: s.db: -k: 'tally' was begun with 'k', not 'j'; --name begins another" \
	    tally -k j --state s.db log
	says 2 "tally: s.db: -a: 'tally' was begun with 'count', not 'sum:n'; --name begins another" \
	    tally -k k -a sum:n --state s.db log
	says 2 "rollcount: s.db: 'tally' is the state of tally; --name gives this one another name" \
	    rollcount -k k --state s.db --name tally log
	says 2 "timeline: s.db: 'tally' is the state of tally; --name gives this one another name" \
	    timeline --dump --state s.db --name tally
	says 2 "tally: s.db: there is no 'x' in it" \
	    tally -k k --state s.db --name x --dump
	cmp s.db before
	tally -k k -c --batch 7 --commit 9s --final --state s.db log
}

@test "what is no state file is left alone" {
	rows a >log
	echo 'hello' >text
	sqlite3 other.db 'create table t (a)' 2>/dev/null ||
		python3 -c 'import sqlite3
sqlite3.connect("other.db").execute("create table t (a)")'
	cp text text.before
	cp other.db other.before
	mkdir folder
	says 2 "tally: text: expected a state file, got another kind of file" \
	    tally -k k --state text log
	says 2 "tally: other.db: expected a state file, got the database of another program" \
	    tally -k k --state other.db log
	says 2 "tally: folder: Is a directory" tally -k k --state folder log
	says 2 "tally: none/s.db: No such file or directory" \
	    tally -k k --state none/s.db log
	says 2 "tally: none.db: No such file or directory" \
	    tally -k k --state none.db --dump
	says 2 "tally: /dev/null: expected a state file, got no regular file" \
	    tally -k k --state /dev/null log
	ln -s none.db link
	says 2 "tally: link: expected a state file, got a link to nothing" \
	    tally -k k --state link log
	cmp text text.before
	cmp other.db other.before
	[ ! -e none.db ]
}

@test "an empty file becomes a state where it is, with its permissions" {
	rows a >log
	mkdir folder
	(umask 077 && : >folder/empty)
	ln -s folder/empty link
	tally -k k --state link log
	[ -L link ] && [ -s folder/empty ]
	[ "$(stat -c %a folder/empty)" = 600 ]
	[ -z "$(tally -k k --state folder/empty log)" ]
}

@test "a newer, an older, a cut and a damaged file are left alone" {
	rows $(seq 2000) >log
	tally -k k --state s.db log >/dev/null
	cp s.db newer.db
	cp s.db older.db
	printf '\0\0\0\4' | dd of=newer.db bs=1 seek=60 conv=notrunc status=none
	printf '\0\0\0\1' | dd of=older.db bs=1 seek=60 conv=notrunc status=none
	head -c 9000 s.db >cut.db
	cp s.db bad.db
	head -c 8192 /dev/zero | tr '\0' 'x' |
		dd of=bad.db bs=1 seek=20480 conv=notrunc status=none
	for f in newer older cut bad; do cp $f.db $f.before; done
	says 2 "tally: newer.db: the state file has version 4, which is newer than 3, the one this program knows; the release that wrote it can --dump it" \
	    tally -k k --state newer.db log
	says 2 "tally: older.db: the state file has version 1, which is older than 3, the one this program knows; the release that wrote it can --dump it" \
	    tally -k k --state older.db log
	says 2 "tally: cut.db: the state is damaged: it has been cut short" \
	    tally -k k --state cut.db log
	run -2 tally -k k --state bad.db log
	[[ $output == "tally: bad.db: the state is damaged: "* ]]
	for f in newer older cut bad; do cmp $f.db $f.before; done
}

# Its beginning went to --rejects in each run that found no end of it.
@test "a line beyond --max-line is rejected once, when it has an end" {
	printf '{"k":[1]}\n{"k":"abcdefghij' >log
	run -0 tally -q -k k --max-line 10 --rejects bad --state s.db log
	[ "$(cat bad)" = '{"k":[1]}' ]
	printf 'klm"}\n' >>log
	run -0 tally -q -k k --max-line 10 --rejects bad --state s.db log
	printf '%s\n' '{"k":[1]}' '{"k":"abcdefghijklm"}' | cmp - bad
	# Of one that is too long to be held, what is there is a line.
	head -c 200000 /dev/zero | tr '\0' a >>log
	run -0 tally -q -k k --max-line 10 --rejects bad --state s.db log
	[ "$(wc -l <bad)" -eq 3 ] && [ -z "$(tail -c 1 bad)" ]
}

@test "--dump knows the options by itself, and refuses others" {
	printf '%s\n' '{"k":"b","n":1,"t":0}' '{"k":"a","n":2.5,"t":61}' >log
	tally -k key=k -a sum:n,last:n --state s.db log >/dev/null
	timeline -k k --from t --to t --slice 2m --state s.db log >want
	printf '%s\n' '{"key":"a","sum_n":2.5,"last_n":2.5}' \
	    '{"key":"b","sum_n":1,"last_n":1}' |
		same tally - <(tally --state s.db --dump)
	same timeline want <(timeline --state s.db --dump)
	says 0 "tally: warning: --dump reads no input, not 'log'" \
	    tally --state s.db --dump log
	says 2 "tally: s.db: -k: 'tally' was begun with 'key=k', not 'k'; --name begins another" \
	    tally -k k --state s.db --dump
	says 2 "timeline: s.db: 'tally' is the state of tally; --name gives this one another name" \
	    timeline -k k --from t --to t --state s.db --name tally --dump
}

# The text of an option that the state knew was used after it had been freed.
@test "--dump knows a --time-format by itself" {
	echo '{"k":"a","from":"1.3.2026 12:00","to":"1.3.2026 12:30"}' >log
	timeline -k k --from from --to to --time-format '%d.%m.%Y %H:%M' \
	    --state s.db log >want
	same timeline want <(timeline --state s.db --dump)
}

# unprivileged COMMAND...: as one who is not allowed everything.
unprivileged() {
	if [ "$(id -u)" -ne 0 ]; then
		"$@"
	else
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	fi
}

# A dump was refused, since it might have had to write.
@test "what cannot be written can be dumped, and is left as it was" {
	here=$(mktemp -d) # where anybody can look
	cd "$here" && rows a >log && tally -k k --state s.db log >want
	rows b >>log
	chmod 755 .
	chmod 444 s.db log
	cp s.db before
	unprivileged tally --version >/dev/null || skip "nobody may run tally"
	says 2 "tally: s.db: Permission denied" \
	    unprivileged tally -k k --state s.db log
	same "of a read-only file" want \
	    <(unprivileged tally --state s.db --dump)
	chmod 777 .
	same "where others write" want <(unprivileged tally --state s.db --dump)
	[ -z "$(find . -name 's.db-*')" ]
	chmod 666 s.db
	chmod 555 .
	says 2 "tally: s.db: the file, or the directory it is in, cannot be written" \
	    unprivileged tally -k k --state s.db log
	same "in a read-only folder" want \
	    <(unprivileged tally --state s.db --dump)
	cmp s.db before
	chmod 755 .
	echo '{"k":"b","count":1}' | same "next run" - <(tally -k k --state s.db log)
	[ "$(counts | wc -l)" -eq 2 ]
	cd / && rm -r "$here"
}

@test "an output that cannot be read is said to be so" {
	here=$(mktemp -d) # where anybody can look
	cd "$here" && echo before >out && chmod 222 out && chmod 777 .
	unprivileged tally --version >/dev/null || skip "nobody may run tally"
	says 2 'tally: out: Permission denied' \
	    unprivileged tally -k k --state s.db --output out
	cd / && rm -r "$here"
}

@test "a dump of what cannot be written has what is in the log" {
	here=$(mktemp -d)
	cd "$here" && chmod 755 . && mkfifo pipe
	unprivileged tally --version >/dev/null || skip "nobody may run tally"
	tally -k k --state s.db --commit 1ms pipe &
	first=$!
	exec 9>pipe
	rows a b >&9
	until [ "$(tally --dump --state s.db 2>/dev/null | wc -l)" = 2 ]; do :; done
	unprivileged tally --dump --state s.db | wc -l | same rows <(echo 2) -
	kill -9 "$first"
	exec 9>&-
	wait "$first" || true
	unprivileged tally --dump --state s.db | wc -l | same rows <(echo 2) -
	mkdir copy
	cp s.db s.db-wal copy
	chmod 555 copy
	says 2 "tally: copy/s.db: it has a log, copy/s.db-wal; dump a copy of both where they can be written" \
	    unprivileged tally --dump --state copy/s.db
	cd / && rm -r "$here"
}

@test "a read-only file system can be dumped from" {
	mkdir disk
	unshare -m true 2>/dev/null || skip "nothing can be mounted here"
	rows a >log
	unshare -m bash -c 'mount -t tmpfs none disk &&
	    tally -k k --state disk/s.db log && mount -o remount,ro disk &&
	    tally --dump --state disk/s.db' >out ||
		skip "nothing can be mounted here"
	printf '{"k":"a","count":1}\n%.0s' 1 2 | same rows - out
}

@test "a file that is a pipe in the next run is read whole" {
	rows a b >in
	tally -k k --state s.db in
	rm in
	mkfifo in
	rows a b a >in &
	tally -k k --state s.db in
	wait $!
	counts | jq -r .count | paste -s -d ' ' >got
	echo '3 2' | same counts - got
}

@test "options that need --state say so" {
	for o in --dump --final --replay '--name n'; do
		# shellcheck disable=SC2086
		says 2 "tally: ${o% n} needs --state" tally -k k $o
	done
	says 2 "tally: --name: expected a name for a table, got 'sqlite_x'" \
	    tally -k k --state s.db --name sqlite_x
}

@test "the second of two runs under one name says who is first" {
	mkfifo pipe
	args=(-k k -c --batch 1 --commit 1ms --state s.db)
	tally "${args[@]}" pipe >changes &
	first=$!
	exec 9>pipe
	rows a >&9
	rows b >log
	# The file is there a moment before the name in it is taken.
	soon changes 1
	tally -k k --state s.db --name other log >out
	says 2 "tally: s.db: 'tally' is in use by process $first" \
	    tally "${args[@]}" log
	exec 9>&-
	wait "$first"
	[ "$(cat out)" = '{"k":"b","count":1}' ]
}

@test "a signal commits, and writes nothing that is open" {
	mkfifo pipe
	tally -k k --state s.db --commit 1h --output out pipe &
	first=$!
	exec 9>pipe
	rows a b a >&9
	until [ -e out ]; do :; done
	kill -TERM "$first"
	exec 9>&-
	status=0
	wait "$first" || status=$?
	[ "$status" -eq 143 ]
	[ ! -s out ]
	counts | jq -r .count | paste -s -d ' ' >got
	echo '2 1' | same counts - got
}

@test "windows go on from run to run as if there were one" {
	spout words -n 300 --seed 1 --jitter 3s >in
	rollcount -k word -w 9s -e 3s -t ts -l 1s -T in >want || true
	for n in 1 50 137 222; do
		head -n $n in >part
		rollcount -k word -w 9s -e 3s -t ts -l 1s -T --state s.db part || true
	done >got 2>/dev/null
	cp in part
	rollcount -k word -w 9s -e 3s -t ts -l 1s -T --state s.db --final part \
	    >>got 2>/dev/null || true
	same windows want got
}

# Only the sums of the slots are kept: those of the window, which had what
# rounding left of them, are added up anew.
@test "sums go on from run to run to the last bit" {
	for n in 1e200 0.1 1e-300 -1e200 0.2 18446744073709551616.5 -1e-300 \
	    -18446744073709551616 0.3 2305843009213693953 -0.5; do
		printf '{"k":"a","n":%s,"t":%d}\n' "$n" "$((++t))"
	done >in
	rollcount -k k -v n -t t --time-unit s -w 4s -e 1s --drain in >want
	tally -k k -a sum:n,mean:n in >total
	for n in $(seq 12); do
		sed "$n q" in >part
		[ "$n" -lt 12 ] || set -- --final
		rollcount -k k -v n -t t --time-unit s -w 4s -e 1s --drain \
		    --state s.db "$@" part
		tally -k k -a sum:n,mean:n --state t.db part >>sums
	done >got
	tail -n 1 sums >sum
	same windows want got
	same total total sum
}

# stays N: N people enter, and most of them leave again.
stays() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) {
		printf "{\"id\":%d,\"e\":\"IN\",\"t\":%d}\n", i, 1000 + i
		if (i % 5 != 0 && i >= 20)
			printf "{\"id\":%d,\"e\":\"OUT\",\"t\":%d}\n", i - 20,
			    1000 + i - i % 7 } }'
}

@test "what waits in a join goes on waiting from run to run" {
	stays 300 >all
	for many in '' -m; do
		args=(-k id -s e -t t -w 40s -l 7s -a IN --expired expired)
		rm -f s.db out log expired
		for n in 1 30 77 400; do
			head -n $n all >log
			# shellcheck disable=SC2086
			sjoin $many "${args[@]}" --state s.db --output out IN OUT <log
		done
		grep -q '"reason":"end"' expired && return 1
		mv log log.1
		# shellcheck disable=SC2086
		sjoin $many "${args[@]}" --state s.db --output out --final IN OUT <log.1
		# shellcheck disable=SC2086
		sjoin $many "${args[@]}" --state s.db --output out --final IN OUT <log.1
		head -n 400 all >part
		# shellcheck disable=SC2086
		sjoin $many "${args[@]}" --expired part.expired IN OUT <part >want
		same "rows $many" want out
		same "expired $many" part.expired expired
	done
}

@test "streams side by side are each read from where they were left" {
	stays 300 >all
	grep IN all >in.all
	grep OUT all >out.all
	args=(-k id -t t -w 40s -l 7s -a in --expired)
	sjoin "${args[@]}" want.expired in=in.all out=out.all >want
	# In the order in which one run would take them.
	for until in 1010 1100 1101 1250 9999; do
		for f in in out; do
			awk -F '[:}]' -v until=$until '$4 >= until { exit } 1' \
			    $f.all >$f.log
		done
		final=()
		[ $until -ne 9999 ] || final=(--final)
		sjoin "${args[@]}" expired --state s.db "${final[@]}" \
		    in=in.log out=out.log
	done >got
	same rows want got
	same expired want.expired expired
	mv in.log in.1
	head -n 1 out.all >in.log
	says 0 "sjoin: warning: in.log: was read up to byte $(wc -c <in.1), but another file has taken its place; read from its start" \
	    sjoin "${args[@]}" expired --state s.db in=in.log out=out.log
}

# The reason hung on which operand came first, as all end at once then.
@test "a run that only ends a join gives the reasons of one run" {
	echo '{"k":1,"t":1}' >a
	echo '{"k":2,"t":100}' >b
	for operands in 'a=a b=b' 'b=b a=a'; do
		rm -f s.db failed
		read -ra args <<<"-k k -t t -w 10s --expired failed $operands"
		sjoin --state s.db "${args[@]}"
		sjoin --state s.db --final "${args[@]}"
		[ "$(jq -c '[.stream, .reason]' failed)" = \
		    $'["a","timeout"]\n["b","end"]' ]
	done
}

@test "a stream that has ended holds the watermark for the next run" {
	printf '{"id":%d,"t":%d}\n' 1 1000 2 2000 >a
	: >b
	sjoin -k id -t t -w 30s --state s.db a=a b=b >out
	printf '{"id":1,"t":1001}\n' >b
	sjoin -k id -t t -w 30s --state s.db --final -o id,a.t,b.t a=a b=b \
	    >>out 2>err || true
	echo "sjoin: s.db: 'sjoin' was begun without -o; --name begins another" |
		same options - err
	sjoin -k id -t t -w 30s --state s.db --final a=a b=b >>out
	echo '{"id":1,"a":{"id":1,"t":1000},"b":{"id":1,"t":1001}}' | same rows - out
}

# A part has only the fields that its stream may have.
@test "what waits between runs has its fields" {
	local list
	for list in b.y,x id b.y z=a.x,x,b.y; do
		echo '{"id":1,"x":"ax","y":9}' >a
		echo '{"id":1,"y":"by"}' >b
		sjoin -k id -w 1h -o $list a=a b=b >want
		: >empty
		rm -f s.db
		sjoin -k id -w 1h -o $list --state s.db a=a b=empty >out
		sjoin -k id -w 1h -o $list --state s.db a=a b=b >>out
		same "rows of $list" want out
		[ -s out ]
	done
}

@test "a join is begun with its streams" {
	stays 3 >log
	sjoin -k id -s e --state s.db IN OUT <log
	says 2 "sjoin: s.db: streams: 'sjoin' was begun with 'IN,OUT', not 'OUT,IN'; --name begins another" \
	    sjoin -k id -s e --state s.db OUT IN
	says 2 "sjoin: s.db: -w: 'sjoin' was begun with '30s', not '60s'; --name begins another" \
	    sjoin -k id -s e -w 1m --state s.db IN OUT
	says 2 "sjoin: s.db: 'sjoin' was begun without -m; --name begins another" \
	    sjoin -k id -s e -m --state s.db IN OUT
	# It was begun with '-0.001s'.
	echo '{"id":1}' >IN
	sjoin -k id --table IN --state table.db IN=IN OUT=IN >out
	says 2 "sjoin: table.db: 'sjoin' was begun without -w; --name begins another" \
	    sjoin -k id -w 5s -t OUT:t,IN:t --table IN --state table.db IN=IN OUT=IN
}

@test "by arrival time a wait goes on while nothing runs" {
	echo '{"id":1,"e":"IN"}' >log
	sjoin -k id -s e -w 1h --state s.db --expired x IN OUT <log
	sjoin -k id -s e -w 1ms --state s.db --name short --expired x IN OUT <log
	echo '{"id":1,"e":"OUT"}' >>log
	sjoin -k id -s e -w 1h --state s.db --expired x IN OUT <log >out
	sjoin -k id -s e -w 1ms --state s.db --name short --expired x IN OUT <log >>out
	echo '{"id":1,"IN":{"id":1,"e":"IN"},"OUT":{"id":1,"e":"OUT"}}' |
		same rows - out
	# On a slow machine OUT waits for more than 1 ms, too.
	grep '"stream":"IN"' x >in
	echo '{"reason":"timeout","stream":"IN","tuple":{"id":1,"e":"IN"}}' |
		same expired - in
}

@test "tables can be queried" {
	printf '%s\n' '{"k":"a","n":1,"x":null}' '{"k":"a","n":2.5,"x":"b"}' >log
	tally -k key=k -a n=count,sum:n,last:x --state s.db log >/dev/null
	python3 - <<-'END' >got
	import sqlite3
	db = sqlite3.connect("s.db")
	print(db.execute('select key, n, sum_n, last_x from tally').fetchall())
	END
	echo "[('a', 2, 3.5, 'b')]" | same rows - got
	dedup --state s.db log >/dev/null
	[ "$(sqlite3 s.db 'select count(distinct _hash) from dedup')" = 2 ]
}

@test "what is committed again in one run replaces what was" {
	mkfifo in
	sessions -k k -t t -g 10s --state s.db --commit 10ms <in >out &
	exec 5>in
	echo '{"k":1,"t":1}' >&5
	committed 'select session_end from sessions' 1000
	# A session that goes on, and is closed.
	echo '{"k":1,"t":2}' >&5
	committed 'select session_end from sessions' 2000
	echo '{"k":2,"t":100}' >&5
	exec 5>&-
	wait $!
	[ "$(sqlite3 s.db 'select k from sessions')" = 2 ]
	# Keys are numbered on.
	rm s.db
	rollcount -k k -t t -w 10s --state s.db --commit 10ms <in >out &
	exec 5>in
	echo '{"k":1,"t":1}' >&5
	committed 'select count(*) from rollcount' 1
	echo '{"k":2,"t":2}' >&5
	exec 5>&-
	wait $!
	rollcount -k k -t t -w 10s --state s.db --final </dev/null >out
	[ "$(jq -c .k out | paste -sd,)" = 1,2 ]
}

@test "a tuple that waits for its turn when a run is killed is read again" {
	roll=(rollcount -k k -t ts -w 1s --no-zeros --interleave --idle 1h
	    --state s.db)
	echo '{"k":"a","ts":1700000001}' >a
	mkfifo b
	"${roll[@]}" --commit 1ms a b &
	exec 5>b
	echo '{"k":"b","ts":1700000000}' >&5
	committed 'select count(*) from rollcount' 1
	kill -9 $!
	wait $! || true
	exec 5>&-
	[ "$("${roll[@]}" --final a /dev/null | jq -c .k | paste -sd,)" = '"b","a"' ]
}

@test "the last millisecond of a window, and ticks, go on from run to run" {
	dedup=(dedup -k k -t ts --time-unit ms -w 10s --state d.db)
	printf '{"k":%d,"ts":%d}\n' 1 1000 2 10999 | "${dedup[@]}" >out
	[ -z "$(echo '{"k":1,"ts":10999}' | "${dedup[@]}")" ]
	for s in 1700000003 1700000006 1700000009 1700000012; do
		printf '{"k":1}\n{"__tick":%d000}\n' "$s" |
			rollcount -k k -w 9s -e 3s -i --state r.db
	done | jq .window_seconds | same seconds <(printf '%d\n' 3 6 9 9) -
}

@test "a part of a line that is too long, of a file that may grow" {
	head -c 200000 /dev/zero | tr '\0' x >a
	{ head -c 2000 /dev/zero | tr '\0' y && echo; } >b
	tally -k k --max-line 1K --state s.db --rejects bad a b
	tr -s xy <bad | same rejects <(printf '%s\n' x y) -
}

@test "rows that are not committed are cut off when a run fails" {
	seq 100000 | sed 's/.*/{"k":&}/' >log
	echo bad >>log
	run -2 dedup -k k --state s.db --output out --rejects /dev/full log
	[ ! -s out ]
	dedup -k k --state s.db --output out --rejects bad log
	same out <(sed '$d' log) out
}

@test "what a side file had no room for is read again" {
	printf '{"k":"a","ts":%d}\n' 1700000005 1700000001 >log
	echo bad >>log
	for side in --late --rejects; do
		roll=(rollcount -k k -t ts -w 1s --state "s$side.db")
		run -2 "${roll[@]}" --late late --rejects bad $side /dev/full log
		rm -f late bad
		"${roll[@]}" --late late --rejects bad log
		same "$side" <(sed -n '2,$p' log) <(cat late bad)
	done
}

@test "kill -9 at random moments leaves what an undisturbed run leaves" {
	python3 "$TOP/tests/crash/crash.py" "${TUPLETOOLS_BIN:-$BUILD/bin}" \
	    --kills "${CRASH_KILLS:-6}"
}

# fails_well COMMAND...: run it on the file in, with each of some writes failing.
fails_well() {
	local errno after status failed=0
	rm -f want.db* want
	"$@" --commit 1ms --state want.db --output want <in
	for errno in 28 5; do
		for after in 0 1 2 3 5 8 13 34; do
			rm -f s.db* out
			status=0
			faulty "disk:$((after + 1)):$errno+" "$@" --commit 1ms \
			    --state s.db --output out <in 2>err || status=$?
			case $status in
			0) ;;
			2)
				((failed += 1))
				[ "$(wc -l <err)" -eq 1 ]
				[ ! -s out ] || [ -z "$(tail -c 1 out)" ]
				;;
			*) echo "status $status"; return 1 ;;
			esac
			"$@" --commit 1ms --state s.db --output out <in
			same "output after $after" want out
			same "state after $after" \
			    <("$TOP/tests/crash/crash.py" --dump want.db) \
			    <("$TOP/tests/crash/crash.py" --dump s.db)
		done
	done
	[ "$failed" -ge 12 ]
}

@test "a full disk and an I/O error tear nothing, and the next run is right" {
	can_fault
	spout words -n 20000 >in
	fails_well tally -k word -c --batch 100
	fails_well rollcount -k word -t ts -w 60s -e 10s -l 1s -T
	stays 20000 >in
	fails_well sjoin -k id -s e -t t -w 40s -l 7s -a IN IN OUT
	fails_well timeline -c --batch 100 -k e --from t --to t
}

@test "two commands write one file at the same time" {
	spout words -n 50000 >in
	for name in a b c; do
		tally -k word --state s.db --name "$name" --commit 1ms \
		    --output "$name" in &
	done
	rollcount -k word -t ts -w 1h -e 1h --state s.db --commit 1ms in
	wait
	tally -k word in >want
	for name in a b c; do
		same $name want $name
	done
}

# They made it under the same other name, and took it from each other.
@test "two containers, each process the first of its own, begin one state" {
	unshare -pf true 2>/dev/null || skip 'no namespaces here'
	echo '{"k":1}' >in
	for i in {1..10}; do
		for name in a b c; do
			unshare -pf tally -k k --state "$i.db" --name "$name" \
			    in >"out.$i.$name" &
		done
	done
	wait
	[ "$(cat out.* | sort | uniq -c)" = '     30 {"k":1,"count":1}' ]
}

# One put its file in the place of that which the other had just begun; and one
# found the inode of the empty file at a file beside the state.
@test "several first runs begin with one empty file" {
	echo '{"k":1}' >in
	for i in {1..15}; do
		: >"e$i.db"
		for name in a b c; do
			tally -k k --state "e$i.db" --name "$name" in \
			    >"out.$i.$name" 2>>err &
		done
	done
	wait
	[ "$(cat out.* | sort | uniq -c)" = '     45 {"k":1,"count":1}' ]
	# It was lost after the row had been written.
	[ ! -s err ]
	for db in e*.db; do
		for name in a b c; do
			tally -k k --state "$db" --name "$name" --dump
		done
	done >dumped
	[ "$(sort dumped | uniq -c)" = '     45 {"k":1,"count":1}' ]
}

# It took the rows into the database, or emptied the log.
@test "--output is neither the state nor an input" {
	echo '{"k":"a"}' >log
	tally -k k --state s.db log >out
	sum=$(cat log s.db | md5sum)
	for file in log s.db; do
		run -2 tally -k k --state s.db --output $file log
		[[ ${lines[0]} == "tally: --output: '$file' is "* ]]
		run -2 tally -k k --output log log
	done
	[ "$(cat log s.db | md5sum)" = "$sum" ]
	run -2 tally -k k --state new.db --output new.db log
	[ ! -e new.db ]
}

# They emptied it before it was read.
@test "--rejects, --late and --expired are no inputs" {
	echo '{"k":"a","t":1}' >log
	run -2 tally -k k --rejects log log
	run -2 tally -k k --rejects ./log <log
	run -2 rollcount -k k -t t --late log log
	run -2 sjoin -k k --expired log a=log b=/dev/null
	[ "${lines[0]}" = "sjoin: --expired: 'log' is an input, too" ]
	run -2 sessions -k k -t t --late log log
	[ "${lines[0]}" = "sessions: --late: 'log' is an input, too" ]
	run -2 dedup -k k --dropped log log
	[ "${lines[0]}" = "dedup: --dropped: 'log' is an input, too" ]
	[ "$(<log)" = '{"k":"a","t":1}' ]
}

# The end of another file of that name was cut off.
@test "an output that is another file now is not cut" {
	rows a >log
	mkdir one two
	(cd one && tally -k k --state ../s.db --output out ../log)
	printf 'somebody\nelse wrote that' >two/out
	rows b >>log
	(cd two && says 0 'tally: warning: out: is not what was written to it; rows are appended' \
	    tally -k k --state ../s.db --output out ../log)
	printf '%s\n' somebody 'else wrote that' '{"k":"b","count":1}' |
		same out - two/out
	# And what was cut off in mid-line goes on in the next one.
	printf somebody >two/out
	rows c >>log
	(cd two && says 0 'tally: warning: out: is shorter than what was written to it; rows are appended' \
	    tally -k k --state ../s.db --output out ../log)
	printf '%s\n' somebody '{"k":"c","count":1}' | same out - two/out
}

# Nothing had been written to out yet, so all of it was cut off.
@test "an output that nothing was written to yet is not cut" {
	echo '{"k":"a","t":1}' >log
	mkdir one two
	(cd one && rollcount -k k -t t --state ../s.db --output out ../log)
	[ ! -s one/out ]
	printf '%s\n' 'a letter' 'to a friend' >two/out
	(cd two && says 0 'rollcount: warning: out: is not what was written to it; rows are appended' \
	    rollcount -k k -t t --state ../s.db --output out ../log)
	printf '%s\n' 'a letter' 'to a friend' | same two - two/out
	# What somebody has put into the same file is not cut, either.
	printf '%s\n%s' 'another letter' 'to a friend' >>two/out
	echo '{"k":"a","t":400}' >>log
	(cd two && rollcount -k k -t t --state ../s.db --output out ../log 2>err)
	[ ! -s two/err ]
	{
		printf '%s letter\nto a friend\n' a another
		rollcount -k k -t t log | head -n 6
	} | same two - two/out
}

# killed_before_commit COMMAND...: with the rows in out, half of the last one
# missing.
killed_before_commit() {
	mkfifo pipe
	"$@" --state s.db --commit 1h --output out <pipe &
	exec 9>pipe
	rows a b >&9
	until [ "$(grep -c "^{" out)" = 2 ]; do :; done
	kill -9 $!
	exec 9>&-
	wait $! || true
	truncate -s -5 out
}

@test "the first rows are cut off, though no commit has seen them" {
	for before in '' 'somebody'; do
		rm -f s.db pipe
		printf '%s' "$before" >out
		killed_before_commit tally -k k -c --batch 1
		cp out torn
		[ "$(wc -l <torn)" = $((1 + (${#before} > 0))) ]
		rows c >log
		tally -k k -c --batch 1 --state s.db --output out log
		printf '%s' "${before:+$before$'\n'}" '{"k":"c","count":1}' |
			awk 1 | same out - out
		# What is not what was to be written is not cut.
		rm s.db pipe
		printf '%s' "$before" >out
		killed_before_commit tally -k k -c --batch 1
		printf '%sit is me again' "$before" >out
		says 0 'tally: warning: out: is not what was written to it; rows are appended' \
		    tally -k k -c --batch 1 --state s.db --output out log
		printf '%s\n' "${before}it is me again" '{"k":"c","count":1}' |
			same out - out
	done
}

# What had been half of a row became the beginning of the next one.
@test "a side file that ends within a line goes on in a new one" {
	printf '%s\n' x '{"k":1,"t":9}' '{"k":1,"t":1}' >log
	for file in rejects late; do
		printf '{"half of' >$file
	done
	rollcount -k k -t t -w 1s -e 1s --state s.db --rejects rejects \
	    --late late log 2>err
	printf '%s\n' '{"half of' x | same rejects - rejects
	printf '%s\n' '{"half of' '{"k":1,"t":1}' | same late - late
}

# The state had them by the next start, but the output was cut at this one's end.
@test "a commit that fails loses no rows" {
	can_fault
	spout words -n 100 >in
	tally -k word in >want
	tally -k word --state new.db --output out /dev/null
	failed=0
	for after in {1..12}; do
		rm -f s.db-*
		cp new.db s.db
		: >out
		status=0
		faulty "fdatasync:$after:5" tally -k word --state s.db \
		    --output out in 2>err || status=$?
		[ $status = 0 ] || [ $status = 2 ]
		((failed += status / 2)) || true
		tally -k word --state s.db --output out in
		same "after $after" want out
	done
	((failed > 3))
}

# It was asked for at each commit, and what it did not say was believed.
@test "what a file system no longer says of a file does no harm" {
	can_fault
	spout words -n 2000 >in
	tally -k word in >want
	tally -k word --state new.db --output out /dev/null
	failed=0
	for call in fstat pread; do
		for after in {1..13}; do
			rm -f s.db-*
			cp new.db s.db
			: >out
			status=0
			faulty "$call:$after:116" tally -k word --commit 1ms \
			    --state s.db --output out in 2>err || status=$?
			[ $status = 0 ] || [ $status = 2 ]
			[ $status = 0 ] || [ "$(wc -l <err)" = 1 ]
			((failed += status / 2)) || true
			tally -k word --state s.db --output out in
			same "after $after $call" want out
		done
	done
	((failed > 5))
}

# damage SQL: of a copy of the state, which is then refused, and left alone.
damage() {
	cp good.db s.db
	cp good.out out
	python3 - "$1" <<-'END'
	import sqlite3, sys
	db = sqlite3.connect("s.db")
	db.execute("update " + sys.argv[1])
	db.commit()
	END
	cp s.db before
	tally -k k --state s.db --output out log 2>said && return 1
	[ $? = 2 ]
	grep -q "^tally: s.db: the state is damaged: a row of the table" said
	cmp s.db before
	cmp out good.out
}

# A length below 0 was hashed, and one that was too large sought for.
@test "a record of an input or an output that cannot be right" {
	text=$(rows $(seq 100))
	echo "$text" >log
	tally -k k --state s.db --output out log
	cp s.db good.db
	cp out good.out
	for c in input used offset line size; do
		damage "tally_inputs set $c = -1"
		damage "tally_inputs set $c = 'x'"
		damage "tally_inputs set $c = 1.5"
	done
	for c in device inode head tail; do
		damage "tally_inputs set $c = 'x'"
		damage "tally_outputs set $c = NULL"
	done
	damage "tally_inputs set mtime = NULL"
	damage "tally_inputs set line = 1000000"
	damage "tally_inputs set kind = 'directory'"
	damage "tally_inputs set stream = NULL"
	damage "tally_inputs set path = 1"
	damage "tally_outputs set length = -1"
	damage "tally_outputs set begin = -1"
	damage "tally_outputs set begin = length + 1"
	damage "tally_outputs set first = 'x'"
	damage "tally_outputs set first = zeroblob(5000)"
}

# Both wrote to one table.
@test "the table of one part is not a helper of another" {
	echo '{"k":1,"t":1}' >log
	rollcount -k k -t t --state s.db --name r log
	tally -k k --state s.db --name a_keys log >out
	for name in r_keys r_inputs r_outputs R_Keys; do
		says 2 "tally: s.db: there is a table '${name,,}' already; --name gives this one another name" \
		    tally -k k --state s.db --name $name log
	done
	says 2 "tally: s.db: there is a table 'a_keys' already; --name gives this one another name" \
	    tally -k k --state s.db --name a log
	tally -k k --state s.db --name b_waiting log >out
	says 2 "sjoin: s.db: there is a table 'b_waiting' already; --name gives this one another name" \
	    sjoin -k k --state s.db --name b --table u t=log u=log
	says 2 "tally: --name: expected a name for a table, got 'Sqlite'" \
	    tally -k k --state s.db --name Sqlite log
}

# All new tuples counted in the slot that was open when the last run ended.
@test "by arrival time, time goes on between two runs" {
	rows a >log
	rollcount -k k -w 2h -e 1h --state s.db log
	python3 -c 'import sqlite3
db = sqlite3.connect("s.db")
db.execute("UPDATE tupletools_values SET value = value - 5 * 3600000"
           " WHERE name IN (\"start\", \"now\")")
db.execute("UPDATE rollcount SET slotStartMillis = slotStartMillis - 5 * 3600000")
db.commit()'
	rows b >>log
	rollcount -k k -w 2h -e 1h --state s.db --final log >out
	jq -r '[.k, .count] | @csv' out | same rows <(printf '"%s",%d\n' \
	    a 1 a 1 a 0 b 1) -
}

# A key that came while the clock was an hour ahead hid none for that hour.
@test "by arrival time, time goes on where the clock has been put back" {
	dedup -k k -w 1h --state d.db <<<'{"k":1}'
	sessions -k k -g 1h --state s.db <<<'{"k":1}'
	sqlite3 d.db "UPDATE tupletools_values SET value = value + 7200000
	    WHERE name IN ('clock', 'latest');
	    UPDATE dedup SET timeMillis = timeMillis + 7200000"
	sqlite3 s.db "UPDATE tupletools_values SET value = value + 59900
	    WHERE name IN ('clock', 'now');
	    UPDATE sessions SET session_start = session_start + 59900,
	        session_end = session_end + 59900"
	for i in 1 2 3; do dedup -k k -w 1h --state d.db <<<'{"k":2}'; done \
	    >out 2>err
	same rows <(echo '{"k":2}') out
	grep -qx "dedup: warning: d.db: the clock is 1h59m[0-9.]*s behind that of the last run; time goes on from there" err
	[ "$(wc -l <err)" -eq 3 ]
	sessions -k k -g 1h --state s.db --final <<<'{"k":1}' 2>err | jq .count |
	    same rows <(echo 2) -
	sqlite3 d.db "UPDATE tupletools_values SET value = value + 7200000
	    WHERE name = 'clock'"
	dedup -q -k k -w 1h --state d.db --stats=stats 2>/dev/null </dev/null
	jq -e '.seconds < 60' stats
	grep -q "the clock is [1-9][0-9.]*s behind that of the last run" err
	sqlite3 d.db "UPDATE tupletools_values SET value = -1 WHERE name = 'clock'"
	says 2 "dedup: d.db: the state is damaged: the value 'clock' of 'dedup'" dedup -k k -w 1h --state d.db /dev/null
}

@test "the default of -a is the same when it is written out" {
	echo '{"k":"a"}' >log
	tally -k k --state s.db log >out
	echo '{"k":"a"}' >>log
	[ "$(tally -k k -a count --state s.db log)" = '{"k":"a","count":2}' ]
	[ "$(tally --dump --state s.db)" = '{"k":"a","count":2}' ]
}

# With --state only one thread read, which took twice as long on two processors.
@test "with more processors the state and the output are the same" {
	local n file
	spout zipf -n 60000 --keys 50 --seed 1 | sed '20000s/}$//
	    30000s/.*/\n/; 40000s/.*/{"pad":"'"$(printf '%0500d' 1)"'"}/' >all
	gzip -1 -k all
	for n in 1 2 8; do
		set -- rollcount -k word -t ts -w 1s --threads $n --max-line 300 \
		    --state s$n --output out$n --commit 10ms \
		    --on-error skip --late late$n
		head -c 1800000 all >log
		"$@" log all
		cat all >log
		"$@" --final --rejects rejected$n log all all.gz - < <(cat log)
		sqlite3 s$n 'SELECT path, offset, line, head, tail
		    FROM rollcount_inputs' >inputs$n
	done
	[ -s out1 ] && [ -s inputs1 ] && [ -s late1 ] && [ -s rejected1 ]
	for n in 2 8; do
		for file in out inputs late rejected; do
			cmp ${file}1 $file$n
		done
	done
}

# SQLite took the first for a URI, and the second for no file at all.
@test "a state may have any name" {
	echo '{"k":"a"}' >log
	for name in file:s.db :memory: 'file:s?mode=ro'; do
		tally -k k --state "$name" log >/dev/null
		[ -s "$name" ]
		[ "$(tally --state "$name" --dump)" = '{"k":"a","count":1}' ]
	done
}

# What was committed after it went to a file without a name, and got lost.
@test "a state that is moved meanwhile is told of" {
	echo '{"k":"a"}' >log
	tally -k k --state s.db log >/dev/null
	mkfifo in
	tally -k k --state s.db in >/dev/null 2>err &
	exec 5>in
	echo '{"k":"b"}' >&5
	soon s.db-wal 0
	mv s.db other
	exec 5>&-
	rc=0
	wait $! || rc=$?
	[ "$rc" -eq 2 ]
	[ "$(cat err)" = 'tally: s.db: it was moved, removed or replaced while this run wrote to it; what was written since is lost' ]
}

# What the log had came into the new state.
@test "a log whose state is gone is not taken for that of another" {
	echo '{"k":1}' >x
	echo log >s.db-wal
	want='tally: s.db: there is no state, but a log of one, s.db-wal; move that away, too'
	run -2 tally -k k --state s.db x
	[ "$output" = "$want" ]
	[ ! -e s.db ]
	: >s.db
	run -2 tally -k k --state s.db x
	[[ $output == *"a log of one, $(realpath s.db)-wal; move"* ]]
	ln -s s.db link
	run -2 tally -k k --state link x
	rm s.db-wal
	tally -k k --state link x | same rows - <(echo '{"k":1,"count":1}')
}
