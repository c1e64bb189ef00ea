#include "session.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <strings.h>

#include <meshoptimizer.h>

#include "crash_watch.h"
#include "crowd_options.h"
#include "draw_scene.h"
#include "files.h"
#include "model_mesh.h"
#include "motion_options.h"
#include "program.h"
#include "show_options.h"
#include "system.h"
#include "tuning_file.h"

const char *const SKIN_NORMALS_NAMES[] = {[VKSKIN_NORMALS_CHEAP] = "cheap", [VKSKIN_NORMALS_EXACT] = "exact", NULL};

const char *const SKIN_WEIGHTS_NAMES[] = {
    [VKSKIN_WEIGHTS_FLOAT] = "float", [VKSKIN_WEIGHTS_UNORM16] = "16", [VKSKIN_WEIGHTS_UNORM8] = "8", NULL};

#define FORMAT_NAME(format, name) [VKSKIN_VERTEX_##format] = (name),
const char *const SKIN_FORMAT_NAMES[] = {VKSKIN_VERTEX_FORMATS(FORMAT_NAME) NULL};

VkskinVertexFormat chosenFormat(const Arguments *arguments) {
    return (VkskinVertexFormat)optionsValue(arguments, "vertex-format")->choice;
}

/* "|dqs" and "; dqs, dual quaternions": the rest of the option's value name and help. */
#define MODE_CHOICE(mode, method, encoding, name, title, help) "|" name
#define MODE_HELP(mode, method, encoding, name, title, help)   "; " name ", " help

/* The modes, then "auto". */
#define MODE_NAME(mode, method, encoding, name, title, help) name,
#define METHOD_AUTO                                          SKIN_MODE_COUNT
static const char *const METHOD_NAMES[] = {SKIN_MODES(MODE_NAME) "auto", NULL};

const Option SKIN_OPTIONS[] = {
    {"method", OPTION_CHOICE, "lbs" SKIN_MODE_OTHERS(MODE_CHOICE) "|auto",
     .help = "skinning method: lbs, linear" SKIN_MODE_OTHERS(MODE_HELP) "; auto, what the file asks for, with the "
                                                                        "systems compute and crowd, else lbs",
     .defaultValue = "auto", .choices = METHOD_NAMES},
    {"blend", OPTION_NUMBER, "W",
     .help = "for '--method blend': 0 is lbs, 1 is dqs-scaled; used for meshes without painted weights (the glTF "
             "attribute _BLEND)",
     .defaultValue = "0.5", .minimum = 0.0, .maximum = 1.0},
    {"normals", OPTION_CHOICE, "cheap|exact",
     .help = "normal transform: cheap is correct for rigid bones and uniform scale, exact for every bone",
     .defaultValue = "cheap", .choices = SKIN_NORMALS_NAMES},
    {"weights", OPTION_CHOICE, "float|16|8",
     .help = "weight format on the device: float, or unsigned integers of 16 or 8 bits", .defaultValue = "float",
     .choices = SKIN_WEIGHTS_NAMES},
    {"max-influences", OPTION_INTEGER, "N",
     .help = "maximum influences per vertex; the largest weights are kept; 0: all", .defaultValue = "0", .minimum = 0,
     .maximum = 255},
    {"morph", OPTION_SETTING, "NAME=W",
     .help = "weight of a morph target, instead of the weight in file and clip. NAME: all targets of that name, or the "
             "number of a target in each mesh; repeatable, the last weight of a target counts; 'vkskin info' lists the "
             "targets"},
    MAX_ERROR_OPTION("pose from packed clips", "1 for crowd, no packing for other systems"),
    {.group = READ_OPTIONS},
    {.name = NULL, .help = "skinning"},
};

