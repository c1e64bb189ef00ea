#!/usr/bin/env bash
# Checks every source of the project without running it; see --help. The last line says whether all is clean.
set -u -o pipefail

usage() {
    cat <<TEXT
usage: scripts/lint.sh [--build FOLDER] [--jobs N] [--product] [--changed | FILES...]

  clang-format   the format of C and C++ (.clang-format)
  shellcheck     scripts: errors and warnings
  spirv-val      the compiled kernels and raster shaders
  cppcheck       C and C++: errors, warnings, performance, portability; scripts/cppcheck.txt lists false positives
  clang-tidy     C and C++: .clang-tidy names the checks; those of the analyser skip the tests
  words          comments, messages and documents: scripts/words.txt lists words to avoid, and what to write instead
  fragments      at most FRAGMENTS_MAX comments begin with "of", "its" or "a": name what they describe
  includes       no circles of files, folders in their order, no verb that asks for a kind of content: scripts/includes.py
  lines          the project has at most LINES_MAX lines of C, C++ and GLSL: scripts/count.sh

  --build FOLDER   a configured build with compile commands and compiled shaders (default: build/test)
  --jobs N         parallel jobs (default: the number of processors)
  --product        cppcheck and clang-tidy skip tests/ and testkit/, which take as long as all else; test.sh does this
  --changed        check only files that differ from the last commit
  --help, -h       print this text

With FILES it checks only these, and no shaders. clang-tidy skips a source that was clean until the source, a header, a
compiled shader or its compile command changes. Exit status: 0 clean, 1 findings, 2 the check could not run.
TEXT
}

fail() {
    echo "lint.sh: $*" >&2
    exit 2
}

LINES_MAX=196000
FRAGMENTS_MAX=50
build=build/test
jobs=$(nproc)
changed=no
product=no
files=()
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --changed) changed=yes ;;
        --product) product=yes ;;
        --build | --jobs)
            [ "$#" -gt 1 ] || fail "$1 needs a value"
            if [ "$1" = --build ]; then build=$2; else jobs=$2; fi
            shift
            ;;
        -*) fail "unknown option $1; see --help" ;;
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

# A checkout may belong to another user, as in containers; git only lists names here.
git() {
    command git -c safe.directory="$PWD" "$@"
}

database=$build/compile_commands.json
[ -r "$database" ] || fail "$database is missing: configure first, by cmake --preset test"

# ---- The files to check ----

# Planted faults belong to other tests.
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
[ "$whole" != yes ] || [ "${#formatted[@]}" -gt 0 ] || fail "git lists no sources: this is not a checkout"

work=$build/lint
mkdir -p "$work/clean" || fail "cannot create $work"

# The compile commands of the project's sources, once each: many belong to several programs.
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

# The sources to check, one path per line.
compiled=$work/compiled.txt
sed -n 's/^ *"file": "\([^"]*\)".*/\1/p' "$work/compile_commands.json" | sort |
    comm -12 - <(printf "$PWD/%s\n" "${formatted[@]}" | sort) |
    awk -v root="$PWD/test" -v product="$product" 'product == "no" || index($0, root) != 1' >"$compiled"

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

# Converts a shader from a list of words for C back to bytes.
writeModule() { # WORDS MODULE
    printf '%b' "$(grep -oE '0x[0-9a-f]{8}' "$1" | sed -E 's/0x(..)(..)(..)(..)/\\x\4\\x\3\\x\2\\x\1/' | tr -d '\n')" >"$2"
}

# The raster shaders of the engine need Vulkan 1.3. All others must be valid for Vulkan 1.1.
checkShaders() {
    local status=0 words environment
    for words in "${shaders[@]}"; do
        environment=vulkan1.1
        [[ $words == */raster/* ]] && environment=vulkan1.3
        [[ $words == */examples/* ]] && environment=vulkan1.2
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
    [ "$whole $product" = "yes no" ] || mapfile -t filters < <(sed 's/^/--file-filter=/' "$compiled")
    mkdir -p "$work/cppcheck"
    cppcheck --quiet -j "$jobs" --project="$work/compile_commands.json" --cppcheck-build-dir="$work/cppcheck" \
        --enable=warning,performance,portability --inline-suppr --suppressions-list=scripts/cppcheck.txt \
        --error-exitcode=1 --template='{file}:{line}: {severity}: {message} [{id}]' "${filters[@]}" 2>&1 |
        tee "$work/cppcheck.log" || return 1
    [ ! -s "$work/cppcheck.log" ] # the exit status leaves out findings across files
}

# tidyOne FILE: a stamp file, named by a hash of all inputs, marks a clean source.
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

# Comments whose subject must be guessed, for example "of the kernel". Sentences that begin with "a" count too.
checkFragments() {
    [ "$whole" = yes ] && [ "${#formatted[@]}" -gt 0 ] || return 0
    local found count
    found=$(grep -nE '/\* ([Oo]f|[Ii]ts|a) ' "${formatted[@]}" /dev/null)
    count=$(grep -c . <<<"$found")
    [ "$count" -le "$FRAGMENTS_MAX" ] || { printf '%s\n' "$found" "$count fragments, above $FRAGMENTS_MAX"; return 1; }
}

checkLines() {
    [ "$whole" = yes ] || return 0
    scripts/count.sh --limit "$LINES_MAX" >/dev/null
}

checkIncludes() {
    [ "$whole" = yes ] || return 0
    scripts/includes.py
}

checkByTidy() {
    [ -s "$compiled" ] || return 0
    TIDY_WORK=$work
    TIDY_COMMON=$({ clang-tidy --version; cat .clang-tidy ./*/.clang-tidy; git ls-files -z --cached --others \
        --exclude-standard '*.h' | sort -z | xargs -0 cat; find "$build" -path "$work" -prune -o \
        \( -name '*.inc' -o -name '*.h' \) -print0 | sort -z | xargs -0 cat; } 2>/dev/null | sha256sum)
    export TIDY_WORK TIDY_COMMON
    export -f tidyOne
    # One file per run: with several files clang-tidy reports every later va_list as uninitialised.
    tr '\n' '\0' <"$compiled" | xargs -0 -r -P "$jobs" -n 1 bash -c 'tidyOne "$1"' tidyOne
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
checkFragments
report fragments $? "at most $FRAGMENTS_MAX"
checkLines
report lines $? "at most $LINES_MAX"
checkIncludes
report includes $? "folders and circles"
checkByTidy
report clang-tidy $? "$sources sources"

if [ "${#failed[@]}" -gt 0 ]; then
    echo "lint: findings of ${failed[*]}"
    exit 1
fi
echo "lint: clean"
