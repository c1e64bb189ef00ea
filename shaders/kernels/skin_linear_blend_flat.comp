#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning in two dimensions with VKSKIN_PALETTE_MAT2X3.

#define POSITION_WORDS 2

#include "influences.glsl"

#define READ_BONE vkskinReadMatrix2x3
#include "linear_blend.glsl"
