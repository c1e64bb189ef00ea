#!/usr/bin/env bash
# Installs what is missing, builds with address and undefined-behaviour sanitizers, and runs every test on lavapipe
# and on SwiftShader. The last line tells the counts; the exit status is 0 when nothing failed.
set -u -o pipefail

usage() {
    cat <<TEXT
usage: ./test.sh [--no-install] [CTEST'S SHORT OPTIONS...] [-- MORE FOR CTEST...]

  --no-install   do not install packages; say which are missing and stop
  --help, -h     this text

ctest's short options go to it, such as -R conformance, which runs the tests whose names hold that word; so does all
that comes after --, such as -- --rerun-failed. The first run takes some 15 minutes on two cores, and 500 MB in build/.
TEXT
}

fail() {
    echo "test.sh: $*" >&2
    echo "0 passed, 1 failed"
    exit 1
}

# ctest ignores what it does not know and then runs every test, so that is told here.
install=yes
arguments=()
before= # the argument before, where that is an option of ctest's, which may take its value from this one
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --no-install) install=no ;;
        --) arguments+=("${@:2}"); break ;;
        --*) fail "unknown option '$1'; see --help" ;;
        -*)
            arguments+=("$1")
            before=$1
            ;;
        *)
            [ -n "$before" ] || fail "'$1' belongs to no option; see --help"
            arguments+=("$1")
            before=
            ;;
    esac
    shift
done

cd "$(dirname "${BASH_SOURCE[0]}")" || fail "cannot enter the folder of the project"
# shellcheck source=scripts/packages.sh
source scripts/packages.sh

if [ "$install" = yes ]; then
    packagesInstall "${PACKAGES_RUN[@]}" "${PACKAGES_TEST[@]}" || fail "packages could not be installed"
else
    packagesRequire "${PACKAGES_RUN[@]}" "${PACKAGES_TEST[@]}" || fail "packages are missing"
fi

launcher=()
if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi
cmake --preset test "${launcher[@]}" || fail "the project does not configure"
cmake --build --preset test --parallel || fail "the project does not build"

# Two at a time: a software driver spreads one test over the cores anyway.
log=build/test/ctest.log
ctest --test-dir build/test --parallel 2 --output-on-failure --no-tests=error "${arguments[@]}" 2>&1 | tee "$log"
status=$?

# ctest's summary: "97% tests passed, 2 tests failed out of 80".
summary=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log") || fail "ctest ran no test"
read -r failed total < <(sed -E 's/.* ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/' <<<"$summary")
echo "$((total - failed)) passed, $failed failed"
exit "$status"
