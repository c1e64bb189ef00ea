// vkskin_crowd.glsl: for the host's vertex shaders: reads the characters of a crowd (vkskin_crowd.h) where it draws them.
// Enable GL_GOOGLE_include_directive to include it. It declares only types and functions.
//
// Define these before you include this file, as readonly storage buffers of uint:
//     VKSKIN_CROWD_FRAME_WORD(at)   word `at` of VkskinCrowdBuffers.frame, bound from frameOffset on
//     VKSKIN_CROWD_VERTEX_WORD(at)  word `at` of VkskinCrowdDraw.vertices
//
// Only if you read bones:
//     VKSKIN_CROWD_PALETTE_WORD(at) word `at` of VkskinCrowdDraw.palettes
//
// A vertex shader with the constants of its draw in `draw`:
//     VkskinCrowdInstance instance = vkskinCrowdInstance(draw, gl_InstanceIndex);
//     vec3 position = vkskinCrowdPosition(draw, instance, gl_VertexIndex);
//     vec3 world = vkskinCrowdPlace(instance.transform, position);
#ifndef VKSKIN_CROWD_GLSL
#define VKSKIN_CROWD_GLSL

#include "vkskin/vkskin.glsl"

// VkskinCrowdDraw.constants. vertexOffset: in two's complement.
struct VkskinCrowdConstants {
    uint list, slots, vertices, slotWords, copyWords, attributes, format, vertexOffset;
};

// An element of VkskinCrowdBuffers.constants, 48 bytes in std430. vertices: an address, for GL_EXT_buffer_reference_uvec2.
struct VkskinCrowdDrawConstants {
    VkskinCrowdConstants constants;
    uvec2 vertices;
    uvec2 reserved;
};

// The rows of a transform: x, y, z of the axes, then the translation.
struct VkskinCrowdRows {
    vec4 x, y, z;
};

struct VkskinCrowdInstance {
    VkskinCrowdRows transform; // model to world
    VkskinCrowdRows previous;  // transform in the previous frame; the same if it was not drawn then, or was teleported
    uint variation;            // VkskinCharacterDef.variation
    uint character;            // VkskinCharacter.index - 1
    uint generation;           // VkskinCharacter.generation
    uint vertices;             // words from the part's positions to those of this character
    uint previousVertices;     // the same of the frame before; equal to `vertices` as above, and without previousPositions
    uint slot;                 // its palette in VkskinCrowdDraw.palettes
};

#define VKSKIN_CROWD_RECORD_WORDS 28u

vec4 vkskinCrowdVector(uint at) {
    return uintBitsToFloat(uvec4(VKSKIN_CROWD_FRAME_WORD(at), VKSKIN_CROWD_FRAME_WORD(at + 1u),
                                 VKSKIN_CROWD_FRAME_WORD(at + 2u), VKSKIN_CROWD_FRAME_WORD(at + 3u)));
}

VkskinCrowdRows vkskinCrowdRows(uint at) {
    return VkskinCrowdRows(vkskinCrowdVector(at), vkskinCrowdVector(at + 4u), vkskinCrowdVector(at + 8u));
}

// instance: gl_InstanceIndex
VkskinCrowdInstance vkskinCrowdInstance(VkskinCrowdConstants draw, uint instance) {
    uint slot = VKSKIN_CROWD_FRAME_WORD(draw.list + instance);
    uint at = draw.slots + slot * VKSKIN_CROWD_RECORD_WORDS;
    uint copies = VKSKIN_CROWD_FRAME_WORD(at + 26u);
    uint first = draw.vertices + slot * draw.slotWords;
    return VkskinCrowdInstance(vkskinCrowdRows(at), vkskinCrowdRows(at + 12u), VKSKIN_CROWD_FRAME_WORD(at + 24u),
                               VKSKIN_CROWD_FRAME_WORD(at + 25u), VKSKIN_CROWD_FRAME_WORD(at + 27u),
                               first + (copies & 0xffu) * draw.copyWords, first + (copies >> 8) * draw.copyWords, slot);
}

vec3 vkskinCrowdVertexVector(uint at) {
    return uintBitsToFloat(uvec3(VKSKIN_CROWD_VERTEX_WORD(at), VKSKIN_CROWD_VERTEX_WORD(at + 1u),
                                 VKSKIN_CROWD_VERTEX_WORD(at + 2u)));
}

// vertex: gl_VertexIndex, the index of the vertex in the mesh plus VkskinCrowdPart.vertexOffset. In model space, like the
// following.
vec3 vkskinCrowdPosition(VkskinCrowdConstants draw, VkskinCrowdInstance instance, uint vertex) {
    return vkskinCrowdVertexVector(instance.vertices + 3u * (vertex - draw.vertexOffset));
}

