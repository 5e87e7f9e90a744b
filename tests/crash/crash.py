#!/usr/bin/env python3
"""Kill stateful commands at random moments, and hold what they leave against
what an undisturbed run leaves: the --output file byte for byte, the state
row for row.

usage: crash.py BIN_DIR [--kills N] [--seed S] [--command NAME]
       crash.py --dump STATE

Ends with 1 on a difference.  --dump prints what would be compared.
"""

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

TUPLES = 400000
STAYS = 60000
FEW = 100               # for fewer kills a quarter of the input will do


def spout(bin_dir, path, *args):
    with open(path, 'wb') as file:
        subprocess.run([os.path.join(bin_dir, 'spout'), *args], stdout=file,
                       check=True)


def make_inputs(bin_dir, folder, share):
    tuples, stays = TUPLES // share, STAYS // share
    spout(bin_dir, os.path.join(folder, 'words'), 'zipf', '-n', str(tuples),
          '--keys', '5000', '--jitter', '5s')
    rng = random.Random(7)
    with open(os.path.join(folder, 'stays'), 'w') as file:
        for _ in range(stays):
            start = 1374908400000 + rng.randrange(5 * 10 ** 8)
            file.write('{"room":"r%d","from":%d,"to":%d}\n' % (
                rng.randrange(20), start, start + rng.randrange(10 ** 7)))


    events = []
    for i in range(4 * stays):
        start = 1374908400000 + rng.randrange(10 ** 8)
        for stream in 'AB' if i % 7 else 'A':
            events.append((start, '{"id":%d,"stream":"%s","ts":%d}\n' % (
                rng.randrange(stays) if i % 3 else i, stream, start)))
            start += rng.randrange(10 ** 6)
    events.sort()
    for name, wanted in ('events', 'AB'), ('a', 'A'), ('b', 'B'):
        with open(os.path.join(folder, name), 'w') as file:
            file.writelines(line for _, line in events
                            if line[line.index('"stream":"') + 10] in wanted)


JOIN = ['-k', 'id', '-t', 'ts', '-w', '20m', '-l', '10m', '-a', 'A']

# What is run, and the input: stdin, or operands.
CASES = {
    'tally': (['tally', '-k', 'word', '-a',
               'count,sum:ts,min:ts,mean:ts,last:ts'], 'words'),
    'tally-c': (['tally', '-k', 'word', '-c', '--batch', '777'], 'words'),
    'timeline': (['timeline', '-k', 'room', '--from', 'from', '--to', 'to'],
                 'stays'),
    'timeline-c': (['timeline', '-k', 'room', '--from', 'from', '--to', 'to',
                    '-c', '--batch', '5000'], 'stays'),
    'rollcount': (['rollcount', '-k', 'word', '-t', 'ts', '-w', '60s', '-e',
                   '10s', '-l', '5s', '-T'], 'words'),
    'dedup': (['dedup', '-k', 'word'], 'words'),
    'dedup-w': (['dedup', '-k', 'word', '-t', 'ts', '-w', '60s', '-l', '5s'],
                'words'),
    'sjoin': (['sjoin', '-s', 'stream', *JOIN, 'A', 'B'], 'events'),
    'sjoin-m': (['sjoin', '-m', '-s', 'stream', *JOIN, 'A', 'B'], 'events'),
    'sjoin-table': (['sjoin', '-s', 'stream', *JOIN, '--table', 'B', 'A', 'B'],
                    'events'),
    'sjoin-files': (['sjoin', *JOIN, '-d', 'replace', '-o', 'id,A.ts,B.ts'],
                    ['A=@/a', 'B=@/b']),
}


def rows(path):
    """All rows of the state, without what differs from run to run."""
    db = sqlite3.connect(path)
    db.text_factory = bytes
    out = {}
    for (name,) in db.execute('select name from sqlite_master'
                              ' where type = "table"').fetchall():
        name = name.decode()
        if name.startswith('tupletools_') or name.endswith(('_inputs', '_outputs')):
            continue
        columns = [c[1].decode() for c in
                   db.execute('pragma table_info("%s")' % name)]
        keep = ', '.join('"%s"' % c for c in columns if c != '_touched')
        out[name] = sorted(map(repr, db.execute(
            'select %s from "%s"' % (keep, name))))
    db.close()
    return out


class Run:
    def __init__(self, argv, source, folder):
        os.makedirs(folder)
        self.out = os.path.join(folder, 'out')
        self.state = os.path.join(folder, 'state.db')
        self.argv = argv + ['--state', self.state, '--output', self.out,
                            '--commit', '1ms']
        self.stdin = None
        if isinstance(source, list):
            self.argv += source
        else:
            self.stdin = source

    def start(self):
        with open(self.stdin or os.devnull, 'rb') as stdin:
            return subprocess.Popen(self.argv, stdin=stdin)

    def left(self):
        with open(self.out, 'rb') as file:
            return file.read(), rows(self.state)


def differences(want, got):
    out = []
    if want[0] != got[0]:
        n = next((i for i, (a, b) in enumerate(zip(*[x[0] for x in (want, got)]))
                  if a != b), min(len(want[0]), len(got[0])))
        out.append('output differs at byte %d: %r, %r' % (
            n, want[0][n:n + 60], got[0][n:n + 60]))
    for name in sorted(set(want[1]) | set(got[1])):
        a, b = want[1].get(name, []), got[1].get(name, [])
        if a != b:
            extra = sorted(set(a) ^ set(b))[:3]
            out.append('table %s differs: %s' % (name, extra))
    return out


def case(name, bin_dir, folder, kills, rng):
    argv, source = CASES[name]
    argv = [os.path.join(bin_dir, argv[0])] + argv[1:]
    if isinstance(source, list):
        source = [name.replace('@', folder) for name in source]
    else:
        source = os.path.join(folder, source)
    calm = Run(argv, source, os.path.join(folder, name, 'calm'))
    begun = time.monotonic()
    if calm.start().wait() != 0:
        return ['the undisturbed run failed'], 0, 0
    takes = time.monotonic() - begun
    want = calm.left()
    done, runs, bad = 0, 0, []
    while done < kills and not bad:
        here = os.path.join(folder, name, 'killed')
        killed = Run(argv, source, here)
        longest = takes * 0.6
        while done < kills + 1000:
            process = killed.start()
            runs += 1
            try:
                status = process.wait(rng.uniform(0, longest))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                status = process.wait()
            if status == -signal.SIGKILL:       # By whomever.
                done += 1
                longest *= 1.01         # On a busy machine nothing would end.
                continue
            if status != 0:
                bad.append('ended with status %d' % status)
            break
        bad += differences(want, killed.left())
        shutil.rmtree(here)
    return bad, done, runs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('bin_dir', nargs='?')
    parser.add_argument('--dump')
    parser.add_argument('--kills', type=int, default=1000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--command', choices=sorted(CASES))
    o = parser.parse_args()
    if o.dump:
        for name, found in sorted(rows(o.dump).items()):
            print(name, *found, sep='\n')
        return
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        make_inputs(o.bin_dir, folder, 1 if o.kills >= FEW else 4)
        for name in [o.command] if o.command else sorted(CASES):
            bad, done, runs = case(name, o.bin_dir, folder, o.kills,
                                   random.Random('%s-%d' % (name, o.seed)))
            print('%s: %d kills in %d runs, %s' % (
                name, done, runs, 'as if undisturbed' if not bad else 'DIFFERENT'))
            for line in bad:
                print('    ' + line)
            failed += bool(bad)
            sys.stdout.flush()
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
