/* verb_view.c: vkskin view MODEL...: characters in a window, with hot reload of shaders and models. */
#include "content.h"
#include "crowd_options.h"
#include "motion_options.h"
#include "outputs.h"
#include "session.h"
#include "show_options.h"
#include "spine_options.h"
#include "verbs.h"

static const Option VIEW_OPTIONS[] = {
    {"count", OPTION_INTEGER, "N", .help = "characters; the models alternate; default: one of each", .minimum = 1,
     .maximum = 1000000},
    SYSTEM_OPTION("compute"),
    {.group = SYSTEM_OPTIONS},
    {.group = DETAIL_OPTIONS},
    {.group = SKIN_OPTIONS},
    BACKEND_OPTION(OPTION_FOR_ALL),
    {.group = MOTION_OPTIONS},
    {.group = SPRING_OPTIONS},
    {.group = MACHINE_OPTIONS},
    CLIP_OPTION("the first clip to play", "; default: the first for a single character, random for more"),
    {"frames", OPTION_INTEGER, "N", .help = "number of frames to show; default: until Esc", .minimum = 1,
     .maximum = 9007199254740991.0, .content = OPTION_FOR_ALL},
    SEED_OPTION(OPTION_FOR_MODELS),
    TINT_OPTION,
    SIZE_OPTION("width and height of the window in pixels"),
    SKIN_NAME_OPTION,
    SPINE_CURVES_OPTION,
    {.group = SHOW_OPTIONS},
    {"paused", OPTION_FLAG, .help = "start paused", .content = OPTION_FOR_ALL},
    {"script", OPTION_INPUT, "FILE",
     .help = "actions, one per line: words that the key h or the action help prints, such as 'clip 1', 'wait 30' "
             "frames, 'picture a.png', 'end'. While it runs, a frame is 1/60 s",
     .content = OPTION_FOR_ALL},
    {"shaders", OPTION_TEXT, "DIR",
     .help = "take the shaders from DIR/raster, their includes from there or DIR; without it those that were built in, "
             "until a file of the source tree changes"},
    {"output", OPTION_OUTPUT, "FILE.png", .help = "the picture to write: the last one of the window; default: none",
     .choices = PICTURE_ENDINGS, .letter = 'o', .content = OPTION_FOR_ALL},
    TUNING_OPTION,
    FORCE_OPTION,
};

const Verb verbView = {
    .name = "view",
    .summary = "shows characters in a window",
    .usage = "MODEL... [--count N] [options]",
    .details =
        "Left drag orbits, the wheel zooms, right or middle drag pans. Space pauses, . steps, + and - change\n"
        "the speed; left and right or [ and ] change the clip, m the method, b the weight of a second clip; n\n"
        "switches the additive clip, k reach and look; r resets the camera, h prints all actions, Esc ends. A\n"
        "click selects a bone, a double click looks at one. A file that is dropped onto the window is opened.\n"
        "\n"
        "If a file of shaders/raster changes, it is compiled again and used at once. An error is printed with file\n"
        "and line, and the former shader stays. If the file of a model changes, it is read again within a\n"
        "second or two. One that cannot be read, or that has other meshes or morph targets, is reported, and\n"
        "the old model stays. A file beside it (.bin, pictures, --clips) is not watched.\n"
        "\n"
        "A 2D character is shown alone: left drag pans too, and pulls the target of an IK constraint that it\n"
        "begins on. s changes the skin, m, w, j and t switch mesh, wireframe, joints and targets, k puts the\n"
        "targets back. A new clip fades in. docs/2d.md has all keys. Its shaders are not watched.\n",
    OPTIONS_OF(VIEW_OPTIONS),
    TAKES_MODELS(SESSION_MODELS_MAX),
    .run = contentView,
    .examples = {"model.gltf", "model.gltf other.gltf --count 20 --size 640x480 -o last.png"},
};
