#!/usr/bin/env python3
"""A naive model of tally: every row is computed anew from all its tuples."""

import fractions
import json

import model
import rollcount


class Aggregate:
    """One of -a: its quoted name, and value(raws) from all raw values."""

    def __init__(self, text):
        text = text.encode()
        equals = model.outside_brackets(text, b'=')
        name, rest = None, text
        if equals:
            name, rest = text[:equals[0]], text[equals[0] + 1:]
        self.kind, _, path = rest.partition(b':')
        self.path = model.Path(path) if path else None
        if name is None:
            name = self.kind
            if path:
                name += b'_' + (path[1:] if path[:1] == b'.' else path)
        self.name = json.dumps(name.decode(), ensure_ascii=False).encode()

    def raw(self, record):
        """What the tuple has for it, or Bad."""
        if self.path is None:
            return None
        raw = self.path.find(record)
        if self.kind in (b'sum', b'mean', b'min', b'max'):
            value = model.number(raw)
            if self.kind in (b'sum', b'mean') and abs(value) >= 2 ** 1024:
                raise model.Bad('no double')
        return raw

    def value(self, raws):
        if self.kind == b'count':
            return b'%d' % len(raws)
        if self.kind == b'first':
            return raws[0]
        if self.kind == b'last':
            return raws[-1]
        if self.kind == b'min':
            return min(raws, key=model.number)
        if self.kind == b'max':
            return max(raws, key=model.number)
        numbers = [fractions.Fraction(model.number(raw)) for raw in raws]
        if self.kind == b'sum':
            return rollcount.total(numbers)
        return repr(float(sum(numbers) / len(numbers))).encode()


def split(options):
    for option in options:
        cuts = [-1] + model.outside_brackets(option.encode(), b',')
        cuts.append(len(option.encode()))
        for a, b in zip(cuts, cuts[1:]):
            yield option.encode()[a + 1:b].decode()


def options(argv):
    parser = model.options('tally')
    parser.add_argument('-k', action='append', required=True)
    parser.add_argument('-a', action='append', default=[])
    parser.add_argument('-c', action='store_true')
    parser.add_argument('--batch', type=int, default=1000)
    return parser.parse_args(argv)


def run(argv, data):
    o = options(argv)
    fields = model.Fields(o.k)
    aggregates = [Aggregate(text) for text in split(o.a or ['count'])]
    raws, values = {}, {}
    out, bad, batch, ntuples = [], 0, {}, 0

    def report(keys):
        for key in keys:
            members = list(zip(fields.names, raws[key]))
            members += [(a.name, a.value([v[i] for v in values[key]]))
                        for i, a in enumerate(aggregates)]
            out.append(b'{%s}\n' % b','.join(b'%s:%s' % m for m in members))

    for record in model.read(data):
        if isinstance(record, int):
            continue
        try:
            if record is None:
                raise model.Bad
            key = fields.key(record)
            value = [a.raw(record) for a in aggregates]
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
