#include "model_load.h"

#include <stdlib.h>
#include <string.h>

#include "builtin_model.h"
#include "model_clips.h"
#include "model_levels.h"
#include "model_lods.h"
#include "model_mesh.h"
#include "model_unpack.h"
#include "program.h"
#include "spool.h"
#include "terminal.h"

static const char *const SANDBOX_NAMES[] = {"on", "off", NULL};
static const char *const UP_NAMES[] = {[MODEL_UP_Y] = "y", [MODEL_UP_Z] = "z", NULL};

static const char *const FORMAT_NAMES[] = {"x", "fbx", "dae", "md5mesh", "md5anim", "gltf", "glb", "vkm", NULL};

const Option READ_OPTIONS[] = {
    {"format", OPTION_CHOICE, "x|fbx|dae|md5mesh|md5anim|gltf|glb|vkm",
     .help = "the format of MODEL '-', which is read from standard input", .choices = FORMAT_NAMES},
    {"clips", OPTION_FILES, "FILE",
     .help = "also use the clips of this file, which needs no mesh: they move the nodes of the same names; repeatable; "
             "they follow the clips of the model"},
    {"ticks-per-second", OPTION_NUMBER, "N",
     .help = "for clips whose file does not state it; default: 4800 for .x, 25 for others", .minimum = 1e-3,
     .maximum = 1e9},
    {"up", OPTION_CHOICE, "y|z", .help = "the axis that points up in the files; default: what each file says",
     .choices = UP_NAMES},
    {"sandbox", OPTION_CHOICE, "on|off",
     .help = "off: the process that reads the file keeps its access to files and network; to debug a reader",
     .defaultValue = "on", .choices = SANDBOX_NAMES, .content = OPTION_FOR_ALL},
    {.name = NULL, .help = "reading files"},
};

/* ---- One file ---- */

static void showReading(void *user) {
    progressShow(user, 0);
}

/* One line where the file was read without a part of the sandbox. */
static void checkSandbox(const Arguments *arguments, const ImportOptions *options) {
    const ImportSandbox *active = options->sandbox;
    if (active->notNeeded) {
        return;
    }
    if (options->sandboxOff) {
        sayWarning(arguments->verb->name, "the file was read without a sandbox");
    } else if (!active->landlock || !active->seccomp) {
        const char *missing = active->seccomp ? "landlock" : active->landlock ? "seccomp" : "landlock and seccomp";
        sayWarning(arguments->verb->name, "the file was read without %s, which this kernel does not have", missing);
    }
}

const char *modelLoadFormat(const Arguments *arguments) {
    return FORMAT_NAMES[optionsValue(arguments, "format")->choice];
}

static Model *readFile(const Arguments *arguments, const char *path, ImportSandbox *sandbox, EngineError *error);

/* A model from standard input. Messages name it '-'. */
static Model *readInput(const Arguments *arguments, ImportSandbox *sandbox, EngineError *error) {
    const OptionValue *format = optionsValue(arguments, "format");
    if (!format->given) {
        engineFail(error, "-: --format states the format of standard input");
        return NULL;
    }
    const char *path = spoolBegin(modelLoadFormat(arguments), error);
    if (!path) {
        return NULL;
    }
    Model *model = readFile(arguments, path, sandbox, error);
    const size_t length = strlen(path);
    if (!model && strncmp(error->message, path, length) == 0) {
        error->message[0] = '-';
        memmove(error->message + 1, error->message + length, strlen(error->message + length) + 1);
    }
    spoolEnd();
    return model;
}

static Model *readFile(const Arguments *arguments, const char *path, ImportSandbox *sandbox, EngineError *error) {
    Progress progress;
    ImportSandbox active = {0};
    if (builtinIsNamed(path)) {
        return builtinModel(path, error);
    }
    if (strcmp(path, "-") == 0) {
        return readInput(arguments, sandbox, error);
    }
    progressBegin(&progress, "reading the model", 0);
    ImportOptions options = {
        .sandboxOff = optionsValue(arguments, "sandbox")->choice == 1,
        .sandbox = sandbox ? sandbox : &active,
        .waiting = showReading,
        .user = &progress,
    };
    Model *model = importModel(path, &options, error);
    progressErase(&progress);
    if (model) {
        checkSandbox(arguments, &options);
    }
    if (model && !outputsSpareModel(arguments, model, path, error)) {
        modelFree(model);
        return NULL;
    }
    return model;
}

/* ---- Ticks ---- */

#define SHORT_CLIP 0.05f /* seconds */

static void changeTicks(ModelClip *clip, double ticks) {
    double factor = (double)clip->assumedTicks / ticks;
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        float *times = (float *)clip->tracks[t].times; /* the model owns them */
        for (uint32_t k = 0; k < clip->tracks[t].keyCount; k++) {
            times[k] = (float)(times[k] * factor);
        }
    }
    clip->duration = (float)(clip->duration * factor);
    clip->assumedTicks = 0.0f;
}

static bool assumesTicks(const Model *model) {
    uint32_t i = 0;
    while (i < model->clipCount && model->clips[i].assumedTicks == 0.0f) {
        i++;
    }
    return i < model->clipCount;
}

