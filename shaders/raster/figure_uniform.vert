#version 450
#extension GL_GOOGLE_include_directive : require

// figure.vert for the system uniform-2d: skins by a uniform block, with a position per influence.

#include "raster/raster_layout.h"

layout(location = 1) in vec2 vertexTexcoord;
layout(location = 2) in uint slot;
layout(location = 3) in vec4 firstPoints; // two each
layout(location = 4) in vec4 lastPoints;
layout(location = 5) in vec4 weights;
layout(location = 6) in uvec4 joints;

layout(set = 0, binding = 0, std430) readonly buffer Slots {
    vec4 colours[]; // of each slot: the colour; the dark colour
};
layout(set = 0, binding = 1, std140) uniform Bones {
    vec4 bones[RASTER_FIGURE_BONES * 6 / 4]; // six numbers each: two rows
};

layout(push_constant) uniform Push {
    vec2 scale, offset; // from the figure's space to the picture
};

layout(location = 0) out vec2 texcoord;
layout(location = 1) flat out vec4 light;
layout(location = 2) flat out vec3 dark;

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
    vec2 position = weights.x * movedBy(joints.x, firstPoints.xy) + weights.y * movedBy(joints.y, firstPoints.zw) +
                    weights.z * movedBy(joints.z, lastPoints.xy) + weights.w * movedBy(joints.w, lastPoints.zw);
    gl_Position = vec4(position * scale + offset, 0.0, 1.0);
    texcoord = vertexTexcoord;
    light = colours[2 * slot];
    dark = colours[2 * slot + 1].rgb;
}
