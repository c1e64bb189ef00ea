/*
 * population_run.h: runs the population of a scene by run_loop.h. Posing includes culling.
 */
#ifndef ENGINE_POPULATION_RUN_H
#define ENGINE_POPULATION_RUN_H

#include "draw.h"
#include "run_loop.h"

/* As runLoop. view: null for drawDefaultScene. */
bool populationRun(Scene *scene, const DrawScene *view, const RunDef *def, RunResult *result, Picture *picture,
                   EngineError *error);

#endif
