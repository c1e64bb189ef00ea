/* fbx_morphs.h: the morph targets of an .fbx file: in-between shapes and weights. For the parser's process. */
#ifndef ENGINE_FBX_MORPHS_H
#define ENGINE_FBX_MORPHS_H

#include "fbx_nodes.h"

/* A channel of a blend shape: one number moves through its shapes, each a target of the model. */
struct FbxMorphChannel {
    const FbxRecord *object;
    std::vector<double> full; /* percent at which each shape counts alone, ascending */
};

using FbxMorphChannels = std::vector<FbxMorphChannel>;
using FbxMorphs = std::map<const aiNode *, FbxMorphChannels>; /* nodes whose meshes have targets */

/*
 * Finds the channels of the targets of each mesh. Gives assimp's targets their weights at rest, and names in-between
 * shapes: "smile 50 %". Warns of meshes whose targets are not those of the file.
 */
FbxMorphs fbxReadMorphs(const FbxDocument &document, const FbxNodes &nodes, const aiScene *scene, Model *model);

/* Appends the weights of the targets of a channel. */
void fbxAddWeights(const FbxMorphChannel &channel, double percent, std::vector<double> *weights);

#endif
