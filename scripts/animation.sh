#!/usr/bin/env bash
# animation.sh: the size and the error of packed clips, for all clips of test models. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
animation.sh: runs 'vkskin info --max-error' on every model with clips in some folders, for bounds of 0.1, 0.3, 1 and 3 mm,
and writes the table of docs/clips.md.

usage: scripts/animation.sh [--program FILE] [--output FILE] [FOLDER...]

  FOLDER           searched for models; default: /usr/share/assimp/models, of the package assimp-testmodels
  --program FILE   the command; default: build/release/vkskin
  --output FILE    the Markdown file whose lines after the line '<!-- table -->' are replaced; '-' prints them;
                   default: docs/clips.md of the project
  --help, -h       this text
TEXT
}

fail() {
    echo "animation.sh: $*" >&2
    exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/vkskin
output=$root/docs/clips.md
folders=()
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --program | --output)
            [ "$#" -ge 2 ] || fail "$1 needs a value"
            declare "${1#--}=$2"
            shift
            ;;
        -*) fail "no option '$1'; see --help" ;;
        *) folders+=("$1") ;;
    esac
    shift
done
[ "${#folders[@]}" -gt 0 ] || folders=(/usr/share/assimp/models)
[ -x "$program" ] || fail "$program is not there: build it, or see --help"
for folder in "${folders[@]}"; do
    [ -d "$folder" ] || fail "$folder is not there; see --help"
done

bounds=(0.1 0.3 1 3)

# clips FILE BOUND: one line for each clip that moves nodes: model, name, bones, seconds, key bytes, packed bytes, error.
clips() {
    # shellcheck disable=SC2016 # jq has variables too
    "$program" info "$1" --max-error "$2" --json - 2>/dev/null | jq -r --arg model "$(basename "$1")" '
        .nodes as $nodes | .clips[]? | select(.packed and .packed.sourceBytes > 0)
        | [$model, (.name | gsub("[|\\\\\t]"; " ")), $nodes, .seconds, .packed.sourceBytes, .packed.bytes,
           .packed.errorMillimetres] | @tsv'
}

# table: reads the lines "BOUND TAB clip..." of all models, sorted by clip, and writes the table.
table() {
    awk -F '\t' -v count="${#bounds[@]}" '
        function bytes(n) { return n >= 1e6 ? sprintf("%.2f M", n / 1e6) : n >= 1e4 ? sprintf("%.1f k", n / 1e3) : n }
        { id = $2 "\t" $3 "\t" $9
          if (!(id in seen)) { seen[id] = 1; order[++ids] = id; nodes[id] = $4; seconds[id] = $5; raw[id] = $6; sum += $6 }
          packed[id, $1] = $7; error[id, $1] = $8; total[$1] += $7
          if (!($1 in known)) { known[$1] = 1; bound[++boundCount] = $1 } }
        END {
          printf "| model | clip | nodes | seconds | key bytes |"
          for (b = 1; b <= boundCount; b++) printf " %s mm |", bound[b]
          printf "\n| --- | --- | ---: | ---: | ---: |"
          for (b = 1; b <= boundCount; b++) printf " ---: |"
          printf "\n"
          for (i = 1; i <= ids; i++) {
            id = order[i]; split(id, part, "\t")
            printf "| %s | %s | %d | %.2f | %s |", part[1], part[2], nodes[id], seconds[id], bytes(raw[id])
            for (b = 1; b <= boundCount; b++)
              printf " %s, %.0f %%, %.2g%s |", bytes(packed[id, bound[b]]), 100 * packed[id, bound[b]] / raw[id],
                     error[id, bound[b]], (error[id, bound[b]] > bound[b] * 1.0001 ? " (not reached)" : "")
            printf "\n" }
          printf "| **all** | | | | **%s** |", bytes(sum)
          for (b = 1; b <= boundCount; b++) printf " **%s, %.1f %%** |", bytes(total[bound[b]]), 100 * total[bound[b]] / sum
          printf "\n" }'
}

lines() {
    local file bound
    find "${folders[@]}" -type f \( -iname '*.x' -o -iname '*.fbx' -o -iname '*.dae' -o -iname '*.md5mesh' \
        -o -iname '*.md5anim' -o -iname '*.gltf' -o -iname '*.glb' \) -printf '%f\t%p\n' | LC_ALL=C sort | cut -f 2 |
        while IFS= read -r file; do
            for bound in "${bounds[@]}"; do
                # A file that cannot be read has no rows.
                clips "$file" "$bound" | awk -v bound="$bound" '{ print bound "\t" $0 "\t" NR }' || true
            done
        done
}

rows=$(lines | table) || fail "the table could not be made"
if [ "$output" = - ]; then
    printf '%s\n' "$rows"
    exit 0
fi
grep -q '^<!-- table -->$' "$output" || fail "$output has no line '<!-- table -->'"
text=$(sed '/^<!-- table -->$/q' "$output")
printf '%s\n\n%s\n' "$text" "$rows" >"$output"
