#!/usr/bin/env bash
# conformance.sh: every row of the conformance table on both software drivers. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
conformance.sh: holds every row of the conformance table against the double-precision reference, on lavapipe and on
SwiftShader, and writes the worst errors as docs/conformance.md.

usage: scripts/conformance.sh [--pairs] [--output FILE]

  --pairs         only the rows that test.sh runs, which hold every pair of choices
  --output FILE   where the Markdown goes; default docs/conformance.md of the project
  --help, -h      this text

It builds in build/conformance. Every row takes some 15 minutes on two cores the first time, most of it for compiling
kernels; both drivers run at once. A row that is wrong is told in a line, nothing is written then, and the exit status
is 1.
TEXT
}

fail() {
    echo "conformance.sh: $*" >&2
    exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=$root/docs/conformance.md
rows=(--all)
run="the whole table"
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --pairs)
            rows=()
            run="the rows that \`./test.sh\` runs too"
            ;;
        --output)
            [ "$#" -ge 2 ] || fail "$1 needs a file"
            output=$(realpath -m "$2")
            shift
            ;;
        *) fail "unknown option '$1'; see --help" ;;
    esac
    shift
done

cd "$root" || fail "cannot enter $root"
build=build/conformance
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo >"$build.log" 2>&1 ||
    fail "the project does not configure; see $build.log"
cmake --build "$build" --target test_conformance_table >"$build.log" 2>&1 ||
    fail "the project does not build; see $build.log"

# driverFile NAME: as the tests have it, from CMake's cache.
driverFile() {
    sed -nE "s/^VKSKIN_${1^^}_ICD:FILEPATH=(.*)$/\1/p" "$build/CMakeCache.txt"
}

# runTable NAME: the table on a driver.
runTable() {
    local icd
    icd=$(driverFile "$1")
    VK_DRIVER_FILES=$icd VK_ICD_FILENAMES=$icd "$build/tests/conformance/test_conformance_table" "${rows[@]}" \
        --report "$build/$1.tsv" >"$build/$1.log" 2>&1
}

rm -f "$build"/*.tsv
runTable lavapipe &
first=$!
runTable swiftshader
second=$?
if ! wait "$first" || [ "$second" -ne 0 ]; then
    grep -h -E '\(seed|validation:|vkskin[A-Z]' "$build/lavapipe.log" "$build/swiftshader.log" >&2
    fail "the table does not hold; see $build/lavapipe.log and $build/swiftshader.log"
fi

# The worse of both drivers in each cell: position, normal, tangent.
writeTable() {
    cat "$build/lavapipe.tsv" "$build/swiftshader.tsv" | awk -F '\t' '
        function worse(at, value) { if (!(at in worst) || value + 0 > worst[at] + 0) worst[at] = value }
        {
            reading = "| " $1 " | " $2
            if (!(reading in known)) { known[reading] = 1; order[++readings] = reading }
            worse(reading $3 "p", $6); worse(reading $3 "n", $7); worse(reading $3 "t", $8); worse(reading "far", $9)
            seen[reading $3] = 1
        }
        function cell(at) {
            return at in seen ? worst[at "p"] + 0 ", " worst[at "n"] + 0 "°, " worst[at "t"] + 0 "°" : ""
        }
        END {
            for (i = 1; i <= readings; i++) {
                r = order[i]
                far = worst[r "far"] + 0 > 0 ? worst[r "far"] + 0 : ""
                print r " | " cell(r "float") " | " cell(r "16 bits") " | " cell(r "8 bits") " | " far " |"
            }
        }'
}

counts=$(awk -F '\t' '{ rows += $4; vertices += $5 } END { print rows, vertices }' "$build/lavapipe.tsv")
read -r rowCount vertexCount < <(sed -E ':a; s/([0-9])([0-9]{3})\>/\1,\2/; ta' <<<"$counts")
{
    cat <<TEXT
# Conformance

What the kernels make of a mesh, held against skinning in double precision from the definitions
([testkit/reference](../testkit/reference)). \`scripts/conformance.sh\` writes this page; \`./test.sh\` runs few rows of
the table that hold every pair of choices.

The table is made from one list ([tests/conformance/row.c](../tests/conformance/row.c)): each method with each palette
that it reads x 1, 2, 3, 4, 5, 8, 17 and 255 influences x weights of 32, 16 and 8 bits x joints of 8, 16 and 32 bits in
the mesh (200, 300 and 70,000 bones) and in the input x packed and float output x positions, cheap and exact normals,
with and without tangents. Morph targets (none, before, after, both) and orders of vertices (one number of influences,
two sorted, two mixed) take turns from row to row, and every third row is skinned by a context's CPU backend. Settings
of kernels take turns from kernel to kernel, so that each is made once: 1, 4, 16 and 64 instances a thread, workgroups
of 32, 64, 128 and 256, palettes as storage buffer and as texels. Two instances of a row are skinned over and over, more
of them than a thread skins its vertex for, and all copies are the same bit for bit. All of it runs on lavapipe and on
SwiftShader, under the validation layer. The few rows of \`./test.sh\` hold every pair of choices, of settings too;
\`test_conformance_cpu_table\` skins them by \`vkskinSkinOnCpu\` at each level of instructions.

This page is of $run: $rowCount rows and $vertexCount compared vertices on each of the two.

## Worst errors

Each cell: position as a fraction of the diagonal of the bounds, normal and tangent in degrees (a flat mesh has
neither), the worse of the two drivers. The last column: position in units, where a mesh of two units' size lies 10,000
units from the origin and has float weights.

| method | palette | float weights | 16-bit weights | 8-bit weights | far off |
|---|---|---|---|---|---|
TEXT
    writeTable
    cat <<'TEXT'

The errors are against exact weights and exact bones, so they hold what formats cannot keep. Packed normals and tangents
alone are some 0.01 degrees off. Weights of few bits cost most where influences are many: of 255, 8 bits cannot tell
most from nothing. `VkskinMeshInfo.weightError` says for each mesh what its weights cost.

## What is allowed

- Float weights and palettes: 1e-6 of the diagonal and, for the rounding of large numbers, 16 roundings and half of one
  an influence of the largest number on a vertex's way; 0.003 degrees in floats, 0.03 packed. Where blending shortens a
  direction, degrees count by its length. Where rounding decides (quaternions on the border between hemispheres, exact
  normals of a flattened vertex, directions that cancel out), a vertex is left out, of these rows at most one in 100.
- Weights of 16 and 8 bits: besides, what `VkskinMeshInfo.weightError` promises of the share of weight that changed
  hands; by linear blending that share of the distance between the places where bones take the vertex, by other methods
  four times that of the bones' own distance.
- Palettes of halves: a component of 11 bits is off by 2^-11 of itself, so a bone turns by at most 2^-10 radians, its
  size and its translation are off by 2^-11 of themselves. Of 16-bit normalised quaternions: 2 / 32,767 radians. Besides,
  what such entries hold is met as closely as what float palettes hold.

How it is judged: [tests/conformance/allowance.c](../tests/conformance/allowance.c).

## Random scenes

`build/test/tests/conformance/test_conformance_table --fuzz SECONDS --seed N` runs random rows with bones and weights of
any kind: antipodal quaternions, vertices without weight, shear, scales of -2 to 2 and of 0, 10,000 units from the
origin. The first scene that is wrong is told with its seed, and `--fuzz 0 --seed N` runs it once more. `./test.sh` does
so for a few seconds from a new seed each time.
TEXT
} >"$output.part" || fail "cannot write $output"
mv "$output.part" "$output" || fail "cannot write $output"
echo "$rowCount rows on two drivers; $output"
