# shellcheck shell=bash
# common.sh: functions that the scripts of this folder share.

fail() {
    echo "$*"
    exit 1
}

# run WHAT COMMAND...: silent unless it fails.
run() {
    local what=$1 said
    shift
    if ! said=$("$@" 2>&1); then
        echo "$said"
        fail "$what failed: $*"
    fi
}

# useCompiler gcc|clang: the compiler in the environment that CMake reads, with a host's strict warnings.
useCompiler() {
    export CC=$1 CXX=g++ CFLAGS="-Wall -Wextra -Wpedantic -Werror" CMAKE_GENERATOR=Ninja
    [ "$1" = gcc ] || CXX=$1++
    export CXXFLAGS=$CFLAGS
    if command -v ccache >/dev/null; then
        export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
    fi
}

# headerVersion ROOT: MAJOR.MINOR.PATCH
headerVersion() {
    awk '/^#define VKSKIN_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' \
        "$1/skin/include/vkskin/vkskin_base.h"
}

# expectEqual WHAT EXPECTED FOUND
expectEqual() {
    [ "$2" = "$3" ] || fail "$1: '$3' instead of '$2'"
}
