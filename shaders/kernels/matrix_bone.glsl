// matrix_bone.glsl: a bone as a 3x4 matrix, what it does to a vertex, and how one is made of rotation, translation and
// uniform scale.
#ifndef MATRIX_BONE_GLSL
#define MATRIX_BONE_GLSL

#include "influences.glsl"
#include "normals.glsl"
#include "quaternion.glsl"

struct Bone {
    vec4 rows[3];
};

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

Bone boneOfQuaternion(vec4 rotation, vec4 translationAndScale) {
    vec3 rows[3] = rotationRows(rotation);
    vec3 t = translationAndScale.xyz;
    float s = translationAndScale.w;
    return Bone(vec4[3](vec4(s * rows[0], t.x), vec4(s * rows[1], t.y), vec4(s * rows[2], t.z)));
}

// Rounded to few bits it is no longer of unit length; zero stays zero.
vec4 unitRotation(vec4 q) {
    float squared = dot(q, q);
    return q * (squared > 0.0 ? inversesqrt(squared) : 0.0);
}

#endif
