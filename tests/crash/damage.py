#!/usr/bin/env python3
"""Change bytes and values in states at random, and let the commands go on
from them: each is to say that the state is damaged and leave it as it is, or
to write nothing but rows.

usage: damage.py BIN_DIR [--changes N] [--seed S] [--command NAME]

Ends with 1 where a command dies, says nothing, or writes what is no row.  What
else has become of a change is counted: the state was damaged; it was refused
as that of other options or programs; the rows were those of the sound state, or
others, as where a count has become another one.
"""

import argparse
import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

PATIENCE = 60   # seconds, after which a command hangs
SHOWN = 5       # of the changes that were not borne
KINDS = ['damaged', 'refused', 'the same rows', 'others']
MEMORY = '/dev/shm'     # where no disk is waited for
PLAIN = ['tupletools_options', 'tupletools_parts']  # compared with options
KEYS = ['"a"', '"b"', '"a\\"b"', '"\\u0061"', '"\\ud800"', '"x\\u0000"', '1',
        '1.0', '-0', '1.10', '1e400', 'true', 'null', '"\u00e9"', '7e-3']
VALUES = ['1', '2.5', '"3"', '-1e300', '"1e3"', '12345678901234567890123',
          '9223372036854775807', '0.1', '"\\u0031"', '4']
ANY = VALUES + ['null', '"a\\nb"', '{"a":[1, 2]}', '[]', 'true', '"text"']


def lines(rng, n, form):
    return ''.join(form(rng, i) + '\n' for i in range(n)).encode()


def tuples(rng, i):
    return '{"k":%s,"j":%s,"n":%s,"v":%s,"t":%d}' % (
        rng.choice(KEYS), rng.choice(KEYS), rng.choice(VALUES),
        rng.choice(ANY), 1000 * i + rng.randrange(40000))


def stays(rng, i):
    start = 1374908400000 + 60000 * i + rng.randrange(10 ** 6)
    return '{"k":%s,"from":%d,"to":%d}' % (
        rng.choice(KEYS), start, start + rng.randrange(10 ** 6))


def events(rng, i):
    return '{"k":%s,"x":%s,"s":"%s","t":%d}' % (
        rng.choice(KEYS[:-3]) if i % 2 else i // 3, rng.choice(ANY),
        rng.choice('AB'), 1000 * i + rng.randrange(5000))


def ticks(rng, i):
    return '{"__tick":%d}' % (7000 * i) if i % 9 == 5 else tuples(rng, i)


def commands(rng, i):
    """What Storm sends to a spout, from the handshake on."""
    if i == 0:
        return json.dumps({'pidDir': '.', 'conf': {}, 'context': {}}) + '\nend'
    if i % 9 == 1:
        return '{"command":"next"}\nend'
    return '{"command":"ack","id":"%d"}\nend' % (i % 50)


ALL = 'count,sum:n,min:n,max:n,mean:n,first:v,last:v,s=sum:t'
JOIN = ['sjoin', '-k', 'k', '--expired', 'side', '-a', 'A']
TIMED = JOIN + ['-t', 't', '-w', '20s', '-l', '3s']
OPERANDS = ['A=in', 'B=other']

# Of each: what is run, its lines, and the operands; in a folder of its own.
CASES = {
    'tally': (['tally', '-k', 'k,j', '-a', ALL], tuples, ['in']),
    'tally-c': (['tally', '-k', 'k', '-a', ALL, '-c', '--batch', '7'], tuples,
                ['in']),
    'timeline': (['timeline', '-k', 'k', '--from', 'from', '--to', 'to',
                  '--slice', '10m'], stays, ['in']),
    'timeline-c': (['timeline', '-k', 'k', '--from', 'from', '--to', 'to',
                    '--batch', '7', '-c'], stays, ['in']),
    'rollcount': (['rollcount', '-k', 'k,j', '-t', 't', '-w', '60s', '-e',
                   '10s', '-l', '9s', '-T'], tuples, ['in']),
    'rollcount-v': (['rollcount', '-k', 'k', '-v', 'n', '-t', 't', '-w', '60s',
                     '-e', '10s', '--late', 'side'], tuples, ['in']),
    'rollcount-i': (['rollcount', '-k', 'k', '-i', '-w', '60s', '-e', '10s'],
                    ticks, ['in']),
    'rollcount-arrival': (['rollcount', '-k', 'k', '-w', '1h', '-e', '1m'],
                          tuples, ['in']),
    'dedup': (['dedup', '-k', 'k,j', '--dropped', 'side'], tuples, ['in']),
    'dedup-w': (['dedup', '-k', 'k,j', '-t', 't', '-w', '20s', '-l', '9s'],
                tuples, ['in']),
    'dedup-whole': (['dedup', '-t', 't', '-w', '20s'], tuples, ['in']),
    'sjoin': (TIMED + ['-s', 's', 'A', 'B'], events, []),
    'sjoin-m': (TIMED + ['-m', '-s', 's', 'A', 'B'], events, []),
    'sjoin-table': (TIMED + ['--table', 'B', '-s', 's', 'A', 'B'], events, []),
    'sjoin-d': (TIMED + ['-d', 'replace'], events, OPERANDS),
    'sjoin-o': (TIMED + ['-m', '-o', 'k,A.x,B.x,s'], events, OPERANDS),
    'sjoin-arrival': (JOIN + ['-o', 'k,A.x', '-w', '1h'], events, OPERANDS),
    'spout': (['spout', 'file', 'file', '--multilang'], commands, []),
}


