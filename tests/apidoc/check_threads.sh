#!/usr/bin/env bash
# check_threads.sh HEADERS PAGE: the tables of PAGE must have exactly one row for every exported function of the headers
# in folder HEADERS, and no other functions.
set -u -o pipefail
headers=$1
page=$2
status=0
exported=$(grep -hoE '^VKSKIN_API [^(]*\bvkskin[A-Za-z0-9]+\(' "$headers"/*.h | grep -oE 'vkskin[A-Za-z0-9]+' | sort)
# Only the first column counts: the other columns may mention calls too.
listed=$(sed -nE 's/^\| (`vkskin[^|]*)\|.*/\1/p' "$page" | grep -oE 'vkskin[A-Za-z0-9]+' | sort)
if [ -z "$exported" ]; then
    echo "no exported function in $headers"
    exit 1
fi
complain() { # TEXT NAMES
    if [ -n "$2" ]; then
        echo "$(basename "$page") $1: $(paste -sd ' ' <<<"$2")"
        status=1
    fi
}
complain "does not list" "$(comm -23 <(echo "$exported") <(sort -u <<<"$listed"))"
complain "lists what no header exports" "$(comm -13 <(echo "$exported") <(sort -u <<<"$listed"))"
complain "lists twice" "$(uniq -d <<<"$listed")"
exit "$status"
