#!/usr/bin/env bash
# run_cases.sh CASES PROGRAM NAME=VALUE...: runs the command lines in the file CASES and compares what they print.
#
#   # text         a test begins, in a new empty folder; the text may have several lines
#   $ command      a command line of bash, where variables are not split at blanks; "> " continues it
#   line           standard output, exactly; then standard error, with "! " before each line
#   ? N            the exit status, if it is not 0
#
# The folder of PROGRAM is in PATH. $NAME is VALUE, in expected lines too. Variables that a command sets are valid until
# the end of the test. With BACKENDS='A B' all tests run twice: with A as $BACKEND, and with B; VKSKIN_TEST_BACKENDS in the
# environment replaces the list. With VKSKIN_TEST_STOP there the first command that fails is the last one.
set -u -o pipefail
cases=$(realpath -- "$1")
export PATH="${2%/*}:$PATH"
shift 2
# shellcheck disable=SC2163 # the arguments are assignments
export LC_ALL=C "$@"

place=$(mktemp -d -t vkskin-cases-XXXXXX) || exit 1
trap 'rm -rf "$place"' EXIT

# check COMMAND EXPECTED: runs the command and compares.
check() {
    eval "$1" >"$place/output" 2>"$place/errors" </dev/null
    local status=$?
    sed 's/^/! /' "$place/errors" >>"$place/output"
    if [ "$status" -ne 0 ]; then
        echo "? $status" >>"$place/output"
    fi
    if ! diff -u --label expected --label printed <(printf '%s' "$2") "$place/output" >"$place/difference"; then
        printf '#%s (%s)\n$ %s\n' "$title" "$BACKEND" "$1"
        cat "$place/difference"
        failures=$((failures + 1))
        [ -z "${VKSKIN_TEST_STOP-}" ] || exit 1
    fi
}

# runTest LINE...: the lines of one test. Exits with the number of commands that failed.
runTest() {
    local command='' expected='' blank='' line variable failures=0 IFS=$'\n'
    mkdir "$place/folder" && cd "$place/folder" || exit 1
    for line in "$@" '$ '; do
        case $line in
            '$ '*)
                if [ -n "$command" ]; then
                    check "$command" "$expected"
                fi
                command=${line#'$ '} expected='' blank=''
                ;;
            '> '*) command+=$'\n'${line#'> '} ;;
            '') blank+=$'\n' ;; # at the end of a test blank lines are not output
            *)
                for variable in "${variables[@]}"; do
                    line=${line//"\$$variable"/"${!variable}"}
                done
                expected+=$blank$line$'\n' blank=''
                ;;
        esac
    done
    chmod -R u+w "$place/folder" && rm -rf "$place/folder"
    exit "$failures"
}

variables=(BACKEND "${@%%=*}")
mapfile -t lines <"$cases"
failed=0 tests=0
for BACKEND in ${VKSKIN_TEST_BACKENDS-${BACKENDS-none}}; do
    export BACKEND
    test=()
    title=
    for line in "${lines[@]}" '# '; do
        if [[ $line != '# '* ]]; then
            test+=("$line")
            continue
        fi
        if [ -n "${test[*]-}" ]; then
            (runTest "${test[@]}")
            failed=$((failed + $?)) tests=$((tests + 1))
            [ "$failed" -eq 0 ] || [ -z "${VKSKIN_TEST_STOP-}" ] || exit 1
            test=() title=
        fi
        title+=${line#'#'}
    done
done
echo "$tests tests, $failed failures"
[ "$failed" -eq 0 ] && [ "$tests" -gt 0 ]
