#!/usr/bin/env bash
# check_out_of_date.sh EXAMPLE: presenting frame 1 fails once. The example must use the slot again, or the other one if
# a frame is prepared there, and skin every frame as without the failure.
set -u -o pipefail
plain=$("$1") || exit 1
said=$(VKSKIN_EXAMPLE_OUT_OF_DATE=1 "$1") || exit 1
echo "$said"
if ! grep -q '^frame 1: out of date$' <<<"$said"; then
    echo "presenting did not fail"
    exit 1
fi
diff <(echo "$plain") <(grep -v 'out of date' <<<"$said")
