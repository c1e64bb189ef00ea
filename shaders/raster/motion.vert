#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"
#include "raster/skinned_vertex.glsl"

layout(location = 0) in vec2 texcoord;
layout(location = 1) in vec4 vertexColour;

layout(location = 2) out vec2 outTexcoord;
layout(location = 4) out vec4 outVertexColour;
layout(location = 7) out vec3 outNow; // x, y and w of the clip space
layout(location = 8) out vec3 outBefore;

void main() {
    RasterInstance instance = instances[gl_InstanceIndex];
    vec3 before = pullFloat3(instance.previousFirst + 3 * uint(meshVertex()));
    outTexcoord = texcoord;
    outVertexColour = vertexColour;
    gl_Position = frame.viewProjection * vec4(toWorld(instance, pullPosition(instance)), 1.0);
    outNow = gl_Position.xyw;
    outBefore = (frame.previousViewProjection * vec4(toPreviousWorld(instance, before), 1.0)).xyw;
}
