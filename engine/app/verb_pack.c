/* verb_pack.c: vkskin pack MODEL...: a model with packed clips as a file that loads fast. */
#include "content.h"
#include "outputs.h"
#include "session.h"
#include "verbs.h"
#include "vkm_layout.h"

static const char *const ENDINGS[] = {VKM_ENDING, NULL};
static const char *const RATE_NAMES[] = {"auto", NULL};
static const char *const PICTURE_NAMES[] = {"files", "inside", NULL};

static const Option PACK_OPTIONS[] = {
    {"output", OPTION_OUTPUT, "FILE", .help = "the file to write, with the ending .vkm", .choices = ENDINGS,
     .letter = 'o', .required = true},
    {"max-error", OPTION_NUMBER, "MM",
     .help = "pack clips with at most this error, in millimetres on a character 1.8 m high", .defaultValue = "1mm",
     .unit = "mm", .minimum = 0.001, .maximum = 1000.0},
    {"rate", OPTION_CHOICE, "auto", .help = "key times of clips; auto: as few as the error allows",
     .defaultValue = "auto", .choices = RATE_NAMES},
    {"pictures", OPTION_CHOICE, "files|inside",
     .help = "files: name those that are in the folder of the new file or below, and put others inside; inside: all of "
             "them. PNG and JPEG files stay as they are",
     .defaultValue = "files", .choices = PICTURE_NAMES},
    LODS_OPTION("make and write"),
    JSON_OPTION,
    {.group = READ_OPTIONS},
    FORCE_OPTION,
};

const Verb verbPack = {
    .name = "pack",
    .summary = "writes a model with packed clips as a file that loads fast",
    .usage = "MODEL... [options] -o FILE.vkm",
    .details = "The first MODEL is packed. Further ones only add their clips, as with --clips. Every verb reads the\n"
               "new file. It has meshes, morph targets, skeleton, clips and materials. Vertices are in the order that\n"
               "is fastest to skin, and clips move a vertex at most --max-error from where the source has it.\n"
               "The layout of the file is described in docs/formats.md.\n"
               "This verb needs no Vulkan device and ignores --device and --validate.\n",
    OPTIONS_OF(PACK_OPTIONS),
    TAKES_MODELS(OPTION_FILES_MAX),
    .run = contentPack,
    .examples = {"model.gltf -o model.vkm", "model.gltf walk.gltf --max-error 0.5mm -o walking.vkm"},
};
