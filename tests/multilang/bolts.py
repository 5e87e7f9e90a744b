# SPDX-License-Identifier: ISC
"""Bolts under Storm: `bolts.py NAME` runs a case, without NAME lists them."""

import json
import os
import sys
import tempfile

from storm import Bolt, Died, Raw

COUNTER = ["rollcount", "-k", "word", "-w", "9s", "-e", "3s"]
TICKS = {"topology.tick.tuple.freq.secs": 3}
WORDS = {"w": {"default": ["word"]}}
COUNTS = {"default": ["word", "count", "window_seconds"]}


def counter(**more):
    given = {"conf": TICKS, "sources": WORDS, "outputs": COUNTS}
    given.update(more)
    return Bolt(more.pop("command", COUNTER), **{
        k: v for k, v in given.items() if k != "command"})


def equal(got, want):
    if got != want:
        raise AssertionError("got  %.2000r\nwant %.2000r" % (got, want))


def handshake():
    """The pid first, and its empty file; nothing before, and a clean end."""
    with counter() as bolt:
        bolt.sync()
        equal(os.listdir(bolt.directory.name), [str(bolt.child.pid)])
        equal(os.path.getsize(os.path.join(
            bolt.directory.name, str(bolt.child.pid))), 0)
        bolt.nothing_else()


def setup_of_old_storm():
    """Before 0.10 the context told nothing of fields: all are numbered."""
    with Bolt(["rollcount", "-k", "0", "-w", "9s", "-e", "3s"], conf=TICKS,
              context=False) as bolt:
        bolt.send("w", ["the"])
        bolt.tick()
        bolt.sync()
        ((word, count, end, seconds),) = bolt.rows()
        equal((word, count, seconds), ("the", 1, 3))
    # Nor of streams: there is none for what is late.
    with Bolt(["rollcount", "-k", "0", "-t", "1", "-w", "1s", "-T"],
              context=False) as bolt:
        for ts in 1700000005, 1700000000:
            bolt.send("w", ["the", ts])
        bolt.sync()
        equal(bolt.rows("late"), [])


def setup_is_any_json():
    """What Java may put into conf must not stop a bolt."""
    conf = {**TICKS, "big": Raw("123456789012345678901234567890"),
            "nan": Raw("NaN"), "null": None, "list": [1.5, {"a": "\x00"}]}
    with counter(conf=conf) as bolt:
        bolt.sync()


def heartbeat():
    """Its component is null; it is answered with sync and never acked."""
    with counter() as bolt:
        for _ in range(3):
            bolt.sync()
        bolt.nothing_else()


def ticks():
    """They are tuples as others: acked, after their rows."""
    with counter() as bolt:
        bolt.send("w", ["the"])
        tick = bolt.tick()
        bolt.sync()
        equal([m["command"] for m in bolt.unread], ["ack", "emit", "ack"])
        equal(bolt.unread[-1]["id"], tick)
        equal(bolt.rows(), [["the", 1, 3]])
        for _ in range(2):
            bolt.tick()
            bolt.sync()
            equal([row[:2] for row in bolt.rows()], [["the", 1]])
        bolt.tick()  # out of the window: a zero, once
        bolt.tick()
        bolt.sync()
        equal([row[:2] for row in bolt.rows()], [["the", 0]])
        equal(bolt.pending, {})


def ids():
    """They are strings of numbers up to 64 bits with a sign, or anything."""
    odd = ["-9223372036854775808", "9223372036854775807", "0", "-1", "x\"\\/",
           "\u00e9", ""]
    with counter() as bolt:
        for name in odd:
            bolt.pending[name] = ()
            bolt.write({"id": name, "comp": "w", "stream": "default",
                        "task": 9, "tuple": ["the"]})
        bolt.sync()
        equal(bolt.settled(), [odd, []])


