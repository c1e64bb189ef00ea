/* crowd_options.h: what the command line says of crowds on the device: rates and budget of levels, parts that not all show. */
#ifndef APP_CROWD_OPTIONS_H
#define APP_CROWD_OPTIONS_H

#include "engine_error.h"
#include "model.h"
#include "options.h"
#include "skin_choice.h"

/* A group: what of each character a crowd draws, and how often. */
extern const Option DETAIL_OPTIONS[];

/* Sets lods, intervals, maxVertices and optional of *skin, which points into the arguments. */
bool crowdOptionsRead(const Arguments *arguments, SkinChoice *skin, EngineError *error);

/* Whether the loaded models have what the options name: meshes and levels. models: [count]. */
bool crowdOptionsCheck(const SkinChoice *skin, const Model *const *models, uint32_t count, EngineError *error);

#endif
