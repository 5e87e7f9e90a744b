#!/usr/bin/env python3
"""A naive model of dedup: all that was passed of a key is looked through."""

import model

MS = model.MS


def options(argv):
    parser = model.options('dedup')
    parser.add_argument('-k', action='append', default=[])
    parser.add_argument('-w', type=model.duration_ns)
    parser.add_argument('-t', type=model.path)
    parser.add_argument('-l', type=model.lateness_ns, default='0s')
    parser.add_argument('--dropped')
    model.interleave_options(parser)
    return parser.parse_args(argv)


def run(argv, data):
    o = options(argv)
    fields = model.Fields(o.k)
    out, dropped, bad = [], [], 0
    passed = {}                         # of each key, the times in ms
    files = model.Files(o, data, fields.key)
    for source, record in files:
        if isinstance(record, int):
            out.append(model.tick_line(record))
            continue
        try:
            if record is None:
                raise model.Bad
            key = fields.key(record) if o.k else record.text
            ns = model.time_ns(o.t.find(record)) if o.t else 0
            time = ns // MS
        except model.Bad:
            bad += 1
            continue
        if o.t:
            files.watermark.see(source, ns)
            now = files.watermark.value
            known = [t for t in passed.get(key, [])
                     if now is None or now // MS - t < o.w // MS]
            is_repeat = any(abs(time - t) < o.w // MS for t in known)
        else:
            known = passed.get(key, [])
            is_repeat = bool(known)
        passed[key] = known
        if is_repeat:
            dropped.append(record.text + b'\n')
        else:
            known.append(time)
            out.append(record.text + b'\n')
    return model.Result(b''.join(out), b''.join(dropped),
                        1 if bad and not o.on_error else 0)


if __name__ == '__main__':
    model.main(run)