def task_ids():
    """Where tuples went to may be told at any time: nobody asked."""
    with counter() as bolt:
        bolt.write([3, 4])
        bolt.send("w", ["the"])
        bolt.write([])
        bolt.write_text("[1,\n2]\nend\n")
        bolt.tick()
        bolt.write([2 ** 40])
        bolt.sync()
        equal(bolt.rows(), [["the", 1, 3]])


def task_by_path():
    """A path of task has the number, as the name does: with a dot nothing had."""
    for condition in "task == 4", ".task == 4", "k == .task":
        with Bolt(["keep", condition], sources={"w": {"default": ["k"]}},
                  outputs={"default": ["k"]}) as bolt:
            for task in 3, 4:
                bolt.send("w", [4], task=task)
            bolt.sync()
            equal(bolt.rows(), [[4]])


def end_in_strings():
    """Only a line of its own is an end."""
    words = ["end", "\nend\n", "end\n", "x\nend", "\r\nend\r\n"]
    with counter() as bolt:
        for word in words:
            bolt.send("w", [word])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [[word, 1, 3] for word in words])


def many_lines():
    """A message may have several lines, and blanks around."""
    with counter() as bolt:
        bolt.pending["7"] = ()
        bolt.write_text('{\n "id": "7",\n\n "comp": "w",\r\n'
                        '"stream":"default",\t"task":9,"tuple":\n["a",\n"b"]'
                        '}\n \nend\n')
        bolt.pending["8"] = ()
        bolt.write_text(' {"id":"8","comp":"w","stream":"default",\n'
                        '"task":9,"tuple":[ "end"\n]} \nend\n')
        bolt.sync()
        equal(bolt.settled(), [["8"], ["7"]])


def dialect():
    """What json-smart writes goes through unharmed."""
    values = [r'"a\/b"', "1.0", "1.0E21", "-0.0", "4.9E-324",
              "123456789012345678901234567890", "1.10",
              r'"\u2028"', '"\u00e9\u65e5\U0001f600"', r'"\u0000"', "true",
              "null", "[]", "{}", '{"a":[1.0,{"b":NaN}],"end":null}',
              "[NaN,[NaN]]", "NaN", '"NaN"', '"\\"NaN"', '"\\\\"', "false"]
    texts = []  # not what Python makes of them
    with Bolt(["tally", "-k", "k", "-a", "v=last:v"], conf=TICKS,
              sources={"s": {"default": ["k", "v"]}},
              outputs={"default": ["v"]}) as bolt:
        parse = bolt.parse
        bolt.parse = lambda text: texts.append(text.decode()) or parse(text)
        for i, value in enumerate(values):
            bolt.send("s", [i, Raw(value)])
        bolt.tick()
        bolt.sync()
    equal([text[text.index('"tuple":[') + 9:-3] for text in texts
           if '"emit"' in text], values)


def nan_as_key():
    """It is the string, and comes out as it came in first."""
    with counter() as bolt:
        bolt.send("w", [Raw("NaN")])
        bolt.send("w", ["NaN"])
        bolt.tick()
        bolt.sync()
        ((word, count, _),) = bolt.rows()
        equal((str(word), count), ("nan", 2))


def infinity():
    """Within an array of doubles json-smart writes it, and reads a string."""
    with Bolt(["tally", "-k", "k", "-a", "v=last:v"], conf=TICKS,
              sources={"s": {"default": ["k", "v"]}},
              outputs={"default": ["v"]}) as bolt:
        bolt.send("s", [1, Raw("[1.0,Infinity,-Infinity,\"Infinity\"]")])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [[[1.0, "Infinity", "-Infinity", "Infinity"]]])


def nan_as_number():
    """It is none: the tuple fails."""
    with Bolt(["topn", "-v", "v"], conf=TICKS,
              sources={"s": {"default": ["v"]}},
              outputs={"default": ["v"]}) as bolt:
        failed = bolt.send("s", [Raw("NaN")])
        acked = bolt.send("s", ["17"])
        bolt.sync()
        equal(bolt.settled(), [[acked], [failed]])
        equal(bolt.logs(), ["a tuple from s, stream default, failed: expected "
                            "a number at 'v', got NaN"])