const Option SYSTEM_OPTIONS[] = {
    {"texture-layout", OPTION_CHOICE, "two|pair",
     .help = "of texture-qt: two images with a texel per bone each, or one with two texels per bone",
     .defaultValue = "two", .choices = SKIN_TEXTURE_LAYOUT_NAMES},
    {"texture-format", OPTION_CHOICE, "float|half|snorm16",
     .help = "of texture-qt: format of the rotations; translations are half with half, else float",
     .defaultValue = "float", .choices = SKIN_TEXTURE_FORMAT_NAMES},
    {"bones-per-draw", OPTION_INTEGER, "N",
     .help = "of uniform-matrix: bones in a uniform block, by which meshes are split; default: what the device's block "
             "holds",
     .minimum = 1, .maximum = 1048576},
    {"slots", OPTION_INTEGER, "N",
     .help = "of crowd: characters of a model that are skinned in one frame; with levels of detail, those of the "
             "coarsest one, and at most so many of the others; default: all, if their vertices and palettes take at "
             "most a quarter of the largest heap and 4 GiB",
     .minimum = 1, .maximum = 16777214},
    {"vertex-format", OPTION_CHOICE, "packed|float|snorm10",
     .help = "of compute and crowd: skinned normals and tangents. packed: octahedral, 4 bytes each; float: 12 and 16 "
             "bytes; snorm10: "
             "10 bits per component",
     .defaultValue = "packed", .choices = SKIN_FORMAT_NAMES},
    {.name = NULL, .help = "skinning systems"},
};

const char *const TINT_NAMES[] = {
    [POPULATION_TINT_AUTO] = "auto", [POPULATION_TINT_ON] = "on", [POPULATION_TINT_OFF] = "off", NULL};

const char *const PICTURE_ENDINGS[] = {".png", NULL};
const char *const ANIMATED_ENDINGS[] = {".png", ANIMATED_ENDING, NULL};

/* ---- Options ---- */

#define SHEET_SIDE_MAX 16384 /* pixels, as of a picture */

static bool checkSheet(const Session *session, EngineError *error) {
    const OptionValue *sheet = optionsValue(session->arguments, "sheet");
    const OptionValue *size = optionsValue(session->arguments, "size");
    const uint64_t width = (uint64_t)sheet->width * size->width, height = (uint64_t)sheet->height * size->height;
    if (sheet->given && optionsValue(session->arguments, "sequence")->given) {
        return engineFail(error, "--sheet and --sequence are two ways to show many moments; give one");
    }
    return !sheet->given || (width <= SHEET_SIDE_MAX && height <= SHEET_SIDE_MAX) ||
           engineFail(error, "the sheet would have %llux%llu pixels; at most %d a side are possible, see --size",
                      (unsigned long long)width, (unsigned long long)height, SHEET_SIDE_MAX);
}

/* Options that only one system has. SKIN_SYSTEM_COMPUTE: all that skin once. */
static const struct {
    const char *option;
    SkinSystem system;
} SYSTEM_OWN_OPTIONS[] = {{"texture-layout", SKIN_SYSTEM_TEXTURE_QT},
                          {"texture-format", SKIN_SYSTEM_TEXTURE_QT},
                          {"bones-per-draw", SKIN_SYSTEM_UNIFORM_MATRIX},
                          {"slots", SKIN_SYSTEM_CROWD},
                          {"lods", SKIN_SYSTEM_CROWD},
                          {"intervals", SKIN_SYSTEM_CROWD},
                          {"max-vertices", SKIN_SYSTEM_CROWD},
                          {"optional", SKIN_SYSTEM_CROWD},
                          {"vertex-format", SKIN_SYSTEM_COMPUTE},
                          {"backend", SKIN_SYSTEM_COMPUTE},
                          {"tuning", SKIN_SYSTEM_COMPUTE}};

static bool hasOwnOption(SkinSystem system, SkinSystem owner) {
    return system == owner || (owner == SKIN_SYSTEM_COMPUTE && skinSystemSkinsOnce(system));
}

/* Options that a crowd cannot follow, and why. */
static const struct {
    const char *option, *value; /* null: any value */
    const char *reason;
} NOT_IN_CROWDS[] = {
    {"blend-clip", NULL, "changes poses on the CPU"}, {"add-clip", NULL, "changes poses on the CPU"},
    {"reach", NULL, "changes poses on the CPU"},      {"look", NULL, "changes poses on the CPU"},
    {"spring", NULL, "swings poses on the CPU"},      {"machine", NULL, "chooses poses on the CPU"},
    {"collapse", NULL, "poses a fall on the CPU"},    {"clip", "none", "shows the rest pose"},
};

