#!/usr/bin/env bats
# Whole pipelines over real logs, against what jq or a few lines of Python make
# of the same input.
load ../helper
set -o pipefail

# windows TIME KEY LENGTH EVERY LATENESS: what rollcount should say, given
# seconds: one "END KEY COUNT" a line, sorted; the number of late tuples is in
# late.n.  It takes each tuple for itself: the window that ends at a multiple
# of EVERY has those of the LENGTH before that came while the watermark was
# behind it.
windows() {
	python3 -c 'import collections, datetime, json, sys
time, key = sys.argv[1:3]
LENGTH, EVERY, lateness = (int(arg) * 10**6 for arg in sys.argv[3:])
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MICROSECOND = datetime.timedelta(microseconds=1)
counts, watermark, last, late = collections.Counter(), None, 0, 0
for line in sys.stdin:
    row = json.loads(line)
    t = datetime.datetime.fromisoformat(row[time].replace("Z", "+00:00"))
    t = (t - EPOCH) // MICROSECOND
    watermark = max(t - lateness, watermark or t - lateness)
    first_end = t // EVERY * EVERY + EVERY
    used = False
    for end in range(first_end, first_end + LENGTH, EVERY):
        if end > watermark // EVERY * EVERY:
            counts[end, row[key]] += 1
            used = True
    if used:
        last = max(last, first_end)
    else:
        late += 1
open("late.n", "w").write(str(late))
for (end, k), n in counts.items():
    if end <= last:
        print(end // 1000, k, n)
' "$@" | sort
}

# listed: rows of rollcount in the same form, without the zeros.
listed() {
	jq -r --arg key "$1" \
	    'select(.count > 0) | "\(.window_end) \(.[$key]) \(.count)"' | sort
}

@test "an hour of DNS questions by host, in disorder" {
	data zeek-dns.ndjson.gz
	zcat "$DATA/zeek-dns.ndjson.gz" >dns
	while read -r length every lateness some; do
		rollcount -k id.orig_h -t ts -w "$length" -e "$every" \
		    -l "$lateness" --late late --stats=stats dns >rows
		windows ts id.orig_h "$length" "$every" "$lateness" <dns >want
		[ "$(wc -l <want)" -gt 100 ]
		same "-w $length -l $lateness" want <(listed id.orig_h <rows)
		[ "$(wc -l <late)" -eq "$(cat late.n)" ]
		[ "$some" -eq $(($(cat late.n) > 0)) ]
		jq -e --argjson late "$(cat late.n)" \
		    '.lines == 53615 and .late == $late and .rejects == 0' stats
		jq -es --argjson length "$length" --argjson every "$every" '
			all(.window_seconds == $length and
			    .window_end % ($every * 1000) == 0)' rows
		# Batches come in order, and no key twice in one.
		jq -r .window_end rows | sort -nc
		[ "$(jq -c '[.window_end, ."id.orig_h"]' rows | sort | uniq -d)" = '' ]
	done <<-'END'
		3600 600 900 0
		3600 600 0 0
		120 60 0 1
		120 60 120 1
	END
}

@test "the zeros of the DNS log: one when a host has left, none before" {
	data zeek-dns.ndjson.gz
	zcat "$DATA/zeek-dns.ndjson.gz" |
		rollcount -k id.orig_h -t ts -w 10m -e 1m -l 15m --drain >rows
	python3 - <<'END'
import json
last = {}
for line in open("rows"):
    row = json.loads(line)
    key, end = row["id.orig_h"], row["window_end"]
    if key in last:
        before, count = last[key]
        if count == 0:
            assert row["count"] > 0, line
        else:
            assert end == before + 60000, line
    else:
        assert row["count"] > 0, line
    last[key] = end, row["count"]
assert last and all(count == 0 for _, count in last.values())
END
	# Without the zeros it is the rest that is left.
	zcat "$DATA/zeek-dns.ndjson.gz" | rollcount -k id.orig_h -t ts -w 10m \
	    -e 1m -l 15m --drain --no-zeros >without
	grep -v '"count":0,' rows | same 'without zeros' - without
}

@test "the hosts that ask most" {
	data zeek-dns.ndjson.gz
	zcat "$DATA/zeek-dns.ndjson.gz" |
		rollcount -k id.orig_h -t ts -w 3650d -e 3650d |
		topn -n 3 -k id.orig_h -v count |
		jq -r '"\(.rank) \(."id.orig_h") \(.count)"' |
		same 'top hosts' <(
			echo 1 10.47.2.100 9346
			echo 2 10.47.6.154 4284
			echo 3 10.47.1.208 3422
		) -
}

@test "a single long window counts as jq does" {
	data zeek-dns.ndjson.gz wikipedia-edits.ndjson.gz
	zcat "$DATA/zeek-dns.ndjson.gz" >dns
	jq -c '[.qtype_name, .rcode]' dns | grep -v null | sort | uniq -c |
		sed -E 's/^ *([0-9]+) (.*)/\2 \1/' >want
	[ -s want ]
	rollcount -k qtype_name,rcode -t ts -w 3650d -e 3650d --rejects bad dns \
	    2>err | jq -r '"\([.qtype_name, .rcode]) \(.count)"' | grep -v null |
		sort | same 'two keys' want -
	# Each line is counted or kept.
	jq -c 'select(has("qtype_name") and has("rcode") | not)' dns >lacking
	[ "$(wc -l <bad)" -eq "$(wc -l <lacking)" ]
	zcat "$DATA/wikipedia-edits.ndjson.gz" >edits
	jq -r '"\(.channel) \(.added)"' edits |
		awk '{ sum[$1] += $2 } END { for (c in sum) print c, sum[c] }' |
		sort >want
	rollcount -k channel -v added -t time -w 3650d -e 3650d edits |
		jq -r '"\(.channel) \(.count)"' | sort | same 'a sum' want -
	# The same rows in arrival time, but for when the window ends.
	rollcount -k channel -v added -w 1h -e 1h <edits |
		jq -r '"\(.channel) \(.count)"' | sort | same 'by arrival' want -
}

@test "the ten who edited most in each last hour" {
	data wikipedia-edits.ndjson.gz
	zcat "$DATA/wikipedia-edits.ndjson.gz" >edits
	rollcount -k user -t time -w 1h -e 10m -T edits |
		topn -n 10 -k user -v count |
		jq -r '"\(.window_end)\t\(.rank)\t\(.user)\t\(.count)"' >got
	windows time user 3600 600 0 <edits | python3 -c 'import itertools, sys
rows = (line.rstrip("\n").split(" ") for line in sys.stdin)
rows = [(int(r[0]), " ".join(r[1:-1]), int(r[-1])) for r in rows]
rows.sort(key=lambda r: (r[0], -r[2], r[1].encode()))
for end, batch in itertools.groupby(rows, lambda r: r[0]):
    for rank, row in enumerate(itertools.islice(batch, 10), 1):
        print(end, rank, row[1], row[2], sep="\t")' >want
	[ "$(wc -l <want)" -gt 1000 ]
	same 'top editors' want got
}

@test "rankings of parts, ranked again, are the ranking of all" {
	data wikipedia-edits.ndjson.gz
	zcat "$DATA/wikipedia-edits.ndjson.gz" |
		rollcount -k user -t time -w 1h -e 1h >rows
	topn -n 7 -k user -v count -b window_end rows >want
	[ "$(wc -l <want)" -gt 100 ]
	topn -n 7 -k user -v count -b window_end want | same 'once more' want -
	grep -E '"user":"[A-M]' rows >some
	grep -vE '"user":"[A-M]' rows >others
	for part in some others; do
		topn -n 7 -k user -v count -b window_end "$part"
	done | jq -sc 'sort_by(.window_end)[]' |
		topn -n 7 -k user -v count -b window_end |
		same 'parts' <(jq -c . want) <(jq -c .)
}

@test "rolling top words" {
	spout words -n 300 --seed 1 | tee words |
		rollcount -k word -w 9s -e 3s -t ts -T |
		topn -n 2 -k word -v count >got
	python3 -c 'import collections, json
START = 1700000000000
rows = [json.loads(line) for line in open("words")]
assert [r["ts"] for r in rows] == [START + 100 * i for i in range(300)]
end = (START // 3000 + 1) * 3000
while end - 3000 <= rows[-1]["ts"]:
    count = collections.Counter(
        r["word"] for r in rows if end - 9000 <= r["ts"] < end)
    ranked = sorted(count.items(), key=lambda item: (-item[1], item[0]))
    for rank, (word, n) in enumerate(ranked[:2], 1):
        print(json.dumps(
            {"rank": rank, "word": word, "count": n, "window_end": end,
             "window_seconds": 9}, separators=(",", ":")))
    end += 3000' | same 'top words' - got
	[ "$(wc -l <got)" -ge 20 ]
}

@test "event time by the ticks of another rollcount" {
	# What one makes of a live stream another makes of its record.
	spout zipf -n 3000 --keys 50 --seed 7 |
		rollcount -k word -w 60s -e 10s -t ts -T >want
	spout zipf -n 3000 --keys 50 --seed 7 | python3 -c 'import json, sys
tick = None
for line in sys.stdin:
    now = json.loads(line)["ts"] // 10000 * 10000
    if tick is not None and now > tick:
        print("{\"__tick\":%d}" % now)
    tick = now
    sys.stdout.write(line)
print("{\"__tick\":%d}" % (tick + 10000))' |
		rollcount -k word -w 60s -e 10s -t ts -i -T | same ticks want -
}
