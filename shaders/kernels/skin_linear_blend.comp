#version 450
#extension GL_GOOGLE_include_directive : require

// Linear blend skinning: the weighted sum of 3x4 matrices.

#include "influences.glsl"

struct Bone {
    vec4 rows[3];
};

Bone blendBones(uint base, Influences influences) {
    Bone bone = Bone(vec4[3](vec4(0), vec4(0), vec4(0)));
    for (uint i = 0; i < INFLUENCES; i++) {
        uint at = base + influences.joints[i] * 3;
        bone.rows[0] += influences.weights[i] * palette[at];
        bone.rows[1] += influences.weights[i] * palette[at + 1];
        bone.rows[2] += influences.weights[i] * palette[at + 2];
    }
    return bone;
}

vec3 movePoint(Bone bone, vec3 point) {
    vec4 p = vec4(point, 1.0);
    return vec3(dot(bone.rows[0], p), dot(bone.rows[1], p), dot(bone.rows[2], p));
}

vec3 turnVector(Bone bone, vec3 v) {
    return vec3(dot(bone.rows[0].xyz, v), dot(bone.rows[1].xyz, v), dot(bone.rows[2].xyz, v));
}

#include "skin.glsl"
