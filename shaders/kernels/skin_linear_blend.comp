#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_MAT3X4.

#include "influences.glsl"

#define READ_BONE vkskinReadMatrix
#include "linear_blend.glsl"
