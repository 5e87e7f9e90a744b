#!/usr/bin/env python3
"""screen.py COLUMNS COMMAND [LINE...] - run a shell command on a terminal.

It is given each LINE on standard input when the one before has been drawn; a
LINE like 60x20 gives the terminal so many columns and lines instead.
Prints what is on the terminal at the end, line by line, then where the cursor
is, as if it always had had COLUMNS; everything that was written to it goes to the file written.  The terminal
has 25 lines, or as many as LINES says.
"""
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from fcntl import ioctl

TOKEN = re.compile(rb"\x1b\[\??[0-9]*[A-Za-z]|[\xc0-\xff][\x80-\xbf]+|.", re.S)


def show(written, columns):
    lines, row, column, wraps = [""], 0, 0, True
    for token in TOKEN.findall(written):
        if token == b"\r":
            column = 0
        elif token == b"\n":
            row += 1
            lines[row:] = lines[row:] or [""]
        elif token == b"\x1b[K":
            lines[row] = lines[row][:column]
        elif token == b"\x1b[J":
            lines[row:] = [lines[row][:column]]
        elif token in (b"\x1b[?7l", b"\x1b[?7h"):
            wraps = token.endswith(b"h")
        elif re.fullmatch(rb"\x1b\[[0-9]+A", token):
            row -= int(token[2:-1])
        elif re.fullmatch(rb"\x1b\[[0-9]+m", token):
            pass
        elif token[0] >= 0x20:
            if column == columns and wraps:
                row, column = row + 1, 0
                lines[row:] = lines[row:] or [""]
            column = min(column, columns - 1)
            lines[row] = (lines[row].ljust(column)[:column] + token.decode() +
                          lines[row][column + 1:])
            column += 1
        else:
            sys.exit(f"{token} is not known")
    return lines, column


DRAWN = b"\x1b[J"                       # what ends a picture


def resize(terminal, columns, lines):
    ioctl(terminal, termios.TIOCSWINSZ,
          struct.pack("4H", int(lines), int(columns), 0, 0))


def main(columns, command, *lines):
    other, terminal = pty.openpty()
    resize(terminal, columns, os.environ.pop("LINES", 25))
    child = subprocess.Popen(["bash", "-c", command], stdout=terminal,
                             stderr=terminal,
                             stdin=subprocess.PIPE if lines else None)
    os.close(terminal)
    written, given = b"", 0
    try:
        while True:
            if lines and written.count(DRAWN) >= given:
                if given == len(lines):
                    child.stdin.close()
                    lines = ()
                elif re.fullmatch("[0-9]+x[0-9]+", lines[given]):
                    resize(other, *lines[given].split("x"))
                else:
                    child.stdin.write(lines[given].encode() + b"\n")
                    child.stdin.flush()
                given += 1
            if not (part := os.read(other, 65536)):
                break
            written += part
    except OSError:                     # nobody has it open any more
        pass
    child.wait()
    with open("written", "wb") as f:
        f.write(written)
    lines, column = show(written, columns)
    print(*lines, column, sep="\n")


main(int(sys.argv[1]), *sys.argv[2:])
