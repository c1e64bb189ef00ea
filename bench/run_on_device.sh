#!/usr/bin/env bash
# run_on_device.sh: the whole bench on a machine that has libc and a Vulkan loader, and no more. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
run_on_device.sh: runs the bench and gathers all that tells of its results in a folder.

usage: bench/run_on_device.sh [--bench FILE] FOLDER [options of vkskin-bench]

  --bench FILE  the program; default: vkskin-bench beside this script, else that of build/release
  --help, -h    this text

The folder is made. It then holds what 'vkskin-bench --report FOLDER' writes, and
  table.txt     the table that it prints
  messages.txt  what it says besides, often nothing
  machine.txt   the machine, as its own tools tell of it
To take it to another machine, this script and the program are all that is needed. Options go on to the program: --quick,
--device NAME, --case NAME... . The exit status is the program's.
TEXT
}

fail() {
    echo "run_on_device.sh: $*" >&2
    exit 1
}

own=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --bench)
            [ "$#" -ge 2 ] || fail "$1 needs a file"
            program=$2
            shift 2
            ;;
        -*) fail "unknown option $1 before the folder; see --help" ;;
        *) break ;;
    esac
done
[ "$#" -ge 1 ] || fail "which folder? see --help"
folder=$1
shift

if [ -z "$program" ]; then
    program=$own/vkskin-bench
    [ -e "$program" ] || program=$own/../build/release/vkskin-bench
fi
[ -x "$program" ] || fail "$program: there is no such program; build it, or say --bench FILE"
"$program" --list >/dev/null || fail "$program: does not run on this machine"
mkdir -p "$folder" || fail "$folder: cannot be made"

# tell COMMAND...: what it says, where it is there.
tell() {
    if command -v "$1" >/dev/null; then
        echo "\$ $*"
        "$@" 2>&1
        echo
    fi
}

{
    tell uname -srm
    tell uptime # what else it does
    tell lscpu
    tell free -h
    tell nvidia-smi
    tell vulkaninfo --summary
} >"$folder/machine.txt"

"$program" --report "$folder" "$@" 2>"$folder/messages.txt" | tee "$folder/table.txt"
status=$?
cat "$folder/messages.txt" >&2
exit "$status"
