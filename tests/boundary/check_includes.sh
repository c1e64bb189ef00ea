#!/usr/bin/env bash
# check_includes.sh LIBRARY FOLDER...: every quoted include in LIBRARY must be found in LIBRARY itself or in one of the
# FOLDERs, and none may climb out with "..". Angle brackets may name the C library and Vulkan's core header; the system's
# locks are known to one concept, lock.h and lock.c, and so is aligned memory on Windows, host_memory.c.
set -u -o pipefail
library=$1
shift
folders=("$library/src" "$library/include" "$@")
status=0
while IFS=: read -r file line text; do
    name=$(sed -E 's/.*#[[:space:]]*include[[:space:]]*["<]([^">]*)[">].*/\1/' <<<"$text")
    found=no
    if [[ $text == *'<'* ]]; then
        case "$name" in
            vulkan/vulkan_core.h | assert.h | float.h | inttypes.h | limits.h | math.h | stdalign.h | \
                stdarg.h | stdatomic.h | stdbool.h | stddef.h | stdint.h | stdio.h | stdlib.h | string.h | time.h) found=yes ;;
            pthread.h) [ "${file##*/}" = lock.h ] && found=yes ;;
            windows.h) [ "${file##*/}" = lock.c ] && found=yes ;;
            malloc.h) [ "${file##*/}" = host_memory.c ] && found=yes ;;
        esac
    elif [[ $name == *.inc ]]; then
        found=yes # a compiled kernel, made by the library's own build
    elif [[ $name != *..* ]]; then
        for folder in "${folders[@]}" "$(dirname "$file")"; do
            [ -e "$folder/$name" ] && found=yes
        done
    fi
    if [ "$found" = no ]; then
        echo "$file:$line: includes $name, which is not the library's"
        status=1
    fi
done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' --include='*.[ch]' "$library")
exit "$status"
