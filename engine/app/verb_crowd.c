/* verb_crowd.c: vkskin crowd MODEL...: the main job: many characters skinned in one pass, drawn and measured. */
#include "content.h"
#include "crowd_options.h"
#include "motion_options.h"
#include "outputs.h"
#include "pictures.h"
#include "show_options.h"
#include "spine_options.h"
#include "verbs.h"

static const Option CROWD_OPTIONS[] = {
    {"count", OPTION_INTEGER, "N", .help = "characters, such as 400 or 10k; the models alternate",
     .defaultValue = "400", .minimum = 1, .maximum = 1000000, .content = OPTION_FOR_ALL},
    SYSTEM_OPTION("crowd"),
    {.group = SYSTEM_OPTIONS},
    {.group = DETAIL_OPTIONS},
    {.group = SKIN_OPTIONS},
    BACKEND_OPTION(OPTION_FOR_ALL),
    {.group = MOTION_OPTIONS},
    {.group = MACHINE_OPTIONS},
    CLIP_OPTION("the clip of all characters", "; default: a random one that moves"),
    {"time", OPTION_NUMBER, "SECONDS", .help = "time in the clip, which loops, for all characters; default: random",
     .unit = "s", .minimum = 0.0, .maximum = INFINITY, .content = OPTION_FOR_ALL},
    {"frames", OPTION_INTEGER, "N", .help = "measured frames, after a few warm-up frames", .defaultValue = "10",
     .minimum = 1, .maximum = 1000000, .content = OPTION_FOR_ALL},
    SEED_OPTION(OPTION_FOR_ALL),
    TINT_OPTION,
    SKIN_NAME_OPTION,
    SPINE_CURVES_OPTION,
    {.group = SHOW_OPTIONS},
    {"place", OPTION_CHOICE, "grid|street",
     .help = "of 2D characters: rows of equal cells, or a street, where those farther away are smaller and behind",
     .defaultValue = "grid", .choices = SPINE_PLACE_NAMES, .content = OPTION_FOR_SPINE},
    {.group = PICTURE_OPTIONS},
    FIT_OPTION(OPTION_FOR_MODELS),
    {"output", OPTION_OUTPUT, "FILE", .help = "the picture to write, .png or .webp; default: none",
     .choices = ANIMATED_ENDINGS, .letter = 'o', .content = OPTION_FOR_ALL},
    JSON_OPTION,
    TUNING_OPTION,
    FORCE_OPTION,
};

const Verb verbCrowd = {
    .name = "crowd",
    .summary = "skins, draws and measures a crowd of characters",
    .usage = "MODEL... [--count N] [options] [-o FILE.png]",
    .details =
        "Each character has its own place, clip and time; clips loop. By default the system is crowd: it poses,\n"
        "culls and skins all characters in a few passes, on the device, or with '--backend cpu' on the CPU.\n"
        "--blend-clip, --add-clip, --reach, --look, --machine, '--clip none' and models without clips, with more\n"
        "than 256 parts or 16 skins need '--system compute', where the CPU poses each character. They choose it\n"
        "unless --system, --slots, --lods or --optional is given, and the table says why; so does any other model\n"
        "that a crowd refuses. Springs swing in render, view and bake only. If memory is short, the command fails and\n"
        "states what it needs.\n"
        "\n"
        "The table on standard output shows for each step the median time over the measured frames and the\n"
        "spread. It names the clock: timestamps, or the wall clock around a fence if the timestamps of the\n"
        "driver cannot be trusted.\n"
        "\n"
        "2D characters play their animations in turn, each from a time of its own. Their systems are compute, the\n"
        "default, and uniform-2d.\n",
    OPTIONS_OF(CROWD_OPTIONS),
    TAKES_MODELS(SESSION_MODELS_MAX),
    .run = contentCrowd,
    .examples = {"model.gltf --count 200 -o crowd.png",
                 "model.gltf other.gltf --clip 0 --time 0.5 --camera 30,20 --json crowd.json",
                 "hero.json --count 60 --frames 3 --place street -o street.png"},
};
