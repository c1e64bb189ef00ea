/*
 * soak.h: a stress test of the library: a world of random calls for many frames, with 1 to 3 frames in flight on a device
 * that lags.
 *
 * Samples of every frame are compared with the reference, and memory must not grow. The same seed gives the same
 * operations on every driver, and the same digest on the same driver.
 */
#ifndef TESTKIT_SOAK_H
#define TESTKIT_SOAK_H

#include "world.h"

/* Growth is judged in runs of at least so many frames: shorter ones have too few contexts. */
#define SOAK_FLAT_FRAMES 10000u

/* Complete runs of at least so many frames fail if something that they are to test did not happen. */
#define SOAK_COVER_FRAMES 1000u

/* done: number of frames so far. Returns false to end the soak after this frame. */
typedef bool (*SoakProgressFn)(void *user, uint64_t done);

typedef struct SoakDef {
    uint64_t frames; /* at least 1 */
    uint64_t seed;
    VkskinBackend backend;   /* backend of all contexts */
    bool validated;          /* no context has as many output regions as frames in flight, unless both are 1 */
    SoakProgressFn progress; /* null: none */
    void *user;
} SoakDef;

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
    WorldCounts counts;
    WorldVerdict verdict;
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
bool soakCovers(const WorldCounts *counts, EngineError *error);

/*
 * Runs the soak. Returns false after the first failed check, with one line that begins with the seed and the frame of
 * the check. *result is filled in both cases.
 */
bool soakRun(Device *device, const SoakDef *def, SoakResult *result, EngineError *error);

#endif
