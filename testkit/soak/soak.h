/*
 * soak.h: a stress test of the library: random operations for many frames, with contexts, meshes, skeletons and
 * instances created, changed and destroyed, and 1 to 3 frames in flight on a device that lags.
 *
 * Samples of every frame are compared with the reference, and memory must not grow. The same seed gives the same
 * operations on every driver, and the same digest on the same driver.
 */
#ifndef TESTKIT_SOAK_H
#define TESTKIT_SOAK_H

#include "device.h"
#include "vertex_error.h"

/* Growth is judged in runs of at least so many frames: shorter ones have too few contexts. */
#define SOAK_FLAT_FRAMES 10000u

/* Complete runs of at least so many frames fail if something that they are to test did not happen. */
#define SOAK_COVER_FRAMES 1000u

/* done: number of frames so far. Returns false to end the soak after this frame. */
typedef bool (*SoakProgressFn)(void *user, uint64_t done);

typedef struct SoakDef {
    uint64_t frames; /* at least 1 */
    uint64_t seed;
    VkskinBackend backend;   /* of all contexts */
    bool validated;          /* no context has as many output regions as frames in flight, unless both are 1 */
    SoakProgressFn progress; /* null: none */
    void *user;
} SoakDef;

typedef struct SoakCounts {
    uint64_t contexts;
    uint64_t charactersMade, charactersDestroyed; /* a skeleton and a skin each */
    uint64_t clipsMade;
    uint64_t meshesMade, meshesDestroyed, meshesReplaced;
    uint64_t instancesMade, instancesDestroyed; /* as with meshes, the end of a context destroys them too */
    uint64_t instancesHosted;                   /* of instancesMade, in buffers of the host */
    uint64_t buffersMade, buffersRemoved;       /* of the host */
    uint64_t commands;                          /* given to vkskinSkinInstances, in all frames */
    uint64_t instancesSkinned, verticesSkinned; /* in submitted frames */
    uint64_t teleports;
    uint64_t framesSubmitted, framesAbandoned, framesCancelled;
    uint64_t framesRepeated; /* begun in the slot of the frame before */
    uint64_t framesHeldBack; /* submitted while an earlier submission was still held back */
    uint64_t ringFull;       /* updates left out because the palette ring was full */
    uint64_t instancesChecked, verticesChecked, verticesLeftOut;
    uint64_t crowdsMade, crowdsMorphed; /* crowdsMorphed: of these, with morph weights */
    uint64_t crowdFramesChecked;
    uint64_t crowdInstancesCompared; /* drawn characters whose records and vertices were those of the second crowd */
    uint64_t crowdsFull;             /* characters that were not added: no index was free */
    uint64_t crowdCharactersSkinned, crowdCharactersRefused; /* in checked frames */
} SoakCounts;

typedef struct SoakVerdict {
    VertexError worst[VKSKIN_VERTEX_FORMAT_COUNT]; /* the largest errors of each vertex format */
    uint64_t digest;                               /* FNV-1a of all checked bytes */
} SoakVerdict;

/* Values of the first and of the second half of a span. */
typedef struct SoakHalf {
    uint64_t count;
    double mean, peak;
} SoakHalf;

typedef struct SoakSeries {
    SoakHalf halves[2];
} SoakSeries;

typedef struct SoakResult {
    uint64_t frames;       /* completed; fewer than requested after a failed check or an interruption */
    VkskinBackend backend; /* in use: VKSKIN_BACKEND_COMPUTE or VKSKIN_BACKEND_CPU */
    SoakCounts counts;
    SoakVerdict verdict;
    double seconds;
    /* In bytes, by halves of the run without its first tenth: resident memory of the process between contexts, and
     * memory of skeletons, clips and skins. */
    SoakSeries resident, poseBytes;
    /* By halves of each context's lifetime without its first quarter: host memory of the library and its driver
     * objects in bytes, device memory in bytes, number of driver objects without those of
     * pages. */
    SoakSeries hostBytes, deviceBytes, objects;
    SoakSeries deviceShare; /* by the same halves: percent of the most that the context's objects have needed at once */
    uint64_t residentStart, residentEnd; /* first and last value of `resident`; 0: no context ended */
    bool flatJudged;                     /* the run was complete and long enough to judge growth */
} SoakResult;

/* Whether every kind of operation and check was counted. */
bool soakCovers(const SoakCounts *counts, EngineError *error);

/*
 * Runs the soak. Returns false after the first failed check, with one line that begins with the seed and the frame of
 * the check. *result is filled in both cases.
 */
bool soakRun(Device *device, const SoakDef *def, SoakResult *result, EngineError *error);

#endif
