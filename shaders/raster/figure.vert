#version 450

// 2D characters: skinned positions in the figure's space, with the colours of the slot.

layout(location = 0) in vec2 position;
layout(location = 1) in vec2 vertexTexcoord;
layout(location = 2) in uint slot;

layout(set = 0, binding = 0, std430) readonly buffer Slots {
    vec4 colours[]; // of each slot: the colour; the dark colour
};

layout(push_constant) uniform Push {
    vec2 scale, offset; // from the figure's space to the picture
};

layout(location = 0) out vec2 texcoord;
layout(location = 1) flat out vec4 light;
layout(location = 2) flat out vec3 dark;

void main() {
    gl_Position = vec4(position * scale + offset, 0.0, 1.0);
    texcoord = vertexTexcoord;
    light = colours[2 * slot];
    dark = colours[2 * slot + 1].rgb;
}
