#!/usr/bin/env bash
# check_ci.sh ROOT PREFIX SWIFTSHADER LAVAPIPE: the template of examples/ci/README.md. From an empty folder, with the installed
# library, its script must pass on both drivers; it must fail for another golden file, a message of the validation layer
# and a missing driver. Page and container file must list the same packages, and this system must know them.
set -u -o pipefail
root=$1 prefix=$2
export SWIFTSHADER=$3 LAVAPIPE=$4
place=$(mktemp -d -t "vkskin ci XXXXXX") || exit 1
trap 'rm -rf "$place"' EXIT
cp -r "$root/examples" "$place" && cp -r "$prefix" "$place/package" && cd "$place" || exit 1

fail() {
    echo "$1"
    exit 1
}

said=$(examples/ci/run.sh -DCMAKE_PREFIX_PATH="$place/package" 2>&1) || fail "the template fails: $said"
[ "$(grep -c '100% tests passed' <<<"$said")" = 2 ] || fail "not two drivers: $said"

# expectFailure WHAT TEXT: the script must fail and print the text.
expectFailure() {
    if said=$(examples/ci/run.sh 2>&1) || ! grep -q "$2" <<<"$said"; then
        fail "$1 is not detected: $said"
    fi
}
sed -i '$s/0/0.0002/' examples/ci/golden.txt
expectFailure "another golden number" '^[0-9: ]*line 9: '
cp "$root/examples/ci/golden.txt" examples/ci/golden.txt
echo >>examples/ci/golden.txt
expectFailure "a missing line" '9 lines, 10 in the golden file'
cp "$root/examples/ci/golden.txt" examples/ci/golden.txt
sed -i 's/VkBufferCopy copy = {/&.dstOffset = 4096, /' examples/host.c
expectFailure "a message of the validation layer" 'validation: '
SWIFTSHADER=$place/none
expectFailure "a missing driver" 'no driver: '

listed=$(sed -n '/install --yes/,/&&/p' "$root/examples/ci/Containerfile" | grep -oE '^ +[a-z0-9+-]+' | tr -d ' ')
# shellcheck disable=SC2016
documented=$(sed -n '/^## Packages/,/^## /p' "$root/examples/ci/README.md" | sed -nE 's/^\| `([^`]+)` .*/\1/p')
[ "$listed" = "$documented" ] || fail "packages: $(diff <(echo "$listed") <(echo "$documented"))"
for package in $listed; do
    dpkg-query --show "$package" >/dev/null || fail "no package $package"
done
