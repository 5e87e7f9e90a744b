"""Seeded random streams for each command with a model, and options to match.

make(command, seed) gives (argv, data, files): data is standard input, files are
named bytes.  Where @/ stands in argv comes the folder that these files are in;
LATE, EXPIRED and DROPPED are files that the command is to write there.
What the contract leaves open stays out: see the comments that say "not here".
"""

import datetime
import decimal
import random
import re

import aggregates

LATE = '@/late'
EXPIRED = '@/expired'
DROPPED = '@/dropped'

# Key values, a string of spellings each, in groups of what is easily confused.
ALIKE = [[spellings.split() for spellings in group] for group in (
    [r'"a" "\u0061"', r'"A" "\u0041"', r'"a\u0000"', r'"a\u0000b"', '""', r'"\u0000"',
     '"aa"', '"\x7f"', '"%s"' % ('long' * 100), '"%s"' % ('long' * 100 + '2')],
    ['"\u00e9" "\\u00e9" "\\u00E9"', r'"e\u0301"', r'"\ud83d"', r'"\ude00"',
     '"\U0001f600" "\\ud83d\\ude00" "\\uD83D\\uDE00"', r'"\ude00\ud83d"',
     r'"\ud83da" "\uD83D\u0061"', '"\uffff" "\\uffff"', r'"\ue000"', '"\ud7ff"'],
    ['1 1.0 1e0 10e-1 1E+0 0.1e1', r'"1" "\u0031"', '0 -0 0.0 -0e5 0E-3', '10', '2', '-1',
     '0.5 5e-1', 'null', 'true', 'false', '"null"', '"true"'],
    ['12345678901234567890 12345678901234567890.0 1234567890123456789e1',
     '12345678901234567891', '9007199254740992 9.007199254740992e15',
     '9007199254740993', '1e400 10e399', '-1e-400', '0.1 0.10', '0.10000000000000000001'],
    ['"the"', r'"a/b" "a\/b"', r'"\"count\":" "\u0022count\u0022:"', r'"{}" "\u007b}"',
     r'"\n\t\\" "\u000a\u0009\u005c"', r'"\u006e\u0074" "nt"', '"a.b,c=d"'])]
KEYS = [key for group in ALIKE for key in group]

# Numbers to sum or rank, by family.  Doubles are sums of one sign or small:
# no cancellation, which would leave no right digits to compare.
INTEGERS = ['0', '-0', '1', '2', '3', '-1', '-2', '7', '100', '1e2', '3.0', '"4"',
            r'"\u0035"', '"-6"', '-10e-1', '0.0', '20', '0e7']
BIG = ['9223372036854775807', '-9223372036854775808', '12345678901234567890',
       '18446744073709551616', '-1', '"9223372036854775807"', '1e18', '1e30',
       '-12345678901234567890123', '9007199254740993', '9007199254740992', '0']
SMALL = ['0.5', '5e-1', '-0.25', '0.1', '0.2', '"0.3"', '-1.10', '1', '-2', '3e-3', '0']
POSITIVE = ['0.5', '0.1', '1e-3', '12345678901234567890', '1e15', '7', '"2.5"', '1']
SUMS = [INTEGERS, INTEGERS, BIG, INTEGERS + BIG, SMALL, POSITIVE]
CLOSE = ['0.1', '0.10', '1e-1', '0.10000000000000000001', '1e400', '-1e400', '1e-400',
         '12345678901234567890', '12345678901234567891', '"12345678901234567890"']
RANKS = [INTEGERS, BIG, SMALL, INTEGERS[:6], ['1', '1.0', '"1"', '2', '0'], CLOSE]

NOISE = ['1.10', '"}{\\"w\\":1,"', '[]', '{}', '{"ts":1,"rank":{"rank":2}}', 'null',
         '[1,{"a":[true,"\\ud800"]},"]"]', '12345678901234567890', '"\u00fc,"',
         '{ "count" : 1 , "count" : 2 }', '-0.0E+0', '[' * 40 + ']' * 40]

# Lines that are no object at all; a good line ({}) with something done to it.
JUNK = [b'x', b'[]', b'[{"a":1}]', b'"a"', b'1', b'null', b'{', b'}', b'{}', b'{]',
        b'{"a"}', b'{"a":}', b'{"a":1,}', b'{,"a":1}', b"{'a':1}", b'{a:1}', b'\x00',
        b'{"__tick":null}', b'{"__tick":"x"}', b'{"__tick":{}}', b'\x0c',
        b'{"a":' + b'[' * 2000 + b']' * 2000 + b'}']
SPOILS = [lambda s, r: s[:r.randrange(1, len(s))],
          lambda s, r: s[:-1], lambda s, r: s + b'}', lambda s, r: s + b' x',
          lambda s, r: s + s, lambda s, r: s + b',' + s, lambda s, r: b'[' + s + b']',
          lambda s, r: s[:-1] + b',}', lambda s, r: b'{,' + s[1:],
          lambda s, r: b'\xef\xbb\xbf' + s, lambda s, r: b'// ' + s,
          lambda s, r: s.replace(b':', b' ', 1), lambda s, r: s.replace(b'"', b"'")]
