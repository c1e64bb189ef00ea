#!/usr/bin/env bash
# check_cases.sh [--write] PROGRAM README: the table of cases in the README must equal PROGRAM --list. --write
# updates it.
set -u -o pipefail
write=no
if [ "$1" = --write ]; then
    write=yes
    shift
fi
program=$1
readme=$2

listed=$("$program" --list | awk '/^[a-z]/ {
    name = $1
    quick = substr($0, length($1) < 24 ? 26 : length($1) + 2, 1) == "*" ? " *" : ""
    sub(/^[^ ]+ +(\* )?/, "")
    print "| `" name "`" quick " | " $0 " |"
}') || exit 1

# The rows are those that begin with a name in the part below "## The cases".
documented=$(awk '/^## / { inside = $0 == "## The cases" } inside && /^\| `/' "$readme")
if [ "$write" = yes ]; then
    awk -v rows="$listed" '
        /^## / { inside = $0 == "## The cases" }
        inside && /^\| `/ { next }
        { print }
        inside && /^\|---/ { print rows }
    ' "$readme" >"$readme.new" && mv "$readme.new" "$readme"
elif [ "$listed" != "$documented" ]; then
    echo "$readme differs from --list; tests/bench/check_cases.sh --write updates it:"
    diff <(echo "$listed") <(echo "$documented")
    exit 1
fi
