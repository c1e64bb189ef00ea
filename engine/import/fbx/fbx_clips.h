/* fbx_clips.h: the clips of an .fbx file as tracks of linear keys. For the parser's process. */
#ifndef ENGINE_FBX_CLIPS_H
#define ENGINE_FBX_CLIPS_H

#include "fbx_morphs.h"
#include "fbx_nodes.h"

/* What is read of a file in addition to assimp's scene. */
struct FbxScene {
    FbxDocument document;
    FbxNodes nodes;
    FbxMorphs morphs;
};

/*
 * Adds a clip for each animation stack that moves something. nodes: assimp's node for each of the model's. animated:
 * receives true for nodes that get a track of T, R or S.
 *
 * Curves and layers are sampled where a line would leave them: the error is at most 0.001 of the range of the track's
 * values, 0.05 degrees, or a morph weight of 0.001. A value that jumps gets two keys at the same time. Between two keys
 * of the file there are at most 256; where these do not suffice, the error is larger.
 */
void fbxConvertClips(const FbxScene &fbx, const std::vector<const aiNode *> &nodes, std::vector<bool> &animated,
                     Model *model);

#endif
