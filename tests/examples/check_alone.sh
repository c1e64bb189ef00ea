#!/usr/bin/env bash
# check_alone.sh EXAMPLES PREFIX VOLK-FOLDER DRIVER-FILE: the examples, copied to an empty folder, must build with only
# the installed library, volk and Vulkan. Each must have fewer than 300 lines and must run.
set -u -o pipefail
examples=$1 prefix=$2 volk=$3 driver=$4
place=$(mktemp -d -t "vkskin examples XXXXXX") || exit 1
trap 'rm -rf "$place"' EXIT
cp "$examples"/*.c "$examples"/*.h "$examples"/*.vert "$examples"/*.frag "$place" && cd "$place" || exit 1
cp -r "$prefix" "$place/package"
for shader in *.vert *.frag; do
    glslc --target-env=vulkan1.2 -mfmt=c -I package/share/vkskin/shaders "$shader" -o "$shader.inc" || exit 1
done

for example in minimal rendergraph async dynamic overlap vertex_shader crowd; do
    lines=$(wc -l <$example.c)
    if [ "$lines" -ge 300 ]; then
        echo "$example.c has $lines lines"
        exit 1
    fi
    if ! gcc -std=c11 -D_POSIX_C_SOURCE=200809L -Wall -Wextra -Werror -Ipackage/include -I. -I"$volk" $example.c host.c vk_mem_alloc.c \
        "$volk/volk.c" \
        -o $example package/lib/libvkskin.a -lm -ldl -pthread; then
        echo "$example.c does not compile alone"
        exit 1
    fi
    if ! VK_DRIVER_FILES=$driver VK_ICD_FILENAMES=$driver timeout 60 ./$example; then
        echo "$example fails alone"
        exit 1
    fi
done

# Needs no Vulkan.
lines=$(wc -l <animation.c)
if [ "$lines" -ge 200 ] ||
    ! gcc -std=c11 -Wall -Wextra -Werror -Ipackage/include animation.c -o animation package/lib/libvkskin_cpu.a -lm -pthread ||
    ! ./animation >/dev/null; then
    echo "animation.c ($lines lines) fails alone"
    exit 1
fi
lines=$(wc -l <ragdoll.c)
if [ "$lines" -ge 300 ] ||
    ! gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Ipackage/include ragdoll.c -o ragdoll package/lib/libvkskin_cpu.a \
        -lode -lm -pthread || ! ./ragdoll >/dev/null; then
    echo "ragdoll.c ($lines lines) fails alone"
    exit 1
fi
