#!/usr/bin/env bats
load helper

@test "golden sjoin" {
	golden sjoin
}

# tuple STREAM ID TIME ...: tuples for the tests.
tuple() {
	printf '{"s":"%s","id":%s,"ts":%s}\n' "$@"
}

# example: SingleJoinExample's two feeds, in files.
example() {
	local i
	for i in 0 1 2 3 4 5 6 7 8 9; do
		printf '{"id":%d,"gender":"%s","ts":%d}\n' "$i" \
		    "$( ((i % 2)) && echo female || echo male)" "$i" >&5
		printf '{"id":%d,"age":%d,"ts":%d}\n' $((9 - i)) $((29 - i)) \
		    $((10 + i)) >&6
	done 5>gender 6>age
	for i in 0 1 2 3 4 5 6 7 8 9; do
		printf '{"gender":"%s","age":%d}\n' \
		    "$( ((i % 2)) && echo female || echo male)" $((20 + i))
	done >pairs
}

# says MESSAGE ARGS...: sjoin with these arguments is told so, then the usage.
says() {
	local rc=0
	sjoin "${@:2}" </dev/null >out 2>err || rc=$?
	if [ "$rc" -ne 2 ] || [ -s out ]; then
		echo "status $rc, with $(wc -c <out) bytes: sjoin ${*:2}"
		return 1
	fi
	same "sjoin ${*:2}" <(echo "sjoin: $1") <(head -n 1 err)
}

@test "every misuse has its message" {
	status=0
	while IFS=$'\t' read -r message args; do
		mapfile -t args < <(tr ' ' '\n' <<<"$args")
		says "$message" "${args[@]}" || status=1
	done <<'END'
-k is required	a=x b=y
expected at least two NAME=FILE	-k id
expected at least two NAME=FILE	-k id a=x
expected at least two names of streams	-k id -s s a
expected different names of streams, got one twice	-k id a=x a=y
expected different names of streams, got one twice	-k id -s s a a
expected NAME=FILE for each stream, such as orders=orders.ndjson	-k id a=x y
expected NAME, not NAME=FILE, with -s or --multilang	-k id -s s a=x b=y
expected a name of a stream, got ''	-k id =x b=y
expected '-' once, got it twice	-k id a=- b=-
-a: expected one of a,b, got 'z'	-k id -a a,z a=x b=y
-a: expected one of a,b, got ''	-k id -a a, a=x b=y
-v: expected one of a,b, got 'z'	-k id -v z a=x b=y
--table: expected one of a,b, got ''	-k id --table b, a=x b=y
-l needs -t	-k id -l 5s a=x b=y
-m and -d exclude each other	-k id -m -d replace a=x b=y
-d: expected one of fail, replace, got 'drop'	-k id -d drop a=x b=y
-k: expected a field for each stream, got 'a:id'	-k a:id a=x b=y
-k: expected a field, got 'id,'	-k id, a=x b=y
-k: expected a field, got ',id'	-k ,id a=x b=y
-k: expected as many fields for each stream, got 'a:id,b:id,x,b:x'	-k a:id,b:id,x,b:x a=x b=y
-k: 'B' is no stream, got 'a:id,B:x'	-k a:id,B:x a=x b=y
-t: 'B' is no stream, got 'a:ts,B:ts'	-k id -t a:ts,B:ts a=x b=y
-k: expected as many fields for each stream, got 'a:id,["x:y"]'	-k a:id,["x:y"] a=x b=y
-k: expected a name after '.', got '.'	-k . a=x b=y
-t: expected one field for each stream, got 'ts,ts2'	-k id -t ts,ts2 a=x b=y
-t: expected a path without NAME=, got 'a:x=ts,b:ts'	-k id -t a:x=ts,b:ts a=x b=y
-s: expected a name after '.', got '.'	-k id -s . a b
-s: expected one field, got 's,t'	-k id -s s,t a b
-s: expected a path without NAME=, got 'x=s'	-k id -s x=s a b
-o: expected a field, got 'a.'	-k id -o a. a=x b=y
-o: expected a field, got 'x,,y'	-k id -o x,,y a=x b=y
-o: expected a name before '=', got '=a.x'	-k id -o =a.x a=x b=y
-o: expected a path without NAME=, got 'x=a.y=z'	-k id -o x=a.y=z a=x b=y
-w 0 needs -t	-k id -w 0 a=x b=y
-w of no length needs -t	-k id -m -w -5s..5s a=x b=y
-w: expected a duration of ms, s, m, h, d or w, such as 9s, 1h30m or 1.5d, got '1x'	-k id -w 1x a=x b=y
-w: expected a duration of ms, s, m, h, d or w, such as 9s, 1h30m or 1.5d, got '-x..5s'	-k id -m -w -x..5s a=x b=y
--idle: must be at least 1ms, got '0'	-k id --idle 0 a=x b=y
/nonexistent: No such file or directory	-k id a=/nonexistent b=/dev/null
/: Is a directory	-k id a=/ b=/dev/null
END
	[ "$status" -eq 0 ]
}

