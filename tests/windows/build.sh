#!/usr/bin/env bash
# build.sh ROOT FOLDER VULKAN-HEADERS: builds the library and its tests for Windows in FOLDER. The Vulkan headers are
# linked into a folder of their own: with /usr/include the compiler would also find headers of this system's C library.
set -u -o pipefail
root=$1 built=$2 headers=$3
launcher=()
if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
fi
mkdir -p "$built/include" && ln -sfn "$headers/vulkan" "$headers/vk_video" "$built/include/" || exit 1
cmake -S "$root" -B "$built" -G Ninja --toolchain "$root/cmake/mingw-w64.cmake" "${launcher[@]}" \
    -DVKSKIN_VULKAN_INCLUDE_DIR="$built/include" -DVKSKIN_WERROR=ON -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_C_FLAGS="-Wpedantic -Wvla" || exit 1
cmake --build "$built"
