#!/usr/bin/env bash
# formats.sh: what the command reads of every model of the package assimp-testmodels. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
formats.sh: runs 'vkskin info' on every model of the package assimp-testmodels whose file name extension is read, and
writes the tables of docs/formats.md between their marks.

usage: scripts/formats.sh [--program FILE] [--models FOLDER] [--output FILE]

  --program FILE   the command; default: build/release/vkskin
  --models FOLDER  where the package put its models; default: /usr/share/assimp/models
  --output FILE    where the page goes; '-' prints it; default: docs/formats.md of the project
  --help, -h       this text
TEXT
}

fail() {
    echo "formats.sh: $*" >&2
    exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/vkskin
models=/usr/share/assimp/models
output=$root/docs/formats.md
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --program | --models | --output)
            [ "$#" -ge 2 ] || fail "$1 needs a value"
            declare "${1#--}=$2"
            shift
            ;;
        *) fail "no option '$1'; see --help" ;;
    esac
    shift
done
[ -x "$program" ] || fail "$program is not there: build it, or see --help"
[ -d "$models" ] || fail "$models is not there: install assimp-testmodels, or see --help"

# shellcheck disable=SC2016 # jq has variables too
# The row of a model that is read, from the JSON of 'vkskin info'.
row='
def many(one; several): "\(.) \(if . == 1 then one else several end)";
def repaired: {
    weightsNegative: "weights that are negative or not finite, set to 0",
    verticesUnweighted: "vertices without weights, attached to their node",
    normalsComputed: "meshes without normals, computed from the faces",
    trianglesDropped: "points, lines and incomplete triangles, left out",
    nodesSheared: "nodes with shear, kept as a matrix",
    tracksDropped: "tracks without keys or for missing nodes" };
[ (.meshes | length | select(. > 0) | many("mesh"; "meshes")), (.triangles | select(. > 0) | many("triangle"; "triangles")),
  (.bones | select(. > 0) | many("bone"; "bones")), (.clips | length | select(. > 0) | many("clip"; "clips")),
  ([.meshes[].morphs | length] | add // 0 | select(. > 0) | many("morph target"; "morph targets")) ] as $content
| [ .warnings[], (.repairs | to_entries[] | select(.value > 0 and repaired[.key]) | "\(repaired[.key]): \(.value)") ]
  as $not | "\($content | join(", "))\t\($not | join("; "))"'

# describe MODEL: its row of the table. Names of a file may contain any character.
describe() {
    local text reason character
    if text=$("$program" info "$1" --json=- 2>/dev/null | jq -r "$row" 2>/dev/null); then
        reason=${text#*$'\t'}
        text=${text%%$'\t'*}
    else
        text="**refused**"
        reason=$("$program" info "$1" 2>&1 >/dev/null | head -n 1)
        reason=${reason#"vkskin info: $1: "}
        reason=${reason//"$models/"/}
    fi
    # shellcheck disable=SC1003 # a backslash
    for character in '\' '|' '*' '_' '<' '>'; do
        reason=${reason//"$character"/"\\$character"}
    done
    printf '| %s | %s | %s |\n' "${1#"$models/"}" "$text" "$reason"
}

# The extensions are those that the command itself names.
extensions() {
    "$program" info --help | tr -s ' \n' ' ' | sed -n 's/.* MODEL a file: \([^;]*\).*/\1/p' | tr -d ' .' | tr ',' '|'
}

list() {
    find "$models" -type f | grep -iE "\.($(extensions))$" | LC_ALL=C sort
}

# The other kinds of models: how many files there are, and the line with which the command refuses one of them. The
# extension alone decides. Pictures, buffers and texts are of unknown kind.
others() {
    local extension count reason
    find "$models" -type f -size +0 | grep -ivE "\.($(extensions))$" | sed -n 's/.*\.\([A-Za-z0-9]*\)$/\1/p' |
        tr '[:upper:]' '[:lower:]' | LC_ALL=C sort | uniq -c | while read -r count extension; do
            reason=$("$program" info "$(find "$models" -type f -size +0 -iname "*.$extension" | head -n 1)" 2>&1 >/dev/null)
            case "$reason" in
                *"is not read: "*) reason=${reason##*"/"}; reason=${reason#*": "} ;;
                *) continue ;;
            esac
            printf '| .%s | %s | %s |\n' "$extension" "$count" "${reason%%; read are*}"
        done
}

# part NAME COMMAND: replaces the lines between the two marks of NAME on standard input by what COMMAND prints.
part() {
    awk -v begin="<!-- $1: begin -->" -v end="<!-- $1: end -->" -v rows="$("$2" | sed 's/\\/\\\\/g')" '
        $0 == end { inside = 0 }
        !inside
        $0 == begin { inside = begun = 1; print rows }
        END { exit !begun || inside }'
}

models() {
    printf '| model | content | not read, repaired, or the reason for which it is refused |\n| --- | --- | --- |\n'
    list | while read -r model; do
        describe "$model"
    done
}

kinds() {
    # shellcheck disable=SC2016 # Markdown
    printf '| extension | files | line of `vkskin info` |\n| --- | --- | --- |\n'
    others
}

page() {
    part models models <"$root/docs/formats.md" | part "other kinds" kinds
}

if [ "$output" = - ]; then
    page
else
    page >"$output.new" || fail "docs/formats.md does not have the marks of its tables"
    mv "$output.new" "$output"
fi
