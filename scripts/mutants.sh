#!/usr/bin/env bash
# mutants.sh: plants one fault after the other and checks that a test catches it. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
usage: scripts/mutants.sh [--build FOLDER] [--only REGEX] [--part I/N] [--resume] [--list]

Copies the tracked files, with changes that are not committed, to FOLDER/tree and builds them in FOLDER/fast, optimised
and without sanitizers. Runs the tests that scripts/mutants.txt names. Then, for each record of that list, quick
ones first: applies the fault, builds what its tests need, runs them, and takes the fault back. Records that this
does not catch are tried again in FOLDER/build, with the options of preset "test"; a test that does not pass there
without a fault is LEFT OUT. One line per record, also in FOLDER/results:

  caught ID (TEST)    a test failed, as it should, or took five times as long as without the fault and 20 seconds more
  SURVIVED ID         all its tests passed: a test is missing
  NOT FOUND ID        the text is missing or not unique: update the record
  NOT BUILT ID        the fault does not compile: update the record
  NO TEST ID           none of its tests is there and passes without a fault

  --build FOLDER   where to work; default build/mutants. Other folders are not touched
  --only REGEX     only records whose AREA/ID matches
  --part I/N       every N-th of these records, from the I-th on: N runs with I from 1 to N take the whole list
  --resume         leave out the records that FOLDER/results lists as caught, and do not run tests without a fault that
                   passed; goes on where a run was stopped
  --list           print where each record applies in this tree; build nothing
  --help, -h       this text

The whole list takes hours on two cores; the output of builds and tests is in FOLDER/mutants.log. The last
line is "N caught, N survived, N errors". The exit status is 0 if all are caught and no test was left out, 1 if not, and
2 if the work could not be done. On a busy machine tests take too long and are left out, or seem to catch a fault.
TEXT
}

fail() {
    echo "mutants.sh: $*" >&2
    exit 2
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
list=$root/scripts/mutants.txt
work=$root/build/mutants
only=.
part=1 parts=1
listOnly=no
resume=no
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --build | --only)
            [ "$#" -ge 2 ] || fail "$1 needs a value"
            if [ "$1" = --build ]; then work=$(realpath -m -- "$2"); else only=$2; fi
            shift
            ;;
        --part)
            [[ ${2-} =~ ^([1-9][0-9]*)/([1-9][0-9]*)$ ]] && [ "${2%/*}" -le "${2#*/}" ] || fail "--part needs I/N, I from 1 to N"
            part=${2%/*} parts=${2#*/}
            shift
            ;;
        --list) listOnly=yes ;;
        --resume) resume=yes ;;
        *) fail "unknown option '$1'; see --help" ;;
    esac
    shift
done
cd "$root" || fail "cannot enter $root"

# ---- The list ----

# Arrays of the fields, one element per record that --only selects.
ids=() areas=() hints=() finds=() replaces=() tests=()
declare -A field=()
selected=0 # records that --only matches

endRecord() {
    local key
    [ "${#field[@]}" -gt 0 ] || return 0
    for key in id area breaks find tests; do
        [ -n "${field[$key]-}" ] || fail "mutants.txt: the record before line $1 has no '$key'"
    done
    [ -n "${field[replace]+set}" ] || fail "mutants.txt: record '${field[id]}' has no 'replace'"
    [[ ${field[within]-4} =~ ^[0-9]+$ ]] || fail "mutants.txt: 'within' of record '${field[id]}' is no number"
    [[ " ${allIds-} " != *" ${field[id]} "* ]] || fail "mutants.txt: two records are called '${field[id]}'"
    allIds="${allIds-} ${field[id]}"
    if [[ "${field[area]}/${field[id]}" =~ $only ]] && [ $(((++selected - part) % parts)) -eq 0 ]; then
        ids+=("${field[id]}")
        areas+=("${field[area]}")
        hints+=("${field[hint]-}")
        finds+=("${field[find]}")
        replaces+=("${field[replace]}")
        tests+=("${field[tests]}")
    fi
    field=()
}

