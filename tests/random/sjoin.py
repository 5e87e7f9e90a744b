#!/usr/bin/env python3
"""A naive model of sjoin: everything that waits is looked through each time.

By event time (-t): streams in files read side by side, or one input that -s
splits.  No wall clock, so no stream is ever silent.
"""

import itertools
import sys

import model

ALONE_IN_ROW = ('timeout', 'null-key', 'late', 'end', 'unmatched')


class Arrived:
    """A tuple of a stream, as it came."""

    def __init__(self, number, stream, record, raws, key, time):
        self.number, self.stream, self.record = number, stream, record
        self.raws, self.key, self.time = raws, key, time
        self.has_row = False            # -m


class Waiting:
    """What has come of one key: a tuple per stream."""

    def __init__(self, first):
        self.time, self.number = first.time, first.number
        self.key, self.raws = first.key, first.raws
        self.parts = {first.stream: first}

    def arrivals(self):
        return sorted(self.parts.values(), key=lambda x: x.number)


class Writer:
    """Rows and failures, as bytes."""

    def __init__(self, o, names, key_names):
        self.o, self.names, self.key_names = o, names, key_names
        self.items = [Item(text, names, key_names) for text in split(o.o)]
        self.alone_of = {names.index(n) for n in o.a + o.v}
        self.out, self.expired = [], []

    def row(self, raws, parts):
        if self.items:
            members = [item.member(raws, parts) for item in self.items]
        else:
            members = [b'%s:%s' % f for f in zip(self.key_names, raws)]
            members += [b'"%s":%s' % (name.encode(), parts[i].record.text
                                      if i in parts else b'null')
                        for i, name in enumerate(self.names)]
        self.out.append(b'{%s}\n' % b','.join(members))

    def joined(self, raws, parts):
        if not self.o.v:
            self.row(raws, parts)

    def failed(self, reason, arrived):
        self.expired.append(b'{"reason":"%s","stream":"%s","tuple":%s}\n' % (
            reason.encode(), self.names[arrived.stream].encode(),
            arrived.record.text))

    def alone(self, reason, raws, parts):
        """Each of these has failed; together they are a row, if one is asked for."""
        for arrived in sorted(parts.values(), key=lambda x: x.number):
            self.failed(reason, arrived)
        if reason in ALONE_IN_ROW and self.alone_of & set(parts):
            self.row(raws, parts)


class Item:
    """One item of -o."""

    def __init__(self, text, names, key_names):
        equals = model.outside_brackets(text, b'=')
        name = text
        if equals:
            name, text = text[:equals[0]], text[equals[0] + 1:]
        elif text[:1] == b'.':
            name = text[1:]
        self.name, self.key, self.streams = quoted(name), None, range(len(names))
        for i, stream in enumerate(names):
            if text.startswith(stream.encode() + b'.'):
                self.streams = [i]
                text = text[len(stream) + 1:]
                break
        else:
            bare = quoted(text[1:] if text[:1] == b'.' else text)
            if bare in key_names:
                self.key = key_names.index(bare)
        self.path = model.Path(text)

    def member(self, raws, parts):
        return b'%s:%s' % (self.name, self.value(raws, parts))

    def value(self, raws, parts):
        if self.key is not None:
            return raws[self.key]
        for i in self.streams:
            try:
                if i in parts:
                    return self.path.find(parts[i].record)
            except model.Bad:
                pass
        return b'null'


def quoted(name):
    return model.json.dumps(name.decode(), ensure_ascii=False).encode()


def split(options):
    """The items of a list option."""
    for option in options:
        option = option.encode()
        cuts = [-1] + model.outside_brackets(option, b',') + [len(option)]
        for a, b in zip(cuts, cuts[1:]):
            yield option[a + 1:b]


def fields_of(o, names):
    """The Fields of each stream: items with its name before a colon, or none."""
    items = {name: [] for name in names}
    for item in split(o.k):
        stream, colon, rest = item.decode().partition(':')
        if colon and stream in items:
            items[stream].append(rest)
        else:
            for name in names:
                items[name].append(item.decode())
    return [model.Fields(items[name]) for name in names]


