#!/usr/bin/env bash
# formats.sh: what the command reads of every model of the package assimp-testmodels. See --help.
set -u -o pipefail

usage() {
    cat <<'TEXT'
formats.sh: runs 'vkskin info' on every model of the package assimp-testmodels whose file name extension is read, and
writes docs/formats.md.

usage: scripts/formats.sh [--program FILE] [--models FOLDER] [--output FILE]

  --program FILE   the command; default: build/release/vkskin
  --models FOLDER  where the package put its models; default: /usr/share/assimp/models
  --output FILE    the Markdown file; '-' prints it; default: docs/formats.md of the project
  --help, -h       this text
TEXT
}

fail() {
    echo "formats.sh: $*" >&2
    exit 1
}

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
program=$root/build/release/vkskin
models=/usr/share/assimp/models
output=$root/docs/formats.md
while [ "$#" -gt 0 ]; do
    case "$1" in
        --help | -h) usage; exit 0 ;;
        --program | --models | --output)
            [ "$#" -ge 2 ] || fail "$1 needs a value"
            declare "${1#--}=$2"
            shift
            ;;
        *) fail "no option '$1'; see --help" ;;
    esac
    shift
done
[ -x "$program" ] || fail "$program is not there: build it, or see --help"
[ -d "$models" ] || fail "$models is not there: install assimp-testmodels, or see --help"

# shellcheck disable=SC2016 # jq has variables too
# The row of a model that is read, from the JSON of 'vkskin info'.
row='
def many(one; several): "\(.) \(if . == 1 then one else several end)";
def repaired: {
    weightsNegative: "weights that are negative or not finite, set to 0",
    verticesUnweighted: "vertices without weights, attached to their node",
    normalsComputed: "meshes without normals, computed from the faces",
    trianglesDropped: "points, lines and incomplete triangles, left out",
    nodesSheared: "nodes with shear, kept as a matrix",
    tracksDropped: "tracks without keys or for missing nodes" };
