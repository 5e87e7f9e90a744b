# SPDX-License-Identifier: ISC
"""Blocks of lines under Storm: `blocks.py NAME` runs a case."""

import json
import os
import tempfile

from bolts import TICKS, equal, main
from storm import Bolt, Raw

LINES = {"default": ["lines"]}
IN = {"s": LINES}
KEEP = ["keep", "n >= 0"]
COUNTER = ["rollcount", "-k", "word", "-w", "9s", "-e", "3s"]


def block(*rows):  # what a component that gives blocks sends
    return ["".join(json.dumps(row) + "\n" for row in rows)]


def numbers(first, n):
    return [{"n": i} for i in range(first, first + n)]


def emits(bolt):
    return [m for m in bolt.unread if m["command"] == "emit"]


def lines(bolt, stream="default"):  # the rows of all blocks that came
    return [json.loads(line) for (text,) in bolt.rows(stream)
            for line in text.splitlines()]


def until(bolt, done):  # blocks leave by the clock, though nothing comes
    bolt.sync()
    while not done():
        bolt.unread.append(bolt.get())
    bolt.sync()


def counted():
    """All lines of a block are tuples; it is acked when they are counted, and
    what is counted is anchored to nothing."""
    with Bolt(COUNTER, conf=TICKS, sources=IN,
              outputs={"default": ["word", "count"]}) as bolt:
        name = bolt.send("s", block({"word": "a"}, {"word": "b"},
                                    {"word": "a"}))
        bolt.sync()
        equal(bolt.settled(), [[name], []])
        bolt.tick()
        bolt.sync()
        equal(sorted(bolt.rows()), [["a", 2], ["b", 1]])


def ticked():
    """The rows of a tick are one block."""
    with Bolt(COUNTER, conf=TICKS, sources=IN, outputs=LINES) as bolt:
        bolt.send("s", block({"word": "a"}, {"word": "b"}, {"word": "a"}))
        bolt.tick()
        until(bolt, lambda: emits(bolt))
        (sent,) = emits(bolt)
        equal(sent.get("anchors"), None)
        equal([(row["word"], row["count"]) for row in lines(bolt)],
              [("a", 2), ("b", 1)])


def task_of_a_map():
    """A map with a task of its own keeps that; it got a second one."""
    with Bolt(["keep", "task > 0"], sources={"s": {"default": ["tuple"]}},
              outputs=LINES) as bolt:
        bolt.send("s", [{"x": 1, "task": 7}])
        bolt.send("s", [{"x": 2}])

        def text():
            return "".join(m["tuple"][0] for m in emits(bolt))
        until(bolt, lambda: len(text().splitlines()) == 2)
        equal(text().replace(" ", ""),
              '{"x":1,"task":7}\n{"task":9,"x":2}\n')


def passed_on():
    """Rows are anchored to the blocks that they are from, each of which is
    acked after them; a block of which nothing is left, at once."""
    with Bolt(KEEP, sources=IN, outputs=LINES) as bolt:
        with bolt.at_once():  # else the clock may end the block between
            none = bolt.send("s", block({"n": -1}, {"n": -2}))
            first = bolt.send("s", block({"n": 1}, {"n": -1}, {"n": 2}))
            second = bolt.send("s", block({"n": 3}))
            bolt.heartbeat()
        bolt.wait()
        equal(bolt.take("ack")[0]["id"], none)
        until(bolt, lambda: not bolt.pending)
        equal([m["command"] for m in bolt.unread], ["emit", "ack", "ack"])
        equal(emits(bolt)[0]["anchors"], [first, second])
        equal(lines(bolt), numbers(1, 3))