class Single:
    def __init__(self, o, writer, watermark, streams):
        self.o, self.writer, self.watermark = o, writer, watermark
        self.streams = streams
        self.waiting = []

    def expire(self):
        due = [w for w in self.waiting if self.watermark.is_past(w.time, self.o.w)]
        self.fail('timeout', due)

    def fail(self, reason, due):
        for w in sorted(due, key=lambda w: (w.time, w.number)):
            self.waiting.remove(w)
            self.writer.alone(reason, w.raws, w.parts)

    def late(self, x):
        self.writer.alone('late', x.raws, {x.stream: x})

    def take(self, x):
        found = [w for w in self.waiting if w.key == x.key]
        if found and x.time - found[0].time > self.o.w:
            self.fail('timeout', found)
            found = []
        if not found:
            if self.watermark.is_past(x.time, self.o.w):
                self.late(x)
            else:
                self.waiting.append(Waiting(x))
            return
        w = found[0]
        if w.time - x.time > self.o.w:
            self.late(x)
        elif x.stream not in w.parts:
            w.parts[x.stream] = x
            if len(w.parts) == self.streams:
                self.waiting.remove(w)
                self.writer.joined(w.raws, w.parts)
        elif self.o.d:
            self.writer.failed('duplicate', w.parts[x.stream])
            w.parts[x.stream] = x
        else:
            self.writer.failed('duplicate', x)

    def end(self):
        self.fail('end', list(self.waiting))


class Many:
    def __init__(self, o, writer, watermark, streams):
        self.o, self.writer, self.watermark = o, writer, watermark
        self.streams = streams
        self.kept = []
        self.raws = {}                  # of each key that is kept, as it first came

    def reach(self, x):
        """How long after its time it can still join what is newer."""
        return self.o.after if x.stream == 0 else self.o.before

    def is_past(self, x):
        return self.watermark.is_past(x.time, self.reach(x))

    def joins(self, parts):
        if len(parts) == 2:
            return -self.o.before <= parts[1].time - parts[0].time <= self.o.after
        times = [y.time for y in parts]
        return max(times) - min(times) <= self.o.w

    def expire(self):
        self.drop('timeout', [x for x in self.kept if self.is_past(x)])

    def drop(self, reason, due):
        for x in sorted(due, key=lambda x: (x.time + self.reach(x), x.number)):
            self.kept.remove(x)
            if not x.has_row:
                self.alone(reason, x)
            self.forget(x.key)

    def forget(self, key):
        if not any(x.key == key for x in self.kept):
            self.raws.pop(key, None)

    def alone(self, reason, x):
        self.writer.alone(reason, self.raws.get(x.key, x.raws), {x.stream: x})

    def take(self, x):
        raws = self.raws.setdefault(x.key, x.raws)
        sides = [[x] if i == x.stream else
                 sorted((y for y in self.kept if y.key == x.key and y.stream == i),
                        key=lambda y: (y.time, y.number))
                 for i in range(self.streams)]
        for parts in itertools.product(*sides):
            if self.joins(parts):
                self.writer.joined(raws, dict(enumerate(parts)))
                for y in parts:
                    y.has_row = True
        if not self.is_past(x):
            self.kept.append(x)
            return
        if not x.has_row:
            self.writer.alone('late', x.raws, {x.stream: x})
        self.forget(x.key)

    def end(self):
        self.drop('end', list(self.kept))


