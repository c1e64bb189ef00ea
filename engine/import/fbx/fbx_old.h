/* fbx_old.h: gives a file of 6.1 the form of 7.x: see fbx_document.h. For the parser's process. */
#ifndef ENGINE_FBX_OLD_H
#define ENGINE_FBX_OLD_H

#include "fbx_tree.h"

/* Appends to `warnings` what is not read, one line each. */
void fbxRenew(FbxRecord *root, std::vector<std::string> *warnings);

/*
 * A record AnimationCurve of 7.x with the keys of a record Channel. False: they have a form that is not known; the keys
 * before stay.
 */
bool fbxRenewCurve(const FbxRecord &channel, FbxRecord *curve);

#endif
