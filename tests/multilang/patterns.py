# SPDX-License-Identifier: ISC
"""What each bolt emits, acks and fails: `patterns.py NAME` runs a case."""

import queue
import sys
import time

from bolts import TICKS, equal, main
from storm import Bolt

PAIR = {"g": {"default": ["id", "gender"]}, "a": {"default": ["id", "age"]}}
JOIN = ["sjoin", "-k", "id", "-o", "id,gender,age", "gender=g", "age=a"]
JOINED = {"default": ["id", "gender", "age"]}
# With event time the join expires by the tuples' times, not by the clock.
TIMED = {"g": {"default": ["id", "ts"]}, "a": {"s": ["id", "ts"]}}
BY_TIME = ["sjoin", "-k", "id", "-t", "ts", "--time-unit", "ms", "-w", "10s",
           "--idle", "1h"]
SIDES = ["x=g", "y=a:s"]


def join():
    """SingleJoinExample: each row is anchored to both tuples, which are then
    acked; what waits is held."""
    with Bolt(JOIN, sources=PAIR, outputs=JOINED) as bolt:
        first = [bolt.send("g", [i, "female" if i % 2 else "male"])
                 for i in range(10)]
        bolt.sync()
        bolt.nothing_else()
        equal(list(bolt.pending), first)
        second = [bolt.send("a", [i, 20 + i]) for i in range(9, -1, -1)]
        bolt.sync()
        emits = [m for m in bolt.unread if m["command"] == "emit"]
        equal([m["tuple"] for m in emits],
              [[i, "female" if i % 2 else "male", 20 + i]
               for i in range(9, -1, -1)])
        equal([m["anchors"] for m in emits],
              [[a, b] for a, b in zip(reversed(first), second)])
        equal(bolt.pending, {})


def join_whole():
    """Without -o a row has the tuples under the names of their streams."""
    with Bolt(JOIN[:3] + JOIN[5:], sources=PAIR,
              outputs={"default": ["id", "age", "gender"]}) as bolt:
        bolt.send("a", [7, 27])
        bolt.send("g", [7, "male"])
        bolt.sync()
        equal(bolt.rows(), [[7, {"id": 7, "age": 27},
                             {"id": 7, "gender": "male"}]])


def join_streams():
    """Streams are told apart by component and stream."""
    sources = {"c": {"default": ["id", "n"], "b": ["id", "n"],
                     "unused": ["id"]}}
    with Bolt(["sjoin", "-k", "id", "-o", "p.n,b=q.n", "p=c", "q=c:b"],
              sources=sources, outputs={"default": ["p.n", "b"]}) as bolt:
        bolt.send("c", [1, "left"])
        bolt.send("c", [1, "right"], "b")
        unused = bolt.send("c", [1], "unused")
        bolt.sync()
        equal(len(bolt.pending), 0)
        equal(bolt.rows(), [["left", "right"]])
        equal(bolt.settled()[0][-1], unused)
        equal(bolt.logs(), ["warning: no operand is for component c, stream "
                            "unused: its tuples are skipped"])


def join_refused(operand, text, before=JOIN[:-1], after=[]):
    bolt = Bolt(before + [operand] + after, sources=PAIR, outputs=JOINED,
                stderr="keep")
    equal(bolt.close(), 2)
    bolt.errors.seek(0)
    equal(bolt.errors.read(), b"sjoin: " + text + b"\n")


def join_unknown():
    """An operand that nothing is subscribed for is a mistake."""
    join_refused("age=b", b"b: no such component and stream is sent to it")
    join_refused("gender=b", b"b: no such component and stream is sent to it",
                 JOIN[:-2], JOIN[-1:])


def join_twice():
    """A stream cannot be two of those that are joined."""
    join_refused("age=g", b"g: expected different components and streams, "
                 b"got one twice")


