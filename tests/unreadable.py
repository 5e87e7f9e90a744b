"""unreadable.py FILE COMMAND...: give a command FILE to read, and an error
where it ends.

What it reads is this process's own memory, with nothing mapped behind it.
"""

import ctypes
import mmap
import os
import subprocess
import sys

with open(sys.argv[1], "rb") as file:
    text = file.read()
size = -(-len(text) // mmap.PAGESIZE) * mmap.PAGESIZE
memory = mmap.mmap(-1, size + mmap.PAGESIZE)
# White space fills the last page.
memory[:size] = text[:-1].ljust(size - 1) + b"\n"
at = ctypes.addressof(ctypes.c_char.from_buffer(memory))
fd = os.open("/proc/self/mem", os.O_RDONLY)
os.lseek(fd, at, os.SEEK_SET)
ctypes.CDLL(None).munmap(
    ctypes.c_void_p(at + size), ctypes.c_size_t(mmap.PAGESIZE)
)
sys.exit(subprocess.call(sys.argv[2:], stdin=fd))
