#!/usr/bin/env bash
# Looks over every source of the project without running it; see --help. The last line tells whether all is clean.
set -u -o pipefail

usage() {
    cat <<TEXT
usage: scripts/lint.sh [--build FOLDER] [--jobs N] [--tidy-no-tests] [--changed | FILES...]

  clang-format   C and C++ are set as .clang-format says
  shellcheck     scripts: errors and warnings
  spirv-val      what the kernels and the raster shaders were compiled to
  cppcheck       C and C++: errors, warnings, performance, portability; scripts/cppcheck.txt lists what it gets wrong
  clang-tidy     C and C++: .clang-tidy names the checks; those of the analyser skip the tests
  words          comments, messages and documents: scripts/words.txt lists words to avoid, and what to write instead
  lines          the project has at most LINES_MAX lines of C, C++ and GLSL: scripts/count.sh

  --build FOLDER   a configured build: what was compiled how, and the compiled shaders (default: build/test)
  --jobs N         at most so many at once (default: the number of processors)
  --tidy-no-tests  clang-tidy leaves tests/ and testkit/ out, which take as long as all else: test.sh does so
  --changed        only what differs from the last commit, in place of FILES
  --help, -h       this text

FILES are looked over alone; the shaders then are left out. A source that was clean is not looked at again by clang-tidy
until it, a header, a compiled shader or its way of compiling changes. Exits with 1 when there are findings, with 2 when
the work could not be done.
TEXT
}

fail() {
    echo "lint.sh: $*" >&2
    exit 2
}

LINES_MAX=75000
build=build/test
jobs=$(nproc)
changed=no
tidyTests=yes
files=()
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --changed) changed=yes ;;
        --tidy-no-tests) tidyTests=no ;;
        --build | --jobs)
            [ "$#" -gt 1 ] || fail "$1 needs a value"
            if [ "$1" = --build ]; then build=$2; else jobs=$2; fi
            shift
            ;;
        -*) fail "there is no option $1; --help tells those that there are" ;;
        *) files+=("$(realpath -- "$1")") ;;
    esac
    shift
done
[[ $jobs =~ ^[1-9][0-9]*$ ]] || fail "--jobs needs a number from 1"
build=$(realpath -- "$build")
cd "$(dirname "${BASH_SOURCE[0]}")/.." || fail "cannot enter the folder of the project"

for tool in git clang-format shellcheck spirv-val cppcheck clang-tidy; do
    command -v "$tool" >/dev/null || fail "the program $tool is missing: ./test.sh installs it"
done

# A checkout may belong to another user, as in containers: git is asked for names alone.
git() {
    command git -c safe.directory="$PWD" "$@"
}

database=$build/compile_commands.json
[ -r "$database" ] || fail "$database is missing: configure first, by cmake --preset test"

# ---- What there is to look at ----

# Planted faults are there to be found by other tests.
if [ "$changed" = yes ]; then
    mapfile -t all < <({ git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard; } | sort -u)
elif [ "${#files[@]}" -gt 0 ]; then
    mapfile -t all < <(realpath --relative-to=. -- "${files[@]}")
else
    mapfile -t all < <(git ls-files --cached --others --exclude-standard)
fi
whole=$([ "$changed" = no ] && [ "${#files[@]}" -eq 0 ] && echo yes)
formatted=()
scripts=()
for file in "${all[@]}"; do
    [ -f "$file" ] || continue
    case "$file" in
        */planted/*) ;;
        *.c | *.h | *.cpp) formatted+=("$file") ;;
        *.sh | .ci/run) scripts+=("$file") ;;
    esac
done
[ "$whole" != yes ] || [ "${#formatted[@]}" -gt 0 ] || fail "git lists no sources: this is no checkout of it"

work=$build/lint
mkdir -p "$work/clean" || fail "$work cannot be made"

# The commands of the sources of the project, once each: many are compiled into several programs.
awk -v root="$PWD/" '
    $1 == "{" { entry = ""; wanted = 0 }
    { entry = entry $0 "\n" }
    $1 == "\"file\":" {
        split($0, part, "\"")
        file = part[4]
        wanted = index(file, root) == 1 && file !~ /\/planted\// && !seen[file]++
    }
    $1 ~ /^},?$/ && wanted { sub(/},?\n$/, "}", entry); printf "%s%s", comma ? ",\n" : "[\n", entry; comma = 1 }
    END { print comma ? "\n]" : "[]" }' "$database" >"$work/compile_commands.json" || fail "$database cannot be read"

# Those of the sources that are to be looked at, a path a line.
compiled=$work/compiled.txt
sed -n 's/^ *"file": "\([^"]*\)".*/\1/p' "$work/compile_commands.json" | sort |
    comm -12 - <(printf "$PWD/%s\n" "${formatted[@]}" | sort) >"$compiled"

# ---- The stages: each prints its findings, then a line that says whether it had any ----

failed=()
report() { # NAME STATUS WHAT
    if [ "$2" -eq 0 ]; then
        echo "lint: $1: $3: clean"
    else
        echo "lint: $1: $3: findings, see above"
        failed+=("$1")
    fi
}

checkFormat() {
    [ "${#formatted[@]}" -gt 0 ] || return 0
    printf '%s\0' "${formatted[@]}" | xargs -0 -P "$jobs" -n 32 clang-format --dry-run -Werror
}

checkScripts() {
    [ "${#scripts[@]}" -gt 0 ] || return 0
    shellcheck --severity=warning --external-sources --source-path=SCRIPTDIR --format=gcc "${scripts[@]}"
}

