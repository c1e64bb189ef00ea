// linear_blend.glsl: linear blend skinning, the weighted sum of 3x4 matrices.
//
// A kernel includes this file after matrix_bone.glsl, and after it has defined, for its encoding of the palette,
//     Bone readBone(uint palette, uint joint)
#ifndef LINEAR_BLEND_GLSL
#define LINEAR_BLEND_GLSL

Bone blendBones(uint base, Influences influences, vec3 own) {
    Bone bone = Bone(vec4[3](vec4(0), vec4(0), vec4(0)));
    for (uint i = 0; i < influenceCount(influences); i++) {
        float weight = influenceWeight(influences, i);
        Bone part = readBone(base, influenceJoint(influences, i));
        bone.rows[0] += weight * part.rows[0];
        bone.rows[1] += weight * part.rows[1];
        bone.rows[2] += weight * part.rows[2];
    }
    return bone;
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(0);
}

#include "skin.glsl"

#endif
