/* model_bake_clips.h: vkskin bake --clip all. */
#ifndef APP_MODEL_BAKE_CLIPS_H
#define APP_MODEL_BAKE_CLIPS_H

#include "options.h"

/* Whether --clip asks for all clips. */
bool bakesAllClips(const Arguments *arguments);

/* Verb.run of models then. */
int modelBakeClips(const Arguments *arguments);

#endif
