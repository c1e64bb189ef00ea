#!/bin/bash
# check_scripts.sh FOLDER: run.sh of the project in FOLDER: what can be told without building anything.
set -u

root=$1
failures=0

expect() {
    if [ "$1" != "$2" ]; then
        printf 'expected: %s\n but got: %s\n' "$2" "$1" >&2
        failures=$((failures + 1))
    fi
}

bash -n "$root/run.sh" || failures=$((failures + 1))
bash -n "$root/scripts/packages.sh" || failures=$((failures + 1))

# Help comes from any folder, at once, and touches nothing.
help=$(cd / && "$root/run.sh" --help)
expect "$?" 0
expect "${help%%:*}" "run.sh"

# Models that are given take the place of the script's own; options count after the script's. All that would build is a
# stand-in here, and the program one that prints its arguments.
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/tools" "$place/build/release" "$place/scripts"
cp "$root/run.sh" "$place"
cp "$root/scripts/packages.sh" "$place/scripts"
for tool in cmake ninja cc c++ glslc; do
    ln -s /bin/true "$place/tools/$tool"
done
printf '#!/bin/sh\necho "$@"\n' >"$place/build/release/vkskin"
chmod +x "$place/build/release/vkskin"

# expectProgram EXPECTED [arguments of run.sh]
expectProgram() {
    local expected=$1
    shift
    expect "$(cd "$place" && PATH="$place/tools:$PATH" ./run.sh --no-install "$@")" "$expected"
}

samples="/usr/share/assimp/models/X/Testwuson.X /usr/share/assimp/models/X/BCN_Epileptic.X"
given="crowd --count 400 -o $place/out/crowd.png"
expectProgram "$given -- $samples"
expectProgram "$given --count 9 --json=a.json -- $samples" --count 9 --json=a.json
expectProgram "$given -- Fox.glb" Fox.glb
expectProgram "$given --validate -o a.png --seed 3 -- Fox.glb b.x" --validate Fox.glb -o a.png b.x --seed 3
expectProgram "$given --time -1 -ob.png -- c.x" --time -1 -ob.png -- c.x
expectProgram "$given --count --seed 3 -- c.x" --count --seed 3 c.x
expectProgram "view --paused -- Fox.glb" --window --paused Fox.glb
expectProgram "view -- $samples" --window

# A package that is not there is named; those that are there are not.
# shellcheck source=../../scripts/packages.sh
source "$root/scripts/packages.sh"
expect "$(packagesMissing bash no-such-package coreutils)" "no-such-package"
expect "$(packagesRequire bash no-such-package 2>&1)" "not installed: no-such-package"
packagesRequire bash
expect "$?" 0

# Nothing missing: nothing is asked of apt, so a second run needs no network.
apt-get() {
    echo "apt-get was called" >&2
    failures=$((failures + 1))
}
packagesInstall bash coreutils
expect "$?" 0

exit "$((failures > 0))"
