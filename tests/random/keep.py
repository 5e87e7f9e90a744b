#!/usr/bin/env python3
"""A naive model of keep: the condition is made a function of a tuple."""

import re

import model

FIELD = re.compile(
    rb'(?:\["(?:[^"\\]|\\.)*"\]|[^ \t\r\n()!=<>~&|,\'"])+')
OPERATORS = [b'==', b'!=', b'=~', b'!~', b'<=', b'>=', b'<', b'>']
ORDERED = {b'<': lambda c: c < 0, b'<=': lambda c: c <= 0,
           b'>': lambda c: c > 0, b'>=': lambda c: c >= 0}


class Condition:
    """By recursive descent; holds(record) tells."""

    def __init__(self, text):
        self.text, self.at = text, 0
        self.holds = self.either()
        if self.rest():
            raise ValueError('no condition: %r' % text)

    def rest(self):
        self.at = model.blank(self.text, self.at)
        return self.text[self.at:]

    def take(self, token):
        if not self.rest().startswith(token):
            return False
        self.at += len(token)
        return True

    def either(self):
        parts = [self.all()]
        while self.take(b'||'):
            parts.append(self.all())
        return lambda record: any(part(record) for part in parts)

    def all(self):
        parts = [self.negation()]
        while self.take(b'&&'):
            parts.append(self.negation())
        return lambda record: all(part(record) for part in parts)

    def negation(self):
        if self.take(b'!'):
            part = self.negation()
            return lambda record: not part(record)
        if self.take(b'('):
            part = self.either()
            if not self.take(b')'):
                raise ValueError('no )')
            return part
        return self.comparison()

    def field(self):
        match = FIELD.match(self.rest())
        self.at += match.end()
        path = model.Path(match.group())

        def find(record):
            try:
                return path.find(record)
            except model.Bad:
                return None
        return find

    def comparison(self):
        left = self.field()
        for operator in OPERATORS:
            if self.take(operator):
                break
        else:
            return lambda record: left(record) not in (None, b'null', b'false')
        right = self.other()
        if operator in (b'=~', b'!~'):
            pattern = re.compile(translated(content(right(None))))
            return lambda record: (operator == b'=~') == matches(
                pattern, left(record))
        if operator in (b'==', b'!='):
            return lambda record: (operator == b'==') == equal(
                left(record), right(record))
        return lambda record: ordered(ORDERED[operator], left(record),
                                      right(record))

    def other(self):
        """The other side: a path, or a value, as the raw bytes of JSON."""
        rest = self.rest()
        if rest[:1] == b'.':
            return self.field()
        if rest[:1] == b'@':
            return self.time()
        if rest[:1] == b"'":
            value = rest[1:rest.index(b"'", 1)]
            self.at += len(value) + 2
            return lambda record: (value,)
        match = model.SCALAR.match(rest)
        self.at += match.end()
        return lambda record: match.group()

    def time(self):
        self.at += 1
        if self.text[self.at:self.at + 1] in (b'"', b"'"):
            text = content(self.other()(None))
        else:
            text = FIELD.match(self.text, self.at).group()
            self.at += len(text)
        if not model.NUMBER.fullmatch(text):
            text = b'"' + text + b'"'
        ns = model.time_ns(text)
        return lambda record: Time(ns)


class Time:
    def __init__(self, ns):
        self.ns = ns


def content(value):
    """What a string holds, decoded; None where it is no string."""
    if isinstance(value, tuple):        # in single quotes
        return value[0]
    return model.decode(value) if value is not None and value[:1] == b'"' else None


def is_number(value):
    return isinstance(value, bytes) and bool(model.NUMBER.fullmatch(value))


def order(a, b):
    """Negative, 0 or positive; None where the two have no order."""
    if isinstance(b, Time):
        try:
            a, b = model.time_ns(a or b'null'), b.ns
        except model.Bad:
            return None
    elif is_number(a) or is_number(b):
        a, b = (x if is_number(x) else content(x) for x in (a, b))
        if not all(x is not None and model.NUMBER.fullmatch(x) for x in (a, b)):
            return None
        a, b = model.number(a), model.number(b)
    else:
        a, b = content(a), content(b)
        if a is None or b is None:
            return None
    return (a > b) - (a < b)


def equal(a, b):
    compared = order(a, b)
    if compared is not None:
        return compared == 0
    return a == b and a in (b'null', b'true', b'false')


def ordered(holds, a, b):
    compared = order(a, b)
    return compared is not None and holds(compared)


def translated(pattern):
    """A POSIX expression as Python's: of those that streams.py makes."""
    return pattern.replace(b'.', b'[^\\0]').replace(b'$', b'\\Z')


def matches(pattern, value):
    if is_number(value):
        return bool(pattern.search(value))
    text = content(value)
    return text is not None and bool(pattern.search(text))


def options(argv):
    parser = model.options('keep')
    parser.add_argument('-v', action='store_true')
    parser.add_argument('condition')
    return parser.parse_args(argv)


def run(argv, data):
    o = options(argv)
    holds = Condition(o.condition.encode()).holds
    out, bad = [], 0
    for record in model.read(data):
        if record is None:
            bad += 1
        elif isinstance(record, int):
            out.append(model.tick_line(record))
        elif holds(record) != o.v:
            out.append(record.text + b'\n')
    return model.Result(b''.join(out), b'', 1 if bad and not o.on_error else 0)


if __name__ == '__main__':
    model.main(run)