@test "flat rows have fields of the key, and of lines of any length" {
	long=$(printf 'p%.0s' {1..2000})
	for i in 1 2; do
		printf '{"k":%d,"l":"x","t":%d,"n":%d,"s":"%s"}\n' $i $i $i "$long"
	done >a
	printf '{"k":%d,"l":"x","t":3,"m":7}\n' 1 2 >b
	sjoin -k k,l -t t -o l,n,k,m,s a=a b=b >got
	printf '{"l":"x","n":%d,"k":%d,"m":7,"s":"%s"}\n' 1 1 "$long" \
	    2 2 "$long" | same rows - got
	sjoin -k k,l -t t -o l,n,k,m a=a b=b >got
	printf '{"l":"x","n":%d,"k":%d,"m":7}\n' 1 1 2 2 | same rows - got
}

@test "times at both ends of what can be said" {
	for t in 1677-09-22 2262-04-11; do
		echo '{"k":"a","t":"'$t'T00:00:01Z"}' >a
		echo '{"k":"a","t":"'$t'T00:00:03Z"}' >b
		for m in '' -m; do
			# shellcheck disable=SC2086
			[ "$(sjoin -k k -t t -w 2s $m x=a y=b | wc -l)" -eq 1 ]
			# shellcheck disable=SC2086
			[ -z "$(sjoin -k k -t t -w 1s $m x=a y=b)" ]
		done
	done
	# Nothing is late for -l all, though this is to wait until before 1677.
	echo '{"s":"x","k":1,"t":"1700-01-01T00:00:00Z"}' |
		sjoin -k k -t t -s s -l all -m -w 10000d..-9000d \
		    --expired expired x y
	[ "$(jq -r .reason expired)" = end ]
	sjoin -k k -t t -m -w 1s..9s --state s.db x=a y=b
	sjoin -k k -t t -m -w 1000ms..9s --state s.db x=a y=b
	run -2 sjoin -k k -t t -m -w 1s..8s --state s.db x=a y=b
	[[ $output == *"-w: 'sjoin' was begun with '1s..9s', not '1s..8s'"* ]]
}

# The second stream waits for BEFORE, which was reckoned as LENGTH from a time
# before 1677: of two such tuples the list had one first, and the key the other.
@test "tuples of one key out of order, within a century and a half of 1677" {
	local w
	: >a
	printf '{"k":1,"at":"%s"}\n' 1800-01-02 1800-01-01 2261-01-01 >b
	for w in 44900d 60000d; do
		sjoin -m -k k -t at -l all -w "0..$w" --expired failed a=a b=b
		[ "$(jq -r '.reason + " " + .tuple.at' failed)" = "end 1800-01-01
end 1800-01-02
end 2261-01-01" ]
	done
}

@test "SingleJoinExample: ten rows from files, by arrival and by event time" {
	example
	sjoin -k id -w 30s -o gender,age gender=gender age=age | sort |
		same "by arrival" <(sort pairs) -
	sjoin -k id -w 30s -t ts -o gender,age gender=gender age=age |
		same "by event time" <(tac pairs) -
}

@test "SingleJoinExample: a shuffled feed within the window, the same set" {
	example
	for seed in 1 2 3; do
		for f in gender age; do
			shuf --random-source=<(yes "$seed $f") "$f" >"$f.$seed"
		done
		sjoin -k id -w 30s -t ts -o gender,age --expired expired \
		    "gender=gender.$seed" "age=age.$seed" | sort |
			same "seed $seed" <(sort pairs) -
		[ ! -s expired ]
	done
}

@test "an unfed partner is failed after the timeout, and counted" {
	example
	grep -v '"id":3,' age >age.less
	echo '{"id":100,"age":1,"ts":40}' >>age.less
	sjoin -k id -w 30s -t ts --expired expired --stats=stats \
	    gender=gender age=age.less >out
	[ "$(wc -l <out)" -eq 9 ]
	same expired - expired <<'END'
{"reason":"timeout","stream":"gender","tuple":{"id":3,"gender":"female","ts":3}}
{"reason":"end","stream":"age","tuple":{"id":100,"age":1,"ts":40}}
END
	jq -c '[.joined, .failed_timeout, .failed_duplicate, .failed_null_key,
	    .failed_late, .failed_end, .waiting, .rejects, .lines]' stats |
		same stats <(echo '[9,1,0,0,0,1,0,0,20]') -
}

