#!/usr/bin/env python3
"""Checks the includes of skin, engine, bench and testkit: no circles, and the order of folders of docs/architecture.md.

usage: scripts/includes.py [--root FOLDER] [--tree]

A node is a source with the header of its name, such as frame.c and frame.h. Each circle of nodes is printed, and each
include of a folder that is not below the folder of the file. The order is the table below the heading "Order of folders" of
ROOT/docs/architecture.md: a row names folders, and may include those of later rows. Also checks that no verb of the command
asks which kind of content it has: KIND_OWNERS do. Exit status: 0 clean, 1 findings, 2 the check could not run.
"""

import argparse
import re
import sys
from collections import defaultdict
from pathlib import Path

TREES = ("skin", "engine", "bench", "testkit")
ENDINGS = {".c", ".h", ".cpp"}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">]', re.MULTILINE)

# What tells the kinds of content apart, and the files of engine/app that may use it. Its folders hold one kind each.
KIND = re.compile(r"\b(importIsSpine|spineCount|CONTENT_SPINE)\b")
KIND_OWNERS = {"content.c", "content.h", "view_run.c", "model_load.c", "glb_pictures.c"}


def fail(text):
    print(f"includes.py: {text}", file=sys.stderr)
    sys.exit(2)


def folder_order(root):
    """The row of each folder of the table."""
    page = root / "docs/architecture.md"
    if not page.is_file():
        fail(f"{page} is missing")
    _, found, rest = page.read_text().partition("\n## Order of folders\n")
    rows = [line for line in rest.split("\n## ")[0].splitlines() if line.startswith("| `")]
    if not found or not rows:
        fail(f"{page} has no table below the heading 'Order of folders'")
    return {folder: row for row, line in enumerate(rows) for folder in re.findall(r"`([^`]+)`", line.split("|")[1])}


def folder_of(file, order):
    """The folder of the table that holds the file: the deepest one."""
    for parent in file.parents:
        if parent.as_posix() in order:
            return parent.as_posix()
    return None


class Tree:
    """The files of a checkout by path and by name."""

    def __init__(self, root):
        self.root = root
        self.files = sorted(
            path.relative_to(root) for tree in TREES for path in (root / tree).rglob("*") if path.suffix in ENDINGS
        )
        self.named = defaultdict(list)
        for file in self.files:
            self.named[file.name].append(file)

    def target(self, file, name):
        """What an include of `name` in `file` finds; names may occur once in each of the trees."""
        found = self.named[Path(name).name]
        own = [other for other in found if other.parent == file.parent]
        same = [other for other in found if other.parts[0] == file.parts[0]]
        written = [other for other in found if other.as_posix().endswith("/" + name)] if "/" in name else []
        return next(iter(written or own or same or found), None)

    def includes(self):
        """(file, line, target) of each include of a file of the trees."""
        for file in self.files:
            text = (self.root / file).read_text(errors="replace")
            for match in INCLUDE.finditer(text):
                target = self.target(file, match[1])
                if target is not None:
                    yield file, text.count("\n", 0, match.start()) + 1, target


def circles(edges):
    """The strongly connected parts with more than one node, by Tarjan's algorithm without recursion."""
    number, low, stack, found = {}, {}, [], []
    for start in sorted(edges):
        work = [(start, iter(sorted(edges[start])))] if start not in number else []
        if work:
            number[start] = low[start] = len(number)
            stack.append(start)
        while work:
            node, following = work[-1]
            for other in following:
                if other not in number:
                    number[other] = low[other] = len(number)
                    stack.append(other)
                    work.append((other, iter(sorted(edges[other]))))
                    break
                if other in stack:
                    low[node] = min(low[node], number[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == number[node]:
                    part = stack[stack.index(node) :]
                    del stack[stack.index(node) :]
                    found += [sorted(part)] if len(part) > 1 else []
    return found


def forks(tree):
    """FILE:LINE of each place in a verb that asks for the kind of content."""
    for file in tree.files:
        if file.parent.as_posix() == "engine/app" and file.name not in KIND_OWNERS:
            for number, line in enumerate((tree.root / file).read_text(errors="replace").splitlines(), 1):
                if KIND.search(line):
                    yield f"{file}:{number}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--tree", action="store_true", help="print which folder includes which")
    arguments = parser.parse_args()
    order, tree = folder_order(arguments.root), Tree(arguments.root)
    edges, folders, findings = defaultdict(set), set(), 0
    for file, line, target in tree.includes():
        node, other = file.with_suffix(""), target.with_suffix("")
        if node != other:
            edges[node].add(other)
        own, used = folder_of(file, order), folder_of(target, order)
        folders.add((own, used))
        if own is None or used is None or own != used and order[used] <= order[own]:
            findings += 1
            print(f"{file}:{line}: includes {target}, whose folder is not below {own or 'any folder of the table'}")
    for place in forks(tree):
        findings += 1
        print(f"{place}: asks for the kind of content; add a function per kind to engine/app/content.c")
    for circle in circles(edges):
        findings += 1
        print("circle: " + ", ".join(node.as_posix() for node in circle))
    for own, used in sorted((own, used) for own, used in folders if arguments.tree and own != used):
        print(f"{own} -> {used}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
