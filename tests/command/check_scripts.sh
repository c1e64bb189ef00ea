#!/bin/bash
# check_scripts.sh FOLDER: run.sh of the project in FOLDER: what can be told without building anything.
set -u

root=$1
failures=0

expect() {
    if [ "$1" != "$2" ]; then
        printf 'expected: %s\n but got: %s\n' "$2" "$1" >&2
        failures=$((failures + 1))
    fi
}

bash -n "$root/run.sh" || failures=$((failures + 1))
bash -n "$root/scripts/packages.sh" || failures=$((failures + 1))

# Help comes from any folder, at once, and touches nothing.
help=$(cd / && "$root/run.sh" --help)
expect "$?" 0
expect "${help%%:*}" "run.sh"

# A package that is not there is named; those that are there are not.
# shellcheck source=../../scripts/packages.sh
source "$root/scripts/packages.sh"
expect "$(packagesMissing bash no-such-package coreutils)" "no-such-package"
expect "$(packagesRequire bash no-such-package 2>&1)" "not installed: no-such-package"
packagesRequire bash
expect "$?" 0

# Nothing missing: nothing is asked of apt, so a second run needs no network.
apt-get() {
    echo "apt-get was called" >&2
    failures=$((failures + 1))
}
packagesInstall bash coreutils
expect "$?" 0

exit "$((failures > 0))"
