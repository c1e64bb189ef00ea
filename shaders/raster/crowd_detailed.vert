#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"
#include "raster/skinned_vertex.glsl"

layout(location = 0) in vec2 texcoord;
layout(location = 1) in vec4 vertexColour;

layout(location = 0) out vec3 outWorld;
layout(location = 1) out vec3 outNormal;
layout(location = 2) out vec2 outTexcoord;
layout(location = 3) flat out vec3 outTint;
layout(location = 4) out vec4 outVertexColour;
layout(location = 5) out vec4 outTangent;

void main() {
    RasterInstance instance = instances[gl_InstanceIndex];
    outWorld = toWorld(instance, pullPosition(instance));
    outNormal = normalToWorld(instance, pullNormal(instance));
    outTexcoord = texcoord;
    outTint = unpackUnorm4x8(instance.tint).rgb * 2.0;
    outVertexColour = vertexColour;
    outTangent = tangentToWorld(instance, pullTangent(instance));
    gl_Position = frame.viewProjection * vec4(outWorld, 1.0);
}
