#!/usr/bin/env bash
# check_streaming.sh FILE...: checks the machine code of a release build. Functions of blend.c that must bypass the
# caches have streaming stores, and no other vector stores except to their stack. Some compilers silently turn streaming
# stores behind a branch into plain stores. The results are then still correct, but at half the speed.
set -u -o pipefail
status=0
for file in "$@"; do
    code=$(objdump --disassemble --no-show-raw-insn "$file") || exit 1
    awk -v file="$file" '
        BEGIN {
            count = split("streamPositions streamNormalsFLOAT streamTangentsFLOAT streamNormalsPACKED " \
                          "streamTangentsPACKED streamNormalsSNORM10 streamTangentsSNORM10", names)
        }
        /^[0-9a-f]+ <.*>:$/ { # compilers split functions: stream.part.0
            name = $2
            gsub(/^<|[.>].*$/, "", name)
        }
        name ~ /^stream[A-Z]/ && /\tvmovnt[a-z]+ / { streams[name]++ }
        name ~ /^stream[A-Z]/ && /\tvmov[au]p[sd] +%[xyz]mm[0-9]+,.*\(|\tvmovdq[au][0-9]* +%[xyz]mm[0-9]+,.*\(/ {
            if ($0 !~ /\(%r[sb]p/) {
                print file ": " name " has a plain store: " $0
                status = 1
            }
        }
        END {
            for (i = 1; i <= count; i++) {
                if (streams[names[i]] == 0) {
                    print file ": " names[i] " has no streaming store"
                    status = 1
                }
            }
            exit status
        }' <<<"$code" || status=1
done
exit "$status"