[ (.meshes | length | select(. > 0) | many("mesh"; "meshes")), (.triangles | select(. > 0) | many("triangle"; "triangles")),
  (.bones | select(. > 0) | many("bone"; "bones")), (.clips | length | select(. > 0) | many("clip"; "clips")),
  ([.meshes[].morphs | length] | add // 0 | select(. > 0) | many("morph target"; "morph targets")) ] as $content
| [ .warnings[], (.repairs | to_entries[] | select(.value > 0 and repaired[.key]) | "\(repaired[.key]): \(.value)") ]
  as $not | "\($content | join(", "))\t\($not | join("; "))"'

# describe MODEL: its row of the table. Names of a file may contain any character.
describe() {
    local text reason character
    if text=$("$program" info "$1" --json=- 2>/dev/null | jq -r "$row"); then
        reason=${text#*$'\t'}
        text=${text%%$'\t'*}
    else
        text="**refused**"
        reason=$("$program" info "$1" 2>&1 >/dev/null | head -n 1)
        reason=${reason#"vkskin info: $1: "}
        reason=${reason//"$models/"/}
    fi
    # shellcheck disable=SC1003 # a backslash
    for character in '\' '|' '*' '_' '<' '>'; do
        reason=${reason//"$character"/"\\$character"}
    done
    printf '| %s | %s | %s |\n' "${1#"$models/"}" "$text" "$reason"
}

# The extensions are those that the command itself names.
extensions() {
    "$program" info --help | sed -n 's/^ *MODEL  *a file: \([^;]*\).*/\1/p' | tr -d ' .' | tr ',' '|'
}

list() {
    find "$models" -type f | grep -iE "\.($(extensions))$" | LC_ALL=C sort
}

# The other kinds of models: how many files there are, and the line with which the command refuses one of them. The
# extension alone decides. Pictures, buffers and texts are of unknown kind.
others() {
    local extension count reason
    find "$models" -type f -size +0 | grep -ivE "\.($(extensions))$" | sed -n 's/.*\.\([A-Za-z0-9]*\)$/\1/p' |
        tr '[:upper:]' '[:lower:]' | LC_ALL=C sort | uniq -c | while read -r count extension; do
            reason=$("$program" info "$(find "$models" -type f -size +0 -iname "*.$extension" | head -n 1)" 2>&1 >/dev/null)
            case "$reason" in
                *"is not read: "*) reason=${reason##*"/"}; reason=${reason#*": "} ;;
                *) continue ;;
            esac
            printf '| .%s | %s | %s |\n' "$extension" "$count" "${reason%%; read are*}"
        done
}

page() {
    cat <<'TEXT'
# Model files

This page shows what `vkskin` reads of each format, and of every model of the Debian package assimp-testmodels 5.2.5 with
such a file name extension. `scripts/formats.sh` writes it. `vkskin info` shows the same for your files: what it could
not read is listed under "warnings", what it corrected under "repaired on import".

| format | reader | read | not read |
| --- | --- | --- | --- |
| .gltf, .glb (2.0) | tinygltf | triangles, strips and fans; skins with any number of influences; morph targets; clips with all three interpolations; the default scene; EXT_meshopt_compression, KHR_mesh_quantization, KHR_texture_transform, KHR_node_visibility; materials with all five maps, colours of vertices (COLOR_0), alpha modes, sides, KHR_materials_emissive_strength, _ior, _pbrSpecularGlossiness, _specular and _unlit; `_BLEND` | glTF 1.0; KHR_draco_mesh_compression; points and lines; other scenes; instances (EXT_mesh_gpu_instancing); keys of anything but nodes and morph weights |
| .fbx (from 7.1) | assimp | meshes, skins, pivots and geometric transforms; clips with constant, linear and cubic keys, their repetition before and after, and layers; morph targets with in-between shapes; embedded textures; up axis and unit | older versions; below scaled nodes, scale inheritance of the modes RrSs and Rrs; the rotation order SphericXYZ; the visibility of nodes over time (only the property "Show" is read); layers of materials |
| .dae | assimp | meshes, skins, clips; morph targets with linear and Bezier keys; up axis and unit | morph controllers of controllers; UTF-16; points and lines |
| .x | assimp | meshes, skins, clips; text, binary and compressed | skins whose bones have no frame |
| .md5mesh | assimp | meshes, skins; the clip of the .md5anim beside it with the same name | |
| .md5anim | assimp | the clip, for `--clips` | |
| .vkm (1.0) | own | all that `vkskin pack` writes: [format.md](format.md) | newer versions |
| .json (Spine 4.0 to 4.2) | own | 2D characters, with the .atlas beside it and its pictures: [2d.md](2d.md) | other versions; physics |

Of every format that has them are read: base colours, emission, normal maps, occlusion, colours of vertices, opacity, and
how textures end at their border (repeated, clamped or mirrored). Metal and roughness: of glTF in one map, of FBX also as
two, which become one. Of other formats, the specular colour and its exponent are read. Their triangles are shown from
both sides. All maps of a material have the texture coordinates of its first one, of formats other than glTF the first of
the mesh; warnings name maps with other ones, and maps of other kinds: specular colours, gloss, opacity apart from the
base colour, heights. A glTF mesh without a material is white and not metallic. Of no format are read: cameras, lights,
curves and surfaces. Pictures may be PNG, JPEG, TGA, BMP or GIF. In a glTF
file, a member with the wrong type counts as absent.

## Refusals

A verb that cannot do what was asked ends with one line and exit status 1. What the lines about files mean:

| line | why | what you can do |
| --- | --- | --- |
| no meshes; only points or lines | nothing has triangles: cameras, lights, curves, motion without a body | use a file of clips with `--clips`; export the mesh |
| FBX 6.1 is older than this reader supports; glTF 1.0, which is not supported | the older formats are other formats | export it again as FBX 7.4 or glTF 2.0 |
| needs EXTENSION, which is not supported | the file says that it cannot be read without it | export without it, for example without Draco compression |
| the head of the file is damaged; not readable as FORMAT; a message of assimp | it is damaged, or of a kind that the reader does not know: big-endian or unknown variants of FBX | export it again |
| vertex N is not finite; index N names vertex M; the nodes form a circle; a buffer is not readable | numbers, references or files of the model are wrong; a buffer must lie beside the model | repair the model, or put the buffer there |
| bone 'NAME' has no node | the skin names a frame that the file does not have | export the skeleton, too |
| its vertices are too far away at this time to be drawn; the vertices of the model of mesh NAME lie too far out | curves with extreme slopes move them beyond what a picture can hold | choose another `--time`, or repair the curve |
| a 2D character: only models can be packed; 2D characters or other models, not both; system NAME does not draw 2D characters | the verb or the option is about models of three dimensions | use `crowd`, `render`, `bake`, `compare` or `view` without it |
| none of its animated nodes is in FILE | the file of `--clips` has other names | use clips of the same skeleton |
| -o would overwrite FILE, which is read with MODEL | no verb writes a file that it reads | choose another name |
| needs N MiB; the device binds N; has room for N | the number of characters or slots is too large for the device | a smaller `--count` or `--slots` |
| a bone is not finite, or beyond what the encoding holds | as before, for a system or method with 16-bit numbers | use floats: `--texture-format float`, `--method lbs` |

Not refused: `vkskin crowd` draws by the system `compute` what its own cannot show, for example a model without clips, with more
than 64 parts or with more than 16 skins. The first lines of its table give the reason. A clip that cannot be packed within
the error that was asked for is packed as well as possible, with the warning VKSKIN_WARNING_ERROR_BOUND.
`scripts/models.sh` runs all models of a folder through all verbs, and lists what is refused.

## Models of the package

| model | content | not read, repaired, or the reason for which it is refused |
| --- | --- | --- |
TEXT
    list | while read -r model; do
        describe "$model"
    done
    cat <<'TEXT'

Other models of the package are refused by their extension. Not listed are files whose kind the command calls
unknown: XML of Ogre and others, pictures, buffers, materials, shaders and texts.

| extension | files | line of `vkskin info` |
| --- | --- | --- |
TEXT
    others
}

if [ "$output" = - ]; then
    page
else
    page >"$output.new" && mv "$output.new" "$output"
fi
