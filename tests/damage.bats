#!/usr/bin/env bats
# States that cannot be right: said to be damaged, and left as they are.
load helper

# change SQL: in s.db.
change() {
	python3 -c 'import sqlite3, sys
db = sqlite3.connect("s.db")
db.executescript(sys.argv[1])
db.commit()' "$1"
}

# begin COMMAND...: make the state that `damaged` changes.
begin() {
	rm -f s.db
	"$@" --state s.db <in >/dev/null 2>&1 || [ $? -eq 1 ]
	mv s.db good.db
	going_on=("$@" --state s.db)
}

# damaged WHAT SQL...: with each change the command that has begun the state
# says that WHAT is damaged, writes no row, and leaves nothing changed.
damaged() {
	local sql status what=$1
	shift
	for sql; do
		cp good.db s.db
		change "$sql"
		cp s.db before
		status=0
		"${going_on[@]}" <rest >out 2>err || status=$?
		echo "${going_on[0]}: s.db: the state is damaged: $what" |
			same "$sql" - err
		[ "$status" -eq 2 ]
		[ ! -s out ]
		cmp s.db before
		[ ! -e s.db-wal ]
	done
}

value() {
	echo "update tupletools_values set value = $2 where name = '$1'"
}

# A key or a spelling was written out as it stood, and a number that a sum or
# a minimum was said to be was read as one, whatever it was; one of the first
# that was kept of no tuple was read at no address.
@test "tally: keys, numbers and values that are none" {
	printf '{"k":%s,"n":%s}\n' '"a"' 1 '"b\n"' 2.5 1.0 7 >in
	echo '{"k":"c","n":1}' >rest
	begin tally -k k -a count,sum:n,min:n,max:n,first:n,last:n
	damaged 'a row of the table "tally"' \
	    "update tally set k = 'x\"y' where k = 'a'" \
	    "update tally set k = x'22' where k = 'a'" \
	    "update tally set k = x'ff' where k = 'a'" \
	    "update tally set k = x'312e30' where k = 'a'" \
	    "update tally set _spelling = x'312e3078' where k = 1" \
	    "update tally set _spelling = x'32' where k = 1" \
	    "update tally set _spelling = '1.0' where k = 1" \
	    "update tally set count = 'x' where k = 'a'" \
	    "update tally set count = 0 where k = 'a'" \
	    "update tally set count = 9223372036854775807 where k = 'a'" \
	    "update tally set min_n = x'5b5d' where k = 'a'" \
	    "update tally set first_n = x'5b312c' where k = 'a'" \
	    "update tally set last_n = x'5b312c0a325d' where k = 'a'" \
	    "update tally set _touched = 0 where k = 'a'" \
	    "update tally set _touched = 4 where k = 'a'" \
	    "update tally set sum_n = 0.5 where k = 'a'" \
	    "update tally set sum_n = 'x' where k = 'a'"
	damaged "the value 'touched' of 'tally'" "$(value touched -1)" \
	    "$(value touched "'x'")" \
	    "delete from tupletools_values where name = 'touched'"
	damaged "the value 'ended' of 'tally'" "$(value ended 4)"
	damaged "no such column: tally.count" \
	    'alter table tally rename column count to other'
	damaged "no such table: tally" 'drop table tally'
}

# Without a primary key SQLite sees nothing wrong.  One of the rows was added to
# the other, and took the place of that of another key, which began anew.
@test "tally: a key that a table has twice" {
	printf '{"k":"%s"}\n' a b >in
	printf '{"k":"%s"}\n' b a >rest
	tally -k k --state s.db <in
	change "create table t as select * from tally;
	    insert into t select * from tally where k = 'a';
	    drop table tally; alter table t rename to tally"
	run -2 tally -k k --state s.db <rest
	[ "$output" = 'tally: s.db: the state is damaged: a row of the table "tally"' ]
}

# Of a mean the column to look at does not say enough: all is in _exact.
@test "tally: a packed value that is none" {
	printf '{"k":"a","n":%s}\n' 1 2.5 >in
	echo '{"k":"c","n":1}' >rest
	begin tally -k k -a mean:n,p50:n,distinct:n,first:n
	damaged 'a row of the table "tally"' \
	    "update tally set _exact = null" \
	    "update tally set _exact = 'x'" \
	    "update tally set _exact = substr(_exact, 1, 5)" \
	    "update tally set _exact = substr(_exact, 1, length(_exact) - 1)" \
	    "update tally set _exact = _exact || x'00'" \
	    "update tally set _exact = x'7e' || substr(_exact, 2)"
}

