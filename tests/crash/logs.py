#!/usr/bin/env python3
"""Kill stateful commands at random moments while their input grows, is
renamed, and is copied and truncated, and hold what they have counted against
what was written: each line once, in the state, in --output, and in windows.

usage: logs.py BIN_DIR [--rounds N] [--seconds S] [--seed S] [--keep FOLDER]

Ends with 1 on a difference.  A round is a folder of its own, with a writer
that logs and rotates as daemons and logrotate do, and readers that are
started and killed meanwhile.  The writer pauses between copy and truncation,
and the copy gets its name when the log is truncated: what is written in
between is lost by copytruncate itself, and a reader that came in between would
have two files of the same lines before it.
"""

import argparse
import collections
import glob
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
START = 1700000000000


class Writer:
    """Writes web.log in its folder, until it is told to stop."""

    def __init__(self, folder, rng):
        self.log = os.path.join(folder, 'web.log')
        self.rng = rng
        self.n = 0
        self.file = None
        self.begin()

    def begin(self):
        self.file = open(self.log, 'ab', buffering=0)
        self.header()

    def header(self):
        # A log is known by its content only from a kilobyte on.
        self.file.write(self.line(1100))

    def line(self, pad):
        line = {'id': self.n, 'k': 'k%d' % (self.n % 7),
                'ts': START + self.n * 37, 'pad': '-' * pad}
        self.n += 1
        return json.dumps(line).encode() + b'\n'

    def pause(self, most=0.003):
        if self.rng.random() < 0.5:
            time.sleep(self.rng.uniform(0, most))

    def append(self):
        lines = b''.join(self.line(self.rng.randrange(200)) for _ in
                         range(self.rng.choice([1, 1, 3, 20, 400])))
        at = self.rng.randrange(len(lines))
        self.file.write(lines[:at])
        self.pause()
        self.file.write(lines[at:])

    def shift(self):
        old = glob.glob(self.log + '.[0-9]*')
        for name in sorted(old, key=number, reverse=True):
            os.rename(name, '%s.%d' % (self.log, number(name) + 1))
            self.pause(0.001)

    def rename(self):
        self.shift()
        os.rename(self.log, self.log + '.1')
        self.pause()
        if self.rng.random() < 0.5:     # It has not heard of it yet.
            self.append()
        self.file.close()
        self.begin()

    def copy_and_truncate(self):
        self.shift()
        copy = self.log[:-7] + 'copy'
        shutil.copyfile(self.log, copy)
        self.pause()
        os.truncate(self.log, 0)
        if self.rng.random() < 0.5:
            os.rename(copy, self.log + '.1')
            self.pause()
            self.header()
        else:
            self.header()
            self.append()
            os.rename(copy, self.log + '.1')

    def run(self, told, most_rotations):
        rotations = 0
        while not os.path.exists(told) and rotations < most_rotations:
            self.append()
            self.pause(0.02)
            if self.rng.random() < 0.2:
                self.rng.choice([self.rename, self.copy_and_truncate])()
                rotations += 1
        return self.n


def number(name):
    return int(name.rsplit('.', 1)[1])


class Reader:
    """A command that goes on again and again."""

    def __init__(self, folder, name, argv, out):
        self.folder = folder
        self.name = name
        self.argv = argv + ['--state', 'state.db', '--name', name,
                            '--output', out]
        self.out = os.path.join(folder, out)
        self.bad = None

    def names(self, rng):
        names = sorted(os.path.basename(n) for n in
                       glob.glob(os.path.join(self.folder, 'web.log*')))
        order = rng.randrange(3)
        if order == 1:
            names.reverse()
        elif order == 2:
            rng.shuffle(names)
        return names

    def start(self, rng, more=(), slow=True):
        env = dict(os.environ)
        if slow:
            env['SLOW_US'] = str(rng.choice([0, 0, 500, 3000, 10000]))
            env['LD_PRELOAD'] = SLOW
        with open(os.path.join(self.folder, 'err'), 'wb') as err:
            return subprocess.Popen(
                self.argv + ['--commit', rng.choice(['1ms', '10ms', '1s']),
                             *more, *(self.names(rng) or ['web.log'])],
                cwd=self.folder, env=env, stderr=err, stdin=subprocess.DEVNULL)

    def finish(self, process, rng, longest):
        """Returns whether it was killed."""
        try:
            status = process.wait(rng.uniform(0, longest))
        except subprocess.TimeoutExpired:
            process.send_signal(rng.choice([signal.SIGKILL, signal.SIGKILL,
                                            signal.SIGTERM]))
            process.wait()
            return True
        with open(os.path.join(self.folder, 'err')) as file:
            err = file.read()
        # Between two renames a name may not be there.
        if status != 0 and not (status == 2 and
                                'No such file or directory' in err):
            self.bad = 'status %d: %s' % (status, err)
        return False


