/* fbx_keys.h: keys of .fbx files that assimp delivers otherwise than the file means them. For the parser's process. */
#ifndef ENGINE_FBX_KEYS_H
#define ENGINE_FBX_KEYS_H

extern "C" {
#include "model.h"
}

#include "fbx_tree.h"

/*
 * assimp makes all keys linear and does not blend layers. Warns of clips with nodes that have stepped keys, curves
 * between distant keys, or keys in several layers, and names the nodes.
 */
void fbxWarnOfKeys(const FbxRecord &root, Model *model);

#endif
