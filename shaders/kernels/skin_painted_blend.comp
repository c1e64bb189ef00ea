#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blending and scaled dual quaternions, mixed with a weight painted per vertex. Both blend to a matrix, and the
// two matrices are interpolated.

#define BONE_UNITS 4
#include "influences.glsl"

#define Bone VkskinMatrix

#include "moves.glsl"

// The matrix [R S | t] of a palette entry.
Bone matrixOf(VkskinStretched bone) {
    VkskinRows r = vkskinRotationRows(bone.rigid.real);
    VkskinRows s = vkskinStretchRows(bone);
    vec3 t = vkskinTranslationOf(bone.rigid);
    // S is symmetric: S times a row of R is a row of R S.
    return Bone(vec4(vkskinMapVector(s, r.x), t.x), vec4(vkskinMapVector(s, r.y), t.y),
                vec4(vkskinMapVector(s, r.z), t.z));
}

struct Sum {
    VkskinStretchedSum turned;
    Bone linear;
};

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    VkskinStretched part = vkskinReadStretched(base + joint, 0);
    return Sum(vkskinBegin(weight, part), vkskinBegin(weight, matrixOf(part)));
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    VkskinStretched part = vkskinReadStretched(base + joint, 0);
    vkskinAdd(weight, part, sum.turned);
    vkskinAdd(weight, matrixOf(part), sum.linear);
}

#include "blend.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    Sum sum = sumBones(base, influences, own);
    Bone turned = matrixOf(vkskinEnd(sum.turned));
    return Bone(mix(sum.linear.x, turned.x, own.x), mix(sum.linear.y, turned.y, own.x),
                mix(sum.linear.z, turned.z, own.x));
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(readMeshFloat(vertexClass.blendWeights + vertex), 0.0, 0.0);
}

#include "skin.glsl"
