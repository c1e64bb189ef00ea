/*
 * population_run.h: run_loop.h for models: the population of a scene, drawn lit with its shadows. Pose: culling and
 * populationPose.
 */
#ifndef ENGINE_POPULATION_RUN_H
#define ENGINE_POPULATION_RUN_H

#include "draw.h"
#include "run_loop.h"

/* As runLoop. view: null for drawDefaultScene. */
bool populationRun(Scene *scene, const DrawScene *view, const RunDef *def, RunResult *result, Picture *picture,
                   EngineError *error);

#endif
