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

/*
 * Fills times, values and counts of a track for `targets` targets. Between keys of a target its weight is linear. False,
 * and nothing is allocated: there is no key, or one is not finite.
 */
bool morphsTrack(const aiMeshMorphAnim *channel, uint32_t targets, double ticksPerSecond, VkskinTrack *track);

#endif
