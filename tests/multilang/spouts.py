# SPDX-License-Identifier: ISC
"""Spouts under Storm: `spouts.py NAME` runs a case."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import time

from bolts import equal, main
from storm import Spout

WORD = {"default": ["word"]}


def piped(*args):
    # What the spout gives in a pipe.
    ran = subprocess.run(["spout", *args], capture_output=True, check=True)
    return [json.loads(line) for line in ran.stdout.splitlines()]


def drain(spout, n):
    # Ask until n tuples have come, and that is all.
    found = spout.until(lambda found: len(found) >= n)
    equal(spout.next(), [])
    equal(len(found), n)
    return found


def acked(spout, tuples):
    for message in tuples:
        equal(spout.settle("ack", message["id"]), [])


def words():
    """The tuples of the pipe, by the fields that are declared; ping-pong."""
    with Spout(["spout", "words", "-n", "250"], outputs={
            "default": ["ts", "word"]}) as spout:
        found = drain(spout, 250)
        equal([m["tuple"] for m in found],
              [[t["ts"], t["word"]] for t in piped("words", "-n", "250")])
        equal([m["id"] for m in found], [str(i) for i in range(250)])
        for command in ("deactivate", "activate", "whatever"):
            equal(spout.ask(command), [])
        acked(spout, found)
        equal(spout.next(), [])
        equal(spout.ask("ack", "17"), [])  # for the second time
        equal(spout.ask("fail", "x"), [])


def whole():
    """A field `tuple` is the whole object."""
    for outputs in (["tuple"], ["tuple", "word"]):
        with Spout(["spout", "words", "-n", "1"], outputs={
                "default": outputs}) as spout:
            (line,) = piped("words", "-n", "1")
            equal([m["tuple"] for m in drain(spout, 1)],
                  [[line, line["word"]][:len(outputs)]])


def max_pending():
    """No more than so many are on their way: the option's, else Storm's,
    else a thousand."""
    for command, conf, most in (
            ([], {}, 1000), ([], {"topology.max.spout.pending": 7}, 7),
            (["--max-pending", "12"], {"topology.max.spout.pending": 7}, 12)):
        with Spout(["spout", "words"] + command, conf=conf,
                   outputs=WORD) as spout:
            found = drain(spout, most)
            acked(spout, found[1:4])
            drain(spout, 3)


def replay():
    """What failed comes again, a second later, before what is new; what is
    given up is told of."""
    with Spout(["spout", "words", "-n", "20", "--retries", "1",
                "--stats=stats"], outputs=WORD) as spout:
        found = drain(spout, 20)
        # Not ours: they were read as 0.
        for name in "x", "00", " 0", "0 ", "0x0":
            equal(spout.ask("ack", name), [])
        acked(spout, found[8:])
        begin = time.monotonic()
        for message in found[:8]:
            equal(spout.settle("fail", message["id"]), [])
        equal(spout.ask("fail", found[0]["id"]), [])  # while it waits
        again = spout.next()
        equal(again == [] or time.monotonic() - begin >= 1, True)
        equal(spout.logs(), [])
        again += spout.until(lambda found: len(again + found) == 8)
        equal(time.monotonic() - begin >= 1, True)
        equal([(m["id"], m["tuple"]) for m in again],
              [(m["id"], m["tuple"]) for m in found[:8]])
        for message in again[:2]:
            equal(spout.settle("fail", message["id"]), [])
        equal(spout.logs(), ["tuple %d has failed 2 times and is given up: %s"
                             % (i, json.dumps(line, separators=(",", ":")))
                             for i, line in enumerate(
                                 piped("words", "-n", "2"))])
        acked(spout, again[2:])
        equal(spout.next(), [])
    with open("stats") as file:
        equal(json.load(file)["rejects"], 2)


def rate():
    """-r holds under Storm, too; the tasks share it."""
    start = time.monotonic()
    with Spout(["spout", "words", "-r", "100"], task=9, name="it",
               tasks=(9, 12, 30, 31), outputs=WORD) as spout:
        spout.until(lambda found: len(found) >= 10)
    equal(time.monotonic() - start > 0.35, True)
    with Spout(["spout", "words", "-r", "0.001"], outputs=WORD) as spout:
        for _ in range(3):
            equal(spout.next(), [])


def shared():
    """The tasks of a spout share its tuples."""
    lines = piped("zipf", "-n", "100")
    found = []
    for task in (12, 9, 30):
        with Spout(["spout", "zipf", "-n", "100"], task=task, name="it",
                   tasks=(9, 12, 30), outputs={"default": ["ts"]}) as spout:
            found += spout.next()
            equal(spout.next(), [])
    equal(sorted(int(m["id"]) for m in found), list(range(100)))
    equal(sorted(m["tuple"][0] for m in found),
          sorted(line["ts"] for line in lines))


LINES = ['{"a":1,"b":"end"}', '{"a":1.10,"b":[null,{"x":1e400}]}', '',
         '{"a":12345678901234567890}', 'bad', '{"__tick":1000}',
         '{"a":"\\u00e9\\/"}']


def write(path, lines, mode="w"):
    with open(path, mode) as file:
        file.write("".join(line + "\n" for line in lines))


def file():
    """The lines of a file; bad ones are passed over and logged."""
    write("lines", LINES)
    texts = []
    with Spout(["spout", "file", "lines"], outputs={
            "default": ["a", "b"]}) as spout:
        parse = spout.parse
        spout.parse = lambda text: texts.append(text.decode()) or parse(text)
        found = drain(spout, 4)
        equal([text[text.index('"tuple":[') + 9:-3] for text in texts
               if '"emit"' in text],
              ['1,"end"', '1.10,[null,{"x":1e400}]',
               '12345678901234567890,null', '"\\u00e9\\/",null'])
        equal(spout.logs(), [
            "warning: stream default: a row has no member \"b\", which is "
            "declared; null is sent",
            "lines:5:1: expected an object, got 'b'"])
        acked(spout, found)
        spout.child.stdin.close()
        equal(spout.child.wait(), 1)  # as in a pipe
        spout.close = lambda: 0


def state():
    """What was acked up to the first that was not does not come again."""
    write("lines", ['{"n":%d}' % i for i in range(10)])
    command = ["spout", "file", "lines", "--state", "s.db"]
    n = {"default": ["n"]}
    with Spout(command, outputs=n) as spout:
        found = drain(spout, 10)
        acked(spout, found[:3] + found[5:])
    write("lines", ['{"n":10}'], "a")
    with Spout(command, outputs=n) as spout:
        found = drain(spout, 8)
        equal([m["tuple"][0] for m in found], list(range(3, 11)))
        equal([m["id"] for m in found], [str(i) for i in range(3, 11)])
        acked(spout, found)
    with Spout(command, outputs=n) as spout:
        drain(spout, 0)
    write("lines", ['{"m":%d}' % i for i in range(20)])
    with Spout(command, outputs={"default": ["m"]}) as spout:
        drain(spout, 20)
        equal(spout.logs(), ["warning: lines: was read up to byte 89, but is "
                             "another file now; read from its start"])


def pack(name, numbers, mode="wb"):
    with gzip.open(name, mode) as file:
        file.write(b"".join(b'{"n":%d}\n' % i for i in numbers))


def state_of_compressed():
    """The same for a compressed file.  What was acked was sent again, or as
    many tuples of another file were passed over, by turns."""
    command = ["spout", "file", "packed", "--state", "s.db"]
    n = {"default": ["n"]}

    def check(numbers, *logs):
        with Spout(command, outputs=n) as spout:
            found = spout.until(lambda found: len(found) >= len(numbers))
            for _ in range(5):
                found += spout.next()
            equal([m["tuple"][0] for m in found], list(numbers))
            equal(spout.logs(), list(logs))
            acked(spout, found[:3])

    for turn in range(1, 6):
        pack("packed", range(5))
        check(range(5))
        check(range(3, 5))
        check([])
        pack("packed", range(5, 9), "ab")
        check(range(5, 9))
        pack("packed", range(100 * turn, 100 * turn + 7))
        check(range(100 * turn, 100 * turn + 7),
              "warning: packed: was read up to byte 64, but is another file "
              "now; read from its start")
        os.unlink("s.db")


def half_line():
    """With a state the last line of a file waits for its rest."""
    write("lines", ['{"n":1}'])
    with open("lines", "a") as lines:
        lines.write('{"n":2')
    command = ["spout", "file", "lines", "--state", "s.db"]
    n = {"default": ["n"]}
    with Spout(command, outputs=n) as spout:
        acked(spout, drain(spout, 1))
        equal(spout.logs(), [])
    with open("lines", "a") as lines:
        lines.write('2}\n{"n":3}')
    with Spout(command, outputs=n) as spout:
        found = drain(spout, 2)
        equal([m["tuple"] for m in found], [[22], [3]])
        acked(spout, found)
    write("lines", ["", '{"n":4}'], "a")
    with Spout(command, outputs=n) as spout:
        equal([m["tuple"] for m in drain(spout, 1)], [[4]])


def state_of_words():
    """The same for made-up tuples, by their number; another stream has
    another state."""
    command = ["spout", "words", "-n", "9", "--state", "s.db"]
    with Spout(command, outputs=WORD) as spout:
        acked(spout, drain(spout, 9)[:4])
    with Spout(command, outputs=WORD) as spout:
        equal([m["tuple"][0] for m in drain(spout, 5)],
              [t["word"] for t in piped("words", "-n", "9")[4:]])
    command[3] = "8"
    spout = Spout(command, outputs=WORD, stderr="keep")
    equal(spout.close(), 2)
    spout.errors.seek(0)
    equal(spout.errors.read(), b"spout: s.db: -n: 'spout' was begun with "
          b"'9', not '8'; --name begins another\n")


def state_of_tasks():
    """Each task has its own part of the state."""
    write("lines", ['{"n":%d}' % i for i in range(10)])
    command = ["spout", "file", "lines", "--state", "s.db"]
    for left in (10, 4):
        found = []
        for task in (4, 5):
            with Spout(command, task=task, tasks=(4, 5),
                       outputs={"default": ["n"]}) as spout:
                got = spout.next()
                acked(spout, got[:3])
                found += got
        equal(len(found), left)


def killed():
    """A kill -9 loses nothing: what was not known to be acked comes again."""
    write("lines", ['{"n":%d}' % i for i in range(300)])
    seen = set()
    for _ in range(20):
        spout = Spout(["spout", "file", "lines", "--state", "s.db"],
                      outputs={"default": ["n"]})
        got = spout.next()
        acked(spout, got[:40])
        seen.update(m["tuple"][0] for m in got[:40])
        spout.child.kill()
        spout.close()
    with Spout(["spout", "file", "lines", "--state", "s.db"],
               outputs={"default": ["n"]}) as spout:
        got = []
        while True:
            more = spout.next()
            if not more:
                break
            got += more
        seen.update(m["tuple"][0] for m in got)
    equal(seen, set(range(300)))


def state_of_pipe():
    """A pipe cannot be read again, so it has no state.  Tuples of the next
    run were passed over, as many as were acked before."""
    os.mkfifo("fifo")
    ran = subprocess.run(["spout", "file", "fifo", "--multilang", "--state",
                          "s.db"], capture_output=True)
    equal(ran.returncode, 2)
    equal(ran.stderr.splitlines()[0], b"spout: --state: 'fifo' is no file "
          b"that can be read again")


def skipped():
    """A message that is none is answered, for Storm waits for it."""
    with Spout(["spout", "words"], outputs=WORD) as spout:
        spout.child.stdin.write(b'{"command":"next"\nend\n')
        equal(spout.ask("ack"), [])
        (log,) = spout.logs()
        equal(log, "a message was skipped: expected ',' or '}' after a "
              "value, got end of line")
        equal(spout.get(), {"command": "sync"})


def pipe():
    """A pipe that has nothing is not waited for: Storm wants its answer."""
    os.mkfifo("pipe")
    reader = Spout(["spout", "file", "pipe"], outputs={"default": ["a"]})
    with reader as spout:
        equal(spout.next(), [])  # nobody has opened it to write
        with open("pipe", "w") as writer:
            for i in range(3):
                equal(spout.next(), [])
                writer.write('{"a":%d}\n' % i)
                writer.flush()
                (message,) = spout.until(lambda found: len(found) == 1)
                equal(message["tuple"], [i])
        equal(spout.next(), [])


def options():
    """What only Storm can use is refused in a pipe, and the other way."""
    for args in (["words", "--max-pending", "3"], ["words", "--retries", "1"],
                 ["words", "--state", "s"], ["words", "--name", "n"],
                 ["file"], ["file", "-"], ["words", "file"], ["file", "none"],
                 ["file", "lines", "-n", "3"]):
        ran = subprocess.run(["spout", *args], capture_output=True)
        equal((args, ran.returncode), (args, 2))


def no_leak():
    """Memory does not grow with what has come by."""
    with Spout(["spout", "words"], outputs=WORD) as spout:
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
