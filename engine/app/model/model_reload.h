/* model_reload.h: reads model files again when they have changed, and shows the new models in the session's scene. */
#ifndef APP_MODEL_RELOAD_H
#define APP_MODEL_RELOAD_H

#include "file_watch.h"
#include "session.h"

typedef struct ModelReload {
    Session *session;
    FileWatch watches[SESSION_MODELS_MAX]; /* one per operand */
} ModelReload;

/* Call it before sessionLoad, so that no change is missed. */
void modelReloadBegin(ModelReload *reload, Session *session);

/*
 * A ViewerModelsFn; user: the ModelReload. Prints a line for each file that was read again. A file that cannot be read, or
 * whose model has other parts, costs a warning, and the old model stays.
 */
bool modelReloadPoll(void *user, bool *replaced, EngineError *error);

#endif
