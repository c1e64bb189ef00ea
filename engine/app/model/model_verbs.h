/* model_verbs.h: what the verbs do with models in three dimensions. Each function is all of a verb: it returns the exit status. */
#ifndef APP_MODEL_VERBS_H
#define APP_MODEL_VERBS_H

#include "options.h"

int modelBake(const Arguments *arguments);
int modelCompare(const Arguments *arguments);
int modelCrowd(const Arguments *arguments);
int modelInfo(const Arguments *arguments);
int modelPackFile(const Arguments *arguments);
int modelRender(const Arguments *arguments);
int modelView(const Arguments *arguments);

#endif