def join_undeclared():
    """Streams that Storm did not tell of are told apart, too."""
    with Bolt(["sjoin", "-k", "0", "x=a", "y=b"], context=False) as bolt:
        ids = [bolt.send("a", ["k"]), bolt.send("c", ["k"]),
               bolt.send("b", ["k"])]
        bolt.sync()
        equal(bolt.rows(), [["k", {"0": "k"}, {"0": "k"}]])
        equal(bolt.settled()[0], [ids[1], ids[0], ids[2]])
        equal(bolt.logs(), ["warning: no operand is for component c, stream "
                            "default: its tuples are skipped"])


def join_nameless():
    """A source without a name was compared with operands by memcmp, which may
    not be given the NULL that an empty name was."""
    with Bolt(["sjoin", "-k", "0", "x=a", "y=b"], context=False) as bolt:
        name = bolt.send("", ["k"])
        bolt.sync()
        equal(bolt.settled()[0], [name])
        equal(len(bolt.logs()), 1)


def join_by_member():
    """Or one input is split by a member."""
    with Bolt(["sjoin", "-k", "id", "-s", "type", "a", "b"],
              sources={"s": {"default": ["tuple"]}},
              outputs={"default": ["id"]}) as bolt:
        for kind in "acb":
            bolt.send("s", [{"id": 3, "type": kind}])
        bolt.sync()
        equal(bolt.rows(), [[3]])
        equal(bolt.pending, {})


def join_expires():
    """What does not join fails: when it expires, comes twice, has no key or
    comes too late."""
    with Bolt(BY_TIME + SIDES, sources=TIMED,
              outputs={"default": ["id"]}) as bolt:
        old = bolt.send("g", [1, 1000])
        twice = bolt.send("g", [1, 1001])
        null = bolt.send("a", [None, 1000], "s")
        bolt.sync()
        equal(bolt.settled(), [[], [twice, null]])
        bolt.send("g", [2, 20000])
        bolt.sync()
        equal(bolt.settled(), [[], []])  # the other stream may yet be early
        bolt.send("a", [3, 20000], "s")
        bolt.sync()
        equal(bolt.settled(), [[], [old]])
        late = bolt.send("a", [1, 1002], "s")
        bolt.sync()
        equal(bolt.settled(), [[], [late]])
        equal(len(bolt.pending), 2)
        bolt.nothing_else()


def join_waits_by_clock():
    """Without event time a tuple waits by the clock."""
    for conf in {}, TICKS:  # its own, whatever ticks Storm sends
        with Bolt(JOIN[:3] + ["-w", "10ms"] + JOIN[3:], conf=conf,
                  sources=PAIR, outputs=JOINED) as bolt:
            bolt.send("g", [1, "male"])
            while bolt.pending:
                bolt.unread.append(bolt.get())
            equal(len(bolt.settled()[1]), 1)


def join_idle():
    """A silent stream is not waited for for ever."""
    with Bolt(BY_TIME[:-1] + ["20ms"] + SIDES, sources=TIMED,
              outputs={"default": ["id"]}) as bolt:
        old = bolt.send("g", [1, 1000])
        new = bolt.send("g", [2, 20000])
        while len(bolt.pending) == 2:
            bolt.unread.append(bolt.get())
        equal(bolt.settled(), [[], [old]])
        equal(list(bolt.pending), [new])
        # It is when it says something again, until it is silent again.
        bolt.send("a", [3, 20000], "s")
        bolt.send("g", [4, 40000])
        while new in bolt.pending:
            bolt.unread.append(bolt.get())


def join_silent():
    """A stream is waited for that long, from the start and from its last
    tuple on."""
    start = time.monotonic()
    with Bolt(BY_TIME[:-1] + ["500ms"] + SIDES, sources=TIMED,
              outputs={"default": ["id"]}) as bolt:
        # Whether what is old then waits for the other, silent since then.
        def waits(ts, since):
            old = bolt.send("g", [ts, ts])
            bolt.send("g", [ts + 1, ts + 20000])
            bolt.sync()
            return old in bolt.pending or time.monotonic() - since > 0.4
        equal(waits(1000, start), True)
        while time.monotonic() < start + 0.6:
            bolt.send("a", [1, 1000], "s")
            bolt.sync()
        last = time.monotonic()
        bolt.send("a", [2, 40000], "s")
        equal(waits(60000, last), True)


