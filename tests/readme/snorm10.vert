#version 450

layout(push_constant) uniform Camera {
    mat4 viewProjection;
};

layout(location = 0) in vec3 position;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 tangent;

layout(location = 0) out vec3 outNormal;

void main() {
    outNormal = normal * -tangent.w; // the handedness is -1
    gl_Position = viewProjection * vec4(position, 1.0);
}
