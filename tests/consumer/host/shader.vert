#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkskin/vkskin.glsl"

layout(location = 0) in vec3 position;
layout(location = 1) in uint normal;
layout(location = 2) in uint tangent;

layout(location = 0) out vec3 outNormal;
layout(location = 1) out vec4 outTangent;

void main() {
    outNormal = vkskinUnpackNormal(normal);
    outTangent = vkskinUnpackTangent(tangent);
    gl_Position = vec4(position, 1.0);
}
