#!/usr/bin/env bash
# Measures and draws tubes with every method, and writes the tables and the picture to docs/. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
methods.sh: bends and twists tubes with every method on lavapipe; rewrites the tables of docs/methods.md and
docs/tubes.png.

usage: scripts/methods.sh [--build FOLDER]

  --build FOLDER   a configured build of the project with tests; default build/test, made here
  --help, -h       this text

The tests methods.lavapipe and methods.swiftshader fail if they measure other values than the page's tables.
TEXT
}

fail() {
    echo "methods.sh: $*" >&2
    exit 1
}

build=
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --build)
            [ "$#" -ge 2 ] || fail "$1 needs a folder"
            build=$(realpath -m "$2")
            shift
            ;;
        *) fail "unknown option '$1'; see --help" ;;
    esac
    shift
done

cd "$(dirname "${BASH_SOURCE[0]}")/.." || fail "cannot enter the folder of the project"
if [ -z "$build" ]; then
    build=$PWD/build/test
    cmake --preset test >/dev/null || fail "the project does not configure"
fi
cmake --build "$build" --target test_methods || fail "test_methods does not build"

driver=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json
[ -e "$driver" ] || fail "no lavapipe: install the Debian package mesa-vulkan-drivers"
out=$(mktemp -d) || fail "cannot make a folder"
trap 'rm -rf "$out"' EXIT
export LSAN_OPTIONS=suppressions=testkit/lsan.supp:print_suppressions=0
VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver "$build/tests/methods/test_methods" --report "$out" ||
    fail "test_methods failed"

# The page, with the text between its two marks replaced.
awk -v tables="$out/tubes.md" '
    /^<!-- measured by tests\/methods: end -->$/ { inside = 0 }
    !inside
    /^<!-- measured by tests\/methods: begin -->$/ {
        inside = begun = 1
        while ((getline line < tables) > 0) print line
    }
    END { exit !begun || inside }
' docs/methods.md >"$out/methods.md" || fail "docs/methods.md does not have the two marks that enclose the tables"
cp "$out/methods.md" "$out/tubes.png" docs/ || fail "cannot write to docs/"
echo "methods.sh: docs/methods.md, docs/tubes.png"
