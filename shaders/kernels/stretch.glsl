// stretch.glsl: bones of VKSKIN_PALETTE_SCALED_DUAL_QUATERNION: a symmetric stretch followed by a rigid motion.
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
    vec4 s = readPalette(at + 2);
    return Stretched(DualQuaternion(readPalette(at), readPalette(at + 1)), s.xyz, vec3(s.w, readPalette(at + 3).xy));
}

Rows stretchRows(Stretched bone) {
    vec3 d = bone.diagonal, a = bone.across;
    return Rows(vec3(d.x, a.x, a.y), vec3(a.x, d.y, a.z), vec3(a.y, a.z, d.z));
}

// The rigid part and the stretch are summed separately: the two phases of Kavan et al. 2008.
struct StretchedSum {
    Stretched sum;
    vec4 pivot; // real part of the first influence; the others are negated into its hemisphere
};

StretchedSum firstStretched(Stretched bone, float weight) {
    DualQuaternion rigid = DualQuaternion(weight * bone.rigid.real, weight * bone.rigid.dual);
    return StretchedSum(Stretched(rigid, weight * bone.diagonal, weight * bone.across), bone.rigid.real);
}

void addStretched(Stretched bone, float weight, inout StretchedSum total) {
    float turned = weight * sideOf(total.pivot, bone.rigid.real);
    total.sum.rigid.real += turned * bone.rigid.real;
    total.sum.rigid.dual += turned * bone.rigid.dual;
    total.sum.diagonal += weight * bone.diagonal;
    total.sum.across += weight * bone.across;
}

Stretched endStretched(StretchedSum total) {
    return Stretched(unitDual(total.sum.rigid), total.sum.diagonal, total.sum.across);
}

vec3 stretchVector(Stretched bone, vec3 v) {
    return rotate(bone.rigid.real, mapVector(stretchRows(bone), v));
}

vec3 stretchNormal(Stretched bone, vec3 normal) {
    return rotate(bone.rigid.real, mapNormal(stretchRows(bone), normal));
}

#endif
