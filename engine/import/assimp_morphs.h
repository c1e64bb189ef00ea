/* assimp_morphs.h: morph targets and their keys from assimp's scenes. For the parser's process. */
#ifndef ENGINE_ASSIMP_MORPHS_H
#define ENGINE_ASSIMP_MORPHS_H

extern "C" {
#include "model.h"
}

#include <assimp/anim.h>
#include <assimp/mesh.h>

#include <vector>

/*
 * assimp gives one shape for each in-between shape of a target, all with the name of the target, and not the weights at
 * which they count. A model gets the last shape of each target, and a warning names the others.
 */
uint32_t morphsCount(const aiMesh *from);

/* Sets mesh->morphs. The mesh has positions and, where the file has them, normals. */
void morphsConvert(const aiMesh *from, ModelMesh *mesh, Model *model);

/*
 * Fills times, values and counts of a track for `targets` targets. Between keys of a target its weight is linear. False,
 * and nothing is allocated: there is no key, or one is not finite.
 */
bool morphsTrack(const aiMeshMorphAnim *channel, uint32_t targets, double ticksPerSecond, VkskinTrack *track);

#endif
