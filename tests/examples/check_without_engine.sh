#!/usr/bin/env bash
# check_without_engine.sh ROOT DRIVER-FILE: VKSKIN_BUILD_EXAMPLES builds the examples without the engine and its
# dependencies. Tests without the engine must be refused with a line that states the solution.
set -u -o pipefail
root=$1 driver=$2
place=$(mktemp -d) || exit 1
trap 'rm -rf "$place"' EXIT
launcher=()
if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache)
fi

if ! cmake -S "$root" -B "$place/build" -G Ninja "${launcher[@]}" -DCMAKE_BUILD_TYPE=Debug \
    -DVKSKIN_BUILD_ENGINE=OFF -DVKSKIN_BUILD_TESTS=OFF -DVKSKIN_BUILD_EXAMPLES=ON ||
    ! cmake --build "$place/build" --parallel 2; then
    echo "the examples do not build without the engine"
    exit 1
fi
if grep -E '^third_party_(assimp|glfw|shaderc|tinygltf|stb)' "$place/build/CMakeCache.txt"; then
    echo "the examples alone look for what the engine needs"
    exit 1
fi
for example in minimal rendergraph async dynamic overlap vertex_shader crowd animation; do
    if ! VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver timeout 60 "$place/build/examples/$example"; then
        echo "$example fails"
        exit 1
    fi
done

if said=$(cmake -S "$root" -B "$place/refused" -G Ninja -DVKSKIN_BUILD_ENGINE=OFF 2>&1) ||
    ! grep -q 'VKSKIN_BUILD_ENGINE=ON, or' <<<"$said"; then
    echo "tests without the engine: $said"
    exit 1
fi
