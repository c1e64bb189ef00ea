/* model_view.c: characters in a window, with hot reload of shaders and models. */
#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "draw.h"
#include "model_reload.h"
#include "view_run.h"
#include "viewer.h"

#define LABEL_SIZE 128

static const char *fileName(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void makeLabel(char *label, const Arguments *arguments, uint32_t count) {
    const char *name = fileName(arguments->operands[0]);
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
    uint32_t characters = count->given ? (uint32_t)count->integer : session->modelCount;
    const SceneDef def = {
        .count = characters,
        .seed = (uint64_t)optionsValue(session->arguments, "seed")->integer,
        .placement = characters == 1 ? POPULATION_ORIGIN : POPULATION_FIELD,
        .otherModes = OTHER_MODES,
        .wrap = VKSKIN_WRAP_LOOP,
        .format = chosenFormat(session->arguments),
    };
    /* A key shows motion vectors. Crowds would need much memory for them. */
    session->skin.motion |= session->skin.system == SKIN_SYSTEM_COMPUTE;
    bool chosen = characters == 1 || optionsValue(session->arguments, "clip")->given;
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

static bool show(const Session *session, const ViewPlace *place, ModelReload *models, EngineError *error) {
    const Arguments *arguments = session->arguments;
    char label[LABEL_SIZE];
    const char *names[SESSION_MODELS_MAX];
    HotReload *reload = NULL;
    makeLabel(label, arguments, session->scene->population->characterCount);
    for (uint32_t i = 0; i < session->modelCount; i++) {
        names[i] = fileName(arguments->operands[i]);
    }
    bool good = watchShaders(arguments, &reload, error);
    const ViewerDef def = {
        .window = place->window,
        .scene = session->scene,
        .label = label,
        .names = names,
        .reload = reload,
        .models = modelReloadPoll,
        .modelsUser = models,
        .shows = session->shows,
        .paint = session->paint,
    };
    Viewer viewer = {.def = &def};
    good = good && viewShow(session, place, &viewerScene, &viewer, error);
    hotReloadDestroy(reload);
    return good;
}

static bool run(Session *session, ViewPlace *place, EngineError *error) {
    ModelReload models;
    modelReloadBegin(&models, session);
    return sessionLoad(session, LOAD_OPTIMISED, error) && viewOpen(place, session, error) &&
           makeScene(session, error) && sessionCheckScale(session, NULL, error) && show(session, place, &models, error);
}

const ViewContent modelViewContent = {.run = run, .scene = &viewerScene};
