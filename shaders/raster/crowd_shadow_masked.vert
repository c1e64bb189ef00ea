#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"
#include "raster/skinned_vertex.glsl"

layout(location = 0) in vec2 texcoord;
layout(location = 1) in vec4 vertexColour;

layout(location = 2) out vec2 outTexcoord;
layout(location = 4) out vec4 outVertexColour;

void main() {
    RasterInstance instance = instances[gl_InstanceIndex];
    outTexcoord = texcoord;
    outVertexColour = vertexColour;
    gl_Position = frame.lightViewProjection * vec4(toWorld(instance, pullPosition(instance)), 1.0);
}