@test "an unfed partner is failed by the clock where there is no event time" {
	mkfifo a b
	exec 5<>a 6<>b
	sjoin -k id -w 100ms -a a --expired expired a=a b=b >out 5<&- 6<&- &
	tuple a 1 0 >&5
	soon expired 1 && soon out 1
	tuple b 1 0 >&6
	soon expired 2
	exec 5<&- 6<&-
	wait $!
	same rows <(echo '{"id":1,"a":{"s":"a","id":1,"ts":0},"b":null}') out
	same reasons <(printf 'timeout a\ntimeout b\n') \
	    <(jq -r '"\(.reason) \(.stream)"' expired)
}

@test "tuples of other streams in a split input are counted, and move nothing" {
	tuple a 1 1 c 1 99 b 1 2 d '{}' null |
		sjoin -k id -t ts -w 5s -s s a b -o id --stats=stats >out
	same rows <(echo '{"id":1}') out
	[ "$(jq -c '[.passed, .joined, .rejects]' stats)" = '[2,1,0]' ]
}

@test "two FIFOs that one program writes in turn do not block each other" {
	mkfifo a b
	awk 'BEGIN { for (i = 0; i < 5000; i++) {
	    for (f = 0; f < 2; f++) {
	        name = f ? "b" : "a"
	        printf "{\"id\":%d,\"ts\":%d,\"pad\":\"%0200d\"}\n", i, i, 0 >name
	        fflush(name) } } }' &
	timeout 60 sjoin -k id -t ts -o id a=a b=b >out
	wait $!
	[ "$(wc -l <out)" -eq 5000 ]
}

@test "a FIFO that is written to its end before the other is opened, likewise" {
	mkfifo a b
	for order in 'a b' 'b a'; do
		read -r first second <<<"$order"
		for f in $first $second; do
			seq 20000 | sed 's/.*/{"id":&,"ts":&}/' >"$f"
		done &
		timeout 60 sjoin -k id -t ts -w 10s --idle 50ms \
		    --expired expired a=a b=b >out
		wait $!
		[ $((2 * $(wc -l <out) + $(wc -l <expired))) -eq 40000 ]
	done
}

@test "FIFOs may be opened in either order" {
	mkfifo a b
	for order in 'a b' 'b a'; do
		read -r first second <<<"$order"
		{ exec 5>"$first" 6>"$second"
		tuple x 1 1 >&6; tuple x 1 1 >&5; } &
		timeout 60 sjoin -k id -t ts -o id a=a b=b >out
		wait $!
		same "$order" <(echo '{"id":1}') out
	done
}

@test "a stream may be stdin, or a process substitution" {
	tuple a 1 1 | sjoin -k id -o a.s,b.s,c.s a=- b=<(tuple b 1 1) \
	    c=<(tuple c 1 1) | same rows <(
		echo '{"a.s":"a","b.s":"b","c.s":"c"}') -
}

@test "a row is there before the end of input, without any flag" {
	mkfifo a b
	# out is emptied first, so that soon does not see the rows of before.
	for options in '' '-t ts' '-t ts --idle 60s' '-m -t ts'; do
		exec 5<>a 6<>b
		: >out
		# shellcheck disable=SC2086
		sjoin -k id $options -o id a=a b=b >out 5<&- 6<&- &
		tuple a 1 1 >&5
		tuple b 1 1 >&6
		# By event time the first waits for what may be older.
		[[ $options != *60s ]] || tuple a 2 2 >&5
		soon out 1
		exec 5<&- 6<&-
		wait $!
		same "with '$options'" <(echo '{"id":1}') out
	done
}

