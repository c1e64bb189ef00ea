// As crowd.vert, for all draws of a view in one call: gl_DrawID says which draw it is, and buffers are read by address.
#version 460
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_GOOGLE_include_directive : require

layout(buffer_reference, std430, buffer_reference_align = 4) readonly buffer Words {
    uint words[];
};
Words frameBuffer, vertexBuffer; // set by main

#define VKSKIN_CROWD_FRAME_WORD(at)  frameBuffer.words[at]
#define VKSKIN_CROWD_VERTEX_WORD(at) vertexBuffer.words[at]
#include "vkskin/vkskin_crowd.glsl"

layout(buffer_reference, std430, buffer_reference_align = 8) readonly buffer Draws {
    VkskinCrowdDrawConstants draws[];
};

// Of the vertices of all meshes that share the index buffer.
layout(set = 0, binding = 2) readonly buffer Colours {
    uint colours[];
};

layout(push_constant) uniform Push {
    Draws all;   // VkskinCrowdBuffers.constantsAddress
    Words frame; // VkskinCrowdBuffers.frameAddress
    vec2 shift;
    float scale;
    uint first; // draw of the view
};

layout(location = 0) out vec4 colour;

void main() {
    VkskinCrowdDrawConstants draw = all.draws[first + gl_DrawID];
    frameBuffer = frame;
    vertexBuffer = Words(draw.vertices);
    VkskinCrowdInstance instance = vkskinCrowdInstance(draw.constants, gl_InstanceIndex);
    vec3 world = vkskinCrowdPlace(instance.transform, vkskinCrowdPosition(draw.constants, instance, gl_VertexIndex));
    colour = unpackUnorm4x8(colours[gl_VertexIndex]); // gl_VertexIndex includes vertexOffset
    gl_Position = vec4((world.xy + shift) * scale - 1.0, 0.5, 1.0);
}
