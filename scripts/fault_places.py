#!/usr/bin/env python3
"""Prints where each fault of scripts/mutants.txt applies.

usage: fault_places.py TREE [ID...]

One line per record of TREE/scripts/mutants.txt (or per ID): the id, a tab, and FILE:LINE of each line that holds the
text `find`, with `near` at most `within` lines away. The fault can be planted if there is exactly one.
"""
import os
import sys

FOLDERS = ("skin", "shaders", "engine", "testkit", "bench")


def read_records(path):
    records, record = [], {}
    with open(path, encoding="utf-8") as file:
        for line in [*file, ""]:
            if line.startswith("#"):
                continue
            if line.strip():
                key, _, value = line.strip().partition(" ")
                record[key] = value.strip()
            elif record:
                records.append(record)
                record = {}
    return records


def read_sources(tree):
    sources = {}
    for folder in FOLDERS:
        for parent, _, names in os.walk(os.path.join(tree, folder)):
            for name in names:
                path = os.path.join(parent, name)
                with open(path, encoding="utf-8", errors="replace") as file:
                    sources[os.path.relpath(path, tree)] = file.read()
    return sources


def places_in(text, record):
    """The numbers of the lines, one for each time that `find` is there."""
    lines = text.split("\n")
    within = int(record.get("within", 4))
    for number, line in enumerate(lines, 1):
        around = lines[max(0, number - 1 - within) : number + within]
        if record["find"] in line and ("near" not in record or any(record["near"] in other for other in around)):
            yield from [number] * line.count(record["find"])


def main():
    tree, chosen = sys.argv[1], set(sys.argv[2:])
    sources = sorted(read_sources(tree).items())
    for record in read_records(os.path.join(tree, "scripts/mutants.txt")):
        if not chosen or record["id"] in chosen:
            places = [f"{path}:{number}" for path, text in sources if record["find"] in text for number in places_in(text, record)]
            print(record["id"], " ".join(places), sep="\t")


main()
