#!/usr/bin/env bash
# check_animation.sh PROGRAM EXPECTED: the example prints the lines of the file EXPECTED, and refuses a script with an
# unknown parameter.
set -u -o pipefail
program=$1 expected=$2
status=0
diff -u "$expected" <("$program") || status=1
if said=$("$program" "0.1 sped 1" 2>&1) || [ "$said" != "no parameter is called sped" ]; then
    echo "a script with an unknown parameter: $said"
    status=1
fi
exit "$status"
