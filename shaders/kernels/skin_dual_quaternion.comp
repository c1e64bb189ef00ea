#version 450
#extension GL_GOOGLE_include_directive : require

// Dual quaternion linear blending, Kavan et al. 2008, "Geometric Skinning with Approximate Dual Quaternion
// Blending": the weighted sum of unit dual quaternions, normalised by its real part.

#include "influences.glsl"
#include "quaternion.glsl"

#define Bone DualQuaternion

Bone blendBones(uint base, Influences influences, vec3 own) {
    vec4 pivot = palette[base + influenceJoint(influences, 0) * 2];
    Bone bone = Bone(vec4(0), vec4(0));
    for (uint i = 0; i < influenceCount(influences); i++) {
        uint at = base + influenceJoint(influences, i) * 2;
        vec4 real = palette[at];
        float weight = influenceWeight(influences, i) * sideOf(pivot, real);
        bone.real += weight * real;
        bone.dual += weight * palette[at + 1];
    }
    return unitDual(bone);
}

vec3 movePoint(Bone bone, vec3 point) {
    return rotate(bone.real, point) + translationOf(bone);
}

vec3 turnVector(Bone bone, vec3 v) {
    return rotate(bone.real, v);
}

vec3 turnNormal(Bone bone, vec3 normal) {
    return rotate(bone.real, normal);
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(0);
}

#include "skin.glsl"
