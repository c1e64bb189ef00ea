/*
 * verb_view.c: vkskin view MODEL...: characters in a window, with hot reload of shaders and models.
 */
#include <stdlib.h>
#include <string.h>

#include "spine_verbs.h"
#include "model_reload.h"
#include "motion_options.h"
#include "outputs.h"
#include "verbs.h"
#include "viewer.h"

#define LABEL_SIZE 128

static const Option VIEW_OPTIONS[] = {
    {"count", OPTION_INTEGER, "N", .help = "characters; the models alternate; default: one of each", .minimum = 1,
     .maximum = 1000000},
    SYSTEM_OPTION("compute"),
    {.group = SYSTEM_OPTIONS},
    {.group = SKIN_OPTIONS},
    {.group = MOTION_OPTIONS},
    {.group = MACHINE_OPTIONS},
    CLIP_OPTION("the first clip to play", "; default: the first for a single character, random for more"),
    {"frames", OPTION_INTEGER, "N", .help = "number of frames to show; default: until Esc", .minimum = 1,
     .maximum = 9007199254740991.0},
    SEED_OPTION,
    TINT_OPTION,
    SIZE_OPTION("width and height of the window in pixels"),
    SKIN_NAME_OPTION,
    SPINE_SHOW_OPTION,
    {"paused", OPTION_FLAG, .help = "start paused"},
    {"shaders", OPTION_TEXT, "DIR",
     .help = "take the shaders from DIR/raster, their includes from there or DIR; without it those that were built in, "
             "until a file of the source tree changes"},
    {"output", OPTION_OUTPUT, "FILE.png", .help = "the picture to write: the last one of the window; default: none",
     .choices = PICTURE_ENDINGS, .letter = 'o'},
    TUNING_OPTION,
    FORCE_OPTION,
};

static void makeLabel(char *label, const Arguments *arguments, uint32_t count) {
    const char *slash = strrchr(arguments->operands[0], '/');
    const char *name = slash ? slash + 1 : arguments->operands[0];
    if (arguments->operandCount > 1) {
        snprintf(label, LABEL_SIZE, "%u models, %u characters", arguments->operandCount, count);
    } else if (count > 1) {
        snprintf(label, LABEL_SIZE, "%.90s, %u characters", name, count);
    } else {
        snprintf(label, LABEL_SIZE, "%.90s", name);
    }
}

/* ---- The scene ---- */

/* The key m also cycles through these methods: they look different and need no slow preparation. */
#define OTHER_MODES (1u << SKIN_MODE_LBS | 1u << SKIN_MODE_DQS | 1u << SKIN_MODE_DQS_SCALED)

static bool makeScene(Session *session, EngineError *error) {
    const OptionValue *count = optionsValue(session->arguments, "count");
    uint32_t members = count->given ? (uint32_t)count->integer : session->modelCount;
    const SceneDef def = {
        .count = members,
        .seed = (uint64_t)optionsValue(session->arguments, "seed")->integer,
        .placement = members == 1 ? CROWD_ORIGIN : CROWD_FIELD,
        .otherModes = OTHER_MODES,
        .wrap = VKSKIN_WRAP_LOOP,
        .format = chosenFormat(session->arguments),
    };
    bool chosen = members == 1 || optionsValue(session->arguments, "clip")->given;
    return (!chosen || sessionChooseClips(session, error)) && sessionMakeScene(session, &def, error);
}