/* Whether the system, if it is crowd, can show what the user asks for: the options, and the models that are loaded. */
static bool crowdFits(const Session *session, EngineError *reason) {
    if (session->skin.system != SKIN_SYSTEM_CROWD) {
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(NOT_IN_CROWDS); i++) {
        const OptionValue *option = optionsValue(session->arguments, NOT_IN_CROWDS[i].option);
        const char *value = NOT_IN_CROWDS[i].value;
        if (option->given && (!value || strcmp(option->text, value) == 0)) {
            return engineFail(reason, "--%s%s%s %s", NOT_IN_CROWDS[i].option, value ? " " : "", value ? value : "",
                              NOT_IN_CROWDS[i].reason);
        }
    }
    for (uint32_t i = 0; i < session->modelCount; i++) {
        if (!gpuCrowdTakes(session->models[i], reason)) {
            return engineFailAt(reason, session->arguments->operands[i]);
        }
    }
    return true;
}

/* Options of crowds alone: each chooses the system as --system does. */
static const char *const CROWD_CHOICES[] = {"slots", "lods", "optional"};

static bool isSystemChosen(const Session *session) {
    bool chosen = optionsValue(session->arguments, "system")->given;
    for (size_t i = 0; i < COUNT_OF(CROWD_CHOICES); i++) {
        chosen = chosen || optionsValue(session->arguments, CROWD_CHOICES[i])->given;
    }
    return chosen;
}

static bool refuseSystem(const Session *session, const EngineError *reason, EngineError *error) {
    char without[64] = "";
    for (size_t i = 0; i < COUNT_OF(CROWD_CHOICES); i++) {
        const size_t length = strlen(without);
        if (optionsValue(session->arguments, CROWD_CHOICES[i])->given) {
            snprintf(without + length, sizeof without - length, " without --%s", CROWD_CHOICES[i]);
        }
    }
    return engineFail(error, "system 'crowd': %s; use '--system compute'%s", reason->message, without);
}

static bool readSystem(Session *session, EngineError *error) {
    const Arguments *arguments = session->arguments;
    SkinChoice *skin = &session->skin;
    const SkinMode mode = skin->mode;
    EngineError reason;
    skin->system = (SkinSystem)optionsValue(arguments, "system")->choice;
    for (size_t i = 0; i < COUNT_OF(SYSTEM_OWN_OPTIONS); i++) {
        const SkinSystem owner = SYSTEM_OWN_OPTIONS[i].system;
        if (optionsValue(arguments, SYSTEM_OWN_OPTIONS[i].option)->given && !hasOwnOption(skin->system, owner)) {
            return engineFail(error, "--%s is an option of '--system %s'; the system is '%s'",
                              SYSTEM_OWN_OPTIONS[i].option, SKIN_SYSTEM_NAMES[owner], SKIN_SYSTEM_NAMES[skin->system]);
        }
    }
    if (isSystemChosen(session) && !crowdFits(session, &reason)) {
        return refuseSystem(session, &reason, error);
    }
    skin->textureLayout = (SkinTextureLayout)optionsValue(arguments, "texture-layout")->choice;
    skin->textureFormat = (SkinTextureFormat)optionsValue(arguments, "texture-format")->choice;
    if (!crowdOptionsRead(arguments, skin, error)) {
        return false;
    }
    skin->slots = (uint32_t)optionsValue(arguments, "slots")->integer;
    skin->bonesPerDraw = (uint32_t)optionsValue(arguments, "bones-per-draw")->integer;
    if (skin->textureLayout == SKIN_TEXTURE_PAIR && skin->textureFormat == SKIN_TEXTURE_SNORM16) {
        return engineFail(error, "--texture-format snorm16 is for rotations only: it needs '--texture-layout two'");
    }
    *skin = skinChoiceComplete(skin);
    if (skin->mode != mode && optionsValue(arguments, "method")->given && mode != SKIN_MODE_LBS) {
        return engineFail(error, "system '%s' with '--texture-format %s' has the method '%s', not '%s'",
                          SKIN_SYSTEM_NAMES[skin->system], SKIN_TEXTURE_FORMAT_NAMES[skin->textureFormat],
                          SKIN_MODE_NAMES[skin->mode], SKIN_MODE_NAMES[mode]);
    }
    return systemCheckChoice(skin, error);
}

