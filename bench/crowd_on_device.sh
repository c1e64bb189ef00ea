#!/usr/bin/env bash
# crowd_on_device.sh: the table of crowds by number of characters, on the device at hand. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
crowd_on_device.sh: draws crowds of more and more characters and prints a Markdown table of what a frame costs.

usage: bench/crowd_on_device.sh [--program FILE] [--counts "N..."] MODEL [options of vkskin crowd]

  --program FILE   the program; default: vkskin beside this script, else that of build/release
  --counts "N..."  numbers of characters; default: "10000 30000 100000 300000 1000000"
  --help, -h       this text

It runs 'vkskin crowd MODEL --system crowd --backend compute --count N' for each N. Further options go to the program, for
example --slots 50000, --device NAME, --frames 60, or --backend cpu. Times are milliseconds: medians with their spread in
percent. 'host' is the time to record the crowd, with kernels; 'crowd' is culling, lists, posing and skinning; 'draw' is
both passes of the picture. With a driver whose timestamps can be trusted they are those of the device, else of the wall
clock around a fence.
TEXT
}

fail() {
    echo "crowd_on_device.sh: $*" >&2
    exit 1
}

own=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=
counts="10000 30000 100000 300000 1000000"
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --program | --counts)
            [ "$#" -ge 2 ] || fail "$1 needs a value"
            if [ "$1" = --program ]; then program=$2; else counts=$2; fi
            shift 2
            ;;
        -*) fail "unknown option $1 before the model; see --help" ;;
        *) break ;;
    esac
done
[ "$#" -ge 1 ] || fail "which model? see --help"
model=$1
shift
if [ -z "$program" ]; then
    program=$own/vkskin
    [ -e "$program" ] || program=$own/../build/release/vkskin
fi
[ -x "$program" ] || fail "$program: not found; build it, or pass --program FILE"

report=$(mktemp) || fail "no temporary file"
trap 'rm -f "$report"' EXIT

# number KEY: the first number of that name in the report; - for null.
number() {
    value=$(sed -n "s/^[[:space:]]*\"$1\":[[:space:]]*\(-\{0,1\}[0-9][0-9.e+-]*\).*/\1/p" "$report" | head -n 1)
    echo "${value:--}"
}

# step NAME: median and spread of a step of the report.
step() {
    awk -v name="\"$1\":" '$1 == name && $2 == "{" { inside = 1 }
        inside && $1 == "\"medianMilliseconds\":" { median = $2 }
        inside && $1 == "\"spreadPercent\":" { spread = $2; exit }
        END { if (median + 0 > 0) { printf "%.3f (%.0f %%)", median, spread } else { print "-" } }' "$report"
}

printed=0
for count in $counts; do
    "$program" crowd "$model" --system crowd --backend compute --count "$count" --force --json "$report" "$@" \
        >/dev/null || fail "$count characters: the program failed"
    if [ "$printed" -eq 0 ]; then
        printf 'Device: %s\n\n' "$(sed -n 's/^[[:space:]]*"device":[[:space:]]*"\(.*\)",$/\1/p' "$report" | head -n 1)"
        printf '| characters | slots | skinned | in the picture | refused | device MB | host ms | crowd ms | draw ms |\n'
        printf '| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n'
        printed=1
    fi
    bytes=$(number deviceBytes)
    printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$count" "$(number slots)" "$(number skinned)" \
        "$(number drawnPicture)" "$(number refused)" "$((bytes / 1000000))" "$(step recording)" "$(step skinning)" "$(step draw)"
done
