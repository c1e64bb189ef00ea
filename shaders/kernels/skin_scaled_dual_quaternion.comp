#version 450
#extension GL_GOOGLE_include_directive : require

// Dual quaternions with scale and shear in the two phases of Kavan et al. 2008.

#include "stretch.glsl"

#define Bone Stretched

#define Sum StretchedSum

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    return firstStretched(readStretched(base, joint), weight);
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    addStretched(readStretched(base, joint), weight, sum);
}

#include "blend.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    return endStretched(sumBones(base, influences, own));
}

vec3 movePoint(Bone bone, vec3 point) {
    return stretchVector(bone, point) + translationOf(bone.rigid);
}

vec3 turnVector(Bone bone, vec3 v) {
    return stretchVector(bone, v);
}

vec3 turnNormal(Bone bone, vec3 normal) {
    return stretchNormal(bone, normal);
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(0);
}

#include "skin.glsl"
