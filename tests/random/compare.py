#!/usr/bin/env python3
"""Compare the binaries with the models on random streams, row by row.

usage: compare.py BIN_DIR [--seeds A-B] [--command NAME]

The first seeds are also run in pieces, with --state.

Everything is compared byte for byte, but for sums with a fraction, and for the
white space around a line of a side file.  Ends with 1 on a difference.
"""

import argparse
import difflib
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import dedup
import keep
import model
import pieces
import rollcount
import sessions
import sjoin
import streams
import tally
import timeline
import topn

MODELS = {'dedup': dedup, 'keep': keep, 'rollcount': rollcount,
          'sessions': sessions, 'sjoin': sjoin, 'tally': tally,
          'timeline': timeline, 'topn': topn}
TIMEOUT = 60
TOLERANCE = 1e-9
IN_PIECES = 60                  # seeds; each takes many runs, which sync the disk


def same_row(want, got):
    """Equal; or but for values that the model gives as doubles."""
    if want == got:
        return True
    want, got = (re.split(rb'([,:}])', row) for row in (want, got))
    return len(want) == len(got) and all(map(same_value, want, got))


def same_value(want, got):
    """Equal, or near enough for a number with a point or an exponent."""
    if want == got:
        return True
    if want[:1] == b'~' and model.NUMBER.fullmatch(got):
        value, off = map(float, want[1:].split(b'~'))
        return abs(float(got) - value) <= off
    if not model.NUMBER.fullmatch(want) or not model.NUMBER.fullmatch(got):
        return False
    return bool(re.search(rb'[.e]', want)) and math.isclose(
        float(want), float(got), rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def first_difference(want, got, same=same_row):
    """A unified diff around the first row that differs, or nothing."""
    want, got = want.split(b'\n'), got.split(b'\n')
    for i in range(max(len(want), len(got))):
        if i >= len(want) or i >= len(got) or not same(want[i], got[i]):
            break
    else:
        return []
    # Rows before it are the same for us: shown as the model has them.
    first = max(0, i - 3)
    rows = [[row.decode('utf-8', 'backslashreplace')
             for row in want[first:i] + side[i:i + 4]] for side in (want, got)]
    return ['first difference at row %d' % (i + 1)] + list(
        difflib.unified_diff(*rows, 'model', 'binary', lineterm=''))


def status_name(status):
    return 'signal %d' % -status if status < 0 else str(status)


def differences(binary, command, argv, data, folder):
    """Run both on a stream: what differs, as lines of text."""
    want = MODELS[command].run(argv, data)
    try:
        got = subprocess.run([binary] + argv, input=data, capture_output=True,
                             timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return ['no end after %d s' % TIMEOUT]
    out = first_difference(want.out, got.stdout)
    for option in pieces.SIDES:
        if option not in argv:
            continue
        side = argv[argv.index(option) + 1]
        try:
            with open(side, 'rb') as file:
                got_side = file.read()
            os.unlink(side)
        except FileNotFoundError:
            out.append(option + ': no file')
            continue
        diff = first_difference(want.side, got_side,
                                lambda a, b: a.strip() == b.strip())
        out += [option + ':'] + diff if diff else []
        if command == 'sjoin' and got.returncode in (0, 1):
            out += sjoin.accounted(argv, data, got.stdout, got_side)
    if got.returncode != want.status:
        out.append('status: model %d, binary %s' % (
            want.status, status_name(got.returncode)))
    if out and got.stderr:
        out.append('stderr: ' + got.stderr.decode('utf-8', 'backslashreplace')[:1000])
    return out


def write(folder, files):
    os.makedirs(folder, exist_ok=True)
    for name, data in files.items():
        with open(os.path.join(folder, name), 'wb') as file:
            file.write(data)


def put_in(folder, argv):
    return [arg.replace('@/', folder + '/') for arg in argv]


def seeds(text):
    first, _, last = text.partition('-')
    return range(int(first), int(last or first) + 1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('bin_dir')
    parser.add_argument('--seeds', type=seeds, default=seeds('1-300'), metavar='A-B')
    parser.add_argument('--command', choices=sorted(MODELS))
    o = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for command in [o.command] if o.command else sorted(MODELS):
            binary = os.path.join(o.bin_dir, command)
            bad = 0
            for seed in o.seeds:
                argv, data, files = streams.make(command, seed)
                write(folder, files)
                out = differences(binary, command, put_in(folder, argv), data, folder)
                if seed <= IN_PIECES and not files and command in pieces.ALL_AT_ONCE:
                    out += pieces.differences(
                        binary, command, put_in(folder, argv), data, folder,
                        TIMEOUT, seed, first_difference)
                if not out:
                    continue
                bad += 1
                kept = os.path.join(tempfile.gettempdir(), '%s-%d' % (command, seed))
                write(kept, {**files, 'stdin': data})
                print('%s: seed %d\n%s < %s/stdin\n%s\n' % (
                    command, seed, shlex.join([binary] + put_in(kept, argv)), kept,
                    '\n'.join(out)))
            print('%s: %d streams, %d differ' % (command, len(o.seeds), bad))
            failed += bad
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
