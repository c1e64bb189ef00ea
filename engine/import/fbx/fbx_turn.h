/* fbx_turn.h: turns as quaternions in double precision, and the angles of an .fbx file. For the parser's process. */
#ifndef ENGINE_FBX_TURN_H
#define ENGINE_FBX_TURN_H

#include <array>

using FbxVector = std::array<double, 3>;

/* A unit quaternion. */
struct FbxQuaternion {
    double x = 0.0, y = 0.0, z = 0.0, w = 1.0;
};

/* A product of T, R and S: scale first. */
struct FbxTransform {
    FbxVector translation = {0.0, 0.0, 0.0};
    FbxQuaternion rotation;
    FbxVector scale = {1.0, 1.0, 1.0};
};

/* Returns a + factor * b. */
FbxVector fbxSum(const FbxVector &a, const FbxVector &b, double factor);

FbxVector fbxCross(const FbxVector &a, const FbxVector &b);

/* Component by component. */
FbxVector fbxScaled(const FbxVector &vector, const FbxVector &scale);

/* `b` turns first. */
FbxQuaternion fbxProduct(const FbxQuaternion &a, const FbxQuaternion &b);

FbxQuaternion fbxInverse(const FbxQuaternion &turn);

FbxVector fbxTurned(const FbxQuaternion &turn, const FbxVector &vector);

/* Share 0: from; 1: to. On the shorter way, at constant speed. */
FbxQuaternion fbxBetween(const FbxQuaternion &from, const FbxQuaternion &to, double share);

/*
 * The turn by three angles in degrees. order: the file's RotationOrder, 0 to 5; others count as 0, in which x turns first,
 * then y, then z.
 */
FbxQuaternion fbxTurn(const FbxVector &degrees, int order);

#endif
