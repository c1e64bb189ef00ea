#include "fbx_source.h"

bool fbxReadTree(const char *bytes, size_t size, FbxTree *tree, EngineError *error) {
    const FbxSource source = {bytes, size, 0};
    return fbxIsBinary(bytes, size) ? fbxReadBinary(source, tree, error) : fbxReadText(source, tree, error);
}
