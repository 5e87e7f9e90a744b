#!/usr/bin/env python3
"""coverage.py BUILD - name each line that no test has run, and the reason.

Reads BUILD/lines, which gcovr has written, and tests/uncovered.  Ends with 1
where a line has no reason there.
"""
import re
import sys

REASONS = 'tests/uncovered'


def uncovered(report):
    """Each line of code that was not run, as FILE:NUMBER and its text."""
    name = ''
    for row in open(report):
        name = row.split()[0] if row.startswith(('lib/', 'cmd/')) else name
        found = re.search(r'\d+%\s+([\d,-]+)\s*$', row)
        if not found or not name:
            continue
        with open(name) as code:
            text = code.read().split('\n')
        for part in found.group(1).strip(',').split(','):
            first, _, last = part.partition('-')
            for i in range(int(first), int(last or first) + 1):
                yield f'{name}:{i}', text[i - 1].strip()


def reasons():
    """Patterns of FILE: TEXT, and why such lines are not run."""
    found, why = [], ''
    for row in open(REASONS):
        row = row.rstrip('\n')
        if row.startswith('\t'):
            found.append((re.compile(row.strip()), why))
        elif row and not row.startswith('#'):
            why = row
    return found


def main(build):
    known, without = reasons(), 0
    listed = {}
    for place, text in uncovered(build + '/lines'):
        said = place.rpartition(':')[0] + ': ' + text
        why = next((why for pattern, why in known if pattern.search(said)),
                   'no reason is known')
        without += why == 'no reason is known'
        listed.setdefault(why, []).append(f'\t{place}\t{text}')
    for why, lines in listed.items():
        print(why, *lines, sep='\n')
    print(f'{sum(map(len, listed.values()))} lines are not run, '
          f'{without} of them without a reason in {REASONS}')
    return without != 0


sys.exit(main(sys.argv[1]))
