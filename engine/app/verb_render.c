/* verb_render.c: vkskin render MODEL: one character at one time of a clip as a picture, or at many times as many. */
#include "content.h"
#include "outputs.h"
#include "pictures.h"
#include "single.h"
#include "show_options.h"
#include "spine_options.h"
#include "verbs.h"

static const Option RENDER_OPTIONS[] = {
    {"output", OPTION_OUTPUT, "FILE",
     .help =
         "the picture to write, .png or .webp; .webp with --sequence: one animated picture; '-': to standard output",
     .choices = ANIMATED_ENDINGS, .letter = 'o', .required = true, .standard = true, .content = OPTION_FOR_ALL},
    SYSTEM_OPTION("compute"),
    {.group = SYSTEM_OPTIONS},
    {.group = MOMENT_OPTIONS},
    BACKEND_OPTION(OPTION_FOR_ALL),
    {.group = PICTURE_OPTIONS},
    FIT_OPTION(OPTION_FOR_ALL),
    {"sheet", OPTION_SIZE, "COLUMNSxROWS",
     .help =
         "one picture of so many moments of the clip, from --time on in even steps, from left to right and from top "
         "to bottom; --size is that of each moment",
     .minimum = 1, .maximum = 64, .content = OPTION_FOR_ALL},
    {"level", OPTION_INTEGER, "N",
     .help = "draw this level of detail with flat triangles; 0 is the mesh itself, 1 to 3 are those of --lods of crowd",
     .minimum = 0, .maximum = MODEL_LODS_MAX},
    SKIN_NAME_OPTION,
    SPINE_CURVES_OPTION,
    {.group = SHOW_OPTIONS},
    LABELS_OPTION,
    FORCE_OPTION,
};

const Verb verbRender = {
    .name = "render",
    .summary = "draws one character at one time of a clip",
    .usage = "MODEL [--clip N|NAME|none] [--time SECONDS] [options] -o FILE.png|FILE.webp",
    .details = "The picture shows the whole character at that time, unless --camera or --fit moves the camera: its "
               "larger side\n"
               "takes three quarters of the picture.\n",
    OPTIONS_OF(RENDER_OPTIONS),
    TAKES_MODELS(1),
    .run = contentRender,
    .examples = {"model.gltf --clip none --camera 90,10 -o side.png",
                 "model.gltf --background none --fit --sequence 0:1:12 -o walk.png"},
};
