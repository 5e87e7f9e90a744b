"""A run that is cut into many, which --state carries on, against one run.

The input grows by a piece of random length, which may end within a line,
before each run.  What the runs write together is what one writes; of tally
and timeline, which write at the end of each run, it is what the state holds.
"""

import os
import random
import subprocess

SIDES = '--late', '--expired', '--dropped'      # files
# What the options of the state have to leave alone.
ALL_AT_ONCE = {'dedup': True, 'rollcount': True, 'sessions': True,
               'sjoin': True, 'tally': False,
               'timeline': False}


def run(binary, argv, path, timeout):
    """What it writes; the status does not tell of the runs before."""
    with open(path, 'rb') as data:
        done = subprocess.run([binary] + argv, stdin=data, capture_output=True,
                              timeout=timeout)
    # A sanitizer ends with 1, too, if nobody has said otherwise.
    if done.returncode not in (0, 1) or b'runtime error' in done.stderr:
        raise RuntimeError(done.stderr.decode('utf-8', 'backslashreplace'))
    return done.stdout


def side_of(argv):
    """The side file, if there is one."""
    for option in SIDES:
        if option in argv:
            return argv[argv.index(option) + 1]
    return None


def take(path):
    """What is in the file, which then is gone."""
    if path is None or not os.path.exists(path):
        return b''
    with open(path, 'rb') as file:
        data = file.read()
    os.unlink(path)
    return data


def cut(data, rng):
    """How long the input is for each of the runs."""
    points = [rng.randrange(len(data) + 1) for _ in range(rng.randrange(1, 5))]
    return sorted(points) + [len(data)]


def in_pieces(binary, command, argv, data, folder, timeout, rng):
    """stdout, or the state, and the side file; of one run, of many."""
    path, out, state = (os.path.join(folder, name)
                        for name in ('pieces', 'pieces.out', 'pieces.db'))
    side, at_once = side_of(argv), ALL_AT_ONCE[command]
    to_file = rng.random() < 0.5
    for name in os.listdir(folder):
        if name.startswith('pieces'):
            os.unlink(os.path.join(folder, name))
    with open(path, 'wb') as file:
        file.write(data)
    take(side)
    alone = ['--state', state + '0', '--final'] if not at_once else []
    want = run(binary, argv + alone, path, timeout), take(side)
    os.unlink(path)
    got, upto = b'', 0
    for i, end in enumerate(cuts := cut(data, rng)):
        with open(path, 'ab') as file:
            file.write(data[upto:end])
        upto = end
        got += run(binary, argv + ['--state', state] +
                   (['--output', out] if to_file else []) +
                   (['--final'] if i == len(cuts) - 1 else []), path, timeout)
    got = got + take(out), take(side)
    if at_once:
        return want, got
    return tuple((run(binary, argv + ['--state', db, '--dump'], path, timeout),
                  b'') for db in (state + '0', state))


def differences(binary, command, argv, data, folder, timeout, seed, first):
    """What differs between one run and many, as lines of text."""
    try:
        want, got = in_pieces(binary, command, argv, data, folder, timeout,
                              random.Random('pieces %s %d' % (command, seed)))
    except (RuntimeError, subprocess.TimeoutExpired) as e:
        return ['in pieces: %s' % e]
    return [line for what, a, b in zip(('rows', 'side file'), want, got)
            for line in [what + ', in pieces:'] + first(a, b)
            if a != b and first(a, b)]
