# SPDX-License-Identifier: ISC
"""Speak Storm's multilang protocol to a command, as ShellBolt and ShellSpout
do, without Storm: strict where they are, so that whatever would end a worker
ends the test.

    with Bolt(["rollcount", ...], sources={"w": {"default": ["word"]}},
              outputs={"default": ["word", "count"]}) as bolt:
        bolt.send("w", ["the"])
        bolt.sync()             # heartbeat, and wait for its answer
        bolt.take("ack")

Nothing sleeps: a heartbeat is answered only when all before it is done with.
"""

import contextlib
import fcntl
import json
import os
import queue
import random
import subprocess
import tempfile
import threading

PATIENCE = 60  # seconds, after which a component hangs


class Died(Exception):
    """What would have ended Storm's worker."""


class Raw(str):
    """JSON text to be sent as it is."""


def write_json(value):
    """As json-smart writes it."""
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, dict):
        return "{%s}" % ",".join(
            "%s:%s" % (write_json(k), write_json(v)) for k, v in value.items())
    if isinstance(value, (list, tuple)):
        return "[%s]" % ",".join(map(write_json, value))
    text = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str):
        text = text.replace("/", "\\/").replace("\u2028", "\\u2028")
    return text


def no_constant(text):
    if text != "NaN":
        raise Died("json-smart takes %s for a string" % text)
    return float("nan")


class Component:
    """A child, and what Storm knows of it."""

    def __init__(self, command, conf=None, sources=None, outputs=None, task=4,
                 name="it", tasks=None, context=True, stderr="devnull",
                 read=True, direct=None):
        self.directory = tempfile.TemporaryDirectory()
        self.outputs = outputs if outputs is not None else {"default": []}
        self.declared = context and outputs is not None
        self.pending = {}
        self.received = queue.Queue()
        self.unread = []
        self.lock = threading.Lock()
        self.random = random.Random(1)
        err = subprocess.DEVNULL
        if stderr == "full":
            self.stderr, err = os.pipe()
            fcntl.fcntl(err, fcntl.F_SETFL, os.O_NONBLOCK)
            try:
                while True:
                    os.write(err, b"x" * 4096)
            except BlockingIOError:
                fcntl.fcntl(err, fcntl.F_SETFL, 0)
        elif stderr == "keep":
            err = self.errors = tempfile.TemporaryFile()
        self.child = subprocess.Popen(
            [command[0], "--multilang"] + command[1:], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=err, bufsize=0)
        if stderr == "full":
            os.close(err)
        setup = {"conf": {"topology.message.timeout.secs": 30,
                          "storm.zookeeper.root": "/storm", **(conf or {})},
                 "pidDir": self.directory.name, "context": {}}
        # direct: the tasks of each component that is sent to directly.
        self.direct = direct or {}
        components = {t: c for c, ts in self.direct.items() for t in ts}
        components[task] = name
        components.update({t: name for t in tasks or []})
        setup["context"] = {
            "task->component": {str(t): c for t, c in components.items()}}
        if context:
            setup["context"].update({
                "taskid": task, "componentid": name,
                "stream->target->grouping": {"default": {
                    "all": {"type": "SHUFFLE"},
                    **{c: {"type": "DIRECT"} for c in self.direct}}},
                "streams": list(self.outputs),
                "stream->outputfields": self.outputs,
                "source->stream->grouping": {},
                "source->stream->fields": sources or {}})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.write(setup)
        if read:
            self.start()

    def start(self):
        self.reader.start()
        pid = self.get()
        if pid != {"pid": self.child.pid}:
            raise Died("expected the pid, got %r" % pid)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is not None:
            self.child.kill()
        status = self.close()
        if kind is None and status != 0:
            raise Died("ended with status %d" % status)

    def close(self):
        """Close stdin; the child is to end.  Returns its status."""
        if not self.child.stdin.closed:
            self.child.stdin.close()
        status = self.child.wait(PATIENCE)
        if self.reader.ident:
            self.reader.join(PATIENCE)
        self.child.stdout.close()
        return status

    def write(self, value):
        self.write_text(write_json(value) + "\nend\n")

    def write_text(self, text):
        data = text.encode("utf-8", "surrogatepass")
        try:
            while data:
                data = data[self.child.stdin.write(data):]
        except BrokenPipeError:
            # A child that ends is sometimes seen here, sometimes in get.
            raise Died("reads no more") from None

    @contextlib.contextmanager
    def at_once(self):
        """What is written meanwhile is one write, so it is read at once."""
        texts, self.write_text = [], lambda text: texts.append(text)
        try:
            yield
        finally:
            del self.write_text
        self.write_text("".join(texts))

    def read(self):
        """What Storm's reader thread does."""
        try:
            lines = []
            for line in os.fdopen(os.dup(self.child.stdout.fileno()), "rb"):
                if line == b"end\n":
                    self.received.put(self.parse(b"".join(lines)))
                    lines = []
                else:
                    lines.append(line)
            if lines:
                raise Died("stdout ended within %r" % lines[:3])
            self.received.put(EOFError())
        except Exception as wrong:  # for whoever waits
            self.received.put(wrong)

    def parse(self, text):
        try:
            return json.loads(text.decode("utf-8"),
                              parse_constant=no_constant)
        except ValueError as wrong:
            raise Died("no message: %r" % text[:200]) from wrong

    def get(self):
        """The next message."""
        try:
            message = self.received.get(timeout=PATIENCE)
        except queue.Empty:
            raise Died("hangs") from None
        if isinstance(message, EOFError):
            raise Died("Pipe to subprocess seems to be broken!")
        if isinstance(message, Exception):
            raise message
        return message

    def check_emit(self, message):
        stream = message.get("stream", "default")
        if self.declared and stream not in self.outputs:
            raise Died("Unknown stream ID: %s" % stream)
        values = message["tuple"]
        if not isinstance(values, list):
            raise Died("tuple is %r" % values)
        if self.declared and len(values) != len(self.outputs[stream]):
            raise Died("Tuple created with wrong number of fields. Expected "
                       "%r but got %d fields"
                       % (self.outputs[stream], len(values)))
        if message.get("need_task_ids", True) is not False:
            raise Died("task ids were asked for")
        task = message.get("task")
        if task is None:
            if self.direct and stream == "default":
                raise Died("Cannot do regular emit to direct stream")
        # json-smart makes an Integer of what fits one, JsonSerializer casts
        # to Long, and ShellBolt takes the lower 32 bits.
        elif task < 2 ** 31:
            raise Died("java.lang.Integer cannot be cast to java.lang.Long")
        elif not any(task % 2 ** 32 in ts for ts in self.direct.values()):
            raise Died("Cannot emitDirect to a task expecting a regular "
                       "grouping")

    def check_log(self, message):
        if not isinstance(message.get("msg"), str):
            raise Died("no msg in %r" % message)
        if not isinstance(message.get("level", 2), int):
            raise Died("level of %r" % message)

    def take(self, *commands):
        """The messages with these commands that have come since, in order."""
        found = [m for m in self.unread if m["command"] in commands]
        self.unread = [m for m in self.unread if m["command"] not in commands]
        return found

    def logs(self):
        return [m["msg"] for m in self.take("log", "error")]

    def nothing_else(self):
        if self.unread:
            raise AssertionError("unexpected: %r" % self.unread[:5])

    def rss(self):
        """Kilobytes in memory."""
        with open("/proc/%d/status" % self.child.pid) as status:
            for line in status:
                if line.startswith("VmRSS"):
                    return int(line.split()[1])


