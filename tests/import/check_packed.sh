#!/usr/bin/env bash
# check_packed.sh PROGRAM FOLDER: the fixtures packed* in FOLDER are those that PROGRAM (make_packed.c) writes.
set -eu
made=$(mktemp -d)
trap 'rm -r "$made"' EXIT
"$1" "$made"
for file in "$made"/*; do
    cmp "$file" "$2/${file##*/}"
done
