#!/usr/bin/env bats
# Where memory grows by keys, --max-keys says how many there may be at a time.

load helper

# Keys a to d; the second a is no new key.  Times are seconds.
keys() {
	printf '{"k":"%s","t":%d}\n' a 1 b 2 a 3 c 4 d 5
}

# ended LINE COMMAND...: the command ends there, before the line.
ended() {
	local line=$1 status=0
	shift
	"$@" >out 2>err || status=$?
	[ "$status" = 2 ] || { echo "status $status: $*"; return 1; }
	same "$*" <(echo "$1: ended at in:$line by --max-keys") err
}

# each FUNCTION: call it with a command that has --max-keys, and its options.
each() {
	"$1" tally -k k in
	"$1" rollcount -k k -t t -w 1h in
	"$1" rollcount -k k -t t -w 1h -a count,max:t in
	"$1" sessions -k k -t t --gap 1h in
	"$1" timeline -k k --from t --to t in
	"$1" dedup -k k in
	"$1" dedup -k k -w 1h -t t in
	"$1" sjoin -k k -w 1h a=in b=none
	"$1" sjoin -k k -w 1h -m -t t a=in b=none
	"$1" sjoin -k k --table b a=none b=in
	# What waits for its time did not count.
	"$1" sjoin -k k --table b -t t -l all a=in b=none
}

limited() {
	ended 4 "$@" --max-keys 2
	ended 5 "$@" --max-keys 3
	got=0
	"$@" --max-keys 4 >out 2>err || got=$?
	want=0
	"$@" >out.any 2>err.any || want=$?
	[ "$got" = "$want" ]
	same "$*" out.any out
	same "$*: stderr" err.any err
}

@test "the tuple that brings a key too many ends the command" {
	keys | sed 's/}$/,"s":0}/' >in
	: >none
	each limited
	limited topn -k k -v t in
	limited rollagg -k k -v t -s s in
	ended 2 topn -k k -g k -v t --max-keys 1 in
	misuse=$(! topn -v t --max-keys 3 in 2>&1)
	[[ $misuse == "topn: --max-keys needs -k or -g"* ]]
	limited topn -g k -v t in
	# Groups are forgotten with their batch.
	printf '{"k":%d,"t":1}\n' 1 2 | sed '1a {"__tick":5}' >ticked
	topn -g k -v t --max-keys 1 ticked
}

