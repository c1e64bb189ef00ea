// stretch.glsl: bones of VKSKIN_PALETTE_SCALED_DUAL_QUATERNION: a symmetric stretch, then a rigid motion.
#ifndef STRETCH_GLSL
#define STRETCH_GLSL

#include "influences.glsl"
#include "normals.glsl"
#include "quaternion.glsl"

struct Stretched {
    DualQuaternion rigid;
    vec3 diagonal; // xx, yy, zz
    vec3 across;   // xy, xz, yz
};

Stretched readStretched(uint base, uint joint) {
    uint at = base + joint * 4;
    vec4 s = palette[at + 2];
    return Stretched(DualQuaternion(palette[at], palette[at + 1]), s.xyz, vec3(s.w, palette[at + 3].xy));
}

vec3[3] stretchRows(Stretched bone) {
    vec3 d = bone.diagonal, a = bone.across;
    return vec3[3](vec3(d.x, a.x, a.y), vec3(a.x, d.y, a.z), vec3(a.y, a.z, d.z));
}

// Rigid part and stretch apart: the two phases of Kavan et al. 2008.
Stretched blendStretched(uint base, Influences influences) {
    vec4 pivot = palette[base + influenceJoint(influences, 0) * 4];
    Stretched sum = Stretched(DualQuaternion(vec4(0), vec4(0)), vec3(0), vec3(0));
    for (uint i = 0; i < influenceCount(influences); i++) {
        Stretched part = readStretched(base, influenceJoint(influences, i));
        float weight = influenceWeight(influences, i);
        float turned = weight * sideOf(pivot, part.rigid.real);
        sum.rigid.real += turned * part.rigid.real;
        sum.rigid.dual += turned * part.rigid.dual;
        sum.diagonal += weight * part.diagonal;
        sum.across += weight * part.across;
    }
    sum.rigid = unitDual(sum.rigid);
    return sum;
}

vec3 stretchVector(Stretched bone, vec3 v) {
    return rotate(bone.rigid.real, mapVector(stretchRows(bone), v));
}

vec3 stretchNormal(Stretched bone, vec3 normal) {
    return rotate(bone.rigid.real, mapNormal(stretchRows(bone), normal));
}

// The matrix R S | t that an entry stands for.
vec4[3] matrixOf(Stretched bone) {
    vec3 r[3] = rotationRows(bone.rigid.real);
    vec3 s[3] = stretchRows(bone);
    vec3 t = translationOf(bone.rigid);
    // S is symmetric: a row of R through S is a row of R S.
    return vec4[3](vec4(mapVector(s, r[0]), t.x), vec4(mapVector(s, r[1]), t.y), vec4(mapVector(s, r[2]), t.z));
}

#endif
