#version 450
#extension GL_GOOGLE_include_directive : require

// Le and Hodgins 2016, "Real-time Skeletal Skinning with Optimized Centers of Rotation": the blended rotation turns a
// vertex about its centre, and linear blending moves the centre. The blended stretch acts about the centre as well.

#define BONE_UNITS 4
#include "influences.glsl"

struct Bone {
    VkskinStretched stretched;
    vec3 centre;
    vec3 moved; // the centre, by linear blending
};

struct Sum {
    VkskinStretchedSum stretched;
    vec3 moved;
};

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    VkskinStretched part = vkskinReadStretched(base + joint, 0);
    return Sum(vkskinBegin(weight, part), weight * vkskinMovePoint(part, own));
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    VkskinStretched part = vkskinReadStretched(base + joint, 0);
    vkskinAdd(weight, part, sum.stretched);
    sum.moved += weight * vkskinMovePoint(part, own);
}

#include "blend.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    Sum sum = sumBones(base, influences, own);
    return Bone(vkskinEnd(sum.stretched), own, sum.moved);
}

vec3 movePoint(Bone bone, vec3 point) {
    return bone.moved + vkskinTurnVector(bone.stretched, point - bone.centre);
}

vec3 turnVector(Bone bone, vec3 v) {
    return vkskinTurnVector(bone.stretched, v);
}

vec3 turnNormal(Bone bone, vec3 normal) {
    return EXACT_NORMALS == 1 ? vkskinTurnNormal(bone.stretched, normal) : vkskinTurnVector(bone.stretched, normal);
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return readMeshVec3(vertexClass.centres + vertex * 3);
}

#include "skin.glsl"
