#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Feed commands with --live from a random source, and look for each tuple in
the rows, or else among the late ones: it must be there once.

usage: live.py BIN_DIR [--seconds N] [--seed S] [--keep FOLDER]

The source writes bursts with random pauses between them, some of them longer
than D.  Times are about those of the clock, out of order by more than -l at
times, so that what comes is late by the time that went on by itself.  Some of
the commands have a state and end now and then; the next one goes on.  A round
takes some seconds; then all commands end, and:

rollcount	a window has, once, the tuples of it that are not late
sessions	the sessions of a key have, once, its tuples that are not
		late; of times that theirs have
sjoin		a tuple is in one row, or among those that failed, once

Ends with 1 on a difference; --keep then has the files.
"""

import argparse
import collections
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROUND = 2.5                     # seconds
KEYS = 'abcdef'


class Wrong(Exception):
    pass


class Command:
    """A command that is fed by pipes, one for each of its streams."""

    def __init__(self, folder, name, argv, late, streams=1, state=False):
        self.folder = os.path.join(folder, name)
        os.mkdir(self.folder)
        self.argv = argv + [late, 'late']
        self.streams, self.state = streams, state
        if state:
            self.argv += ['--state', 's.db', '--commit', '1ms']
        self.sent = []          # (stream, tuple)
        self.start()

    def start(self, *more):
        pipes = [os.pipe() for _ in range(self.streams)]
        names = ['/dev/fd/%d' % r for r, _ in pipes]
        if self.streams > 1:
            names = [s + '=' + n for s, n in zip('xy', names)]
        with open(os.path.join(self.folder, 'rows'), 'ab') as rows, \
                open(os.path.join(self.folder, 'err'), 'ab') as err:
            self.process = subprocess.Popen(
                self.argv + list(more) + names, cwd=self.folder, stdout=rows,
                stderr=err, pass_fds=[r for r, _ in pipes])
        for r, _ in pipes:
            os.close(r)
        self.pipes = [open(w, 'wb', buffering=0) for _, w in pipes]

    def send(self, stream, row):
        self.pipes[stream].write(json.dumps(row).encode() + b'\n')
        self.sent.append((stream, row))

    def end(self):
        for pipe in self.pipes:
            pipe.close()
        if self.process.wait() != 0:
            raise Wrong('%s: ends with status %d' % (
                self.folder, self.process.returncode))

    def again(self):
        self.end()
        self.start()

    def finish(self):
        self.end()
        if self.state:
            self.start('--final')
            self.end()

    def read(self, name):
        with open(os.path.join(self.folder, name)) as lines:
            return [json.loads(line) for line in lines]

    def equal(self, got, want):
        if got != want:
            raise Wrong('%s: %r more, %r less than expected' % (
                self.folder, got - want, want - got))


def tuples(rows):
    return collections.Counter(r['n'] for r in rows)


class Rollcount(Command):
    def __init__(self, folder, name, rng, live, state):
        self.window = rng.choice([20, 50, 200])
        super().__init__(folder, name, [
            'rollcount', '-k', 'k', '-t', 't', '-a', 'count,sum:n', '-w',
            '%dms' % self.window, '-l', '%dms' % rng.choice([0, 30]), '--live',
            live, '--no-zeros'], '--late', state=state)

    def check(self):
        late = tuples(self.read('late'))
        want = collections.Counter()
        for _, row in self.sent:
            if late[row['n']] > 0:
                late[row['n']] -= 1
                continue
            end = row['t'] // self.window * self.window + self.window
            want[row['k'], end, 'count'] += 1
            want[row['k'], end, 'sum'] += row['n']
        self.equal(+late, collections.Counter())
        got = collections.Counter()
        ends = []
        for row in self.read('rows'):
            ends.append(row['window_end'])
            got[row['k'], ends[-1], 'count'] += row['count']
            got[row['k'], ends[-1], 'sum'] += row['sum_n']
        self.equal(got, want)
        if ends != sorted(ends):
            raise Wrong('%s: windows go back' % self.folder)


class Sessions(Command):
    def __init__(self, folder, name, rng, live, state):
        super().__init__(folder, name, [
            'sessions', '-k', 'k', '-t', 't', '-a', 'count,sum:n', '-g',
            '%dms' % rng.choice([5, 20, 80]), '-l',
            '%dms' % rng.choice([0, 30]), '--live', live], '--late',
            state=state)

    def check(self):
        late = tuples(self.read('late'))
        got, want = collections.Counter(), collections.Counter()
        spans = collections.defaultdict(list)
        for row in self.read('rows'):
            spans[row['k']].append((row['session_start'], row['session_end']))
            got[row['k'], 'count'] += row['count']
            got[row['k'], 'sum'] += row['sum_n']
        for _, row in self.sent:
            if late[row['n']] > 0:
                late[row['n']] -= 1
                continue
            want[row['k'], 'count'] += 1
            want[row['k'], 'sum'] += row['n']
            if not any(start <= row['t'] <= end
                       for start, end in spans[row['k']]):
                raise Wrong('%s: %r is in no session' % (self.folder, row))
        self.equal(+late, collections.Counter())
        self.equal(got, want)


class Sjoin(Command):
    def __init__(self, folder, name, rng, live, state):
        super().__init__(folder, name, [
            'sjoin', '-k', 'k', '-t', 't', '-w', '%dms' % rng.choice([5, 40]),
            '-l', '%dms' % rng.choice([0, 30]), '--live', live, '--idle',
            '%dms' % rng.choice([1, 20, 100])], '--expired', 2, state)

    def check(self):
        got = tuples(r['tuple'] for r in self.read('late'))
        for row in self.read('rows'):
            got.update(tuples([row['x'], row['y']]))
        self.equal(got, tuples(row for _, row in self.sent))


def feed(rng, commands, until):
    while time.monotonic() < until:
        for _ in range(rng.choice([1, 1, 5, 50])):
            for command in commands:
                ms = int(time.time() * 1000) - (
                    rng.randrange(300) if rng.random() < 0.3 else 0)
                command.send(rng.randrange(command.streams), {
                    'k': rng.choice(KEYS), 'n': rng.getrandbits(48), 't': ms})
        time.sleep(rng.choice([0.001, 0.01, 0.01, 0.05, 0.3]))
        if rng.random() < 0.05:
            command = rng.choice(commands)
            if command.state:
                command.again()


def play(folder, seed, seconds):
    rng = random.Random(seed)
    live = '%dms' % rng.choice([1, 10, 60])
    commands = [kind(folder, '%s%d' % (kind.__name__.lower(), state), rng,
                     live, bool(state))
                for kind in (Rollcount, Sessions, Sjoin) for state in (0, 1)]
    feed(rng, commands, time.monotonic() + seconds)
    late = 0
    for command in commands:
        command.finish()
        command.check()
        late += len(command.read('late'))
    return sum(len(c.sent) for c in commands), late


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('bin')
    parser.add_argument('--seconds', type=float, default=ROUND)
    parser.add_argument('--seed', type=int)
    parser.add_argument('--keep')
    args = parser.parse_args()
    os.environ['PATH'] = os.path.abspath(args.bin) + ':' + os.environ['PATH']
    seed = args.seed if args.seed is not None else \
        random.SystemRandom().randrange(1 << 30)
    end = time.monotonic() + args.seconds
    total = late = 0
    while total == 0 or time.monotonic() < end:
        folder = tempfile.mkdtemp()
        try:
            sums = play(folder, seed,
                        min(ROUND, max(end - time.monotonic(), 0.5)))
        except Wrong as wrong:
            print('seed %d: %s' % (seed, wrong))
            if args.keep:
                shutil.copytree(folder, args.keep, dirs_exist_ok=True)
            return 1
        finally:
            shutil.rmtree(folder)
        total, late, seed = total + sums[0], late + sums[1], seed + 1
    print('%d tuples, of which %d were late or alone, are there once' % (
        total, late))
    return 0


if __name__ == '__main__':
    sys.exit(main())
