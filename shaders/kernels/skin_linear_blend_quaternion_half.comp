#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_QUATERNION_HALF.

#include "matrix_bone.glsl"

Bone readBone(uint base, uint joint) {
    uint at = (base + joint) * 4;
    uvec4 words = uvec4(paletteWords[at], paletteWords[at + 1], paletteWords[at + 2], paletteWords[at + 3]);
    vec4 rotation = vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y));
    return boneOfQuaternion(unitRotation(rotation), vec4(unpackHalf2x16(words.z), unpackHalf2x16(words.w)));
}

#include "linear_blend.glsl"
