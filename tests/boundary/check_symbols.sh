#!/usr/bin/env bash
# check_symbols.sh ARCHIVE...: no Vulkan function may be an undefined symbol, and every global name must start with
# vkskin (public) or skn (internal).
set -u -o pipefail
status=0
for archive in "$@"; do
    undefined=$(nm --undefined-only --format=posix "$archive") || exit 1
    defined=$(nm --defined-only --extern-only --format=posix "$archive") || exit 1
    if found=$(grep -E '^vk[A-Z]' <<<"$undefined"); then
        echo "$archive needs Vulkan symbols at link time:"
        echo "$found"
        status=1
    fi
    # Sanitizers and the compiler add names that start with underscores.
    if found=$(grep -E '^[A-Za-z][A-Za-z0-9_]* [TDBRCVW] ' <<<"$defined" | grep -v -E '^(vkskin|skn)'); then
        echo "$archive defines names outside its own prefixes:"
        echo "$found"
        status=1
    fi
done
exit "$status"