/* Applies --ticks-per-second. */
static bool setTicks(Model *model, const OptionValue *ticks, EngineError *error) {
    bool good = true;
    if (ticks->given && assumesTicks(model) && !modelUnpack(model, error)) { /* the times of a block stay */
        return false;
    }
    for (uint32_t i = 0; i < model->clipCount && good; i++) {
        ModelClip *clip = &model->clips[i];
        if (clip->assumedTicks > 0.0f && ticks->given) {
            changeTicks(clip, ticks->number);
        } else if (clip->assumedTicks > 0.0f && clip->duration > 0.0f && clip->duration < SHORT_CLIP) {
            good = modelWarn(model,
                             "clip '%.200s' lasts %.3g s at %g ticks per second; the file does not state them, "
                             "--ticks-per-second does",
                             clip->name, (double)clip->duration, (double)clip->assumedTicks);
        }
    }
    return good || engineFail(error, "out of memory");
}

/* ---- Clips of other files ---- */

static bool addClips(const Arguments *arguments, Model *model, const char *path, EngineError *error) {
    const OptionValue *up = optionsValue(arguments, "up");
    bool good = true;
    for (uint32_t i = 0; i < arguments->fileCount && good; i++) {
        Model *from = readFile(arguments, arguments->files[i], NULL, error);
        if (from && up->given) {
            from->up = (ModelUp)up->choice;
        }
        good = from && (from->spineCount == 0 ||
                        engineFail(error, "%s: a 2D character has no clips for models", arguments->files[i]));
        good = good && modelUnpack(model, error) && modelUnpack(from, error) && /* packed blocks take no clips */
               modelTakeClips(model, from, path, arguments->files[i], error);
        modelFree(from);
    }
    return good;
}

/* ---- Levels of detail ---- */

static bool makeLods(const Arguments *arguments, Model *model, uint32_t wanted, const char *path, EngineError *error) {
    ModelLodTry tries[MODEL_LODS_MAX];
    Progress progress;
    progressBegin(&progress, "making levels of detail", 0);
    const bool good = modelMakeLods(model, wanted, tries, error) || engineFailAt(error, path);
    progressErase(&progress);
    for (uint32_t i = 0; i < wanted && good; i++) {
        if (tries[i].reason[0] != '\0') {
            sayWarning(arguments->verb->name, "%s: the level of 1/%u of the vertices is left out: %s", path,
                       tries[i].share, tries[i].reason);
        }
    }
    return good;
}

bool modelLoadLods(const Arguments *arguments, Model *model, const char *path, EngineError *error) {
    const OptionValue *lods = optionsValue(arguments, "lods");
    const uint32_t wanted = lods->integer > 1 && modelLodCount(model) == 0 ? (uint32_t)lods->integer - 1 : 0;
    return makeLods(arguments, model, wanted, path, error);
}

bool modelLoadLevel(const Arguments *arguments, Model *model, const char *path, EngineError *error) {
    const OptionValue *option = optionsValue(arguments, "level");
    const uint32_t level = (uint32_t)option->integer;
    if (!option->given) {
        return true;
    }
    if (level > 0 && modelLodCount(model) == 0 &&
        !(modelSortVertices(model, error) && makeLods(arguments, model, MODEL_LODS_MAX, path, error))) {
        return false;
    }
    if (level > modelLodCount(model)) {
        return engineFail(error, "%s: the coarsest level of detail is %u", path, modelLodCount(model));
    }
    return modelShowLevel(model, level, error);
}

/* ---- The model ---- */

static bool complete(const Arguments *arguments, Model *model, const char *path, ModelNeed need, EngineError *error) {
    const OptionValue *up = optionsValue(arguments, "up");
    if (model->spineCount > 0 && need == MODEL_WITH_MESHES) {
        return engineFail(error,
                          "%s: a 2D character: this verb does not draw those yet; 'info', 'bake', 'render', 'crowd' "
                          "and 'view' read it",
                          path);
    }
    if (model->partCount == 0 && model->spineCount == 0 && need == MODEL_WITH_MESHES) {
        return engineFail(error, "%s: no meshes, only clips; use them with MODEL --clips %s", path, path);
    }
    if (model->packed.block && optionsValue(arguments, "max-error")->given) {
        return engineFail(
            error, "%s: its clips are packed already; use --max-error with the file that it was made from", path);
    }
    model->up = up->given ? (ModelUp)up->choice : model->up;
    return addClips(arguments, model, path, error) &&
           setTicks(model, optionsValue(arguments, "ticks-per-second"), error);
}

Model *modelLoad(const Arguments *arguments, const char *path, ModelNeed need, ImportSandbox *sandbox,
                 EngineError *error) {
    Model *model = readFile(arguments, path, sandbox, error);
    if (model && !complete(arguments, model, path, need, error)) {
        modelFree(model);
        return NULL;
    }
    for (uint32_t i = 0; model && need != MODEL_OR_CLIPS && i < model->warningCount; i++) {
        sayWarning(arguments->verb->name, "%s: %s", path, model->warnings[i].text);
    }
    return model;
}
