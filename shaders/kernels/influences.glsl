// influences.glsl: reads mesh pages, palette pages and the influences of a vertex.
#ifndef INFLUENCES_GLSL
#define INFLUENCES_GLSL

#include "layout.h"

// The build compiles each kernel with and without KERNEL_MANY and KERNEL_MORPHS.
#ifdef KERNEL_MANY
const bool MANY = true;
const uint INFLUENCES = LAYOUT_MANY;
#else
const bool MANY = false;
layout(constant_id = LAYOUT_CONSTANT_INFLUENCES) const uint INFLUENCES = 4;
#endif
layout(constant_id = LAYOUT_CONSTANT_EXACT_NORMALS) const uint EXACT_NORMALS = 0;
layout(constant_id = LAYOUT_CONSTANT_PALETTE_TEXELS) const uint PALETTE_TEXELS = 0;

layout(set = LAYOUT_SET_MESH, binding = 0, std430) readonly buffer Mesh { uint meshWords[]; };
// Three views of one palette page. Encodings of whole float4 are read as vectors or texels, other encodings as words.
layout(set = LAYOUT_SET_PALETTE, binding = 0, std430) readonly buffer Palette { vec4 paletteVectors[]; };
layout(set = LAYOUT_SET_PALETTE, binding = 1) uniform samplerBuffer paletteTexels;
layout(set = LAYOUT_SET_PALETTE, binding = 0, std430) readonly buffer PaletteWords { uint paletteWords[]; };

vec4 readPalette(uint at) {
    return PALETTE_TEXELS == 1 ? texelFetch(paletteTexels, int(at)) : paletteVectors[at];
}

#define VKSKIN_PALETTE_VECTOR(at) readPalette(at)
#define VKSKIN_PALETTE_WORD(at)   paletteWords[at]
#include "vkskin/vkskin_vertex.glsl"

// Units of 16 bytes of a bone, if its encoding has whole ones: joints are kept multiplied by it, so that a loop over
// instances need not. Kernels that define it read bone `joint` at first + joint.
#ifndef BONE_UNITS
#define BONE_UNITS 1
#endif

float readMeshFloat(uint at) {
    return uintBitsToFloat(meshWords[at]);
}

vec2 readMeshVec2(uint at) {
    return uintBitsToFloat(uvec2(meshWords[at], meshWords[at + 1]));
}

vec3 readMeshVec3(uint at) {
    return uintBitsToFloat(uvec3(meshWords[at], meshWords[at + 1], meshWords[at + 2]));
}

// Reads an element of a stream; elements have 1 << log2Bytes bytes.
uint readElement(uint stream, uint element, uint log2Bytes) {
    uint perWord = 2 - log2Bytes; // also a log2
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
    return BONE_UNITS * readElement(vertexClass.joints, element, LAYOUT_JOINT_FORMAT(vertexClass.influenceFormat));
}

// The influences of a vertex, by descending weight. Up to four are read once and kept in vectors, because some drivers
// keep arrays in memory. More than four are read again for each instance.
struct Influences {
    uvec4 joints;
    vec4 weights;
    LayoutClass vertexClass;
    uint first;
    uint count;
};

uvec4 readJoints(LayoutClass vertexClass, uint first) {
    uvec4 joints = uvec4(readJoint(vertexClass, first), 0, 0, 0);
    if (INFLUENCES > 1) {
        joints.y = readJoint(vertexClass, first + 1);
    }
    if (INFLUENCES > 2) {
        joints.z = readJoint(vertexClass, first + 2);
    }
    if (INFLUENCES > 3) {
        joints.w = readJoint(vertexClass, first + 3);
    }
    return joints;
}

// The last weight is 1 minus the sum of the others.
vec4 readWeights(LayoutClass vertexClass, uint first) {
    vec4 weights = vec4(1.0, 0.0, 0.0, 0.0);
    if (INFLUENCES > 1) {
        weights.x = readWeight(vertexClass, first);
        weights.y = 1.0 - weights.x;
    }
    if (INFLUENCES > 2) {
        weights.z = weights.y;
        weights.y = readWeight(vertexClass, first + 1);
        weights.z -= weights.y;
    }
    if (INFLUENCES > 3) {
        weights.w = weights.z;
        weights.z = readWeight(vertexClass, first + 2);
        weights.w -= weights.z;
    }
    return weights;
}

Influences readInfluences(LayoutClass vertexClass, uint vertex) {
    Influences influences;
    if (MANY) {
        influences.vertexClass = vertexClass;
        influences.first = meshWords[vertexClass.starts + vertex];
        influences.count = min(meshWords[vertexClass.starts + vertex + 1] - influences.first, LAYOUT_MOST_INFLUENCES);
    } else if (INFLUENCES > 0) {
        influences.joints = readJoints(vertexClass, vertex * INFLUENCES);
        influences.weights = readWeights(vertexClass, vertex * (INFLUENCES - 1));
    }
    return influences;
}

#endif
