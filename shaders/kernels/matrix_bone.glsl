// matrix_bone.glsl: a bone as a 3x4 matrix, and how one is made of rotation, translation and uniform scale.
#ifndef MATRIX_BONE_GLSL
#define MATRIX_BONE_GLSL

#include "influences.glsl"
#include "quaternion.glsl"

struct Bone {
    vec4 rows[3];
};

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