@test "a silent stream is waited for --idle long, then holds nothing up" {
	mkfifo b
	exec 6<>b
	tuple x 1 1 x 2 2 x 60 60 >a
	sjoin -k id -t ts -w 10s --idle 50ms -a a,b -o a.ts,b.ts \
	    --expired expired a=a b=b >out 6<&- &
	# Both have expired though b has never spoken; 60 waits.
	soon out 2
	# b speaks: what is too late for 2, for what waits, and in time for 60.
	tuple b 2 2 b 60 55 >&6
	soon out 4
	exec 6<&-
	wait $!
	same rows - out <<'END'
{"a.ts":1,"b.ts":null}
{"a.ts":2,"b.ts":null}
{"a.ts":null,"b.ts":2}
{"a.ts":60,"b.ts":55}
END
	same reasons <(printf 'timeout\ntimeout\nlate\n') <(jq -r .reason expired)
}

# More rows than a pipe holds: what b says comes long before the end of a.
@test "a stream that was silent is heard while another has much to say" {
	mkfifo b out
	exec 6<>b
	seq 200000 | awk '{ print "{\"id\":" $1 ",\"ts\":" $1 "}" }' >a
	sjoin -k id -t ts -w 10s --idle 10ms -a a -o id,b.ts a=a b=b >out 6<&- &
	exec 7<out
	read -r row <&7
	[ "$row" = '{"id":1,"b.ts":null}' ]
	tuple b 150000 150000 >&6
	[ "$(grep -m 1 '"id":150000,' <&7)" = '{"id":150000,"b.ts":150000}' ]
	exec 6<&-
	cat <&7 >rest
	wait $!
	exec 7<&-
}

@test "a stream that is in time is waited for: idle is not slow" {
	mkfifo b
	exec 6<>b
	tuple x 1 1 x 2 2 x 60 60 >a
	sjoin -k id -t ts -w 10s --idle 60s -o a.ts,b.ts \
	    --expired expired a=a b=b >out 6<&- &
	tuple b 1 5 >&6
	# It writes before it waits.
	soon out 1
	tuple b 2 12 >&6
	exec 6<&-
	wait $!
	same rows <(printf '{"a.ts":%d,"b.ts":%d}\n' 1 5 2 12) out
}

@test "the end of a stream releases what waited for it" {
	mkfifo a
	exec 5<>a
	tuple b 1 1 >other
	sjoin -k id -t ts -w 10s --idle 60s --expired expired a=a b=other >out 5<&- &
	tuple a 2 0 a 3 12 >&5
	soon expired 2
	exec 5<&-
	wait $!
	[ ! -s out ]
	same reasons <(printf 'timeout 2\ntimeout 1\nend 3\n') \
	    <(jq -r '"\(.reason) \(.tuple.id)"' expired)
}

@test "the end of input is as if all had been read, at a signal too" {
	mkfifo a
	exec 5<>a
	: >b
	sjoin -k id -t ts --expired expired -v a -o id a=a b=b \
	    >out 2>err 5<&- &
	tuple a 1 1 >&5
	# What is said of the next line tells that this one has been read.
	echo x >&5
	soon err 1
	kill -TERM $!
	rc=0
	wait $! || rc=$?
	exec 5<&-
	[ "$rc" -eq 143 ]
	same rows <(echo '{"id":1}') out
	[ "$(jq -r .reason expired)" = end ]
}

@test "two files give the same bytes every time, and with threads" {
	awk 'BEGIN { srand(3); for (i = 0; i < 20000; i++)
	    printf "{\"id\":%d,\"ts\":%d}\n", i % 500, i + rand() * 50 }' >a
	awk 'BEGIN { srand(4); for (i = 0; i < 30000; i++)
	    printf "{\"id\":%d,\"ts\":%d}\n", i % 400, i + rand() * 50 }' >b
	run() {
		sjoin -k id -t ts -l 50s -w 100s -m --threads "$1" \
		    --expired expired a=a b=b >out && cat expired >>out
	}
	run 1
	mv out want
	for threads in 1 2 4; do
		run $threads
		cmp want out
	done
}

