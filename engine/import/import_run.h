/* import_run.h: import with a parser of the caller's choice: how tests give it one that misbehaves. */
#ifndef ENGINE_IMPORT_RUN_H
#define ENGINE_IMPORT_RUN_H

#include "isolate.h"

/* Runs `work` in a child, which answers as blobWrite does. Arguments and result as importModel. */
Model *importRun(IsolateWork work, const char *path, const ImportOptions *options, char *message);

#endif
