#!/usr/bin/env bash
# check_consumer.sh ROOT gcc|clang PREFIX find_package|pkg_config|subproject DRIVER-FILE...: builds the user's program
# of host/ from a temporary folder, static and shared, and runs it on every driver under the validation layer.
set -u -o pipefail
root=$1 compiler=$2 prefix=$3 way=$4
shift 4
drivers=("$@")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/consumer/common.sh
source "$here/common.sh"
place=$(mktemp -d -t "vkskin host XXXXXX") || exit 1
trap 'rm -rf "$place"' EXIT
useCompiler "$compiler"
cp -r "$here/host" "$place/host"
line="skinned by vkskin $(headerVersion "$root")"
programs=0

# expectSkinning PROGRAM: it prints its one line, and the layer logs nothing.
expectSkinning() {
    local driver said
    [ "${#drivers[@]}" -gt 0 ] || fail "no driver to run on"
    for driver in "${drivers[@]}"; do
        said=$(VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation \
            timeout 60 "$1" 2>"$place/errors") || fail "$1 on $driver: $(cat "$place/errors")"
        expectEqual "$1 on $driver" "$line" "$said"
    done
    programs=$((programs + 1))
}

# expectLinkage PROGRAM static|shared: which library the program loads.
expectLinkage() {
    local loads=static
    readelf -d "$1" | grep -q 'NEEDED.*libvkskin' && loads=shared
    expectEqual "linkage of $1" "$2" "$loads"
}

# buildHost LINKAGE LANGUAGES: by CMake, to "$place/LINKAGE". A subproject is built without optimisation, which is
# faster; check_install.sh builds the release. The host of the static library joins its sources ("unity build").
buildHost() {
    local shared=OFF unity=ON type=Release
    [ "$1" = static ] || { shared=ON unity=OFF; }
    [ "$way" != subproject ] || type=Debug
    built=$place/$1
    rm -rf "$built"
    run "configuring the host" cmake -S "$place/host" -B "$built" -DWAY="$way" -DLANGUAGES="$2" -DVKSKIN_ROOT="$root" \
        -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=$shared -DCMAKE_BUILD_TYPE=$type \
        -DCMAKE_UNITY_BUILD=$unity
    run "building the host" cmake --build "$built"
}

buildAllByCMake() {
    local linkage language linkages=(static shared)
    # As a subproject the library is built each time: gcc builds it static too.
    [ "$way $compiler" != "subproject clang" ] || linkages=(shared)
    for linkage in "${linkages[@]}"; do
        buildHost $linkage "C;CXX"
        for language in c cxx; do
            expectLinkage "$built/host_$language" $linkage
            expectSkinning "$built/host_$language"
        done
    done
}

# namesOf OPTIONS FOLDER: the cache variables that cmake lists.
namesOf() {
    cmake -N "$1" "$2" | sed -n 's/^\([A-Za-z0-9_]*\):[A-Z]*=.*/\1/p' | sort
}

# The last build added the library to the host's project, and nothing else.
checkLeaks() {
    run "configuring the host alone" cmake -S "$place/host" -B "$place/alone" -DWAY=none -DLANGUAGES="C;CXX" \
        -DVKSKIN_ROOT="$root" -DCMAKE_PREFIX_PATH="$prefix" -DBUILD_SHARED_LIBS=ON -DCMAKE_BUILD_TYPE=Debug
    local new
    new=$(comm -13 <(namesOf -L "$place/alone") <(namesOf -L "$built") | xargs)
    expectEqual "options" "VKSKIN_CPU_ONLY VKSKIN_INSTALL" "$new"
    new=$(comm -13 <(namesOf -LA "$place/alone") <(namesOf -LA "$built") | xargs)
    expectEqual "cache variables" "VKSKIN_CPU_ONLY VKSKIN_GLSLC VKSKIN_INSTALL VKSKIN_VULKAN_INCLUDE_DIR" "$new"
    expectEqual "targets" "vkskin vkskin_cpu" "$(sort "$built/targets.txt" | xargs)"
    expectEqual "tests" "the_test_of_the_host" "$(ctest --test-dir "$built" -N | sed -n 's/^ *Test *#[0-9]*: //p')"
    run "installing the host" cmake --install "$built" --prefix "$place/out"
    new=$(cd "$place/out" && find . -type f | sort | xargs)
    expectEqual "installed files" "./bin/host_c ./bin/host_cxx" "$new"
}

# compileByPkgConfig LINKAGE COMPILER STANDARD SOURCE
compileByPkgConfig() {
    local linkage=$1 kind=(--shared) flags
    [ "$linkage" = shared ] || kind=(--static)
    shift
    flags=$(pkg-config --cflags --libs "${kind[@]}" vkskin vulkan) ||
        fail "pkg-config does not find vkskin"
    # The flags are quoted for a shell, as in a makefile.
    eval "run 'compiling by pkg-config' \"\$1\" -std=\$2 $CFLAGS \"\$3\" -o \"\$place/program\" $flags" \
        "-Wl,-rpath,$(pkg-config --variable=libdir vkskin)"
    expectLinkage "$place/program" "$linkage"
    expectSkinning "$place/program"
}

buildAllByPkgConfig() {
    local linkage shaders
    cp "$place/host/consumer.c" "$place/host/consumer.cpp"
    for linkage in shared static; do
        # The linker prefers a shared library: the static package contains none.
        cp -r "$prefix" "$place/$linkage package"
        [ $linkage = shared ] || rm "$place/static package/lib"/libvkskin.so*
        export PKG_CONFIG_PATH="$place/$linkage package/lib/pkgconfig"
        compileByPkgConfig $linkage "$CC" c11 "$place/host/consumer.c"
        compileByPkgConfig $linkage "$CXX" c++17 "$place/host/consumer.cpp"
    done
    eval "shaders=$(pkg-config --variable=shaderdir vkskin)"
    run "compiling the shader" glslc -I "$shaders" -o "$place/shader.spv" "$place/host/shader.vert"
}

case "$way" in
    find_package)
        buildAllByCMake
        # A host without a C compiler in its project.
        buildHost static CXX
        expectSkinning "$built/host_cxx"
        ;;
    subproject)
        buildAllByCMake
        checkLeaks
        ;;
    pkg_config) buildAllByPkgConfig ;;
    *) fail "unknown way $way" ;;
esac
[ "$programs" -ge 2 ] || fail "$programs programs ran"
echo "$programs programs ran on ${#drivers[@]} drivers"
