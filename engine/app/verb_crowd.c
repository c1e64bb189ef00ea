/*
 * verb_crowd.c: vkskin crowd MODEL...: the main job: many characters skinned in one pass, drawn and measured.
 */
#include "spine_verbs.h"
#include "motion_options.h"
#include "outputs.h"
#include "pictures.h"
#include "report.h"
#include "verbs.h"

#define WARMUP_FRAMES 3

/* The camera that shows the whole crowd. */
#define VIEW_YAW   0.55f
#define VIEW_PITCH 0.22f

static const Option CROWD_OPTIONS[] = {
    {"count", OPTION_INTEGER, "N", .help = "characters; the models alternate", .defaultValue = "400", .minimum = 1,
     .maximum = 1000000},
    SYSTEM_OPTION("crowd"),
    {.group = SYSTEM_OPTIONS},
    {.group = SKIN_OPTIONS},
    {.group = MOTION_OPTIONS},
    {.group = MACHINE_OPTIONS},
    CLIP_OPTION("the clip of all characters", "; default: a random one that moves"),
    {"time", OPTION_NUMBER, "SECONDS", .help = "time in the clip, which loops, for all characters; default: random",
     .minimum = 0.0, .maximum = INFINITY},
    {"frames", OPTION_INTEGER, "N", .help = "measured frames, after a few warm-up frames", .defaultValue = "10",
     .minimum = 1, .maximum = 1000000},
    SEED_OPTION,
    TINT_OPTION,
    SKIN_NAME_OPTION,
    {"place", OPTION_CHOICE, "grid|street",
     .help = "of 2D characters: rows of equal cells, or a street, where those farther away are smaller and behind",
     .defaultValue = "grid", .choices = SPINE_PLACE_NAMES},
    {.group = PICTURE_OPTIONS},
    {"output", OPTION_OUTPUT, "FILE.png", .help = "the picture to write; default: none", .choices = PICTURE_ENDINGS,
     .letter = 'o'},
    JSON_OPTION,
    TUNING_OPTION,
    FORCE_OPTION,
};

static bool writeReport(const Session *session, const CrowdResult *result, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const OptionValue *size = optionsValue(arguments, "size"), *json = optionsValue(arguments, "json");
    const Report report = {
        .result = result,
        .skin = &session->skin,
        .format = session->scene->format,
        .models = arguments->operands,
        .modelCount = arguments->operandCount,
        .seed = (uint64_t)optionsValue(arguments, "seed")->integer,
        .width = size->width,
        .height = size->height,
        .picture = optionsValue(arguments, "sequence")->given ? NULL : optionsValue(arguments, "output")->text,
        .fallback = session->fallback.message,
    };
    char missing[REPORT_MISSING_SIZE];
    if (!outputJsonIsStandard(json)) {
        reportPrint(stdout, &report);
    }
    if (reportMissing(result, missing)) {
        sayWarning(session->verb, "%s", missing);
    }
    return !json->text || outputJsonWrite(reportJson(&report), json, error);
}

/* Above the front of the crowd, unless an option moves the camera. */
static DrawScene aim(const Session *session) {
    const Arguments *arguments = session->arguments;
    const Crowd *crowd = session->scene->crowd;
    DrawScene view = drawDefaultScene(crowd, pictureAspect(arguments));
    if (optionsValue(arguments, "camera")->given || optionsValue(arguments, "fit")->given) {
        view.camera = pictureCamera(arguments, &crowd->bounds, VIEW_YAW, VIEW_PITCH);
    }
    return view;
}

static bool runScene(Session *session, EngineError *error) {
    uint32_t frames = (uint32_t)optionsValue(session->arguments, "frames")->integer;
    CrowdResult result;
    return picturesRun(session, WARMUP_FRAMES, frames, false, aim(session), &result, error) &&
           writeReport(session, &result, error);
}

static bool makeScene(Session *session, EngineError *error) {
    const SceneDef def = {
        .count = (uint32_t)optionsValue(session->arguments, "count")->integer,
        .seed = (uint64_t)optionsValue(session->arguments, "seed")->integer,
        .placement = CROWD_FIELD,
        .wrap = VKSKIN_WRAP_LOOP,
        .format = chosenFormat(session->arguments),
    };
    return sessionMakeScene(session, &def, error);
}

static bool makeAndRun(Session *session, EngineError *error) {
    if (!makeScene(session, error)) {
        return false;
    }
    sessionSetTimes(session);
    return sessionCheckScale(session, NULL, error) && runScene(session, error);
}

static bool crowd(Session *session, EngineError *error) {
    bool chosen = optionsValue(session->arguments, "clip")->given;
    return sessionLoad(session, LOAD_OPTIMISED, error) && (!chosen || sessionChooseClips(session, error)) &&
           sessionOpenDevice(session, NULL, error) &&
           (makeAndRun(session, error) || (sessionFallBack(session, error) && makeAndRun(session, error)));
}

static int runCrowd(const Arguments *arguments) {
    bool spines;
    if (!spineOperands(arguments, &spines)) {
        return EXIT_FAILED;
    }
    return spines ? spineCrowd(arguments) : sessionRun(arguments, crowd);
}

const Verb verbCrowd = {
    .name = "crowd",
    .summary = "skins, draws and measures a crowd of characters",
    .usage = "MODEL... [--count N] [options] [-o FILE.png]",
    .details =
        "Each character has its own place, clip and time; clips loop. By default the system is crowd: it poses,\n"
        "culls and skins all characters in a few passes, on the device, or with '--backend cpu' on the CPU.\n"
        "--blend-clip, --add-clip, --reach, --look, --machine, '--clip none' and models without clips, with more\n"
        "than 64 parts or 16 skins need '--system compute', where the CPU poses each character. They choose it\n"
        "unless --system or --slots is given, and the table says why; so does any other model that a crowd\n"
        "refuses. If memory is short, the command fails and states what it needs.\n"
        "\n"
        "The table on standard output shows for each step the median time over the measured frames and the\n"
        "spread. It names the clock: timestamps, or the wall clock around a fence if the timestamps of the\n"
        "driver cannot be trusted.\n"
        "\n"
        "2D characters play their animations in turn, each from a time of its own. Their systems are compute, the\n"
        "default, and uniform-2d.\n",
    .options = CROWD_OPTIONS,
    .optionCount = COUNT_OF(CROWD_OPTIONS),
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = SESSION_MODELS_MAX,
    .takesDevice = true,
    .run = runCrowd,
    .examples = {"model.gltf --count 200 -o crowd.png",
                 "model.gltf other.gltf --clip 0 --time 0.5 --camera 30,20 --json crowd.json",
                 "hero.json --count 60 --frames 3 --place street -o street.png"},
    .operandHelp = MODEL_HELP,
};
