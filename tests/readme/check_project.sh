#!/usr/bin/env bash
# check_project.sh PREFIX PROJECT STEP...: the README's CMake project and its steps, placed as the README says, must
# build against the package in PREFIX.
set -u -o pipefail
prefix=$1 project=$2
shift 2
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
cp "$project" "$place/CMakeLists.txt"
cat "$@" >"$place/skinner.c"
echo 'int main(void) { return 0; }' >"$place/main.c"
cmake -S "$place" -B "$place/build" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$place/build" &&
    "$place/build/host"
