#!/usr/bin/env python3
"""A naive model of topn: a batch is a list, sorted whole when it ends."""

import collections

import model

Entry = collections.namedtuple('Entry', 'group key value record')


def without_rank(record):
    """What follows the opening brace, less the members named rank.

    One that has another after it goes up to there; those at the end go with
    the comma before them.  Nothing left: None.
    """
    text, members = record
    mine = [m.name != b'rank' for m in members]
    if not any(mine):
        return None
    last = max(i for i, keep in enumerate(mine) if keep)
    out = text[1:members[0].start]
    for i, keep in enumerate(mine[:last]):
        if keep:
            out += text[members[i].start:members[i + 1].start]
    out += text[members[last].start:members[last].end]
    if last == len(members) - 1:
        return out + text[members[last].end:]
    comma = model.blank(text, members[last].end)
    return out + text[members[last].end:comma] + text[members[-1].end:]


def ranking(o, batch):
    """The rows of a batch, group by group."""
    groups = sorted({entry.group for entry in batch})
    return b''.join(group_ranking(o, [e for e in batch if e.group == group])
                    for group in groups)


def group_ranking(o, batch):
    """Those of one group; sorting is stable, so ties keep the input order."""
    def place(entry):
        # Not -value: arithmetic on Decimal rounds, copy_negate does not.
        return entry.value if o.r else entry.value.copy_negate(), entry.key

    out = b''
    for i, entry in enumerate(sorted(batch, key=place)[:o.n]):
        rest = without_rank(entry.record)
        out += (b'{"rank":%d}\n' % (i + 1) if rest is None
                else b'{"rank":%d,%s\n' % (i + 1, rest))
    return out


def options(argv):
    parser = model.options('topn')
    parser.add_argument('-n', type=int, default=10)
    parser.add_argument('-k', action='append', default=[])
    parser.add_argument('-g', action='append', default=[])
    parser.add_argument('-v', type=model.path, required=True)
    parser.add_argument('-b', type=model.path)
    parser.add_argument('-r', action='store_true')
    parser.add_argument('-z', action='store_true')
    o = parser.parse_args(argv)
    if o.n < 1:
        parser.error('-n must be at least 1')
    return o


def run(argv, data):
    o = options(argv)
    fields, groups = model.Fields(o.k), model.Fields(o.g)
    out, bad = [], 0
    batch, mark = [], None              # mark: the value at -b
    for record in model.read(data):
        if isinstance(record, int):
            out.append(ranking(o, batch))
            batch = []
            if o.T:
                out.append(model.tick_line(record))
            continue
        try:
            if record is None:
                raise model.Bad
            key, group = fields.key(record), groups.key(record)
            raw = o.v.find(record)
            value = model.number(b'0' if raw == b'null' else raw)
            new_mark = model.typed(o.b.find(record)) if o.b else None
        except model.Bad:
            bad += 1
            continue
        if new_mark != mark:
            out.append(ranking(o, batch))
            batch = []
        mark = new_mark
        if o.k:
            batch = [entry for entry in batch
                     if (entry.group, entry.key) != (group, key)]
        if not o.k or o.z or value != 0:
            batch.append(Entry(group, key, value, record))
    out.append(ranking(o, batch))
    return model.Result(b''.join(out), b'', 1 if bad and not o.on_error else 0)


if __name__ == '__main__':
    model.main(run)
