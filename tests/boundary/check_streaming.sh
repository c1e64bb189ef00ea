#!/usr/bin/env bash
# check_streaming.sh FILE...: in the machine code of a release build, a function of blend.c that is to write past
# the caches does so: streaming stores, and no other vector store but to its own stack. Compilers have been seen to turn
# streaming stores that stand behind a branch into plain ones, without a word; results stay right, at half the speed.
set -u -o pipefail
status=0
for file in "$@"; do
    code=$(objdump --disassemble --no-show-raw-insn "$file") || exit 1
    awk -v file="$file" '
        BEGIN {
            count = split("streamPositions streamNormals streamTangents streamPackedNormals streamPackedTangents", names)
        }
        /^[0-9a-f]+ <.*>:$/ { # compilers cut functions in parts: stream.part.0
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
