/*
 * soak.h: a long random life of the library: meshes, skeletons, instances and contexts come, change and go, with 1 to 3
 * frames in flight on a device that lags; every frame is checked by a sample against the reference, memory must not
 * grow.
 *
 * The same seed gives the same events on every driver, and the same digest on one.
 */
#ifndef ENGINE_SOAK_H
#define ENGINE_SOAK_H

#include "soak_flat.h"
#include "soak_samples.h"

/* Frames from which on the two halves are compared: fewer have too few contexts to speak of. */
#define SOAK_FLAT_FRAMES 10000u

/* done: frames so far. False ends the soak after this frame. */
typedef bool (*SoakProgressFn)(void *user, uint64_t done);

typedef struct SoakDef {
    uint64_t frames; /* 1 up */
    uint64_t seed;
    VkskinBackend backend;   /* of all contexts */
    SoakProgressFn progress; /* null: none */
    void *user;
} SoakDef;

typedef struct SoakResult {
    uint64_t frames;       /* done: fewer than asked for where the progress ended it, or a check failed */
    VkskinBackend backend; /* in use by the contexts: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU */
    SoakCounts counts;
    SoakVerdict verdict;
    double seconds;
    /* Bytes. By the halves of the run, its first tenth left out as warm-up: the process's resident memory between
     * contexts, when nothing of the library lives but poses; what skeletons, clips and skins take. */
    SoakSeries resident, poseBytes;
    /* By the halves of each context's life, its first quarter left out: host memory of the library and of its driver
     * objects, in bytes; device memory, in bytes; driver objects. */
    SoakSeries hostBytes, deviceBytes, objects;
    uint64_t residentStart, residentEnd; /* of `resident`, the first and the last; 0 where no context ended */
    bool flatJudged;                     /* the run was long enough, and whole */
} SoakResult;

/*
 * Runs it. False on the first thing that is not as it must be, after one line that begins with the seed and the frame
 * in which it was seen; *result is filled either way.
 */
bool soakRun(Device *device, const SoakDef *def, SoakResult *result, EngineError *error);

#endif
