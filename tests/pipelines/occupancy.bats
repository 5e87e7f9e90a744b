#!/usr/bin/env bats
# Events of people who enter and leave rooms, to stays, to timelines.
load ../helper
set -o pipefail

join_stays() {
	sjoin -k corrId -s eventType -t time -w 12h -l 12h "$@" ENTER LEAVE
}

count_rooms() {
	timeline -k roomId=ENTER.roomId --from ENTER.time --to LEAVE.time "$@"
}

@test "the sample of the Trident project: 54 timelines, to the last figure" {
	data presence-events.ndjson.gz
	zcat "$DATA/presence-events.ndjson.gz" | join_stays |
		count_rooms --state occ.db >rows
	[ "$(wc -l <rows)" -eq 54 ]
	jq -r -s 'group_by(.roomId)[] |
	    "\(.[0].roomId) \([.[].occupancies | add] | add)"' rows >got
	printf '%s\n' 'Annex1 8802' 'Cafetaria 7755' 'Conf1 7264' 'Conf2 8813' \
	    'Hall 7989' 'Lounge 8068' | same minutes - got
	row='{"roomId":"Cafetaria","sliceStartMillis":1374926400000,'
	row+='"occupancies":[11,12,12,12,13,15,15,14,17,18,18,19,20,22,22,22,21,22,'
	row+='23,25,25,25,28,28,33,32,31,31,29,28,27,27,25,22,22,21,20,19,19,19,17,'
	row+='17,16,16,15,15,16,15,14,13,13,12,11,10,9,11,10,9,11,10]}'
	grep -qxF "$row" rows
	count_rooms --state occ.db --dump >dump
	same dump rows dump
}

@test "made-up events give what a few lines of Python make of them" {
	spout presence --seed 3 >events
	join_stays <events | count_rooms >got
	python3 - events >want <<-'END'
	import collections, json, sys
	stays = collections.defaultdict(dict)
	for line in open(sys.argv[1]):
	    e = json.loads(line)
	    stays[e['corrId']][e['eventType']] = e
	slices = collections.defaultdict(lambda: [0] * 60)
	for stay in stays.values():
	    first, last = (stay[t]['time'] // 60000 for t in ('ENTER', 'LEAVE'))
	    for minute in range(first, last + 1):
	        slices[stay['ENTER']['roomId'], minute // 60][minute % 60] += 1
	for (room, hour), row in sorted(slices.items()):
	    print('{"roomId":"%s","sliceStartMillis":%d,"occupancies":%s}' % (
	        room, hour * 3600000, json.dumps(row, separators=(',', ':'))))
	END
	same timelines want got
}

@test "a log that grows gives the timelines of one run, and counts all once" {
	spout presence --seed 5 >events
	join_stays <events | count_rooms >want
	nevents=$(wc -l <events)
	for part in 1 3 4 8 10; do
		head -n $((nevents * part / 10)) events >log
		join_stays --state occ.db <log | count_rooms --state occ.db >out
	done
	count_rooms --state occ.db --dump >got
	same timelines want got
	join_stays --state occ.db <log | count_rooms --state occ.db >out
	[ ! -s out ]
	# Nobody is left who has not gone.
	python3 - <<-'END' >left
	import sqlite3
	print(*sqlite3.connect('occ.db').execute('select count(*) from sjoin').fetchone())
	END
	echo 0 | same waiting - left
}
