#!/usr/bin/env bash
# check_release.sh ROOT KERNELS PREFIX: makes the source archive twice and checks it: the same bytes, the checksum, and
# the kernels, which must be those of a build in KERNELS. Then builds the library from the archive without glslc and
# installs it to PREFIX.
set -u -o pipefail
root=$1 kernels=$2 prefix=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/consumer/common.sh
source "$here/common.sh"
place=$(mktemp -d -t "vkskin release XXXXXX") || exit 1
trap 'rm -rf "$place"' EXIT

name=vkskin-$(headerVersion "$root")
run "making the archive" "$root/scripts/release.sh" --allow-changes --output "$place/first"
run "making it again" env TZ=Asia/Tokyo LC_ALL=C.UTF-8 bash -c 'umask 077; exec "$@"' again \
    "$root/scripts/release.sh" --allow-changes --output "$place/second"
cmp "$place/first/$name.tar.gz" "$place/second/$name.tar.gz" || fail "two archives of the same files differ"
(cd "$place/first" && sha256sum --check --quiet "$name.tar.gz.sha256") || fail "the checksum is wrong"

tar --extract --gzip --file="$place/first/$name.tar.gz" --directory="$place" || fail "the archive cannot be unpacked"
expectEqual "top folder" "$name" "$(tar --list --gzip --file="$place/first/$name.tar.gz" | sed 's|/.*||' | sort -u)"
diff --recursive --brief --exclude=kernel_code.inc --exclude="*.d" "$kernels" "$place/$name/skin/kernels" ||
    fail "the kernels of the archive are not those of the build"

# This glslc is found before any other.
mkdir "$place/bin"
printf '#!/bin/sh\ntouch "%s"\nexit 1\n' "$place/called" >"$place/bin/glslc"
chmod +x "$place/bin/glslc"
PATH=$place/bin:$PATH run "building from the archive" bash "$here/check_install.sh" "$place/$name" gcc "$prefix"
[ ! -e "$place/called" ] || fail "the build from the archive calls glslc"