def bad_tuples():
    """They fail and are told of, not too often; the bolt lives on."""
    with counter() as bolt:
        good = bolt.send("w", ["the"])
        bad = [bolt.send("w", values) for values in
               ([], ["a", "b"], [["a"]], [{}])]
        bad += [bolt.send("w", Raw(text)) for text in
                ("null", '"the"', '{"word":"the"}')]
        bad += [bolt.send("w", ["the", i]) for i in range(100)]
        last = bolt.send("w", ["the"])
        bolt.sync()
        equal(bolt.settled(), [[good, last], bad])
        said = bolt.take("error")
        equal(len(said), 10)
        equal(said[0]["msg"], "a tuple from w, stream default, failed: "
              "expected 1 values, as declared, got 0")
        bolt.nothing_else()


def bad_messages():
    """What cannot even be read is passed over."""
    with counter() as bolt:
        for text in ("{", "nonsense", '"end"', "7", '{"id":}', "[1", ""):
            bolt.write_text(text + "\nend\n")
        bolt.write({"comp": "w", "stream": "default", "tuple": ["the"]})
        bolt.write({})
        bolt.pending["1"] = ()
        bolt.write({"id": "1", "tuple": 3})
        name = bolt.send("w", ["the"])
        bolt.sync()
        equal(bolt.settled(), [[name], ["1"]])


def crlf():
    """A driver on Windows ends lines in CRLF; what is long then is passed
    over, too."""
    with counter(command=COUNTER + ["--max-line", "4K"]) as bolt:
        write = bolt.write_text
        bolt.write_text = lambda text: write(text.replace("\n", "\r\n"))
        name = bolt.send("w", ["the"])
        bolt.sync()
        lost = bolt.send("w", ["x" * (1 << 20)])
        equal(bolt.settled(), [[name], []])
        bolt.send("w", ["the"])
        bolt.sync()
        equal(list(bolt.pending), [lost])


def large_setup():
    """What Storm says of a large topology is no message beyond --max-line."""
    with Bolt(COUNTER + ["--max-line", "300"], conf={"x": "y" * 100000},
              sources=WORDS, outputs=COUNTS) as bolt:
        name = bolt.send("w", ["the"])
        bolt.sync()
        equal(bolt.settled(), [[name], []])


def unknown_keys():
    """A later Storm may say more."""
    with counter() as bolt:
        name = bolt.send("w", ["the"], more={"a": [1, {"id": "2"}]},
                         anchors=["3"], command="next")
        bolt.sync()
        equal(bolt.settled(), [[name], []])


def unknown_source():
    """The values of a stream that nobody declared are numbered."""
    with counter(command=["rollcount", "-k", "0", "-w", "9s", "-e", "3s"],
                 ) as bolt:
        bolt.send("w", ["the"])  # declared: it has a field `word`
        bolt.send("other", ["the", 2], "s")
        bolt.sync()
        equal(list(map(len, bolt.settled())), [1, 1])


def large():
    """Messages of some megabytes, in pieces, and one beyond the limit."""
    word = "end \u00e9\n" * 400000
    with counter(command=COUNTER + ["--max-line", "8M"]) as bolt:
        bolt.send("w", [word])
        lost = bolt.send("w", ["x" * (9 << 20)])
        bolt.send("w", ["the"])
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [[word, 1, 3], ["the", 1, 3]])
        equal(list(bolt.pending), [lost])
        equal([m["msg"] for m in bolt.take("error")],
              ["a message of more than 8388608 bytes was skipped"])


