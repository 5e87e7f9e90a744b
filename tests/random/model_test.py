#!/usr/bin/env python3
"""Hand-made cases for the models; every expectation is derived from DESIGN.md.

Run it: python3 model_test.py
"""

import decimal
import sys
import unittest

sys.dont_write_bytecode = True
import model
import rollcount
import topn


def lines(*rows):
    return ''.join(row + '\n' for row in rows).encode()


class Case(unittest.TestCase):
    command = None

    def check(self, options, rows_in, rows_out, status=0, late=()):
        data = rows_in if isinstance(rows_in, bytes) else lines(*rows_in)
        result = self.command.run(options.split(), data)
        self.assertEqual(result.out, lines(*rows_out))
        self.assertEqual(result.side, lines(*late))
        self.assertEqual(result.status, status)


def words(*pairs):
    return ['{"w":"%s","ts":%s}' % pair for pair in pairs]


def row(key, count, end, length):
    return '{"w":"%s","count":%s,"window_end":%d,"window_seconds":%s}' % (
        key, count, end, length)


def tick(ms):
    return '{"__tick":%d}' % ms


class ReadTest(unittest.TestCase):
    def bad(self, *texts):
        for text in texts:
            with self.assertRaises(model.Bad, msg=text):
                model.parse(text)

    def test_grammar(self):
        # RFC 8259 strictly, an object, valid UTF-8.
        self.bad(b'', b'[]', b'1', b'{', b'{"a"}', b'{"a":1,}', b"{'a':1}",
                 b'{"a":01}', b'{"a":1.}', b'{"a":.5}', b'{"a":+1}', b'{"a":-}',
                 b'{"a":NaN}', b'{"a":tru}', b'{"a":"\t"}', b'{"a":"\\x"}',
                 b'{"a":"\\u12g4"}', b'{"a":1}{}', b'{"a":1 2}', b'{"a":[1,]}',
                 b'{"a":"\xff"}', b'{"a":"\xed\xa0\x80"}', b'{"a":1}\x0c')
        for text in (b'{}', b' {"a":[1,{}],"b":-0.5E-3}\r', b'{"a":"\x7f\\/"}',
                     b'{"\\ud800":"\\u0000"}'):
            self.assertEqual(model.parse(text).text, text.strip())

    def test_depth(self):
        # The object itself is level 1 of 1024.
        self.bad(b'{"a":' + b'[' * 1024 + b']' * 1024 + b'}')
        model.parse(b'{"a":' + b'[' * 1023 + b']' * 1023 + b'}')

    def test_lines(self):
        # BOM at the start, CRLF, blank lines, no newline at the end; a BOM
        # anywhere else is no JSON.
        data = b'\xef\xbb\xbf{"__tick":-5}\r\n\n \r\n\xef\xbb\xbf{}\n{"a":1}'
        self.assertEqual(
            [r if not isinstance(r, model.Tuple) else r.text
             for r in model.read(data)], [-5, None, b'{"a":1}'])

    def test_tick(self):
        # "the single member __tick with an integer"
        self.assertEqual(model.tick_of(model.parse(b'{ "__tick" : 7 }')), 7)
        for text in (b'{"__tick":1,"a":1}', b'{"__tick":"1"}', b'{}',
                     b'{"__tick":null}', b'{"__tick":1.5}'):
            self.assertIsNone(model.tick_of(model.parse(text)))


