"""The aggregates of -a, each computed anew from all values of its field.

Written from DESIGN.md ("Aggregates") alone.  A value that the design bounds,
and does not give, is written as `~value~how far it may be off`.
"""

import decimal
import fractions
import json
import math
import re

import model

KINDS = ('count', 'sum', 'mean', 'stddev', 'min', 'max', 'first', 'last',
         'distinct', 'p0', 'p50', 'p95', 'p99.9', 'p100')
NUMERIC = re.compile('sum|mean|stddev|p[0-9.]+')
GREATEST = 2 ** 1024 - 2 ** 970         # rounds to the greatest double
EXACT = 64                              # values of a quantile


def split(options):
    for option in options:
        cuts = [-1] + model.outside_brackets(option.encode(), b',')
        cuts.append(len(option.encode()))
        for a, b in zip(cuts, cuts[1:]):
            yield option.encode()[a + 1:b].decode()


def total(numbers):
    """Integers exactly; with a fraction among them, a double (with a point)."""
    result = sum(numbers, fractions.Fraction(0))
    if all(n.denominator == 1 for n in numbers):
        return b'%d' % result.numerator
    return repr(float(result)).encode()


def about(value, off):
    return ('~%r~%r' % (value, off)).encode()


def order(raw):
    """Numbers, and strings that hold one, by value, then strings by bytes."""
    try:
        return 0, model.number(raw)
    except model.Bad:
        return 1, model.decode(raw)


class Aggregate:
    """One of -a: its quoted name, and value(raws) from all raw values."""

    def __init__(self, text):
        text = text.encode()
        equals = model.outside_brackets(text, b'=')
        name, rest = None, text
        if equals:
            name, rest = text[:equals[0]], text[equals[0] + 1:]
        kind, _, path = rest.partition(b':')
        self.kind = kind.decode()
        self.path = model.Path(path) if path else None
        if name is None:
            name = kind
            if path:
                name += b'_' + (path[1:] if path[:1] == b'.' else path)
        self.name = json.dumps(name.decode(), ensure_ascii=False).encode()

    def raw(self, record):
        """What the tuple has for it, None where that is nothing, or Bad."""
        if self.path is None:
            return b''
        try:
            raw = self.path.find(record)
        except model.Bad:
            return None
        if raw == b'null':
            return None
        if NUMERIC.fullmatch(self.kind):
            if abs(model.number(raw)) >= GREATEST:
                raise model.Bad('no double')
        elif self.kind in ('min', 'max'):
            if raw[:1] in (b'{', b'[', b't', b'f'):
                raise model.Bad('no order')
        elif self.kind == 'distinct':
            model.typed(raw)
        return raw

    def value(self, raws):
        """The value of all tuples, whose raws are as they came."""
        raws = [raw for raw in raws if raw is not None]
        if self.kind == 'count':
            return b'%d' % len(raws)
        if self.kind == 'distinct':
            return b'%d' % len({model.typed(raw) for raw in raws})
        if not raws:
            return b'null'
        if self.kind == 'first':
            return raws[0]
        if self.kind == 'last':
            return raws[-1]
        if self.kind == 'min':
            return min(raws, key=order)
        if self.kind == 'max':
            return max(raws, key=order)
        return self.of_numbers([fractions.Fraction(model.number(raw))
                                for raw in raws])

    def of_numbers(self, numbers):
        if self.kind == 'sum':
            return total(numbers)
        if self.kind == 'mean':
            return repr(float(sum(numbers) / len(numbers))).encode()
        if self.kind == 'stddev':
            return deviation([fractions.Fraction(float(n)) for n in numbers])
        return quantile(numbers, decimal.Decimal(self.kind[1:]))


def deviation(numbers):
    if len(numbers) < 2:
        return b'null'
    mean = sum(numbers) / len(numbers)
    variance = sum((n - mean) ** 2 for n in numbers) / (len(numbers) - 1)
    scale = fractions.Fraction(2) ** 400 if 0 < variance < 1e-200 else 1
    scale = fractions.Fraction(2) ** -800 if variance > 1e200 else scale
    value = math.sqrt(variance * scale * scale) / float(scale)
    return about(value, max(1e-9 * value, 1e-12 * float(max(map(abs, numbers)))))


def quantile(numbers, share):
    rank = max(1, math.ceil(len(numbers) * fractions.Fraction(share) / 100))
    value = float(sorted(numbers)[rank - 1])
    if len(numbers) <= EXACT:
        return repr(value).encode()
    return about(value, 0.01 * abs(value))


class Aggregates:
    """All of -a: members(tuples) from what of(record) gave for each of them."""

    def __init__(self, options):
        self.list = [Aggregate(text) for text in split(options)]

    def of(self, record):
        return [a.raw(record) for a in self.list]

    def members(self, tuples):
        return [(a.name, a.value([t[i] for t in tuples]))
                for i, a in enumerate(self.list)]
