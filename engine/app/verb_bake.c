/* verb_bake.c: vkskin bake MODEL: one character at one time of a clip as triangles, or at many times in many files. */
#include "content.h"
#include "geometry.h"
#include "outputs.h"
#include "sequence.h"
#include "single.h"
#include "spine_options.h"
#include "verbs.h"

static const Option BAKE_OPTIONS[] = {
    {"output", OPTION_OUTPUT, "FILE",
     .help =
         "the file to write, as its name ends: .obj (text), .ply (binary) or .glb (glTF 2.0); '-.glb' and the like: to "
         "standard output",
     .choices = GEOMETRY_ENDINGS, .letter = 'o', .required = true, .standard = true, .content = OPTION_FOR_ALL},
    {"max-size", OPTION_INTEGER, "MIB", .help = "refuse to write a file that may take more", .defaultValue = "512",
     .minimum = 1, .maximum = 1048576, .content = OPTION_FOR_ALL},
    {.group = MOMENT_OPTIONS},
    BACKEND_OPTION(OPTION_FOR_MODELS),
    SKIN_NAME_OPTION,
    SPINE_CURVES_OPTION,
    SEQUENCE_OPTION("file"),
    KEEP_OPTION,
    {"json", OPTION_REPORT, "FILE",
     .help = "also write a JSON document about the files, their parts and their bounds; '-': to standard output",
     .content = OPTION_FOR_ALL},
    FORCE_OPTION,
};

const Verb verbBake = {
    .name = "bake",
    .summary = "writes a model at a time of a clip as triangles, or whole as .glb",
    .usage = "MODEL [--clip N|NAME|none|all] [--time SECONDS] [options] -o FILE.obj|FILE.ply|FILE.glb",
    .details =
        "The vertices are skinned as for a picture and read back. A file contains all parts in the world space of\n"
        "the model (node transforms are applied), with normals, faces and texture coordinates. .obj and .ply keep\n"
        "the unit and the axes of the model. In .glb, a node above the parts turns them to y up and metres.\n"
        "A 2D character needs no device: each slot that shows something is a part, in draw order, with z = 0.\n"
        ".obj names the parts (o) and their materials (usemtl). .glb has the materials with their textures as PNG.\n"
        "--clip all writes a .glb file with the skeleton, the skins, the morph targets and all clips. It needs no "
        "device.\n"
        "docs/formats.md lists what such a file does not say.\n",
    OPTIONS_OF(BAKE_OPTIONS),
    TAKES_MODELS(1),
    .run = contentBake,
    .examples = {"model.gltf --clip 0 --time 0.5 -o pose.obj", "model.gltf --sequence 0:1:10 -o walk.glb",
                 "model.gltf --clips walk.gltf --clip all -o walking.glb"},
};
