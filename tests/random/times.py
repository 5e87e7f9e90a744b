#!/usr/bin/env python3
# SPDX-License-Identifier: ISC
"""Times by random formats, as Python's datetime writes and reads them.

usage: times.py BIN_DIR [SEED]

A format is put together of what tells a date, a clock, a fraction and an
offset, in any order.  Times are written by it, some are changed by a byte.
What timeline makes of them by --time-format must be what strptime of datetime
makes of them.
"""

import datetime
import json
import os
import random
import subprocess
import sys

FORMATS, LINES = 40, 200
DATES = ['%Y-%m-%d', '%d.%m.%Y', '%d/%b/%Y', '%a, %d %B %Y', '%Y %j', '%y%m%d',
         '%A %b %d %Y']
CLOCKS = ['%H:%M:%S', '%I:%M:%S %p', '%H%M%S', '%H h %M m %S']
OFFSETS = ['', ' %z', '%z']
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
MICROSECOND = datetime.timedelta(microseconds=1)


def make_format(rng):
    clock = rng.choice(CLOCKS)
    if rng.random() < 0.5:
        clock = clock.replace('%S', '%S' + rng.choice('.,') + '%f')
    parts = [rng.choice(DATES), clock]
    rng.shuffle(parts)
    return rng.choice(['T', ' ', ' at ', ':', '%%']).join(parts) + \
        rng.choice(OFFSETS)


def make_time(rng):
    zone = datetime.timezone(datetime.timedelta(
        minutes=rng.randrange(-14 * 60, 14 * 60)))
    return datetime.datetime(1970, 1, 1, tzinfo=zone) + datetime.timedelta(
        seconds=rng.randrange(60 * 366 * 86400),
        microseconds=rng.randrange(10**6))


def change(text, rng):
    at = rng.randrange(len(text))
    return text[:at] + rng.choice('0123456789 :+-aP') + text[at + 1:]


def python(text, form):
    """Milliseconds, or None where it is no time."""
    try:
        t = datetime.datetime.strptime(text, form)
    except ValueError:
        return None
    if t.tzinfo is None:
        t = t.replace(tzinfo=datetime.timezone.utc)
    return (t - EPOCH) // MICROSECOND // 1000


def timeline(binary, texts, form):
    """Of each text milliseconds, or None where it is a bad line."""
    lines = ''.join(json.dumps({'k': i, 't': t}) + '\n'
                    for i, t in enumerate(texts))
    run = subprocess.run(
        [binary, '-k', 'k', '--from', 't', '--to', 't', '--step', '1ms',
         '--slice', '1ms', '-q', '--time-format', form],
        input=lines, capture_output=True, text=True)
    got = [None] * len(texts)
    for row in map(json.loads, run.stdout.splitlines()):
        got[row['k']] = row['sliceStartMillis']
    return got


def main():
    binary = os.path.join(sys.argv[1], 'timeline')
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    wrong = read = 0
    for _ in range(FORMATS):
        form = make_format(rng)
        texts = [make_time(rng).strftime(form) for _ in range(LINES)]
        # What is changed one of both may take: the seconds of Python end at
        # 61, its days of the week are not looked at, and so on.
        changed = [change(t, rng) for t in texts]
        want = [python(t, form) for t in texts + changed]
        got = timeline(binary, texts + changed, form)
        for i, text in enumerate(texts + changed):
            read += got[i] is not None
            if got[i] != want[i] and (i < LINES or None not in
                                      (got[i], want[i])):
                print('%s by %s: expected %s, got %s' % (
                    text, form, want[i], got[i]))
                wrong += 1
    if read < FORMATS * LINES:
        print('only %d were read' % read)
    sys.exit(wrong != 0 or read < FORMATS * LINES)


if __name__ == '__main__':
    main()
