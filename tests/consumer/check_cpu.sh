#!/usr/bin/env bash
# check_cpu.sh ROOT PREFIX: builds the user's program of host_cpu/ with vkskin::cpu, static and shared, as on a machine
# without Vulkan: Vulkan's headers do not compile, and there is no glslc. Runs it.
set -u -o pipefail
root=$1 prefix=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/consumer/common.sh
source "$here/common.sh"
place=$(mktemp -d -t "vkskin host XXXXXX") || exit 1
trap 'rm -rf "$place"' EXIT
useCompiler gcc
cp -r "$here/host_cpu" "$here/no_vulkan" "$place"
export CPATH=$place/no_vulkan # comes before the system's folders
line="skinned by vkskin $(headerVersion "$root")"

# Without this, the checks below would prove nothing.
if echo '#include <vulkan/vulkan_core.h>' | gcc -fsyntax-only -x c - 2>/dev/null; then
    fail "Vulkan's headers compile"
fi

# build FOLDER OPTIONS...: by CMake. CMake finds neither Vulkan's headers nor glslc.
build() {
    local built=$place/$1
    shift
    run "configuring the host" cmake -S "$place/host_cpu" -B "$built" -DVKSKIN_ROOT="$root" -DCMAKE_PREFIX_PATH="$prefix" \
        -DVKSKIN_VULKAN_INCLUDE_DIR=NOTFOUND -DVKSKIN_GLSLC=NOTFOUND -DCMAKE_IGNORE_PATH="/usr/include;/usr/bin" \
        -DCMAKE_BUILD_TYPE=Debug "$@"
    run "building the host" cmake --build "$built"
    expectEqual "the C program" "$line" "$("$built/host_c")"
    expectEqual "the C++ program" "$line" "$("$built/host_cxx")"
}
for shared in OFF ON; do
    build "package $shared" -DWAY=find_package -DBUILD_SHARED_LIBS=$shared
    build "subproject $shared" -DWAY=subproject -DBUILD_SHARED_LIBS=$shared
done

# The whole package asks for Vulkan's headers.
sed 's/ COMPONENTS cpu//' "$place/host_cpu/CMakeLists.txt" >"$place/no_vulkan/CMakeLists.txt"
cp "$place/host_cpu/cpu.c" "$place/no_vulkan"
if cmake -S "$place/no_vulkan" -B "$place/whole" -DWAY=find_package -DCMAKE_PREFIX_PATH="$prefix" \
    -DCMAKE_IGNORE_PATH=/usr/include >"$place/said" 2>&1; then
    fail "the whole package was found without Vulkan's headers"
fi
tr -s ' \n' ' ' <"$place/said" | grep -qF "vkskin needs the Vulkan headers" || fail "$(cat "$place/said")"

flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs vkskin_cpu) || fail "pkg-config does not find vkskin_cpu"
eval "run 'compiling by pkg-config' gcc -std=c11 $CFLAGS \"\$place/host_cpu/cpu.c\" -o \"\$place/program\" $flags" \
    "\"-Wl,-rpath,\$prefix/lib\""
expectEqual "the program of pkg-config" "$line" "$("$place/program")"
