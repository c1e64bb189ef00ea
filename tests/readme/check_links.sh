#!/usr/bin/env bash
# check_links.sh ROOT: what the project's pages point to inside of it is there: files, pictures, and the headings of
# pages.
set -u -o pipefail
root=$1
status=0

# anchorsOf PAGE: as the pages' readers make them of headings: lower case, words joined by hyphens.
anchorsOf() {
    sed -nE 's/^#+ (.*)$/\1/p' "$1" | tr '[:upper:]' '[:lower:]' | sed -E 's/[^a-z0-9 _-]//g; s/ /-/g'
}

# checkLink PAGE TARGET
checkLink() {
    local file=${2%%#*} anchor=${2#"${2%%#*}"}
    local path=$1
    [ -z "$file" ] || path=$(dirname "$1")/$file
    if [ ! -e "$path" ]; then
        echo "$1 points to $2, which is not there"
        status=1
    elif [ -n "$anchor" ] && ! anchorsOf "$path" | grep -qxF -- "${anchor#\#}"; then
        echo "$1 points to $2, and there is no such heading"
        status=1
    fi
}

cd "$root" || exit 1
for page in README.md CHANGELOG.md docs/*.md tests/README.md tests/*/README.md; do
    while read -r target; do
        case "$target" in
            *://*) ;;
            *) checkLink "$page" "$target" ;;
        esac
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed -E 's/^\]\((.*)\)$/\1/')
done
exit "$status"