# A run that ends by the limit, and one without, write what one alone writes.
in_two() {
	local last=()
	case $1 in rollcount | sessions | sjoin) last=(--final) ;; esac
	rm -f ./s.db ./*.out
	"$@" --state s.db --output one.out "${last[@]}" 2>/dev/null || :
	rm -f ./s.db
	ended 4 "$@" --state s.db --output two.out --max-keys 2
	"$@" --state s.db --output two.out "${last[@]}" 2>/dev/null || :
	sort -o one.out one.out
	sort -o two.out two.out
	same "$*" one.out two.out
}

@test "with --state the next run begins with that tuple" {
	keys >in
	: >none
	each in_two
}

# stops COMMAND...: it ends before line 3, and says by which option.
stops() {
	local status=0
	"$@" 2>err || status=$?
	[ "$status" = 2 ]
	grep -q "^$1: ended at in:3 by --" err
}

# It ended without a commit: what was written before the line came again.
@test "with --state the next run begins with the bad line that ended one" {
	printf '%s\n' '{"k":1}' '{"k":2}' bad '{"k":3}' >in
	for how in '--on-error=stop' '--max-errors=0'; do
		rm -f s.db
		for _ in 1 2 3; do
			stops dedup -k k --state s.db "$how" in
		done >out
		head -n 2 in | same "$how" - out
		dedup -k k --state s.db --on-error skip -q in >out
		tail -n 1 in | same "$how, then on" - out
	done
}

# Its pieces had been read by then, and the next run began behind it.
@test "so it does with an over-long line, which a greater --max-line lets in" {
	printf '{"k":"%s"}\n' 1 2 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 3 >in
	for threads in 1 3; do
		rm -f s.db
		for _ in 1 2 3; do
			stops dedup -k k --state s.db --threads $threads \
			    --max-line 20 --on-error stop in
		done >out
		dedup -k k --state s.db in >>out
		same "$threads threads" in out
	done
}

# A tuple that brought nothing new ended it, too, where more was held.
@test "timeline takes an interval as a whole, and only new slices count" {
	line=(timeline -k k --from f --to t --slice 1s --step 1s)
	printf '{"k":"a","f":%d,"t":%d}\n' 1 1 1 5 1 1 >in
	"${line[@]}" in >want
	for most in 1 2 4; do
		rm -f s.db
		ended 2 "${line[@]}" --state s.db --max-keys $most in
		"${line[@]}" --state s.db in >/dev/null
		"${line[@]}" --state s.db --dump >out
		same $most want out
	done
	ended 2 "${line[@]}" --max-keys 4 in
	"${line[@]}" --max-keys 5 in | same 5 want -
	printf '{"k":"%s","f":1,"t":1}\n' a b c >in
	echo bad >>in
	printf '{"k":"%s","f":1,"t":1}\n' a b >>in
	! "${line[@]}" --state b.db --on-error stop in 2>err || false
	"${line[@]}" --state b.db --on-error skip --max-keys 2 in >out
	[ "$(wc -l <out)" = 3 ]
}

@test "keys that have gone make room" {
	printf '{"k":"%s","t":%d}\n' a 1 b 2 c 11 d 12 e 21 f 22 >in
	# A key is held until its row with count 0.
	rollcount -k k -t t -w 10s --no-zeros --max-keys 4 in >out
	[ "$(wc -l <out)" = 6 ]
	sessions -k k -t t --gap 5s --max-keys 2 in >out
	[ "$(wc -l <out)" = 6 ]
	dedup -k k -t t -w 5s --max-keys 2 in >out
	same dedup in out
	printf '{"k":"%s","t":%d}\n' a 1 b 2 c 11 d 12 e 21 f 22 >other
	sjoin -k k -t t -w 3s --max-keys 2 a=in b=other >out
	[ "$(wc -l <out)" = 6 ]
	printf '%s\n' '{"k":"a","v":1}' '{"k":"a","v":0}' '{"k":"b","v":2}' |
		topn -k k -v v --max-keys 1 >out
	same topn <(echo '{"rank":1,"k":"b","v":2}') out
}

# The lines of one input were written into a line of another, or glued to what
# had been there of a line without an end.
@test "--rejects keeps long lines of several inputs apart" {
	mkfifo a b said
	exec 6<>said
	sjoin -w 10s -k k --max-line 20 --rejects bad a=a b=b >out 2>said 6>&- &
	exec 7>a 8>b
	printf '{"k":"%040d' 1 >&7
	printf '{"k":"%040d"}\nbad line of b\n' 2 >&8
	# What is said of those of b comes when the beginning of a has been read.
	read -r -t 60 <&6
	read -r -t 60 <&6
	exec 8>&-
	printf '%s"}\n' rest >&7
	exec 7>&-
	wait $! || true
	exec 6>&-
	sort bad >got
	printf '%s\n' 'bad line of b' "$(printf '{"k":"%040drest"}' 1)" \
	    "$(printf '{"k":"%040d"}' 2)" >want
	same rejects want got
}

@test "--rejects leaves out a long line that the next run is to read" {
	printf '{"k":"%040d' 1 >f1
	for second in 'bad line' "$(printf '{"k":"%040d"}' 2)"; do
		rm -f state
		echo "$second" >f2
		run tally -k k --state state --max-line 20 --rejects bad f1 f2
		[ "$(tail -n 1 bad)" = "$second" ]
		[ "$(wc -l <bad)" = 1 ]
		rm bad
	done
}