/* Null without an error: the source tree of the build does not exist, so there is nothing to watch. */
static bool watchShaders(const Arguments *arguments, HotReload **reload, EngineError *error) {
    const OptionValue *folder = optionsValue(arguments, "shaders");
    uint32_t count;
    const ShaderCode *shaders = rasterShaders(&count);
    const char **names = calloc(count, sizeof *names);
    EngineError unread;
    if (!names) {
        return engineFail(error, "out of memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        names[i] = shaders[i].name;
    }
    *reload = hotReloadCreate(folder->given ? folder->text : hotReloadSourceFolder(), names, count, folder->given,
                              folder->given ? error : &unread);
    free(names);
    return *reload || !folder->given;
}

/* ---- The run ---- */

static bool runViewer(const Session *session, Window *window, ModelReload *models, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const char *output = optionsValue(arguments, "output")->text;
    char label[LABEL_SIZE];
    HotReload *reload = NULL;
    Picture picture = {0};
    makeLabel(label, arguments, session->scene->crowd->memberCount);
    bool good = watchShaders(arguments, &reload, error);
    const ViewerDef def = {
        .window = window,
        .scene = session->scene,
        .label = label,
        .frames = (uint64_t)optionsValue(arguments, "frames")->integer,
        .paused = optionsValue(arguments, "paused")->given,
        .capture = output != NULL,
        .reload = reload,
        .models = modelReloadPoll,
        .modelsUser = models,
    };
    good = good && viewerRun(&def, &picture, error) && (!output || outputPictureWrite(&picture, output, error));
    pictureFree(&picture);
    hotReloadDestroy(reload);
    return good;
}

static bool openWindowDevice(Session *session, EngineError *error) {
    static const char *const deviceExtensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    DeviceOptions options = {
        .deviceExtensions = deviceExtensions, .deviceExtensionCount = 1, .presents = windowPresents};
    options.instanceExtensions = windowInstanceExtensions(&options.instanceExtensionCount, error);
    return options.instanceExtensions && sessionOpenDevice(session, &options, error);
}

static bool showModels(Session *session, Window *window, ModelReload *models, EngineError *error) {
    return makeScene(session, error) && sessionCheckScale(session, NULL, error) &&
           runViewer(session, window, models, error);
}

static int runView(const Arguments *arguments) {
    const OptionValue *size = optionsValue(arguments, "size");
    const bool spine = importIsSpine(arguments->operands[0]);
    FileWatch watch;
    Window *window = NULL;
    Session session;
    ModelReload models;
    EngineError error;
    int status = spine || spineRefuseOptions(arguments) ? sessionRead(&session, arguments) : EXIT_FAILED;
    if (status != EXIT_GOOD) {
        return status;
    }
    modelReloadBegin(&models, &session);
    bool good = spine ? spineViewLoad(&session, &watch, &error) : sessionLoad(&session, LOAD_OPTIMISED, &error);
    if (good) {
        window = windowCreate(size->width, size->height, "vkskin", &error);
        good = window && openWindowDevice(&session, &error) &&
               (spine ? spineViewRun(&session, window, &watch, &error) : showModels(&session, window, &models, &error));
    }
    status = sessionEnd(&session, good, &error);
    windowDestroy(window);
    return status;
}

const Verb verbView = {
    .name = "view",
    .summary = "shows characters in a window",
    .usage = "MODEL... [--count N] [options]",
    .details = "Left drag orbits, the wheel zooms, right or middle drag pans. Space pauses, . steps, + and - change\n"
               "the speed; left and right or [ and ] change the clip, m the method, b the weight of a second clip; n\n"
               "switches the additive clip, k reach and look; r resets the camera, h prints the keys, Esc ends. If a\n"
               "file of shaders/raster changes, it is compiled again and used at once. An error is printed with file\n"
               "and line, and the former shader stays. If the file of a model changes, it is read again within a\n"
               "second or two. One that cannot be read, or that has other meshes or morph targets, is reported, and\n"
               "the old model stays. A file beside it (.bin, pictures, --clips) is not watched.\n"
               "\n"
               "A 2D character is shown alone: left drag pans too, and pulls the target of an IK constraint that it\n"
               "begins on. s changes the skin, m, w, j and t switch mesh, wireframe, joints and targets, k puts the\n"
               "targets back. A new clip fades in. docs/2d.md has all keys. Its shaders are not watched.\n",
    .options = VIEW_OPTIONS,
    .optionCount = COUNT_OF(VIEW_OPTIONS),
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = SESSION_MODELS_MAX,
    .takesDevice = true,
    .run = runView,
    .examples = {"model.gltf", "model.gltf other.gltf --count 20 --size 640x480 -o last.png"},
    .operandHelp = MODEL_HELP,
};
