#!/usr/bin/env bash
# Installs missing packages, builds with address and undefined-behaviour sanitizers, and runs the tests on lavapipe and
# on SwiftShader. The last line states the counts; the exit status is 0 if nothing failed.
set -u -o pipefail

usage() {
    cat <<TEXT
usage: ./test.sh [--quick] [--no-install] [CTEST'S SHORT OPTIONS...] [-- MORE FOR CTEST...]

  --quick        a subset for every change: the tests with the ctest label "quick" (host tests, and device tests on
                 lavapipe only, with fewer conformance rows), and scripts/lint.sh --changed
  --no-install   do not install packages; print the missing ones and stop
  --help, -h     this text

Short options are passed to ctest, such as -R conformance, which runs the tests whose names contain that word; so is
everything after --, such as -- --rerun-failed. VKSKIN_TEST_WITHOUT="avx2 avx512" states which CPU code cannot be tested
here; default: what /proc/cpuinfo lacks. On two cores the first run takes about an hour and 2.5 GB in build/;
--quick takes up to 10 minutes after a first build.
TEXT
}

fail() {
    echo "test.sh: $*" >&2
    echo "0 passed, 1 failed"
    exit 1
}

# ctest ignores an option that it does not know and then runs every test, so unknown options are refused here.
install=yes
quick=no
arguments=()
before= # the previous argument if it is an option of ctest, which may take its value from this one
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --no-install) install=no ;;
        --quick) quick=yes ;;
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

cd "$(dirname "${BASH_SOURCE[0]}")" || fail "cannot enter the project's folder"
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

lintPassed=0
lintFailed=0
if [ "$quick" = yes ]; then
    export VKSKIN_TEST_QUICK=1 # fewer rows of the conformance table
    arguments=(--label-regex '^quick$' --exclude-regex '^lint$' "${arguments[@]}")
    if scripts/lint.sh --changed --build build/test; then lintPassed=1; else lintFailed=1; fi
fi

# CPU code that this processor cannot run. The kernel's list does not depend on what the library detects.
if [ -z "${VKSKIN_TEST_WITHOUT+set}" ]; then
    export VKSKIN_TEST_WITHOUT=
    grep -qw -m1 avx2 /proc/cpuinfo || VKSKIN_TEST_WITHOUT=avx2
    for flag in avx512f avx512bw avx512dq avx512vl; do
        grep -qw -m1 "$flag" /proc/cpuinfo || VKSKIN_TEST_WITHOUT=${VKSKIN_TEST_WITHOUT% avx512}' avx512'
    done
fi

# Two at a time: a software driver uses all cores for one test anyway.
log=build/test/ctest.log
ctest --test-dir build/test --parallel 2 --output-on-failure --no-tests=error "${arguments[@]}" 2>&1 | tee "$log"
status=$?

# ctest's summary: "97% tests passed, 2 tests failed out of 80".
summary=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log") || fail "ctest ran no test"
read -r failed total < <(sed -E 's/.* ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/' <<<"$summary")
skipped=$(grep -cE '^[[:space:]]+[0-9]+ - .* \(Skipped\)$' "$log")
[ "$skipped" -eq 0 ] || echo "not run: $skipped tests of code that this processor cannot run ($VKSKIN_TEST_WITHOUT)"
echo "$((total - failed - skipped + lintPassed)) passed, $((failed + lintFailed)) failed"
[ "$lintFailed" -eq 0 ] || exit 1
exit "$status"
