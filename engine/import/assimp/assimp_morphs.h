/* assimp_morphs.h: morph targets and their keys from assimp's scenes. For the parser's process. */
#ifndef ENGINE_ASSIMP_MORPHS_H
#define ENGINE_ASSIMP_MORPHS_H

extern "C" {
#include "model.h"
}

#include <assimp/anim.h>
#include <assimp/mesh.h>

#include <vector>

/* Sets mesh->morphs: one for each shape. The mesh has positions and, where the file has them, normals. */
void morphsConvert(const aiMesh *from, ModelMesh *mesh);

/* The weights of the targets at rest. */
std::vector<float> morphsRestWeights(const aiMesh *from);

/* A handle of a Bezier curve, relative to its key. (0, 0): none; a way without handles is linear. */
struct MorphHandle {
    double seconds, weight;
};

struct MorphCurveKey {
    double seconds, weight;
    MorphHandle in, out;
};

/*
 * Assimp has no curves of weights. A key of one target can have them here: five weights, all of that target: time and
 * weight of the in-handle, the weight itself, time and weight of the out-handle. Times of handles are in seconds.
 */
void morphsSetCurveKey(unsigned target, const MorphCurveKey &from, double ticksPerSecond, aiMeshMorphKey *key);

/*
 * Fills times, values and counts of a track for `targets` targets. Between keys of a target its weight is linear, or as
 * their handles say: then the track has Bezier keys. At times of other targets' keys, curves are divided exactly. False,
 * and nothing is allocated: there is no key, or one is not finite.
 */
bool morphsTrack(const aiMeshMorphAnim *channel, uint32_t targets, double ticksPerSecond, VkskinTrack *track);

#endif
