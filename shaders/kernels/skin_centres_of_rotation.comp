#version 450
#extension GL_GOOGLE_include_directive : require

// Le and Hodgins 2016, "Real-time Skeletal Skinning with Optimized Centers of Rotation": the blended rotation turns a
// vertex about its centre, and linear blending moves the centre. The blended stretch acts about the centre as well.

#include "stretch.glsl"

struct Bone {
    Stretched stretched;
    vec3 centre;
    vec3 moved; // the centre, by linear blending
};

struct Sum {
    StretchedSum stretched;
    vec3 moved;
};

vec3 moveCentre(Stretched bone, vec3 centre) {
    return stretchVector(bone, centre) + translationOf(bone.rigid);
}

Sum firstBone(uint base, uint joint, float weight, vec3 own) {
    Stretched part = readStretched(base, joint);
    return Sum(firstStretched(part, weight), weight * moveCentre(part, own));
}

void addBone(uint base, uint joint, float weight, vec3 own, inout Sum sum) {
    Stretched part = readStretched(base, joint);
    addStretched(part, weight, sum.stretched);
    sum.moved += weight * moveCentre(part, own);
}

#include "blend.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    Sum sum = sumBones(base, influences, own);
    return Bone(endStretched(sum.stretched), own, sum.moved);
}

vec3 movePoint(Bone bone, vec3 point) {
    return bone.moved + stretchVector(bone.stretched, point - bone.centre);
}

vec3 turnVector(Bone bone, vec3 v) {
    return stretchVector(bone.stretched, v);
}

vec3 turnNormal(Bone bone, vec3 normal) {
    return stretchNormal(bone.stretched, normal);
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return readMeshVec3(vertexClass.centres + vertex * 3);
}

#include "skin.glsl"
