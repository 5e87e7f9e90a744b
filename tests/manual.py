#!/usr/bin/env python3
"""What the tests read out of a manual page.

manual.py examples PAGE FOLDER   write FOLDER/NN/command and FOLDER/NN/out
manual.py others PAGE FOLDER     write FOLDER/NN: what runs on the sample logs
manual.py synopsis PAGE          print the SYNOPSIS on one line
manual.py options PAGE           print each option that heads a list item

An example is a literal display (.Bd -literal; in README.md a fenced block)
whose first line starts with "$ ".  Such a line is a command; it goes on while
a line ends in | or \\.  The lines up to the next command, or to the end, are
what it prints.  mandoc reads the page, so its escapes are what mdoc says.
"""
import html
import os
import re
import subprocess
import sys


def render(page):
    return subprocess.run(["mandoc", "-T", "html", "-O", "fragment", page],
                          check=True, capture_output=True, text=True).stdout


def plain(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def displays(page):
    if page.endswith(".md"):
        with open(page) as f:
            return re.findall(r"^```.*?\n(.*?)^```$", f.read(), re.S | re.M)
    return map(plain, re.findall(r"<pre>(.*?)</pre>", render(page), re.S))


def examples(page):
    for display in displays(page):
        if not display.startswith("$ "):
            continue
        command, output, more = "", "", False
        for line in display.rstrip("\n").split("\n"):
            if more:
                command += line + "\n"
            elif line.startswith("$ "):
                if command:
                    yield command, output
                command, output = line[2:] + "\n", ""
            else:
                output += line + "\n"
                continue
            more = line.endswith(("|", "\\"))
        yield command, output


def main(verb, page, folder=None):
    if verb == "examples":
        for i, (command, output) in enumerate(examples(page)):
            here = os.path.join(folder, f"{i:02}")
            os.makedirs(here)
            for name, text in ("command", command), ("out", output):
                with open(os.path.join(here, name), "w") as f:
                    f.write(text)
    elif verb == "others":
        for i, display in enumerate(displays(page)):
            files = set(re.findall(r"\S+\.ndjson", display))
            if (re.match(r"[a-z]+ ", display) and "ssh" not in display and
                    files and files <= {"access.ndjson", "shop.ndjson",
                                        "<access.ndjson", "<shop.ndjson"}):
                with open(os.path.join(folder, f"{i:02}"), "w") as f:
                    f.write(display)
    elif verb == "synopsis":
        text = re.search(r'id="SYNOPSIS".*?</h1>(.*?)</section>',
                         render(page), re.S).group(1)
        print(" ".join(plain(text).split()))
    elif verb == "options":
        for item in re.findall(r"<dt.*?</dt>", render(page), re.S):
            for flag in re.findall(r'<code class="Fl">(.*?)</code>', item):
                print(plain(flag))


main(*sys.argv[1:])
