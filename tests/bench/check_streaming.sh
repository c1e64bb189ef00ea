#!/usr/bin/env bash
# check_streaming.sh OBJECT FUNCTION...: each function of an object file or archive must hold streaming stores in its
# machine code: a compiler may turn them into plain ones without a word. On other machines than x86-64 there are none.
set -u -o pipefail
object=$1
shift
if [ "$(uname -m)" != x86_64 ]; then
    echo "no x86-64: nothing to look at"
    exit 0
fi
status=0
for function in "$@"; do
    code=$(objdump --disassemble="$function" --no-show-raw-insn "$object") || exit 1
    if ! grep -q "<$function>:" <<<"$code"; then
        echo "$object: there is no function $function"
        status=1
    elif ! grep -q '[[:space:]]v\?movnt' <<<"$code"; then
        echo "$object: $function has no streaming store"
        status=1
    fi
done
exit "$status"
