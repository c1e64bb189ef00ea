#!/bin/bash
# run.sh: builds vkskin and runs its main job. See --help.
set -u

usage() {
    cat <<'TEXT'
run.sh: builds vkskin on Debian 12 and runs its main job: it skins a crowd of 400 characters of two real models, draws
them to out/crowd.png and prints the times.

usage: ./run.sh [--no-install] [--window] [arguments of the program]

  --no-install  do not install packages
  --window      show the models in a window with 'vkskin view' instead of drawing a picture
  --help, -h    print this text

It installs missing packages (with apt, and sudo if you are not root), builds into build/release and runs
build/release/vkskin. All other arguments go to the program. Options override those of this script, and models replace
its two models:

  ./run.sh --count 2000 --frames 50
  ./run.sh --method dqs --json out/crowd.json
  ./run.sh Fox.glb

'build/release/vkskin crowd --help' lists all options.
TEXT
}

fail() {
    echo "run.sh: $*" >&2
    exit 1
}

install=yes
window=no
arguments=()
models=()
before= # the previous argument, if it is an option whose value may be this one
while [ "$#" -gt 0 ]; do
    argument=$1
    shift
    if [ -n "$before" ] && [[ $argument != -[!0-9.]* ]]; then
        arguments+=("$argument")
        before=
        continue
    fi
    before=
    case "$argument" in
        --help | -h) usage; exit 0 ;;
        --no-install) install=no ;;
        --window) window=yes ;;
        --) models+=("$@"); break ;;
        --validate | --paused | --*=* | -o?*) arguments+=("$argument") ;; # options without a separate value
        -?*)
            arguments+=("$argument")
            before=$argument
            ;;
        *) models+=("$argument") ;;
    esac
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || fail "cannot enter its own folder"
build=$root/build/release
samples=/usr/share/assimp/models/X
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh" || fail "scripts/packages.sh is missing"

if [ "$install" = yes ]; then
    packagesInstall "${PACKAGES_RUN[@]}" || fail "the packages could not be installed (--no-install continues without them)"
fi

# buildFailed WHAT: names missing packages first, the likely reason with --no-install.
buildFailed() {
    packagesRequire "${PACKAGES_RUN[@]}"
    fail "$1"
}

for tool in cmake ninja cc c++ glslc; do
    command -v "$tool" >/dev/null || buildFailed "the program '$tool' is missing"
done
mkdir -p "$root/build" || fail "cannot create the folder build"
log=$root/build/configure.log
if ! (cd "$root" && cmake --preset release) >"$log" 2>&1; then
    cat "$log" >&2
    buildFailed "the configuration failed"
fi
cmake --build "$build" >&2 || buildFailed "the build failed"

if [ "${#models[@]}" -eq 0 ]; then
    models=("$samples/Testwuson.X" "$samples/BCN_Epileptic.X")
    for model in "${models[@]}"; do
        [ -r "$model" ] || fail "$model is missing: it comes with the Debian package assimp-testmodels"
    done
fi

if [ "$window" = yes ]; then
    exec "$build/vkskin" view "${arguments[@]}" -- "${models[@]}"
fi
mkdir -p "$root/out" || fail "cannot create the folder out"
"$build/vkskin" crowd --count 400 -o "$root/out/crowd.png" "${arguments[@]}" -- "${models[@]}"
