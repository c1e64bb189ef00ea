#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_MAT3X4.

#include "matrix_bone.glsl"

Bone readBone(uint base, uint joint) {
    uint at = base + joint * 3;
    return Bone(readPalette(at), readPalette(at + 1), readPalette(at + 2));
}

#include "linear_blend.glsl"
