#!/usr/bin/env bash
# conformance.sh: every row of the conformance table on both software drivers. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
conformance.sh: compares every row of the conformance table with the double-precision reference, on lavapipe and on
SwiftShader, and writes the worst errors to tests/conformance/README.md.

usage: scripts/conformance.sh [--pairs] [--output FILE]

  --pairs         only the rows that test.sh runs, which contain every pair of choices
  --output FILE   the Markdown file; default: tests/conformance/README.md of the project
  --help, -h      this text

It builds in build/conformance. All rows take about 15 minutes on two cores the first time, most of it to compile
kernels; both drivers run at once. For a wrong row it prints a line, writes nothing and exits with status 1.
TEXT
}

fail() {
    echo "conformance.sh: $*" >&2
    exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
output=$root/tests/conformance/README.md
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
mkdir -p build || fail "cannot make the folder build"
cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo >"$build.log" 2>&1 ||
    fail "the project does not configure; see $build.log"
cmake --build "$build" --target test_conformance_table >"$build.log" 2>&1 ||
    fail "the project does not build; see $build.log"

# driverFile NAME: the tests' driver file, from CMake's cache.
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
        $1 != "format" {
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

# The worse of both drivers: normal, tangent.
writeFormats() {
    cat "$build/lavapipe.tsv" "$build/swiftshader.tsv" | awk -F '\t' '
        $1 == "format" {
            if (!($2 in normal)) order[++formats] = $2
            if ($3 + 0 > normal[$2] + 0) normal[$2] = $3
            if ($4 + 0 > tangent[$2] + 0) tangent[$2] = $4
        }
        END {
            for (i = 1; i <= formats; i++) print "| " order[i] " | " normal[order[i]] "° | " tangent[order[i]] "° |"
        }'
}

counts=$(awk -F '\t' '$1 != "format" { rows += $4; vertices += $5 } END { print rows, vertices }' "$build/lavapipe.tsv")
read -r rowCount vertexCount < <(sed -E ':a; s/([0-9])([0-9]{3})\>/\1,\2/; ta' <<<"$counts")
{
    cat <<TEXT
# Conformance

This page lists the worst errors of every kernel. The kernels are compared with skinning in double precision from the
definitions ([testkit/reference](../../testkit/reference)). \`scripts/conformance.sh\` writes this page. It is of $run:
$rowCount rows and $vertexCount compared vertices on each of lavapipe and SwiftShader, under the validation layer.

One list has all choices ([table.c](table.c)). A row is one choice of each line:

| choice | values |
|---|---|
| method and palette | each method with each palette that it reads |
| influences | 1, 2, 3, 4, 5, 8, 17, 255 |
| weights | 32, 16 and 8 bits |
| joints, in the mesh and in the input | 8, 16 and 32 bits: 200, 300 and 70,000 bones |
| output | packed, float, snorm10 |
| attributes | positions; cheap and exact normals; with and without tangents |

- Morph targets (none, before, after, both) and vertex orders (one influence count, two sorted, two mixed) rotate from row to
  row.
- The CPU backend of a context skins every third row.
- Kernel settings rotate from kernel to kernel, so that each kernel is made once: 1, 4, 16 and 64 instances per thread,
  workgroups of 32, 64, 128 and 256, palettes as storage buffer and as texels.
- Two instances of a row are skinned repeatedly, more often than a thread skins its vertex. All copies are equal bit for bit.
- \`./test.sh\` runs few rows, which contain every pair of choices and of settings. \`test_conformance_table --cpu\` skins
  them with \`vkskinSkinOnCpu\` at each level of instructions.

## Worst errors

Each cell has the worse of the two drivers: the position as a fraction of the diagonal of the bounds, the normal and the
tangent in degrees. (A flat mesh has neither.) The last column is for a mesh of two units' size with float weights, 10,000
units from the origin: the position in units.

| method | palette | float weights | 16-bit weights | 8-bit weights | far off |
|---|---|---|---|---|---|
TEXT
    writeTable
    cat <<'TEXT'

The degrees are without those of snorm10 output, which has a table of its own, with float weights and exact palettes:

| format | normal | tangent |
|---|---|---|
TEXT
    writeFormats
    cat <<'TEXT'

The errors are against exact weights and exact bones, so they include what the formats cannot represent. Packed normals
and tangents alone are about 0.01 degrees off. Weights of few bits cost most if there are many influences: 8 bits round most
of 255 influences to zero. `VkskinMeshInfo.weightError` states for each mesh what its weights cost.

## What is allowed

- Float weights and palettes: 1e-6 of the diagonal plus, for the rounding of large numbers, 16 roundings and half of one
  per influence of the largest number in a vertex's computation; 0.003 degrees in floats, 0.03 packed, 0.12 in snorm10
  (half a step of 1/511 in each component is 0.097). If blending shortens a direction, its degrees are
  multiplied by its length. A vertex is left out if rounding decides its result
  (quaternions on the border between hemispheres, exact normals of a flattened vertex, directions that cancel out); of
  these rows at most one in 100.
- Weights of 16 and 8 bits: in addition, the upper bound `VkskinMeshInfo.weightError` of the weight that rounding moved
  to other bones; with linear blending times the distance between the places to which the bones move the vertex, with
  other methods four times that of the bones' own distance.
- Palettes of halves: a component of 11 bits is off by 2^-11 of itself, so a bone rotates by at most 2^-10 radians, and
  its size and its translation are off by 2^-11 of themselves. Of 16-bit normalised quaternions: 2 / 32,767 radians. In
  addition, the output matches the entries of such palettes as closely as those of float palettes.

[judge.c](judge.c) decides.

## Random scenes

`build/test/tests/conformance/test_conformance_table --fuzz SECONDS --seed N` runs random rows with bones and weights of
any kind: antipodal quaternions, vertices without weight, shear, scales of -2 to 2 and of 0, 10,000 units from the
origin. It prints the seed of the first wrong scene, and `--fuzz 0 --seed N` repeats it. `./test.sh` runs it for a few
seconds from a new seed each time.
TEXT
} >"$output.part" || fail "cannot write $output"
mv "$output.part" "$output" || fail "cannot write $output"
echo "$rowCount rows on two drivers; $output"
