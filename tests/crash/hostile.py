#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Feed each command input that is the worst for it, within limits, and see
that it neither fills memory nor stalls.

usage: hostile.py BIN_DIR [--seconds N] [--seed S] [--mb N]

All commands have --max-keys 1000, --max-ahead 1h and --max-line 64K, where
they take them.  A round has one or two attacks, whose lines are mixed, of MB
megabytes together, for all commands.  Each has to end by itself with status 0,
1 or 2, take at most MEMORY megabytes of memory, at most SECONDS of processor
time for a megabyte that it reads or writes (plain lines take some 0.005), and
write at most ROWS times its input: a window that slides by a 60th of its length
has each key 60 times.  The last lines have the worst of all rounds.
"""

import argparse
import gzip
import os
import random
import resource
import subprocess
import sys
import tempfile
import time

LINE = 65536
KEYS = 1000
MEMORY = 400                    # KEYS keys of LINE bytes and their labels
SECONDS = 1.0
ROWS = 200
NOW = int(time.time() * 1000)

LIMITS = ['--max-keys', str(KEYS), '--max-ahead', '1h']
COMMANDS = {
    'count': ['rollcount', '-k', 'k', '-t', 't', '-w', '1m', '-e', '1s',
              '-l', '1m', '--no-zeros'] + LIMITS,
    'sum': ['rollcount', '-k', 'k', '-v', 'v', '-t', 't', '-w', '10s'] + LIMITS,
    'aggregates': ['rollcount', '-k', 'k', '-t', 't', '-w', '1m', '-e', '1s',
                   '-a', 'count,mean:v,stddev:v,min:v,p95:v,distinct:v',
                   '--no-zeros'] + LIMITS,
    'live': ['rollcount', '-k', 'k', '-t', 't', '-w', '10s', '--live', '1s',
             '-l', 'all'] + LIMITS[2:],
    'tally': ['tally', '-k', 'k', '-a', 'count,sum:v,p99:v,distinct:v,max:t'] +
             LIMITS[:2],
    'sessions': ['sessions', '-k', 'k', '-g', '1s', '-t', 't', '-l', '1m',
                 '-a', 'count,mean:v,first:v'] + LIMITS,
    'dedup': ['dedup', '-k', 'k', '-w', '1m', '-t', 't', '-l', '1m'] + LIMITS,
    'dedup lines': ['dedup'] + LIMITS[:2],
    'topn': ['topn', '-n', '10', '-k', 'k', '-v', 'v'] + LIMITS[:2],
    'topn groups': ['topn', '-n', '3', '-g', 'k', '-v', 'v'] + LIMITS[:2],
    'join': ['sjoin', '-k', 'k', '-t', 't', '-w', '10s', '-s', 's', 'a', 'b'] +
            LIMITS,
    'join many': ['sjoin', '-m', '-k', 'k,t', '-t', 't', '-w', '0', '-s', 's',
                  'a', 'b'] + LIMITS,
    'table': ['sjoin', '-k', 'k', '--table', 'b', '-s', 's', 'a', 'b'] +
             LIMITS[:2],
    'timeline': ['timeline', '-k', 's', '--from', 't', '--to', 'v',
                 '--max-steps', '1000'],
    'keep': ['keep', "k ~ '(a|b)*c' and v > 0.5 or t < 1e400"],
    'add up': ['rollagg', '-k', 's', '-v', 'v', '-s', 's'],
    'group': ['pkgroup', '-n', '4', '-k', 'k', '-t', 't', '-e', '1s', '--tag',
              'task', '--', 'cat'],
    'show': ['tview', '--format', 'markdown'],
}


def tuples(r, key, value, ms):
    while True:
        yield b'{"s":"%c","k":%s,"v":%s,"t":%s}' % (
            r.choice(b'ab'), key(), value(), ms())


def few(r):
    return lambda: b'"k%d"' % r.randrange(9)


def many_keys(r):
    return lambda: b'"key%d"' % r.randrange(KEYS)


def long_key(r):
    return lambda: b'"%d%s"' % (r.randrange(KEYS), b'x' * (LINE // 2))


def new_key(r):
    return lambda: b'"%x"' % r.getrandbits(64)


def escaped_key(r):
    return lambda: b'"%s"' % b''.join(
        b'\\u%04x' % r.choice((0x41, 0xe9, 0xd83d, 0xde00, 0)) for _ in
        range(r.randrange(1, 2000)))


def numeric_key(r):
    return lambda: b'%d%se%d' % (r.randrange(1, 10), b'0' * r.randrange(3000),
                                 r.choice((-999999999999999999, 0, 5, 10**17)))


def plain_value(r):
    return lambda: b'%d' % r.randrange(1000)


def wild_value(r):
    return lambda: b'%s%d.%de%d' % (r.choice((b'', b'-')), r.randrange(1, 10),
                                    r.getrandbits(50), r.randrange(-330, 308))


def cancelling_value(r):
    return lambda: r.choice((b'1e308', b'-1e308', b'1e-320', b'0.1', b'1e17'))


def long_value(r):
    return lambda: b'0.%s%d' % (b'0' * r.randrange(LINE // 2),
                                r.getrandbits(64))


def steady_time(r):
    at = [NOW - 1000000]

    def ms():
        at[0] += r.randrange(3)
        return b'%d' % at[0]
    return ms


def any_time(r):
    return lambda: b'%d' % r.choice((
        r.randrange(NOW - 3600000, NOW + 3600000), r.getrandbits(42), 0,
        10**18, -10**15))


def falling_time(r):
    at = [NOW]

    def ms():
        at[0] -= r.randrange(2000)
        return b'%d' % at[0]
    return ms


def leaping_time(r):
    at = [0]

    def ms():
        at[0] += 10**7
        return b'%d' % (at[0] % NOW)
    return ms


def odd_time(r):
    return lambda: r.choice((
        b'"2026-11-23T10:00:00.123456789Z"', b'1e12', b'"0000-01-01"',
        b'0.%s1' % (b'0' * 3000), b'"9999-12-31T23:59:60+14:00"', b'null'))


def nested(r):
    while True:
        n = r.randrange(1, 9000)
        yield b'{"k":%s1%s,"t":%d}' % (b'{"a":[' * n, b']}' * n, NOW)


def members(r):
    while True:
        yield b'{' + b','.join(b'"%s":%d' % (r.choice((b'k', b'v', b't', b'\\u006b')),
                               i) for i in range(r.randrange(1, 5000))) + b'}'


def garbage(r):
    while True:
        yield r.randbytes(r.randrange(2000))


def almost(r):
    while True:
        line = bytearray(b'{"s":"a","k":"k1","v":1,"t":%d}' % NOW)
        line[r.randrange(len(line))] = r.randrange(256)
        yield bytes(line)


def blank(r):
    while True:
        yield r.choice((b'', b' ', b'\r', b'\t' * 1000))


def ticks(r):
    while True:
        yield b'{"__tick":%d}' % r.choice((NOW, NOW - r.randrange(10**6), 0))


def endless(r):
    while True:
        yield b'{"k":"' + b'y' * r.randrange(LINE // 2, 20 * LINE)


ATTACKS = [nested, members, garbage, almost, blank, ticks, endless]
PARTS = [[few, many_keys, new_key, long_key, escaped_key, numeric_key],
         [plain_value, wild_value, cancelling_value, long_value],
         [steady_time, any_time, falling_time, leaping_time, odd_time]]


def attack(r):
    """A source of lines, and its name."""
    if r.random() < 0.4:
        f = r.choice(ATTACKS)
        return f(r), f.__name__
    parts = [r.choice(p) for p in PARTS]
    return tuples(r, *(p(r) for p in parts)), \
        '+'.join(p.__name__ for p in parts)


def write_input(path, r, size):
    sources = [attack(r) for _ in range(r.choice((1, 1, 2)))]
    n = 0
    with open(path, 'wb') as f:
        while n < size:
            line = next(r.choice(sources)[0]) + b'\n'
            f.write(line)
            n += len(line)
    return ' and '.join(name for _, name in sources)


def run(argv, stdin, out, limit):
    """Status, megabytes, and seconds of processor time."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 10,) * 2)
    pid = subprocess.Popen(argv, stdin=stdin, stdout=out, preexec_fn=limits,
                           stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(pid.pid, 0)
    pid.returncode = 0
    return os.waitstatus_to_exitcode(status), used.ru_maxrss / 1024, \
        used.ru_utime + used.ru_stime


def one(r, name, bin_dir, folder, what, mb, worst):
    """Run a command on the input.  Tells whether it was bad, and how long."""
    rows = os.path.join(folder, 'out')
    argv = [os.path.join(bin_dir, COMMANDS[name][0]), '--max-line', '64K', '-q',
            '--threads', r.choice('12')] + COMMANDS[name][1:]
    if r.random() < 0.3 and name in ('count', 'tally', 'sessions', 'join'):
        argv[1:1] = ['--state', os.path.join(folder, 's.db')]
    with open(os.path.join(folder, 'in'), 'rb') as stdin, \
            open(rows, 'wb') as out:
        status, memory, seconds = run(argv, stdin, out, mb * ROWS * SECONDS)
    written = os.path.getsize(rows) / 1e6 / mb
    for f in os.listdir(folder):
        if f != 'in':
            os.unlink(os.path.join(folder, f))
    each = seconds / (mb * (1 + written))
    got = {'memory': memory, 'seconds': each, 'rows': written}
    for key, value in got.items():
        if value > worst.get(key, (0, ''))[0]:
            worst[key] = (value, '%s: %s' % (name, what))
    bad = status not in (0, 1, 2) or memory > MEMORY or \
        each > SECONDS or written > ROWS
    if bad:
        print('%s: %s: status %d, %.0f MB, %.3f s a megabyte, rows %.1f times' %
              (name, what, status, memory, each, written), flush=True)
    return bad, seconds


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument('bin_dir')
    p.add_argument('--seconds', type=float, default=60)
    p.add_argument('--seed', type=int, default=1)
    p.add_argument('--mb', type=float, default=4)
    o = p.parse_args()
    begin, used, runs, failed, worst = time.time(), 0, 0, 0, {}
    with tempfile.TemporaryDirectory() as folder:
        while time.time() - begin < o.seconds:
            r = random.Random(o.seed * 1000003 + runs)
            path = os.path.join(folder, 'in')
            what = write_input(path, r, int(o.mb * 1e6))
            if r.random() < 0.1:
                with open(path, 'rb') as f, gzip.open(path + '.gz', 'w') as g:
                    g.write(f.read())
                os.replace(path + '.gz', path)
                what += ', gzip'
            for name in COMMANDS:
                bad, seconds = one(r, name, o.bin_dir, folder, what, o.mb,
                                   worst)
                failed += bad
                runs += 1
                used += seconds
    for key, (value, what) in worst.items():
        print('most %s: %.3f (%s)' % (key, value, what))
    print('%d runs, %.0f s of processor time' % (runs, used))
    print('%d passed, %d failed' % (runs - failed, failed))
    sys.exit(failed != 0)


if __name__ == '__main__':
    main()
