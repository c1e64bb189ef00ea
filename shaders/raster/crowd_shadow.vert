#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/frame.glsl"
#include "raster/skinned_vertex.glsl"

void main() {
    RasterInstance instance = instances[gl_InstanceIndex];
    gl_Position = frame.lightViewProjection * vec4(toWorld(instance, pullPosition(instance)), 1.0);
}