static bool isMethodAuto(const Arguments *arguments) {
    return optionsValue(arguments, "method")->choice == METHOD_AUTO;
}

static bool readOptions(Session *session, EngineError *error) {
    const Arguments *arguments = session->arguments;
    session->skin = (SkinChoice){
        .mode = isMethodAuto(arguments) ? SKIN_MODE_LBS : (SkinMode)optionsValue(arguments, "method")->choice,
        .normals = (VkskinNormals)optionsValue(arguments, "normals")->choice,
        .weights = (VkskinWeightFormat)optionsValue(arguments, "weights")->choice,
        .maxInfluences = (uint32_t)optionsValue(arguments, "max-influences")->integer,
        .blend = (float)optionsValue(arguments, "blend")->number,
        .morphs = session->morphs,
        .morphCount = arguments->settingCount,
        .backend = (VkskinBackend)optionsValue(arguments, "backend")->choice,
        .maxError = optionsValue(arguments, "max-error")->number,
    };
    for (uint32_t i = 0; i < arguments->settingCount; i++) {
        session->morphs[i] = (MorphSetting){arguments->settings[i].name, (float)arguments->settings[i].number};
    }
    if (optionsValue(arguments, "blend")->given && session->skin.mode != SKIN_MODE_BLEND) {
        return engineFail(error, "--blend needs '--method blend'; the method is '%s'",
                          METHOD_NAMES[optionsValue(arguments, "method")->choice]);
    }
    if (!motionOptionsRead(arguments, &session->motion, error)) {
        return false;
    }
    if (optionsValue(arguments, "tuning")->given && session->skin.backend == VKSKIN_BACKEND_CPU) {
        return engineFail(error, "--tuning sets the kernels of '--backend compute'; the backend is '%s'",
                          SKIN_BACKEND_NAMES[session->skin.backend]);
    }
    if (optionsValue(arguments, "sequence")->given && !optionsValue(arguments, "output")->given) {
        return engineFail(error, "--sequence needs the name of its files: -o FILE");
    }
    return checkSheet(session, error) && readSystem(session, error);
}

int sessionRead(Session *session, const Arguments *arguments) {
    EngineError error;
    *session = (Session){.verb = arguments->verb->name, .arguments = arguments};
    if (readOptions(session, &error)) {
        return EXIT_GOOD;
    }
    sayFailure(session->verb, "%s", error.message);
    return EXIT_USAGE;
}

/* ---- Models ---- */

uint32_t sessionFirstNamed(const Session *session, uint32_t index) {
    const Arguments *arguments = session->arguments;
    uint32_t i = 0;
    while (strcmp(arguments->operands[i], arguments->operands[index]) != 0) {
        i++;
    }
    return i;
}

/* Triangles that share vertices follow each other, so that a device shades fewer vertices twice. */
static void orderTriangles(Model *model) {
    for (uint32_t i = 0; i < model->meshCount; i++) {
        ModelMesh *mesh = &model->meshes[i];
        meshopt_optimizeVertexCache(mesh->indices, mesh->indices, mesh->indexCount, mesh->vertexCount);
    }
}

/* For models that are drawn many times. */
static bool optimise(Model *model, EngineError *error) {
    if (!modelSortVertices(model, error)) {
        return false;
    }
    orderTriangles(model);
    return true;
}

Model *sessionLoadModel(const Session *session, const char *path, LoadOrder order, EngineError *error) {
    Model *model = modelLoad(session->arguments, path, MODEL_WITH_MESHES, NULL, error);
    if (model &&
        !(order == LOAD_OPTIMISED ? optimise(model, error) && modelLoadLods(session->arguments, model, path, error)
                                  : modelLoadLevel(session->arguments, model, path, error))) {
        modelFree(model);
        return NULL;
    }
    return model;
}

