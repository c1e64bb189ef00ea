#!/usr/bin/env bash
# check_links.sh ROOT: what README.md and CHANGELOG.md point to inside the project is there, pictures included.
set -u -o pipefail
root=$1
status=0
for page in README.md CHANGELOG.md; do
    while read -r target; do
        case "$target" in
            *://* | '#'*) continue ;;
        esac
        if [ ! -e "$root/${target%%#*}" ]; then
            echo "$page points to $target, which is not there"
            status=1
        fi
    done < <(grep -oE '\]\([^)]+\)' "$root/$page" | sed -E 's/^\]\((.*)\)$/\1/')
done
exit "$status"
