#!/usr/bin/env bash
# check_run.sh ROOT FOLDER: run.sh as a user calls it, but small and without installing. The release build must be
# silent, the picture a PNG of the asked size, and the report must speak of the asked characters and time their skinning.
set -u -o pipefail
root=$1
folder=$2
log=$folder/run.log
picture=$folder/run.png
report=$folder/run.json

fail() {
    echo "$*"
    cat "$log"
    exit 1
}

mkdir -p "$folder" && rm -f "$picture" "$report"
cd / || exit 1
"$root/run.sh" --no-install --backend compute --count 6 --frames 2 --size 320x180 -o "$picture" --json "$report" >"$log" 2>&1 </dev/null ||
    fail "run.sh failed"
! grep -i 'warning:' "$log" || fail "the release build warns"

# A PNG begins with 8 bytes of signature, then its IHDR: width and height are at 16, big-endian.
header=$(od -An -tx1 -N24 "$picture" | tr -d ' \n')
[ "$header" = 89504e470d0a1a0a0000000d4948445200000140000000b4 ] || fail "the picture is no PNG of 320 x 180: $header"

for line in 'characters  *6' 'dispatches  *45' 'skinned  *12 skins' 'skinning  *[0-9.]+ ms' 'vertices/s  *[0-9.]+ [kM]'; do
    grep -Eq "$line" "$log" || fail "the table has no line '$line'"
done
grep -Eq '"characters":[[:space:]]*6,' "$report" || fail "the report does not speak of 6 characters"
