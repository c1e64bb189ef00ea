#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning in two dimensions with VKSKIN_PALETTE_MAT2X3.

#define POSITION_WORDS 2

#include "matrix_bone.glsl"

Bone readBone(uint base, uint joint) {
    uint at = base * 4 + joint * 6;
    vec3 x = uintBitsToFloat(uvec3(paletteWords[at], paletteWords[at + 1], paletteWords[at + 2]));
    vec3 y = uintBitsToFloat(uvec3(paletteWords[at + 3], paletteWords[at + 4], paletteWords[at + 5]));
    return Bone(vec4(x.xy, 0.0, x.z), vec4(y.xy, 0.0, y.z), vec4(0));
}

#include "linear_blend.glsl"
