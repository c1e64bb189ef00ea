#!/usr/bin/env bash
# gltf.sh: models through `vkskin bake --clip all`, and the files through a check and the validator of Khronos. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
gltf.sh: writes each model of folders as .glb with all clips, and validates the files.

usage: scripts/gltf.sh [--program FILE] [--validator FOLDER] FOLDER...

  --program FILE       the command; default build/release/vkskin
  --validator FOLDER   where the package gltf-validator is (npm install gltf-validator); default: where node finds it.
                       Without it only tests/command/glb_reader.py checks the files
  --help, -h           this text

Prints a line for each model that is refused and for each file that is not valid. Exit status: 1: a file is not valid.
TEXT
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/vkskin validator=$PWD
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --program) program=$2; shift ;;
        --validator) validator=$2; shift ;;
        *) break ;;
    esac
    shift
done
if [ "$#" -eq 0 ]; then
    usage >&2
    exit 2
fi
made=$(mktemp -d -t vkskin-gltf-XXXXXX) || exit 2
trap 'rm -rf "$made"' EXIT

find "$@" -type f -regextype posix-extended -iregex '.*\.(gltf|glb|fbx|dae|x|md5mesh|md5anim|vkm)' -print0 | sort -z |
    while IFS= read -r -d '' model; do
        number=$((${number-0} + 1))
        "$program" bake "$model" --clip all --max-size 4000 -o "$made/$number ${model##*/}.glb" 2>&1 | grep -v ' warning: '
    done
shopt -s nullglob
files=("$made"/*.glb)
echo "${#files[@]} files"
status=0
python3 "$root/tests/command/glb_reader.py" "${files[@]}" || status=1
if ! NODE_PATH=$validator/node_modules node -e 'require("gltf-validator")' 2>/dev/null; then
    echo "gltf.sh: no package gltf-validator: the rules of Khronos are not checked" >&2
    exit $status
fi
NODE_PATH=$validator/node_modules node -e '
const validator = require("gltf-validator"), fs = require("fs");
(async () => {
    for (const file of process.argv.slice(1)) {
        const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)));
        for (const message of report.issues.messages.filter((row) => row.severity === 0)) {
            console.log(file.replace(/.*\//, "") + ": " + message.code + " " + message.pointer + ": " + message.message);
            process.exitCode = 1;
        }
    }
})();' "${files[@]}" || status=1
exit $status
