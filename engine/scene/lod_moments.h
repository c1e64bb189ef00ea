/* lod_moments.h: the moments of a model's clips at which its levels of detail are measured. */
#ifndef ENGINE_LOD_MOMENTS_H
#define ENGINE_LOD_MOMENTS_H

#include "engine_error.h"
#include "model.h"

/* A pose of a model. */
typedef struct LodMoment {
    uint32_t clip; /* clipCount: the rest pose */
    double time;   /* seconds; beyond the clip its first or last pose */
} LodMoment;

/*
 * The moments at which the levels of a model are measured: rest pose, all keys of all clips, and further ones so that two of
 * a clip are at most 1/30 s apart, up to 4,096 for a clip. If the work would exceed LOD_WORK_MAX distances, which takes
 * about ten seconds on a processor, only each second, third ... of them. free(*moments). False: out of memory.
 */
bool lodFindMoments(const Model *model, LodMoment **moments, size_t *count, EngineError *error);

#define LOD_WORK_MAX ((uint64_t)1 << 30)

#endif
