#!/usr/bin/env python3
"""A naive model of timeline: a dictionary of steps, one by one."""

import collections

import model


def options(argv):
    parser = model.options('timeline')
    parser.add_argument('-k', action='append', required=True)
    parser.add_argument('--from', dest='start', type=model.path, required=True)
    parser.add_argument('--to', type=model.path, required=True)
    parser.add_argument('--slice', type=model.duration_ns, default='1h')
    parser.add_argument('--step', type=model.duration_ns, default='1m')
    parser.add_argument('--max-steps', type=int, default=100000)
    parser.add_argument('-c', action='store_true')
    parser.add_argument('--batch', type=int, default=1000)
    o = parser.parse_args(argv)
    if o.slice % o.step:
        parser.error('--slice must be a multiple of --step')
    return o


def run(argv, data):
    o = options(argv)
    fields = model.Fields(o.k)
    raws, count = {}, collections.Counter()
    out, bad, touched, ntuples = [], 0, set(), 0

    def report():
        for key, start in sorted(touched):
            members = b''.join(b'%s:%s,' % m for m in zip(fields.names, raws[key]))
            steps = range(start, start + o.slice, o.step)
            out.append(b'{%s"sliceStartMillis":%d,"occupancies":[%s]}\n' % (
                members, start // model.MS,
                b','.join(b'%d' % count[key, step] for step in steps)))
        touched.clear()

    for record in model.read(data):
        if isinstance(record, int):
            continue
        try:
            if record is None:
                raise model.Bad
            key = fields.key(record)
            start = model.time_ns(o.start.find(record))
            end = model.time_ns(o.to.find(record))
            first = start // model.MS * model.MS // o.step * o.step
            last = end // model.MS * model.MS // o.step * o.step
            if end < start or (last - first) // o.step >= o.max_steps:
                raise model.Bad
        except model.Bad:
            bad += 1
            continue
        raws.setdefault(key, fields.raws(record))
        for step in range(first, last + 1, o.step):
            count[key, step] += 1
            touched.add((key, step // o.slice * o.slice))
        ntuples += 1
        if o.c and ntuples % o.batch == 0:
            report()
    report()
    return model.Result(b''.join(out), b'', 1 if bad and not o.on_error else 0)


if __name__ == '__main__':
    model.main(run)
