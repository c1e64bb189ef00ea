#!/usr/bin/env bash
# check_symbols.sh [--program] FILE...: no Vulkan function may be an undefined symbol. In an archive every global name must start
# with vkskin (public) or skn (internal). A program must not hold ImGui's Vulkan backend: it calls functions by the names of
# volk's variables, and links without a message.
set -u -o pipefail
status=0
program=no
if [ "${1:-}" = --program ]; then
    program=yes
    shift
fi
for archive in "$@"; do
    undefined=$(nm --undefined-only --format=posix "$archive") || exit 1
    defined=$(nm --defined-only --extern-only --format=posix "$archive") || exit 1
    if found=$(grep -E '^vk[A-Z]' <<<"$undefined"); then
        echo "$archive needs Vulkan symbols at link time:"
        echo "$found"
        status=1
    fi
    if [ $program = yes ]; then
        if grep -F ImGui_ImplVulkan <<<"$defined"; then
            echo "$archive holds ImGui's Vulkan backend"
            status=1
        fi
        continue
    fi
    # Sanitizers and the compiler add names that start with underscores.
    if found=$(grep -E '^[A-Za-z][A-Za-z0-9_]* [TDBRCVW] ' <<<"$defined" | grep -v -E '^(vkskin|skn)'); then
        echo "$archive defines names outside its own prefixes:"
        echo "$found"
        status=1
    fi
done
exit "$status"
