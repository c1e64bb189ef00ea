#!/usr/bin/env bash
# Builds the targets of tests/fuzz with clang and runs them, each on its own corpus.
set -u -o pipefail

usage() {
    cat <<TEXT
usage: scripts/fuzz.sh [--seconds N] [--jobs N] [--build-only] [TARGET...]

Builds the fuzz targets in build/fuzz, replays the inputs that once broke a target, and fuzzes. Without a TARGET all of
them run, one after the other: ${TARGETS[*]}

  --seconds N    fuzz each target so long (default 60); 0: only the regressions and the seeds
  --jobs N       number of processes per target (default 1)
  --build-only   build and run nothing
  --help, -h     this text

A target's corpus is kept in build/fuzz/corpus/TARGET for later runs; its output is in build/fuzz/TARGET.log. If an
input breaks a target, the last lines state the input and how to run it again, and the exit status is 1. Store the input
of a corrected fault in tests/fuzz/regressions/TARGET.
TEXT
}

TARGETS=(animation gltf fbx spine vkm model machine api command)
seconds=60
jobs=1
buildOnly=no
chosen=()

fail() {
    echo "fuzz.sh: $*" >&2
    exit 2
}

needNumber() {
    [[ "${2-}" =~ ^[0-9]{1,7}$ ]] || fail "$1 needs a whole number"
}

while [ "$#" -gt 0 ]; do
    case "$1" in
        --seconds) needNumber "$@"; seconds=$2; shift ;;
        --jobs) needNumber "$@"; jobs=$2; shift ;;
        --build-only) buildOnly=yes ;;
        --help | -h) usage; exit 0 ;;
        -*) fail "no option '$1'; see --help" ;;
        *)
            [[ " ${TARGETS[*]} " == *" $1 "* ]] || fail "no target '$1'; there are: ${TARGETS[*]}"
            chosen+=("$1")
            ;;
    esac
    shift
done
[ "$jobs" -ge 1 ] || fail "--jobs needs 1 or more"
[ "${#chosen[@]}" -gt 0 ] || chosen=("${TARGETS[@]}")

cd "$(dirname "${BASH_SOURCE[0]}")/.." || fail "cannot enter the folder of the project"
root=$PWD
build=$root/build/fuzz

