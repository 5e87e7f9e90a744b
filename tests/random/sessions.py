#!/usr/bin/env python3
"""A naive model of sessions: open ones are found by a look at all of them.

By event time alone: no wall clock.
"""

import aggregates
import model
import rollcount


class Session:
    """The times of its tuples, and what each has, in the order of arrival."""

    def __init__(self, key, order, raws):
        self.key, self.order, self.raws = key, order, raws
        self.tuples = []                # (arrival, time, values)

    def start(self):
        return min(time for _, time, _ in self.tuples)

    def end(self):
        return max(time for _, time, _ in self.tuples)

    def unite(self, other):
        if other.order < self.order:
            self.order, self.raws = other.order, other.raws
        self.tuples += other.tuples

    def row(self, names, wanted):
        members = list(zip(names, self.raws))
        members += wanted.members([values for _, _, values in
                                   sorted(self.tuples, key=lambda t: t[0])])
        members += [(b'"session_start"', b'%d' % self.start()),
                    (b'"session_end"', b'%d' % self.end()),
                    (b'"session_seconds"',
                     rollcount.seconds(self.end() - self.start()))]
        return b'{%s}\n' % b','.join(b'%s:%s' % m for m in members)


def close(sessions, before, names, wanted):
    """The rows of those that ended before a time, which then are gone."""
    done = [s for s in sessions if before is None or s.end() < before]
    for session in done:
        sessions.remove(session)
    done.sort(key=lambda s: (s.end(), s.start(), s.order))
    return b''.join(s.row(names, wanted) for s in done)


def options(argv):
    parser = model.options('sessions')
    parser.add_argument('-k', action='append', default=[])
    parser.add_argument('-a', action='append')
    parser.add_argument('-g', type=model.duration_ns, default='30m')
    parser.add_argument('-l', type=model.lateness_ns, default='0s')
    parser.add_argument('-t', type=model.path, required=True)
    parser.add_argument('--late')
    model.interleave_options(parser)
    o = parser.parse_args(argv)
    o.g //= model.MS
    return o


def run(argv, data):
    o = options(argv)
    fields = model.Fields(o.k)
    wanted = aggregates.Aggregates(o.a or ['count'])
    sessions, out, late, bad = [], b'', b'', 0
    files = model.Files(o, data, lambda r: (fields.key(r), wanted.of(r)))
    watermark = None                    # in ms, as all times here
    for arrival, (source, record) in enumerate(files):
        if isinstance(record, int):
            continue
        try:
            if record is None:
                raise model.Bad
            key, values = fields.key(record), wanted.of(record)
            ns = model.time_ns(o.t.find(record))
        except model.Bad:
            bad += 1
            continue
        time = ns // model.MS
        files.watermark.see(source, ns)
        if files.watermark.value is not None:
            watermark = files.watermark.value // model.MS
            out += close(sessions, watermark - o.g, fields.names, wanted)
        near = [s for s in sessions if s.key == key
                and s.start() - o.g <= time <= s.end() + o.g]
        if not near and watermark is not None and time + o.g < watermark:
            late += record.text + b'\n'
            continue
        new = Session(key, arrival, fields.raws(record))
        new.tuples = [(arrival, time, values)]
        for session in near:
            new.unite(session)
            sessions.remove(session)
        sessions.append(new)
    out += close(sessions, None, fields.names, wanted)
    unasked = bad and not o.on_error or late and not o.late
    return model.Result(out, late, 1 if unasked else 0)


if __name__ == '__main__':
    model.main(run)
