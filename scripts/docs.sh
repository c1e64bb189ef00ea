#!/usr/bin/env bash
# docs.sh: makes the API reference from the public headers. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
docs.sh: makes the API reference from the comments of the public headers, by Doxygen: HTML and XML.

usage: scripts/docs.sh [--output FOLDER] [--headers FOLDER]

  --output FOLDER   where it goes: FOLDER/html/index.html; default build/docs of the project
  --headers FOLDER  the headers to read; default skin/include/vkskin of the project
  --help, -h        this text

What is not documented is an error, each in a line, and the exit status is 1: functions, parameters, results, structs,
fields, enums and their values, macros, typedefs; and names in the comments that the headers do not have.
TEXT
}

fail() {
    echo "docs.sh: $*" >&2
    exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=$root/build/docs
headers=$root/skin/include/vkskin
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --output | --headers)
            [ "$#" -ge 2 ] || fail "$1 needs a folder"
            if [ "$1" = --output ]; then output=$(realpath -m "$2"); else headers=$(realpath -m "$2"); fi
            shift
            ;;
        *) fail "unknown option '$1'; see --help" ;;
    esac
    shift
done

command -v doxygen >/dev/null || fail "doxygen is not installed"
[ -e "$headers/vkskin_base.h" ] || fail "no vkskin_base.h in $headers"
mkdir -p "$output" || fail "cannot make the folder $output"

version=$(sed -nE 's/^#define VKSKIN_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' "$headers/vkskin_base.h" | paste -sd .)
cd "$root" || fail "cannot enter $root"
{
    cat docs/Doxyfile
    echo "PROJECT_NUMBER = $version"
    echo "INPUT = docs/reference.dox docs/threads.md docs/versions.md \"$headers\""
    echo "STRIP_FROM_PATH = \"$(dirname "$headers")\" \"$root\""
    echo "OUTPUT_DIRECTORY = \"$output\""
} | doxygen - || fail "the reference has errors"

# Doxygen lets values of enums pass without a comment.
bare=$(awk '
    /<enumvalue /              { name = ""; documented = 0; inside = 1 }
    inside && name == "" && /<name>/ { name = $0; gsub(/.*<name>|<\/name>.*/, "", name) }
    inside && /<para>/         { documented = 1 }
    /<\/enumvalue>/            { inside = 0; if (!documented) print name }
' "$output"/xml/*.xml | sort -u | paste -sd ' ')
[ -z "$bare" ] || fail "values of enums without a comment: $bare"
echo "docs.sh: $(realpath --relative-base="$root" "$output/html/index.html")"
