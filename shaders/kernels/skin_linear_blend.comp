#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_MAT3X4.

#define BONE_UNITS 3
#include "influences.glsl"

#define READ_BONE(first, joint) vkskinReadMatrix((first) + (joint), 0)
#define READ_ROW(bone, row) VKSKIN_PALETTE_VECTOR((bone) + (row))
#include "linear_blend.glsl"