# The lengths in it were believed: one byte made it read anywhere.
@test "tally -c: an open batch that is none" {
	printf '{"k":"%s"}\n' a b a >in
	echo '{"k":"c"}' >rest
	begin tally -k k -c --batch 100
	# Form 1, three tuples, then each key and how it is spelled.
	a=0622612206226122 b=0622622206226222
	cp good.db s.db
	change "$(value batch "x'0106$a$b'")"
	"${going_on[@]}" <rest >out
	printf '{"k":"%s","count":%d}\n' a 2 b 1 c 1 |
		same 'a batch that goes on' - out
	damaged "the value 'batch' of 'tally'" \
	    "$(value batch "x'0206$a'")" \
	    "$(value batch "x'0106${a}062261'")" \
	    "$(value batch "x'0106fe$a'")" \
	    "$(value batch "x'0106feffffff0f$a'")" \
	    "$(value batch "x'0105$a'")" \
	    "$(value batch "x'0100$a$b'")" \
	    "$(value batch "x'0106$a$a'")" \
	    "$(value batch "x'01060622612206226222'")" \
	    "$(value batch "x'01060622782206227822'")" \
	    "$(value batch "x'010602220222'")" \
	    "$(value batch "'x'")" \
	    "delete from tupletools_values where name = 'batch'"
}

# Counts were read as far as they were digits, and added up without a bound.
@test "timeline: slices and counts that are none" {
	echo '{"k":"a","from":0,"to":61}' >in
	echo '{"k":"c","from":0,"to":61}' >rest
	begin timeline -k k --from from --to to --slice 2m
	damaged 'a row of the table "timeline"' \
	    "update timeline set sliceStartMillis = 'x'" \
	    "update timeline set sliceStartMillis = 60000" \
	    "update timeline set occupancies = null" \
	    "update timeline set occupancies = '[1]'" \
	    "update timeline set occupancies = '[1,1,1]'" \
	    "update timeline set occupancies = '[1,x]'" \
	    "update timeline set occupancies = '[1,-1]'" \
	    "update timeline set occupancies = '[9223372036854775807,1]'" \
	    "update timeline set occupancies = x'5b312c315d'"
}

# A count beyond 2^61 was taken for the place of a sum in memory.
@test "rollcount: slots, counts and keys that are none" {
	printf '{"k":"%s","t":%d}\n' a 10 b 20 c 15 a 30 >in
	echo '{"k":"c","t":100}' >rest
	begin rollcount -k k -t t -w 20s -e 10s
	damaged 'a row of the table "rollcount"' \
	    "update rollcount set slotStartMillis = slotStartMillis + 1 where k = 'b'" \
	    "update rollcount set slotStartMillis = 'x' where k = 'b'" \
	    "update rollcount set slotStartMillis = -9223372036854775808 where k = 'b'" \
	    "update rollcount set slotStartMillis = 40000 where k = 'b'" \
	    "update rollcount set slotStartMillis = slotStartMillis - 20000 where k = 'b'" \
	    "update rollcount set count = 0" \
	    "update rollcount set count = 'x'" \
	    "update rollcount set count = 4611686018427387904" \
	    "update rollcount set count = 1000000000000000000" \
	    "update rollcount set _exact = x'02220202'" \
	    "update rollcount set k = 'x' where slotStartMillis = 30000" \
	    "delete from rollcount_keys where k = 'c'"
	damaged 'a row of the table "rollcount_keys"' \
	    "update rollcount_keys set _order = _order + 1" \
	    "update rollcount_keys set _order = null where k = 'c'" \
	    "update rollcount_keys set _order = 0" \
	    "update rollcount_keys set _shown = 2" \
	    "update rollcount_keys set _spelling = x'22' where k = 'a'" \
	    "update rollcount_keys set k = 'a\"b' where k = 'a'"
	for name in reached last started any start now timed; do
		damaged "the value '$name' of 'rollcount'" \
		    "$(value $name "'x'")" \
		    "$(value $name 9223372036854775807)" \
		    "delete from tupletools_values where name = '$name'"
	done
	damaged "the value 'reached' of 'rollcount'" "$(value now 10000000)"
}

@test "rollcount: sums and ticks that are none" {
	printf '{"k":"%s","n":%s}\n' a 0.5 b 2 >in
	echo '{"__tick":10000}' >>in
	echo '{"k":"c","n":1}' >>in
	echo '{"__tick":20000}' >rest
	begin rollcount -k k -v n -i -w 20s -e 10s
	damaged 'a row of the table "rollcount"' \
	    "update rollcount set _exact = null where k = 'a'" \
	    "update rollcount set _exact = substr(_exact, 1, 9) where k = 'a'" \
	    "update rollcount set _exact = x'02' where k = 'a'" \
	    "update rollcount set _exact = x'024602' where k = 'a'" \
	    "update rollcount set _exact = x'0242040202' where k = 'a'" \
	    "update rollcount set _exact = cast(_exact || x'00' as blob) where k = 'a'" \
	    "update rollcount set count = 4611686018427387904 where k = 'b'"
	damaged "the value 'ticks' of 'rollcount'" "$(value ticks "x''")" \
	    "$(value ticks "x'010080'")" "$(value ticks "x'0100020406'")"
}

