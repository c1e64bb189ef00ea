#!/usr/bin/env python3
"""Draws lines of code at which to plant faults, by a seed: the same seed and sources give the same lines.

usage: scripts/fault_lines.py [--seed N] [--per-part N] [--part NAME]

At each line, plant the fault that its code suggests (off by one, wrong sign, dropped clamp, wrong index, missing
stage), and only then look for a test that catches it. A caught fault becomes a record of scripts/mutants.txt; one that
survives needs a test first; one that changes nothing is equivalent, and its reason is written down.
Drawn are lines with code of their own: no comments, declarations of functions, includes, braces or lines of a message.
"""
import argparse
import glob
import os
import random
import re

# The part of the project, and the files that it draws from.
PARTS = {
    "crowd": ["skin/src/crowd/*.c"],
    "crowd-kernels": ["shaders/crowd/*.comp", "shaders/crowd/*.glsl", "shaders/crowd/crowd_rules.h",
                      "shaders/vkskin/vkskin_crowd.glsl"],
    "pose": ["skin/src/pose/*.c"],
    "pack": ["skin/src/pack/*.c"],
    "2d": ["engine/scene/spine/*.c", "engine/render/spine/*.c", "engine/import/spine/*.cpp"],
    "importers": ["engine/import/*.c", "engine/import/[!s]*.cpp"],
    "packed": ["engine/pack/*.c", "engine/scene/model_*pack.c", "skin/src/pose/animation*.c"],
    "systems": ["engine/render/systems/*.c", "shaders/raster/system_*.vert", "shaders/raster/source_vertex.glsl"],
}
NOT_CODE = re.compile(r"""\s*($ | \# | /\* | \* | // | " | [{}()\[\];,\s]+$ | (break|continue|default|else)\b[:;{ ]*$ | return\ \w+;
                          | [\w:<>*&\s]+;$                      # a declaration without a value
                          | (static|struct|typedef|const)\b[^=]*[{,]$   # the head of a function
                          | _Static_assert)""", re.X)


def code_lines(root, patterns):
    found = []
    for path in sorted({p for pattern in patterns for p in glob.glob(os.path.join(root, pattern))}):
        with open(path, encoding="utf-8") as f:
            text = f.read()
        # Comments keep their line ends, so that the numbers of lines stay.
        text = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), text, flags=re.S)
        for number, line in enumerate(text.split("\n"), 1):
            if not NOT_CODE.match(line) and re.search(r"[-+*/<>=&|?!\[]|\w\(", line):
                found.append((os.path.relpath(path, root), number, line.strip()))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=29)
    parser.add_argument("--per-part", type=int, default=15)
    parser.add_argument("--part", choices=sorted(PARTS))
    options = parser.parse_args()
    root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
    for part, patterns in PARTS.items():
        if options.part not in (None, part):
            continue
        lines = code_lines(root, patterns)
        drawn = random.Random("%d %s" % (options.seed, part)).sample(lines, min(options.per_part, len(lines)))
        for path, number, text in sorted(drawn):
            print("%-14s %s:%d  %s" % (part, path, number, text))


if __name__ == "__main__":
    main()
