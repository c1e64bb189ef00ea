#!/usr/bin/env bash
# Counts the lines of C, C++ and GLSL that git tracks, by folder. See --help.
set -u -o pipefail

usage() {
    cat <<TEXT
usage: scripts/count.sh [--limit N] [--help]

Prints files, lines, the median lines of a .c file and the number of files under 40 lines, for each folder and for the
whole project. Counted are *.c *.h *.cpp *.comp *.vert *.frag *.glsl, comments and blank lines included. The last line
is the ratio of testkit and tests to skin, shaders and engine.

  --limit N   exit with 1 when the project has more than N lines
  --help, -h  this text
TEXT
}

fail() {
    echo "count.sh: $*" >&2
    exit 2
}

limit=0
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --limit)
            [[ ${2-} =~ ^[1-9][0-9]*$ ]] || fail "--limit needs a number from 1"
            limit=$2
            shift
            ;;
        *) fail "unknown argument '$1'; see --help" ;;
    esac
    shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.." || fail "cannot enter the folder of the project"

# A checkout may belong to another user, as in containers.
files() {
    git -c safe.directory="$PWD" ls-files -- '*.c' '*.h' '*.cpp' '*.comp' '*.vert' '*.frag' '*.glsl'
}

total=$(files | tr '\n' '\0' | xargs -0 cat | wc -l) || fail "git lists no sources"
files | tr '\n' '\0' | xargs -0 wc -l | awk '$2 != "total"' | sort -n | awk '
    function add(place) {
        files[place]++
        lines[place] += $1
        if ($1 < 40) { small[place]++ }
        if ($2 ~ /\.c$/) { sources[place]++; size[place, sources[place]] = $1 }
    }
    function row(place) {
        printf "%-10s %6d %8d %8d %8d\n", place, files[place], lines[place],
            size[place, int((sources[place] + 1) / 2)], small[place]
    }
    { split($2, part, "/"); add(part[1]); add("all") }
    BEGIN { printf "%-10s %6s %8s %8s %8s\n", "folder", "files", "lines", "median", "under 40" }
    END {
        count = split("skin shaders engine bench testkit tests examples all", order, " ")
        for (i = 1; i <= count; i++) { row(order[i]) }
        product = lines["skin"] + lines["shaders"] + lines["engine"]
        if (product > 0) { printf "test code to product %.3f\n", (lines["testkit"] + lines["tests"]) / product }
    }'
if [ "$limit" -gt 0 ] && [ "$total" -gt "$limit" ]; then
    echo "count.sh: $total lines, more than the limit of $limit" >&2
    exit 1
fi