class Tables:
    """All streams but one are tables, whose rows are all kept here."""

    def __init__(self, o, writer, watermark, source):
        self.writer, self.watermark = writer, watermark
        self.length = o.w if o.has_w else None
        self.timed = [path is not None for path in source.times]
        self.tables = [i for i, name in enumerate(source.names) if name in o.table]
        self.waits = any(self.timed[i] for i in self.tables)
        self.rows = {i: {} for i in self.tables}
        self.waiting = []

    def is_past(self, time):
        return self.watermark.is_past(time, 0)

    def expire(self):
        due = [x for x in self.waiting if self.is_past(x.time)]
        self.waiting = [x for x in self.waiting if not self.is_past(x.time)]
        for x in sorted(due, key=lambda x: (x.time, x.number)):
            self.join(x, None)

    def latest(self, table, key, time, now):
        """Its latest row as of a time; now: some are forgotten."""
        rows = self.rows[table].get(key, [])
        if not self.timed[table]:
            return rows[-1] if rows else None
        rows = [y for y in rows if y.time <= time]
        if not rows:
            return None
        row = max(rows, key=lambda y: (y.time, y.number))
        if self.length is not None and (
                max(time, time if now is None else now) - row.time > self.length):
            return None
        return row

    def join(self, x, now):
        if (0,) in x.key:
            self.writer.alone('null-key', x.raws, {x.stream: x})
            return
        found = {i: self.latest(i, x.key, x.time, now) for i in self.tables}
        parts = {i: y for i, y in found.items() if y}
        parts[x.stream] = x
        if len(parts) == len(self.tables) + 1:
            self.writer.joined(x.raws, parts)
            return
        self.writer.failed('unmatched', x)
        if x.stream in self.writer.alone_of:
            self.writer.row(x.raws, parts)

    def take(self, x):
        if x.stream in self.rows:
            if (0,) in x.key:
                self.writer.failed('null-key', x)
            else:
                self.rows[x.stream].setdefault(x.key, []).append(x)
            return
        now = self.watermark.value
        if self.waits and not self.is_past(x.time):
            self.waiting.append(x)
            return
        if self.waits and (0,) not in x.key:
            rows = [self.latest(i, x.key, now, now) for i in self.tables
                    if self.timed[i]]
            if any(y and y.time > x.time for y in rows):
                self.writer.alone('late', x.raws, {x.stream: x})
                return
        self.join(x, now if self.waits else None)

    def end(self):
        for x in sorted(self.waiting, key=lambda x: (x.time, x.number)):
            self.join(x, None)


def reach_ns(text):
    """How much older and newer than the first stream's the second's may be."""
    ends = text.split('..') if '..' in text else [text, text]
    return [-model.duration_ns(end[1:]) if end[:1] == '-' else
            model.duration_ns(end) for end in ends]


def options(argv):
    parser = model.options('sjoin')
    parser.add_argument('-k', action='append', required=True)
    parser.add_argument('-w', type=reach_ns)
    parser.add_argument('-t', required=True)
    parser.add_argument('--table')
    parser.add_argument('-l', type=model.lateness_ns, default='0s')
    parser.add_argument('-o', action='append', default=[])
    parser.add_argument('-a', action='append', default=[])
    parser.add_argument('-v', action='append', default=[])
    parser.add_argument('-d', choices=['replace'])
    parser.add_argument('-m', action='store_true')
    parser.add_argument('-s', type=model.path)
    parser.add_argument('--expired')
    parser.add_argument('operands', nargs='+')
    o = parser.parse_intermixed_args(argv)
    o.before, o.after = o.w or reach_ns('30s')
    o.has_w = o.w is not None
    o.w = max(o.before, o.after)
    o.table = (o.table or '').split(',')
    return o