SPOILT = [b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'"\x00"',
          b'"\t"', b'"\\x41"', b'"\\u12"', b'"\\ud83d\\u"', b'01', b'-', b'1.', b'.5',
          b'+1', b'0x1', b'1e', b'NaN', b'Infinity', b'-01', b'True', b'nul', b'truee',
          b'', b'[1,]', b'[,1]', b'[1 2]', b'{"a":1,}', b'(', b'"\xc3"']
BAD_KEYS = ['{}', '[]', '["a"]', '{"a":1}', None]
BAD_NUMBERS = ['null', 'true', '{}', '[1]', '""', '"x"', '"1x"', '"0x1"', '"NaN"', None]
# Not here: "2001-01-01" and T00:00 without seconds, lower case t and z, leap
# seconds, numeric strings with blanks or a plus.
BAD_TIMES = BAD_NUMBERS + [
    '"soon"', '"2023-02-30T00:00:00Z"', '"2023-13-01T00:00:00Z"', '"0000-00-00T00:00:00Z"',
    '"2023-01-01T25:00:00Z"', '"2023-01-01T00:61:00Z"', '"2023-01-01T00:00:00Q"',
    '"1600-01-01T00:00:00Z"', '"2300-01-01T00:00:00Z"', '99999999999', '10000000000',
    '9223372036.854775808', '-9.3e9', '1e19', '99999999999999999999', '1e400']

# Durations in ms with their spellings.
EVERY = {250: ['250ms', '0.25s', '0.250'],
         500: ['500ms', '0.5', '0.5s'],
         1000: ['1s', '1', '1000ms', '1.0'],
         3000: ['3s', '3', '0.05m'],
         7000: ['7s'],
         60000: ['1m', '60', '60s'],
         5400000: ['1h30m', '1.5h', '90m'],
         86400000: ['1d', '24h'],
         604800000: ['1w', '7d']}