/* The method that the files ask for, unless the user chose one: else says what they ask for. */
static void applyMethod(Session *session) {
    const bool automatic = isMethodAuto(session->arguments) && skinSystemSkinsOnce(session->skin.system);
    const SkinMode asked = skinModeAsked(session->models, session->modelCount);
    if (optionsValue(session->arguments, "method")->given && !automatic) {
        return;
    }
    if (automatic) {
        session->skin.mode = asked;
        session->skin.blend = asked == SKIN_MODE_BLEND ? 0.0f : session->skin.blend;
    } else if (asked != SKIN_MODE_LBS) {
        sayWarning(session->verb, "%s: the file asks for the method '%s'; the method is '%s'",
                   session->arguments->operands[0], SKIN_MODE_NAMES[asked], SKIN_MODE_NAMES[session->skin.mode]);
    }
}

bool sessionLoad(Session *session, LoadOrder order, EngineError *error) {
    for (uint32_t i = 0; i < session->arguments->operandCount; i++) {
        const char *path = session->arguments->operands[i];
        uint32_t first = sessionFirstNamed(session, i);
        session->models[i] = session->models[first];
        session->modelCount++;
        if (first == i) {
            session->models[i] = sessionLoadModel(session, path, order, error);
            if (!session->models[i]) {
                return false;
            }
        }
    }
    applyMethod(session);
    const bool read = showOptionsRead(session->arguments, session->models, &session->shows, &session->paint, error);
    session->skin.motion = (session->shows & DRAW_SHOW_MOTION) != 0;
    return read && sessionCheckMorphs(session, error) &&
           crowdOptionsCheck(&session->skin, session->models, session->modelCount, error);
}

static void freeModels(Session *session) {
    for (uint32_t i = 0; i < session->modelCount; i++) {
        if (sessionFirstNamed(session, i) == i) {
            modelFree((Model *)session->models[i]);
        }
    }
}

static bool isWholeNumber(const char *text) {
    const char *digits = text + (text[0] == '-');
    return digits[0] != '\0' && digits[strspn(digits, "0123456789")] == '\0';
}

/* No clip of that name: suggests near ones. */
static bool failName(const Model *model, const char *path, const char *wanted, EngineError *error) {
    const Names names = NAMES_OF(model->clips, model->clipCount);
    char hint[NAME_HINT_SIZE];
    nameHint(hint, &names, wanted, "'vkskin info' lists them");
    return engineFail(error, "%s: no clip '%s'; %s", path, wanted, hint);
}

bool findClip(const Model *model, const char *path, const char *wanted, uint32_t *clip, EngineError *error) {
    if (!wanted || strcmp(wanted, "none") == 0) {
        *clip = !wanted && model->clipCount > 0 ? 0 : REST_POSE;
        return true;
    }
    if (model->clipCount == 0) {
        return engineFail(error, "%s: no clip '%s': the model has no clips", path, wanted);
    }
    *clip = modelClipNamed(model, wanted);
    if (*clip < model->clipCount) {
        return true;
    }
    if (isWholeNumber(wanted)) {
        return engineFail(error, "%s: no clip %s; the model has %u, numbered from 0", path, wanted, model->clipCount);
    }
    return failName(model, path, wanted, error);
}

bool sessionChooseClips(Session *session, EngineError *error) {
    const char *wanted = optionsValue(session->arguments, "clip")->text;
    session->clipsChosen = true;
    for (uint32_t i = 0; i < session->modelCount; i++) {
        if (!findClip(session->models[i], session->arguments->operands[i], wanted, &session->clips[i], error)) {
            return false;
        }
    }
    return true;
}

/* ---- The device ---- */

static void printMessage(void *user, const char *message) {
    Session *session = user;
    if (session->progress) {
        progressErase(session->progress);
    }
    session->messages++;
    fprintf(stderr, "vkskin%s%s: validation: %s\n", verbJoint(session->verb), session->verb, message);
}

/* What may help where the driver fails; the end of a line. */
static const char *driverAdvice(const Session *session) {
    const OptionValue *backend = optionsValue(session->arguments, "backend"); /* has a default, where a verb has it */
    return backend->text && backend->choice != VKSKIN_BACKEND_CPU
               ? "try another --device ('vkskin devices' lists them) or --backend cpu"
               : "try another --device ('vkskin devices' lists them)";
}

/* what: names the driver. */
static void watchDriver(const Session *session, const char *what) {
    char line[CRASH_WATCH_SIZE];
    snprintf(line, sizeof line, "vkskin%s%s: %s crashed in its first work; %s", verbJoint(session->verb), session->verb,
             what, driverAdvice(session));
    crashWatchBegin(line);
}