class Input:
    """Streams from files side by side: the oldest next tuple goes first."""

    def __init__(self, o, data):
        self.o, self.bad, self.arrived = o, 0, 0
        self.names, self.sources = [], []
        for operand in o.operands:
            name, equals, file = operand.partition('=')
            self.names.append(name)
            if o.s:
                continue
            if file == '-':
                self.sources.append(model.read(data))
            else:
                with open(file, 'rb') as f:
                    self.sources.append(model.read(f.read()))
        if o.s:
            self.sources.append(model.read(data))
        self.fields = fields_of(o, self.names)
        self.times = [self.time_path(name) for name in self.names]
        self.watermark = model.Watermark(len(self.sources), o.l)
        for i, path in enumerate(self.times):
            if path is None and not o.s:
                self.watermark.end(i)

    def time_path(self, name):
        """Where its tuples have their time; a table may have none."""
        for item in split([self.o.t]):
            stream, colon, path = item.decode().partition(':')
            if not colon or stream not in self.names:
                return model.path(item.decode())
            if stream == name:
                return model.path(path)
        return None

    def usable(self, source, record):
        """The tuple as it arrives; None if it is of another stream; or Bad."""
        stream = source
        if self.o.s:
            raw = self.o.s.find(record)
            if raw[:1] != b'"':
                raise model.Bad('no string')
            names = [name.encode() for name in self.names]
            if model.decode(raw) not in names:
                return None
            stream = names.index(model.decode(raw))
        fields = self.fields[stream]
        time = (-2 ** 63 if self.times[stream] is None else
                model.time_ns(self.times[stream].find(record)))
        return Arrived(0, stream, record, fields.raws(record), fields.key(record), time)

    def next_of(self, source):
        """The next tuple of a source, or None at its end."""
        for record in self.sources[source]:
            if isinstance(record, int):
                continue
            try:
                if record is None:
                    raise model.Bad
                arrived = self.usable(source, record)
            except model.Bad:
                self.bad += 1
                continue
            if arrived:
                return arrived
        self.watermark.end(source)
        return None

    def __iter__(self):
        heads = [self.next_of(i) for i in range(len(self.sources))]
        while any(heads):
            at = min((i for i, head in enumerate(heads) if head),
                     key=lambda i: (heads[i].time, i))
            x = heads[at]
            self.arrived += 1
            x.number = self.arrived
            if self.times[x.stream] is not None:
                self.watermark.see(at, x.time)
            yield x
            heads[at] = self.next_of(at)


def run(argv, data):
    o = options(argv)
    source = Input(o, data)
    writer = Writer(o, source.names, source.fields[0].names)
    join = (Tables(o, writer, source.watermark, source) if o.table != [''] else
            (Many if o.m else Single)(o, writer, source.watermark, len(source.names)))
    for x in source:
        join.expire()
        if (0,) in x.key and not isinstance(join, Tables):
            writer.alone('null-key', x.raws, {x.stream: x})
        else:
            join.take(x)
    join.end()
    return model.Result(b''.join(writer.out), b''.join(writer.expired),
                        1 if source.bad and not o.on_error else 0)


def accounted(argv, data, out, expired):
    """What of the input is not in the binary's output as it should be.

    Each tuple once in a row or in --expired; with -m in rows or else once in
    --expired.  Rows with a null say again what has failed.
    """
    o = options(argv)
    if o.o or o.v or o.table != ['']:
        return []
    source = Input(o, data)
    counts = {(source.names[x.stream], x.record.text): [0, 0] for x in source}
    lines = [(0, line) for line in out.split(b'\n')[:-1]]
    lines += [(1, line) for line in expired.split(b'\n')[:-1]]
    wrong = []
    for side, line in lines:
        record = model.parse(line)
        members = record.members
        if side:
            values = [model.value_of(record.text, m) for m in members]
            parts = [(model.decode(values[1]).decode(), values[2])]
        else:
            parts = [(m.name.decode(), model.value_of(record.text, m))
                     for m in members[-len(source.names):]]
            if any(part[1] == b'null' for part in parts):
                continue
        for part in parts:
            if part not in counts:
                wrong.append('not in the input: %s %r' % part)
            else:
                counts[part][side] += 1
    for part, (rows, failed) in counts.items():
        if not (rows and not failed if o.m and rows else rows + failed == 1):
            wrong.append('%s %r: in %d rows, %d times in --expired' % (
                *part, rows, failed))
    return wrong


if __name__ == '__main__':
    result = run(sys.argv[1:], sys.stdin.buffer.read())
    sys.stderr.buffer.write(result.side)
    sys.stdout.buffer.write(result.out)
    sys.stdout.flush()
    sys.exit(result.status)
