#!/usr/bin/env bash
# check_install.sh ROOT gcc|clang PREFIX: builds and installs the library, moves the installed files to PREFIX, and
# checks them: the files, what the libraries export and require, and that all state one version.
set -u -o pipefail
root=$1 compiler=$2 prefix=$3
# shellcheck source=tests/consumer/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
place=$(mktemp -d -t "vkskin host XXXXXX") || exit 1
trap 'rm -rf "$place"' EXIT
useCompiler "$compiler"

run "configuring the library" cmake -S "$root" -B "$place/built" -DCMAKE_BUILD_TYPE=Release -DVKSKIN_BUILD_ENGINE=OFF \
    -DVKSKIN_BUILD_TESTS=OFF -DCMAKE_INSTALL_PREFIX="$place/first" -DCMAKE_INSTALL_LIBDIR=lib
run "building the library" cmake --build "$place/built"
run "installing the library" cmake --install "$place/built"
rm -rf "$prefix"
mkdir -p "$(dirname "$prefix")"
mv "$place/first" "$prefix" || fail "the installed folder cannot be moved"

version=$(headerVersion "$root")
library=$prefix/lib/libvkskin.so.$version
headers=$(cd "$root/skin" && find include -type f)
expectEqual "files" "$(LC_ALL=C sort <<TEXT
$headers
lib/cmake/vkskin/vkskin-config-version.cmake
lib/cmake/vkskin/vkskin-config.cmake
lib/cmake/vkskin/vkskin-targets-release.cmake
lib/cmake/vkskin/vkskin-targets.cmake
lib/libvkskin.a
lib/libvkskin.so
lib/libvkskin.so.$version
lib/libvkskin.so.${version%.*}
lib/libvkskin_cpu.a
lib/libvkskin_cpu.so
lib/libvkskin_cpu.so.$version
lib/libvkskin_cpu.so.${version%.*}
lib/pkgconfig/vkskin.pc
lib/pkgconfig/vkskin_cpu.pc
share/vkskin/shaders/vkskin/vkskin.glsl
share/vkskin/shaders/vkskin/vkskin_animation.glsl
share/vkskin/shaders/vkskin/vkskin_crowd.glsl
share/vkskin/shaders/vkskin/vkskin_vertex.glsl
TEXT
)" "$(cd "$prefix" && find . ! -type d | sed 's|^\./||' | LC_ALL=C sort)"

# Until 1.0 every minor version may break compatibility, so it is part of the name.
expectEqual "SONAME" "libvkskin.so.${version%.*}" "$(readelf -d "$library" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')"
expectEqual "version of vkskin.pc" "$version" "$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion vkskin)"

# The libraries export exactly what the headers declare, and require no Vulkan symbol of the linker.
# checkExports LIBRARY HEADERS...
checkExports() {
    local declared
    declared=$(cat "${@:2}" | sed -nE 's/^VKSKIN_API .*\b(vkskin[A-Z][A-Za-z0-9]*)\(.*/\1/p' | sort)
    expectEqual "functions of $(basename "$1")" "$declared" "$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)"
}
shopt -s extglob
headers=$root/skin/include/vkskin
checkExports "$library" "$headers"/*.h
checkExports "$prefix/lib/libvkskin_cpu.so" "$headers"/!(vkskin|vkskin_crowd).h
for file in "$library" "$prefix"/lib/libvkskin{,_cpu}.a "$prefix/lib/libvkskin_cpu.so"; do
    wanted=$(nm --undefined-only "$file" | awk '{ print $NF }' | grep '^vk[A-Z]')
    [ -z "$wanted" ] || fail "$(basename "$file") requires $wanted of the linker"
done

# The kernels are inside the library: it contains SPIR-V's first word.
grep -qaF "$(printf '\x03\x02\x23\x07')" "$library" || fail "no SPIR-V inside the shared library"
