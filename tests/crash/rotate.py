#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Kill commands with --state at random moments while the log that they read
grows and is rotated, and hold what they have counted against what was written.

usage: rotate.py BIN_DIR [--seconds N] [--seed S] [--keep FOLDER]

A log, web.log, is written in bursts that may end within a line.  It is rotated
by renaming, after which its writer may still finish in the old file, or by
copying and truncating, and what was rotated may be compressed later.  Some
older ones are kept.  Several commands read them
all the while, by different lists of names, two of them into one state; each is
killed after a while, or ends.  Nothing is rotated away before all have read
it.  Each round of some seconds begins with new files, and ends by letting every
command finish: its counts must be those of the lines that were written.

Of copying and truncating the commands see nothing until both are done, since
in between a line stands in two files that are both read; and until a command
that was running has ended nothing new is written, since what is shorter than
before is known to be another content, and what is as long is not.  Likewise
of compressing: the log, which a command may be reading still, and what it is
compressed to, would be two.

Ends with 1 on a difference; --keep then has the files, and what was done.
"""

import argparse
import collections
import glob
import gzip
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROUND = 20                      # seconds
MS = 1700000000000
STEP, WINDOW = 10, 10000        # ms, from line to line and in a window
FIRST = 4096                    # bytes: by fewer a copy is not known again
TALLY = ['tally', '-k', 'k', '-a', 'count,sum:n']
EXPECTED = re.compile(r'warning: web\.log.*: was read up to byte \d+, but '
                      r'.*; read from its start$')


class Log:
    """The writer, and what it has written."""

    def __init__(self, folder, rng, kept):
        self.folder, self.rng, self.kept = folder, rng, kept
        self.counts = collections.Counter()
        self.sums = collections.Counter()
        self.windows = collections.Counter()
        self.n = self.rotations = 0
        self.rest = b''         # of the line that is not all written
        self.file = self.open()

    def path(self, i):
        return os.path.join(self.folder, 'web.log' + ('.%d' % i if i else ''))

    def open(self):
        return open(self.path(0), 'ab', buffering=0)

    def line(self):
        key, self.n = 'k%d' % self.rng.randrange(40), self.n + 1
        ms = MS + self.n * STEP
        self.counts[key] += 1
        self.sums[key] += self.n
        self.windows[key, ms - ms % WINDOW + WINDOW] += 1
        return b'{"k":"%s","n":%d,"t":%d,"pad":"%s"}\n' % (
            key.encode(), self.n, ms, b'-' * self.rng.randrange(60))

    def finish(self):
        """End the line that was begun."""
        self.file.write(self.rest)
        self.rest = b''

    def write(self):
        """A burst."""
        n = self.rng.choice([1, 5, 50, 50, 500, 500, 2000, 20000])
        text = self.rest + b''.join(self.line() for _ in range(n))
        while len(text) < FIRST and self.size() == 0:
            text += self.line()
        part = self.rng.randrange(60) if self.rng.random() < 0.3 else 0
        self.rest = text[len(text) - part:] if part < len(text) else b''
        self.file.write(text[:len(text) - len(self.rest)])

    def size(self):
        return os.fstat(self.file.fileno()).st_size

    def rotated(self, i):
        """The names that the log of that number has, plain or compressed."""
        return [p for p in (self.path(i), self.path(i) + '.gz')
                if os.path.exists(p)]

    def make_room(self):
        self.rotations += 1
        for i in range(self.kept, 0, -1):
            for path in self.rotated(i):
                os.rename(path, path.replace('.%d' % i, '.%d' % (i + 1)))
        for path in self.rotated(self.kept + 1):
            os.unlink(path)

    def compress(self):
        """One of those that were rotated.  False: there is none."""
        plain = [self.path(i) for i in range(1, self.kept + 1)
                 if os.path.exists(self.path(i))]
        if not plain:
            return False
        self.rotations += 1
        path = self.rng.choice(plain)
        with open(path, 'rb') as old, gzip.open(path + '.gz', 'wb', 1) as new:
            shutil.copyfileobj(old, new)
        os.unlink(path)
        return True

    def rename(self):
        self.make_room()
        os.rename(self.path(0), self.path(1))
        old, self.file = self.file, self.open()
        old.write(self.rest)
        self.rest = b''
        if self.rng.random() < 0.5 and os.fstat(old.fileno()).st_size >= FIRST:
            old.write(b''.join(self.line()
                               for _ in range(self.rng.randrange(50))))
        old.close()

    def copy_and_truncate(self):
        self.finish()
        self.make_room()
        shutil.copyfile(self.path(0), self.path(1))
        self.file.truncate(0)


class Reader:
    """A command, and the older logs that it names: the last `span` ones."""

    def __init__(self, log, name, argv, pattern, span, state, check):
        self.log, self.name, self.span = log, name, span
        self.pattern, self.state, self.check = pattern, state, check
        self.argv = argv + ['--name', name, '--state', state,
                            '--commit', '1ms']
        self.behind = 0         # rotations since it has read everything
        self.process = None
        self.warnings = 0

    def operands(self):
        if '*' not in self.pattern:
            names = [n + end for n in self.pattern.split()
                     for end in ('', '.gz')
                     if os.path.exists(os.path.join(self.log.folder,
                                                    n + end))]
        else:
            names = sorted(glob.glob(self.pattern, root_dir=self.log.folder))
        return names

    def start(self, more=(), kill_after=None):
        self.rotations = self.log.rotations
        self.until = None if kill_after is None else \
            time.monotonic() + kill_after
        with open(os.path.join(self.log.folder, self.name + '.err'),
                  'w') as err:
            self.process = subprocess.Popen(
                self.argv + self.operands() + list(more), stderr=err,
                cwd=self.log.folder, stdout=subprocess.DEVNULL,
                stdin=subprocess.DEVNULL)

    def poll(self):
        """How it has ended, if it has; it is killed when its time has come."""
        if self.until is not None and time.monotonic() >= self.until:
            self.process.kill()
            self.process.wait()
        status = self.process.poll()
        if status is None:
            return None
        self.ended(status)
        self.process = None
        return 'killed' if status == -signal.SIGKILL else 'ended'

    def ended(self, status):
        with open(os.path.join(self.log.folder, self.name + '.err')) as err:
            said = err.read().splitlines()
        moved = self.rotations != self.log.rotations
        if status in (2, -signal.SIGKILL) and moved and said and \
                said[-1].endswith(': No such file or directory'):
            return              # Between two renames.
        if status not in (0, -signal.SIGKILL):
            raise Wrong('%s ends with status %d: %s' % (
                self.name, status, said))
        for line in said:
            if not EXPECTED.search(line):
                raise Wrong('%s: %s' % (self.name, line))
            self.warnings += 1
        if status == 0 and not moved:
            self.behind = 0

    def stop(self):
        """Hold it, until it goes on."""
        # Not by send_signal, which reaps one that has just ended.
        os.kill(self.process.pid, signal.SIGSTOP)
        with open('/proc/%d/stat' % self.process.pid) as file:
            while file.read().rsplit(')', 1)[1].split()[0] in 'RSD':
                file.seek(0)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def dump(self):
        """The rows that the state holds."""
        text = subprocess.run(
            [self.argv[0], '--dump', '--name', self.name, '--state',
             self.state], cwd=self.log.folder, check=True,
            capture_output=True).stdout
        return list(map(json.loads, text.splitlines()))


class Wrong(Exception):
    pass


def equal(name, got, want):
    """Both are counters."""
    if got != want:
        extra, lacks = got - want, want - got
        raise Wrong('%s: too many %s, too few %s' % (
            name, dict(list(extra.items())[:5]), dict(list(lacks.items())[:5])))


def check_tally(reader, log):
    rows = reader.dump()
    equal(reader.name, collections.Counter(
        {r['k']: r['count'] for r in rows}), log.counts)
    equal(reader.name + ' sums', collections.Counter(
        {r['k']: r['sum_n'] for r in rows}), log.sums)


def check_changes(reader, log):
    """Each value was written once, and the last ones are those of all."""
    check_tally(reader, log)
    counts = collections.Counter()
    with open(os.path.join(log.folder, reader.name)) as file:
        for row in map(json.loads, file):
            if row['count'] <= counts[row['k']]:
                raise Wrong('%s: %s after %s' % (
                    reader.name, row, counts[row['k']]))
            counts[row['k']] = row['count']
    equal(reader.name + ' output', counts, log.counts)


def check_timeline(reader, log):
    counts = collections.Counter()
    for row in reader.dump():
        counts[row['k']] += sum(row['occupancies'])
    equal(reader.name, counts, log.counts)


def check_windows(reader, log):
    """Each window was written once."""
    reader.start(['--final'])
    reader.process.wait()
    reader.poll()
    windows = collections.Counter()
    with open(os.path.join(log.folder, reader.name)) as file:
        for row in map(json.loads, file):
            windows[row['k'], row['window_end']] += row['count']
    equal(reader.name, windows, log.windows)


def readers(log):
    """Oldest first, newest first, by a pattern, and all; two in one state."""
    old = ' '.join('web.log.%d' % i for i in range(log.kept, 0, -1))
    roll = ['rollcount', '-k', 'k', '-t', 't', '-w', '10s', '-l', '1h',
            '--no-zeros', '--output', 'windows']
    return [
        Reader(log, 'two', TALLY, 'web.log.1 web.log', 1, '1.db', check_tally),
        Reader(log, 'two_new', TALLY, 'web.log web.log.1', 1, '2.db',
               check_tally),
        Reader(log, 'pattern', TALLY, 'web.lo*[1gz]', 1, '1.db', check_tally),
        Reader(log, 'every', TALLY, 'web.log*', log.kept, '3.db', check_tally),
        Reader(log, 'changes', TALLY + ['-c', '--output', 'changes'],
               old + ' web.log', log.kept, '4.db', check_changes),
        Reader(log, 'windows', roll + ['-e', '10s'], old + ' web.log',
               log.kept, '4.db', check_windows),
        Reader(log, 'times', ['timeline', '-k', 'k', '--from', 't', '--to',
                              't', '--step', '10s'], 'web.log*', log.kept,
               '5.db', check_timeline),
    ]


class Round:
    def __init__(self, folder, rng):
        self.rng = rng
        self.log = Log(folder, rng, rng.choice([1, 2, 5]))
        every = readers(self.log)
        self.readers = rng.sample(every, rng.randrange(1, 5))
        self.held = []          # to end before something is written
        self.done = collections.Counter()
        self.trace = open(os.path.join(folder, 'trace'), 'w')

    def note(self, what):
        self.done[what.split()[0]] += 1
        self.trace.write('%.6f %s\n' % (time.monotonic(), what))
        self.trace.flush()

    def running(self):
        return [r for r in self.readers if r.process is not None]

    def start(self):
        idle = [r for r in self.readers if r.process is None]
        if not idle:
            return
        reader = self.rng.choice(idle)
        after = None if self.rng.random() < 0.3 else \
            self.rng.expovariate(1 / 0.02)
        self.note('start %s %s, kill after %s' % (
            reader.name, reader.operands(), after))
        reader.start(kill_after=after)

    def write(self):
        if not self.held:
            self.log.write()
            self.note('write up to line %d, %d bytes' % (
                self.log.n, self.log.size()))

    def rotate(self):
        if self.held or any(r.behind >= r.span for r in self.readers):
            return
        for reader in self.readers:
            reader.behind += 1
        if self.rng.random() < 0.5:
            self.log.rename()
            self.note('rename')
            return
        for reader in self.running():
            reader.stop()
        self.log.copy_and_truncate()
        self.note('truncate')
        self.held = self.running()
        for reader in self.held:
            reader.go_on()

    def compress(self):
        if self.held:
            return
        for reader in self.running():
            reader.stop()
        if self.log.compress():
            self.note('compress')
            self.held = self.running()
        for reader in self.running():
            reader.go_on()

    def poll(self):
        for reader in self.running():
            ended = reader.poll()
            if ended is not None:
                self.note('%s %s' % (ended, reader.name))
        self.held = [r for r in self.held if r.process is not None]

    def run(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.rng.choice([self.start, self.start, self.start, self.write,
                             self.write, self.rotate, self.compress])()
            time.sleep(self.rng.uniform(0, 0.02))
            self.poll()
        self.settle()

    def settle(self):
        """Let all have read all, and look at what they have counted."""
        self.log.finish()
        for reader in self.readers:
            for _ in range(2):          # The one that runs, and one more.
                if reader.process is None:
                    reader.start()
                reader.until = None
                reader.process.wait()
                reader.poll()
            reader.check(reader, self.log)

    def close(self):
        for reader in self.running():
            reader.process.kill()
            reader.process.wait()
        self.trace.close()
        self.log.file.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('bin_dir')
    parser.add_argument('--seconds', type=float, default=60)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--keep')
    o = parser.parse_args()
    os.environ['PATH'] = os.path.abspath(o.bin_dir) + ':' + os.environ['PATH']
    end = time.monotonic() + o.seconds
    done, seed, wrong = collections.Counter(), o.seed, None
    while time.monotonic() < end and wrong is None:
        with tempfile.TemporaryDirectory() as folder:
            this = Round(folder, random.Random(seed))
            try:
                this.run(min(ROUND, end - time.monotonic()))
            except Wrong as what:
                wrong = what
                print('seed %d, %s: %s' % (
                    seed, ', '.join(r.name for r in this.readers), what))
                if o.keep:
                    shutil.copytree(folder, o.keep)
            this.close()
        done += this.done
        done['lines'] += this.log.n
        done['rounds'] += 1
        seed += 1
    print(', '.join('%d %s' % (n, what) for what, n in sorted(done.items())),
          '' if wrong is None else 'WRONG', sep='; ')
    sys.exit(wrong is not None)


if __name__ == '__main__':
    main()
