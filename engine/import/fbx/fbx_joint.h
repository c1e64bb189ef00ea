/* fbx_joint.h: the local transform of a node of an .fbx file, with its pivots. For the parser's process. */
#ifndef ENGINE_FBX_JOINT_H
#define ENGINE_FBX_JOINT_H

#include "fbx_document.h"
#include "fbx_turn.h"

/* Limits of a translation, a rotation or a scale; infinite where there is none. */
struct FbxLimits {
    FbxVector least, most;
    bool any; /* at least one is there */
};

/*
 * The transform of a node: translation, rotation and scale below, where
 *     T Roff Rp Rpre R inverse(Rpost) inverse(Rp) Soff Sp S inverse(Sp)
 * is the file's. It is a product T R S, because pivots only move.
 */
struct FbxJoint {
    FbxVector translation, rotation, scale; /* at rest, within the limits; degrees */
    int order;                              /* order in which the angles turn */
    FbxQuaternion pre, unpost;              /* before and after the angles' turn */
    FbxVector place;                        /* rotation offset and pivot */
    FbxVector scalePivot, placeScaled;      /* placeScaled: scale offset and pivot, minus the rotation pivot */
    bool hasPivots;                         /* rotation and scale change the position */
    FbxLimits translationLimits, rotationLimits, scaleLimits;
};

#define FBX_ORDER_SPHERIC 6.0 /* this RotationOrder is no order of three turns; it is read as the first order */

FbxJoint fbxReadJoint(const FbxDocument &document, const FbxRecord &node);

/* Where T, R and S of the file place the node. rotation: with pre- and post-rotation. */
FbxVector fbxPosition(const FbxJoint &joint, const FbxVector &translation, const FbxQuaternion &rotation,
                      const FbxVector &scale);

/* The turn of a node whose angles make the turn `angles`. */
FbxQuaternion fbxJointTurn(const FbxJoint &joint, const FbxQuaternion &angles);

FbxVector fbxLimited(const FbxVector &vector, const FbxLimits &limits);

/* The transform of the meshes of a node, relative to the node. */
FbxTransform fbxGeometric(const FbxDocument &document, const FbxRecord &node);

/* At rest. */
FbxTransform fbxRest(const FbxJoint &joint);

#endif