bool sessionOpenDevice(Session *session, const DeviceOptions *base, EngineError *error) {
    DeviceOptions options = base ? *base : (DeviceOptions){0};
    options.select = optionsValue(session->arguments, "device")->text;
    options.validation = optionsValue(session->arguments, "validate")->given;
    options.onMessage = printMessage;
    options.user = session;
    if (options.validation) {
        /* The layer checks hazards between submissions only with this setting. A setting of the user is kept. */
        setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
    }
    watchDriver(session, "the Vulkan driver");
    session->device = deviceCreate(&options, error);
    if (session->device) {
        char what[DEVICE_NAME_SIZE + 32];
        snprintf(what, sizeof what, "the driver of '%s'", session->device->info.name);
        utf8Mend(what);
        watchDriver(session, what);
    }
    return session->device != NULL;
}

/* Those of the library that neither a check nor an earlier scene has reported. */
static void sayWarnings(Session *session) {
    const Skinning *skinning = session->scene->skinning;
    for (uint32_t i = 1; i < SKINNING_WARNINGS_MAX; i++) {
        const VkskinResult warning = (VkskinResult)i;
        if (skinning->warnings[i][0] == '\0' || (session->said & 1u << i) != 0) {
            continue;
        }
        session->said |= 1u << i;
        switch (warning) {
        case VKSKIN_WARNING_WEIGHTS_NORMALISED: /* sessionCheckWeights */
        case VKSKIN_WARNING_INFLUENCES_TRIMMED:
        case VKSKIN_WARNING_PIPELINE_MISSING: /* the scene makes the kernels of a replaced mesh next */
            break;
        case VKSKIN_WARNING_NORMALS_CHEAP:
            sayWarning(session->verb,
                       "%s: %s: bones have non-uniform scale or shear; '--normals exact' is correct for them",
                       session->arguments->operands[0], vkskinResultName(warning));
            break;
        case VKSKIN_WARNING_SCALE_LOST:
            if (session->scaleLost) {
                break;
            }
            /* fall through */
        default:
            sayWarning(session->verb, "%s%s%s (%s)", session->modelCount == 1 ? session->arguments->operands[0] : "",
                       session->modelCount == 1 ? ": " : "", skinning->warnings[i], vkskinResultName(warning));
        }
    }
}

void sessionEndScene(Session *session, bool good) {
    if (good && session->scene) {
        sayWarnings(session);
    }
    sceneDestroy(session->scene);
    session->scene = NULL;
}

int sessionEnd(Session *session, bool good, const EngineError *error) {
    const bool lost = !good && strstr(error->message, "ERROR_DEVICE_LOST");
    const char *why =
        session->fallback.unsupported ? session->fallback.message : ""; /* why the library refused the crowd */
    int status = good     ? EXIT_GOOD
                 : lost   ? sayFailure(session->verb, "%s; %s", error->message, driverAdvice(session))
                 : why[0] ? sayFailure(session->verb, "%s (compute instead of crowd: %s)", error->message, why)
                          : sayFailure(session->verb, "%s", error->message);
    sessionEndScene(session, good);
    crashWatchEnd();
    deviceDestroy(session->device);
    freeModels(session);
    return session->messages > 0 ? EXIT_FAILED : status;
}

int sessionRun(const Arguments *arguments, bool (*work)(Session *session, EngineError *error)) {
    Session session;
    EngineError error;
    int status = sessionRead(&session, arguments);
    return status == EXIT_GOOD ? sessionEnd(&session, work(&session, &error), &error) : status;
}

void sessionBeginProgress(Session *session, Progress *progress, const char *what, uint64_t total) {
    progressBegin(progress, what, total);
    session->progress = progress;
}

void sessionEndProgress(Session *session) {
    progressErase(session->progress);
    session->progress = NULL;
}

/* ---- Tuning ---- */

static void showRuns(void *user, uint32_t runs) {
    progressShow(user, runs);
}

static bool tuneAndWrite(Session *session, const char *path, VkskinTuning *tuning, EngineError *error) {
    Progress progress;
    if (!atomicFileCheck(path, true, error)) { /* useTuning has seen that it may be replaced */
        return false;
    }
    sessionBeginProgress(session, &progress, "tuning", 0);
    bool tuned = tuneDevice(session->device, showRuns, &progress, tuning, error);
    sessionEndProgress(session);
    return tuned && tuningFileWrite(path, tuning, error);
}

