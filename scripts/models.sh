#!/usr/bin/env bash
# models.sh: takes a folder of models through the verbs of the command. See --help.
# shellcheck disable=SC2317 # functions that 'on' calls
set -u -o pipefail

usage() {
    cat <<'TEXT'
models.sh: runs every model of folders through info, render, crowd, compare and bake, and each 3D model also through
pack, and its packed file through info, crowd and bake. No test runs it: try it with models of your own.

usage: scripts/models.sh [FOLDER...] [options]

  FOLDER           where models are, also in folders below; default: /usr/share/assimp/models of the Debian package
                   assimp-testmodels
  --only PATTERN   only models whose path below FOLDER matches the pattern of bash, as '*/skin*.fbx'
  --driver NAME    lavapipe, swiftshader, or the JSON file of a Vulkan driver; repeatable; default: both of them
  --backend NAME   compute or cpu; repeatable; default: both
  --verbs LIST     only these verbs, as 'info,bake'; default: info,render,crowd,compare,bake,pack
  --jobs N         models at a time; default: the number of processors
  --limit SECONDS  time for one command; default: 120
  --expected FILE  lines of 'MODEL: WHAT', both patterns of bash, of what may be low: '*/a.glb: crowd'
  --program FILE   the command; default: build/release/vkskin
  --help, -h       this text

Each verb of each model has a state, and each that is not right is a line of the output. A table follows.

  right     done
  fallback  crowd drew with the system compute: the line says why
  refused   exit status 1, and one line that says why; if info refuses, no other verb is tried
  low       compare: a picture of a system is below 38 dB to compute
  wrong     a baked vertex is not finite, or is elsewhere with another driver or backend or from the packed file;
            or the packed file has other contents
  crash     a signal, no answer in time, an exit status of 2 or more, a report of a sanitizer, or an error that is
            not one line

Exit status: 1 if anything crashed, was wrong, or was low and is not expected.
TEXT
}

fail() {
    echo "models.sh: $*" >&2
    exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/vkskin
folders=() drivers=() backends=()
only='*' verbs=info,render,crowd,compare,bake,pack jobs=$(nproc) limit=120 expected=/dev/null
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --only | --driver | --backend | --verbs | --jobs | --limit | --expected | --program)
            [ "$#" -ge 2 ] || fail "$1 needs a value"
            case "$1" in
                --driver) drivers+=("$2") ;;
                --backend) backends+=("$2") ;;
                *) declare "${1#--}=$2" ;;
            esac
            shift
            ;;
        -*) fail "no option '$1'; see --help" ;;
        *) folders+=("$1") ;;
    esac
    shift
done
[ -x "$program" ] || fail "$program is not there: build it, or see --help"
[ -r "$expected" ] || fail "cannot read $expected"
[ "${#folders[@]}" -gt 0 ] || folders=(/usr/share/assimp/models)
[ "${#drivers[@]}" -gt 0 ] || drivers=(lavapipe swiftshader)
[ "${#backends[@]}" -gt 0 ] || backends=(compute cpu)
for folder in "${folders[@]}"; do
    [ -d "$folder" ] || fail "no folder '$folder'; see --help"
done
for verb in ${verbs//,/ }; do
    [[ ,info,render,crowd,compare,bake,pack, == *,$verb,* ]] || fail "no verb '$verb'; see --help"
done

# driverFile NAME: its JSON file.
driverFile() {
    case "$1" in
        lavapipe) echo /usr/share/vulkan/icd.d/lvp_icd.x86_64.json ;;
        swiftshader) echo /usr/lib/chromium/vk_swiftshader_icd.json ;;
        *) echo "$1" ;;
    esac
}
for driver in "${drivers[@]}"; do
    [ -r "$(driverFile "$driver")" ] || fail "no driver '$driver': $(driverFile "$driver") is not there"
done

# ---- One model ----

