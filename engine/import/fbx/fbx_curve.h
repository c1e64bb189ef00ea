/* fbx_curve.h: one animated number of an .fbx file, exactly as its keys describe it. For the parser's process. */
#ifndef ENGINE_FBX_CURVE_H
#define ENGINE_FBX_CURVE_H

#include "fbx_tree.h"

#define FBX_SECOND 46186158000.0 /* units of time */

enum FbxSegment { FBX_CONSTANT, FBX_CONSTANT_NEXT, FBX_LINEAR, FBX_CUBIC };

/* A key and the way to the next one. Slopes are per second; weights are parts of the time to the neighbour. */
struct FbxKey {
    double time, value; /* seconds */
    FbxSegment segment;
    double slope, weight;         /* handle to the right */
    double nextSlope, nextWeight; /* left handle of the next key */
};

/* What a curve does outside its keys. SLOPE: goes on as at its end. RISE: repeats, each time from the value reached. */
enum FbxBeyond { FBX_HOLD, FBX_SLOPE, FBX_REPEAT, FBX_MIRROR, FBX_RISE };

struct FbxExtrapolation {
    FbxBeyond way;
    double count; /* how often the keys are repeated; infinity: without end */
};

struct FbxCurve {
    std::vector<FbxKey> keys; /* in ascending order of time */
    FbxExtrapolation before, after;
    bool repaired; /* keys are missing that are not finite or earlier than the key before, or all: not complete */

    bool empty() const {
        return keys.empty();
    }
};

/*
 * From a record AnimationCurve: constant, linear and cubic keys; tangents of users, automatic ones with bias, TCB;
 * weighted handles; extrapolation.
 */
FbxCurve fbxReadCurve(const FbxRecord &record);

/* The value at a time. before: the value just before that time, which differs at keys that jump. The curve has a key. */
double fbxCurveAt(const FbxCurve &curve, double time, bool before);

/*
 * Adds the times of the keys, and from `start` to `stop` those of their repetitions: at most FBX_REPEATED_KEYS_MAX.
 * False: there are more; the rest is left out.
 */
bool fbxCurveTimes(const FbxCurve &curve, double start, double stop, std::vector<double> *times);
#define FBX_REPEATED_KEYS_MAX 65536

#endif
