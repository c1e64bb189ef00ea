#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_QUATERNION_SNORM16.

#include "influences.glsl"

#define READ_BONE vkskinReadQuaternionSnorm16
#include "linear_blend.glsl"