# Where the fields of a tuple are was kept beside it, and believed.
@test "sjoin: tuples and waits that are none" {
	printf '{"k":%s,"s":"%s","t":%d}\n' 1 A 10 1.0 B 11 2 A 12 >in
	echo '{"k":2,"s":"B","t":13}' >rest
	begin sjoin -k k -s s -t t -w 30s A B C
	damaged 'a row of the table "sjoin"' \
	    "update sjoin set tuple = 'x'" \
	    "update sjoin set tuple = '[]'" \
	    "update sjoin set tuple = '{}'" \
	    "update sjoin set tuple = tuple || x'0a'" \
	    "update sjoin set tuple = null" \
	    "update sjoin set tuple = replace(tuple, ':2', ':3') where k = 2" \
	    "update sjoin set k = 3 where k = 2" \
	    "update sjoin set k = null where k = 2" \
	    "update sjoin set stream = 'D'" \
	    "update sjoin set stream = 'B'" \
	    "update sjoin set timeNanos = timeNanos + 1" \
	    "update sjoin set _order = _order + 1 where k = 2" \
	    "update sjoin set _order = -1 where k = 2" \
	    "update sjoin set _joined = 1" \
	    "update sjoin set _since = null where _since is not null" \
	    "update sjoin set _since = _since + 1" \
	    "update sjoin set _since = null, _first = null" \
	    "update sjoin set _first = 'x' where _since is not null" \
	    "update sjoin set _first = 1" \
	    "update sjoin set _first = 2" \
	    "update sjoin set _spelling = x'32'" \
	    "update sjoin set _spelling = x'3178' where k = 1"
	for name in order watermark; do
		damaged "the value '$name' of 'sjoin'" "$(value $name -1)" \
		    "$(value $name "x'01'")" \
		    "delete from tupletools_values where name = '$name'"
	done
}

@test "sjoin: what was read of a table, as it cannot be" {
	: >in
	: >rest
	echo '{"k":1}' >t
	begin sjoin -k k --table t a=- t=t
	damaged "the value 'whole' of 'sjoin'" "$(value whole "x''")" \
	    "$(value whole "x'0100'")" "$(value whole "x'02'")" \
	    "$(value whole "x'010102'")"
}

# A thousand kinds of damage; make damage does more.
# What the aggregates of each kind hold is checked as it is read.
@test "rollcount and sessions: aggregates that are none" {
	local all=count,count:n,sum:n,mean:n,stddev:n,max:n,first:n,distinct:n,p50:n
	printf '{"k":"%s","t":%d,"n":%s}\n' a 10 1 b 20 2.5 a 15 7 >in
	for i in {1..70}; do echo '{"k":"c","t":20,"n":'$((i * i))'}'; done >>in
	echo '{"k":"c","t":100}' >rest
	begin rollcount -k k -t t -w 20s -e 10s -l 50s -a $all
	damaged 'a row of the table "rollcount"' \
	    "update rollcount set _count = 0" \
	    "update rollcount set count = count + 1" \
	    "update rollcount set max_n = '7'" \
	    "update rollcount set _exact = null where k = 'a'" \
	    "update rollcount set _exact = substr(_exact, 1, 9) where k = 'a'" \
	    "update rollcount set _exact = substr(_exact, 1, 60) where k = 'c'" \
	    "update rollcount set _exact = _exact || x'00' where k = 'c'" \
	    "update rollcount set _exact = x'02' where k = 'c'"
	begin sessions -k k -t t -g 20s -a $all
	damaged 'a row of the table "sessions"' \
	    "update sessions set _order = -1 where k = 'a'" \
	    "update sessions set _order = 9 where k = 'a'" \
	    "update sessions set k = 'a' where k = 'b'" \
	    "update sessions set _spelling = x'22'" \
	    "update sessions set session_end = 9999" \
	    "update sessions set session_start = null" \
	    "update sessions set count = 0" \
	    "update sessions set _exact = null where k = 'a'" \
	    "update sessions set _exact = substr(_exact, 1, 60) where k = 'c'" \
	    "update sessions set _exact = _exact || x'00' where k = 'c'"
	damaged "the value 'order' of 'sessions'" "$(value order -1)"
	damaged "the value 'now' of 'sessions'" "$(value now "'x'")"
}

# The tuples of a window, or of sessions that became one, were more than their
# number can say: a sketch of them was then taken for a few numbers, elsewhere.
@test "values of more tuples than there can be" {
	local many="count_n = 1152921504606846976, _exact = x'02808080808080808020'"
	printf '{"k":"%s","t":%d,"n":%s}\n' a 10 1 b 20 2.5 >in
	echo '{"k":"c","t":100}' >rest
	begin rollcount -k k -t t -w 20s -e 10s -l 50s -a count:n
	damaged 'a row of the table "rollcount"' "update rollcount set $many"
	begin sessions -k k -t t -g 20s -l 50s -a count:n
	damaged 'a row of the table "sessions"' "update sessions set $many"
}

# The next one's number was more than an integer holds.
@test "inputs and runs with the last number" {
	echo '{"k":"a"}' >in
	echo '{"k":"c"}' >rest
	begin tally -k k
	damaged 'a row of the table "tally_inputs"' \
	    "update tally_inputs set input = 9223372036854775806" \
	    "update tally_inputs set used = 9223372036854775806"
}

@test "states that are changed at random are damaged, or give rows" {
	python3 "$TOP/tests/crash/damage.py" "${TUPLETOOLS_BIN:-$BUILD/bin}" \
	    --changes "${DAMAGES:-280}"
}