def full():
    """A block holds 64 KiB at the most, but for a line that is longer."""
    long = {"n": 0, "x": "y" * 100000}
    rows = numbers(0, 20000) + [long] + numbers(0, 3)
    with Bolt(KEEP, sources=IN, outputs=LINES) as bolt:
        bolt.send("s", block(*rows))
        until(bolt, lambda: not bolt.pending)
        sizes = [len(m["tuple"][0]) for m in emits(bolt)]
        equal(lines(bolt), rows)
    equal(len(sizes), 20000 * 13 // 65536 + 3)
    equal([n for n in sizes if n > 65536], [len(json.dumps(long)) + 1])
    equal(min(sizes[:3]) > 65500, True)


def wide():
    """All of a block is taken, however many fields are looked for."""
    rows = numbers(0, 20000)
    fields = ["n >= 0"] + [f"more{i}" for i in range(40)]
    with Bolt(["keep", " || ".join(fields)], sources=IN,
              outputs=LINES) as bolt:
        bolt.send("s", block(*rows))
        until(bolt, lambda: not bolt.pending)
        equal(lines(bolt), rows)


def bytes_stay():
    """A line comes out as it went in, whatever Storm makes of strings."""
    odd = ['{"n":1.10}', '{ "n" : 1, "n":2 }',
           '{"n":12345678901234567890,"b":1,"a":2}',
           r'{"n":1,"x":"\"\\\/\b\u0041\ud800\n"}',
           '{"n":3,"\u2028":"\u00e9\U0001f600\x7f/"}']
    for ending in ("\n", "\r\n", "\n\n \n"):
        with Bolt(KEEP, sources=IN, outputs=LINES) as bolt:
            bolt.send("s", [ending.join(odd)])
            until(bolt, lambda: emits(bolt))
            equal(bolt.rows(), [["\n".join(odd) + "\n"]])


def bad_lines():
    """A bad line is told of, and does not keep the others from their count
    nor has the block sent again, which would be as bad."""
    with Bolt(COUNTER, conf=TICKS, sources=IN,
              outputs={"default": ["word", "count"]}) as bolt:
        name = bolt.send("s", ['{"word":"a"}\n{"word":\n{"x":1}\n[]\n'
                               '{"__tick":99999999999999999999}\n'
                               '{"__tick":5}\n\n{"word":"a"}'])
        bolt.sync()
        equal(bolt.settled(), [[name], []])
        equal(bolt.logs(), [
            "a line from s, stream default, failed: " + why for why in
            ("expected a value, got end of line", "no field 'word'",
             "expected an object, got '['",
             "expected a tick from 1385 to 2554")])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [["a", 2]])


def no_tick():
    """What is no tick of a block is no row either."""
    with Bolt(["keep", "!x"], sources=IN, outputs={"default": ["n"]}) as bolt:
        bolt.send("s", ['{"__tick":99999999999999999999}\n{"n":2}\n'])
        bolt.sync()
        equal(bolt.rows(), [[2]])
        equal(len(bolt.logs()), 1)


