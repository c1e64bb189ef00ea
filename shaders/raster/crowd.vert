#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"
#include "raster/skinned_vertex.glsl"

layout(location = 0) in vec2 texcoord;

layout(location = 0) out vec3 outWorld;
layout(location = 1) out vec3 outNormal;
layout(location = 2) out vec2 outTexcoord;
layout(location = 3) flat out vec3 outTint;

void main() {
    RasterInstance instance = instances[gl_InstanceIndex];
    outWorld = toWorld(instance, pullPosition(instance));
    outNormal = normalToWorld(instance, pullNormal(instance));
    outWorld += isTip() ? outNormal * frame.groundSquare.y : vec3(0.0);
    outTexcoord = texcoord;
    outTint = unpackUnorm4x8(instance.tint).rgb * 2.0;
    gl_Position = frame.viewProjection * vec4(outWorld, 1.0);
}
