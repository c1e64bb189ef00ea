#!/usr/bin/env bash
# check_leave_one_out.sh RENDERGRAPH: with a barrier left out, the example must exit with status 1, and the only reason
# must be the read-after-write hazard that validation reports.
set -u -o pipefail
said=$("$1" --leave-one-out 2>&1)
status=$?
echo "$said"
if [ "$status" -ne 1 ]; then
    echo "exit status $status, not 1"
    exit 1
fi
if ! grep -q 'SYNC-HAZARD-READ-AFTER-WRITE' <<<"$said"; then
    echo "validation did not report the hazard"
    exit 1
fi
if grep '^validation:' <<<"$said" | grep -v 'SYNC-HAZARD'; then
    echo "validation reported something else"
    exit 1
fi