class Command:
    """A command with a state, of which part of the input has been read."""

    def __init__(self, name, bin_dir, folder):
        rng = random.Random(name)
        argv, form, operands = CASES[name]
        self.argv = [os.path.join(bin_dir, argv[0])] + argv[1:] + operands
        self.folder = os.path.join(folder, name)
        self.dumps = argv[0] in ('tally', 'timeline')
        self.storm = argv[0] == 'spout'
        os.makedirs(self.folder)
        self.put('file', lines(rng, 40, tuples))
        self.put('in', lines(rng, 60, form))
        self.put('other', lines(rng, 60, events))
        status, _, said = self.run([])
        if status not in (0, 1):
            sys.exit('%s: %s' % (name, said.decode()))
        shutil.copy(self.path('state'), self.path('sound'))
        if self.storm:
            self.put('in', lines(rng, 60, form))
        else:
            self.put('in', lines(rng, 40, form), 'ab')
            self.put('other', lines(rng, 40, events), 'ab')

        self.sound = {}
        for way in self.ways():
            shutil.copy(self.path('sound'), self.path('state'))
            self.sound[str(way)] = self.run(way)[1]

    def path(self, name):
        return os.path.join(self.folder, name)

    def put(self, name, data, mode='wb'):
        with open(self.path(name), mode) as file:
            file.write(data)

    def get(self, name):
        if not os.path.exists(self.path(name)):
            return b''
        with open(self.path(name), 'rb') as file:
            return file.read()

    def run(self, more):
        argv = self.argv
        if '--dump' in more:
            argv = argv[:1]
        with open(self.path('in'), 'rb') as stdin:
            ran = subprocess.run(
                argv + ['--state', 'state', *more], cwd=self.folder,
                stdin=stdin, capture_output=True, timeout=PATIENCE)
        return ran.returncode, ran.stdout, ran.stderr

    def ways(self):
        """How one can go on."""
        return [[]] if self.storm else [[], ['--final']] + (
            [['--dump']] if self.dumps else [])


def change_bytes(rng, path):
    """Change some bytes of the file, and say which."""
    with open(path, 'rb') as file:
        data = bytearray(file.read())
    changed = {}
    for _ in range(rng.choice((1, 1, 2, 5, 30))):
        at = rng.randrange(len(data))
        if data[at] == 0 and rng.random() < 0.9:    # of which there are many
            at = rng.choice([i for i, b in enumerate(data) if b != 0])
        data[at] = rng.choice((rng.randrange(256), data[at] ^ 1 << rng.randrange(8),
                               data[at] + 1 & 255, 0, 255))
        changed[at] = data[at]
    if rng.random() < 0.02:
        del data[rng.randrange(len(data)):]
        changed['length'] = len(data)
    with open(path, 'wb') as file:
        file.write(data)
    return 'bytes %s' % changed


def other_value(rng, value, column):
    """Another value for one of a column, which may be of any kind."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice((None, 0, 1, -1, 2, 0.5, -0.0, 9e999, 1e308, '', 'x',
                           '"', 'a"b', 'a\0b', '[1,2', 'true', b'', b'"', b'x',
                           b'null', b'"a"', b'1', b'\xff', b'a\xffb', b'[', b'{}',
                           b'"a\nb"', b' 1', b'NaN', b'"\\u12"', b'"\xff"'))
    if kind == 1:
        power = rng.randrange(64)
        return rng.choice((-1, 1)) * ((1 << power) - (power == 63))
    if kind == 2:
        return rng.choice(column)
    if isinstance(value, int):
        return max(-2 ** 63, min(2 ** 63 - 1, value + rng.choice((-1, 1, 2))))
    if isinstance(value, str) and value:
        at = rng.randrange(len(value))
        return value[:at] + rng.choice(('', '"', '\\', '\0', 'x', '9' * 30)) + \
            value[at + rng.randrange(2):]
    if isinstance(value, bytes) and value:
        at = rng.randrange(len(value))
        return rng.choice((value[:at], value + value, value[at:], value + b'\0',
                           value[:at] + bytes([rng.randrange(256)]) +
                           value[at + 1:]))
    return rng.randbytes(rng.randrange(40))


def quoted(name):
    return '"%s"' % name.replace('"', '""')


def change_values(rng, path):
    """Change a value, or a row, or a table, and say how."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute('pragma synchronous = off')
    done = None
    while done is None:
        tables = [name for (name,) in sorted(db.execute(
            'select name from sqlite_master where type = "table"'))]
        table = rng.choice(tables)
        if table in PLAIN and rng.random() < 0.8:
            continue
        info = db.execute('pragma table_info(%s)' % quoted(table)).fetchall()
        rows = db.execute('select * from %s' % quoted(table)).fetchall()
        key = [c[0] for c in info if c[5]]
        if rng.random() < 0.01:
            done = rng.choice(('drop table %s' % quoted(table),
                               'alter table %s rename column %s to other' % (
                                   quoted(table), quoted(rng.choice(info)[1]))))
            db.execute(done)
        elif rows:
            done = change_row(rng, db, table, info, key, rows)
    db.close()
    return done


