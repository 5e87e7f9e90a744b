#!/usr/bin/env python3
"""A naive model of rollcount: every window is counted anew from all tuples.

By event time (-t), by event time with the ticks of the input (-i -t), or with
a slot per tick (-i).  No wall clock.
"""

import fractions

import aggregates
import model


class Windows:
    """All tuples as (slot, key, weight), and the keys in the order they came.

    A slot is named by its start.  The window that ends at B has the slots
    from B - length up to, not including, B.
    """

    def __init__(self, names, wanted, length, every, zeros):
        self.names, self.wanted, self.zeros = names, wanted, zeros
        self.length, self.every = length, every
        self.tuples = []
        self.keys = {}

    def count(self, slot, key, raws, weight):
        self.keys.setdefault(key, raws)
        self.tuples.append((slot, key, weight))

    def boundaries(self, after, upto):
        """Window ends in (after, upto] where a key has something to say.

        A slot is in length / every windows and then missed in one.  None is
        without limit.
        """
        ends = {slot + age
                for slot in {slot for slot, _, _ in self.tuples}
                for age in range(self.every, self.length + self.every + 1,
                                 self.every)}
        return sorted(end for end in ends
                      if (after is None or end > after)
                      and (upto is None or end <= upto))

    def rows(self, end, end_ms, length_ms):
        """The rows of the window that ends at `end`."""
        start = end - self.length
        near = [t for t in self.tuples if t[0] >= start - self.every]
        out, left = b'', []
        for key, raws in self.keys.items():
            mine = [(slot, weight) for slot, k, weight in near if k == key]
            inside = [weight for slot, weight in mine if start <= slot < end]
            was = any(slot < start for slot, _ in mine)
            to_come = any(slot >= end for slot, _ in mine)
            if inside or was and self.zeros:
                members = list(zip(self.names, raws))
                if self.wanted:
                    members += self.wanted.members(inside)
                else:
                    members.append((b'"count"', aggregates.total(inside)))
                out += b'{%s,"window_end":%d,"window_seconds":%s}\n' % (
                    b','.join(b'%s:%s' % m for m in members), end_ms,
                    seconds(length_ms))
            if was and not inside and not to_come:
                left.append(key)
        for key in left:
            del self.keys[key]
        return out


def seconds(ms):
    """Milliseconds as a plain decimal number of seconds."""
    text = '%d.%03d' % divmod(ms, 1000)
    return text.rstrip('0').rstrip('.').encode()


def usable(o, fields, record):
    """Key, raw key fields, weight and time of a tuple, or Bad."""
    key = fields.key(record)
    if o.wanted:
        weight = o.wanted.of(record)
    else:
        weight = fractions.Fraction(model.number(o.v.find(record)) if o.v else 1)
    time = model.time_ns(o.t.find(record)) if o.t else None
    return key, fields.raws(record), weight, time