# Writes the inputs that are made from the import fixtures.
makeSeeds() {
    local made="$build/seeds.new"
    rm -rf "$made" "$build/seeds"
    mkdir -p "$made"/{fbx,model,vkm} || fail "cannot make $made"
    "$build/tests/fuzz/fuzz_seeds" "$made" "$root"/tests/import/fixtures/*.{fbx,gltf,dae,x} 2>>"$build/build.log" ||
        fail "no seeds; see $build/build.log"
    mv "$made" "$build/seeds" && touch "$build/seeds"
}

# Several instances may run at once: one builds, the others wait.
buildTargets() {
    local launcher=() lock
    command -v clang >/dev/null || fail "no clang: install the Debian packages clang and libclang-rt-14-dev"
    if command -v ccache >/dev/null; then
        launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
    fi
    mkdir -p "$build" || fail "cannot make $build"
    exec {lock}>"$build/lock"
    flock "$lock"
    if ! cmake --preset fuzz "${launcher[@]}" >"$build/build.log" 2>&1 ||
        ! cmake --build --preset fuzz >>"$build/build.log" 2>&1; then
        tail -n 30 "$build/build.log" >&2
        fail "the targets do not build; see $build/build.log"
    fi
    if [ "$build/tests/fuzz/fuzz_seeds" -nt "$build/seeds" ]; then
        makeSeeds
    fi
    exec {lock}>&-
}

# optionsOf TARGET: libFuzzer's options for it, one per line.
optionsOf() {
    case "$1" in
        gltf) printf '%s\n' -max_len=8192 "-dict=$root/tests/fuzz/dictionaries/gltf.dict" ;;
        # 32 KiB are enough for each seed.
        fbx) printf '%s\n' -max_len=32768 "-dict=$root/tests/fuzz/dictionaries/fbx.dict" ;;
        # 32 KiB are enough for each seed.
        spine) printf '%s\n' -max_len=32768 "-dict=$root/tests/fuzz/dictionaries/spine.dict" ;;
        model | vkm) printf '%s\n' -max_len=8192 ;;
        machine) printf '%s\n' -max_len=4096 "-dict=$root/tests/fuzz/dictionaries/machine.dict" ;;
        api) printf '%s\n' -max_len=1024 -len_control=20 ;;
        # Its output is closed, because the command prints.
        command) printf '%s\n' -max_len=512 -close_fd_mask=3 "-dict=$root/tests/fuzz/dictionaries/command.dict" ;;
    esac
}

# seedsOf TARGET: folders of initial inputs.
seedsOf() {
    local folder
    for folder in "$root/tests/fuzz/corpus/$1" "$build/seeds/$1"; do
        [ ! -d "$folder" ] || printf '%s\n' "$folder"
    done
    [ "$1" != gltf ] || printf '%s\n' "$root/tests/import/fixtures"
}

# reportBroken TARGET: prints the input that broke it, from its log, and how to run it again.
reportBroken() {
    local input
    input=$(grep -oE "$build/broken/$1/[a-z]+-[0-9a-f]+|$root/tests/fuzz/regressions/$1/[^ ]+" "$build/$1.log" | tail -n 1)
    tail -n 60 "$build/$1.log" >&2
    echo "fuzz.sh: $1 broke on ${input:-an unknown input; see $build/$1.log}" >&2
    if [ -n "$input" ]; then
        echo "fuzz.sh: run it again: $build/tests/fuzz/fuzz_$1 $input" >&2
    fi
}

# replay TARGET: runs the inputs that once broke it.
replay() {
    local inputs=("$root/tests/fuzz/regressions/$1"/*)
    if [ -e "${inputs[0]}" ]; then
        "$build/tests/fuzz/fuzz_$1" "${inputs[@]}" >>"$build/$1.log" 2>&1
    fi
}

# fuzz TARGET: runs libFuzzer. A leak, 2 GiB of memory or 25 seconds for one input break the target too.
fuzz() {
    local options seeds amount=(-max_total_time="$seconds")
    mapfile -t options < <(optionsOf "$1")
    mapfile -t seeds < <(seedsOf "$1")
    if [ "$seconds" -eq 0 ]; then
        amount=(-runs=0)
    fi
    if [ "$jobs" -gt 1 ]; then
        amount+=(-fork="$jobs")
    fi
    mkdir -p "$build/corpus/$1" "$build/broken/$1"
    "$build/tests/fuzz/fuzz_$1" "${options[@]}" "${amount[@]}" -timeout=25 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$build/broken/$1/" "$build/corpus/$1" "${seeds[@]}" >>"$build/$1.log" 2>&1
}

# runTarget TARGET: both, and one line with the result.
runTarget() {
    local runs edges
    : >"$build/$1.log"
    if ! replay "$1" || ! fuzz "$1"; then
        reportBroken "$1"
        return 1
    fi
    runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$1.log" | tail -n 1)
    edges=$(grep -oE 'cov: [0-9]+' "$build/$1.log" | tail -n 1)
    if [ "$jobs" -eq 1 ] && [ "${runs:-0}" -eq 0 ]; then
        echo "fuzz.sh: $1 ran no input; its output is in build/fuzz/$1.log" >&2
        return 1
    fi
    echo "$1: ${runs:-0} inputs, ${edges#cov: } edges, none broke it"
}

export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:quarantine_size_mb=32
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1

buildTargets
if [ "$buildOnly" = yes ]; then
    exit 0
fi
status=0
for target in "${chosen[@]}"; do
    runTarget "$target" || status=1
done
exit "$status"
