#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_QUATERNION.

#include "influences.glsl"

#define READ_BONE vkskinReadQuaternion
#include "linear_blend.glsl"
