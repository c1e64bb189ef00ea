#!/bin/bash
# run.sh: builds vkskin and runs its main job. See --help.
set -u

usage() {
    cat <<'TEXT'
run.sh: builds vkskin on Debian 12 and runs its main job: a crowd of 400 characters of two real models, skinned by one
compute pass, drawn to out/crowd.png and measured.

usage: ./run.sh [--no-install] [--window] [arguments of the program]

  --no-install  install no packages: take what is there
  --window      show the models in a window, by 'vkskin view', instead of drawing a picture
  --help, -h    this text

It installs what is missing of the packages it needs (by apt, with sudo when not root), builds into build/release and
runs build/release/vkskin. All else goes to the program: options count over what this script gives it, and models, where
there are any, take the place of its two:

  ./run.sh --count 2000 --frames 50
  ./run.sh --method dqs --json out/crowd.json
  ./run.sh Fox.glb

'build/release/vkskin crowd --help' tells them all.
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
before= # the argument before, where that is an option which may take its value from this one
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
        --validate | --paused | --*=* | -o?*) arguments+=("$argument") ;; # the only ones without a value to come
        -?*)
            arguments+=("$argument")
            before=$argument
            ;;
        *) models+=("$argument") ;;
    esac
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || fail "its own folder cannot be entered"
build=$root/build/release
samples=/usr/share/assimp/models/X
# shellcheck source=scripts/packages.sh
source "$root/scripts/packages.sh" || fail "scripts/packages.sh is missing"

if [ "$install" = yes ]; then
    packagesInstall "${PACKAGES_RUN[@]}" || fail "the packages could not be installed (--no-install goes on without)"
fi

# buildFailed WHAT: the likely reason first: with --no-install a package may be missing.
buildFailed() {
    packagesRequire "${PACKAGES_RUN[@]}"
    fail "$1"
}

for tool in cmake ninja cc c++ glslc; do
    command -v "$tool" >/dev/null || buildFailed "the program '$tool' is missing"
done
mkdir -p "$root/build" || fail "the folder build cannot be made"
log=$root/build/configure.log
if ! (cd "$root" && cmake --preset release) >"$log" 2>&1; then
    cat "$log" >&2
    buildFailed "the build could not be configured"
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
mkdir -p "$root/out" || fail "the folder out cannot be made"
"$build/vkskin" crowd --count 400 -o "$root/out/crowd.png" "${arguments[@]}" -- "${models[@]}"
