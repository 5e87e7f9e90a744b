#!/usr/bin/env python3
"""A naive model of tally: every row is computed anew from all its tuples."""

import aggregates
import model


def options(argv):
    parser = model.options('tally')
    parser.add_argument('-k', action='append', default=[])
    parser.add_argument('-a', action='append', default=[])
    parser.add_argument('-c', action='store_true')
    parser.add_argument('--batch', type=int, default=1000)
    return parser.parse_args(argv)


def run(argv, data):
    o = options(argv)
    fields = model.Fields(o.k)
    wanted = aggregates.Aggregates(o.a or ['count'])
    raws, values = {}, {}
    out, bad, batch, ntuples = [], 0, {}, 0

    def report(keys):
        for key in keys:
            members = list(zip(fields.names, raws[key]))
            members += wanted.members(values[key])
            out.append(b'{%s}\n' % b','.join(b'%s:%s' % m for m in members))

    for record in model.read(data):
        if isinstance(record, int):
            continue
        try:
            if record is None:
                raise model.Bad
            key = fields.key(record)
            value = wanted.of(record)
        except model.Bad:
            bad += 1
            continue
        raws.setdefault(key, fields.raws(record))
        values.setdefault(key, []).append(value)
        batch[key] = True
        ntuples += 1
        if o.c and ntuples % o.batch == 0:
            report(batch)
            batch = {}
    report(batch)
    return model.Result(b''.join(out), b'', 1 if bad and not o.on_error else 0)


if __name__ == '__main__':
    model.main(run)
