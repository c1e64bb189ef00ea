/* verb_info.c: vkskin info MODEL: the content of a model file, as tables and as JSON, without a Vulkan device. */
#include "content.h"
#include "info_list.h"
#include "outputs.h"
#include "session.h"
#include "verbs.h"

static const Option INFO_OPTIONS[] = {
    {"max-bones", OPTION_INTEGER, "N",
     .help = "also split each mesh into parts with at most so many bones, for programs that bind palettes in uniform "
             "blocks",
     .minimum = 1, .maximum = 1048576},
    {"check", OPTION_FLAG,
     .help = "also look for faults that show when clips move the model; exit status 3 if there are some"},
    MAX_ERROR_OPTION("also show the size of each clip packed", "no packing"),
    JSON_OPTION,
    {.group = READ_OPTIONS},
    FORCE_OPTION,
};

static int run(const Arguments *arguments) {
    return infoIsList(arguments) ? infoList(arguments) : contentInfo(arguments);
}

const Verb verbInfo = {
    .name = "info",
    .summary = "shows the content of a model file",
    .usage = "MODEL... [options]",
    .details =
        "The box 'at rest' is in the unit and the axes of the file. A bone is a node that moves skinned vertices.\n"
        "For weights it shows how many vertices have how many influences, and the cost of keeping fewer: the\n"
        "lost share of weight at the worst vertex, and an upper bound of its position error in the unit of\n"
        "the model. The bound holds while the bones of a vertex place it within one mesh diagonal.\n"
        "With --max-error, key bytes are 32 for each key of the file; packed bytes are those of the clip in a set\n"
        "of vkskin_pack.h, without the skeleton.\n"
        "--check looks for vertices that are not finite, edges that stretch, joints that flip or mirror, and weights\n"
        "that no neighbour has, at all keys. Exit status: 0 no faults, 3 faults. Of several files it counts them.\n"
        "The last line names what kept the process that read the file from other files (landlock) and from\n"
        "other system calls (seccomp). In JSON, landlock is the version of its interface, 0 for none.\n"
        "Of several files, and of folders with all below them, it shows a line for each model. One that cannot be\n"
        "read is a line of dashes and one on standard error; the exit status is then 1.\n"
        "This verb needs no Vulkan device and ignores --device and --validate.\n",
    OPTIONS_OF(INFO_OPTIONS),
    TAKES_MODELS(65536),
    .run = run,
    .examples = {"model.gltf --json info.json", "model.gltf --check", "."},
};
