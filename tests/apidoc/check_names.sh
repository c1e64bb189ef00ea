#!/usr/bin/env bash
# check_names.sh HEADERS PAGE...: each name of the library's that the comments of the headers in the folder HEADERS and
# the PAGEs mention is one that the headers declare; and each warning and error is one that a call says it may return.
set -u -o pipefail
headers=$1
shift
status=0
namesIn() {
    grep -ohE '\b(vkskin[A-Z]|Vkskin[A-Z]|VKSKIN_[A-Z])[A-Za-z0-9_]*' | sort -u
}
declared=$(cat "$headers"/*.h | gcc -w -fpreprocessed -dD -E -P - | namesIn)
if [ -z "$declared" ]; then
    echo "no declarations in $headers"
    exit 1
fi
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
