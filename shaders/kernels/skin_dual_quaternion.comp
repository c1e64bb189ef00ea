#version 450
#extension GL_GOOGLE_include_directive : require

// Dual quaternion linear blending, Kavan et al. 2008, "Geometric Skinning with Approximate Dual Quaternion
// Blending": the weighted sum of unit dual quaternions, normalised by its real part.

#include "influences.glsl"
#include "quaternion.glsl"

#define Bone DualQuaternion

struct Sum {
    DualQuaternion dual;
    vec4 pivot; // real part of the first influence; the others are negated into its hemisphere
};

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    uint at = base + joint * 2;
    vec4 real = readPalette(at);
    return Sum(DualQuaternion(weight * real, weight * readPalette(at + 1)), real);
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    uint at = base + joint * 2;
    vec4 real = readPalette(at);
    float turned = weight * sideOf(sum.pivot, real);
    sum.dual.real += turned * real;
    sum.dual.dual += turned * readPalette(at + 1);
}

#include "blend.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    return unitDual(sumBones(base, influences, own).dual);
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
