#!/usr/bin/env bash
# check_includes.sh LIBRARY FOLDER...: checks every include in LIBRARY.
# A quoted include must be in the file's folder, in LIBRARY/include, or in one of the FOLDERs. Or it must be in a folder
# of LIBRARY/src that the file's folder may use: see the table below. It must not contain "..".
# An include in angle brackets must be a header of the C library or Vulkan's core header. Exceptions: lock.h and lock.c
# include the system's locks, host.c the aligned memory of Windows, base/simd.h the processor's vectors.
set -u -o pipefail
library=$1
shift
folders=("$library/include" "$@")
declare -A uses=([pose]=base [pack]="base pose prepare" [prepare]=base [mesh]="base prepare" [cpu]="base prepare mesh" [device]="base prepare mesh cpu" [crowd]="base pose mesh cpu device" [setup]="base pose mesh cpu device crowd")
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
            malloc.h) [ "${file##*/}" = host.c ] && found=yes ;;
            immintrin.h) [ "${file##*/}" = simd.h ] && found=yes ;;
        esac
    elif [[ $name == *.inc ]]; then
        found=yes # a compiled kernel, made by the library's build
    elif [[ $name != *..* ]]; then
        own=$(dirname "$file")
        for used in ${uses[${own##*/}]:-}; do
            [ -e "$library/src/$used/$name" ] && found=yes
        done
        for folder in "${folders[@]}" "$own"; do
            [ -e "$folder/$name" ] && found=yes
        done
    fi
    if [ "$found" = no ]; then
        echo "$file:$line: includes $name, which is not the library's or not that folder's to use"
        status=1
    fi
done < <(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<]' --include='*.[ch]' "$library")
exit "$status"
