#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Let each call that a command makes of the system fail once, and see that it
says so, or that its output is right all the same.

usage: faults.py BUILD [--case NAME] [--few N] [--seed S] [-v]

For each case in cases.py a run without faults counts the calls of each
function that tests/faults/faults.c knows; then each of them is let fail, one
in a run.  Such a run is

    right   the output and the status are as without the fault;
    told    it ends with status 2, or what else the manual page has for it,
            and a message on stderr; its output is whole lines from the
            beginning of the right one.

With --state the next run, without faults, must come to the same rows and the
same --output, byte for byte.  A call that comes back early (EINTR, or a
single byte read or written) must change nothing.

--few tries N calls of as many kinds in each case instead of all.  The last
lines tell how many calls were failed, and how those runs ended.
"""

import argparse
import collections
import errno
import glob
import multiprocessing
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'crash'), HERE]

from cases import CASES                                         # noqa: E402
from crash import rows                                          # noqa: E402

LIMIT = 60              # seconds, after which a run hangs

# What a call fails with; 0 is a single byte.  What is interrupted, or moves a
# single byte, must change nothing.
DISK = [errno.ENOSPC, errno.EIO]
HOWS = {
    'malloc': [errno.ENOMEM], 'calloc': [errno.ENOMEM],
    'realloc': [errno.ENOMEM], 'setenv': [errno.ENOMEM],
    'mmap': [errno.ENOMEM], 'read': [errno.EIO, errno.EINTR, 0],
    'pread': [errno.EIO, errno.EINTR, 0],
    'write': DISK + [errno.EINTR, 0], 'pwrite': DISK + [errno.EINTR, 0],
    'fsync': DISK, 'fdatasync': DISK, 'ftruncate': DISK,
    'fopen': [errno.EACCES], 'fwrite': DISK, 'fflush': DISK, 'fclose': DISK,
    'open': [errno.EMFILE], 'dup': [errno.EMFILE], 'pipe': [errno.EMFILE],
    'access': [errno.EACCES], 'realpath': [errno.EACCES],
    'getcwd': [errno.ENOENT], 'link': [errno.EPERM], 'rename': [errno.EIO],
    'fcntl': [errno.ENOLCK], 'poll': [errno.ENOMEM, errno.EINTR],
    'getrandom': [errno.ENOSYS, errno.EINTR],
    'pthread_create': [errno.EAGAIN], 'posix_spawnp': [errno.EAGAIN],
    'waitpid': [errno.EINTR],
}
QUIET = {0, errno.EINTR}
# What is so from then on; and each how manieth call is tried.
STAYS = [('disk:%d:28+', 1), ('disk:%d:5+', 1), ('memory:%d:12+', 10)]
GROUPS = {'disk': ['write', 'pwrite', 'fsync', 'fdatasync', 'ftruncate'],
          'memory': ['malloc', 'calloc', 'realloc']}


class Run:
    """What one run of a command has left."""

    def __init__(self, case, folder, env=()):
        self.status, self.err = None, ''
        counts = os.path.join(folder, '.counts')
        with open(counts, 'wb') as file:
            file.truncate(4096)
        env = {'PATH': os.path.join(BUILD, 'bin') + ':/usr/bin:/bin',
               'LC_ALL': 'C.UTF-8', 'FAULT_COUNTS': counts, 'LD_PRELOAD':
               os.path.join(BUILD, 'tests/faults/faults.so'), **dict(env)}
        if case.state:
            env['FAULT_CLOCK'] = '20'
        with open(os.path.join(folder, '.out'), 'w+b') as out, \
                open(os.path.join(folder, '.err'), 'w+b') as err, \
                case.open_stdin(folder) as stdin:
            try:
                self.status = subprocess.run(
                    case.argv, cwd=folder, env=env, stdin=stdin, stdout=out,
                    stderr=err, timeout=LIMIT).returncode
            except subprocess.TimeoutExpired:
                pass
            out.seek(0)
            err.seek(0)
            self.files = {'stdout': case.plain(out.read())}
            self.err = case.plain(err.read()).decode()
        for name in case.files:
            path = os.path.join(folder, name)
            self.files[name] = b''
            if os.path.exists(path):
                with open(path, 'rb') as file:
                    self.files[name] = case.plain(file.read())
        with open(counts, 'rb') as file:
            self.failed, *calls = struct.unpack('=Q' + '24sQ' * 127,
                                                file.read(4072))
        self.calls = {name.rstrip(b'\0').decode(): n for name, n
                      in zip(calls[::2], calls[1::2]) if n}

    def is_right(self, want):
        return self.status == want.status and self.files == want.files and \
            set(want.err.splitlines()) <= set(self.err.splitlines())

    def wrong(self, case, want):
        """What is wrong with a run that is not right, if anything."""
        if self.status is None:
            return 'hangs'
        if self.status < 0:
            return 'killed by signal %d: %s' % (-self.status, self.err)
        if self.status not in case.told:
            return 'status %d, %d wanted, and output %s%s' % (
                self.status, want.status, self.differs(want), self.err)
        said = set(self.err.splitlines()) - set(want.err.splitlines())
        if not any(s.startswith(case.argv[0] + ': ') for s in said) and \
                b'"command":"log"' not in self.files['stdout']:
            return 'status %d without a message' % self.status
        for name, text in self.files.items():
            if not case.is_part(name, text, want.files[name]):
                return '%s is no part of the right one: %r' % (
                    name, text[-200:])
        return None

    def differs(self, want):
        return 'that differs: %s; ' % ' '.join(
            n for n in want.files if self.files[n] != want.files[n]) \
            if self.files != want.files else ''


def left(case, folder):
    """What lies in the folder that is not to."""
    return [name for name in os.listdir(folder)
            if name[0] != '.' and '-wal' not in name and '-shm' not in name
            and name not in case.files and name not in case.inputs
            and name not in ('state.db', 'pids')]


def spouted(run):
    """What a spout has sent."""
    return {line for line in run.files['stdout'].splitlines()
            if b'"emit"' in line}


def complete_spout(case, folder, want):
    """Two tuples are acked, perhaps.  The others are to come again."""
    case.stdin, stdin = 'rest.storm', case.stdin
    rest, none = Run(case, folder), Run(case, folder)
    case.stdin = stdin
    if rest.status > 1 or none.status > 1:
        return 'the next run ends with status %s: %s' % (
            rest.status, rest.err + none.err)
    if not want.spouted <= spouted(rest):
        return 'the next run lacks %s' % (want.spouted - spouted(rest))
    if spouted(none):
        return 'what was acked comes again'
    return None


def complete(case, folder, want):
    """Run it again without a fault.  What is wrong, if anything."""
    if case.spouts:
        return complete_spout(case, folder, want)
    if case.is_dump:
        return None if rows(os.path.join(folder, 'state.db')) == want.rows \
            else 'the state has changed'
    run = Run(case, folder)
    if run.status not in (0, want.status):
        return 'the next run ends with status %s: %s' % (run.status, run.err)
    if run.files.get('output') != want.files.get('output'):
        return 'the next run comes to another output'
    for name in set(case.files) - {'output', 'stats'}:
        if not set(want.files[name].splitlines()) <= \
                set(run.files[name].splitlines()):
            return '%s lacks something after the next run' % name
    if rows(os.path.join(folder, 'state.db')) != want.rows:
        return 'the next run comes to another state'
    return None


class Stage:
    """What each run of a case begins with: the files of a folder, which stay
    the same files, as a state knows them by their inodes."""

    def __init__(self, name, stage):
        self.case, self.key = CASES[name], '%s.%s' % (name, stage)
        self.folder = os.path.join(ROOT, '%s.%d' % (self.key, os.getpid()))
        os.mkdir(self.folder)
        self.case.prepare(self.folder, stage,
                          lambda before: Run(before, self.folder))
        self.files = {}
        for path in glob.glob(os.path.join(self.folder, '*')):
            if os.path.isfile(path):
                with open(path, 'rb') as file:
                    self.files[path] = file.read()

    def begin(self):
        for path in glob.glob(os.path.join(self.folder, '*')):
            if path not in self.files and os.path.isfile(path):
                os.unlink(path)
        for path, text in self.files.items():
            with open(path, 'r+b' if os.path.exists(path) else 'wb') as file:
                file.truncate(file.write(text))


STAGES = {}     # those that this process has had to do with


def attempt(job):
    """Run a case with a fault: how it ended, and what is wrong with that."""
    name, stage, want, fault = job
    if (name, stage) not in STAGES:
        STAGES[name, stage] = Stage(name, stage)
    this = STAGES[name, stage]
    case, folder = this.case, this.folder
    this.begin()
    run = Run(case, folder, {'FAULT': fault})
    quiet = int(fault.split(':')[2].rstrip('+')) in QUIET
    ended, wrong = 'right', None
    if run.failed == 0:
        return job, 'missed', None
    if not run.is_right(want):
        ended = 'told'
        wrong = run.wrong(case, want)
        if wrong is None and quiet:
            wrong = 'ends with: ' + run.err
    stray = left(case, folder)
    if wrong is None and stray:
        wrong = 'leaves %s' % stray
    if wrong is None and case.state:
        wrong = complete(case, folder, want)
        if wrong is not None:
            wrong += '; said before: %s' % run.err
    return job, ended, wrong


def undisturbed(name, stage):
    """What a run without a fault leaves."""
    this = Stage(name, stage)
    case, folder = this.case, this.folder
    want = Run(case, folder)
    if want.status not in (0, 1) or left(case, folder):
        sys.exit('%s: status %s without a fault: %s %s' % (
            name, want.status, want.err, left(case, folder)))
    if case.spouts:
        case.stdin, stdin = 'rest.storm', case.stdin
        want.spouted = spouted(Run(case, folder))
        case.stdin = stdin
    elif case.state:
        want.rows = rows(os.path.join(folder, 'state.db'))
    return want


def faults(calls, few, rng):
    """The faults to try, for a run that makes these calls."""
    kinds = [('%s:%%d:%d' % (name, how), n, 1) for name, n in calls.items()
             for how in HOWS.get(name, [errno.EIO])]
    for fault, step in STAYS:
        n = sum(calls.get(name, 0) for name in GROUPS[fault.split(':')[0]])
        if n != 0:
            kinds.append((fault, n, step))
    if few is not None:
        return [fault % rng.randint(1, n) for fault, n, _ in
                rng.sample(kinds, min(few, len(kinds)))]
    return [fault % i for fault, n, step in kinds
            for i in range(1, n + 1, step)]


def tell(job, ended, wrong):
    name, stage, _, fault = job
    print('%s %s, %s: %s, %s' % (name, stage, fault, ended,
                                 wrong or 'as it should be'))
    if wrong is not None:
        print('    FAULT=%s %s' % (fault, ' '.join(CASES[name].argv)))
    sys.stdout.flush()


def main():
    global BUILD, ROOT
    parser = argparse.ArgumentParser()
    parser.add_argument('build')
    parser.add_argument('--case', choices=sorted(CASES))
    parser.add_argument('--few', type=int)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('-v', action='store_true')
    o = parser.parse_args()
    BUILD = os.path.abspath(o.build)
    memory = '/dev/shm' if os.access('/dev/shm', os.W_OK) else None
    rng = random.Random(o.seed)
    ends = collections.defaultdict(collections.Counter)
    bad = 0
    with tempfile.TemporaryDirectory(dir=memory) as ROOT:
        jobs = [(name, stage, want, fault)
                for name in ([o.case] if o.case else sorted(CASES))
                for stage in CASES[name].stages
                for want in [undisturbed(name, stage)]
                for fault in faults(want.calls, o.few, rng)]
        with multiprocessing.Pool() as pool:
            for job, ended, wrong in pool.imap_unordered(attempt, jobs, 8):
                name, _, _, fault = job
                what, _, how = fault.split(':')
                key = CASES[name].argv[0], re.sub(r'\d+', '', what + how), \
                    int(how.rstrip('+')) in QUIET
                ends[key][ended if wrong is None else 'WRONG'] += 1
                bad += wrong is not None
                if o.v or wrong is not None:
                    tell(job, ended, wrong)
    for (command, what, quiet), n in sorted(ends.items()):
        print('%-10s %-15s %s: %d, %s' % (
            command, what, 'comes back early' if quiet else 'fails',
            sum(n.values()),
            ', '.join('%s %d' % (k, n[k]) for k in sorted(n))))
    print('%d passed, %d failed' % (
        sum(map(lambda n: sum(n.values()), ends.values())) - bad, bad))
    sys.exit(1 if bad else 0)


if __name__ == '__main__':
    main()
