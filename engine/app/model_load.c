#include "model_load.h"

#include <stdlib.h>
#include <string.h>

#include "name_list.h"
#include "terminal.h"

static const char *const SANDBOX_NAMES[] = {"on", "off", NULL};
static const char *const UP_NAMES[] = {[MODEL_UP_Y] = "y", [MODEL_UP_Z] = "z", NULL};

const Option READ_OPTIONS[] = {
    {"clips", OPTION_FILES, "FILE",
     .help = "also use the clips of this file, which needs no mesh: they move the nodes of the same names; repeatable; "
             "they follow the clips of the model"},
    {"ticks-per-second", OPTION_NUMBER, "N",
     .help = "for clips whose file does not state it; default: 4800 for .x, 25 for others", .minimum = 1e-3,
     .maximum = 1e9},
    {"up", OPTION_CHOICE, "y|z", .help = "the axis that points up in the file; default: what the file says",
     .choices = UP_NAMES},
    {"sandbox", OPTION_CHOICE, "on|off",
     .help = "off: the process that reads the file keeps its access to files and network; to debug a reader",
     .defaultValue = "on", .choices = SANDBOX_NAMES},
    {.name = NULL},
};

/* ---- One file ---- */

static void showReading(void *user) {
    progressShow(user, 0);
}

/* One line where the file was read without a part of the sandbox. */
static void checkSandbox(const Arguments *arguments, const ImportOptions *options) {
    const ImportSandbox *active = options->sandbox;
    if (options->sandboxOff) {
        sayWarning(arguments->verb->name, "the file was read without a sandbox");
    } else if (!active->landlock || !active->seccomp) {
        const char *missing = active->seccomp ? "landlock" : active->landlock ? "seccomp" : "landlock and seccomp";
        sayWarning(arguments->verb->name, "the file was read without %s, which this kernel does not have", missing);
    }
}

static Model *readFile(const Arguments *arguments, const char *path, ImportSandbox *sandbox, EngineError *error) {
    Progress progress;
    ImportSandbox active = {0};
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

/* Applies --ticks-per-second. False: out of memory. */
static bool setTicks(Model *model, const OptionValue *ticks) {
    bool good = true;
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
    return good;
}

/* ---- Clips of other files ---- */

static bool isCarrier(const Model *model, uint32_t node) {
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].carrier == node) {
            return true;
        }
    }
    return false;
}

static uint32_t targetsAt(const Model *model, uint32_t node) {
    uint32_t targets = 0;
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].carrier == node) {
            targets = model->meshes[model->parts[i].mesh].morphCount;
        }
    }
    return targets;
}

/* The node that a track named `name` moves; nodeCount: none. */
static uint32_t findNode(const Model *model, const char *name, const VkskinTrack *track) {
    bool weights = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS;
    uint32_t found = model->nodeCount;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        if (strcmp(model->nodes[i].name, name) != 0 || (weights && targetsAt(model, i) != track->weightCount)) {
            continue;
        }
        if (weights || !isCarrier(model, i)) {
            return i;
        }
        found = found < model->nodeCount ? found : i;
    }
    return found;
}

/* Keeps the tracks with a node in the model. Returns their number. */
static uint32_t bindClip(const Model *model, const Model *from, ModelClip *clip, NameList *unknown, bool *good) {
    uint32_t kept = 0;
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        VkskinTrack track = clip->tracks[t];
        const char *name = from->nodes[track.node].name;
        track.node = findNode(model, name, &track);
        if (track.node < model->nodeCount) {
            clip->tracks[t] = clip->tracks[kept];
            clip->tracks[kept++] = track;
        } else {
            *good = nameListAdd(unknown, name) && *good;
        }
    }
    for (uint32_t t = kept; t < clip->trackCount; t++) {
        free((void *)clip->tracks[t].times);
        free((void *)clip->tracks[t].values);
    }
    clip->trackCount = kept;
    return kept;
}

static bool warnOfClips(Model *model, const Model *from, const char *file, const NameList *unknown) {
    char names[320];
    bool good = true;
    for (uint32_t i = 0; i < from->warningCount; i++) {
        good = modelWarn(model, "%.200s: %s", file, from->warnings[i].text) && good;
    }
    if (unknown->count > 0) {
        nameListFormat(names, sizeof names, unknown);
        good = modelWarn(model, "%.80s moves nodes that the model does not have: %s", file, names) && good;
    }
    if (from->up != model->up || (from->metres > 0.0f && model->metres > 0.0f && from->metres != model->metres)) {
        good = modelWarn(model, "%.200s has another up axis or unit than the model", file) && good;
    }
    return good;
}

bool modelTakeClips(Model *model, Model *from, const char *path, const char *file, EngineError *error) {
    NameList unknown = {0};
    uint32_t bound = 0;
    bool good = true;
    if (from->clipCount == 0) {
        return engineFail(error, "%s: no clips", file);
    }
    ModelClip *clips = realloc(model->clips, ((size_t)model->clipCount + from->clipCount) * sizeof *clips);
    if (!clips) {
        return engineFail(error, "out of memory");
    }
    model->clips = clips;
    for (uint32_t i = 0; i < from->clipCount; i++) {
        bound += bindClip(model, from, &from->clips[i], &unknown, &good);
        clips[model->clipCount++] = from->clips[i];
    }
    from->clipCount = 0; /* the model owns them */
    good = good && warnOfClips(model, from, file, &unknown);
    free(unknown.names);
    if (!good) {
        return engineFail(error, "out of memory");
    }
    return bound > 0 || engineFail(error, "%s: none of its animated nodes is in %s", file, path);
}

static bool addClips(const Arguments *arguments, Model *model, const char *path, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; i < arguments->fileCount && good; i++) {
        Model *from = readFile(arguments, arguments->files[i], NULL, error);
        good = from && modelTakeClips(model, from, path, arguments->files[i], error);
        modelFree(from);
    }
    return good;
}

/* ---- The model ---- */

static bool complete(const Arguments *arguments, Model *model, const char *path, ModelNeed need, EngineError *error) {
    const OptionValue *up = optionsValue(arguments, "up");
    if (model->partCount == 0 && need == MODEL_WITH_MESHES) {
        return engineFail(error, "%s: no meshes, only clips; use them with MODEL --clips %s", path, path);
    }
    model->up = up->given ? (ModelUp)up->choice : model->up;
    return addClips(arguments, model, path, error) &&
           (setTicks(model, optionsValue(arguments, "ticks-per-second")) || engineFail(error, "out of memory"));
}

Model *modelLoad(const Arguments *arguments, const char *path, ModelNeed need, ImportSandbox *sandbox,
                 EngineError *error) {
    Model *model = readFile(arguments, path, sandbox, error);
    if (model && !complete(arguments, model, path, need, error)) {
        modelFree(model);
        return NULL;
    }
    for (uint32_t i = 0; model && need == MODEL_WITH_MESHES && i < model->warningCount; i++) {
        sayWarning(arguments->verb->name, "%s: %s", path, model->warnings[i].text);
    }
    return model;
}