# Shaders are compiled to lists of words for C: back to bytes.
writeModule() { # WORDS MODULE
    printf '%b' "$(grep -oE '0x[0-9a-f]{8}' "$1" | sed -E 's/0x(..)(..)(..)(..)/\\x\4\\x\3\\x\2\\x\1/' | tr -d '\n')" >"$2"
}

# Raster shaders are the engine's, for Vulkan 1.3; all else must do on a device of Vulkan 1.1.
checkShaders() {
    local status=0 words environment
    for words in "${shaders[@]}"; do
        environment=vulkan1.1
        [[ $words == */raster/* ]] && environment=vulkan1.3
        writeModule "$words" "$work/module.spv"
        if ! spirv-val --target-env "$environment" "$work/module.spv"; then
            echo "$words: not valid for $environment"
            status=1
        fi
    done
    return "$status"
}

checkByCppcheck() {
    [ -s "$compiled" ] || return 0
    local filters=()
    [ "$whole" = yes ] || mapfile -t filters < <(sed 's/^/--file-filter=/' "$compiled")
    mkdir -p "$work/cppcheck"
    cppcheck --quiet -j "$jobs" --project="$work/compile_commands.json" --cppcheck-build-dir="$work/cppcheck" \
        --enable=warning,performance,portability --inline-suppr --suppressions-list=scripts/cppcheck.txt \
        --error-exitcode=1 --template='{file}:{line}: {severity}: {message} [{id}]' "${filters[@]}"
}

# tidyOne FILE: a stamp named after all that counts tells that it was clean.
tidyOne() {
    local key findings
    key=$({ echo "$TIDY_COMMON"; grep -F -B 1 "\"file\": \"$1\"" "$TIDY_WORK/compile_commands.json"; cat "$1"; } | sha256sum)
    key=$TIDY_WORK/clean/${key%% *}
    [ -e "$key" ] && return 0
    if findings=$(clang-tidy -p "$TIDY_WORK" --quiet "$1" 2>&1); then
        touch "$key"
    else
        grep -vE '^[0-9]+ (warnings?|errors?)( and [0-9]+ errors?)? (generated|treated as errors?)' <<<"$findings"
        return 1
    fi
}

# Words that a reader may have to read twice. Records of runs, planted faults and fuzzer inputs are data, not prose.
checkWords() {
    local pattern advice status=0 found
    local prose=()
    for file in "${all[@]}"; do
        [ -f "$file" ] || continue
        case "$file" in
            */planted/* | tests/fuzz/corpus/* | tests/fuzz/regressions/* | bench/results/* | scripts/words.txt) ;;
            *.c | *.h | *.cpp | *.glsl | *.comp | *.vert | *.frag | *.md | *.sh | *.cmake | */CMakeLists.txt | \
                CMakeLists.txt | .ci/run | .clang-tidy) prose+=("$file") ;;
        esac
    done
    [ "${#prose[@]}" -gt 0 ] || return 0
    while IFS=$'\t' read -r pattern advice; do
        [[ $pattern == \#* || -z $advice ]] && continue
        if found=$(grep -niwE -- "$pattern" "${prose[@]}" /dev/null); then
            printf '%s\n' "$found" | sed "s|$| [write: $advice]|"
            status=1
        fi
    done <scripts/words.txt
    return "$status"
}

checkLines() {
    [ "$whole" = yes ] || return 0
    scripts/count.sh --limit "$LINES_MAX" >/dev/null
}

# The sources that clang-tidy looks at, a path a line.
tidied() {
    awk -v root="$PWD/test" -v all="$tidyTests" 'all == "yes" || index($0, root) != 1' "$compiled"
}

checkByTidy() {
    [ -s "$compiled" ] || return 0
    TIDY_WORK=$work
    TIDY_COMMON=$({ clang-tidy --version; cat .clang-tidy ./*/.clang-tidy; git ls-files -z --cached --others \
        --exclude-standard '*.h' | sort -z | xargs -0 cat; find "$build" -path "$work" -prune -o \
        \( -name '*.inc' -o -name '*.h' \) -print0 | sort -z | xargs -0 cat; } 2>/dev/null | sha256sum)
    export TIDY_WORK TIDY_COMMON
    export -f tidyOne
    # One at a time: with several files clang-tidy takes every va_list of the later ones for uninitialised.
    tidied | tr '\n' '\0' | xargs -0 -r -P "$jobs" -n 1 bash -c 'tidyOne "$1"' tidyOne
}

checkFormat
report clang-format $? "${#formatted[@]} files"
checkScripts
report shellcheck $? "${#scripts[@]} scripts"
if [ "$whole" = yes ]; then
    mapfile -t shaders < <(find "$build" -name '*.inc' -exec grep -l '^{0x07230203,' {} + | sort)
    [ "${#shaders[@]}" -gt 0 ] || fail "there are no compiled shaders in $build: build first"
    checkShaders
    report spirv-val $? "${#shaders[@]} modules"
fi
sources=$(wc -l <"$compiled")
checkByCppcheck
report cppcheck $? "$sources sources"
checkWords
report words $? "${#all[@]} files"
checkLines
report lines $? "at most $LINES_MAX"
checkByTidy
report clang-tidy $? "$(tidied | wc -l) sources"

if [ "${#failed[@]}" -gt 0 ]; then
    echo "lint: findings of ${failed[*]}"
    exit 1
fi
echo "lint: clean"