def stats():
    """The counters are of lines, not of blocks."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stats")
        with Bolt(SPLIT + ["--stats=" + path], sources=IN, outputs=LINES,
                  direct={"count": (7,)}) as bolt:
            bolt.send("s", ['{"word":"a"}\n\n{"word":}\n{"word":"b"}\n'])
            until(bolt, lambda: not bolt.pending)
        with open(path) as file:
            said = json.load(file)
        equal([said[name] for name in
               ("lines", "blank", "rejects", "emitted", "imbalance")],
              [4, 1, 1, 2, 0])


def trickle():
    """A block waits for so long from its first line on."""
    with Bolt(KEEP, sources={"s": {"default": ["n"]}}, outputs=LINES) as bolt:
        while not emits(bolt):
            bolt.send("s", [1])
            bolt.sync()
        equal(len(emits(bolt)[0]["tuple"][0]) < 65000, True)


def mixed():
    """A tuple beside blocks fails as one; a field `lines` beside another is
    no block."""
    sources = {"s": LINES, "w": {"default": ["lines", "n"]}}
    with Bolt(KEEP, sources=sources, outputs={"default": ["n"]}) as bolt:
        done = bolt.send("s", block({"n": -1}))
        good = bolt.send("w", ["x", 1])
        bad = bolt.send("w", ["x"])
        bolt.sync()
        equal(bolt.rows(), [[1]])
        equal(bolt.settled(), [[done, good], [bad]])


def no_blocks():
    """What is no string is no block, and fails; an empty one is done."""
    with Bolt(KEEP, sources=IN, outputs=LINES) as bolt:
        bad = [bolt.send("s", values) for values in
               ([], ["{}", "{}"], [3], [None], [{"n": 1}], Raw("null"))]
        good = [bolt.send("s", [text]) for text in ("", "\n", " \n\n")]
        bolt.sync()
        equal(bolt.settled(), [good, bad])
        equal(len(bolt.logs()), len(bad))


def to_tuples():
    """A component can take blocks and give tuples."""
    with Bolt(KEEP, sources=IN, outputs={"default": ["n"]}) as bolt:
        name = bolt.send("s", block(*numbers(0, 3)))
        bolt.sync()
        equal([m["anchors"] for m in emits(bolt)], [[name]] * 3)
        equal(bolt.rows(), [[0], [1], [2]])
        equal(bolt.settled(), [[name], []])


def from_tuples():
    """Or the other way round."""
    with Bolt(KEEP, sources={"s": {"default": ["n"]}}, outputs=LINES) as bolt:
        with bolt.at_once():
            names = [bolt.send("s", [i]) for i in range(3)]
        until(bolt, lambda: not bolt.pending)
        equal([sorted(m["anchors"]) for m in emits(bolt)], [sorted(names)])
        equal(lines(bolt), numbers(0, 3))


def deduplicated():
    """dedup passes on the first of each key, and acks the rest."""
    with Bolt(["dedup", "-k", "n"], sources=IN, outputs=LINES) as bolt:
        bolt.send("s", block({"n": 1}, {"n": 2}, {"n": 1}))
        bolt.send("s", block({"n": 2}))
        until(bolt, lambda: not bolt.pending)
        equal(lines(bolt), numbers(1, 2))


def joined():
    """A block waits until all its lines have joined; a row is anchored to the
    blocks of both sides."""
    sources = {"g": LINES, "a": LINES}
    with Bolt(["sjoin", "-k", "id", "-o", "id,g.x,a.y", "g=g", "a=a"],
              sources=sources, outputs=LINES) as bolt:
        left = bolt.send("g", block({"id": 1, "x": 1}, {"id": 2, "x": 2},
                                    {"id": 3, "x": 3}))
        one = bolt.send("a", block({"id": 2, "y": 2}, {"id": 1, "y": 1}))
        until(bolt, lambda: one not in bolt.pending)
        equal(list(bolt.pending), [left])
        two = bolt.send("a", block({"id": 3, "y": 3}))
        until(bolt, lambda: not bolt.pending)
        equal([m["anchors"] for m in emits(bolt)], [[left, one], [left, two]])
        equal(lines(bolt), [{"id": i, "g.x": i, "a.y": i} for i in (2, 1, 3)])


def expired():
    """What expires goes to its stream, as lines too, and never fails a
    block; without that stream it is dropped."""
    command = ["sjoin", "-k", "id", "-t", "ts", "--time-unit", "ms", "-w",
               "10s", "--idle", "1h", "x=g", "y=a"]
    for outputs in ({"default": ["lines"], "expired": ["lines"]}, LINES):
        with Bolt(command, sources={"g": LINES, "a": LINES},
                  outputs=outputs) as bolt:
            old = bolt.send("g", block({"id": 1, "ts": 1000},
                                       {"id": 1, "ts": 1001}))
            bolt.send("a", block({"id": None, "ts": 1000},
                                 {"id": 2, "ts": 90000}))
            bolt.send("g", block({"id": 2, "ts": 90000}))
            until(bolt, lambda: not bolt.pending)
            equal(bolt.take("fail"), [])
            gone = lines(bolt, "expired")
            equal([row["tuple"]["id"] for row in gone],
                  [1, None, 1] if len(outputs) == 2 else [])
            equal(old in [m["id"] for m in bolt.take("ack")], True)


def late():
    """So do late tuples."""
    with Bolt(["rollcount", "-k", "word", "-t", "ts", "-w", "2s", "-e", "1s"],
              sources=IN, outputs={"default": ["word"],
                                   "late": ["lines"]}) as bolt:
        name = bolt.send("s", block({"word": "a", "ts": 1e12 + 9000},
                                    {"word": "b", "ts": 1e12}))
        until(bolt, lambda: not bolt.pending)
        (sent,) = [m for m in emits(bolt) if m.get("stream") == "late"]
        equal(sent["anchors"], [name])
        equal([row["word"] for row in lines(bolt, "late")], ["b"])


def by_task():
    """rollagg tells counts apart by the task that sent the block, unless a
    line says otherwise; what it did not ask for is no part of its rows."""
    with Bolt(["rollagg", "-k", "obj"], conf=TICKS, sources=IN,
              outputs=LINES) as bolt:
        for task, n in ((7, 3), (8, 4), (7, 5)):
            bolt.send("s", block({"obj": "a", "count": n}), task=task)
        bolt.send("s", block({"obj": "b", "count": 1, "task": 1},
                             {"obj": "b", "count": 2, "task": 2}))
        bolt.tick()
        until(bolt, lambda: emits(bolt))
        equal(lines(bolt), [{"obj": "a", "count": 9},
                            {"obj": "b", "count": 3}])


def each_bolt():
    """Every command gives of blocks what it gives of tuples."""
    rows = [{"k": "k%d" % (i % 7), "v": i % 5, "ts": 1700000000000 + i * 1000,
             "to": 1700000000000 + i * 1100} for i in range(300)]
    names = list(rows[0])
    for command in (["tally", "-k", "k", "-a", "count,sum:v"],
                    ["topn", "-n", "3", "-k", "k", "-v", "v"],
                    ["timeline", "-k", "k", "--from", "ts", "--to", "to"],
                    ["sessions", "-k", "k", "-t", "ts", "-g", "1s"],
                    ["rollcount", "-k", "k", "-t", "ts", "-w", "20s", "-e",
                     "10s"],
                    ["dedup", "-k", "k", "-t", "ts", "-w", "20s"],
                    ["keep", "v > 3"],
                    ["keep", "--mark", "large", "v > 3"]):
        said = []
        for blocks in (False, True):
            sources = IN if blocks else {"s": {"default": names}}
            # `tuple` is the row itself.
            with Bolt(command, conf=TICKS, sources=sources,
                      outputs=LINES if blocks else
                      {"default": ["tuple"]}) as bolt:
                for i in range(0, 300, 50):
                    if blocks:
                        bolt.send("s", block(*rows[i:i + 50]))
                    for row in rows[i:i + 50] if not blocks else ():
                        bolt.send("s", [row[name] for name in names])
                bolt.tick()
                until(bolt, lambda: not bolt.pending and emits(bolt))
                said.append(lines(bolt) if blocks else
                            [row for (row,) in bolt.rows()])
                equal(bolt.take("fail", "error"), [])
        equal((command[0], said[1]), (command[0], said[0]))


SPLIT = ["pkgroup", "-k", "word", "-g", "fields"]
TASKS = {"count": (12, 7, 9)}


def by_tasks(bolt):  # the rows that each task was sent
    sent = {}
    for m in emits(bolt):
        sent.setdefault(m["task"] - 2 ** 32, []).extend(
            json.loads(line) for line in m["tuple"][0].splitlines())
    bolt.rows()
    return sent


def some(n):
    return [{"word": "w%d" % (i % 50), "n": i} for i in range(n)]


def piped(grouping, rows):  # what pkgroup gives each task in a pipe
    import subprocess
    ran = subprocess.run(
        ["pkgroup", "-n", "3", "-k", "word", *grouping],
        input=block(*rows)[0].encode(), capture_output=True, check=True)
    sent = {}
    for line in ran.stdout.splitlines():
        row = json.loads(line)
        sent.setdefault((7, 9, 12)[row.pop("task")], []).append(row)
    return sent


def split():
    """pkgroup splits blocks by every grouping as in a pipe, over the tasks of
    the component behind it in their order; a block is anchored to those that
    its lines are from."""
    rows = some(1000)
    for grouping in (["-g", "fields"], [], ["-g", "heavy"], ["-g", "shuffle"],
                     ["-g", "global"], ["-g", "none"], ["-g", "all"],
                     ["--hash", "storm2"], ["--hash", "storm1", "-g",
                                            "fields"]):
        with Bolt(["pkgroup", "-k", "word", *grouping], sources=IN,
                  outputs=LINES, direct=TASKS) as bolt:
            names = [bolt.send("s", block(*rows[i:i + 100]))
                     for i in range(0, 1000, 100)]
            until(bolt, lambda: not bolt.pending)
            anchors = {a for m in emits(bolt) for a in m["anchors"]}
            equal(anchors, set(names))
            equal(by_tasks(bolt), piped(grouping, rows))
            equal(bolt.take("fail", "error", "log"), [])


def split_tuples():
    """It splits tuples, too."""
    with Bolt(SPLIT, sources={"s": {"default": ["word", "n"]}},
              outputs={"default": ["n"]}, direct=TASKS) as bolt:
        names = [bolt.send("s", ["a", i]) for i in range(5)]
        bolt.sync()
        equal([m["anchors"] for m in emits(bolt)], [[n] for n in names])
        equal(len({m["task"] for m in emits(bolt)}), 1)
        equal(bolt.rows(), [[i] for i in range(5)])
        equal(bolt.settled(), [names, []])


def tagged():
    """With --tag each line tells the task that it came from, for rollagg."""
    with Bolt(SPLIT + ["--tag", "task"], sources=IN, outputs=LINES,
              direct={"count": (7,)}) as bolt:
        bolt.send("s", block({"word": "a", "task": 1}), task=21)
        bolt.send("s", block({"word": "b"}), task=22)
        until(bolt, lambda: not bolt.pending)
        equal(by_tasks(bolt), {7: [{"task": 21, "word": "a"},
                                   {"task": 22, "word": "b"}]})


def split_to():
    """Where several components are sent to directly, one must be named."""
    two = {"a": (7, 8), "b": (9,)}
    with Bolt(SPLIT + ["--to", "b"], sources=IN, outputs=LINES,
              direct=two) as bolt:
        bolt.send("s", block(*some(10)))
        until(bolt, lambda: not bolt.pending)
        equal(by_tasks(bolt), {9: some(10)})
    for command, direct, said in (
            (SPLIT, two, "a and b both take the stream default with grouping "
             "DIRECT: --to says whose tasks are meant"),
            (SPLIT, {}, "no component takes the stream default with grouping "
             "DIRECT"),
            (SPLIT + ["--to", "all"], two, "--to: all does not take the "
             "stream default with grouping DIRECT")):
        bolt = Bolt(command, sources=IN, outputs=LINES, direct=direct,
                    stderr="keep")
        equal(bolt.close(), 2)
        bolt.errors.seek(0)
        equal(bolt.errors.read().decode(), "pkgroup: " + said + "\n")


def no_leak():
    """Memory does not grow with what has come by."""
    sent = block(*numbers(0, 5000))
    with Bolt(KEEP, sources=IN, outputs=LINES) as bolt:
        for turn in range(6):
            for _ in range(20):
                bolt.send("s", sent)
            until(bolt, lambda: not bolt.pending)
            bolt.unread.clear()
            if turn == 1:
                before = bolt.rss()
        grown = bolt.rss() - before
        if grown > 300:
            raise AssertionError("%d kB" % grown)


if __name__ == "__main__":
    import sys
    main(globals(), sys.argv[1:])
