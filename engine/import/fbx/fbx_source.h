/* fbx_source.h: reads the bytes of an .fbx file, binary or text, as a tree. For the parser's process. */
#ifndef ENGINE_FBX_SOURCE_H
#define ENGINE_FBX_SOURCE_H

extern "C" {
#include "engine_error.h"
}

#include "fbx_tree.h"

#define FBX_DEPTH_MAX 64

struct FbxSource {
    const char *bytes;
    size_t size, at;
};

/* True: the bytes begin with the mark of a binary file. */
bool fbxIsBinary(const char *bytes, size_t size);

/* Read the records of a file, from its first byte on; for the version, too. False: damaged; *error says where. */
bool fbxReadBinary(const FbxSource &source, FbxTree *tree, EngineError *error);
bool fbxReadText(const FbxSource &source, FbxTree *tree, EngineError *error);

/*
 * Reads a file's bytes. Texts have their characters in place of "&quot;"; "Content" in text files is decoded from base64.
 * In text files after 7.1, KeyAttrDataFloat has the bits of floats as integers: array kind 'l'. False: they are damaged,
 * and *error says where; the tree has what stands before.
 */
bool fbxReadTree(const char *bytes, size_t size, FbxTree *tree, EngineError *error);

#endif
