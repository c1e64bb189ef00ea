#!/usr/bin/env bash
# check_names.sh HEADERS SHADERS BUILD PAGE...: each name of the library's that the comments of the headers in the folder
# HEADERS and the PAGEs mention is one that the headers or the include files in the folder SHADERS declare, or an option
# of the CMake file BUILD; and each warning and error is one that a call says it may return.
set -u -o pipefail
headers=$1
shaders=$2
build=$3
shift 3
status=0
# A name that goes on in dots or ends in an underscore stands for several.
namesIn() {
    grep -ohP '\b(vkskin[A-Z]|Vkskin[A-Z]|VKSKIN_[A-Z])\w*+(?<!_)(?!\.\.\.)' | sort -u
}
declared=$(cat "$headers"/*.h "$shaders"/*.glsl | gcc -w -fpreprocessed -dD -E -P - | namesIn)
if [ -z "$declared" ]; then
    echo "no declarations in $headers"
    exit 1
fi
declared=$(sort -u - <(grep -E '^ *option\(' "$build" | namesIn) <<<"$declared")
for file in "$headers"/*.h "$@"; do
    stale=$(sed 's/"[^"]*"//g' "$file" | namesIn | comm -23 - <(echo "$declared")) # what is in quotes is text
    if [ -n "$stale" ]; then
        echo "$(basename "$file"): speaks of what no header declares: $(paste -sd ' ' <<<"$stale")"
        status=1
    fi
done
while read -r result; do
    if ! grep -qE "@retval +$result\b" "$headers"/*.h; then
        echo "no call says that it may return $result"
        status=1
    fi
done < <(grep -oE '^VKSKIN_(ERROR|WARNING)_[A-Z_]+$' <<<"$declared")
exit "$status"
