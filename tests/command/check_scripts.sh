#!/bin/bash
# check_scripts.sh FOLDER: the scripts of the project in FOLDER: checks that need no build.
set -u

root=$1
failures=0

expect() {
    if [ "$1" != "$2" ]; then
        printf 'expected: %s\n but got: %s\n' "$2" "$1" >&2
        failures=$((failures + 1))
    fi
}

# Help comes from any folder, at once, by either name, and touches nothing.
for script in run.sh test.sh scripts/conformance.sh scripts/docs.sh scripts/fuzz.sh scripts/lint.sh scripts/methods.sh \
    scripts/models.sh; do
    bash -n "$root/$script" || failures=$((failures + 1))
    help=$(cd / && "$root/$script" --help)
    expect "$?" 0
    [[ $help == *usage:*--help,\ -h* ]] || expect "$script: $help" "a text that names --help and -h"
    expect "$(cd / && "$root/$script" -h)" "$help"
done
bash -n "$root/scripts/packages.sh" || failures=$((failures + 1))

# Models that are given take the place of the script's own; options count after the script's. All that would build is a
# stand-in here, and the program one that prints its arguments.
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
mkdir -p "$place/tools" "$place/build/release" "$place/build/test" "$place/scripts"
cp "$root/run.sh" "$root/test.sh" "$place"
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

# What test.sh does not know it refuses before anything is built; ctest gets what is its own.
cat >"$place/tools/ctest" <<'TEXT'
#!/bin/sh
shift 6
echo "$@"
echo "100% tests passed, 0 tests failed out of 3"
TEXT
chmod +x "$place/tools/ctest"
# expectTests STATUS EXPECTED [arguments of test.sh]: its first line
expectTests() {
    local status=$1 expected=$2 said
    shift 2
    said=$(cd "$place" && PATH="$place/tools:$PATH" ./test.sh "$@" 2>&1)
    expect "$? ${said%%$'\n'*}" "$status $expected"
}
expectTests 0 "-R a b -E c" -R "a b" --no-install -E c
expectTests 0 "-N --rerun-failed --help" --no-install -N -- --rerun-failed --help
expectTests 1 "test.sh: unknown option '--bogus'; see --help" --no-install --bogus
expectTests 1 "test.sh: 'conformance' belongs to no option; see --help" --no-install conformance
expectTests 1 "test.sh: 'b' belongs to no option; see --help" --no-install -R a b

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