def end_of_input():
    """A clean end, at once, also with tuples that wait; within a message the
    status tells."""
    with counter() as bolt:
        bolt.send("w", ["the"])
    bolt = counter(stderr="keep")
    bolt.write_text('{"id":"1","comp":"w","stream":"default","tuple":["th')
    equal(bolt.close(), 1)
    bolt.errors.seek(0)
    equal(bolt.errors.read(), b"rollcount: stdin: ended within a message\n")
    with Bolt(["rollcount", "-k", "word"], stderr="keep", read=False) as bolt:
        pass


def before_setup():
    """Whoever is not Storm is told so."""
    for text, said in (("", "got end of input"),
                       ("[1]\nend\n", "got an array"),
                       ("{}\nend\n", "expected conf and context"),
                       ('{"conf":1e999}\nend\n', "real number overflow near '1e999'"),
                       ('{"word":"the"}\n', "got end of input")):
        bolt = Bolt.__new__(Bolt)
        import subprocess
        ran = subprocess.run(["rollcount", "--multilang", "-k", "word"],
                             input=text.encode(), capture_output=True)
        equal((ran.returncode, ran.stdout), (2, b""))
        before, said_so, after = ran.stderr.decode().partition(
            "expected Storm's setup message")
        equal((before, after[2:]), ("rollcount: stdin: ", said + "\n"))


def late_file():
    """Late tuples go to the file as in a pipe; ticks go nowhere."""
    with tempfile.TemporaryDirectory() as folder:
        late = os.path.join(folder, "late")
        for more in {}, {"late": ["ts"]}:  # to a stream of that name, too
            with Bolt(["rollcount", "-k", "word", "-t", "ts", "-w", "1s",
                       "-T", "--late", late],
                      sources={"w": {"default": ["word", "ts"]}},
                      outputs={"default": ["word", "count"], **more}) as bolt:
                for ts in 1700000000, 1700000005, 1700000001:
                    bolt.send("w", ["the", ts])
                bolt.sync()
                equal(bolt.rows(), [["the", 1], ["the", 0]])
                equal(bolt.rows("late"), [[1700000001]] if more else [])
            with open(late) as lines:
                equal(lines.read(), '{"word":"the","ts":1700000001}\n')
            os.remove(late)


def stats():
    """The counters are those of what Storm sends and is sent."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stats")
        for outputs in {"default": ["word"]}, {}:
            with Bolt(["rollcount", "-k", "word", "-t", "ts", "-w", "1s",
                       "--stats=" + path],
                      sources={"w": {"default": ["word", "ts"]}},
                      outputs=outputs) as bolt:
                for ts in 1700000000, 1700000005, 1700000001, "x":
                    bolt.send("w", ["the", ts])
                bolt.tick()
                bolt.sync()
                emitted = len(bolt.rows())
            with open(path) as file:
                said = json.load(file)
            equal([said[name] for name in
                   ("lines", "ticks", "rejects", "late", "emitted")],
                  [4, 1, 1, 1, emitted])


def full_late_file():
    """What is in no file is not acked: Storm sends it to the next task."""
    with Bolt(["rollcount", "-k", "word", "-t", "ts", "-w", "1s", "--late",
               "/dev/full"], sources={"w": {"default": ["word", "ts"]}},
              outputs=COUNTS) as bolt:
        bolt.send("w", ["the", 1700000005])
        bolt.sync()
        late = bolt.send("w", ["the", 1700000000])
        try:
            bolt.sync()
        except Died:
            pass
        equal(late in bolt.pending, True)
        equal(bolt.close(), 2)
        bolt.close = lambda: 0


def escaped_names():
    """A component's name may have any character."""
    name = 'a "b"\\'
    with Bolt(["sjoin", "-k", "id", "-t", "ts", "a=" + name, "c=c"],
              sources={n: {"default": ["id", "ts"]} for n in (name, "c")},
              outputs={"default": ["id"]}) as bolt:
        bolt.send(name, [1, 1700000000])
        bolt.send("c", [1, 1700000001])
        bolt.sync()
        equal(len(bolt.rows()), 1)


