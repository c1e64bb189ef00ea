#!/usr/bin/env bash
# check_reference.sh ROOT FOLDER: makes the reference of the project in ROOT into FOLDER. There must be no warnings, and
# the pages must have the expected content.
set -u -o pipefail
root=$1
folder=$2
status=0
rm -rf "$folder"
"$root/scripts/docs.sh" --output "$folder" || exit 1

# Checks one example each: a call, an enum value, a field, an unstable part, both pages, and links to calls in the text.
expect() { # FILE TEXT
    if ! grep -q -- "$2" "$folder/html/$1"; then
        echo "the reference's $1 does not hold '$2'"
        status=1
    fi
}
version=$(sed -nE 's/^#define VKSKIN_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' \
    "$root/skin/include/vkskin/vkskin_base.h" | paste -sd .)
expect index.html "$version"
expect group__frame.html vkskinRecordSkinning
expect group__base.html VKSKIN_ERROR_PALETTE_RING_FULL
expect structVkskinMeshDef.html jointStride
expect unstable.html VkskinStats
expect index.html 'href="group__context.html"'
expect index.html 'href="unstable.html"'
expect md_docs_threads.html 'href="group__meshes.html#[^>]*>vkskinCreateMesh()</a>'
expect md_docs_versions.html SONAME
exit "$status"