def rows(path):
    with open(path, 'rb') as file:
        return [json.loads(line) for line in file]


def compare_tally(reader, n):
    got = collections.Counter()
    for row in rows(reader.out):
        got[row['id']] += 1
        if row['count'] != 1:
            return 'id %d was counted %d times' % (row['id'], row['count'])
    wrong = sorted(set(got) ^ set(range(n)))
    twice = [i for i, times in got.items() if times != 1]
    if wrong or twice:
        return '%d of %d ids missing or unknown: %s; twice: %s' % (
            len(wrong), n, wrong[:5], twice[:5])
    return None


def compare_rollcount(reader, n):
    want = collections.Counter()
    for i in range(n):
        ts = START + i * 37
        want['k%d' % (i % 7), ts - ts % 10000 + 10000] += 1
    got = collections.Counter()
    for row in rows(reader.out):
        got[row['k'], row['window_end']] += row['count']
    got = +got
    if got == want:
        return None
    return 'windows differ: %s' % sorted(
        (got - want).items() | (want - got).items())[:5]


def write(folder, seed, told, rotations):
    """In a process of its own; returns it."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            n = Writer(folder, random.Random(seed)).run(told, rotations)
            with open(told + '.n', 'w') as file:
                file.write(str(n))
            status = 0
        finally:
            os._exit(status)
    return pid


def a_round(bin_dir, folder, rng, counts):
    told = os.path.join(folder, 'stop')
    writer = write(folder, rng.random(), told, 25)
    while not os.path.exists(os.path.join(folder, 'web.log')):
        pass
    tally = Reader(folder, 'tally', [os.path.join(bin_dir, 'tally'),
                                     '-k', 'id', '-c'], 'tally.out')
    rollcount = Reader(folder, 'rollcount', [
        os.path.join(bin_dir, 'rollcount'), '-k', 'k', '-t', 'ts',
        '-w', '10s', '-e', '10s', '-l', 'all', '--no-zeros'], 'rollcount.out')
    while os.waitpid(writer, os.WNOHANG) == (0, 0):
        reader = rng.choice([tally, rollcount])
        counts['kills'] += reader.finish(reader.start(rng), rng,
                                         rng.choice([0.02, 0.1, 0.5, 3]))
        counts['runs'] += 1
        if reader.bad:
            open(told, 'w').close()
            return reader.name + ' ended with ' + reader.bad
    with open(told + '.n') as file:
        n = int(file.read())
    counts['lines'] += n
    for reader, compare in ((tally, compare_tally),
                            (rollcount, compare_rollcount)):
        more = ['--final'] if reader is rollcount else []
        if reader.start(rng, more, slow=False).wait() != 0:
            return '%s: the last run failed' % reader.name
        bad = compare(reader, n)
        if bad:
            return '%s: %s' % (reader.name, bad)
    return None


def main():
    global SLOW
    parser = argparse.ArgumentParser()
    parser.add_argument('bin_dir')
    parser.add_argument('--rounds', type=int, default=10 ** 9)
    parser.add_argument('--seconds', type=float)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep', help='the folder of a round that failed')
    o = parser.parse_args()
    o.bin_dir = os.path.abspath(o.bin_dir)
    end = time.monotonic() + (o.seconds or 10 ** 9)
    counts = collections.Counter()
    bad = None
    with tempfile.TemporaryDirectory() as top:
        SLOW = os.path.join(top, 'slow.so')
        subprocess.run(['cc', '-shared', '-fPIC', '-o', SLOW,
                        os.path.join(HERE, 'slow.c')], check=True)
        while counts['rounds'] < o.rounds and time.monotonic() < end:
            rng = random.Random('%d-%d' % (o.seed, counts['rounds']))
            folder = os.path.join(top, 'round')
            os.mkdir(folder)
            counts['rounds'] += 1
            bad = a_round(o.bin_dir, folder, rng, counts)
            if bad:
                if o.keep:
                    shutil.copytree(folder, o.keep)
                break
            shutil.rmtree(folder)
    print('logs: %(rounds)d rounds, %(lines)d lines, %(kills)d kills in '
          '%(runs)d runs, ' % counts +
          ('each line counted once' if not bad else 'DIFFERENT'))
    if bad:
        print('    ' + bad)
    sys.exit(1 if bad else 0)


if __name__ == '__main__':
    main()
