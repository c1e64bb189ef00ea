/*
 * verb_view.c: vkskin view MODEL...: characters in a window, with hot reload of shaders.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checks.h"
#include "load.h"
#include "outputs.h"
#include "pipelines.h"
#include "setup.h"
#include "skin_options.h"
#include "terminal.h"
#include "verbs.h"
#include "viewer.h"

enum {
    VIEW_COUNT,
    VIEW_SKIN,
    VIEW_CLIP = VIEW_SKIN + SKIN_OPTION_COUNT,
    VIEW_FRAMES,
    VIEW_SEED,
    VIEW_SIZE,
    VIEW_PAUSED,
    VIEW_SHADERS,
    VIEW_SCREENSHOT,
    VIEW_TUNING,
    VIEW_OPTION_COUNT
};

#define MODELS_MAX 64
#define LABEL_SIZE 128

static const Option VIEW_OPTIONS[VIEW_OPTION_COUNT] = {
    [VIEW_COUNT] = {.name = "count",
                    .kind = OPTION_INTEGER,
                    .valueName = "N",
                    .minimum = 1,
                    .maximum = 1000000,
                    .help = "characters; the models alternate; default: one of each"},
    SKIN_OPTIONS(VIEW_SKIN),
    [VIEW_CLIP] = {.name = "clip",
                   .kind = OPTION_TEXT,
                   .valueName = "N|NAME",
                   .help = "the first clip to play; default: the first for a single character, random for more"},
    [VIEW_FRAMES] = {.name = "frames",
                     .kind = OPTION_INTEGER,
                     .valueName = "N",
                     .minimum = 1,
                     .maximum = 9007199254740991.0,
                     .help = "number of frames to show; default: until Esc"},
    [VIEW_SEED] = {.name = "seed",
                   .kind = OPTION_INTEGER,
                   .valueName = "N",
                   .defaultValue = "1",
                   .minimum = 0,
                   .maximum = 9007199254740991.0,
                   .help = "random seed for positions, clips and start times"},
    [VIEW_SIZE] = PICTURE_SIZE_OPTION("width and height of the window in pixels"),
    [VIEW_PAUSED] = {.name = "paused", .kind = OPTION_FLAG, .help = "start paused"},
    [VIEW_SHADERS] = {.name = "shaders",
                      .kind = OPTION_TEXT,
                      .valueName = "DIR",
                      .help = "take the shaders from DIR/raster, their includes from there or DIR; without it those "
                              "that were built in, until a file of the source tree changes"},
    [VIEW_SCREENSHOT] = {.name = "screenshot",
                         .kind = OPTION_TEXT,
                         .valueName = "FILE.png",
                         .help = "write the last picture of the window"},
    [VIEW_TUNING] = TUNING_OPTION,
};

/* ---- Messages ---- */

/* Prints lines and replaces control characters in them. */
static void printLines(FILE *file, const char *text) {
    while (*text) {
        char line[1024];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), text);
        sayClean(file, line);
        fputc('\n', file);
        text += length + (text[length] == '\n');
    }
    fflush(file); /* a reader of a pipe must not wait until the window closes */
}

static void tellLine(void *user, ViewerLine kind, const char *text) {
    (void)user;
    printLines(kind == VIEWER_LINE_SHADER ? stderr : stdout, text);
}

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

static uint32_t memberCount(const Arguments *arguments) {
    const OptionValue *count = &arguments->values[VIEW_COUNT];
    return count->given ? (uint32_t)count->integer : arguments->operandCount;
}

/* The key m also cycles through these methods: they look different and need no slow preparation. */
#define OTHER_MODES (1u << SKIN_MODE_LBS | 1u << SKIN_MODE_DQS | 1u << SKIN_MODE_DQS_SCALED)

static Scene *createScene(OpenDevice *open, const LoadedModels *loaded, const SkinChoice *skin,
                          const Arguments *arguments, EngineError *error) {
    const OptionValue *values = arguments->values;
    uint32_t count = memberCount(arguments);
    VkskinTuning tuning;
    SceneDef def = {
        .models = loaded->models,
        .modelCount = loaded->count,
        .count = count,
        .seed = (uint64_t)values[VIEW_SEED].integer,
        .placement = count == 1 ? CROWD_ORIGIN : CROWD_FIELD,
        .skin = *skin,
        .otherModes = OTHER_MODES,
        .wrap = VKSKIN_WRAP_LOOP,
        .format = VKSKIN_VERTEX_PACKED,
    };
    bool good = useTuning(open, &values[VIEW_TUNING], skin->backend, &tuning, &def.tuning, error);
    return good ? makeScene(open, &def, error) : NULL;
}