def change_row(rng, db, table, info, key, rows):
    row = rng.choice(rows)
    place = ' and '.join('%s is ?' % quoted(info[i][1]) for i in key)
    where = [row[i] for i in key]
    if rng.random() < 0.05:
        db.execute('delete from %s where %s' % (quoted(table), place), where)
        return 'delete %r from %s' % (row, table)
    column = rng.randrange(len(info))
    value = other_value(rng, row[column], [r[column] for r in rows])
    try:
        if rng.random() < 0.1:
            db.execute('insert or replace into %s values (%s)' % (
                quoted(table), ','.join('?' * len(row))),
                row[:column] + (value,) + row[column + 1:])
        else:
            db.execute('update or replace %s set %s = ? where %s' % (
                quoted(table), quoted(info[column][1]), place),
                [value] + where)
    except sqlite3.Error:   # an integer column takes nothing else
        return None
    return '%s.%s of %r: %r' % (table, info[column][1], row, value)


def no_constant(text):
    raise ValueError(text)


def bad_rows(data, storm):
    """The first line of what was written that is no row."""
    for line in data.split(b'\n')[:-1]:
        if storm and line == b'end':
            continue
        try:
            if not isinstance(json.loads(line.decode('utf-8', 'strict'),
                                         parse_constant=no_constant), dict):
                return line
        except (ValueError, RecursionError):
            return line
    return None if data == b'' or data.endswith(b'\n') else data[-80:]


def differs(command, status, out, said, before):
    """What is wrong with how a command went on; None where nothing is."""
    row = bad_rows(out, command.storm) or bad_rows(command.get('side'), False)
    if row is not None:
        return 'no row: %r' % row
    if status in (0, 1):
        return None
    if status != 2 or not said.endswith(b'\n') or said.count(b': ') == 0:
        return 'status %d: %s' % (status, said.decode(errors='replace'))
    if command.get('state') != before:
        return 'the state is another one'
    left = [name for name in os.listdir(command.folder) if '-' in name]
    if left:
        return 'left behind: %s' % left
    return None


def one_change(command, rng, counts):
    """Change a sound state, and go on from it, twice.  What is wrong."""
    for name in ('side', 'state', 'state-wal', 'state-shm'):
        if os.path.exists(command.path(name)):
            os.unlink(command.path(name))
    shutil.copy(command.path('sound'), command.path('state'))
    change = rng.choice((change_bytes, change_values))
    what = change(rng, command.path('state'))
    for turn in 'first', 'second':
        before = command.get('state')
        way = rng.choice(command.ways())
        try:
            status, out, said = command.run(way)
        except subprocess.TimeoutExpired:
            return '%s, %s: hangs' % (what, way)
        wrong = differs(command, status, out, said, before)
        if wrong is not None:
            return '%s, %s %s: %s' % (what, turn, way, wrong)
        if turn == 'first':
            kind = 'the same rows' if out == command.sound[str(way)] else 'others'
            if status == 2:
                kind = 'damaged' if b'damaged' in said else 'refused'
            counts[kind] += 1
        if status == 2:
            break
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('bin_dir')
    parser.add_argument('--changes', type=int, default=10000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--command', choices=sorted(CASES))
    o = parser.parse_args()
    os.environ['ASAN_OPTIONS'] = 'exitcode=99:' + os.environ.get('ASAN_OPTIONS', '')
    os.environ['UBSAN_OPTIONS'] = 'exitcode=99:' + os.environ.get('UBSAN_OPTIONS', '')
    names = [o.command] if o.command else sorted(CASES)
    failed = 0
    where = MEMORY if os.access(MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=where) as folder:
        for i, name in enumerate(names):
            command = Command(name, os.path.abspath(o.bin_dir), folder)
            rng = random.Random('%s-%d' % (name, o.seed))
            changes = (o.changes + i) // len(names)
            counts = dict.fromkeys(KINDS, 0)
            wrong = [w for w in (one_change(command, rng, counts)
                                 for _ in range(changes)) if w is not None]
            told = ', '.join('%d %s' % (n, kind) for kind, n in counts.items())
            print('%s: %d changes: %s, %d wrong' % (
                name, changes, told, len(wrong)))
            for line in wrong[:SHOWN]:
                print('    ' + line)
            failed += len(wrong)
            sys.stdout.flush()
    print('%d changes, %d wrong' % (o.changes, failed))
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
