#!/usr/bin/env bash
# check_names.sh HEADERS SHADERS BUILD PAGE...: checks the library's names in the PAGEs and in the comments of the
# headers in folder HEADERS. Each name must be declared in the headers or in the include files in folder SHADERS, or be
# an option of the CMake file BUILD. Each warning and error must be documented by a call that may return it, or by the
# list of errors at the top of a header and then by no call, or its own comment must say that it is only logged. The
# paragraph "Headers" at the top of a PAGE of docs/ must name the headers that its C code needs.
set -u -o pipefail
headers=$1
shaders=$2
build=$3
shift 3
status=0
# Names that are followed by "..." or end in an underscore are prefixes and are not checked.
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
    stale=$(sed 's/"[^"]*"//g' "$file" | namesIn | comm -23 - <(echo "$declared")) # quoted text is not checked
    if [ -n "$stale" ]; then
        echo "$(basename "$file"): speaks of what no header declares: $(paste -sd ' ' <<<"$stale")"
        status=1
    fi
done
# withIncluded HEADER...: their paths, and those of the headers that they include.
withIncluded() {
    local header
    for header in "$@"; do
        echo "$headers/$header"
        # shellcheck disable=SC2046 # names without spaces
        withIncluded $(sed -nE 's/^#include "(vkskin.*)"$/\1/p' "$headers/$header")
    done
}
for page in "$@"; do
    case $page in *README.md) continue ;; esac
    calls=$(sed -n '/^```c$/,/^```$/p' "$page" | grep -oE '\bvkskin[A-Z]\w*\(' | sort -u)
    [ -n "$calls" ] || continue
    # shellcheck disable=SC2046
    named=$(withIncluded $(sed '/^## /,$d' "$page" | sed -n '/^Headers/,/^$/p' | grep -oE '\bvkskin\w*\.h\b' | sort -u))
    missing=$(xargs -rd '\n' grep -shoE '^VKSKIN_API .*\bvkskin\w+\(' <<<"$named" | grep -oE 'vkskin\w+\(' | sort -u |
        comm -23 <(echo "$calls") -)
    if [ -n "$missing" ]; then
        echo "$(basename "$page"): its top does not name the headers of $(paste -sd ' ' <<<"$missing")"
        status=1
    fi
done
shared=$(sed -nE 's/^ \* - (VKSKIN_ERROR_[A-Z_]+): .*/\1/p' "$headers"/*.h)
while read -r result; do
    if grep -qx "$result" <<<"$shared"; then
        if grep -E "@retval +$result\b" "$headers"/*.h; then
            echo "a call repeats $result, which the list of its header states"
            status=1
        fi
    elif ! grep -qE "@retval +$result\b|^ *$result = .*< only logged: " "$headers"/*.h; then
        echo "no call says that it may return $result"
        status=1
    fi
done < <(grep -oE '^VKSKIN_(ERROR|WARNING)_[A-Z_]+$' <<<"$declared")
exit "$status"
