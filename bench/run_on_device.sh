#!/usr/bin/env bash
# run_on_device.sh: runs the whole bench on a machine with libc and a Vulkan loader. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
run_on_device.sh: runs the bench and collects its results in a folder.

usage: bench/run_on_device.sh [--bench FILE] FOLDER [options of vkskin-bench]

  --bench FILE  the program; default: vkskin-bench beside this script, else that of build/release
  --help, -h    this text

The script creates the folder. It then contains the output of 'vkskin-bench --report FOLDER', and
  messages.txt  its warnings and errors
  machine.txt   a description of the machine
  compile.txt   what compilers make of the kernels: the device's, if it says so, and RADV's without a GPU
  compile.json  the same of the device, and compile_radv.json that of RADV
On another machine you need only this script and the program. Further options go to the program: --quick, --device NAME,
--case NAME... . The exit status is that of the program.
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
[ -x "$program" ] || fail "$program: not found; build it, or pass --bench FILE"
"$program" --list >/dev/null || fail "$program: does not run on this machine"
mkdir -p "$folder" || fail "$folder: cannot be created"

# describe COMMAND...: its output, if the command exists.
describe() {
    if command -v "$1" >/dev/null; then
        echo "\$ $*"
        "$@" 2>&1
        echo
    fi
}

{
    describe uname -srm
    describe uptime # the load of the machine
    describe lscpu
    describe free -h
    describe nvidia-smi
    describe vulkaninfo --summary
} >"$folder/machine.txt"

"$program" --report "$folder" "$@" 2>"$folder/messages.txt"
status=$?

# The compilers. Neither needs to be there.
device=0
for ((i = 1; i < $#; i++)); do
    [ "${!i}" != --device ] || { i=$((i + 1)) && device=${!i}; }
done
"$program" --compile --device "$device" --json "$folder/compile.json" >"$folder/compile.txt" 2>>"$folder/messages.txt"
"$program" --compile --json "$folder/compile_radv.json" >>"$folder/compile.txt" 2>>"$folder/messages.txt"
cat "$folder/messages.txt" >&2
exit "$status"