def full_stderr():
    """Nobody reads stderr: it must never be waited for."""
    with counter(stderr="full") as bolt:
        for i in range(20000):
            bolt.send("w", ["the", i])
        bolt.child.send_signal(10)  # SIGUSR1: the counters go to stderr
        bolt.sync()
        equal(len(bolt.settled()[1]), 20000)


def full_stdout():
    """Stdout fills up while stdin has more: all comes through in the end, and
    nothing is read meanwhile that could not be answered."""
    with counter(read=False) as bolt:
        import threading
        sender = threading.Thread(target=lambda: [
            bolt.send("w", ["word %d" % i]) for i in range(20000)])
        sender.start()
        sender.join(0.5)
        before = bolt.rss()
        bolt.start()
        sender.join()
        bolt.sync()
        equal(len(bolt.settled()[0]), 20000)
        if before > 8000 and "san" not in os.environ.get("PATH", ""):
            raise AssertionError("%d kB" % before)


def hundred_pending():
    """ShellBolt lets so many wait; they go out at once, acks come in order."""
    with counter() as bolt:
        for _ in range(50):
            sent = [bolt.send("w", ["the"]) for _ in range(100)]
            bolt.sync()
            equal(bolt.settled(), [sent, []])


def few_writes():
    """What was read at once is answered at once, not message by message."""
    with counter(read=False) as bolt:
        text = "".join(
            '{"id":"%d","comp":"w","stream":"default","task":9,"tuple":["a"]}'
            "\nend\n" % i for i in range(500))
        bolt.pending.update((str(i), ()) for i in range(500))
        bolt.start()
        bolt.write_text(text)
        bolt.sync()
        with open("/proc/%d/io" % bolt.child.pid) as io:
            calls = dict(line.split(": ") for line in io)
        if int(calls["syscw"]) > 100:
            raise AssertionError("%s writes" % calls["syscw"])


def no_leak():
    """Memory does not grow with what has come by."""
    with counter() as bolt:
        for turn in range(6):
            for i in range(10000):
                bolt.send("w", ["word %d" % (i % 100)] +
                          ["x"] * (i % 1000 == 0))
            bolt.tick()
            bolt.sync()
            bolt.unread.clear()
            if turn == 1:
                before = bolt.rss()
        grown = bolt.rss() - before
        if grown > 300:
            raise AssertionError("%d kB" % grown)


def undeclared():
    """Without declared fields rows have nowhere to go, and are dropped."""
    with counter(outputs={}) as bolt:
        bolt.send("w", ["the"])
        bolt.send("w", ["and"])
        bolt.tick()
        bolt.sync()
        equal(bolt.logs(), ["warning: stream default: it is not declared, "
                            "rows are dropped"])
        equal(bolt.rows(), [])


def declared_otherwise():
    """What a row lacks is null; `tuple` is the row itself."""
    with counter(outputs={"default": ["x", "y"]}) as bolt:
        bolt.send("w", ["the"])
        bolt.tick()
        bolt.tick()
        bolt.sync()
        equal(bolt.rows(), [[None, None]] * 2)
        equal(bolt.logs(), ["warning: stream default: a row has no member "
                            "\"x\", which is declared; null is sent"])
    with counter(outputs={"default": ["word", "cuont", "tuple"]}) as bolt:
        bolt.send("w", ["the"])
        bolt.tick()
        bolt.sync()
        equal([row[:2] for row in bolt.rows()], [["the", None]])
        equal(bolt.logs(), ["warning: stream default: a row has no member "
                            "\"cuont\", which is declared; null is sent"])
    with counter(outputs={"default": ["count", "tuple"]}) as bolt:
        bolt.send("w", ["the"])
        bolt.tick()
        bolt.sync()
        ((count, row),) = bolt.rows()
        equal((count, row["word"], row["count"]), (1, "the", 1))


