#include "model_reload.h"

void modelReloadBegin(ModelReload *reload, Session *session) {
    *reload = (ModelReload){.session = session};
    for (uint32_t i = 0; i < session->arguments->operandCount; i++) {
        reload->watches[i] = fileWatchFrom(session->arguments->operands[i]);
    }
}

/*
 * Shows the model wherever the old one is shown. All these places refuse it, or none. SCENE_LOST also if only some of them
 * show it.
 */
static SceneReplaced showModel(Session *session, const Model *old, const Model *model, EngineError *error) {
    SceneReplaced result = SCENE_REPLACED;
    bool first = true;
    for (uint32_t kind = 0; kind < session->modelCount && result == SCENE_REPLACED; kind++) {
        if (session->models[kind] == old) {
            result = sceneReplaceModel(session->scene, kind, model, error);
            result = result == SCENE_KEPT && !first ? SCENE_LOST : result;
            first = false;
        }
    }
    for (uint32_t kind = 0; kind < session->modelCount && result == SCENE_REPLACED; kind++) {
        session->models[kind] = session->models[kind] == old ? model : session->models[kind];
    }
    return result;
}

/* False: the scene is lost. */
static bool reloadModel(Session *session, uint32_t operand, bool *replaced, EngineError *error) {
    const char *path = session->arguments->operands[operand];
    const Model *old = session->models[operand];
    Model *model = sessionLoadModel(session, path, LOAD_OPTIMISED, error);
    SceneReplaced result = SCENE_REFUSED;
    if (model && sessionCheckSystem(session, model, path, session->scene->population->characterCount, error)) {
        result = showModel(session, old, model, error);
        *replaced = *replaced || result != SCENE_REFUSED; /* also the old model is shown anew */
        if (result != SCENE_REPLACED) {
            engineFailAt(error, path);
        }
    }
    if (result == SCENE_REPLACED) {
        sayReloaded(path);
        if (!sessionCheckReplaced(session, operand, error)) {
            sayWarning(session->verb, "%s", error->message);
        }
    } else if (result != SCENE_LOST) {
        sayWarning(session->verb, "%s; the old model stays", error->message);
    }
    modelFree(result == SCENE_REPLACED ? (Model *)old : model);
    return result != SCENE_LOST;
}

bool modelReloadPoll(void *user, bool *replaced, EngineError *error) {
    ModelReload *reload = user;
    Session *session = reload->session;
    bool good = true;
    for (uint32_t i = 0; good && i < session->arguments->operandCount; i++) {
        FileWatch *watch = &reload->watches[i];
        fileWatchPoll(watch, session->arguments->operands[i]);
        if (watch->changed && watch->settled) {
            fileWatchUse(watch);
            good = sessionFirstNamed(session, i) != i || reloadModel(session, i, replaced, error);
        }
    }
    return good;
}