readList() {
    local number=0 line key value
    while IFS= read -r line || [ -n "$line" ]; do
        number=$((number + 1))
        [[ $line != "#"* ]] || continue
        if [[ ! $line =~ [^[:space:]] ]]; then
            endRecord "$number"
            continue
        fi
        read -r key value <<<"$line"
        case "$key" in
            id | area | breaks | hint | find | near | within | replace | tests) field[$key]=$value ;;
            *) fail "mutants.txt: line $number begins with no known key" ;;
        esac
    done <"$list"
    endRecord "$((number + 1))"
}

# findPlaces TREE: fills `places`, which holds FILE:LINE of each place where a record applies.
declare -A places=()
findPlaces() {
    local id place
    while IFS=$'\t' read -r id place; do
        places[$id]=$place
    done < <("$root/scripts/fault_places.py" "$1" "${ids[@]}")
}

readList
[ "${#ids[@]}" -gt 0 ] || fail "no record matches '$only'"

if [ "$listOnly" = yes ]; then
    findPlaces "$root"
    status=0
    for i in "${!ids[@]}"; do
        place=${places[${ids[$i]}]-}
        if [[ $place =~ ^[^\ ]+$ ]]; then
            printf '%-40s %-10s %s\n' "${ids[$i]}" "${areas[$i]}" "$place"
        else
            printf 'NOT FOUND %-30s %-10s %s\n' "${ids[$i]}" "${areas[$i]}" "$place"
            status=1
        fi
    done
    exit "$status"
fi

# ---- The copy ----

tree=$work/tree
log=$work/mutants.log
results=$work/results
pristine=$work/pristine   # $build without a fault
changedFile=$work/changed # names the file of the copy that holds a fault
mkdir -p "$work" || fail "cannot make $work"

# Only files that differ are written: of a run that was killed, so that objects that were built of its fault are older
# than their source. A checkout may belong to another user, as in containers: git is asked for names only.
mkdir -p "$tree" || fail "cannot make $tree"
rm -f "$changedFile"
git -c safe.directory="$PWD" ls-files >"$work/tracked" || fail "git lists no files"
(cd "$tree" && find . -type f -printf '%P\n') | grep -vxF -f "$work/tracked" | while IFS= read -r file; do
    rm "$tree/$file"
done
while IFS= read -r file; do
    if [ ! -e "$file" ]; then
        rm -f "$tree/$file"
    elif ! cmp -s "$file" "$tree/$file"; then
        mkdir -p "$tree/$(dirname "$file")" && cp "$file" "$tree/$file" || fail "cannot copy $file"
    fi
done <"$work/tracked"
findPlaces "$tree"

# Also the build becomes what it was, so that the next fault does not build this one's files once more.
restore() {
    [ -e "$changedFile" ] || return 0
    (cd "$build" && find . -type f -newer "$changedFile" -print0) | while IFS= read -r -d '' file; do
        cp -p "$pristine/$file" "$build/$file" 2>/dev/null || rm "$build/$file"
    done
    cp -p "$work/original" "$tree/$(cat "$changedFile")" && rm "$changedFile"
}
trap restore EXIT
trap 'exit 130' INT TERM HUP

# ---- Its builds ----

# Objects of ccache serve other folders as well.
export CCACHE_BASEDIR=$work CCACHE_NOHASHDIR=1
launcher=()
if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
fi

