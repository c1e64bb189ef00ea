#version 450
#extension GL_GOOGLE_include_directive : require

// Dual quaternion linear blending, Kavan et al. 2008, "Geometric Skinning with Approximate Dual Quaternion
// Blending": the weighted sum of unit dual quaternions, normalised by its real part.

#define BONE_UNITS 2
#include "influences.glsl"

#define Bone VkskinDual
#define Sum  VkskinDualSum

#include "moves.glsl"

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    return vkskinBegin(weight, vkskinReadDual(base + joint, 0));
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    vkskinAdd(weight, vkskinReadDual(base + joint, 0), sum);
}

#include "blend.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    return vkskinEnd(sumBones(base, influences, own));
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(0);
}

#include "skin.glsl"