def join_alone():
    """What is in a row of its own is done with."""
    with Bolt(BY_TIME + ["-a", "x"] + SIDES, sources=TIMED,
              outputs={"default": ["id", "x", "y"]}) as bolt:
        alone = bolt.send("g", [1, 1000])
        unwanted = bolt.send("a", [2, 1000], "s")
        bolt.send("g", [3, 20000])
        bolt.send("a", [4, 20000], "s")
        bolt.sync()
        equal([m["anchors"] for m in bolt.unread if m["command"] == "emit"],
              [[alone]])
        equal(bolt.rows(), [[1, {"id": 1, "ts": 1000}, None]])
        equal(bolt.settled(), [[alone], [unwanted]])


def join_expired():
    """What goes to a stream `expired` is done with, too."""
    with Bolt(BY_TIME + SIDES, sources=TIMED,
              outputs={"default": ["id"],
                       "expired": ["reason", "stream", "tuple"]}) as bolt:
        first = bolt.send("g", [1, 1000])
        second = bolt.send("g", [1, 1001])
        bolt.sync()
        equal([m["anchors"] for m in bolt.unread if m["command"] == "emit"],
              [[second]])
        equal(bolt.rows("expired"),
              [["duplicate", "x", {"id": 1, "ts": 1001}]])
        equal(bolt.settled(), [[second], []])
        equal(list(bolt.pending), [first])


def join_many():
    """With -m a tuple is held as long as something may join it."""
    with Bolt(BY_TIME + ["-m"] + SIDES, sources=TIMED,
              outputs={"default": ["x", "y"]}) as bolt:
        one = bolt.send("g", [1, 1000])
        two = bolt.send("a", [1, 2000], "s")
        three = bolt.send("g", [1, 3000])
        bolt.sync()
        equal(len(bolt.rows()), 2)
        equal(bolt.settled(), [[], []])
        bolt.send("g", [2, 20000])
        bolt.send("a", [3, 20000], "s")
        bolt.sync()
        equal(bolt.settled(), [[one, two, three], []])


def late():
    """rollcount -t works by the tuples' times; what is late is acked, and
    goes to a stream `late`."""
    command = ["rollcount", "-k", "k", "-t", "ts", "--time-unit", "ms",
               "-w", "10s", "-e", "10s"]
    for outputs in ({"default": ["k", "count", "window_end"]},
                    {"default": ["k", "count", "window_end"],
                     "late": ["ts", "k"]}):
        with Bolt(command, sources={"s": {"default": ["k", "ts"]}},
                  outputs=outputs) as bolt:
            sent = [bolt.send("s", ["a", ts])
                    for ts in (1000, 2000, 12000, 3000)]
            bolt.tick()
            bolt.sync()
            equal(bolt.rows(), [["a", 2, 10000]])
            if "late" in outputs:
                equal([m["anchors"] for m in bolt.unread
                       if m["command"] == "emit"], [[sent[3]]])
                equal(bolt.rows("late"), [[3000, "a"]])
            equal(bolt.settled()[0][:4], sent)


def live():
    """Event time goes on where no tuple comes, without a tick of Storm's."""
    with Bolt(["rollcount", "-k", "k", "-t", "ts", "--time-unit", "ms", "-w",
               "100ms", "--live", "50ms"],
              sources={"s": {"default": ["k", "ts"]}},
              outputs={"default": ["k", "count", "window_end"]}) as bolt:
        bolt.send("s", ["a", 1000])
        while not (rows := bolt.rows()):
            bolt.unread.append(bolt.get())
        equal(rows, [["a", 1, 1100]])
    # Lines that are no tuples counted as some.
    with Bolt(["rollcount", "-k", "k", "-t", "ts", "--time-unit", "ms", "-w",
               "400ms", "-e", "400ms", "--live", "50ms"],
              sources={"s": {"default": ["lines"]}},
              outputs={"default": ["k", "count", "window_end"]}) as bolt:
        bolt.send("s", ['{"k":"a","ts":1200}'])
        for i in range(100):
            bolt.send("s", ["\n"])
            try:
                while True:
                    bolt.unread.append(bolt.received.get(timeout=0.1))
            except queue.Empty:
                pass
            if rows := bolt.rows():
                break
        # A machine that stood still has those of the next windows, too.
        equal(rows[:1], [["a", 1, 1600]])


