#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_QUATERNION.

#include "matrix_bone.glsl"

Bone readBone(uint base, uint joint) {
    uint at = base + joint * 2;
    return boneOfQuaternion(readPalette(at), readPalette(at + 1));
}

#include "linear_blend.glsl"