vec3 vkskinCrowdPreviousPosition(VkskinCrowdConstants draw, VkskinCrowdInstance instance, uint vertex) {
    return vkskinCrowdVertexVector(instance.previousVertices + 3u * (vertex - draw.vertexOffset));
}

bool vkskinCrowdHasNormals(VkskinCrowdConstants draw) {
    return (draw.format & 16u) != 0u;
}

bool vkskinCrowdHasTangents(VkskinCrowdConstants draw) {
    return (draw.format & 32u) != 0u;
}

// The first word of a vertex's normal; its tangent follows.
uint vkskinCrowdAttributes(VkskinCrowdConstants draw, VkskinCrowdInstance instance, uint vertex) {
    bool floats = (draw.format & 15u) == 1u;
    uint words = vkskinCrowdHasTangents(draw) ? (floats ? 7u : 2u) : (floats ? 3u : 1u);
    return instance.vertices + draw.attributes + words * (vertex - draw.vertexOffset);
}

// Returns a unit vector. Only if the mesh has normals.
vec3 vkskinCrowdNormal(VkskinCrowdConstants draw, VkskinCrowdInstance instance, uint vertex) {
    uint at = vkskinCrowdAttributes(draw, instance, vertex);
    uint format = draw.format & 15u;
    if (format == 1u) {
        return vkskinCrowdVertexVector(at);
    }
    return format == 0u ? vkskinUnpackNormal(VKSKIN_CROWD_VERTEX_WORD(at))
                        : normalize(vkskinUnpackSnorm10(VKSKIN_CROWD_VERTEX_WORD(at)).xyz);
}

// w is the handedness. Only if the mesh has tangents.
vec4 vkskinCrowdTangent(VkskinCrowdConstants draw, VkskinCrowdInstance instance, uint vertex) {
    uint at = vkskinCrowdAttributes(draw, instance, vertex);
    uint format = draw.format & 15u;
    if (format == 1u) {
        return vec4(vkskinCrowdVertexVector(at + 3u), uintBitsToFloat(VKSKIN_CROWD_VERTEX_WORD(at + 6u)));
    }
    return format == 0u ? vkskinUnpackTangent(VKSKIN_CROWD_VERTEX_WORD(at + 1u))
                        : vkskinUnpackSnorm10(VKSKIN_CROWD_VERTEX_WORD(at + 1u));
}

vec3 vkskinCrowdPlace(VkskinCrowdRows rows, vec3 point) {
    vec4 p = vec4(point, 1.0);
    return vec3(dot(rows.x, p), dot(rows.y, p), dot(rows.z, p));
}

#ifdef VKSKIN_CROWD_PALETTE_WORD
// The matrix of a bone, from the model at bind to the model in this pose, of a model with VKSKIN_PALETTE_MAT3X4. paletteStride:
// VkskinCrowdDraw.paletteStride. For what a bone holds: vkskinCrowdPlace(instance.transform, vkskinCrowdPlace(rows, point)),
// with a point that is in model space at bind.
VkskinCrowdRows vkskinCrowdBone(VkskinCrowdInstance instance, uint paletteStride, uint bone) {
    uint at = instance.slot * (paletteStride / 4u) + bone * 12u;
    VkskinCrowdRows rows;
    rows.x = uintBitsToFloat(uvec4(VKSKIN_CROWD_PALETTE_WORD(at), VKSKIN_CROWD_PALETTE_WORD(at + 1u),
                                   VKSKIN_CROWD_PALETTE_WORD(at + 2u), VKSKIN_CROWD_PALETTE_WORD(at + 3u)));
    rows.y = uintBitsToFloat(uvec4(VKSKIN_CROWD_PALETTE_WORD(at + 4u), VKSKIN_CROWD_PALETTE_WORD(at + 5u),
                                   VKSKIN_CROWD_PALETTE_WORD(at + 6u), VKSKIN_CROWD_PALETTE_WORD(at + 7u)));
    rows.z = uintBitsToFloat(uvec4(VKSKIN_CROWD_PALETTE_WORD(at + 8u), VKSKIN_CROWD_PALETTE_WORD(at + 9u),
                                   VKSKIN_CROWD_PALETTE_WORD(at + 10u), VKSKIN_CROWD_PALETTE_WORD(at + 11u)));
    return rows;
}
#endif

// A direction; not for normals if the transform scales differently along different axes.
vec3 vkskinCrowdTurn(VkskinCrowdRows rows, vec3 direction) {
    return vec3(dot(rows.x.xyz, direction), dot(rows.y.xyz, direction), dot(rows.z.xyz, direction));
}

#endif
