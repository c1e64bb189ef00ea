// linear_blend.glsl: linear blend skinning, the weighted sum of 3x4 matrices.
//
// A kernel includes this file after influences.glsl and after it has defined the reader of its palette encoding,
//     VkskinMatrix READ_BONE(uint palette, uint joint)
#ifndef LINEAR_BLEND_GLSL
#define LINEAR_BLEND_GLSL

#define Bone VkskinMatrix
#define Sum  VkskinMatrix

#include "moves.glsl"

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    return vkskinBegin(weight, READ_BONE(base, joint));
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    vkskinAdd(weight, READ_BONE(base, joint), sum);
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