/* A crowd keeps its random clips unless the user names one. */
static bool chooseClips(Scene *scene, const LoadedModels *loaded, const Arguments *arguments, EngineError *error) {
    const char *wanted = arguments->values[VIEW_CLIP].text;
    Crowd *crowd = scene->crowd;
    if (!wanted && crowd->memberCount > 1) {
        return true;
    }
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        CrowdMember *member = &crowd->members[i];
        uint32_t character = member->character;
        if (!loadFindClip(loaded->models[character].model, arguments->operands[character], wanted, &member->clip,
                          error)) {
            return false;
        }
    }
    return true;
}

/* Null without an error: the source tree of the build does not exist, so there is nothing to watch. */
static bool watchShaders(const Arguments *arguments, HotReload **reload, EngineError *error) {
    const OptionValue *folder = &arguments->values[VIEW_SHADERS];
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

static bool runViewer(Window *window, Scene *scene, const Arguments *arguments, EngineError *error) {
    const OptionValue *values = arguments->values;
    const char *screenshot = values[VIEW_SCREENSHOT].text;
    char label[LABEL_SIZE];
    HotReload *reload = NULL;
    Picture picture = {0};
    makeLabel(label, arguments, scene->crowd->memberCount);
    ViewerDef def = {
        .window = window,
        .scene = scene,
        .label = label,
        .frames = (uint64_t)values[VIEW_FRAMES].integer,
        .paused = values[VIEW_PAUSED].given,
        .capture = screenshot != NULL,
        .say = tellLine,
    };
    bool good = watchShaders(arguments, &reload, error);
    def.reload = reload;
    good = good && viewerRun(&def, &picture, error) && (!screenshot || outputPictureWrite(&picture, screenshot, error));
    pictureFree(&picture);
    hotReloadDestroy(reload);
    return good;
}

static bool openWindowDevice(const Arguments *arguments, OpenDevice *open, EngineError *error) {
    static const char *const deviceExtensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    DeviceOptions options = {
        .deviceExtensions = deviceExtensions, .deviceExtensionCount = 1, .presents = windowPresents};
    options.instanceExtensions = windowInstanceExtensions(&options.instanceExtensionCount, error);
    return options.instanceExtensions && openDevice(verbView.name, arguments, &options, open, error);
}

static int runView(const Arguments *arguments) {
    const OptionValue *values = arguments->values;
    LoadedModels loaded = {0};
    OpenDevice open = {0};
    Window *window = NULL;
    Scene *scene = NULL;
    EngineError error;
    const char *screenshot = values[VIEW_SCREENSHOT].text;
    SkinOptions skin;
    int status = skinOptionsRead(verbView.name, arguments, VIEW_SKIN, &skin);
    if (status == EXIT_GOOD && screenshot) {
        status = outputPictureCheck(verbView.name, "--screenshot", screenshot);
    }
    if (status == EXIT_GOOD) {
        status = tuningOptionCheck(verbView.name, &values[VIEW_TUNING], skin.choice.backend);
    }
    if (status == EXIT_GOOD) {
        const OutputName outputs[] = {{"--screenshot", screenshot}, {"--tuning", values[VIEW_TUNING].text}};
        status = outputsCheckApart(arguments, verbView.name, outputs, 2);
    }
    if (status != EXIT_GOOD) {
        return status;
    }
    bool good = loadModels(arguments->operands, arguments->operandCount, LOAD_SORTED, &loaded, &error) &&
                skinOptionsCheckMorphs(&skin.choice, loaded.models, loaded.count, arguments->operands, &error);
    if (good) {
        window = windowCreate(values[VIEW_SIZE].width, values[VIEW_SIZE].height, "vkskin", &error);
        good = window && openWindowDevice(arguments, &open, &error);
    }
    if (good) {
        scene = createScene(&open, &loaded, &skin.choice, arguments, &error);
        good = scene && chooseClips(scene, &loaded, arguments, &error) &&
               weightCheckScene(verbView.name, scene, arguments->operands, &error) &&
               scaleCheckScene(verbView.name, scene, arguments->operands, &error) &&
               runViewer(window, scene, arguments, &error);
    }
    if (!good) {
        status = sayFailure(verbView.name, "%s", error.message);
    }
    sceneDestroy(scene);
    status = closeDevice(&open, status);
    windowDestroy(window);
    loadedModelsFree(&loaded);
    return status;
}

const Verb verbView = {
    .name = "view",
    .summary = "shows characters in a window",
    .usage = "MODEL... [--count N] [options]",
    .details = "Left drag orbits, the wheel zooms, right or middle drag pans. Space pauses; left and right or [ and ]\n"
               "change the clip, m the method; r resets the camera, h prints the keys, Esc ends. If a file of\n"
               "shaders/raster changes, it is compiled again and used at once. An error is printed with file and\n"
               "line, and the former shader stays.\n",
    .options = VIEW_OPTIONS,
    .optionCount = VIEW_OPTION_COUNT,
    .operandName = "MODEL",
    .operandsMin = 1,
    .operandsMax = MODELS_MAX,
    .takesDevice = true,
    .run = runView,
    .operandHelp = LOAD_MODEL_HELP,
};
