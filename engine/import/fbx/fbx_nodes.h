/* fbx_nodes.h: the nodes of an .fbx file: their transforms and what they are in assimp's scene. For the parser's process. */
#ifndef ENGINE_FBX_NODES_H
#define ENGINE_FBX_NODES_H

extern "C" {
#include "model.h"
}

#include "fbx_document.h"

#include <assimp/scene.h>

using FbxQuaternion = aiQuaterniont<double>;

/*
 * The transform of a node: translation, rotation and scale below, where
 *     T Roff Rp Rpre R inverse(Rpost) inverse(Rp) Soff Sp S inverse(Sp)
 * is the file's. It is a product T R S, because pivots only move.
 */
struct FbxJoint {
    FbxVector translation, rotation, scale; /* at rest; degrees */
    int order;                              /* order in which the angles turn */
    FbxQuaternion pre, unpost;              /* before and after the angles' turn */
    FbxVector rotationPivot, place;         /* place: rotation offset and pivot */
    FbxVector scalePivot, placeScaled;      /* placeScaled: scale offset and pivot, minus the rotation pivot */
    bool hasPivots;                         /* rotation and scale change the position */
};

FbxJoint fbxReadJoint(const FbxDocument &document, const FbxRecord &node);

/* The turn by three angles in degrees; order: the file's RotationOrder. */
FbxQuaternion fbxTurn(const FbxVector &degrees, int order);

/* Where T, R and S of the file place the node. */
FbxVector fbxPosition(const FbxJoint &joint, const FbxVector &translation, const FbxQuaternion &rotation,
                      const FbxVector &scale);

using FbxNodes = std::map<const aiNode *, const FbxRecord *>; /* without the scene's root */

/*
 * Finds the object of each node, and gives the nodes the transforms of the file at rest. The meshes of a node with a
 * geometric transform go to a new node below it. Warns where the nodes of the scene are not those of the file, and of
 * nodes whose InheritType is not that of a product of matrices, where a scale above them makes a difference.
 */
FbxNodes fbxPlaceNodes(const FbxDocument &document, aiScene *scene, Model *model);

#endif
