// Draws the characters of a crowd: reads what the library wrote for each instance. Seen from above.
#version 450
#extension GL_GOOGLE_include_directive : require

layout(set = 0, binding = 0) readonly buffer Frame {
    uint frameWords[];
};
layout(set = 0, binding = 1) readonly buffer Vertices {
    uint vertexWords[];
};
// Of the vertices of all meshes that share the index buffer.
layout(set = 0, binding = 2) readonly buffer Colours {
    uint colours[];
};

#define VKSKIN_CROWD_FRAME_WORD(at)  frameWords[at]
#define VKSKIN_CROWD_VERTEX_WORD(at) vertexWords[at]
#include "vkskin/vkskin_crowd.glsl"

layout(push_constant) uniform Push {
    VkskinCrowdConstants draw;
    vec2 shift;
    float scale;
};

layout(location = 0) out vec4 colour;

void main() {
    VkskinCrowdInstance instance = vkskinCrowdInstance(draw, gl_InstanceIndex);
    vec3 world = vkskinCrowdPlace(instance.transform, vkskinCrowdPosition(draw, instance, gl_VertexIndex));
    colour = unpackUnorm4x8(colours[gl_VertexIndex]); // gl_VertexIndex includes vertexOffset
    gl_Position = vec4((world.xy + shift) * scale - 1.0, 0.5, 1.0);
}