class FieldsTest(unittest.TestCase):
    def find(self, path, text):
        return model.Path(path).find(model.parse(text))

    def test_paths(self):
        text = (b'{"a":{"b":1,"b":2},"a.b":3,"l":[4,[5]],"x/y":6,"m~":7,'
                b'"\\u0071":8,"c.d":{"e":9},"1":10}')
        for path, want in ((b'.a.b', b'2'),      # last of duplicates
                           (b'a.b', b'3'),       # the exact top-level first
                           (b'.["a.b"]', b'3'), (b'.a["b"]', b'2'),
                           (b'.l[0]', b'4'), (b'.l[1][0]', b'5'),
                           (b'/l/1/0', b'5'), (b'/a/b', b'2'),
                           (b'/x~1y', b'6'), (b'/m~0', b'7'), (b'q', b'8'),
                           (b'.["c.d"].e', b'9'), (b'/1', b'10')):
            self.assertEqual(self.find(path, text), want, path)
        self.assertEqual(self.find(b'a.b', b'{"a":{"b":1}}'), b'1')
        for path in (b'.a.c', b'.l[2]', b'.l[9]', b'/l/00', b'/l/x', b'c.d.e',
                     b'.a[0]'):
            with self.assertRaises(model.Bad, msg=path):
                self.find(path, text)

    def test_names(self):
        # The text without the leading dot; comma and = in ["..."] are its own.
        fields = model.Fields(['.user.id,N=.x', '.["a,b=c"]', '/p/q', 'w'])
        self.assertEqual(fields.names, [
            b'"user.id"', b'"N"', b'"[\\"a,b=c\\"]"', b'"/p/q"', b'"w"'])
        self.assertEqual([p.text for p in fields.paths], [
            b'.user.id', b'.x', b'.["a,b=c"]', b'/p/q', b'w'])

    def test_key_order_and_equality(self):
        # null, false, true, numbers by value, strings by decoded bytes.
        ordered = [b'null', b'false', b'true', b'-1e30', b'-0', b'5e-1', b'1',
                   b'9007199254740992', b'9007199254740993', b'1e400', b'""',
                   b'"\\u0000"', b'"1"', b'"a"', b'"\xc3\xa9"', b'"\\ud83d"',
                   b'"\\ude00"', b'"\\uffff"', b'"\\ud83d\\ude00"']
        keys = [model.typed(raw) for raw in ordered]
        self.assertEqual(sorted(keys), keys)
        self.assertEqual(len(set(keys)), len(keys))
        for a, b in ((b'1', b'10e-1'), (b'0', b'-0.0'), (b'"a"', b'"\\u0061"'),
                     (b'1e400', b'10E+399'),
                     (b'"\\uD83D\\uDE00"', b'"\xf0\x9f\x98\x80"')):
            self.assertEqual(model.typed(a), model.typed(b))
        for raw in (b'{}', b'[]'):
            with self.assertRaises(model.Bad):
                model.typed(raw)


class TimeTest(unittest.TestCase):
    def test_times(self):
        for raw, want in (
                (b'1', 10 ** 9), (b'"1.5"', 15 * 10 ** 8), (b'1.7e9', 17 * 10 ** 17),
                (b'1700000000.1234567899', 1700000000123456789),
                (b'-0.0000000001', -1),                 # floored
                (b'100000000000', 10 ** 17),            # 1e11: ms
                (b'100000000000000', 10 ** 17),         # 1e14: us
                (b'100000000000000000', 10 ** 17),      # 1e17: ns
                (b'-100000000000', -10 ** 17),
                (b'9223372036.854775807', 2 ** 63 - 1),
                (b'"1970-01-01T00:00:01Z"', 10 ** 9),
                (b'"1970-01-01 00:00:00.0000000019"', 1),
                (b'"1969-12-31T23:59:59.9Z"', -10 ** 8),
                (b'"1970-01-01T05:30:00+05:30"', 0),
                (b'"1969-12-31T16:00:00-0800"', 0),
                (b'"1970-01-01T01:00:00+01"', 0),
                (b'"2000-02-29T00:00:00"', 951782400 * 10 ** 9)):
            self.assertEqual(model.time_ns(raw), want, raw)
        for raw in (b'null', b'true', b'""', b'"soon"', b'"2001-02-29T00:00:00Z"',
                    b'"2001-01-01T24:00:00Z"', b'"2001-01-01"', b'{}',
                    b'"1600-01-01T00:00:00Z"', b'"2300-01-01T00:00:00Z"',
                    b'9223372036.854775808', b'99999999999', b'1e19'):
            with self.assertRaises(model.Bad, msg=raw):
                model.time_ns(raw)

    def test_durations(self):
        for text, ms in (('9s', 9000), ('500ms', 500), ('1h30m', 5400000),
                         ('1.5h', 5400000), ('2d', 172800000), ('3', 3000),
                         ('0.5', 500), ('1w', 604800000)):
            self.assertEqual(model.duration_ns(text), ms * 10 ** 6)
        for text in ('', 's', '1x', '1.5ms', '-1s', '1s ', '1 s', '1sx'):
            with self.assertRaises(Exception, msg=text):
                model.duration_ns(text)


