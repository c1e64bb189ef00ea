/* fbx_source.h: reads the bytes of an .fbx file; what fbx_binary.cpp and fbx_text.cpp share. For the parser's process. */
#ifndef ENGINE_FBX_SOURCE_H
#define ENGINE_FBX_SOURCE_H

#include "fbx_tree.h"

#define FBX_DEPTH_MAX 64

struct FbxSource {
    const char *bytes;
    size_t size, at;
};

/* True: the bytes begin with the mark of a binary file. */
bool fbxIsBinary(const char *bytes, size_t size);

/* Read the records of a file, from its first byte on; for the version, too. False: damaged; *error says where. */
bool fbxReadBinary(FbxSource source, FbxTree *tree, EngineError *error);
bool fbxReadText(FbxSource source, FbxTree *tree, EngineError *error);

/* Appends numbers to an array of int64 or double. It becomes one of double with the first number that is not whole. */
void fbxAppend(FbxArray *array, const FbxValue &value, bool whole);

#endif
