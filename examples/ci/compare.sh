#!/usr/bin/env bash
# compare.sh [--write] GOLDEN PROGRAM...: runs the program and compares its output with the golden file. Numbers may
# differ by the tolerance, relative above 1; all other text must be equal. A program that fails, fails the test: it exits
# with 1 if the validation layer reports anything. --write makes the golden file.
set -u -o pipefail
tolerance=${TOLERANCE:-1e-5}
if [ "$1" = --write ]; then
    shift
    "${@:2}" >"$1"
    exit
fi
golden=$1
output=$("${@:2}") || exit 1
awk -v tolerance="$tolerance" '
    function size(number) { return number < 0 ? -number : number }
    { gsub(/[(),:]/, " & "); $0 = $0 }
    FNR == NR { golden[FNR] = $0; lines = FNR; next }
    {
        count = split(golden[FNR], wanted)
        good = count == NF
        for (i = 1; i <= NF && good; i++) {
            isNumber = $i ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ && wanted[i] ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/
            limit = tolerance * (size(wanted[i]) > 1 ? size(wanted[i]) : 1)
            good = isNumber ? size($i - wanted[i]) <= limit : $i == wanted[i]
        }
        if (!good) { print "line " FNR ": " $0; print "golden: " golden[FNR]; wrong++ }
    }
    END {
        if (FNR != lines) { print FNR " lines, " lines " in the golden file"; wrong++ }
        exit wrong > 0
    }
' "$golden" <(printf '%s\n' "$output")
