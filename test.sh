#!/usr/bin/env bash
# Installs what is missing, builds with address and undefined-behaviour sanitizers, and runs every test on lavapipe
# and on SwiftShader. The last line tells the counts; the exit status is 0 when nothing failed.
set -u -o pipefail

usage() {
    cat <<TEXT
usage: ./test.sh [--no-install] [CTEST ARGUMENTS...]

  --no-install   do not install packages; say which are missing and stop
  --help         this text

Further arguments go to ctest, such as -R conformance.
TEXT
}

fail() {
    echo "test.sh: $*" >&2
    echo "0 passed, 1 failed"
    exit 1
}

install=yes
while [ "$#" -gt 0 ]; do
    case "$1" in
        --no-install) install=no ;;
        --help) usage; exit 0 ;;
        *) break ;;
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
ctest --test-dir build/test --parallel 2 --output-on-failure --no-tests=error "$@" 2>&1 | tee "$log"
status=$?

# ctest's summary: "97% tests passed, 2 tests failed out of 80".
summary=$(grep -E '^[0-9]+% tests passed, [0-9]+ tests failed out of [0-9]+' "$log") || fail "ctest ran no test"
read -r failed total < <(sed -E 's/.* ([0-9]+) tests failed out of ([0-9]+).*/\1 \2/' <<<"$summary")
echo "$((total - failed)) passed, $failed failed"
exit "$status"