class Maker:
    """One stream in the making."""

    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.pick = self.rng.choice
        self.bad = self.pick([0, 0, 0.03, 0.1, 0.3])
        self.blank = self.pick([0, 0, 0.1, 0.6])
        self.ends = self.pick([[b'\n'], [b'\n'], [b'\r\n'], [b'\n', b'\r\n', b' \n']])
        self.escape = self.pick([0, 0, 0.1])
        self.double = self.pick([0, 0, 0.1, 0.3])
        self.noise = self.pick([0, 0, 1, 3])
        self.size = self.pick([0, 1, 3, 8, 8, 30, 30, 60, 100, 100, 200, 400])
        self.lines = []

    def chance(self, p):
        return self.rng.random() < p

    # Fields: a path for an option, and a maker of the members that hold a value.

    def field(self, name):
        shape = self.pick(['top', 'top', 'top', 'nested', 'dotted', 'flat', 'list',
                           'odd', 'pointer'])
        if shape == 'nested':
            return (self.pick(['.o_%s.in', 'o_%s.in', '/o_%s/in', '.o_%s["in"]']) % name,
                    lambda v: [('o_' + name, self.object([('in', v)]))])
        if shape == 'dotted':
            return name + '.x', lambda v: self.dotted(name, v)
        if shape == 'flat':
            return '.["%s.x"]' % name, lambda v: [(name + '.x', v),
                                                  (name, '{"x":"decoy"}')]
        if shape == 'list':
            return (self.pick(['.l_%s[1]', '/l_%s/1']) % name,
                    lambda v: [('l_' + name, '["decoy"]' if v is None
                                else '[0 ,%s, {}]' % v)])
        if shape == 'odd':
            return '.["%s,=]"]' % name, lambda v: [(name + ',=]', v)]
        if shape == 'pointer':
            return '/%s~1~0/0' % name, lambda v: [(name + '/~', self.object([('0', v)]))]
        return (self.pick(['%s', '.%s', '/%s', '.["%s"]']) % name, lambda v: [(name, v)])

    def dotted(self, name, v):
        """A bare name with a dot: the exact member goes first."""
        nested = [(name, self.object([('x', v)]))]
        if self.chance(0.5):
            return nested
        return [(name + '.x', v)] + (nested if v is None else [(name, '{"x":"decoy"}')])

    def key_fields(self):
        """The -k options, and the makers of their members."""
        names = ['w\u00f6rd', 'k', 'Key-2'][:self.pick([1, 1, 1, 2, 2, 3])]
        self.rng.shuffle(names)
        texts, makers = [], []
        for i, name in enumerate(names):
            text, maker = self.field(name)
            if self.chance(0.3):
                text = self.pick(['n%d', 'n.%d', 'N"%d', '\u00fc%d']) % i + '=' + text
            texts.append(text + '?' * self.chance(0.2))
            makers.append(maker)
        if self.chance(0.5):
            texts = [','.join(texts)]
        return [o for text in texts for o in ('-k', text)], makers

    # Text

    def gap(self):
        return self.pick([' ', '  ', '\t', '\r', ' \t ']) if self.chance(self.blank) else ''

    def name(self, name):
        if self.chance(self.escape):
            i = self.rng.randrange(len(name))
            return '"%s\\u%04x%s"' % (name[:i], ord(name[i]), name[i + 1:])
        return '"%s"' % name

    def object(self, pairs):
        body = ','.join('%s%s%s:%s%s%s' % (self.gap(), self.name(k), self.gap(),
                                           self.gap(), v, self.gap())
                        for k, v in pairs if v is not None)
        return '{%s}' % body

    def tuple(self, makers, values, extra=()):
        """A line: members in any order, doubles before the one that counts."""
        groups = [maker(value) for maker, value in zip(makers, values)]
        pairs = [pair for group in groups for pair in group] + list(extra)
        for i in range(self.rng.randrange(self.noise + 1)):
            name = self.pick(['x%d', 'z\\n%d', 'count%d', '__tick'])
            # Not here: __tick alone with an integer out of range, or twice.
            if name != '__tick' or None not in values:
                pairs.append((name.replace('%d', str(i)), self.pick(NOISE)))
        self.rng.shuffle(pairs)
        for name, value in list(pairs):
            if value is not None and self.chance(self.double):
                at = [k for k, _ in pairs].index(name)
                decoy = self.pick(NOISE + INTEGERS + BAD_TIMES[:9])
                pairs.insert(self.rng.randrange(at + 1), (name, decoy))
        text = (self.gap() + self.object(pairs) + self.gap()).encode()
        if self.chance(self.bad / 2):
            text = self.spoil(text.strip())
        self.line(text)

    def spoil(self, text):
        if self.chance(0.5):
            return self.pick(SPOILS)(text, self.rng)
        return text[:1] + b'"spoilt":' + self.pick(SPOILT) + b',' + text[1:]

    def line(self, text):
        if self.chance(self.blank / 4):
            self.lines.append(self.pick([b'', b' ', b'\t', b'\r']) + self.pick(self.ends))
        if self.chance(self.bad / 2):
            self.lines.append(self.pick(JUNK) + self.pick(self.ends))
        self.lines.append(text + self.pick(self.ends))

    def tick(self, ms):
        self.line((self.gap() + self.object([('__tick', '%d' % ms)])).encode())

    def data(self):
        data = b''.join(self.lines)
        if self.chance(0.1):
            data = b'\xef\xbb\xbf' + data
        if self.chance(0.2):
            data = data.rstrip(b'\r\n')
        return data

    # Values

    def pool(self):
        """A few key values, each with its spellings."""
        keys = self.pick(ALIKE) if self.chance(0.5) else KEYS
        return self.rng.sample(keys, min(self.pick([1, 2, 4, 7, 12]), len(keys)))

    def key(self, pool):
        if self.chance(self.bad / 3):
            return self.pick(BAD_KEYS)
        return self.pick(self.pick(pool))

    def number(self, family):
        return self.pick(BAD_NUMBERS if self.chance(self.bad / 3) else family)

    def time(self, ns):
        if self.chance(self.bad / 3):
            return self.pick(BAD_TIMES)
        return self.pick([self.rfc3339, self.numeric])(ns)

    def rfc3339(self, ns):
        offset = self.pick([0, 0, 0, 60, -480, 330, 1439])
        second, fraction = divmod(ns, 10 ** 9)
        # Minutes only where the zone has some.
        zone = self.pick(['', 'Z', '+00:00', '-0000', '+00'])
        if offset:
            zone = '%s%02d%s%02d' % ('-' if offset < 0 else '+', abs(offset) // 60,
                                     self.pick([':', '']), abs(offset) % 60)
            if offset % 60 == 0 and self.chance(0.3):
                zone = zone[:3]
        moment = datetime.datetime(1970, 1, 1) + datetime.timedelta(
            seconds=second + offset * 60)
        digits = '%09d' % fraction
        if self.chance(0.2):
            digits += self.pick(['0', '9', '000', '999999999999'])
        elif self.chance(0.8):
            digits = digits.rstrip('0')
        return '"%s%s%s"' % (moment.strftime(self.pick(['%Y-%m-%dT%H:%M:%S',
                                                        '%Y-%m-%d %H:%M:%S'])),
                             '.' + digits if digits else '', zone)

    def numeric(self, ns):
        """In a unit that the magnitude tells."""
        value = decimal.Decimal(ns)
        if self.chance(0.1):
            value += decimal.Decimal(self.pick(['0.9', '0.001']))       # floored
        value = value.scaleb(self.pick([-9, -6, -3, 0] if abs(value) >= 10 ** 17
                                       else [-9]))
        text = format(value, 'f')
        if '.' in text and self.chance(0.7):
            text = text.rstrip('0').rstrip('.')
        elif self.chance(0.1):
            text = '%de-12' % value.scaleb(12)
        return '"%s"' % text if self.chance(0.3) else text


