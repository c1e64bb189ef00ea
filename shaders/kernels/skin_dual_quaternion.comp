#version 450
#extension GL_GOOGLE_include_directive : require

// Dual quaternion linear blending, Kavan et al. 2008, "Geometric Skinning with Approximate Dual Quaternion
// Blending": the weighted sum of unit dual quaternions, normalised by its real part.

#include "influences.glsl"

struct Bone {
    vec4 real;
    vec4 dual;
};

// q and -q are the same rotation: each joins the hemisphere of the largest influence, lest they cancel out.
Bone blendBones(uint base, Influences influences) {
    vec4 pivot = palette[base + influences.joints[0] * 2];
    Bone bone = Bone(vec4(0), vec4(0));
    for (uint i = 0; i < INFLUENCES; i++) {
        uint at = base + influences.joints[i] * 2;
        vec4 real = palette[at];
        float weight = dot(pivot, real) < 0.0 ? -influences.weights[i] : influences.weights[i];
        bone.real += weight * real;
        bone.dual += weight * palette[at + 1];
    }
    float squared = dot(bone.real, bone.real);
    float scale = squared > 0.0 ? inversesqrt(squared) : 0.0;
    bone.real *= scale;
    bone.dual *= scale;
    return bone;
}

vec3 turnVector(Bone bone, vec3 v) {
    return v + 2.0 * cross(bone.real.xyz, cross(bone.real.xyz, v) + bone.real.w * v);
}

// The dual part need not be orthogonal to the real one after blending; its parallel share drops out here.
vec3 movePoint(Bone bone, vec3 point) {
    vec3 translation = 2.0 * (bone.real.w * bone.dual.xyz - bone.dual.w * bone.real.xyz +
                              cross(bone.real.xyz, bone.dual.xyz));
    return turnVector(bone, point) + translation;
}

#include "skin.glsl"
