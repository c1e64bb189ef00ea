/* parts.h: the parts of a model: which mesh stands at which node with which skin. For the parser's process. */
#ifndef ENGINE_PARTS_H
#define ENGINE_PARTS_H

#include "parser.h"

#include <vector>

/* One mesh of the file, which several nodes may carry, after its conversion. */
struct ConvertedMesh {
    bool done;
    bool empty;         /* no triangles: the model has no such mesh */
    bool nodeBoneFirst; /* what influencesPack returned */
    uint32_t mesh;      /* index in the model */
};

/* The bones of a part. */
struct Bones {
    std::vector<uint32_t> nodes;
    std::vector<VkskinAffine> inverseBinds; /* [nodes]: inverse bind matrix */
};

struct Parts {
    Model *model;
    std::vector<VkskinAffine> restWorlds; /* [nodes of the model]: world matrix at rest */
    std::vector<uint32_t> skinNodes; /* [skins of the model]: the node whose world at rest is the skin's meshToModel */
};

/*
 * Starts to add up to `capacity` parts: allocates the model's parts, meshes and skins for as many. The nodes of the
 * model must be complete.
 */
Parts partsBegin(Model *model, uint32_t capacity);

/* Starts the model's next mesh, which is zeroed, and records it in *converted. */
ModelMesh *partsBeginMesh(Model *model, ConvertedMesh *converted);

/* Ends the mesh that was started last. Removes it again where it has no triangles. */
void partsEndMesh(Model *model, ConvertedMesh *converted);

/*
 * Adds mesh `mesh` of the model, carried by `node` and moved by `bones`. morphWeights: empty: all 0. Parts with equal
 * bones, whose nodes have equal world matrices at rest, share one skin. Where the node's world has no inverse (scale 0,
 * used to hide parts), the part gets the closest ancestor that has one.
 */
void partsAdd(Parts &parts, uint32_t mesh, uint32_t node, const Bones &bones, const std::vector<float> &morphWeights);

/* Puts `node`, with identity inverse bind, before the other bones: see influencesPack. */
void partsPrependNode(Bones &bones, uint32_t node);

#endif
