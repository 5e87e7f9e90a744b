#!/usr/bin/env python3
"""sink.py FILE - a bolt that appends each tuple to FILE, as an object, or the
lines of each block.

It is written with Storm's own library, which comes with the jar that is
submitted, so that what our bolts emit is read by somebody else.
"""
import json
import os
import sys

sys.path.insert(0, os.getcwd())
import storm  # noqa: E402


class Sink(storm.BasicBolt):
    def initialize(self, conf, context):
        self.fields = context['source->stream->fields']
        self.out = open(sys.argv[1], 'a')

    def process(self, tup):
        names = self.fields[tup.component][tup.stream]
        if names == ['lines']:
            self.out.write(tup.values[0])
        else:
            json.dump(dict(zip(names, tup.values)), self.out)
            self.out.write('\n')
        self.out.flush()


Sink().run()