@test "Suricata: alerts with their flows, 423 pairs" {
	data suricata-eve.ndjson.gz
	gzip -dc "$DATA/suricata-eve.ndjson.gz" |
		sjoin -m -k flow_id -t timestamp -w 24h -l 24h -s event_type \
		    -o flow_id,alert.alert.signature_id,flow.flow.pkts_toserver \
		    --stats=stats alert flow >pairs
	[ "$(wc -l <pairs)" -eq 423 ]
	[ "$(jq .joined stats)" -eq 423 ]
	[ "$(jq '.passed > 0 and .rejects == 0' stats)" = true ]
}

@test "waiting is bounded by the window, whatever the length of the input" {
	awk 'BEGIN { for (i = 0; i < 300000; i++)
	    printf "{\"id\":%d,\"ts\":%d}\n", i, i }' >a
	awk 'BEGIN { for (i = 0; i < 300000; i += 3)
	    printf "{\"id\":%d,\"ts\":%d}\n", i, i + 5 }' >b
	(
		# The sanitizers map terabytes.
		[[ $BUILD == *san* ]] || ulimit -v 100000
		sjoin -k id -t ts -w 10s -o id --threads 1 a=a b=b
	) >out
	[ "$(wc -l <out)" -eq 100000 ]
}

# What expires next is fetched ahead only where more than 16384 keys wait.
@test "many to many, where tens of thousands wait and half of them expire" {
	awk 'BEGIN { for (i = 1; i <= 40000; i++) {
	    printf "{\"k\":%d,\"ts\":%d}\n", i, 1700000000 + i >"a"
	    printf "{\"k\":%d,\"ts\":%d}\n", i,
	        1700000000 + i + (i % 2 ? 30000 : 40000) >"b" } }'
	sjoin -m -k k -t ts -w 35000s -l 20000s -o k,at=b.ts --expired failed \
	    --stats=stats a=a b=b >out
	sort -o out out
	awk 'BEGIN { for (i = 1; i <= 40000; i += 2)
	    printf "{\"k\":%d,\"at\":%d}\n", i, 1700030000 + i }' | sort | cmp - out
	jq -c '[.stream, .tuple.k]' failed | sort >lost
	awk 'BEGIN { for (i = 2; i <= 40000; i += 2) {
	    printf "[\"a\",%d]\n", i
	    printf "[\"b\",%d]\n", i } }' | sort | cmp - lost
	[ "$(jq .failed_timeout stats)" -gt 10000 ]
}

# What was read of a while b had nothing was counted as still to come; the join
# then ran past what it had looked at.
@test "a stream that begins late meets all of one that did not wait" {
	awk 'BEGIN { for (i = 0; i < 400000; i++) {
	    printf "{\"id\":%d,\"ts\":%d}\n", i, 1700000000 + i
	    if (i % 370 == 0) print i % 20 ? "" : "{\"__tick\":1}"
	    if (i % 530 == 0) print "{\"id\":x}"
	} }' >a
	awk 'NR % 100 == 1' a >b
	local time
	for time in '' '-t ts -l 30d --idle 1ms'; do
		# shellcheck disable=SC2086
		sjoin -k id -w 30d -o id --on-error skip --threads 1 $time \
		    --stats=want.stats a=a b=b >want || [ $? -eq 1 ]
		# Python is not there at once, nor is a then read to its end.
		# shellcheck disable=SC2086
		python3 -c 'print(open("b").read(), end="")' |
			sjoin -k id -w 30d -o id --on-error skip --threads 1 \
			    $time --stats=stats a=a b=- >out || [ $? -eq 1 ]
		same rows <(sort want) <(sort out)
		same stats <(jq -c 'del(.seconds, .scan_ns, .bolt_ns, .write_ns)' want.stats) \
		    <(jq -c 'del(.seconds, .scan_ns, .bolt_ns, .write_ns)' stats)
		[ "$(jq .joined stats)" -gt 3900 ]
	done
}

