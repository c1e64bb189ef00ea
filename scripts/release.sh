#!/usr/bin/env bash
# Makes the source archive of a release; see --help.
set -u -o pipefail

usage() {
    cat <<TEXT
usage: scripts/release.sh [--output FOLDER] [--allow-changes]

Writes vkskin-VERSION.tar.gz and vkskin-VERSION.tar.gz.sha256. The archive has the files of the last commit, the
compiled kernels in skin/kernels, so that the library builds without glslc, and docs/json_fields.md. The same commit and
the same glslc give the same bytes. The version is that of vkskin_base.h.

  --output FOLDER   where to write (default: out)
  --allow-changes   take the files as they are, also if they differ from the last commit
  --help, -h        print this text
TEXT
}

fail() {
    echo "release.sh: $*" >&2
    exit 1
}

output=out
changes=no
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --allow-changes) changes=yes ;;
        --output)
            [ "$#" -gt 1 ] || fail "--output needs a folder"
            output=$2
            shift
            ;;
        *) fail "unknown option $1; see --help" ;;
    esac
    shift
done
mkdir -p "$output" || fail "cannot create $output"
output=$(realpath -- "$output")
cd "$(dirname "${BASH_SOURCE[0]}")/.." || fail "cannot enter the folder of the project"

# A checkout may belong to another user, as in containers.
git() {
    command git -c safe.directory="$PWD" "$@"
}

time=$(git log -1 --format=%ct) || fail "this is not a checkout"
[ "$changes" = yes ] || [ -z "$(git status --porcelain)" ] || fail "files differ from the last commit: see git status"
version=$(awk '/^#define VKSKIN_VERSION_(MAJOR|MINOR|PATCH) / { printf "%s%s", dot, $3; dot = "." }' \
    skin/include/vkskin/vkskin_base.h)
name=vkskin-$version
work=$(mktemp -d) || fail "no temporary folder"
trap 'rm -rf "$work"' EXIT

mkdir "$work/$name" &&
    git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- --ignore-failed-read |
    tar --extract --directory="$work/$name" || fail "cannot copy the files"

{ cmake -S . -B "$work/build" -DVKSKIN_BUILD_ENGINE=OFF -DVKSKIN_BUILD_TESTS=OFF &&
    cmake --build "$work/build" --target vkskin_kernels --parallel; } >"$work/log" 2>&1 ||
    fail "the kernels do not compile: $(tail -n 20 "$work/log")"
# Only the kernels: a makefile generator leaves its lists of dependencies (.d) beside them.
cp -r "$work/build/skin/kernels" "$work/$name/skin/" && rm "$work/$name/skin/kernels/kernel_code.inc" &&
    find "$work/$name/skin/kernels" -name '*.d' -delete || fail "cannot copy the kernels"

python3 scripts/documents.py >"$work/$name/docs/json_fields.md" || fail "cannot list the fields of the documents"

# The same bytes for everybody: fixed order, times, owners and modes.
cd "$work" || exit 1
LC_ALL=C tar --create --format=ustar --sort=name --mtime="@$time" --owner=0 --group=0 --numeric-owner \
    --mode='u=rwX,go=rX' "$name" | gzip --no-name --best >"$name.tar.gz" || fail "cannot write the archive"
sha256sum "$name.tar.gz" >"$name.tar.gz.sha256" || fail "no checksum"
mv "$name.tar.gz" "$name.tar.gz.sha256" "$output/" || fail "cannot write into $output"
echo "$output/$name.tar.gz"
