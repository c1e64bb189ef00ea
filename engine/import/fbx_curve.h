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
    double slope, weight;         /* of the handle to the right */
    double nextSlope, nextWeight; /* of the next key's handle to the left */
};

using FbxCurve = std::vector<FbxKey>; /* in ascending order of time */

/* From a record AnimationCurve: constant, linear and cubic keys; tangents of users, automatic ones, TCB; weighted handles. Empty where the record is not complete. */
FbxCurve fbxReadCurve(const FbxRecord &record);

/*
 * The value at a time. Before the first and after the last key the nearest one holds. before: the value just before that
 * time, which differs at keys that jump. The curve has a key.
 */
double fbxCurveAt(const FbxCurve &curve, double time, bool before);

#endif
