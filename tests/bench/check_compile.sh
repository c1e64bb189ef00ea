#!/usr/bin/env bash
# check_compile.sh [--write] PROGRAM LIMITS [FAMILY...]: compiles all kernels for families of GPUs and compares the result
# with the limits of the table LIMITS. --write renews the table. Mesa's RADV must be what VK_ICD_FILENAMES names.
#
# The table: a kernel, and for each family "registers/waves  outside  loop  inner", the last three as vector operations +
# operations of memory. No kernel may spill or use scratch memory. Registers and waves hold for one version of Mesa.
set -u -o pipefail
write=no
if [ "$1" = --write ]; then
    write=yes
    shift
fi
program=$1
limits=$2
shift 2
if [ ! -e "${VK_ICD_FILENAMES-}" ]; then
    echo "NOT RUN: ${VK_ICD_FILENAMES-VK_ICD_FILENAMES} is missing (package mesa-vulkan-drivers)"
    exit 0
fi
[ "$#" -gt 0 ] || set -- polaris10 vega10 navi10 navi21 gfx1100
export MESA_SHADER_CACHE_DISABLE=1
folder=$(mktemp -d -t vkskin-compile-XXXXXX) || exit 1
trap 'rm -rf "$folder"' EXIT

"$program" --compile "$@" ${QUICK:+--quick} --json - >"$folder/compiled.json" || exit 1

# A line for each kernel and family: kernel, family, spills, scratch, limits.
jq -r '"mesa\t" + .devices[0].driver_version, (.devices[] | .family as $family | .kernels[] |
    [.kernel, $family, .spills, .scratch_bytes, "\(.vector_registers)/\(.waves)",
    ((.outside, .loop, .inner) | "\(.vector)+\(.memory)")] | @tsv)' "$folder/compiled.json" >"$folder/compiled"

if [ "$write" = yes ]; then
    awk -F'\t' '
        $1 == "mesa" { print "mesa\t" $2; next }
        !($1 in row) { order[++count] = $1 }
        { row[$1] = row[$1] "\t" $2 " " $5 " " $6 " " $7 " " $8 }
        END { for (i = 1; i <= count; i++) print order[i] row[order[i]] }' "$folder/compiled" >"$limits"
    exit
fi

awk -F'\t' -v families="$*" '
    function wrong(text) { print $1 ", " $2 ": " text; failed = 1 }
    function worse(name, now, limit) { if (now > limit) wrong(now " " name ", the limit is " limit) }
    NR == FNR {
        if ($1 == "mesa") { mesa = $2 }
        for (i = 2; i <= NF; i++) { split($i, part, " "); limit[$1, part[1]] = $i; expected[$1, part[1]] = 1 }
        next
    }
    $1 == "mesa" { if ($2 != mesa) { print "the limits are those of " mesa ", this is " $2 ": renew the table with check_compile.sh --write"; failed = 1; exit } next }
    {
        if ($3 > 0) wrong($3 " spills")
        if ($4 > 0) wrong($4 " bytes of scratch")
        if (!(($1, $2) in limit)) { wrong("no limit: renew the table"); next }
        delete expected[$1, $2]
        split(limit[$1, $2], part, /[ \/+]/)
        split($5 "/" $6 "+" $7 "+" $8, now, /[\/+]/)
        worse("vector registers", now[1] + 0, part[2] + 0)
        if (now[2] + 0 < part[3] + 0) wrong(now[2] " waves, the limit is " part[3])
        split("outside outside loop loop inner inner", place, " ")
        for (i = 4; i <= 9; i++)
            worse((i % 2 ? "memory" : "vector") " operations (" place[i - 3] ")", now[i - 1] + 0, part[i] + 0)
    }
    END {
        for (key in expected) {
            split(key, part, SUBSEP)
            if (!failed && index(" " families " ", " " part[2] " ")) { print part[1] ", " part[2] ": not compiled"; failed = 1 }
        }
        exit failed
    }' "$limits" "$folder/compiled" || exit 1
echo "$(grep -vc '^mesa' "$folder/compiled") kernels are within their limits"