/*
 * Applies --tuning. *chosen becomes `tuning`, or null: not given, or the CPU backend runs (a line says so). If the file
 * cannot be used, a line says so and the file is written again.
 */
static bool useTuning(Session *session, VkskinTuning *tuning, const VkskinTuning **chosen, EngineError *error) {
    const OptionValue *value = optionsValue(session->arguments, "tuning");
    const char *path = value->text;
    TuningFileState state;
    bool fits = false;
    *chosen = NULL;
    if (!value->given) {
        return true;
    }
    if (skinningBackend(session->device, session->skin.backend) == VKSKIN_BACKEND_CPU) {
        sayWarning(session->verb, "%s: not used: this device is a CPU, so the CPU backend skins without kernels", path);
        return true;
    }
    if (!tuningFileRead(path, tuning, &state, error) ||
        (state == TUNING_FILE_GOOD && !tuneFits(session->device, tuning, &fits, error))) {
        return false;
    }
    if (state == TUNING_FILE_FOREIGN && !optionsValue(session->arguments, "force")->given) {
        return engineFail(error, "%.300s: no tuning file; name another file, or add --force to replace it", path);
    }
    *chosen = tuning;
    if (fits) {
        return true;
    }
    if (state == TUNING_FILE_FOREIGN) {
        sayWarning(session->verb, "%s: not a tuning file: replaced", path);
    } else if (state == TUNING_FILE_DAMAGED) {
        sayWarning(session->verb, "%s: damaged: tuning again", path);
    } else if (state == TUNING_FILE_GOOD) {
        sayWarning(session->verb, "%s: from another device, driver or version, or out of range (%s): tuning again",
                   path, vkskinResultName(VKSKIN_ERROR_TUNING_MISMATCH));
    }
    return tuneAndWrite(session, path, tuning, error);
}

/* ---- The scene ---- */

static bool showCentres(void *user, float done) {
    progressShow(user, (uint64_t)(done * 100.0f));
    return true;
}

bool sessionMakeScene(Session *session, const SceneDef *def, EngineError *error) {
    VkskinTuning tuning;
    Progress progress;
    SceneDef complete = *def;
    complete.models = session->models;
    complete.modelCount = session->modelCount;
    complete.clips = session->clipsChosen ? session->clips : NULL;
    if (!isSystemChosen(session) && !crowdFits(session, &session->fallback)) {
        session->skin.system = SKIN_SYSTEM_COMPUTE;
    }
    complete.skin = session->skin;
    complete.motion = &session->motion;
    complete.tint = (PopulationTint)optionsValue(session->arguments, "tint")->choice; /* auto for verbs without it */
    complete.progress = showCentres;
    complete.progressUser = &progress;
    for (uint32_t i = 0; i < session->modelCount; i++) {
        if (!sessionCheckSystem(session, session->models[i], session->arguments->operands[i],
                                def->count ? def->count : 1, error)) {
            return false;
        }
    }
    if (!useTuning(session, &tuning, &complete.tuning, error)) {
        return false;
    }
    sessionBeginProgress(session, &progress, "centres of rotation", 100);
    session->scene = sceneCreate(session->device, &complete, error);
    sessionEndProgress(session);
    return session->scene && (session->isRepeated || sessionCheckWeights(session, error));
}

bool sessionFallBack(Session *session, const EngineError *error) {
    if (isSystemChosen(session) || session->skin.system != SKIN_SYSTEM_CROWD || !error->unsupported) {
        return false;
    }
    session->fallback = *error;
    session->skin.system = SKIN_SYSTEM_COMPUTE;
    session->isRepeated |= session->scene != NULL;
    sceneDestroy(session->scene);
    session->scene = NULL;
    return true;
}

void sessionSetTimes(const Session *session) {
    const OptionValue *time = optionsValue(session->arguments, "time");
    Population *population = session->scene->population;
    for (uint32_t i = 0; i < population->characterCount && time->given; i++) {
        population->characters[i].time = time->number;
    }
}
