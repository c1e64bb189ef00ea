/* verb_compare.c: vkskin compare MODEL...: one scene by every skinning system. */
#include "content.h"
#include "outputs.h"
#include "session.h"
#include "spine_options.h"
#include "verbs.h"

static const Option COMPARE_OPTIONS[] = {
    {"count", OPTION_INTEGER, "N", .help = "characters; the models alternate", .defaultValue = "1", .minimum = 1,
     .maximum = 100000, .content = OPTION_FOR_ALL},
    CLIP_OPTION("the clip of all characters", "; default: a random one that moves"),
    {"time", OPTION_NUMBER, "SECONDS", .help = "time in the clip, which loops, for all characters; default: random",
     .unit = "s", .minimum = 0.0, .maximum = INFINITY, .content = OPTION_FOR_ALL},
    {"frames", OPTION_INTEGER, "N", .help = "measured frames of each system, after a few warm-up frames",
     .defaultValue = "10", .minimum = 1, .maximum = 1000000, .content = OPTION_FOR_ALL},
    SEED_OPTION(OPTION_FOR_ALL),
    {"size", OPTION_SIZE, "WxH", .help = "width and height of each picture", .defaultValue = "480x360", .minimum = 16,
     .maximum = 4096, .content = OPTION_FOR_ALL},
    {"normals", OPTION_CHOICE, "cheap|exact", .help = "normal transform, as of crowd", .defaultValue = "cheap",
     .choices = SKIN_NORMALS_NAMES},
    SKIN_NAME_OPTION,
    SPINE_CURVES_OPTION,
    {.group = READ_OPTIONS},
    {"output", OPTION_OUTPUT, "FILE.png", .help = "a sheet of all pictures; default: none", .choices = PICTURE_ENDINGS,
     .letter = 'o', .content = OPTION_FOR_ALL},
    JSON_OPTION,
    FORCE_OPTION,
};

const Verb verbCompare = {
    .name = "compare",
    .summary = "draws one scene by every skinning system and compares them",
    .usage = "MODEL... [--count N] [options] [-o SHEET.png]",
    .details =
        "Systems are the ways in which bones reach the vertices: '--system' of render, crowd and view. All of them\n"
        "use at most four influences per vertex and linear blending; the quaternions of texture-qt become\n"
        "matrices first. A system that cannot draw the models says why, and the others go on.\n"
        "\n"
        "2D characters are drawn by compute, here with all influences, and uniform-2d.\n",
    OPTIONS_OF(COMPARE_OPTIONS),
    TAKES_MODELS(SESSION_MODELS_MAX),
    .run = contentCompare,
    .examples = {"model.gltf -o systems.png", "model.gltf --count 200 --clip 0 --time 0.5 --json systems.json"},
};