class Clock:
    """Times of a stream: mostly forward, with disorder, gaps, and on the edge."""

    def __init__(self, maker, every, length, wait):
        self.maker, self.every, self.span = maker, every, 2 * length + wait
        self.length = length
        rng = maker.rng
        self.now = maker.pick([1700000000 * 10 ** 9, 1700000000 * 10 ** 9, 0,
                               -3 * length, 10 ** 17 - 2 * length,
                               -(10 ** 17) - 2 * length, 951782399 * 10 ** 9])
        self.step = maker.pick([every // 10, every // 2, every, length])
        self.disorder = maker.pick([0, 0.1, 0.5])
        self.edge = maker.pick([0, 0.2, 1])
        self.jump = maker.pick([0, 0, 0.05])
        self.years = rng.choice([0, 0, 1, 2])

    def next(self):
        rng = self.maker.rng
        self.now += rng.choice([0, rng.randrange(self.step + 1)])
        if self.maker.chance(self.jump):
            self.now += rng.randrange(3 * self.length)
            if self.years and self.maker.chance(0.3):
                self.years -= 1
                self.now += rng.randrange(30 * 365 * 86400 * 10 ** 9)
        time = self.now
        if self.maker.chance(self.disorder):
            time -= rng.choice([rng.randrange(self.every), rng.randrange(self.span)])
        if self.maker.chance(self.edge):
            time = time // self.every * self.every + rng.choice(
                [0, 0, 0, 1, -1, 10 ** 6, -10 ** 6])
        elif self.maker.chance(0.7):
            time = time // 10 ** 6 * 10 ** 6
        return time


def flags(maker, argv, *choices):
    """Each option with a probability; single letters are sometimes bundled."""
    chosen = [flag for flag, p in choices if maker.chance(p)]
    letters = [flag[1] for flag in chosen if flag[1] != '-']
    if len(letters) > 1 and maker.chance(0.5):
        chosen = ['-' + ''.join(letters)] + [f for f in chosen if f[1] == '-']
    if maker.chance(0.2):
        chosen += ['--on-error', 'skip']
    return chosen + argv if maker.chance(0.5) else argv + chosen


def rollcount(seed):
    maker = Maker(seed)
    rng, pick = maker.rng, maker.pick
    mode = pick(['event'] * 5 + ['ticks'] * 3 + ['storm'] * 2)
    every = pick(sorted(EVERY))
    slots = pick([1, 2, 3, 3, 5, 20])
    argv, makers = maker.key_fields()
    if maker.chance(0.1):
        argv, makers = [], []
    nkeys, families = len(makers), []
    if maker.chance(0.5):
        wanting, families = wanted(maker, makers)
        argv += wanting
        slots = pick([1, 3, 20, 100])
    if maker.chance(0.05) and slots < 6:
        every, slots = 60000, 5         # the defaults
    elif maker.chance(0.05) and 300000 % every == 0:
        slots = 300000 // every
        argv += ['-e', pick(EVERY[every])]
    elif slots == 1 and maker.chance(0.5):
        argv += ['-w', pick(EVERY[every])]
    else:
        argv += ['-e', pick(EVERY[every]), '-w', '%dms' % (every * slots)]
    wait = pick([0, 0, every // 2, every, 3 * every, rng.randrange(2 * every)])
    if mode == 'event' and (wait or maker.chance(0.1)):
        argv += ['-l', 'all' if maker.chance(0.1) else '%dms' % wait]
    family = pick(SUMS) if maker.chance(0.5) and '-a' not in argv else None
    if family:
        text, field = maker.field('n')
        argv += ['-v', text]
        makers.append(field)
    if mode != 'storm':
        text, field = maker.field('ts')
        argv += ['-t', text]
        makers.append(field)
        if maker.chance(0.5):
            argv += ['--late', LATE]
        if maker.chance(0.2):
            argv += ['--align', pick(['1', '-3', '2026-11-16T00:00:00+02:00',
                                      '1700000000123'])]
    argv = flags(maker, argv, ('-i', mode != 'event'), ('-T', 0.5), ('--no-zeros', 0.3),
                 ('--drain', 0.5 if mode == 'event' else 0))
    clock = Clock(maker, every * 10 ** 6, every * slots * 10 ** 6, wait * 10 ** 6)
    pools = [maker.pool() for _ in makers]
    ticks = pick([0, 0, 0.1]) if mode == 'event' else pick([0.02, 0.1, 0.3, 0.8])
    tick = clock.now // 10 ** 6
    for _ in range(maker.size):
        values = [maker.key(pool) for pool in pools]
        values[nkeys:nkeys + len(families)] = wanted_values(maker, families)
        if family:
            values[-1 if mode == 'storm' else -2] = maker.number(family)
        if mode != 'storm':
            values[-1] = maker.time(clock.next())
        maker.tuple(makers, values)
        if maker.chance(ticks):
            if mode == 'storm':         # Not here: ticks that stand still.
                tick += rng.choice([every, every, 1 + rng.randrange(2 * every)])
            else:
                tick = clock.now // 10 ** 6 - rng.choice([0, 0, wait, 2 * wait])
                if maker.chance(0.3):
                    tick = tick // every * every
            maker.tick(tick)
    return argv, maker.data(), {}


def sessions(seed):
    maker = Maker(seed)
    rng, pick = maker.rng, maker.pick
    argv, makers = maker.key_fields()
    if maker.chance(0.1):
        argv, makers = [], []
    nkeys, families = len(makers), []
    if maker.chance(0.7):
        wanting, families = wanted(maker, makers)
        argv += wanting
    gap = pick([1, 7, 250, 1000, 1000, 5000, 1800000])
    if gap != 1800000 or maker.chance(0.5):
        argv += ['-g', '%dms' % gap]
    wait = pick([0, 0, gap // 2, gap, 3 * gap, rng.randrange(2 * gap)])
    if wait or maker.chance(0.1):
        argv += ['-l', 'all' if maker.chance(0.1) else '%dms' % wait]
    text, field = maker.field('ts')
    argv += ['-t', text]
    makers.append(field)
    if maker.chance(0.5):
        argv += ['--late', LATE]
    argv = flags(maker, argv)
    clock = Clock(maker, gap * 10 ** 6, 4 * gap * 10 ** 6, wait * 10 ** 6)
    pools = [maker.pool() for _ in range(nkeys)]
    for _ in range(maker.size):
        values = [maker.key(pool) for pool in pools]
        values += wanted_values(maker, families)
        maker.tuple(makers, values + [maker.time(clock.next())])
        if maker.chance(0.02):
            maker.tick(17)
    return argv, maker.data(), {}


def topn(seed):
    maker = Maker(seed)
    rng, pick = maker.rng, maker.pick
    argv, makers = maker.key_fields()
    if maker.chance(0.3):
        argv = []
    keys = len(makers)
    if maker.chance(0.4):
        text, field = maker.field('group')
        argv += ['-g', text + '?' * maker.chance(0.3)]
        makers.append(field)
        keys += 1
    text, field = maker.field('n')
    argv += ['-v', text]
    makers.append(field)
    marks = maker.chance(0.4)
    if marks:
        text, field = maker.field('window_end')
        argv += ['-b', text]
        makers.append(field)
    if maker.chance(0.8):
        argv += ['-n', str(pick([1, 2, 3, 5, 10, 1000]))]
    argv = flags(maker, argv, ('-r', 0.4), ('-T', 0.5), ('-z', 0.3))
    pools = [maker.pool() for _ in range(keys)]
    family = pick(RANKS)
    if maker.chance(0.3):
        family = family + ['%d' % rng.randrange(10 ** 6) for _ in range(20)]
    ticks = pick([0, 0, 0.05, 0.3])
    run = pick([0.05, 0.2, 0.7])
    ranks = pick([0, 0, 0.5])
    mark = pick(KEYS)
    for i in range(maker.size):
        values = [maker.key(pool) for pool in pools] + [maker.number(family)]
        if maker.chance(run):
            mark = pick(KEYS + [['%d' % i, '%d.0' % i, '%d0e-1' % i]] * 20)
        if marks:
            values.append(maker.key([mark]))
        extra = [(pick(['rank', 'rank', 'rank', 'r\\u0061nk', 'Rank']),
                  pick(NOISE + ['1', '22'])) for _ in range(3) if maker.chance(ranks)]
        maker.tuple(makers, values, extra)
        if maker.chance(ticks):
            maker.tick(rng.randrange(-10, 2 * 10 ** 12))
    return argv, maker.data(), {}


# Streams of sjoin: no name is a field, or the start of a field, of a tuple.
STREAMS = ['left', 'r', 'S-3', 'fourth']
LENGTHS = [250, 1000, 1000, 7000, 60000]


class Stream:
    """One of the streams of sjoin: where its fields are, its tuples in order."""

    def __init__(self, maker, name, shared):
        self.name, self.lines = name, []
        self.makers = shared
        self.disorder = maker.pick([0, 0, 0.1, 0.5])
        self.last = maker.pick([1, 1, 1, 0.5, 0])       # when it ends, of all


def stream_keys(maker, names):
    """The -k options, and for each stream the makers of its key members."""
    if maker.chance(0.6):
        argv, makers = maker.key_fields()
        return argv, {name: makers for name in names}
    fields = maker.pick([1, 1, 2, 3])
    items, makers = [], {name: [] for name in names}
    for i in range(fields):
        for name in names:
            text, field = maker.field('%s%d' % (maker.pick(['id', 'k']), i))
            if maker.chance(0.2):
                text = 'n%d=%s' % (i, text)
            items.append((name, i, '%s:%s' % (name, text)))
            makers[name].append(field)
    if maker.chance(0.5):               # the fields of a stream stay in order
        items.sort(key=lambda item: (names.index(item[0]), item[1]))
    texts = [text for _, _, text in items]
    if maker.chance(0.5):
        texts = [','.join(texts)]
    return [o for text in texts for o in ('-k', text)], makers


def output_list(maker, names, argv):
    """-o: fields of a stream, of the key, of whoever has it, of nobody."""
    fields = ['n', 'v', 'nobody', 'o.x', '.v', 'id0', 'k']
    items, written = [], set()
    for i in range(maker.pick([1, 2, 4])):
        item = maker.pick(fields)
        if maker.chance(0.5):
            item = maker.pick(names) + '.' + item.lstrip('.')
        # A name may be there once.
        if maker.chance(0.4) or item.lstrip('.') in written:
            item = 'out%d=%s' % (i, item)
        written.add(item.lstrip('.'))
        items.append(item)
    return ['-o', ','.join(items)] if maker.chance(0.7) else [
        o for item in items for o in ('-o', item)]


def make_tables(maker, names, argv, time):
    """Let all streams but one be tables, some of which have no times."""
    stream = maker.pick(names)
    tables = [name for name in names if name != stream]
    timed = [name for name in tables if maker.chance(0.7)]
    argv += ['--table', ','.join(tables)]
    if maker.chance(0.5):
        argv += [maker.pick(['-a', '-v']), stream]
    if len(timed) < len(tables):
        argv[argv.index('-t') + 1] = ','.join(
            '%s:%s' % (name, time) for name in [stream] + timed)
    if not timed or maker.chance(0.5):
        del argv[argv.index('-w'):argv.index('-w') + 2]


def sjoin(seed):
    maker = Maker(seed)
    rng, pick = maker.rng, maker.pick
    names = STREAMS[:pick([2, 2, 2, 3, 4])]
    rng.shuffle(names)
    argv, key_makers = stream_keys(maker, names)
    length = pick(LENGTHS)
    argv += ['-w', '%dms' % length]
    wait = pick([0, 0, length // 2, length, 3 * length, rng.randrange(2 * length)])
    if wait or maker.chance(0.1):
        argv += ['-l', 'all' if maker.chance(0.1) else '%dms' % wait]
    text, time_maker = maker.field('ts')
    text_of_time = text
    argv += ['-t', text]
    split = maker.chance(0.3)
    if split:
        text, split_maker = maker.field('type')
        argv += ['-s', text]
    if maker.chance(0.8):
        argv += ['--expired', EXPIRED]
    if maker.chance(0.25):
        argv += output_list(maker, names, argv)
    many = maker.chance(0.4)
    for flag, p in ('-a', 0.3), ('-v', 0.1):
        if maker.chance(p):
            chosen = rng.sample(names, pick([1, 1, len(names)]))
            argv += [o for name in chosen for o in (flag, name)]
    if not many and maker.chance(0.3):
        argv += ['-d', 'replace']
    argv = flags(maker, argv, ('-m', 1 if many else 0))

    if not many and not set(argv) & {'-d', '-a', '-v'} and maker.chance(0.5):
        make_tables(maker, names, argv, text_of_time)
    reach = argv.index('-w') if '-w' in argv else 0
    if many and maker.chance(0.1):
        argv[reach + 1] = '0'
    elif many and len(names) == 2 and maker.chance(0.6):
        after = pick([length, 0, -length // 2, length // 3])
        before = max(-after, pick([length, 0, -length // 3, 2 * length]))
        argv[reach:reach + 2] = ['-w%dms..%dms' % (before, after)]
    clock = Clock(maker, length * 10 ** 6, length * 10 ** 6, wait * 10 ** 6)
    if argv[reach] == '-w' and '--table' not in argv and maker.chance(0.05):
        clock.now = pick([-2 ** 63, 2 ** 63 - 1 - 5 * length * 10 ** 6])
    # A pool for each field, the same for all streams; sometimes new keys only.
    pools = [maker.pool() + ([['null']] if maker.chance(0.3) else [])
             for _ in key_makers[names[0]]]
    fresh = pick([0, 0, 0.3, 0.9])
    streams = {name: Stream(maker, name, key_makers[name]) for name in names}
    weights = [pick([1, 1, 1, 3, 0.1]) for _ in names]
    stand_still = pick([0, 0.3, 0.9])
    now = clock.now
    size = maker.size * pick([1, 2])
    recent = []
    for i in range(size):
        name = rng.choices(names, weights)[0]
        stream = streams[name]
        if not maker.chance(stand_still):
            now = clock.next()
        time = now
        if maker.chance(stream.disorder):
            time -= rng.choice([rng.randrange(clock.span), length * 10 ** 6,
                                length * 10 ** 6 + 1, rng.randrange(1000)])
        elif maker.chance(0.2):         # on the edge of the window
            time += length * 10 ** 6 + rng.choice([-1, 0, 0, 1])
        time = min(max(time, -2 ** 63), 2 ** 63 - 1)
        values = [maker.key(pool) for pool in pools]
        if maker.chance(fresh):
            if recent and maker.chance(0.6):
                values = recent.pop(rng.randrange(len(recent)))
            else:
                values = ['%d' % (1000 + i)] + values[1:]
                recent += [values] * (len(names) - 1)
        makers = stream.makers + [time_maker]
        values = values + [maker.time(time)]
        if split:
            makers = makers + [split_maker]
            other = maker.chance(0.1)
            values.append('"other"' if other else pick(['"%s"', '"%s"', '"\\u%04x%s"']))
            if not other:
                values[-1] = (values[-1] % name if values[-1] == '"%s"' else
                              values[-1] % (ord(name[0]), name[1:]))
            if maker.chance(maker.bad / 3):
                values[-1] = pick(['1', 'null', '{}', None])
        # What tells each tuple from all others.
        extra = [('unique', '%d' % i)]
        for field in 'n', 'v', 'o':
            if maker.chance(0.3):
                extra.append((field, pick(NOISE + ['{"x":%d}' % i])))
        maker.lines = maker.lines if split else stream.lines
        if i > stream.last * size:
            continue
        maker.tuple(makers, values, extra)
        if maker.chance(0.02):
            # Not here: a tick that no time in ns reaches.
            maker.tick(min(now, 2 ** 63 - 1) // 10 ** 6)
    if split:
        return argv + names, maker.data(), {}
    data, files = b'', {}
    stdin = pick(names + [None])
    for name in names:
        maker.lines = streams[name].lines
        if name == stdin:
            data = maker.data()
        else:
            files[name] = maker.data()
    operands = ['%s=%s' % (name, '-' if name == stdin else '@/' + name)
                for name in names]
    return (argv + operands if maker.chance(0.8) else operands + argv), data, files


# Values that are also null, missing, or of a kind that not all aggregates take.
ANY = ['null', None, 'true', '"x"', '"\\u0061b"', '"ab"', '"12"', '12', '1.20e1', '{}',
       '"b"', '[1]', '"1x"', '-3', '99999999999999999999']


def wanted(maker, makers):
    """The options -a, some, and makers of their members; the values by makers."""
    pick, names, pools, fields = maker.pick, [], [], []
    for i in range(pick([1, 1, 2, 4, 8])):
        kind = pick(aggregates.KINDS)
        name = pick(['', 'm%d=' % i, 'A.%d"=' % i])
        if kind == 'count' and maker.chance(0.5):
            names.append((name or 'g%d=' % i) + kind)
            continue
        if not fields or maker.chance(0.6):
            text, field = maker.field('v%d' % i)
            makers.append(field)
            fields.append(text)
            family = pick(SUMS + [CLOSE[3:4] + CLOSE[7:]])
            if maker.chance(0.5):
                family = ['%d' % maker.rng.randrange(10 ** pick([1, 3, 6]))
                          for _ in range(100)]
            odd = pick([0, 0, 0.1, 0.5])
            pools.append((family, odd))
        names.append('%s%s:%s' % (name or 'g%d=' % i, kind, pick(fields)))
    if maker.chance(0.5):
        return ['-a', ','.join(names)], pools
    return [o for name in names for o in ('-a', name)], pools


def wanted_values(maker, pools):
    return [maker.pick(ANY) if maker.chance(odd) else maker.number(family)
            for family, odd in pools]


def dedup(seed):
    maker = Maker(seed)
    rng, pick = maker.rng, maker.pick
    argv, makers = maker.key_fields()
    whole = maker.chance(0.2)
    if whole:
        argv = []
    keys = len(makers)
    length = pick(LENGTHS)
    wait = pick([0, 0, length // 2, length, 3 * length, rng.randrange(2 * length)])
    timed = maker.chance(0.8)
    if timed:
        text, field = maker.field('ts')
        argv += ['-t', text, '-w', '%dms' % length]
        makers.append(field)
        if wait or maker.chance(0.1):
            argv += ['-l', 'all' if maker.chance(0.1) else '%dms' % wait]
    if maker.chance(0.8):
        argv += ['--dropped', DROPPED]
    argv = flags(maker, argv)
    clock = Clock(maker, length * 10 ** 6, length * 10 ** 6, wait * 10 ** 6)
    pools = [maker.pool() for _ in range(keys)]
    for i in range(maker.size):
        if whole and maker.lines and maker.chance(0.3):
            maker.lines.append(pick(maker.lines))
            continue
        values = [maker.key(pool) for pool in pools]
        if timed:
            values.append(maker.time(clock.next()))
        maker.tuple(makers, values, [('unique', '%d' % i)] if maker.chance(0.8) else [])
        if maker.chance(0.02):
            maker.tick(i)
    return argv, maker.data(), {}


OPERATORS = ['==', '!=', '<', '<=', '>', '>=', '==', '>=', '=~', '!~', '']
PATTERNS = ['a', '^a', 'b$', '^(a|the)$', '.', '^..$', '[0-9]+', '^-?[1-9]*$', 'a?b*', '^$',
            '^[^0-9]+$', '1|x']


def condition(maker, fields, values, depth=3):
    """One of so many levels at most; fields are texts that name one."""
    pick = maker.pick
    blank = pick(['', ' ', '  '])
    if depth and maker.chance(0.6):
        parts = [condition(maker, fields, values, depth - 1)
                 for _ in range(pick([1, 2, 2, 3]))]
        text = (blank + pick(['&&', '||']) + blank).join(parts)
        return pick(['(%s)', '!(%s)', '!!(%s)', '%s'] if depth < 3 else ['%s']) % text
    operator = pick(OPERATORS)
    if operator in ('=~', '!~'):
        value = pick(["'%s'", '"%s"']) % pick(PATTERNS)
    elif not operator:
        value = ''
    elif maker.chance(0.3):
        value = pick([f for f in fields if f[0] == '.'] or ['.x'])
    else:
        value = pick(values)
        mark = value[:1] if value[0] == '@' else ''
        value = value[len(mark):]
        if value[0] == '"' and not set(value) & set("\\'") and maker.chance(0.5):
            value = "'%s'" % value[1:-1]
            if mark and ' ' not in value and maker.chance(0.5):
                value = value[1:-1]
        value = mark + value
    return pick(['', '', '!', '! !']) + pick(fields) + (
        blank + operator + blank + value if operator else '')


def keep(seed):
    maker = Maker(seed)
    pick = maker.pick
    fields = []
    while len(fields) < pick([1, 2, 4]):
        field = maker.field('f%d' % len(fields))
        if '~' not in field[0]:         # which ends a field
            fields.append(field)
    pool = [spelling for key in maker.pool() for spelling in key] + pick(RANKS)
    pool += ['true', 'false', 'null']
    times = []
    if maker.chance(0.4):
        near = pick([0, 10 ** 18, 1772366400 * 10 ** 9])
        times = [near + pick([-1, 0, 1]) * pick([0, 1, 10 ** 9, 3600 * 10 ** 9])
                 for _ in range(4)]
    pool += [maker.time(ns) for ns in times]
    values = pool + ['@' + pick([maker.rfc3339, maker.numeric])(ns) for ns in 2 * times]
    argv = [condition(maker, 3 * [text for text, _ in fields] + ['nobody', '.no.body'], values)]
    argv = flags(maker, argv, ('-v', 0.3))
    for i in range(500 if maker.size > 30 else maker.size):
        values = [pick(pool) if maker.chance(0.9) else pick(NOISE + BAD_KEYS)
                  for _ in fields]
        maker.tuple([make for _, make in fields], values)
        if maker.chance(0.02):
            maker.tick(i)
    return argv, maker.data(), {}


def batches(maker, argv):
    """-c and --batch."""
    if maker.chance(0.5):
        argv += ['--batch', str(maker.pick([1, 2, 7, 50, 1000]))]
    return flags(maker, argv, ('-c', 0.5))


def tally(seed):
    maker = Maker(seed)
    argv, makers = maker.key_fields()
    if maker.chance(0.1):
        argv, makers = [], []
    keys = len(makers)
    names, families = wanted(maker, makers)
    argv += names
    argv = batches(maker, argv)
    pools = [maker.pool() for _ in range(keys)]
    for _ in range(maker.size):
        values = [maker.key(pool) for pool in pools]
        values += wanted_values(maker, families)
        maker.tuple(makers, values)
        if maker.chance(0.02):
            maker.tick(17)
    return argv, maker.data(), {}


def timeline(seed):
    maker = Maker(seed)
    rng, pick = maker.rng, maker.pick
    argv, makers = maker.key_fields()
    keys = len(makers)
    step = pick(sorted(EVERY))
    nsteps = pick([1, 2, 3, 5, 60])
    if maker.chance(0.2):
        step, nsteps = 60000, 60        # the defaults
    else:
        argv += ['--step', pick(EVERY[step]), '--slice', '%dms' % (step * nsteps)]
    for option in '--from', '--to':
        text, field = maker.field(option[2:])
        argv += [option, text]
        makers.append(field)
    most = pick([None, None, 1, 3, 100])
    if most:
        argv += ['--max-steps', str(most)]
    argv = batches(maker, argv)
    clock = Clock(maker, step * 10 ** 6, step * nsteps * 10 ** 6, 0)
    pools = [maker.pool() for _ in range(keys)]
    for _ in range(maker.size):
        values = [maker.key(pool) for pool in pools]
        start = clock.next()
        length = rng.choice([0, -1, rng.randrange(2 * step), rng.randrange(9 * step),
                             rng.randrange(3 * step * nsteps), step * nsteps])
        values += [maker.time(start), maker.time(start + length * 10 ** 6)]
        maker.tuple(makers, values)
    return argv, maker.data(), {}


def side_by_side(argv, data, rng):
    """The same lines in two or three files."""
    names = ['@/one', '@/two', '@/three'][:rng.choice([2, 2, 3])]
    files = {name: b'' for name in names}
    for line in data.split(b'\n'):
        files[rng.choice(names)] += line + b'\n'
    return (argv + ['--interleave'] + names, b'',
            {name[2:]: text for name, text in files.items()})


def make(command, seed):
    """(argv, data, files) for a command."""
    argv, data, files = {
        'dedup': dedup, 'keep': keep, 'rollcount': rollcount,
        'sessions': sessions, 'sjoin': sjoin, 'tally': tally,
        'timeline': timeline,
        'topn': topn}[command]('%s-%d' % (command, seed))
    rng = random.Random('interleave %s-%d' % (command, seed))
    by_ticks = any(re.fullmatch('-T?iT?', arg) for arg in argv)
    if command in ('dedup', 'rollcount', 'sessions') and '-t' in argv and \
            not by_ticks and rng.random() < 0.25:
        argv, data, files = side_by_side(argv, data, rng)
    return argv, data, files
