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

Bone blendBones(uint base, Influences influences, vec3 own) {
    Bone bone = Bone(blendStretched(base, influences), own, vec3(0));
    for (uint i = 0; i < influenceCount(influences); i++) {
        Stretched part = readStretched(base, influenceJoint(influences, i));
        bone.moved += influenceWeight(influences, i) * (stretchVector(part, own) + translationOf(part.rigid));
    }
    return bone;
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
