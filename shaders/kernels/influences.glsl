// influences.glsl: what moves a vertex, and where bones are read from.
#ifndef INFLUENCES_GLSL
#define INFLUENCES_GLSL

#include "layout.h"

layout(constant_id = LAYOUT_CONSTANT_INFLUENCES) const uint INFLUENCES = 4;

layout(set = LAYOUT_SET_MESH, binding = 0, std430) readonly buffer Mesh { uint meshWords[]; };
layout(set = LAYOUT_SET_PALETTE, binding = 0, std430) readonly buffer Palette { vec4 palette[]; };

// In descending order of weight; the first INFLUENCES of them count.
struct Influences {
    uint joints[4];
    float weights[4];
};

vec3 readMeshVec3(uint at) {
    return uintBitsToFloat(uvec3(meshWords[at], meshWords[at + 1], meshWords[at + 2]));
}

Influences readInfluences(LayoutJob job, uint vertex) {
    Influences influences;
    uint jointAt = job.joints + vertex * ((INFLUENCES + 1) / 2);
    uint weightAt = job.weights + vertex * (INFLUENCES - 1);
    float left = 1.0;
    for (uint i = 0; i < INFLUENCES; i++) {
        uint pair = meshWords[jointAt + i / 2];
        influences.joints[i] = (i & 1) == 0 ? pair & 0xffffu : pair >> 16;
        bool last = i == INFLUENCES - 1;
        influences.weights[i] = last ? left : uintBitsToFloat(meshWords[weightAt + i]);
        left -= influences.weights[i];
    }
    return influences;
}

#endif
