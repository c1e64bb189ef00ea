// spine_vertex.glsl: what the vertex shaders of 2D characters read. An index has the character's number in its high bits and
// the vertex of its 2D model in the low ones, so that one draw call has many characters.
#ifndef SPINE_VERTEX_GLSL
#define SPINE_VERTEX_GLSL

#include "raster/raster_layout.h"

layout(set = RASTER_SET_SPINE_FRAME, binding = 0, std430) readonly buffer Characters {
    uvec2 characters[]; // where the vertices are, in units of the shader; the colours of the first slot
};
layout(set = RASTER_SET_SPINE_FRAME, binding = 1, std430) readonly buffer Slots {
    vec4 colours[]; // of each slot: the colour; the dark colour
};
layout(set = RASTER_SET_SPINE_PICTURE, binding = 0, std430) readonly buffer Pictures {
    uint pictures[]; // of each vertex: two texture coordinates, the slot, the colour of a paint or 0
};
layout(set = RASTER_SET_SPINE_VERTICES, binding = 0, std430) readonly buffer Vertices {
    uint vertices[];
};

layout(push_constant) uniform Push {
    vec2 scale, offset; // from the world to the picture
    layout(offset = 36) uint vertexBits;
};

layout(location = 0) out vec2 texcoord;
layout(location = 1) flat out vec4 light;
layout(location = 2) flat out vec3 dark;
layout(location = 3) out vec4 paint;

uvec2 character() {
    return characters[uint(gl_VertexIndex) >> vertexBits];
}

uint vertexOfSpine() {
    return uint(gl_VertexIndex) & ((1u << vertexBits) - 1u);
}

vec2 point(uint at) {
    return uintBitsToFloat(uvec2(vertices[at], vertices[at + 1]));
}

// position: in the world.
void draw(vec2 position) {
    uint at = 4 * vertexOfSpine();
    uint slot = character().y + 2 * pictures[at + 2];
    gl_Position = vec4(position * scale + offset, 0.0, 1.0);
    texcoord = uintBitsToFloat(uvec2(pictures[at], pictures[at + 1]));
    light = colours[slot];
    dark = colours[slot + 1].rgb;
    paint = unpackUnorm4x8(pictures[at + 3]);
}

#endif
