#!/usr/bin/env bash
# check_links.sh ROOT: the targets of all links inside the project must exist: files, pictures, and headings.
set -u -o pipefail
root=$1
status=0

# anchorsOf PAGE: the anchors of its headings, as Markdown renderers make them: lower case, words joined by hyphens.
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
for page in README.md CHANGELOG.md docs/*.md bench/README.md examples/*/README.md tests/README.md tests/*/README.md; do
    while read -r target; do
        case "$target" in
            *://*) ;;
            *) checkLink "$page" "$target" ;;
        esac
    done < <(grep -oE '\]\([^)]+\)' "$page" | sed -E 's/^\]\((.*)\)$/\1/')
done
exit "$status"
