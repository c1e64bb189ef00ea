/* parts.h: places meshes at nodes: finds or makes each part's skin. */
#ifndef ENGINE_PARTS_H
#define ENGINE_PARTS_H

#include "model.h"

/* What became of one of the file's meshes, which several nodes may carry. */
typedef struct ConvertedMesh {
    bool done;
    bool empty;         /* points or lines only, or nothing: there is no mesh */
    bool nodeBoneFirst; /* see influencesPack */
    uint32_t mesh;      /* of the model */
} ConvertedMesh;

typedef struct Parts {
    Model *model;
    VkskinAffine *restWorlds; /* [model->nodeCount] */
    uint32_t *skinNodes;      /* [skins' capacity]: the node whose rest world is the skin's meshToModel */
} Parts;

/*
 * Begins to place up to `capacity` parts, each with up to one mesh and one skin of its own: allocates those arrays
 * of the model, whose nodes are finished. partsEnd frees what is not the model's.
 */
Parts partsBegin(Model *model, uint32_t capacity);
void partsEnd(Parts *parts);

/*
 * Adds a part: mesh `mesh` of the model, carried by `node`, moved by `bones`, which the parts take over (its arrays
 * are freed or become the model's), with its morphs at `morphWeights`, copied, or all at 0 where that is null. Equal skins at nodes with equal rest worlds become one.
 * A node whose rest world has no inverse (of zero scale: artists hide parts that way) hands the part on to the closest
 * one above that has, and keeps it where there is none: the bones place the vertices either way.
 */
void partsAdd(Parts *parts, uint32_t mesh, uint32_t node, ModelSkin bones, const float *morphWeights);

/* The skin of a mesh without bones: its node. */
ModelSkin partsRigidBones(uint32_t node);

/* Puts `node` with an identity inverse bind before the other bones: see influencesPack. */
void partsPrependNode(ModelSkin *bones, uint32_t node);

#endif
