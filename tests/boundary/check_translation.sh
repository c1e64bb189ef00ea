#!/usr/bin/env bash
# check_translation.sh FOLDER: translates each compiled shader (*.inc) below the folder with spirv-cross to MSL 2.2 and to
# HLSL of shader model 6.0, as MoltenVK and hosts without Vulkan do.
set -u -o pipefail
folder=$(mktemp -d -t vkskin-translate-XXXXXX) || exit 1
trap 'rm -rf "$folder"' EXIT

python3 - "$1" "$folder" <<'PYTHON' || exit 1
import pathlib, re, struct, sys
for file in pathlib.Path(sys.argv[1]).rglob("*.inc"):
    words = [int(word, 16) for word in re.findall("0x[0-9a-f]+", file.read_text())]
    if words and words[0] == 0x07230203:
        name = file.parent.name + "-" + file.stem + ".spv"
        (pathlib.Path(sys.argv[2]) / name).write_bytes(struct.pack(f"<{len(words)}I", *words))
PYTHON

failures=0
for module in "$folder"/*.spv; do
    spirv-cross "$module" --msl --msl-version 20200 --output "$folder/msl" 2>"$folder/errors" ||
        { echo "${module##*/}: no MSL 2.2: $(head -n 1 "$folder/errors")"; failures=$((failures + 1)); }
    spirv-cross "$module" --hlsl --shader-model 60 --output "$folder/hlsl" 2>"$folder/errors" ||
        { echo "${module##*/}: no HLSL 6.0: $(head -n 1 "$folder/errors")"; failures=$((failures + 1)); }
done
echo "$(find "$folder" -name '*.spv' | wc -l) shaders, $failures failures"
[ "$failures" -eq 0 ]