# All that had come since the last commit was kept, and what had gone again was
# deleted where it had never been: 162 MB and thrice the time for two million
# rows of a hundred keys.
@test "what a table loses before a commit is neither kept nor stored" {
	: >none
	sjoin --table t -k k -t ts --state s.db a=none t=none
	sqlite3 s.db "CREATE TRIGGER d BEFORE DELETE ON sjoin
	    BEGIN SELECT RAISE(ABORT, 'was never there'); END"
	sqlite3 s.db "CREATE TRIGGER i BEFORE INSERT ON sjoin
	    WHEN new.timeNanos / 1000000000 < 299000
	    BEGIN SELECT RAISE(ABORT, 'gone'); END"
	awk 'BEGIN { for (i = 0; i < 300000; i++)
	    printf "{\"k\":\"%0200d\",\"ts\":%d}\n", i % 10, i }' >t
	awk 'NR % 100 == 0' t >a
	(
		# The sanitizers map terabytes.
		[[ $BUILD == *san* ]] || ulimit -v 100000
		sjoin --table t -k k -t ts --state s.db --commit 1h \
		    --threads 1 a=a t=t
	) >out
	[ "$(wc -l <out)" -eq 2999 ]
	[ "$(sqlite3 s.db 'SELECT count(DISTINCT k) FROM sjoin')" -eq 10 ]
}

# Where the other tables and the stream had ended, and were named before it, a
# tuple that had waited was joined before the table without times was read.
@test "a table without times is read before time goes on, wherever it is named" {
	echo '{"k":1,"t":10}' >m
	# shellcheck disable=SC2054 # the commas are sjoin's
	args=(-k k -t m:t,b:t --table a,b -o a.row -a m --state s.db)
	for operands in 'm=m a=a b=b' 'a=a m=m b=b' 'm=m b=b a=a' 'b=b m=m a=a'; do
		read -ra operands <<<"$operands"
		: >a
		printf '{"k":1,"t":%d}\n' 5 20 >b
		sjoin "${args[@]}" "${operands[@]}" >out
		[ ! -s out ]
		echo '{"k":1,"row":1}' >a
		sjoin "${args[@]}" --final "${operands[@]}" |
			same "${operands[*]}" <(echo '{"a.row":1}') -
		rm s.db
	done
}

# They were passed over, but stayed in memory, in --max-keys and in the state.
@test "a table forgets the rows that are more than -w past" {
	local join=(sjoin -q -s s -k k -t t -w 10s --table t -o 'k,o.t'
	    --stats=stats --state s.db t o)
	printf '{"s":"t","k":%d,"t":%d}\n' 1 0 1 5 2 100 1 80 >in
	run -0 "${join[@]}" --max-keys 1 <in
	[ "$(jq .live_keys stats)" -eq 1 ]
	[ "$(sqlite3 s.db 'select k, timeNanos from sjoin')" = '2|100000000000' ]
	# At -w it is still there, in the next run, too.
	printf '{"s":"o","k":%d,"t":%d}\n' 2 110 >>in
	run -0 "${join[@]}" --final <in
	[ "$output" = '{"k":2,"o.t":110}' ]
}

# What is only counted need not be put in order.
@test "the counts are the same whether or not anybody sees what fails" {
	for seed in 1 2; do
		awk -v seed="$seed" 'BEGIN {
			srand(seed)
			for (i = 0; i < 3000; i++)
				printf "{\"id\":%d,\"ts\":%d}\n",
				    rand() * 2000, rand() * 100
		}' >"$seed"
	done
	for options in '-l all' '-m -l all' '-m -l 20s' '-l 5s -d replace'; do
		read -ra args <<<"$options"
		args+=(-k id -t ts -w 10s a=1 b=2)
		sjoin "${args[@]}" --stats=counts >rows
		sjoin "${args[@]}" --stats=want --expired failed >want-rows
		same rows want-rows rows
		for file in counts want; do
			jq -c 'with_entries(select(.key |
			    test("^failed|joined|waiting|live_keys")))' $file >$file.own
		done
		same counts want.own counts.own
		[ "$(wc -l <failed)" = "$(jq 'with_entries(select(.key |
		    startswith("failed"))) | add' counts)" ]
	done
}

# rows N: a table of so many hosts, which begins and ends alike whatever is
# changed in its middle.
rows() {
	awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++)
	    printf "{\"host\":%d,\"age\":31,\"pad\":\"%030d\"}\n", i, i }'
}

