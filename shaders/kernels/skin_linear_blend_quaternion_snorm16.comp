#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning with VKSKIN_PALETTE_QUATERNION_SNORM16.

#include "matrix_bone.glsl"

Bone readBone(uint base, uint joint) {
    uint at = base * 4 + joint * 6;
    vec4 rotation = vec4(unpackSnorm2x16(paletteWords[at]), unpackSnorm2x16(paletteWords[at + 1]));
    uvec4 rest = uvec4(paletteWords[at + 2], paletteWords[at + 3], paletteWords[at + 4], paletteWords[at + 5]);
    return boneOfQuaternion(unitRotation(rotation), uintBitsToFloat(rest));
}

#include "linear_blend.glsl"
