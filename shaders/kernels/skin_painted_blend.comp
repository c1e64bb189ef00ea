#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blending and scaled dual quaternions mixed by a weight that was painted for each vertex.

#include "stretch.glsl"

struct Bone {
    Stretched stretched;
    vec4 rows[3];
    float mixed; // 0: by the rows, 1: by the dual quaternion
};

Bone blendBones(uint base, Influences influences, vec3 own) {
    Bone bone = Bone(blendStretched(base, influences), vec4[3](vec4(0), vec4(0), vec4(0)), own.x);
    for (uint i = 0; i < influenceCount(influences); i++) {
        vec4 rows[3] = matrixOf(readStretched(base, influenceJoint(influences, i)));
        float weight = influenceWeight(influences, i);
        bone.rows[0] += weight * rows[0];
        bone.rows[1] += weight * rows[1];
        bone.rows[2] += weight * rows[2];
    }
    return bone;
}

vec3[3] linearRows(Bone bone) {
    return vec3[3](bone.rows[0].xyz, bone.rows[1].xyz, bone.rows[2].xyz);
}

vec3 movePoint(Bone bone, vec3 point) {
    vec4 p = vec4(point, 1.0);
    vec3 linear = vec3(dot(bone.rows[0], p), dot(bone.rows[1], p), dot(bone.rows[2], p));
    return mix(linear, stretchVector(bone.stretched, point) + translationOf(bone.stretched.rigid), bone.mixed);
}

vec3 turnVector(Bone bone, vec3 v) {
    return mix(mapVector(linearRows(bone), v), stretchVector(bone.stretched, v), bone.mixed);
}

vec3 turnNormal(Bone bone, vec3 normal) {
    return mix(mapNormal(linearRows(bone), normal), stretchNormal(bone.stretched, normal), bone.mixed);
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(readMeshFloat(vertexClass.blendWeights + vertex), 0.0, 0.0);
}

#include "skin.glsl"
