#!/usr/bin/env bash
# check_hardening.sh FILE...: checks programs and shared libraries of a release build. Each must have read-only
# relocations, a non-executable stack, stack canaries, checked calls of the C library, and position-independent code.
set -u -o pipefail
status=0
require() { # FILE WHAT PATTERN TEXT
    if ! grep -qE "$3" <<<"$4"; then
        echo "$1: $2"
        status=1
    fi
}
for file in "$@"; do
    header=$(readelf --wide --file-header "$file") || exit 1
    segments=$(readelf --wide --program-headers "$file") || exit 1
    entries=$(readelf --wide --dynamic "$file") || exit 1
    symbols=$(nm --dynamic --undefined-only "$file") || exit 1
    require "$file" "lies at a fixed address" 'Type:.*DYN' "$header"
    require "$file" "has no part that is read-only after relocation" 'GNU_RELRO' "$segments"
    require "$file" "resolves functions late, so their table stays writable" 'BIND_NOW|Flags:.*NOW' "$entries"
    require "$file" "has a stack that code may run on" 'GNU_STACK( +0x[0-9a-f]+){5} RW ' "$segments"
    require "$file" "has no canaries on its stack" '__stack_chk_fail' "$symbols"
    require "$file" "calls no checked function of the C library" '__[a-z]+_chk\b' "$symbols"
done
exit "$status"
