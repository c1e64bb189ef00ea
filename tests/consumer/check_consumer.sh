#!/usr/bin/env bash
# check_consumer.sh ROOT static|shared|subproject: builds a user's program against the library and runs it.
set -u -o pipefail
root=$1
way=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
log=$place/log

fail() {
    echo "$*"
    cat "$log" 2>/dev/null
    exit 1
}

# run WHAT COMMAND...: silent unless it fails.
run() {
    local what=$1
    shift
    "$@" >"$log" 2>&1 || fail "$what failed"
}

expectProgram() {
    local said
    said=$("$@") || fail "$1 failed"
    [ "$said" = VKSKIN_ERROR_NULL_ARGUMENT ] || fail "$1 said '$said'"
}

# A project of its own: C11, C++17, and a shader that includes the library's file where the package tells its folder.
mkdir "$place/host"
cp "$here/consumer.c" "$place/host"
cp "$here/consumer.c" "$place/host/consumer.cpp"
if [ "$way" = subproject ]; then
    take="add_subdirectory(\"$root\" vkskin)"
else
    take="find_package(vkskin 0.1 CONFIG REQUIRED)"
fi
cat >"$place/host/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.22)
project(host C CXX)
$take
foreach(language c cpp)
    add_executable(host_\${language} consumer.\${language})
    set_target_properties(host_\${language} PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF CXX_STANDARD 17 CXX_EXTENSIONS OFF)
    target_compile_options(host_\${language} PRIVATE -Wall -Wextra -pedantic-errors -Werror)
    target_link_libraries(host_\${language} PRIVATE vkskin::vkskin)
endforeach()
file(WRITE "\${CMAKE_BINARY_DIR}/shaders.txt" "\${vkskin_SHADER_DIR}")
TEXT

if [ "$way" != subproject ]; then
    shared=OFF
    [ "$way" = shared ] && shared=ON
    run "configuring the library" cmake -S "$root" -B "$place/library" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DBUILD_SHARED_LIBS=$shared -DVKSKIN_BUILD_ENGINE=OFF -DVKSKIN_BUILD_TESTS=OFF -DVKSKIN_WERROR=ON \
        -DCMAKE_INSTALL_PREFIX="$place/prefix"
    run "building the library" cmake --build "$place/library"
    run "installing the library" cmake --install "$place/library"
    rm -rf "$place/library"
fi

run "configuring the host" cmake -S "$place/host" -B "$place/built" -G Ninja -DCMAKE_PREFIX_PATH="$place/prefix"
run "building the host" cmake --build "$place/built"
expectProgram "$place/built/host_c"
expectProgram "$place/built/host_cpp"
if [ "$way" = subproject ]; then
    # Nothing of the project's own comes along: no engine, no command, no tests.
    targets=$(ninja -C "$place/built" -t targets all)
    ! grep -E 'engine|vkskin_command|test_' <<<"$targets" || fail "targets of the project's own leak into the host"
    exit 0
fi

[ -e "$(cat "$place/built/shaders.txt")/vkskin/vkskin.glsl" ] || fail "the package does not lead to vkskin.glsl"
! grep -q '_vk[A-Z]\| vk[A-Z]' <(nm -D --undefined-only "$place"/prefix/lib*/libvkskin.so 2>/dev/null) ||
    fail "the shared library asks the linker for Vulkan"
if [ "$way" = shared ]; then
    foreign=$(nm -D --defined-only "$place"/prefix/lib*/libvkskin.so | awk '{print $3}' | grep -v '^vkskin')
    [ -z "$foreign" ] || fail "the shared library exports $foreign"
fi

export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$place/prefix" -name vkskin.pc)")
[ -e "$(pkg-config --variable=shaderdir vkskin)/vkskin/vkskin.glsl" ] || fail "vkskin.pc does not lead to vkskin.glsl"
# shellcheck disable=SC2046
run "compiling by pkg-config" cc -std=c11 "$here/consumer.c" -o "$place/by_pkg_config" \
    $(pkg-config --cflags --libs --static vkskin) -Wl,-rpath,"$(pkg-config --variable=libdir vkskin)"
expectProgram "$place/by_pkg_config"
