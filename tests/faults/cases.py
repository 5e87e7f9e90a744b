# SPDX-License-Identifier: ISC
"""What faults.py runs, and on what."""

import gzip
import json
import os
import re

MS = 1700000000000


def words(n):
    """With a line that is none, and one that comes late."""
    for i in range(n):
        yield '{"word":"%s","ts":%d,"n":%d}' % (
            'w%d' % (i * i % 17), MS + 1000 * i - 90000 * (i == n // 2), i)
        if i == n // 3:
            yield '{"word":'


def stays(n):
    for i in range(n):
        yield '{"room":"r%d","from":%d,"to":%d}' % (
            i % 3, MS + 40000 * i, MS + 40000 * i + 7000 * (i % 50))


def events(n):
    """Of two streams; some join, some do not."""
    for i in range(n):
        yield '{"id":%d,"s":"%s","ts":%d}' % (
            i // 3, 'AB'[i % 3 == 1], MS + 1000 * i)


def counts(n):
    """What two tasks of rollcount send, with ticks."""
    for i in range(n):
        yield '{"word":"w%d","count":%d,"task":%d}' % (i % 7, i % 5, i % 2)
        if i % 10 == 9:
            yield '{"__tick":%d}' % (MS + 1000 * i)


def only_tuples(lines):
    return [line for line in lines if '__tick' not in line]


def only(stream, lines):
    return [line for line in lines if '"s":"%s"' % stream in line]


def message(value):
    return json.dumps(value, separators=(',', ':')) + '\nend'


def setup(sources, fields):
    return message({
        'conf': {'topology.tick.tuple.freq.secs': 3}, 'pidDir': 'pids',
        'context': {
            'taskid': 4, 'componentid': 'it', 'task->component': {'4': 'it'},
            'stream->outputfields': {'default': fields},
            'source->stream->fields': {
                name: {'default': f} for name, f in sources.items()}}})


def storm(sources, fields, lines):
    """A session: the lines as tuples of the sources, with ticks."""
    yield setup(sources, fields)
    for i, line in enumerate(map(json.loads, lines)):
        name = line.get('s', 'w')
        yield message({'id': str(i), 'comp': name, 'stream': 'default',
                       'task': 9,
                       'tuple': [line.get(f) for f in sources[name]]})
        if i % 5 == 4:
            for comp, stream in ('__system', '__tick'), (None, '__heartbeat'):
                yield message({'id': '%s%d' % (stream, i), 'comp': comp,
                               'stream': stream, 'task': -1, 'tuple': [3]})


def asked(*settled):
    """A session with a spout: it is asked twice, and told of these tuples."""
    yield setup({}, ['tuple'])
    for command, name in ('next', 0), *settled, ('next', 0), *settled:
        yield message({'command': command, 'id': str(name)})


WORD = {'w': ['word', 'ts', 'n']}
PAIR = {'A': ['id', 's', 'ts'], 'B': ['id', 's', 'ts']}
INPUTS = {
    'words': lambda: words(60),
    'more': lambda: words(25),
    'big': lambda: words(60000),
    'stays': lambda: stays(60),
    'events': lambda: events(60),
    'a': lambda: only('A', events(60)),
    'b': lambda: only('B', events(60)),
    'a.big': lambda: only('A', events(60000)),
    'b.big': lambda: only('B', events(60000)),
    'counts': lambda: counts(60),
    'words.storm': lambda: storm(WORD, ['word', 'count'],
                                 [w for w in words(30) if w[-1] == '}']),
    'stays.storm': lambda: storm({'w': ['room', 'from', 'to']},
                                 ['room', 'sliceStartMillis', 'occupancies'],
                                 stays(30)),
    'events.storm': lambda: storm(PAIR, ['id'], events(30)),
    'counts.storm': lambda: storm({'w': ['word', 'count', 'task']},
                                  ['word', 'count'], only_tuples(counts(30))),
    'ranked.storm': lambda: storm({'w': ['word', 'count']},
                                  ['rank', 'word', 'count'],
                                  only_tuples(counts(30))),
    'spout.storm': lambda: asked(('ack', 0), ('ack', 1), ('fail', 2),
                                 ('ack', 4)),
    'rest.storm': lambda: asked(*[('ack', i) for i in range(60)]),
}


class Case:
    """A command: what it reads, and what it leaves.

    inputs  the files it reads; of those before a `/`, a run before has read
            the first half, if there is a state
    stdin   one of them; `|` before its name: through a pipe
    begun   the command that has made the state, if it is not the same
    told    the statuses that may follow a message
    loose   its rows come in no order
    """

    def __init__(self, command, inputs, stdin=None, begun=None, told=(2,),
                 loose=False):
        self.argv = command.split()
        self.inputs, self.stdin = inputs.split(), stdin
        self.begun = begun
        self.told, self.loose = told, loose
        self.state = '--state' in self.argv
        self.spouts = self.argv[0] == 'spout' and self.state
        self.is_dump = '--dump' in self.argv
        self.stages = ['fresh', 'again'][self.is_dump:1 + self.state]
        self.files = [name for name in SIDES if name in self.argv or
                      '=' + name in command or
                      name[:5] == 'part-' and 'part-%d' in self.argv]

    def prepare(self, folder, stage, run):
        """Fill the folder with what the stage begins with."""
        os.mkdir(os.path.join(folder, 'pids'))
        half = stage == 'again' and not self.is_dump
        for name in self.inputs:
            self.write(folder, name, half and '.' not in name)
        if stage == 'again':
            run(Case(self.begun or ' '.join(self.argv), '', self.stdin))
        for name in self.inputs:
            self.write(folder, name, False)

    @staticmethod
    def write(folder, name, half):
        lines = list(INPUTS[name.removesuffix('.gz')]())
        how = gzip.open if name.endswith('.gz') else open
        with how(os.path.join(folder, name), 'wt') as file:
            file.writelines(line + '\n' for line in
                            lines[:len(lines) // 2 if half else None])

    def open_stdin(self, folder):
        if self.stdin is None:
            return open(os.devnull, 'rb')
        file = open(os.path.join(folder, self.stdin.lstrip('|')), 'rb')
        if self.stdin[0] != '|':
            return file
        ours, its = os.pipe()
        with file:
            os.write(its, file.read())
        os.close(its)
        return os.fdopen(ours, 'rb')

    def plain(self, text):
        """Without what differs from run to run."""
        text = re.sub(rb'"(seconds|pid|scan_ns|bolt_ns|write_ns)":[0-9.e-]+', rb'"\1":0', text)
        if self.loose:
            *lines, last = text.split(b'\n')
            text = b'\n'.join(sorted(lines) + [last])
        return text

    def is_part(self, name, text, want):
        """Whether the text is what a run that ended early may have left."""
        if name == 'stats':
            return True
        if self.loose:      # The last line may be half of one.
            return set(text.split(b'\n')[:-1]) <= set(want.split(b'\n'))
        if name == 'stdout':    # Under Storm a message may be there, too.
            want, text = (re.sub(rb'\{"command":"log".*\nend\n', b'', t)
                          for t in (want, text))
        return want.startswith(text)


SIDES = ['output', 'rejects', 'late', 'expired', 'dropped', 'stats', 'part-0', 'part-1']
STATE = ' --commit 1ms --state state.db --output output'
TALLY = 'tally -k word -a count,sum:n,min:n,max:n,mean:n,last:ts'
TIMELINE = 'timeline -k room --from from --to to --slice 10m'
ROLL = 'rollcount -k word -t ts -w 20s -e 5s'
JOIN = 'sjoin -k id -t ts -w 10s -l 3s -a A'
GROUP = 'pkgroup -n 2 -k word'

CASES = {
    # In a pipe, or from files.
    'tally': Case(TALLY + ' --rejects rejects --stats=stats words more',
                  'words more'),
    'tally-changes': Case('tally -k word -c --batch 7', 'words',
                          stdin='|words'),
    'tally-threads': Case('tally -k word --threads 2 big', 'big'),
    'tally-gzip': Case('tally -k word big.gz words', 'big.gz words'),
    'keep-gzip': Case('keep n>5', 'words.gz', stdin='|words.gz'),
    'tally-output': Case('tally -k word --output output words', 'words'),
    'timeline': Case(TIMELINE, 'stays', stdin='stays'),
    'rollcount': Case(ROLL + ' -T --late late --rejects rejects', 'words',
                      stdin='|words'),
    'rollcount-sum': Case(ROLL + ' -v n --drain --stats words', 'words'),
    'rollcount-threads': Case('rollcount -k word -t ts -w 1h -e 20m '
                              '--threads 2 big', 'big'),
    'keep': Case('keep word=~"^w[19]"&&n>5 --rejects rejects words', 'words'),
    'keep-threads': Case('keep -v n>5 --threads 2', 'big', stdin='big'),
    'dedup': Case('dedup -k word -w 20s -t ts --dropped dropped --rejects '
                  'rejects words', 'words'),
    'dedup-threads': Case('dedup --threads 2', 'big', stdin='big'),
    'rollagg': Case('rollagg -k word -T --stats=stats', 'counts',
                    stdin='|counts'),
    'topn': Case('topn -n 3 -v n --rejects rejects words more', 'words more'),
    'topn-key': Case('topn -n 3 -k word -v count -T', 'counts',
                     stdin='|counts'),
    'tview': Case('tview -k word --bar n --rejects rejects --stats=stats',
                  'words', stdin='|words'),
    'tview-csv': Case('tview --format csv -n 9', 'counts', stdin='|counts'),
    'tplot': Case('tplot -x ts -y n --rejects rejects words', 'words',
                  loose=True),
    'sjoin': Case(JOIN + ' -s s --expired expired A B', 'events',
                  stdin='|events'),
    'sjoin-many': Case(JOIN + ' -m -o id,A.ts,B.ts A=a B=b', 'a b'),
    'sjoin-table': Case('sjoin -k id -t ts -l 3s --table B -a A --expired '
                        'expired A=a B=b', 'a b'),
    'sjoin-threads': Case(JOIN + ' --threads 2 A=a.big B=b.big',
                          'a.big b.big'),
    'pkgroup': Case(GROUP + ' --explain -t ts -e 5s --rejects rejects',
                    'words', stdin='words'),
    'pkgroup-heavy': Case(GROUP + ' -g heavy --stats=stats', 'words',
                          stdin='|words'),
    'pkgroup-files': Case(GROUP + ' --rejects rejects --files part-%d',
                          'words', stdin='|words'),
    'pkgroup-workers': Case(
        GROUP + ' --rejects rejects --stats=stats -t ts -e 5s --tag task -- '
        'rollcount -i -T -k word -t ts -w 20s -e 5s', 'words', stdin='|words',
        told=(2, 126, 127), loose=True),
    'pkgroup-lines': Case(GROUP + ' -- cat', 'big', stdin='big',
                          told=(2, 126, 127), loose=True),
    'spout': Case('spout zipf -n 200 --keys 20 --stats=stats', ''),
    'spout-presence': Case('spout presence -n 200', ''),
    'spout-file': Case('spout file words', 'words'),

    # With a state.
    'tally-state': Case(TALLY + ' --rejects rejects words more' + STATE,
                        'words more'),
    'tally-state-changes': Case('tally -k word -c --batch 7' + STATE, 'words',
                                stdin='words'),
    'tally-state-stdout': Case('tally -k word --state state.db words',
                               'words'),
    'tally-dump': Case('tally --dump --state state.db', 'words',
                       begun='tally -k word --state state.db words'),
    'timeline-state': Case(TIMELINE + ' stays' + STATE, 'stays'),
    'timeline-dump': Case('timeline --dump --state state.db', 'stays',
                          begun=TIMELINE + ' --state state.db stays'),
    'rollcount-state': Case(ROLL + ' -T --late late words more --rejects '
                            'rejects' + STATE, 'words more'),
    'rollcount-state-final': Case(ROLL + ' --late late -v n --final' + STATE,
                                  'words', stdin='words'),
    'dedup-state': Case('dedup -k word --dropped dropped words more' + STATE,
                        'words more'),
    'dedup-state-window': Case('dedup -k word -w 20s -t ts' + STATE, 'words',
                               stdin='words'),
    'sjoin-state': Case(JOIN + ' -s s --expired expired A B' + STATE,
                        'events', stdin='events'),
    'sjoin-state-table': Case('sjoin -k id -t ts -l 3s --table B A=a B=b' +
                              STATE, 'a b'),
    'sjoin-state-many': Case(JOIN + ' -m -o id,A.ts,B.ts A=a B=b' + STATE,
                             'a b'),
    'spout-state': Case('spout file words --multilang --state state.db',
                        'words spout.storm rest.storm', stdin='spout.storm'),

    # Under Storm.
    'tally-storm': Case('tally -k word --multilang', 'words.storm',
                        stdin='|words.storm'),
    'keep-storm': Case('keep word=="w1" --multilang', 'words.storm',
                       stdin='|words.storm'),
    'dedup-storm': Case('dedup -k word --multilang', 'words.storm',
                        stdin='|words.storm'),
    'timeline-storm': Case(TIMELINE + ' --multilang', 'stays.storm',
                           stdin='|stays.storm'),
    'rollcount-storm': Case('rollcount -k word -t ts -w 20s -e 5s --multilang',
                            'words.storm', stdin='|words.storm'),
    'rollagg-storm': Case('rollagg -k word --multilang', 'counts.storm',
                          stdin='|counts.storm'),
    'topn-storm': Case('topn -n 3 -k word -v count --multilang',
                       'ranked.storm', stdin='|ranked.storm'),
    'sjoin-storm': Case('sjoin -k id -t ts -w 10s --multilang --idle 1h '
                        'A=A B=B --expired expired', 'events.storm',
                        stdin='|events.storm'),
    'spout-storm': Case('spout words -n 150 --multilang --stats=stats',
                        'spout.storm', stdin='|spout.storm'),
}
