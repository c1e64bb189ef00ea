#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_QUATERNION.

#define BONE_UNITS 2
#include "influences.glsl"

#define READ_BONE(first, joint) vkskinReadQuaternion((first) + (joint), 0)
#include "linear_blend.glsl"