class EventTime:
    """-t: the watermark comes from the tuples, or with -i from the ticks."""

    def __init__(self, o, names, marks):
        self.o, self.marks = o, marks
        self.windows = Windows(names, o.wanted, o.w, o.e, not o.no_zeros)
        self.reached = None             # the last multiple of -e
        self.watermark = None
        self.last_slot = None
        self.late = b''

    def slot(self, time):
        """The start of the slot of a time."""
        return (time - self.o.align) // self.o.e * self.o.e + self.o.align

    def emit(self, upto):
        """What is due up to a boundary, each batch with its tick."""
        out = b''
        for end in self.windows.boundaries(self.reached, upto):
            out += self.windows.rows(end, end // model.MS, self.o.w // model.MS)
            if self.o.T:
                out += model.tick_line(end // model.MS)
        return out

    def advance(self, time):
        if self.watermark is not None and time <= self.watermark:
            return b''
        self.watermark = time
        boundary = self.slot(time)
        out = self.emit(boundary)
        self.reached = boundary
        return out

    def go_on(self):
        """What is due by the watermark of the files."""
        if self.o.i or self.marks.value is None:
            return b''
        return self.advance(self.marks.value)

    def tuple(self, source, record, key, raws, weight, time):
        slot = self.slot(time)
        out = self.go_on()              # a file has ended
        self.marks.see(source, time)
        out += self.go_on()
        if self.reached is not None and slot + self.o.w <= self.reached:
            self.late += record.text + b'\n'
        else:
            self.windows.count(slot, key, raws, weight)
            self.last_slot = max(slot, slot if self.last_slot is None
                                 else self.last_slot)
        return out

    def tick(self, ms):
        time = ms * model.MS
        if not self.o.i or self.watermark is not None and time <= self.watermark:
            return b''
        out = self.advance(time)
        if self.o.T and not out.endswith(model.tick_line(ms)):
            out += model.tick_line(ms)
        return out

    def end(self):
        if self.o.i or self.last_slot is None:
            return b''
        return self.go_on() + self.emit(None if self.o.drain else self.last_slot + self.o.e)


class TickTime:
    """-i alone: tick number j closes slot j - 1, the window of n slots ends."""

    def __init__(self, o, names, marks):
        self.o = o
        self.slots = o.w // o.e
        self.windows = Windows(names, o.wanted, self.slots, 1, not o.no_zeros)
        self.ticks = []
        self.late = b''

    def tuple(self, source, record, key, raws, weight, time):
        self.windows.count(len(self.ticks), key, raws, weight)
        return b''

    def tick(self, ms):
        self.ticks.append(ms)
        j = len(self.ticks)
        if j > self.slots:
            oldest = self.ticks[j - self.slots - 1]
        else:
            oldest = self.ticks[0] - self.o.e // model.MS
        out = self.windows.rows(j, ms, ms - oldest)
        return out + model.tick_line(ms) if self.o.T else out

    def end(self):
        return b''


def options(argv):
    parser = model.options('rollcount')
    parser.add_argument('-k', action='append', default=[])
    parser.add_argument('-a', action='append')
    parser.add_argument('--align', type=lambda text: model.time_ns(
        (text if model.NUMBER.fullmatch(text.encode()) else '"%s"' % text).encode())
        // model.MS * model.MS, default='0')
    parser.add_argument('-w', type=model.duration_ns)
    parser.add_argument('-e', type=model.duration_ns)
    parser.add_argument('-l', type=model.lateness_ns, default='0s')
    parser.add_argument('-t', type=model.path)
    parser.add_argument('-v', type=model.path)
    parser.add_argument('-i', action='store_true')
    parser.add_argument('--no-zeros', action='store_true')
    parser.add_argument('--drain', action='store_true')
    parser.add_argument('--late')
    model.interleave_options(parser)
    o = parser.parse_args(argv)
    if o.e is None:
        o.e = o.w or model.duration_ns('60s')
    if o.w is None:
        o.w = model.duration_ns('300s')
    if not o.w or not o.e or o.w % o.e:
        parser.error('-w must be a multiple of -e')
    o.wanted = aggregates.Aggregates(o.a) if o.a else None
    if not o.t and not o.i:
        parser.error('the model has no wall clock: -t or -i is required')
    if o.l and (o.i or not o.t):
        parser.error('-l needs -t, and excludes -i')
    return o


def run(argv, data):
    o = options(argv)
    fields = model.Fields(o.k)
    files = model.Files(o, data, lambda record: usable(o, fields, record))
    counter = (EventTime if o.t else TickTime)(o, fields.names, files.watermark)
    out, bad = [], 0
    for source, record in files:
        if isinstance(record, int):
            out.append(counter.tick(record))
            continue
        try:
            if record is None:
                raise model.Bad
            row = usable(o, fields, record)
        except model.Bad:
            bad += 1
            continue
        out.append(counter.tuple(source, record, *row))
    out.append(counter.end())
    unasked = bad and not o.on_error or counter.late and not o.late
    return model.Result(b''.join(out), counter.late, 1 if unasked else 0)


if __name__ == '__main__':
    model.main(run)
