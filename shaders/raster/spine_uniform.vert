#version 450
#extension GL_GOOGLE_include_directive : require

// spine.vert for the system uniform-2d: skins by a uniform block, which has the bones of one character, with a position per
// influence.

#include "raster/spine_vertex.glsl"

layout(set = RASTER_SET_SPINE_FRAME, binding = 2, std140) uniform Bones {
    vec4 bones[RASTER_SPINE_BONES * 6 / 4]; // six numbers each: two rows
};

#define SOURCE_WORDS 14 // four points, four weights, four joints of 16 bits

// Entries begin at a whole vector or in the middle of one.
vec2 movedBy(uint joint, vec2 point) {
    uint at = joint * 6 / 4;
    vec4 first = bones[at], second = bones[at + 1];
    bool whole = joint % 2 == 0;
    vec3 x = whole ? first.xyz : vec3(first.zw, second.x);
    vec3 y = whole ? vec3(first.w, second.xy) : second.yzw;
    return vec2(dot(x, vec3(point, 1.0)), dot(y, vec3(point, 1.0)));
}

void main() {
    uint at = (character().x + vertexOfSpine()) * SOURCE_WORDS;
    vec2 position = vec2(0.0);
    for (uint i = 0; i < 4; i++) {
        uint joint = (vertices[at + 12 + i / 2] >> (16 * (i % 2))) & 0xffffu;
        position += uintBitsToFloat(vertices[at + 8 + i]) * movedBy(joint, point(at + 2 * i));
    }
    draw(position);
}
