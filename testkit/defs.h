/*
 * defs.h: defs of the library with the fields that nearly every test sets. Arrays are borrowed, as in the defs.
 */
#ifndef TESTKIT_DEFS_H
#define TESTKIT_DEFS_H

#include "vkskin/vkskin_crowd.h"
#include "vkskin/vkskin_pose.h"

/* positions: [vertexCount][3], or [2] for two dimensions. joints, of jointFormat, and weights: [vertexCount][influences]. */
static inline VkskinMeshDef meshDefOf(uint32_t vertexCount, uint32_t boneCount, uint32_t influences,
                                      const float *positions, const void *joints, const float *weights) {
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.vertexCount = vertexCount;
    def.boneCount = boneCount;
    def.positions = positions;
    def.influencesPerVertex = influences;
    def.joints = joints;
    def.weights = weights;
    return def;
}

/* Kernels of linear blending. */
static inline VkskinPipelineDef kernelsOf(const VkskinMesh *meshes, uint32_t meshCount) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.meshes = meshes;
    def.meshCount = meshCount;
    return def;
}

/* boneNodes: [boneCount]. inverseBinds: [boneCount], or null: identity. */
static inline VkskinSkinDef skinDefOf(uint32_t nodeCount, uint32_t boneCount, const uint32_t *boneNodes,
                                      const VkskinAffine *inverseBinds) {
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = nodeCount;
    def.boneCount = boneCount;
    def.boneNodes = boneNodes;
    def.inverseBinds = inverseBinds;
    return def;
}

#endif