class RollcountTest(Case):
    command = rollcount

    def test_sliding(self):
        # 4 is in slot [3,6): windows 6 9 12; watermark 4 emits 3 before it is
        # counted; the end emits up to the end of the last slot, 6.
        self.check('-k w -t ts -w 9s -e 3s', words(('a', 1), ('a', 4)),
                   [row('a', 1, 3000, 9), row('a', 2, 6000, 9)])

    def test_drain_and_zeros(self):
        # a leaves at 6, b at 9; each is told once with 0; -T ends each batch.
        rows_in = words(('a', 1), ('b', 4))
        self.check('-k w -t ts -w 3s -e 3s -T --drain', rows_in,
                   [row('a', 1, 3000, 3), tick(3000), row('a', 0, 6000, 3),
                    row('b', 1, 6000, 3), tick(6000), row('b', 0, 9000, 3),
                    tick(9000)])
        # --no-zeros leaves the row out, not the batch's tick.
        self.check('-k w -t ts -w 3s -e 3s -T --drain --no-zeros', rows_in,
                   [row('a', 1, 3000, 3), tick(3000), row('b', 1, 6000, 3),
                    tick(6000), tick(9000)])

    def test_gap(self):
        # 10 years: two boundaries for a (6 with its 0), none till b.
        self.check('-k w -t ts -w 3s -e 3s -T', words(('a', 1), ('b', 315360000)),
                   [row('a', 1, 3000, 3), tick(3000), row('a', 0, 6000, 3),
                    tick(6000), row('b', 1, 315360003000, 3), tick(315360003000)])

    def test_order(self):
        # Forgotten at 2, a comes again after b.
        self.check('-k w -t ts -w 1s -e 1s',
                   words(('a', 0), ('b', 1), ('b', 2), ('a', 2)),
                   [row('a', 1, 1000, 1), row('a', 0, 2000, 1),
                    row('b', 1, 2000, 1), row('b', 1, 3000, 1),
                    row('a', 1, 3000, 1)])

    def test_keeps_its_place(self):
        # At 2 a leaves the window, but its tuple at 3 is there (watermark 2):
        # 0 once, its place before b kept; nothing to say of a at 3.
        self.check('-k w -t ts -w 1s -e 1s -l 2s',
                   words(('a', 0), ('a', 3), ('b', 3), ('b', 4)),
                   [row('a', 1, 1000, 1), row('a', 0, 2000, 1),
                    row('a', 1, 4000, 1), row('b', 1, 4000, 1),
                    row('a', 0, 5000, 1), row('b', 1, 5000, 1)])

    def test_behind_the_watermark(self):
        # 7 moves the watermark to 7: 3 (a from 1) and 6 are out.  1 still
        # counts in 9 (slot 0 + 9 > 6); at 10 the watermark has 9: 1 is late.
        rows_in = words(('a', 1), ('a', 7), ('a', 1), ('a', 10), ('a', 2.5))
        rows_out = [row('a', 1, 3000, 9), row('a', 1, 6000, 9),
                    row('a', 3, 9000, 9), row('a', 2, 12000, 9)]
        late = ['{"w":"a","ts":2.5}']
        self.check('-k w -t ts -w 9s -e 3s', rows_in, rows_out, 1, late)
        self.check('-k w -t ts -w 9s -e 3s --late F', rows_in, rows_out, 0, late)

    def test_disorder(self):
        # -l 3: the watermark is 4 at 7, so 3 is out; slot 0 + 3 <= 3: late.
        self.check('-k w -t ts -w 3s -e 3s -l 3s --late F',
                   words(('a', 1), ('a', 5.9), ('a', 1), ('a', 7), ('a', 1)),
                   [row('a', 2, 3000, 3), row('a', 1, 6000, 3),
                    row('a', 1, 9000, 3)], 0, ['{"w":"a","ts":1}'])

    def test_before_1970(self):
        # Slots go down from the epoch: -1 is in [-3,0).
        self.check('-k w -t ts -w 3s -e 3s', words(('a', -1), ('a', 0)),
                   [row('a', 1, 0, 3), row('a', 1, 3000, 3)])

    def test_bad_lines_do_not_move(self):
        # 100 with an object for a key is bad: 1 after it is not late.
        rows_in = words(('a', 1)) + ['{"w":{},"ts":100}', '{"w":"a"}', 'x']
        rows_in += words(('a', 1))
        rows_out = [row('a', 2, 3000, 3)]
        self.check('-k w -t ts -w 3s -e 3s', rows_in, rows_out, 1)
        self.check('-k w -t ts -w 3s -e 3s --on-error skip', rows_in, rows_out)

    def test_ticks_are_dropped(self):
        self.check('-k w -t ts -w 3s -e 3s -T',
                   words(('a', 1)) + [tick(99000)] + words(('a', 2)),
                   [row('a', 2, 3000, 3), tick(3000)])

    def test_keys(self):
        # The bytes of the first occurrence; 1 = 1.0, "1" is another.
        self.check('-k .u.k,n=m -t t -w 1 -e 1',
                   ['{"t":0,"u":{"k":"\\u0061"},"m":1.0}',
                    '{"t":0,"u":{"k":"a"},"m":10e-1}',
                    '{"t":0,"u":{"k":"a"},"m":"1"}',
                    '{"t":0,"u":{"k":null},"m":true}'],
                   ['{"u.k":"\\u0061","n":1.0,"count":2,"window_end":1000,'
                    '"window_seconds":1}',
                    '{"u.k":"a","n":"1","count":1,"window_end":1000,'
                    '"window_seconds":1}',
                    '{"u.k":null,"n":true,"count":1,"window_end":1000,'
                    '"window_seconds":1}'])

    def test_sums(self):
        # Integers exactly, whatever their spelling; a fraction gives a double;
        # a sum of 0 has not left the window; null is no number.
        self.check('-k w -t ts -v n -w 1 -e 1 --no-zeros',
                   ['{"w":"a","ts":0,"n":12345678901234567890}',
                    '{"w":"a","ts":0,"n":1e2}', '{"w":"a","ts":0,"n":"-1.0"}',
                    '{"w":"b","ts":0,"n":0.5}', '{"w":"b","ts":0,"n":0.5}',
                    '{"w":"c","ts":0,"n":-0}', '{"w":"c","ts":0,"n":null}'],
                   [row('a', 12345678901234567989, 1000, 1),
                    row('b', '1.0', 1000, 1), row('c', 0, 1000, 1)], 1)

    def test_event_time_by_ticks(self):
        # The tuples do not move the watermark; T = 7 makes due what is up to
        # 6, each with its tick, T last; T = 9 is the batch's own tick, once;
        # an earlier or equal tick does nothing; nothing at the end.
        self.check('-k w -i -t ts -w 3s -e 3s -T --late F',
                   words(('a', 1), ('b', 50), ('a', 4)) + [tick(7000)]
                   + words(('a', 3), ('a', 6)) + [tick(7000), tick(1), tick(9000)]
                   + words(('c', 9)),
                   [row('a', 1, 3000, 3), tick(3000), row('a', 1, 6000, 3),
                    tick(6000), tick(7000), row('a', 1, 9000, 3), tick(9000)],
                   0, ['{"w":"a","ts":3}'])

    def test_storm_golden(self):
        # storm-semantics.md 3.2, "own golden run", n = 3; lengths 3 6 9 9.
        a, b = '{"w":"a"}', '{"w":"b"}'
        ticks = [tick(3000 * i) for i in range(1, 7)]
        self.check('-k w -i -w 9s -e 3s -T',
                   [a, a, b, ticks[0], a] + ticks[1:] + [a],
                   [row('a', 2, 3000, 3), row('b', 1, 3000, 3), ticks[0],
                    row('a', 3, 6000, 6), row('b', 1, 6000, 6), ticks[1],
                    row('a', 3, 9000, 9), row('b', 1, 9000, 9), ticks[2],
                    row('a', 1, 12000, 9), row('b', 0, 12000, 9), ticks[3],
                    row('a', 0, 15000, 9), ticks[4], ticks[5]])

    def test_storm_table(self):
        # storm-semantics.md 3.2: n = 5, counts per step and value per step.
        steps = (3, 11, 5, 13, 7, 17, 0, 3, 50, 600, 7000)
        wants = (3, 14, 19, 32, 39, 53, 42, 40, 77, 670, 7653)
        rows_in, rows_out = [], []
        for i, (step, want) in enumerate(zip(steps, wants)):
            rows_in += ['{"w":"x"}'] * step + [tick(1000 * (i + 1))]
            rows_out += [row('x', want, 1000 * (i + 1), min(i + 1, 5))]
        self.check('-k w -i -w 5s -e 1s', rows_in, rows_out)

    def test_uneven_ticks(self):
        # Before the first tick time goes by -e; then Tj less T(j-2).
        self.check('-k w -i -w 4s -e 2s',
                   ['{"w":"x"}', tick(10000), tick(10500), '{"w":"x"}',
                    tick(13000)],
                   [row('x', 1, 10000, 2), row('x', 1, 10500, 2.5),
                    row('x', 1, 13000, 3)])


