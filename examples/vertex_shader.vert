// Skins in the vertex shader: reads a palette of VKSKIN_PALETTE_QUATERNION in the ring through its address.
#version 450
#extension GL_EXT_buffer_reference : require
#extension GL_GOOGLE_include_directive : require

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Palette {
    vec4 vectors[];
};

layout(push_constant) uniform Push {
    Palette palette;
};

#define VKSKIN_PALETTE_VECTOR(at) palette.vectors[at]
#include "vkskin/vkskin_vertex.glsl"

// A host's own vertex buffers, here in the shader.
const vec3 positions[3] = vec3[](vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0));
const uvec2 joints = uvec2(0, 1);
const vec2 weights = vec2(0.75, 0.25);

layout(location = 0) out vec4 colour;

void main() {
    VkskinMatrix sum = vkskinBegin(weights.x, vkskinReadQuaternion(0, joints.x));
    vkskinAdd(weights.y, vkskinReadQuaternion(0, joints.y), sum);
    colour = vec4(1.0, 0.75, 0.25, 1.0);
    gl_Position = vec4(vkskinMovePoint(vkskinEnd(sum), positions[gl_VertexIndex]), 1.0);
}
