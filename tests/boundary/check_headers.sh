#!/usr/bin/env bash
# check_headers.sh INCLUDE-FOLDER: each public header compiles alone, as C11 and as C++17, with every installed
# compiler.
set -u -o pipefail
include=$1
status=0
check() { # COMPILER STANDARD LANGUAGE HEADER
    if ! printf '#include "vkskin/%s"\n' "$4" |
        "$1" "-std=$2" -x "$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$include" -; then
        echo "vkskin/$4 does not compile alone with $1 as $2"
        status=1
    fi
}
compilers=0
for pair in gcc:g++ clang:clang++; do
    command -v "${pair%%:*}" >/dev/null && command -v "${pair##*:}" >/dev/null || continue
    compilers=$((compilers + 1))
    for path in "$include"/vkskin/*.h; do
        check "${pair%%:*}" c11 c "$(basename "$path")"
        check "${pair##*:}" c++17 c++ "$(basename "$path")"
    done
done
if [ "$compilers" -eq 0 ]; then
    echo "no compiler found"
    status=1
fi
exit "$status"