class TopnTest(Case):
    command = topn

    def test_ties(self):
        # Value descending, key ascending, with -r too.
        rows_in = ['{"k":"b","v":1}', '{"k":"a","v":1.0}', '{"k":"c","v":"2"}',
                   '{"k":3,"v":1}']
        ranks = ['{"rank":1,"k":"c","v":"2"}', '{"rank":2,"k":3,"v":1}',
                 '{"rank":3,"k":"a","v":1.0}', '{"rank":4,"k":"b","v":1}']
        self.check('-k k -v v', rows_in, ranks)
        self.check('-k k -v v -n 2', rows_in, ranks[:2])
        self.check('-k k -v v -r -n 3', rows_in,
                   ['{"rank":1,"k":3,"v":1}', '{"rank":2,"k":"a","v":1.0}',
                    '{"rank":3,"k":"b","v":1}'])
        # Without -k ties stay in input order.
        self.check('-v v -n 3', rows_in,
                   ['{"rank":1,"k":"c","v":"2"}', '{"rank":2,"k":"b","v":1}',
                    '{"rank":3,"k":"a","v":1.0}'])

    def test_replace_and_zero(self):
        # a sinks, c comes back; b is removed by 0; -z keeps it.
        rows_in = ['{"k":"a","v":9}', '{"k":"b","v":8}', '{"k":"c","v":7}',
                   '{"k":"\\u0061","v":1}', '{"k":"b","v":-0.0}']
        self.check('-k k -v v -n 2', rows_in,
                   ['{"rank":1,"k":"c","v":7}', '{"rank":2,"k":"\\u0061","v":1}'])
        self.check('-k k -v v -z', rows_in,
                   ['{"rank":1,"k":"c","v":7}', '{"rank":2,"k":"\\u0061","v":1}',
                    '{"rank":3,"k":"b","v":-0.0}'])
        # Without -k there is no key to remove: a zero stands for itself.
        self.check('-v v', ['{"v":0}'], ['{"rank":1,"v":0}'])

    def test_batches(self):
        # A tick ends a batch and is passed on by -T; so does a new value at
        # -b, 1 = 1.0; a bad line ends none.
        rows_in = ['{"v":1,"b":1}', '{"v":2,"b":1.0}', '{"v":"x","b":2}',
                   '{"v":3,"b":1}', '{"v":4,"b":2}', '{ "__tick" : 5 }',
                   '{"__tick":4}', '{"v":5,"b":2}']
        self.check('-v v -n 1 -T', rows_in,
                   ['{"rank":1,"v":4,"b":2}', tick(5), tick(4),
                    '{"rank":1,"v":5,"b":2}'], 1)
        self.check('-v v -n 1 -b b', rows_in,
                   ['{"rank":1,"v":3,"b":1}', '{"rank":1,"v":4,"b":2}',
                    '{"rank":1,"v":5,"b":2}'], 1)

    def test_exact_values(self):
        # Neighbours that one double cannot tell apart.
        self.check('-v v', ['{"v":9007199254740992}', '{"v":9007199254740993}'],
                   ['{"rank":1,"v":9007199254740993}',
                    '{"rank":2,"v":9007199254740992}'])
        self.check('-v v -r', ['{"v":1e400}', '{"v":12345678901234567890123456789.5}',
                               '{"v":12345678901234567890123456789.4}'],
                   ['{"rank":1,"v":12345678901234567890123456789.4}',
                    '{"rank":2,"v":12345678901234567890123456789.5}',
                    '{"rank":3,"v":1e400}'])

    def test_rank_of_its_own(self):
        for text, want in (
                ('{"rank":3}', '{"rank":1}'),
                ('{ "rank" : 3 }', '{"rank":1}'),
                ('{"rank":3,"r\\u0061nk":2}', '{"rank":1}'),
                ('{"rank":3, "a":1 }', '{"rank":1,"a":1 }'),
                ('{ "rank":3 , "a":1}', '{"rank":1, "a":1}'),
                ('{"a":1 , "rank":3 }', '{"rank":1,"a":1  }'),
                ('{"a":1,"rank":3,"b":{"rank":4}}', '{"rank":1,"a":1,"b":{"rank":4}}'),
                ('{"a":1 ,"rank":3, "rank":[4]}', '{"rank":1,"a":1 }'),
                (' { "a" : 1 } \r', '{"rank":1, "a" : 1 }')):
            record = model.parse(text.encode())
            entry = topn.Entry((), (), decimal.Decimal(0), record)
            o = topn.options(['-v', 'v'])
            self.assertEqual(topn.ranking(o, [entry]), want.encode() + b'\n', text)

    def test_reads_its_own_output(self):
        # Total of intermediate rankings: the rank is left out and made anew.
        self.check('-k k -v v -n 2 -T',
                   ['{"rank":1,"k":"a","v":5}', '{"rank":1,"k":"b","v":6}', tick(1)],
                   ['{"rank":1,"k":"b","v":6}', '{"rank":2,"k":"a","v":5}', tick(1)])


if __name__ == '__main__':
    unittest.main()
