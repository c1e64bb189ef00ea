/* fbx_clips.h: the clips of an .fbx file as tracks of linear keys. For the parser's process. */
#ifndef ENGINE_FBX_CLIPS_H
#define ENGINE_FBX_CLIPS_H

#include "fbx_morphs.h"
#include "fbx_nodes.h"
#include "parts.h"

/*
 * Adds a clip for each animation stack that moves something. nodes: those of the model, with its indices. morphs: by the
 * nodes that carry meshes with targets. parts: all of the model are added. Warns of what is not played.
 *
 * Curves and layers are sampled where a line would leave them. The error is at most 0.0003 of the range of a track's
 * values, and of the size of the model for translations; 0.015 degrees for turns; 0.0005 for morph weights. A value
 * that jumps gets two keys at the same time. Between two keys of the file there are at most 256; where these do not
 * suffice, the error is larger.
 */
void fbxAddClips(const FbxDocument &document, const std::vector<FbxStack> &stacks, const FbxNodes &nodes,
                 const FbxMorphs &morphs, const Parts &parts, EngineError *error);

#endif
