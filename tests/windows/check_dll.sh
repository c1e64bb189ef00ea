#!/usr/bin/env bash
# check_dll.sh DLL INCLUDE-FOLDER: checks the DLL of a release build. It must export exactly the functions that the
# headers declare, and need no DLL that is not part of Windows: a POSIX function would come from one of mingw-w64. It must
# not expect a stack aligned to more than 16 bytes (GCC bug 54412).
set -u -o pipefail
dll=$1 include=$2
status=0
headers=$(x86_64-w64-mingw32-objdump --private-headers "$dll") || exit 1
code=$(x86_64-w64-mingw32-objdump --disassemble --no-show-raw-insn "$dll") || exit 1

declared=$(cat "$include"/vkskin/*.h | sed -nE 's/^VKSKIN_API .*\b(vkskin[A-Z][A-Za-z0-9]*)\(.*/\1/p' | sort)
exported=$(sed -n '/\[Ordinal\/Name Pointer\] Table/,/^$/ s/^\t\[.* //p' <<<"$headers" | sort)
if ! diff <(echo "$declared") <(echo "$exported"); then
    echo "$dll: < is declared and not exported, > is exported and not declared"
    status=1
fi

if foreign=$(sed -n 's/^[[:space:]]*DLL Name: //p' <<<"$headers" | grep -viE '^(kernel32|msvcrt)\.dll$'); then
    echo "$dll: needs $foreign"
    status=1
fi

if aligned=$(grep -E '\bvmov(ap[sd]|dqa[0-9]*) .*%[yz]mm' <<<"$code" | grep -E '\(%r[sb]p'); then
    echo "$dll: expects an aligned stack:"
    head -n 3 <<<"$aligned"
    status=1
fi
exit "$status"
