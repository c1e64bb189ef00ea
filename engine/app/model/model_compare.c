/* model_compare.c: what `compare` needs of models: a crowd of them, or one, drawn and measured with one system. */
#include <string.h>

#include "compare.h"
#include "content.h"
#include "pictures.h"

/* Radians: the camera shows the whole crowd from the front, from somewhat above. */
#define VIEW_YAW   0.55f
#define VIEW_PITCH 0.22f

static SkinChoice skinOf(const Session *session, const CompareEntry *entry) {
    const double packed = optionsValue(session->arguments, "max-error")->number;
    SkinChoice skin = session->skin;
    skin.system = entry->skin.system;
    skin.mode = entry->skin.mode;
    skin.textureLayout = entry->skin.textureLayout;
    skin.textureFormat = entry->skin.textureFormat;
    skin.bonesPerDraw = entry->skin.bonesPerDraw;
    skin.maxError = packed > 0.0 ? packed : entry->skin.maxError;
    skin.maxInfluences = SKIN_SYSTEM_INFLUENCES;
    skin.backend = VKSKIN_BACKEND_COMPUTE;
    return skinChoiceComplete(&skin);
}

/* Whether the system draws the models; else `refusal` says why not. */
static bool isDrawn(const Session *session, CompareRow *row) {
    EngineError error;
    const uint32_t count = (uint32_t)optionsValue(session->arguments, "count")->integer;
    for (uint32_t i = 0; i < session->modelCount; i++) {
        if (!sessionCheckSystem(session, session->models[i], session->arguments->operands[i], count, &error)) {
            memcpy(row->refusal, error.message, sizeof row->refusal);
            return false;
        }
    }
    return true;
}

/* The whole crowd, or the one character, on a transparent background. */
static bool aim(const Session *session, DrawScene *view, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const Population *population = session->scene->population;
    PictureFrame frame;
    if (population->characterCount > 1) {
        frame.camera = pictureCamera(arguments, &population->bounds, VIEW_YAW, VIEW_PITCH);
    } else if (!pictureFrame(arguments, population, VIEW_YAW, VIEW_PITCH, &frame, error)) {
        return false;
    }
    *view = drawDefaultScene(population, pictureAspect(arguments));
    view->camera = frame.camera;
    view->plain = true;
    return true;
}

static void showProgress(void *user, RunPhase phase, uint32_t done, uint32_t total) {
    (void)total;
    progressShow(user, phase == RUN_PHASE_MEASURED ? done : 0);
}

static bool runScene(Session *session, CompareRow *row, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const OptionValue *size = optionsValue(arguments, "size");
    DrawScene view;
    Progress progress;
    if (!aim(session, &view, error)) {
        return false;
    }
    const RunDef def = {
        .frames = (uint32_t)optionsValue(arguments, "frames")->integer,
        .warmupFrames = WARMUP_FRAMES,
        .width = size->width,
        .height = size->height,
        .progress = showProgress,
        .user = &progress,
    };
    sessionBeginProgress(session, &progress, row->entry->name, def.frames);
    const bool good = populationRun(session->scene, &view, &def, &row->result, &row->picture, error);
    sessionEndProgress(session);
    return good;
}

/* A lost scale is a refusal, too. */
static bool makeAndRun(Session *session, const SceneDef *def, CompareRow *row, EngineError *error) {
    if (!sessionMakeScene(session, def, error)) {
        return false;
    }
    sessionSetTimes(session);
    if (!sessionCheckScale(session, NULL, error)) {
        error->unsupported = true;
        return false;
    }
    return runScene(session, row, error);
}

/* A CompareDraw. */
static bool draw(void *user, Session *session, CompareRow *row, EngineError *error) {
    const SceneDef def = {
        .count = (uint32_t)optionsValue(session->arguments, "count")->integer,
        .seed = (uint64_t)optionsValue(session->arguments, "seed")->integer,
        .placement = POPULATION_FIELD,
        .wrap = VKSKIN_WRAP_LOOP,
        .format = VKSKIN_VERTEX_FLOAT,
    };
    (void)user;
    session->skin = skinOf(session, row->entry);
    if (!isDrawn(session, row)) {
        return true;
    }
    const bool good = makeAndRun(session, &def, row, error);
    sessionEndScene(session, good);
    session->isRepeated = true;
    if (!good) {
        memcpy(row->refusal, error->message, sizeof row->refusal);
    }
    return good || (row->entry->skin.system != SKIN_SYSTEM_COMPUTE && error->unsupported);
}

static bool compare(Session *session, EngineError *error) {
    const bool chosen = optionsValue(session->arguments, "clip")->given;
    return sessionLoad(session, LOAD_OPTIMISED, error) && (!chosen || sessionChooseClips(session, error)) &&
           sessionOpenDevice(session, NULL, error) && compareAll(session, draw, NULL, error);
}

int modelCompare(const Arguments *arguments) {
    return sessionRun(arguments, compare);
}
