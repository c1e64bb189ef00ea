/*
 * fbx_nodes.h: the hierarchy of an .fbx file as the list of nodes of a model. For the parser's process.
 *
 * Most Models of the file are one node. A Model has more where a child does not inherit its scale as a product of
 * matrices has it (InheritType 0 or 2), where its meshes have a geometric transform, or where clips show and hide them.
 */
#ifndef ENGINE_FBX_NODES_H
#define ENGINE_FBX_NODES_H

extern "C" {
#include "model.h"
}

#include "fbx_joint.h"
#include "fbx_layers.h"

struct FbxNode {
    std::string name;
    int32_t parent;          /* -1: the root of the scene, which is node 0; else below the node's own index */
    const FbxRecord *object; /* the Model that the node is; null: the root, and nodes that a Model has in addition */
    FbxTransform rest;       /* relative to the parent */
};

/* How a Model inherits the scales above it: InheritType. */
enum FbxInherit {
    FBX_INHERIT_AXES = 0,     /* turned after the scale of its parents, axis by axis: RrSs */
    FBX_INHERIT_MATRIX = 1,   /* product of matrices: RSrs; also where the others make no difference */
    FBX_INHERIT_NO_PARENT = 2 /* the same as AXES without the scale of its parent: Rrs */
};

/* A Model and its nodes, which are the same one unless it needs more. */
struct FbxModel {
    uint32_t node; /* turns and moves as the Model does; has its scale only where `world` is the same node */
    uint32_t
        world; /* the world matrix of this node is the Model's: bone of a cluster, parent of children of FBX_INHERIT_MATRIX */
    uint32_t carrier; /* carries the meshes: `world` times the geometric transform; scaled by 0 while they are hidden */
    bool alwaysHidden; /* at all times: the meshes are not to be shown */
    bool blinks;       /* clips scale `carrier`, which is then a node of its own */

    FbxJoint joint;
    const FbxModel *parent; /* null: below the root */
    FbxInherit inherit;
    /*
     * What scales the Model in addition to its own scale, without the matrix of `node`'s parent: a constant, and the
     * scales of Models that clips change. At rest `inheritedScale` is all of it.
     */
    FbxVector inheritedScale, steadyScale;
    std::vector<const FbxRecord *> scalers;
    bool visible;                           /* at rest, with the Models above */
    bool gone;                              /* it or a Model above is invisible, and no clip changes that */
    std::vector<const FbxRecord *> showers; /* itself and Models above whose visibility clips change */
};

#define FBX_SCALERS_MAX 64u /* more are taken at rest, with a warning */

struct FbxNodes {
    std::vector<FbxNode> list; /* parents before their children; the root is list[0] */
    std::map<const FbxRecord *, FbxModel> models;
};

/*
 * Every Model of the file. One with several parents has the first, one without a parent or in a circle is below the
 * root; warns of both. stacks: what fbxReadStacks gave; the scales that they move count.
 */
FbxNodes fbxReadNodes(const FbxDocument &document, const std::vector<FbxStack> &stacks, Model *model);

#endif