def ahead():
    """A time too far ahead of the clock fails its tuple and moves nothing."""
    with Bolt(["rollcount", "-k", "k", "-t", "ts", "--time-unit", "ms", "-w",
               "10s", "--max-ahead", "1d"],
              sources={"s": {"default": ["k", "ts"]}},
              outputs={"default": ["k", "count", "window_end"]}) as bolt:
        now = int(time.time()) * 1000 // 10000 * 10000
        sent = [bolt.send("s", ["a", ts])
                for ts in (now, 7258118400000, now + 2000, now + 12000)]
        bolt.sync()
        equal(bolt.rows(), [["a", 2, now + 10000]])
        equal(bolt.settled(), [[sent[0], sent[2], sent[3]], [sent[1]]])
        equal(bolt.logs(), ["a tuple from s, stream default, failed: expected "
                            "a time at most 1d ahead of the clock at 'ts', "
                            "got 7258118400000"])


def one_key_too_many():
    """What would be a key more than --max-keys fails, and the rest goes on."""
    with Bolt(["dedup", "-k", "k", "--max-keys", "2"],
              sources={"s": {"default": ["k"]}},
              outputs={"default": ["k"]}) as bolt:
        sent = [bolt.send("s", [k]) for k in "abcab"]
        bolt.sync()
        equal(bolt.rows(), [["a"], ["b"]])
        equal(bolt.settled(), [[sent[i] for i in (0, 1, 3, 4)], [sent[2]]])
        equal(bolt.logs(), ["a tuple from s, stream default, failed: "
                            "a key more than --max-keys"])


def ranking():
    """topn updates one ranking and emits it at each tick: as rows..."""
    with Bolt(["topn", "-n", "2", "-k", "obj", "-v", "count"], conf=TICKS,
              sources={"c": {"default": ["obj", "count"]}},
              outputs={"default": ["rank", "obj", "count"]}) as bolt:
        for obj, count in (("a", 1), ("b", 3), ("c", 2)):
            bolt.send("c", [obj, count])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [[1, "b", 3], [2, "c", 2]])
        bolt.send("c", ["b", 0])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [[1, "c", 2], [2, "a", 1]])
        equal(bolt.pending, {})


def rankings():
    """... or, where a field `rankings` is declared, whole; also an empty
    one, for whoever merges them."""
    with Bolt(["topn", "-n", "2", "-k", "obj", "-v", "count"], conf=TICKS,
              sources={"c": {"default": ["obj", "count", "x"]}},
              outputs={"default": ["rankings"]}) as bolt:
        bolt.tick()
        bolt.send("c", ["a", 1, {"deep": [1]}])
        bolt.send("c", ["b", 3, "end"])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [[[]], [[
            {"rank": 1, "obj": "b", "count": 3, "x": "end"},
            {"rank": 2, "obj": "a", "count": 1, "x": {"deep": [1]}}]]])


def rankings_are_merged_whole():
    """What is one key too many for --max-keys was left out in silence."""
    with Bolt(["topn", "-n", "2", "-k", "obj", "-v", "count", "--max-keys",
               "2"], conf=TICKS, sources={"r": {"default": ["rankings"]}},
              outputs={"default": ["obj", "count"]}) as bolt:
        for task in (1, 2):
            bolt.send("r", [[{"obj": "%s%d" % (k, task), "count": v + task}
                             for k, v in (("x", 1), ("y", 5))]], task=task)
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [["y2", 7], ["y1", 6]])
        equal(bolt.logs(), [])