# state NAME WHAT REASON: prints one line of the result: the name, the verb, all that names the run, the reason.
state() {
    local reason=${3//[$'\t\n']/ }
    reason=${reason//"$place/packed.vkm"/MODEL}
    printf '%s\t%s\t%s\t%s\n' "$1" "${2%% *}" "$2" "${reason:0:400}"
}

# run WHAT VERB ARGUMENTS...: runs the command and prints its state unless it is 0. WHAT: the verb, driver and backend.
run() {
    local what=$1 status errors
    shift
    timeout -k 5 "$limit" "$program" "$@" >"$place/output" 2>"$place/errors" </dev/null
    status=$?
    errors=$(grep -v "^vkskin $1: warning: " "$place/errors")
    if grep -qE 'Sanitizer|runtime error:' "$place/errors"; then
        state crash "$what" "$(grep -m 1 -E 'Sanitizer|runtime error:' "$place/errors")"
    elif [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        state crash "$what" "no answer in $limit s"
    elif [ "$status" -gt 1 ]; then
        state crash "$what" "exit status $status: ${errors%%$'\n'*}"
    elif [ "$status" -eq 1 ] && { [ -z "$errors" ] || [[ $errors == *$'\n'* ]]; }; then
        state crash "$what" "not one line of an error: ${errors//$'\n'/ | }"
    elif [ "$status" -eq 1 ]; then
        state refused "$what" "${errors#"vkskin $1: "}"
    elif [ -n "$errors" ]; then
        state crash "$what" "done, but printed: ${errors//$'\n'/ | }"
    else
        return 0
    fi
    return 1
}

wants() {
    [[ ,$verbs, == *,$1,* ]]
}

# on DRIVER COMMAND...: with this driver.
on() {
    local file
    file=$(driverFile "$1")
    VK_DRIVER_FILES=$file VK_ICD_FILENAMES=$file "${@:2}"
}

# crowdOf WHAT MODEL BACKEND: draws a crowd; the reason if another system drew it.
crowdOf() {
    local reason options=()
    $flat || options=(--backend "$3")
    run "$1" crowd "$2" --count 6 --frames 1 --size 96x64 "${options[@]}" --json - || return
    reason=$(jq -r '.systemFallback // empty' "$place/output" 2>&1)
    if [ -n "$reason" ]; then
        state fallback "$1" "$reason"
    else
        state right "$1" ''
    fi
}

# bakeOf WHAT MODEL REFERENCE OPTIONS...: bakes and compares with the file REFERENCE, which is made if it is not there.
bakeOf() {
    local what=$1 model=$2 reference=$3 bad
    shift 3
    run "$what" bake "$model" --time 0.3 "$@" --force -o "$place/bake.obj" || return
    [ -e "$reference" ] || cp "$place/bake.obj" "$reference"
    bad=$(awk -v bound="$bound" '
        $1 != "v" { next }
        FNR == NR { for (i = 2; i <= 4; ++i) { first[FNR, i] = $i; size = size < $i ? $i : size < -$i ? -$i : size }
            next }
        { for (i = 2; i <= 4; ++i) {
            if ($i !~ /^-?[0-9]/) { print "vertex on line " FNR " is not finite: " $0; exit }
            apart = $i - first[FNR, i]; apart = apart < 0 ? -apart : apart
            if (apart > far) { far = apart; at = FNR } } }
        END { if (size > 0 && far / size > bound) print "line " at " is off by " far " of " size }' \
        "$reference" "$place/bake.obj")
    if [ -n "$bad" ]; then
        state wrong "$what" "$bad"
    else
        state right "$what" ''
    fi
}

# boxes: whether the box of the packed file is that of the source, within 2 mm on a character 1.8 m high.
boxes() {
    awk '
        $1 != "v" { next }
        { for (i = 2; i <= 4; ++i) {
            if (!((FILENAME, i) in low) || $i < low[FILENAME, i]) low[FILENAME, i] = $i + 0
            if (!((FILENAME, i) in high) || $i > high[FILENAME, i]) high[FILENAME, i] = $i + 0 } }
        END { for (i = 2; i <= 4; ++i) {
                size = high[ARGV[1], i] - low[ARGV[1], i] > size ? high[ARGV[1], i] - low[ARGV[1], i] : size
                a = low[ARGV[1], i] - low[ARGV[2], i]; b = high[ARGV[1], i] - high[ARGV[2], i]
                a = a < 0 ? -a : a; b = b < 0 ? -b : b; far = a > far ? a : far; far = b > far ? b : far }
            if (far > size * 0.0012) print "the box of the packed file is off by " far " of " size }' "$1" "$2"
}

# compareOf WHAT MODEL: each system against compute. What a system refuses is its own business: docs/command.md.
compareOf() {
    local low
    run "$1" compare "$2" --count 4 --frames 1 --size 160x90 --json - || return
    jq -r '.systems[] | select(.decibels != null and .decibels < 38) | "\(.name)\t\(.decibels * 10 | round / 10) dB"' \
        "$place/output" >"$place/low"
    [ -s "$place/low" ] || state right "$1" ''
    while IFS=$'\t' read -r low reason; do
        state low "$1" "$low: $reason"
    done <"$place/low"
}

# packedOf MODEL: packs, compares the contents.
packedOf() {
    local contents='[.triangles, .vertices, .bones, (.clips | length), (.meshes | length), (.nodes | length)] | @json'
    run pack pack "$1" -o "$place/packed.vkm" || return
    bounded=true
    ! grep -q VKSKIN_WARNING_ERROR_BOUND "$place/errors" || bounded=false # and says so
    run 'pack info' info "$1" --json - || return
    jq -r "$contents" "$place/output" >"$place/contents"
    run 'pack info' info "$place/packed.vkm" --json - || return
    if jq -r "$contents" "$place/output" | cmp -s - "$place/contents"; then
        state right pack ''
    else
        state wrong pack "the source has $(cat "$place/contents"), the packed file $(jq -r "$contents" "$place/output")"
    fi
}

# drawn MODEL DRIVER BACKEND: the verbs that draw or skin.
drawn() {
    local at="$2 $3" options=()
    $flat || options=(--backend "$3")
    if wants render && run "render $at" render "$1" "${options[@]}" --size 96x64 --time 0.3 --force -o "$place/a.png"; then
        state right "render $at" ''
    fi
    ! wants crowd || crowdOf "crowd $at" "$1" "$3"
    ! wants bake || bakeOf "bake $at" "$1" "$place/first.obj" "${options[@]}"
    if [ -e "$place/packed.vkm" ]; then
        ! wants crowd || crowdOf "pack crowd $at" "$place/packed.vkm" "$3"
        ! wants bake || bakeOf "pack bake $at" "$place/packed.vkm" "$place/packed.obj" "${options[@]}"
    fi
}

# model FILE: all its results.
model() {
    local driver backend bad flat=false bounded=true bound=0.0001 place
    place=$(mktemp -d) || exit 1
    trap 'rm -rf "$place"' EXIT
    run info info "$1" --json - || return
    [ "$(jq -r .document "$place/output")" != info2d ] || flat=true
    state right info ''
    $flat || ! wants pack || packedOf "$1"
    for driver in "${drivers[@]}"; do
        for backend in "${backends[@]}"; do
            on "$driver" drawn "$1" "$driver" "$backend"
            ! $flat || break # 2D characters have one backend
        done
        ! wants compare || on "$driver" compareOf "compare $driver" "$1"
    done
    if $bounded && [ -e "$place/first.obj" ] && [ -e "$place/packed.obj" ]; then
        bad=$(boxes "$place/first.obj" "$place/packed.obj")
        [ -z "$bad" ] || state wrong 'pack bake' "$bad"
    fi
}

# one FILE FOLDER: prints the model's states that are not right, equal ones as one line, and leaves all of them in a
# file of $results.
one() {
    local name=${1#"$2/"} file
    file=$(mktemp -p "$results") || exit 1
    model "$1" | sed "s|$1|MODEL|g" | awk -v model="${name//\\/\\\\}" '{ print model "\t" $0 }' >"$file"
    awk -F '\t' '
        $2 == "right" { next }
        !(($2, $5) in what) { line[++lines] = $2 SUBSEP $5 }
        { what[$2, $5] = what[$2, $5] (what[$2, $5] == "" ? "" : ", ") $4 }
        END { for (i = 1; i <= lines; ++i) {
                split(line[i], part, SUBSEP)
                printf "%-8s  %s: %s: %s\n", part[1], $1, what[line[i]], part[2] } }' "$file"
}

# ---- All of them ----

results=$(mktemp -d) || fail "cannot make a folder"
trap 'rm -rf "$results"' EXIT

# list FOLDER: its models that are wanted. The extensions are those that the command itself names.
list() {
    local file extensions
    extensions=$("$program" info --help | sed -n 's/^ *MODEL  *a file: \([^;]*\).*/\1/p' | tr -d ' .' | tr ',' '|')
    find "$1" -type f | grep -iE "\.($extensions)$" | grep -v '\.points\.json$' | LC_ALL=C sort | while read -r file; do
        # shellcheck disable=SC2053 # a pattern
        [[ ${file#"$1/"} != $only ]] || printf '%s\n' "$file"
    done
}

running=0 count=0
for folder in "${folders[@]}"; do
    while read -r file; do
        [ "$running" -lt "$jobs" ] || { wait -n; running=$((running - 1)); }
        one "$file" "${folder%/}" &
        running=$((running + 1)) count=$((count + 1))
    done < <(list "${folder%/}")
done
wait
[ "$count" -gt 0 ] || fail "no models in ${folders[*]}"

# The table: a row per verb, a column per state.
printf '\n%s models\n' "$count"
cat "$results"/* | awk -F '\t' '
    BEGIN { states = split("right fallback refused low wrong crash", state, " ")
        verbs = split("info render crowd compare bake pack", verb, " ")
        printf "%-10s", "runs"
        for (s = 1; s <= states; ++s) printf "%10s", state[s]
        print "" }
    { ++runs[$3, $2] }
    END { for (v = 1; v <= verbs; ++v) {
            printf "%-10s", verb[v]
            for (s = 1; s <= states; ++s) printf "%10d", runs[verb[v], state[s]]
            print "" } }'

# What fails: crashes, wrong ones, and low ones that no line of --expected names.
while IFS=$'\t' read -r name state _ what reason; do
    case "$state" in
        crash | wrong) exit 1 ;;
        low)
            known=false
            while IFS= read -r line; do
                # shellcheck disable=SC2053 # patterns
                [[ $name != ${line%%: *} || $reason != ${line#*: }* ]] || known=true
            done < <(grep -v '^#' "$expected")
            $known || exit 1
            ;;
    esac
done < <(cat "$results"/*)
exit 0
