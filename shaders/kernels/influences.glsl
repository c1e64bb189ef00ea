// influences.glsl: the mesh page and the palette page, and what moves a vertex.
#ifndef INFLUENCES_GLSL
#define INFLUENCES_GLSL

#include "layout.h"

// KERNEL_MANY and KERNEL_MORPHS are defined, or not, where a kernel is compiled.
#ifdef KERNEL_MANY
const bool MANY = true;
const uint INFLUENCES = LAYOUT_MANY;
#else
const bool MANY = false;
layout(constant_id = LAYOUT_CONSTANT_INFLUENCES) const uint INFLUENCES = 4;
#endif
layout(constant_id = LAYOUT_CONSTANT_EXACT_NORMALS) const uint EXACT_NORMALS = 0;

layout(set = LAYOUT_SET_MESH, binding = 0, std430) readonly buffer Mesh { uint meshWords[]; };
// One page by two names: entries of whole float4, and those that are not.
layout(set = LAYOUT_SET_PALETTE, binding = 0, std430) readonly buffer Palette { vec4 palette[]; };
layout(set = LAYOUT_SET_PALETTE, binding = 0, std430) readonly buffer PaletteWords { uint paletteWords[]; };

float readMeshFloat(uint at) {
    return uintBitsToFloat(meshWords[at]);
}

vec2 readMeshVec2(uint at) {
    return uintBitsToFloat(uvec2(meshWords[at], meshWords[at + 1]));
}

vec3 readMeshVec3(uint at) {
    return uintBitsToFloat(uvec3(meshWords[at], meshWords[at + 1], meshWords[at + 2]));
}

// Of a stream of elements of 1 << log2Bytes bytes.
uint readElement(uint stream, uint element, uint log2Bytes) {
    uint perWord = 2 - log2Bytes; // log2 too
    uint word = meshWords[stream + (element >> perWord)];
    uint shift = (element & ((1u << perWord) - 1u)) << (3 + log2Bytes);
    return log2Bytes == 2 ? word : (word >> shift) & ((1u << (8u << log2Bytes)) - 1u);
}

float readWeight(LayoutClass vertexClass, uint element) {
    uint log2Bytes = LAYOUT_WEIGHT_FORMAT(vertexClass.influenceFormat);
    uint value = readElement(vertexClass.weights, element, log2Bytes);
    float one = log2Bytes == 1 ? 65535.0 : 255.0;
    return log2Bytes == LAYOUT_WEIGHT_FLOAT ? uintBitsToFloat(value) : float(value) / one;
}

uint readJoint(LayoutClass vertexClass, uint element) {
    return readElement(vertexClass.joints, element, LAYOUT_JOINT_FORMAT(vertexClass.influenceFormat));
}

// In descending order of weight. Up to four are read once and held; more are read for each instance anew.
struct Influences {
    uint joints[4];
    float weights[4];
    LayoutClass vertexClass;
    uint first;
    uint count;
};

Influences readInfluences(LayoutClass vertexClass, uint vertex) {
    Influences influences;
    if (MANY) {
        influences.vertexClass = vertexClass;
        influences.first = meshWords[vertexClass.starts + vertex];
        influences.count = meshWords[vertexClass.starts + vertex + 1] - influences.first;
        return influences;
    }
    influences.count = INFLUENCES;
    float left = 1.0;
    for (uint i = 0; i < INFLUENCES; i++) {
        influences.joints[i] = readJoint(vertexClass, vertex * INFLUENCES + i);
        bool last = i == INFLUENCES - 1;
        influences.weights[i] = last ? left : readWeight(vertexClass, vertex * (INFLUENCES - 1) + i);
        left -= influences.weights[i];
    }
    return influences;
}

// Known to the compiler where it is one of the first four.
uint influenceCount(Influences influences) {
    return MANY ? influences.count : INFLUENCES;
}

uint influenceJoint(Influences influences, uint i) {
    return MANY ? readJoint(influences.vertexClass, influences.first + i) : influences.joints[i];
}

float influenceWeight(Influences influences, uint i) {
    return MANY ? readWeight(influences.vertexClass, influences.first + i) : influences.weights[i];
}

#endif
