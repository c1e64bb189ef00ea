// linear_blend.glsl: linear blend skinning, the weighted sum of 3x4 matrices.
//
// A kernel includes this file after matrix_bone.glsl and after it has defined, for its palette encoding,
//     Bone readBone(uint palette, uint joint)
#ifndef LINEAR_BLEND_GLSL
#define LINEAR_BLEND_GLSL

#define Sum Bone

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    return scaleBone(weight, readBone(base, joint));
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    addScaled(weight, readBone(base, joint), sum);
}

#include "blend.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    return sumBones(base, influences, own);
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(0);
}

#include "skin.glsl"

#endif
