/* fbx_sampler.h: linear keys that come close to a function of time. For the parser's process. */
#ifndef ENGINE_FBX_SAMPLER_H
#define ENGINE_FBX_SAMPLER_H

#include <functional>
#include <vector>

using FbxValues = std::vector<double>;

/* What a track shows: a function of time, and how close keys must come to it. */
struct FbxCourse {
    std::function<FbxValues(double time, bool before)> at; /* value at a time, or just before it */
    bool turn;                                             /* values are quaternions: x y z w */
    double tolerance; /* error of each value; below FBX_RANGE_PART of the range of the values, this counts */
};

#define FBX_RANGE_PART 0.0002

struct FbxSample {
    double time;
    FbxValues values;
};

/*
 * Samples a course at ascending times and where a line between them would leave it, at most 255 times from one to the
 * next. A value that jumps gets two samples at the same time. times: at least one.
 */
std::vector<FbxSample> fbxSample(const FbxCourse &course, const std::vector<double> &times);

#endif
