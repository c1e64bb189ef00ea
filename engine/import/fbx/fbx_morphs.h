/* fbx_morphs.h: the morph targets of an .fbx file: in-between shapes and weights. For the parser's process. */
#ifndef ENGINE_FBX_MORPHS_H
#define ENGINE_FBX_MORPHS_H

#include "fbx_geometry.h"

/* A channel of a blend shape: one number moves through its shapes, each a target of the model. */
struct FbxMorphChannel {
    const FbxRecord *object;
    std::vector<double> full; /* percent at which each shape counts alone: ascending, not 0, may be negative */
    std::vector<const FbxRecord *> shapes; /* records Geometry, in the order of `full` */
    std::vector<double> parts;             /* factor of each vertex of the only shape; empty: 1 */
};

using FbxMorphChannels = std::vector<FbxMorphChannel>;
using FbxMorphs = std::map<uint32_t, FbxMorphChannels>; /* by node of the model: those whose meshes have targets */

/* The channels of a geometry with shapes, in the order of the targets of its meshes. */
FbxMorphChannels fbxReadChannels(const FbxDocument &document, const FbxRecord &geometry);

/* At rest: a property of the channel, else a record in it. */
double fbxDeformPercent(const FbxDocument &document, const FbxMorphChannel &channel);

/*
 * Appends the weights of the targets of a channel. Percent between two shapes mixes both; 0 is a shape that moves
 * nothing. Beyond the outer shapes the last mix goes on.
 */
void fbxAddWeights(const FbxMorphChannel &channel, double percent, std::vector<double> *weights);

/* The shapes of a geometry, read once for all meshes that are cut from it. */
struct FbxTarget {
    std::string name;
    std::vector<uint32_t> points;           /* ascending, each once */
    std::vector<double> positions, normals; /* deltas, [points][3]; normals: or empty */
};

/* Warns of deltas of unknown points, and of those that are not finite; they are left out. */
std::vector<FbxTarget> fbxReadTargets(const FbxGeometry &geometry, const FbxMorphChannels &channels, Model *model);

/* Sets mesh->morphs of a mesh that was cut from the geometry. */
void fbxFillMorphs(const FbxGeometry &geometry, const std::vector<FbxTarget> &targets, const FbxCut &cut,
                   ModelMesh *mesh);

#endif