# looked_up WANT LINES [TABLE]: the row of host 500 has this age; so many lines
# were read, that of the stream too, and nobody was warned.
looked_up() {
	echo '{"host":500}' >>log
	sjoin -k host --table t -o age --state s.db --stats=stats log=log \
	    "t=${3:-t}" >row 2>err
	same messages /dev/null err
	[ "$(cat row) $(jq .lines stats)" = "{\"age\":$1} $2" ] || {
		echo "expected $1 and $2 lines, got $(cat row) and $(jq .lines stats)"
		return 1
	}
}

# age AGE FILE: give host 500 this age, in the file as it is.
age() {
	python3 - "$@" <<-'END'
		import sys
		with open(sys.argv[2], 'r+b') as f:
		    text = f.read()
		    at = text.index(b'"age":', text.index(b'"host":500,')) + 6
		    f.seek(at)
		    f.write(sys.argv[1].encode())
	END
}

# Size, beginning and end were as before, and that was all that was compared.
@test "a table is read again if a row was changed in its place" {
	rows 6000 >t
	looked_up 31 6001
	age 32 t
	looked_up 32 6001
	# Nor does the time of change matter.
	touch -r t time
	age 33 t
	touch -r time t
	looked_up 33 6001
	touch -d 2001-01-01 t
	looked_up 33 1
	# As an editor does, whose file is another one.
	cp t new
	age 34 new
	mv new t
	looked_up 34 6001
	# A dump of today, that has a new row at its end.
	age 35 t
	rows 6002 | tail -n 2 >>t
	looked_up 35 6003
	rows 6003 | tail -n 1 >>t
	looked_up 35 2
	gzip t
	looked_up 35 1 t.gz
	looked_up 35 1 t.gz
	gzip -d <t.gz >t
	age 36 t
	gzip <t >t.gz
	looked_up 36 6004 t.gz
	looked_up 36 1 t.gz
}

@test "a table is read again if a file takes the place of another, as it was once" {
	rows 100 >old
	sed 's/31/32/' old >new
	rows 600 | tail -n 500 | tee -a old >>new
	age 40 new
	for how in 'cp old t' 'cp new t' 'cp old t' 'ln -f new t' 'ln -f old t' \
	    'ln -f new t'; do
		$how
		case $how in
		*old*) looked_up 31 601 ;;
		*new*) looked_up 40 601 ;;
		esac
	done
	# Two files that make up the table stay known.
	rows 1 >other
	looked_up 40 2 other
	looked_up 40 1
	looked_up 40 1 other
}

@test "a table whose last line is not complete, or too long" {
	rows 1000 >t
	printf '{"host":500' >>t
	looked_up 31 1001
	looked_up 31 1
	age 32 t
	looked_up 32 1001
	echo ',"age":33}' >>t
	looked_up 33 2
	printf '%070000d' 0 >>t
	for age in 34 35; do
		age $age t
		for lines in 1002 1; do
			echo '{"host":1}' >>log
			sjoin -k host --table t -o age --state s.db --max-line 64K \
			    --stats=stats log=log t=t >row
			[ "$(jq .lines stats)" -eq $lines ]
		done
	done
}

# Its rows are added at its end, and it may be too long to read all of it again.
@test "a table with times is a log" {
	rows 1000 | sed 's/}/,"ts":1}/' >t
	echo '{"host":500,"ts":2}' >log
	sjoin -k host -t ts --table t -o age --state s.db log=log t=t >out
	age 32 t
	echo '{"host":500,"ts":3}' >>log
	sjoin -k host -t ts --table t -o age --state s.db --final log=log t=t >>out
	printf '{"age":%d}\n' 31 31 | same rows - out
}

@test "a state that does not know the whole of its tables is gone on with" {
	rows 1000 >t
	looked_up 31 1001
	sqlite3 s.db "DELETE FROM tupletools_values WHERE name = 'whole'"
	looked_up 31 1
	age 32 t
	looked_up 32 1001
}

# All rows were written to the state again: 2.9 s for a million, in place of 1.2.
@test "rows of a table that come again as they were are not written again" {
	rows 1000 >t
	looked_up 31 1001
	sqlite3 s.db "CREATE TABLE written (host);
	    CREATE TRIGGER i AFTER INSERT ON sjoin
	    BEGIN INSERT INTO written VALUES (new.host); END"
	age 32 t
	rows 1001 | tail -n 1 >>t
	looked_up 32 1002
	[ "$(sqlite3 s.db 'SELECT group_concat(host) FROM written')" = 500,1001 ]
	looked_up 32 1
}
