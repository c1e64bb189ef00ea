#!/usr/bin/env bash
# check_planted.sh ROOT: plants faults in copies of the headers and of two pages, one at a time. Each must be detected.
set -u -o pipefail
root=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
status=0

# planted FILE EDIT COMMAND... -- EXPECTED: the sed script EDIT changes the copy of FILE. COMMAND must print EXPECTED.
planted() {
    local file=$1 edit=$2 said
    shift 2
    local expected=${*: -1}
    set -- "${@:1:$#-1}"
    rm -rf "$place/vkskin" "$place"/*.md
    cp -r "$root/skin/include/vkskin" "$place/vkskin"
    cp "$root/docs/threads.md" "$root/docs/poses.md" "$place"
    sed -i -E "$edit" "$place/$file"
    if cmp -s "$place/$file" "$root/docs/$file" || cmp -s "$place/$file" "$root/skin/include/$file"; then
        echo "the edit '$edit' changes nothing in $file"
        status=1
        return
    fi
    if said=$("$@" 2>&1); then
        echo "not found: '$edit' in $file"
        status=1
    elif ! grep -qE "$expected" <<<"$said"; then
        echo "'$edit' in $file was reported as: $said"
        status=1
    fi
}

docs=("$root/scripts/docs.sh" --output "$place/out" --headers "$place/vkskin")
planted vkskin/vkskin.h '/@param frameIndex/d' "${docs[@]}" "frameIndex"
planted vkskin/vkskin.h 's/@param frameIndex/@param slot/' "${docs[@]}" "slot"
planted vkskin/vkskin.h '0,/^\/\*\* @\} \*\//s//VKSKIN_API void vkskinBare(void);\n&/' "${docs[@]}" \
    "vkskinBare.*is not documented"
planted vkskin/vkskin_mesh.h 's,( size_t jointStride;).*,\1,' "${docs[@]}" "jointStride"
planted vkskin/vkskin_base.h 's,(VKSKIN_ERROR_VULKAN = -13\,).*,\1,' "${docs[@]}" "VKSKIN_ERROR_VULKAN"
planted vkskin/vkskin_base.h 's,^#define VKSKIN_VERSION_MINOR,#define VKSKIN_BARE 1\n&,; /Minor version. Before/d' \
    "${docs[@]}" "VKSKIN_BARE"

names=(bash "$here/check_names.sh" "$place/vkskin" "$root/shaders/vkskin" "$root/CMakeLists.txt"
    "$place/threads.md" "$place/poses.md")
planted vkskin/vkskin.h 's/vkskinCreateInstance may add/vkskinAddInstance may add/' "${names[@]}" \
    "vkskin.h:.*vkskinAddInstance"
planted vkskin/vkskin.h 's/@retval VKSKIN_ERROR_NOT_SKINNED/@retval VKSKIN_ERROR_NOT_YET_SKINNED/' "${names[@]}" \
    "vkskin.h:.*VKSKIN_ERROR_NOT_YET_SKINNED"
planted threads.md 's/`VkskinLogger.log`/`VkskinLog.log`/' "${names[@]}" "threads.md:.*VkskinLog"
planted vkskin/vkskin.h '/@retval VKSKIN_ERROR_NOT_SKINNED/d' "${names[@]}" "no call.*VKSKIN_ERROR_NOT_SKINNED"
planted vkskin/vkskin.h 's/@retval VKSKIN_ERROR_NOT_SKINNED/@retval VKSKIN_ERROR_NULL_HANDLE/' "${names[@]}" \
    "a call repeats VKSKIN_ERROR_NULL_HANDLE"
planted vkskin/vkskin.h '/^ \* - VKSKIN_ERROR_DEVICE_LOST: /d' "${names[@]}" "no call.*VKSKIN_ERROR_DEVICE_LOST"
planted poses.md 's/\[`vkskin_ik\.h`\]\([^)]*\),//' "${names[@]}" "poses.md: its top does not name.* vkskinSolveTwoBone"

threads=(bash "$here/check_threads.sh" "$place/vkskin" "$place/threads.md")
planted threads.md '/^\| `vkskinGetStats`/d' "${threads[@]}" "does not list: vkskinGetStats"
planted threads.md 's/`vkskinSkinInstances` \|/`vkskinSkinAll` |/' "${threads[@]}" "no header exports: vkskinSkinAll"
planted threads.md 's/^\| `vkskinGetStats`/| `vkskinSkinInstances`, `vkskinGetStats`/' "${threads[@]}" "lists twice: vkskinSkinInstances"
planted vkskin/vkskin.h 's/^(VKSKIN_API .*)vkskinGetStats/\1vkskinGetCounters/' "${threads[@]}" \
    "does not list: vkskinGetCounters"
exit "$status"