def whole_tuples():
    """A field `tuple` alone is the line, and another is a member."""
    line = {"user": {"id": 7}, "list": [1, {"k": "end"}]}
    for fields, key in ((["tuple"], "k=.user.id"),
                        (["line"], "k=.line.user.id"),
                        (["line"], "k=/line/list/0"),
                        (["a", "tuple"], "k=.tuple.user.id")):
        with Bolt(["rollcount", "-k", key, "-w", "9s", "-e", "3s"],
                  conf=TICKS, sources={"w": {"default": fields}},
                  outputs={"default": ["k"]}) as bolt:
            bolt.send("w", [line] if len(fields) == 1 else [1, line])
            bad = bolt.send("w", [line, 1, 2][:len(fields) + 1])
            bolt.tick()
            bolt.sync()
            equal(bolt.rows(), [[1 if "list" in key else 7]])
            equal(bolt.settled()[1], [bad])
    with Bolt(["keep", "!x"], sources={"w": {"default": ["tuple", "x"]}},
              outputs={"default": ["tuple"]}) as bolt:
        bad = bolt.send("w", [line])
        bolt.sync()
        equal(bolt.settled(), [[], [bad]])


def without_ticks():
    """rollcount has a clock of its own where Storm sends no ticks, and says
    where the two differ; without either nothing could come."""
    def said(command, conf):
        with Bolt(command, conf=conf, sources=WORDS, outputs=COUNTS) as bolt:
            bolt.sync()
            return bolt.logs()
    equal(said(COUNTER, {}), [])
    equal(said(COUNTER, TICKS), [])
    equal(said(COUNTER, {"topology.tick.tuple.freq.secs": 2}),
          ["warning: -e is 3 s, but ticks come each 2 s, and they count"])
    never = ["warning: topology.tick.tuple.freq.secs is not set, nothing is "
             "emitted without ticks"]
    # It only looks for gaps that have passed, and has no -e.
    equal(said(["sessions", "-k", "word"],
               {"topology.tick.tuple.freq.secs": 5}), [])
    equal(said(["topn", "-v", "n"], {}), never)
    equal(said(["topn", "-v", "n", "-e", "2s"], {}), [])
    equal(said(["rollagg", "-k", "word"], {}), never)
    equal(said(["tally", "-k", "word"], {}), never)
    equal(said(["tally", "-k", "word", "-c"], {}), [])
    with Bolt(["rollcount", "-k", "word", "-w", "20ms", "-e", "10ms"],
              sources=WORDS, outputs=COUNTS) as bolt:
        bolt.send("w", ["the"])
        while not bolt.rows():  # though nothing comes
            bolt.unread.append(bolt.get())


def misspelled():
    """A field that no tuple has is told of after a thousand of them."""
    with Bolt(["keep", "wrod=='the'"], sources=WORDS,
              outputs={"default": ["word"]}) as bolt:
        for turn in range(3):
            for _ in range(500):
                bolt.send("w", ["the"])
            bolt.sync()
            equal(bolt.logs(), [] if turn != 1 else [
                "warning: after 1000 tuples: no tuple has 'wrod'; did you "
                "mean 'word'?"])


def options():
    """What makes no sense in a topology is refused."""
    import subprocess
    for args in (["file"], ["--progress"], ["--threads", "2"],
                 ["--on-error", "stop"], ["--max-errors", "3"],
                 ["--rejects", "r"], ["--replay"], ["--name", "n"],
                 ["--commit", "1s"]):
        ran = subprocess.run(["rollcount", "--multilang", "-k", "k"] + args,
                             stdin=subprocess.DEVNULL, capture_output=True)
        equal((args, ran.returncode), (args, 2))


def main(names, wanted):
    """Run the cases that are wanted, or list all: functions with a story."""
    cases = [f for f in names.values() if callable(f) and f.__doc__ and
             f.__module__ == "__main__" and f is not main]
    for case in cases:
        if not wanted:
            print(case.__name__)
        elif case.__name__ in wanted:
            case()


if __name__ == "__main__":
    main(globals(), sys.argv[1:])
