// matrix_bone.glsl: a bone as a 3x4 matrix: transform a vertex; convert from rotation, translation and uniform scale.
#ifndef MATRIX_BONE_GLSL
#define MATRIX_BONE_GLSL

#include "influences.glsl"
#include "normals.glsl"
#include "quaternion.glsl"

struct Bone {
    vec4 x, y, z; // rows
};

Bone scaleBone(float weight, Bone bone) {
    return Bone(weight * bone.x, weight * bone.y, weight * bone.z);
}

void addScaled(float weight, Bone bone, inout Bone sum) {
    sum.x += weight * bone.x;
    sum.y += weight * bone.y;
    sum.z += weight * bone.z;
}

Rows linearRows(Bone bone) {
    return Rows(bone.x.xyz, bone.y.xyz, bone.z.xyz);
}

vec3 movePoint(Bone bone, vec3 point) {
    return mapVector(linearRows(bone), point) + vec3(bone.x.w, bone.y.w, bone.z.w);
}

vec3 turnVector(Bone bone, vec3 v) {
    return mapVector(linearRows(bone), v);
}

vec3 turnNormal(Bone bone, vec3 normal) {
    return mapNormal(linearRows(bone), normal);
}

Bone boneOfQuaternion(vec4 rotation, vec4 translationAndScale) {
    Rows rows = rotationRows(rotation);
    vec3 t = translationAndScale.xyz;
    float s = translationAndScale.w;
    return Bone(vec4(s * rows.x, t.x), vec4(s * rows.y, t.y), vec4(s * rows.z, t.z));
}

// Normalises a rotation that was stored in few bits. Zero stays zero.
vec4 unitRotation(vec4 q) {
    float squared = dot(q, q);
    return q * (squared > 0.0 ? inversesqrt(squared) : 0.0);
}

#endif
