#version 450
#extension GL_GOOGLE_include_directive : require

// Dual quaternions with scale and shear in the two phases of Kavan et al. 2008.

#define BONE_UNITS 4
#include "influences.glsl"

#define Bone VkskinStretched
#define Sum  VkskinStretchedSum

#include "moves.glsl"

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    return vkskinBegin(weight, vkskinReadStretched(base + joint, 0));
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    vkskinAdd(weight, vkskinReadStretched(base + joint, 0), sum);
}

#include "blend.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    return vkskinEnd(sumBones(base, influences, own));
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(0);
}

#include "skin.glsl"