# configure OPTIONS...: the folder $build. Writes "TEST<tab>TARGET" to $work/programs: the programs that a test runs, or
# that are arguments of its command, also as NAME=PROGRAM. ctest itself leaves commands out that are not built yet.
configure() {
    echo "configuring $build"
    (cd "$tree" && cmake --preset test -B "$build" "${launcher[@]}" "$@") >>"$log" 2>&1 || fail "it does not configure; see $log"
    ninja -C "$build" -t targets all 2>>"$log" | sed -E 's/: [^:]*$//' >"$work/outputs" || fail "ninja lists no targets"
    grep -rh --include=CTestTestfile.cmake '^add_test(' "$build" | prefix=$build/ awk '
        FILENAME != "-" { outputs[$0] = 1; next }
        {
            sub(/^add_test\((\[=*\[)?"?/, "")
            match($0, /^[^] "]+/)
            test = substr($0, 1, RLENGTH)
            count = split($0, parts, "\"")
            for (i = 1; i <= count; i++) {
                sub(/^[A-Z_]+=/, "", parts[i])
                target = substr(parts[i], length(ENVIRON["prefix"]) + 1)
                if (index(parts[i], ENVIRON["prefix"]) == 1 && target in outputs) print test "\t" target
            }
        }' "$work/outputs" - >"$work/programs"
}

# buildTests REGEX: builds the programs of these tests. Tests without programs are scripts, which build what they test.
buildTests() {
    local -a targets
    mapfile -t targets < <(grep -E "^($1)"$'\t' "$work/programs" | cut -f 2 | sort -u)
    [ "${#targets[@]}" -eq 0 ] ||
        ninja -C "$build" -j "$(nproc)" "${targets[@]}" >>"$log" 2>&1
}

# runTests REGEX ARGUMENTS...: prints "TEST STATUS" for each test that failed. The status of ctest is lost.
runTests() {
    local regex=$1
    shift
    ctest --test-dir "$build" -R "^($regex)\$" --no-tests=error --output-on-failure "$@" >"$work/run.log" 2>&1
    cat "$work/run.log" >>"$log"
    ! grep -qF "No tests were found" "$work/run.log" || echo "- none"
    sed -nE 's/^[[:space:]]*[0-9]+ - ([^ ]+) \((.*)\)[[:space:]]*$/\1 \2/p' "$work/run.log"
}

# ---- Without a fault ----

# Without a fault a test must pass, else it says nothing with one. The seconds that it takes.
declare -A seconds=()

# runNew: runs those of `all` that $work/passed.KIND does not list yet, and adds those that pass.
runNew() {
    local new failed
    new=$(grep -vxF -f <(cut -d ' ' -f 1 "$passed") <<<"${all//|/$'\n'}" | paste -sd '|')
    [ -n "$new" ] || return 0
    failed=$(runTests "$new" -j "$(nproc)")
    mv "$work/run.log" "$work/first.log"
    : >"$work/run.log"
    if [ -n "$failed" ]; then # a busy machine makes some take too long: once more, one after the other
        runTests "$(cut -d ' ' -f 1 <<<"$failed" | paste -sd '|')" >"$work/failed"
    fi
    sed -nE 's/.*Test +#[0-9]+: ([^ ]+) \.+ +Passed +([0-9]+)\..*/\1 \2/p' "$work/first.log" "$work/run.log" >>"$passed"
}

# runWithoutFault KIND: fills `seconds` for the tests of the records `remaining`.
runWithoutFault() {
    local all name time passed=$work/passed.$1
    [ "$resume" = yes ] || rm -f "$passed"
    touch "$passed"
    all=$(for i in "${remaining[@]}"; do echo "${tests[$i]}"; done | tr '|' '\n' | sort -u | paste -sd '|')
    echo "building the tests"
    buildTests "$all" || fail "the tests do not build; see $log"
    echo "running the tests without a fault"
    runNew
    seconds=()
    while read -r name time; do
        seconds[$name]=$time
    done <"$passed"
    leftOut=()
    for name in ${all//|/ }; do
        [ -n "${seconds[$name]-}" ] || leftOut+=("$name")
    done
}

# ---- Each fault ----

# plant FILE LINE FIND REPLACE: in the copy.
plant() {
    cp -p "$tree/$1" "$work/original" && echo "$1" >"$changedFile" &&
        find=$3 replace=$4 awk -v line="$2" '
            FNR == line {
                at = index($0, ENVIRON["find"])
                $0 = substr($0, 1, at - 1) ENVIRON["replace"] substr($0, at + length(ENVIRON["find"]))
            }
            { print }' "$work/original" >"$tree/$1"
}

# tryRecord RECORD: prints its line.
tryRecord() {
    local id=${ids[$1]} alone test how
    local place=${places[$id]-}
    if [[ ! $place =~ ^[^\ ]+$ ]]; then
        echo "NOT FOUND $id"
        return
    fi
    plant "${place%:*}" "${place##*:}" "${finds[$1]}" "${replaces[$1]}" || fail "cannot change the copy"
    echo "==== $id" >>"$log"
    # From left to right, since the first one mostly notices. No other build will need these objects.
    local -x CCACHE_DISABLE=1
    local tried=no
    for alone in ${tests[$1]//|/ }; do
        [ -n "${seconds[$alone]-}" ] || continue
        tried=yes
        if ! buildTests "$alone"; then
            restore
            echo "NOT BUILT $id"
            return
        fi
        read -r test how < <(VKSKIN_TEST_STOP=1 runTests "$alone" --stop-time "$(date -d "+$((20 + 5 * seconds[$alone])) seconds" +%T)")
        case "${how-}" in
            "") ;;
            none | "Not Run" | BAD_COMMAND)
                restore
                echo "NO TEST $id"
                return
                ;;
            *)
                restore
                [ "$how" = Failed ] || test="$test, $how"
                echo "caught $id ($test)"
                return
                ;;
        esac
    done
    restore
    [ "$tried" = yes ] && echo "SURVIVED $id" || echo "NO TEST $id"
}

# tryRecords: tries each of `remaining`, quick ones first, and keeps there those that are not caught.
tryRecords() {
    local i line cost
    local -a order notCaught=()
    mapfile -t order < <(for i in "${remaining[@]}"; do
        cost=${seconds[${tests[$i]%%|*}]-0}
        [[ ${hints[$i]} != shaders/* ]] || cost=$((cost + 30)) # many shaders are compiled
        echo "$cost $i"
    done | sort -s -n -k 1,1 | cut -d ' ' -f 2)
    for i in "${order[@]}"; do
        line=$(tryRecord "$i")
        if [ "${line%% *}" = caught ]; then
            echo "$line" | tee -a "$results"
        else
            notCaught+=("$i")
            lines[i]=$line
        fi
    done
    remaining=("${notCaught[@]}")
}

: >"$log"
touch "$results"
if [ "$resume" = yes ]; then sed -i '/^caught /!d' "$results"; else : >"$results"; fi
remaining=() lines=() leftOut=()
for i in "${!ids[@]}"; do
    grep -qF "caught ${ids[$i]} (" "$results" || remaining+=("$i")
done
for kind in fast build; do
    leftOut=()
    [ "${#remaining[@]}" -gt 0 ] || break
    build=$work/$kind
    options=()
    [ "$kind" = build ] || options=(-DVKSKIN_SANITIZE=OFF {-DCMAKE_C_FLAGS,-DCMAKE_CXX_FLAGS}"_RELWITHDEBINFO=-O2 -DNDEBUG")
    configure "${options[@]}"
    runWithoutFault "$kind"
    rm -rf "$pristine" && cp -a "$build" "$pristine" || fail "cannot copy $build"
    tryRecords
    echo "${#remaining[@]} records are not caught in $build"
done

errors=0
for name in "${leftOut[@]}"; do
    echo "LEFT OUT $name (does not pass without a fault, or is no test)"
done
for i in "${remaining[@]}"; do
    echo "${lines[$i]}" | tee -a "$results"
    [[ ${lines[$i]} == SURVIVED* ]] || errors=$((errors + 1))
done
echo "$((${#ids[@]} - ${#remaining[@]})) caught, $((${#remaining[@]} - errors)) survived, $errors errors"
[ "${#remaining[@]}" -eq 0 ] && [ "${#leftOut[@]}" -eq 0 ]
