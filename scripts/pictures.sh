#!/usr/bin/env bash
# pictures.sh: makes the pictures of docs/ again. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
pictures.sh: makes every picture in docs/ again, on lavapipe.

usage: scripts/pictures.sh [--program FILE] [--build FOLDER] [NAME...]

  NAME             crowd_1000, crowd_100000, run, swing, fall, labels, paints, viewer, systems, levels,
                   spine or tubes;
                   default: all
  --program FILE   the command; default: build/release/vkskin
  --build FOLDER   a configured build with tests, for tubes; default: build/test, which scripts/methods.sh makes
  --help, -h       this text

The models are those of the Debian package assimp-testmodels; the 2D character is made by scripts/spine_pictures.py. All
pictures take about 20 minutes on two cores. The plots that docs/performance.md shows are in bench/results: the bench
makes them.
TEXT
}

fail() {
    echo "pictures.sh: $*" >&2
    exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/vkskin
build=
names=()
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --program | --build)
            [ "$#" -ge 2 ] || fail "$1 needs a value"
            declare "${1#--}=$(realpath -m "$2")"
            shift
            ;;
        crowd_1000 | crowd_100000 | run | swing | fall | labels | paints | viewer | systems | levels | spine | tubes) names+=("$1") ;;
        *) fail "no option and no picture '$1'; see --help" ;;
    esac
    shift
done
[ "${#names[@]}" -gt 0 ] || names=(crowd_1000 crowd_100000 run swing fall labels paints viewer systems levels spine tubes)
[ -x "$program" ] || fail "$program is not there: build it, or see --help"
cd /usr/share/assimp/models/X || fail "the models are not there: install assimp-testmodels"
export VK_DRIVER_FILES=/usr/share/vulkan/icd.d/lvp_icd.x86_64.json
export VK_ICD_FILENAMES=$VK_DRIVER_FILES
[ -r "$VK_DRIVER_FILES" ] || fail "lavapipe is not there: install mesa-vulkan-drivers"
docs=$root/docs
folder=$(mktemp -d) || fail "no temporary folder"
trap 'rm -rf "$folder"' EXIT

# The camera of crowd_1000 is so far away that the border cuts no character.
crowd_1000() {
    "$program" crowd Testwuson.X --count 1000 --backend compute --fit --camera 0,24,104 --size 1280x440 --frames 1 \
        --force -o "$docs/crowd_1000.png"
}
crowd_100000() {
    "$program" crowd Testwuson.X --count 100000 --lods 4 --size 960x540 --frames 1 --force \
        -o "$docs/crowd_100000.png"
}
run() {
    "$program" render Testwuson.X --clip Wuson_Run --fit --sheet 4x2 --camera 300,12 --size 320x200 --force \
        -o "$docs/run.png"
}
swing() {
    "$program" render Testwuson.X --clip Wuson_Run --fit --sheet 4x1 --camera 270,8 --size 200x140 \
        --spring Tail01:30,2 --force -o "$docs/swing.png"
}
fall() {
    "$program" render BCN_Epileptic.X --collapse 0.5 --time 0.5 --sheet 8x1 --size 130x170 --camera 60,20 --force \
        -o "$docs/fall.png"
}
labels() {
    "$program" render Testwuson.X --clip Wuson_Run --time 0.4 --labels --camera 300,12 --size 800x450 --force \
        -o "$docs/labels.png"
}
paints() {
    local paint show
    for paint in weights dominant influences bone:B_Spine3; do
        "$program" render BCN_Epileptic.X --time 1 --background bfe3f2 --paint "$paint" --size 200x240 --force \
            -o "$docs/paint_${paint%%:*}.png" || return 1
    done
    for show in mesh+wireframe mesh+joints mesh+normals mesh+boxes mesh+motion; do
        "$program" render BCN_Epileptic.X --time 1 --background bfe3f2 --show "$show" --size 200x240 --force \
            -o "$docs/show_${show#*+}.png" || return 1
    done
    "$program" pack BCN_Epileptic.X --lods 3 --force -o "$folder/human.vkm" &&
        "$program" crowd "$folder/human.vkm" --count 100 --lods 4 --paint level --camera 0,10,12 --size 480x270 \
            --frames 1 --force -o "$docs/paint_level.png"
}
viewer() {
    local look=(--clip Wuson_Run --background bfe3f2 --size 320x240 --force)
    printf '%s\n' 'background bfe3f2' 'clip Wuson_Run' 'bone Neck' 'time 0.2' pause 'wait 2' \
        "picture $docs/viewer_window.png" end >"$folder/script" &&
        "$program" bake Testwuson.X --clip all -o "$folder/bull.glb" &&
        "$root/scripts/viewer_pictures.py" "$folder/bull.glb" "$folder" &&
        xvfb-run -a "$program" view "$folder/bull.glb" --size 840x560 --force --script "$folder/script" &&
        "$program" render "$folder/weight.glb" "${look[@]}" --time 0.5333 --camera 50,8 --paint faults \
            -o "$docs/viewer_weight.png" &&
        "$program" render "$folder/flip.glb" "${look[@]}" --time 0.5 --camera 90,8 --paint bone:ForeLeg_L_02 \
            -o "$docs/viewer_flip.png" &&
        "$program" render "$folder/explode.glb" "${look[@]}" --time 0.45 --camera 90,8 --paint faults \
            -o "$docs/viewer_explode.png"
}
systems() {
    "$program" compare Testwuson.X BCN_Epileptic.X --count 4 --size 240x200 --force -o "$docs/systems.png"
}
levels() {
    local level
    for level in 0 1 2 3; do
        "$program" render BCN_Epileptic.X --time 0.3 --camera 20,8 --background bfe3f2 --level "$level" --size 170x346 \
            --force -o "$docs/level_$level.png" || return 1
    done
}
spine() {
    "$root/scripts/spine_pictures.py" "$program" "$docs/spine_show.png" "$docs/spine_crowd.png"
}
tubes() {
    "$root/scripts/methods.sh" ${build:+--build "$build"}
}

for name in "${names[@]}"; do
    "$name" || fail "no picture: $name"
    echo "pictures.sh: $name"
done