class Bolt(Component):
    """ShellBolt."""

    def new_id(self):
        # rand.nextLong(), as a string
        return str(self.random.randrange(-2**63, 2**63))

    def send(self, source, values, stream="default", task=9, **more):
        """Send a tuple.  Returns its id."""
        name = self.new_id()
        with self.lock:
            self.pending[name] = (source, stream, values)
        self.write({"id": name, "comp": source, "stream": stream,
                    "task": task, "tuple": values, **more})
        return name

    def tick(self, seconds=3):
        return self.send("__system", [seconds], "__tick", -1)

    def heartbeat(self):
        # The documents show "1" as its component; it is null.
        self.write({"id": self.new_id(), "comp": None,
                    "stream": "__heartbeat", "task": -1, "tuple": []})

    def handle(self, message):
        if not isinstance(message, dict) or "command" not in message:
            raise Died("Command not found in bolt message: %r" % message)
        command = message["command"]
        if command in ("ack", "fail"):
            with self.lock:
                if not isinstance(message.get("id"), str) or \
                        self.pending.pop(message["id"], None) is None:
                    raise Died("%sed a non-existent or already acked/failed "
                               "id: %r" % (command, message.get("id")))
        elif command == "emit":
            self.check_emit(message)
            for anchor in message.get("anchors", []):
                with self.lock:
                    if anchor not in self.pending:
                        raise Died("Anchored onto %r after ack/fail" % anchor)
        elif command in ("log", "error"):
            self.check_log(message)
        elif command != "sync":
            raise Died("Unknown command received: %s" % command)
        return message

    def parse(self, text):
        message = super().parse(text)
        return message if "pid" in message else self.handle(message)

    def sync(self):
        """Send a heartbeat, and wait until all before it is done with."""
        self.heartbeat()
        self.wait()

    def wait(self):
        while True:
            message = self.get()
            if message["command"] == "sync":
                return
            self.unread.append(message)

    def rows(self, stream="default"):
        """What was emitted to a stream."""
        found = [m["tuple"] for m in self.unread if m["command"] == "emit" and
                 m.get("stream", "default") == stream]
        self.unread = [m for m in self.unread if not (
            m["command"] == "emit" and m.get("stream", "default") == stream)]
        return found

    def settled(self):
        """The ids that were acked, and those that failed."""
        return [[m["id"] for m in self.take(what)] for what in ("ack", "fail")]


class Spout(Component):
    """ShellSpout, with the executor's pending tuples."""

    def ask(self, command, name=""):
        """Send a command, and take in the answer.  Returns what is emitted."""
        self.write({"command": command, "id": name})
        emitted = []
        while True:
            message = self.get()
            what = message.get("command")
            if what == "sync":
                return emitted
            if what == "emit":
                self.check_emit(message)
                if message.get("id") in self.pending:
                    raise Died("sent again while pending: %r" % message)
                if message.get("id") is not None:
                    self.pending[message["id"]] = message["tuple"]
                emitted.append(message)
            elif what in ("log", "error"):
                self.check_log(message)
                self.unread.append(message)
            else:
                raise Died("Unknown command received: %s" % what)

    def next(self):
        return self.ask("next")

    def settle(self, what, name):
        del self.pending[name]
        return self.ask(what, name)

    def until(self, done):
        """Ask for tuples until that many, or that one, have come."""
        found = []
        while not done(found):
            found += self.next()
        return found
