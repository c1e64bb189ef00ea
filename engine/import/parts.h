/* parts.h: node transforms and the parts of a model: which mesh stands at which node with which skin. For the parser's
 * process. */
#ifndef ENGINE_PARTS_H
#define ENGINE_PARTS_H

#include "model.h"

/*
 * Writes the closest T R S to `matrix`: the scale is the length of each column, the x scale negative where the matrix
 * mirrors. A column of length 0 gets scale 0 and any direction perpendicular to the others.
 * True: T R S gives the matrix back within 1e-5 of its largest 3x3 element. False: the matrix has shear.
 */
bool restSplit(const VkskinAffine *matrix, VkskinTransform *transform);

/*
 * Sets node->rest and node->preTransform from the node's matrix. A sheared matrix becomes the pre-transform; the rest
 * pose is then the identity, and repairs->nodesSheared counts it. The keys of an `animated` node replace all of T R S,
 * so that node gets the closest T R S instead.
 */
void restSet(ModelNode *node, const VkskinAffine *matrix, bool animated, ModelRepairs *repairs);

/* One mesh of the file, which several nodes may carry, after its conversion. */
typedef struct ConvertedMesh {
    bool done;
    bool empty;         /* no triangles: the model has no such mesh */
    bool nodeBoneFirst; /* what influencesPack returned */
    uint32_t mesh;      /* of the model */
} ConvertedMesh;

typedef struct Parts {
    Model *model;
    VkskinAffine *restWorlds; /* [model->nodeCount] */
    uint32_t *skinNodes;      /* [capacity]: the node whose world at rest is the skin's meshToModel */
} Parts;

/*
 * Starts to add up to `capacity` parts: allocates the model's parts, meshes and skins for as many. The nodes of the
 * model must be complete. partsEnd frees the rest of *Parts.
 */
Parts partsBegin(Model *model, uint32_t capacity);
void partsEnd(Parts *parts);

/* Starts the model's next mesh, which is zeroed, and records it in *converted. */
ModelMesh *partsBeginMesh(Model *model, ConvertedMesh *converted);

/* Ends the mesh that was started last. Removes it again where it has no triangles. */
void partsEndMesh(Model *model, ConvertedMesh *converted);

/* Frees the arrays of a skin. */
void partsFreeBones(ModelSkin *bones);

/*
 * Adds mesh `mesh` of the model, carried by `node` and moved by `bones`. Takes ownership of the arrays of `bones`. Copies
 * morphWeights; null: all 0. Parts with equal bones, whose nodes have equal world matrices at rest, share one skin.
 * Where the node's world has no inverse (scale 0, used to hide parts), the part gets the closest ancestor that has one.
 */
void partsAdd(Parts *parts, uint32_t mesh, uint32_t node, ModelSkin bones, const float *morphWeights);

/* A skin of `count` bones, with identity inverse binds. The caller fills in the nodes. */
ModelSkin partsMakeBones(uint32_t count);

/* The skin of a mesh without bones: its node alone. */
ModelSkin partsRigidBones(uint32_t node);

/* Puts `node`, with identity inverse bind, before the other bones: see influencesPack. */
void partsPrependNode(ModelSkin *bones, uint32_t node);

#endif