def merged_rankings():
    """The list of a task takes the place of its last one: nothing goes
    stale, as in Storm an entry would that was squeezed out upstream."""
    def entries(**counts):
        return [[{"rank": 9, "obj": k, "count": v}
                 for k, v in counts.items()]]
    for key in (["-k", "obj"], []):
        with Bolt(["topn", "-n", "2", "-v", "count"] + key, conf=TICKS,
                  sources={"r": {"default": ["rankings"]}},
                  outputs={"default": ["obj", "count"]}) as bolt:
            def merge(task, **counts):
                bolt.send("r", entries(**counts), task=task)
                bolt.tick()
                bolt.sync()
                return bolt.rows()
            equal(merge(1, X=10, Y=9), [["X", 10], ["Y", 9]])
            equal(merge(2, A=2), [["X", 10], ["Y", 9]])
            equal(merge(1, Z=6, Y=5), [["Z", 6], ["Y", 5]])
            equal(merge(1), [["A", 2]])
            equal(merge(2), [])
            equal(bolt.pending, {})
            bad = [bolt.send("r", [value], task=2) for value in
                   (7, None, {}, [7], [{"obj": "a"}], [[]],
                    [{"obj": "a", "count": "x"}])]
            bolt.sync()
            equal(bolt.settled()[1], bad)
            equal(merge(1, B=1), [["B", 1]])


def partial_counts():
    """rollagg adds up by the task that a count comes from."""
    with Bolt(["rollagg", "-k", "obj"], conf=TICKS,
              sources={"c": {"default": ["obj", "count"]}},
              outputs={"default": ["obj", "count"]}) as bolt:
        for task, count in ((7, 3), (8, 4), (7, 5)):
            bolt.send("c", ["a", count], task=task)
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [["a", 9]])
        bolt.send("c", ["a", 0], task=8)
        bolt.tick()
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [["a", 5]])
    # A member of that name goes first.
    with Bolt(["rollagg", "-k", "obj"], conf=TICKS,
              sources={"c": {"default": ["obj", "count", "task"]}},
              outputs={"default": ["obj", "count"]}) as bolt:
        for task, count in ((7, 3), (8, 4)):
            bolt.send("c", ["a", count, 1], task=task)
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [["a", 4]])


def new_values():
    """tally and timeline emit at each tick what has changed since the last
    one, with -c at the end of each batch, too."""
    words = {"s": {"default": ["k", "v"]}}
    sums = {"default": ["k", "sum_v"]}
    with Bolt(["tally", "-k", "k", "-a", "sum:v"], conf=TICKS, sources=words,
              outputs=sums) as bolt:
        for k, v in (("a", 1), ("b", 2), ("a", 3)):
            bolt.send("s", [k, v])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [["a", 4], ["b", 2]])
        bolt.send("s", ["b", 5])
        bolt.tick()
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [["b", 7]])
        equal(bolt.pending, {})
    with Bolt(["tally", "-k", "k", "-a", "sum:v", "-c", "--batch", "2"],
              sources=words, outputs=sums) as bolt:
        for k, v in (("a", 1), ("b", 2), ("a", 3)):
            bolt.send("s", [k, v])
        bolt.sync()
        equal(bolt.rows(), [["a", 1], ["b", 2]])
    with Bolt(["timeline", "-k", "room=.ENTER.roomId", "--from",
               ".ENTER.time", "--to", ".LEAVE.time", "--slice", "3m",
               "--time-unit", "ms"],
              conf=TICKS,
              sources={"j": {"default": ["corrId", "ENTER", "LEAVE"]}},
              outputs={"default": ["room", "sliceStartMillis",
                                   "occupancies"]}) as bolt:
        bolt.send("j", ["7", {"roomId": "Hall", "time": 180000 * 5},
                        {"roomId": "Hall", "time": 180000 * 5 + 60000}])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [["Hall", 900000, [1, 1, 0]]])


if __name__ == "__main__":
    main(globals(), sys.argv[1:])
