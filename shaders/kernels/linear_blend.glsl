// linear_blend.glsl: linear blend skinning, the weighted sum of 3x4 matrices.
//
// A kernel includes this file after it has defined, for its encoding of the palette,
//     Bone readBone(uint palette, uint joint)      given the struct below
#ifndef LINEAR_BLEND_GLSL
#define LINEAR_BLEND_GLSL

#include "normals.glsl"

Bone blendBones(uint base, Influences influences, vec3 own) {
    Bone bone = Bone(vec4[3](vec4(0), vec4(0), vec4(0)));
    for (uint i = 0; i < influenceCount(influences); i++) {
        float weight = influenceWeight(influences, i);
        Bone part = readBone(base, influenceJoint(influences, i));
        bone.rows[0] += weight * part.rows[0];
        bone.rows[1] += weight * part.rows[1];
        bone.rows[2] += weight * part.rows[2];
    }
    return bone;
}

vec3[3] linearRows(Bone bone) {
    return vec3[3](bone.rows[0].xyz, bone.rows[1].xyz, bone.rows[2].xyz);
}

vec3 movePoint(Bone bone, vec3 point) {
    vec4 p = vec4(point, 1.0);
    return vec3(dot(bone.rows[0], p), dot(bone.rows[1], p), dot(bone.rows[2], p));
}

vec3 turnVector(Bone bone, vec3 v) {
    return mapVector(linearRows(bone), v);
}

vec3 turnNormal(Bone bone, vec3 normal) {
    return mapNormal(linearRows(bone), normal);
}

vec3 readOwn(LayoutClass vertexClass, uint vertex) {
    return vec3(0);
}

#include "skin.glsl"

#endif
