# SPDX-License-Identifier: ISC
"""Spouts that give blocks under Storm: `spout_blocks.py NAME` runs a case."""

import json
import os
import sys
import tempfile

from bolts import equal, main
from spouts import acked, piped, write
from storm import Spout

LINES = {"default": ["lines"]}
MANY = ["zipf", "-n", "20000"]


def lines(tuples):  # what the blocks hold
    return [json.loads(line) for m in tuples
            for line in m["tuple"][0].splitlines()]


def drain(spout, n):  # ask until n lines have come
    return spout.until(lambda found: len(lines(found)) >= n)


def whole():
    """Blocks hold the lines of the pipe, have 64 KiB but for the last, and
    the number of their first tuple as id."""
    want = piped(*MANY)
    with Spout(["spout", *MANY], outputs=LINES) as spout:
        found = drain(spout, len(want))
        equal(lines(found), want)
        sizes = [len(m["tuple"][0]) for m in found]
        equal((max(sizes) <= 65536, min(sizes[:-1]) > 65400), (True, True))
        first = 0
        for m in found:
            equal(m["id"], str(first))
            first += m["tuple"][0].count("\n")
        acked(spout, found)
        equal(spout.next(), [])


def rate():
    """What comes slowly leaves after 100 ms; before, nothing is sent."""
    with Spout(["spout", "words", "-n", "30", "-r", "100"],
               outputs=LINES) as spout:
        found = drain(spout, 30)
        equal(lines(found), piped("words", "-n", "30"))
        if len(found) > 5:  # 0.3 s are three
            raise AssertionError("%d blocks" % len(found))
    with Spout(["spout", "words", "-r", "0.001"], outputs=LINES) as spout:
        equal(spout.next(), [])


def replay():
    """A block that failed comes again as it was; one that is given up is
    told of."""
    with Spout(["spout", *MANY, "--retries", "1"], outputs=LINES) as spout:
        found = drain(spout, 20000)
        acked(spout, found[2:])
        for _ in range(2):
            for m in found[:2]:
                equal(spout.settle("fail", m["id"]), [])
            if _ == 0:
                again = spout.until(lambda found: len(found) == 2)
                equal([(m["id"], m["tuple"]) for m in again],
                      [(m["id"], m["tuple"]) for m in found[:2]])
        said = spout.logs()
        equal(len(said), 2)
        equal(said[0].startswith(
            'block 0 has failed 2 times and is given up: {"word":"w'), True)
        equal(len(said[0]) < 200, True)  # not all of it
        equal(spout.next(), [])


def max_pending():
    """They are counted in blocks, a hundred if nothing is said."""
    for command, conf, most in (
            ([], {}, 100), ([], {"topology.max.spout.pending": 7}, 7),
            (["--max-pending", "12"], {"topology.max.spout.pending": 7}, 12)):
        with Spout(["spout", "words"] + command, conf=conf,
                   outputs=LINES) as spout:
            found = spout.until(lambda found: len(found) == most)
            equal(spout.next(), [])
            acked(spout, found[1:4])
            spout.until(lambda found: len(found) == 3)
            equal(spout.next(), [])


def shared():
    """The tasks of a spout share its tuples."""
    found = []
    for task in (12, 9, 30):
        with Spout(["spout", "zipf", "-n", "100"], task=task, name="it",
                   tasks=(9, 12, 30), outputs=LINES) as spout:
            found += lines(drain(spout, 33))
    equal(sorted(row["ts"] for row in found),
          sorted(row["ts"] for row in piped("zipf", "-n", "100")))


def state():
    """It goes on at the first line of the first block that is not acked, also
    where that was not full and had not been sent."""
    write("lines", ['{"n":%d}' % i for i in range(30000)])
    command = ["spout", "file", "lines", "--state", "s.db"]

    def rest(settle):
        with Spout(command, outputs=LINES) as spout:
            found = []
            while not spout.pending:
                found += spout.next()
            settle(spout, found)
            return lines(found)[0]["n"]
    sent = []

    def settle(spout, found):
        acked(spout, found)
        sent.extend(lines(found))
    equal(rest(settle), 0)
    after = rest(lambda spout, found: None)
    equal(after * 9 > 50000, True)
    equal(after, len(sent))
    equal(rest(lambda spout, found: None), after)
    with Spout(command, outputs=LINES) as spout:
        found = drain(spout, 30000 - after)
        acked(spout, found[:-1])
    last = lines(found[-1:])[0]["n"]
    with Spout(command, outputs=LINES) as spout:
        equal(lines(drain(spout, 30000 - last))[0]["n"], last)
        acked(spout, [{"id": name} for name in list(spout.pending)])
    write("lines", ['{"n":30000}'], "a")
    with Spout(command, outputs=LINES) as spout:
        spout.next()  # it is in a block that is not sent yet
    with Spout(command, outputs=LINES) as spout:
        equal(lines(drain(spout, 1)), [{"n": 30000}])
    write("lines", ['{"n":%d}' % i for i in range(30001, 36000)], "a")
    with Spout(command, outputs=LINES) as spout:
        sent = spout.until(lambda found: len(found) == 1)
        acked(spout, sent)
        spout.next()  # the rest is in such a block, of many lines
    with Spout(command, outputs=LINES) as spout:
        equal(lines(drain(spout, 1))[0]["n"], lines(sent)[-1]["n"] + 1)


def killed():
    """A kill -9 loses nothing: what was not known to be acked comes again."""
    write("lines", ['{"n":%d}' % i for i in range(100000)])
    command = ["spout", "file", "lines", "--state", "s.db"]
    seen = set()
    for _ in range(10):
        spout = Spout(command, outputs=LINES)
        got = spout.until(lambda found: len(found) == 4)
        acked(spout, got[:2])
        seen.update(row["n"] for row in lines(got[:2]))
        spout.child.kill()
        spout.close()
    with Spout(command, outputs=LINES) as spout:
        while 99999 not in seen:
            got = spout.next()
            seen.update(row["n"] for row in lines(got))
            acked(spout, got)
    equal(seen, set(range(100000)))


def no_leak():
    """Memory does not grow with what has come by."""
    with Spout(["spout", "words"], outputs=LINES) as spout:
        for turn in range(6):
            for _ in range(100):
                acked(spout, spout.next())
            if turn == 1:
                before = spout.rss()
        grown = spout.rss() - before
        if grown > 300:
            raise AssertionError("%d kB" % grown)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as here:
        os.chdir(here)
        main(globals(), sys.argv[1:])
