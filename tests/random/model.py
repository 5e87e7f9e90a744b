"""What the models of the commands share: lines, fields, keys, numbers, times.

Written from DESIGN.md section 2 alone, to be plainly right and not fast.
Bytes stay bytes: what is not computed is written as it was read.
"""

import argparse
import collections
import datetime
import decimal
import fractions
import json
import re
import sys

MAX_DEPTH = 1024
sys.setrecursionlimit(4 * MAX_DEPTH)

BLANK = re.compile(rb'[ \t\n\r]*')
STRING = re.compile(
    rb'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
INTEGER = re.compile(rb'-?(?:0|[1-9][0-9]*)')
NUMBER = re.compile(INTEGER.pattern + rb'(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?')
SCALAR = re.compile(b'|'.join(
    (STRING.pattern, NUMBER.pattern, b'true', b'false', b'null')))
BOM = b'\xef\xbb\xbf'


class Bad(Exception):
    """The line cannot be used."""


# A member of an object, or an element of an array with its index for a name:
# where it starts, where its value starts, where both end.
Member = collections.namedtuple('Member', 'name start value end')
# The bytes of an object, without the white space around it, and its members.
Tuple = collections.namedtuple('Tuple', 'text members')
# What a filter did: stdout, the lines for its side file (--late, --expired),
# the exit status.
Result = collections.namedtuple('Result', 'out side status')


# JSON

def blank(buf, at):
    return BLANK.match(buf, at).end()


def decode(string):
    """The content of a JSON string in generalised UTF-8."""
    if b'\\' not in string:
        return string[1:-1]
    return json.loads(string).encode('utf-8', 'surrogatepass')


def container(buf, at, depth=1):
    """The members of the object or array at buf[at], and where it ends."""
    if depth > MAX_DEPTH:
        raise Bad('too deep')
    is_object = buf[at:at + 1] == b'{'
    close = b'}' if is_object else b']'
    members = []
    at = blank(buf, at + 1)
    if buf[at:at + 1] == close:
        return members, at + 1
    while True:
        start, name = at, len(members)
        if is_object:
            match = STRING.match(buf, at)
            if not match:
                raise Bad('expected a name')
            name = decode(match.group())
            at = blank(buf, match.end())
            if buf[at:at + 1] != b':':
                raise Bad('expected a colon')
            at = blank(buf, at + 1)
        end = value_end(buf, at, depth)
        members.append(Member(name, start, at, end))
        at = blank(buf, end)
        if buf[at:at + 1] == close:
            return members, at + 1
        if buf[at:at + 1] != b',':
            raise Bad('expected a comma')
        at = blank(buf, at + 1)


def value_end(buf, at, depth):
    if buf[at:at + 1] in (b'{', b'['):
        return container(buf, at, depth + 1)[1]
    match = SCALAR.match(buf, at)
    if not match:
        raise Bad('expected a value')
    return match.end()


def parse(line):
    """The Tuple on a line, or Bad."""
    try:
        line.decode('utf-8')
    except UnicodeDecodeError:
        raise Bad('not UTF-8')
    start = blank(line, 0)
    if line[start:start + 1] != b'{':
        raise Bad('not an object')
    end = container(line, start)[1]
    if blank(line, end) != len(line):
        raise Bad('something after the object')
    text = line[start:end]
    return Tuple(text, container(text, 0)[0])


# Ticks are times from 1677 to 2262, as event times are.
TICK_MAX = (2 ** 63 - 1) // 10 ** 6


def read(data):
    """Each line of the input: an int (a tick, in ms), a Tuple, or None (bad)."""
    if data.startswith(BOM):
        data = data[len(BOM):]
    for line in data.split(b'\n'):
        if blank(line, 0) == len(line):
            continue
        try:
            record = parse(line)
        except Bad:
            yield None
            continue
        tick = tick_of(record)
        if tick is not None and abs(tick) > TICK_MAX:
            yield None
            continue
        yield record if tick is None else tick


def tick_of(record):
    if len(record.members) != 1 or record.members[0].name != b'__tick':
        return None
    value = value_of(record.text, record.members[0])
    return int(value) if INTEGER.fullmatch(value) else None


def tick_line(ms):
    return b'{"__tick":%d}\n' % ms


# Field paths

def value_of(buf, member):
    return buf[member.value:member.end]


def get(raw, step):
    """The raw value at one step of a path into raw, or None.

    A step is a name (bytes), an index (int), or (name,): either, as a JSON
    Pointer has it.
    """
    if raw[:1] not in (b'{', b'['):
        return None
    if isinstance(step, tuple):
        step = step[0]
        if raw[:1] == b'[' and re.fullmatch(rb'0|[1-9][0-9]*', step):
            step = int(step)
    found = None
    for member in container(raw, 0)[0]:
        if member.name == step:
            found = value_of(raw, member)
    return found


def walk(raw, steps):
    for step in steps:
        raw = get(raw, step)
        if raw is None:
            return None
    return raw


STEP = re.compile(rb'\.?\[("(?:[^"\\]|\\.)*")\]|\[([0-9]+)\]|\.([^.\[]+)')


def dotted(text):
    """The steps of .a.b["c"][0]."""
    steps, at = [], 0
    while at < len(text):
        match = STEP.match(text, at)
        if not match:
            raise ValueError('no field path: %r' % text)
        quoted, index, name = match.groups()
        steps.append(decode(quoted) if quoted else
                     int(index) if index else name)
        at = match.end()
    return steps


def outside_brackets(text, char):
    """Where char stands in text, other than inside ["..."]."""
    inside = [m.span() for m in re.finditer(rb'\["(?:[^"\\]|\\.)*"\]', text)]
    return [m.start() for m in re.finditer(re.escape(char), text)
            if not any(a <= m.start() < b for a, b in inside)]


class Path:
    """A field path; find(tuple) gives the raw value there, or Bad."""

    def __init__(self, text, may_lack=False):
        self.may_lack = may_lack        # of a key, with a ? at its end: null then
        if may_lack:
            text = text[:-1]
        self.text = text
        if text[:1] == b'.':
            self.ways = [dotted(text)]
        elif text[:1] == b'/':
            self.ways = [[(t.replace(b'~1', b'/').replace(b'~0', b'~'),)
                          for t in text[1:].split(b'/')]]
        else:
            self.ways = [[text], dotted(b'.' + text)]

    def find(self, record):
        for steps in self.ways:
            raw = walk(record.text, steps)
            if raw is not None:
                return raw
        if self.may_lack:
            return b'null'
        raise Bad('no field')


class Fields:
    """The fields of -k: names, key(tuple), and raws(tuple)."""

    def __init__(self, options):
        self.names, self.paths = [], []
        for option in options:
            option = option.encode()
            cuts = [-1] + outside_brackets(option, b',') + [len(option)]
            for a, b in zip(cuts, cuts[1:]):
                self.add(option[a + 1:b])

    def add(self, text):
        equals = outside_brackets(text, b'=')
        if equals:
            name, text = text[:equals[0]], text[equals[0] + 1:]
        else:
            name = text[1:] if text[:1] == b'.' else text
        if not equals and name[-1:] == b'?':
            name = name[:-1]
        self.names.append(json.dumps(name.decode(), ensure_ascii=False).encode())
        self.paths.append(Path(text, may_lack=text[-1:] == b'?'))

    def raws(self, record):
        return [path.find(record) for path in self.paths]

    def key(self, record):
        return tuple(typed(raw) for raw in self.raws(record))


# Values

def typed(raw):
    """A key field as something that compares, and sorts, as DESIGN.md says."""
    if raw in (b'null', b'false', b'true'):
        return ((b'null', b'false', b'true').index(raw),)
    if raw[:1] == b'"':
        return (4, decode(raw))
    if raw[:1] in (b'{', b'['):
        raise Bad('no key')
    return (3, decimal.Decimal(raw.decode()))


def number(raw):
    """The exact value of a number, or of a string that holds one."""
    if raw[:1] == b'"':
        raw = decode(raw)
    if not NUMBER.fullmatch(raw):
        raise Bad('no number')
    return decimal.Decimal(raw.decode())


RFC3339 = re.compile(
    rb'(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d+))?'
    rb'(?:Z|([+-])(\d\d)(?::?(\d\d))?)?')
SECOND = 10 ** 9
MS = 10 ** 6
UNITS = ((decimal.Decimal('1e11'), SECOND), (decimal.Decimal('1e14'), MS),
         (decimal.Decimal('1e17'), 1000), (decimal.Decimal('Infinity'), 1))


def time_ns(raw):
    """A time in ns since the epoch; what is finer is floored."""
    text = decode(raw) if raw[:1] == b'"' else raw
    if NUMBER.fullmatch(text):
        value = decimal.Decimal(text.decode())
        unit = next(u for limit, u in UNITS if value.copy_abs() < limit)
        ns = fractions.Fraction(value) * unit // 1
    elif raw[:1] == b'"':
        ns = rfc3339_ns(text)
    else:
        raise Bad('no time')
    if not -2 ** 63 <= ns < 2 ** 63:
        raise Bad('a time out of range')
    return ns


def rfc3339_ns(text):
    match = RFC3339.fullmatch(text)
    if not match:
        raise Bad('no time')
    part = match.groups()
    year, month, day, hour, minute, second = map(int, part[:6])
    fraction = int(((part[6] or b'') + b'0' * 9)[:9])
    offset_hour, offset_minute = int(part[8] or 0), int(part[9] or 0)
    if max(hour, offset_hour) > 23 or max(minute, second, offset_minute) > 59:
        raise Bad('no time')
    try:
        days = (datetime.date(year, month, day) - datetime.date(1970, 1, 1)).days
    except ValueError:
        raise Bad('no date')
    offset = (offset_hour * 60 + offset_minute) * (-1 if part[7] == b'-' else 1)
    minutes = (days * 24 + hour) * 60 + minute - offset
    return (minutes * 60 + second) * SECOND + fraction


class Watermark:
    """The least of the largest times of the streams that have not ended."""

    def __init__(self, sources, wait):
        self.largest = [None] * sources
        self.ended = [False] * sources
        self.wait, self.value = wait, None

    def see(self, source, time):
        if self.largest[source] is None or time > self.largest[source]:
            self.largest[source] = time
        self.move()

    def end(self, source):
        self.ended[source] = True
        self.move()

    def move(self):
        live = [t for t, ended in zip(self.largest, self.ended) if not ended]
        if not live or None in live:
            return
        now = min(live) - self.wait
        if self.value is None or now > self.value:
            self.value = now

    def is_past(self, time, length):
        return self.value is not None and self.value - time > length


class Files:
    """What is read, in its order: _next is a (source, record), a tick (an int)
    for a record where there is one input.

    With --interleave the tuple with the least time goes first, of equal ones
    that of the first operand; ticks are dropped, and what is bad, as it has no
    time or reads(record) says so, comes as it is found.  The watermark is told
    when a file has ended.
    """

    def __init__(self, o, data, reads):
        self.interleave, self.time, self.reads = o.interleave, o.t, reads
        if o.interleave:
            self.sources = [read(open(name, 'rb').read()) for name in o.files]
        else:
            self.sources = [read(data)]
        self.watermark = Watermark(len(self.sources), o.l)

    def next_of(self, at):
        """The next tuple of a file, after what is bad."""
        for record in self.sources[at]:
            if isinstance(record, int):
                continue
            try:
                if record is None:
                    raise Bad
                self.reads(record)
                self.heads[at] = time_ns(self.time.find(record)), record
                return
            except Bad:
                yield at, None
        self.watermark.end(at)

    def __iter__(self):
        if not self.interleave:
            for record in self.sources[0]:
                yield 0, record
            return
        self.heads = {}
        for at in range(len(self.sources)):
            yield from self.next_of(at)
        while self.heads:
            at = min(self.heads, key=lambda at: (self.heads[at][0], at))
            yield at, self.heads.pop(at)[1]
            yield from self.next_of(at)


DURATION_MS = {'ms': 1, 's': 1000, 'm': 60000, 'h': 3600000, 'd': 86400000,
               'w': 7 * 86400000}


def duration_ns(text):
    """A duration option, for argparse."""
    parts = re.findall(r'(\d+(?:\.\d+)?)(ms|[smhdw])', text)
    if re.fullmatch(r'\d+(\.\d+)?', text):
        parts = [(text, 's')]
    elif not parts or ''.join(a + b for a, b in parts) != text:
        raise argparse.ArgumentTypeError('%s is no duration' % text)
    ms = sum(fractions.Fraction(a) * DURATION_MS[b] for a, b in parts)
    if ms.denominator != 1:
        raise argparse.ArgumentTypeError('%s is not whole ms' % text)
    return int(ms) * MS


def lateness_ns(text):
    """Of -l: for `all` more than there is between two times."""
    return 10 ** 30 if text == 'all' else duration_ns(text)


def path(text):
    """A field path option, for argparse."""
    return Path(text.encode())


def options(name):
    """A parser with what both commands have."""
    parser = argparse.ArgumentParser(prog=name, allow_abbrev=False)
    parser.add_argument('-T', action='store_true')
    parser.add_argument('--on-error', choices=['skip'])
    return parser


def interleave_options(parser):
    """What those have that read files side by side."""
    parser.add_argument('--interleave', action='store_true')
    parser.add_argument('files', nargs='*')


def main(run):
    """Be a filter: stdin to stdout, --late FILE written where it is asked for."""
    result = run(sys.argv[1:], sys.stdin.buffer.read())
    if '--late' in sys.argv:
        with open(sys.argv[sys.argv.index('--late') + 1], 'wb') as late:
            late.write(result.side)
    sys.stdout.buffer.write(result.out)
    sys.stdout.flush()
    sys.exit(result.status)
