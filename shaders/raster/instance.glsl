// instance.glsl: the drawn instances, their vertices, and their mesh space to the world.
#ifndef INSTANCE_GLSL
#define INSTANCE_GLSL

#include "raster/raster_layout.h"

layout(set = RASTER_SET_FRAME, binding = RASTER_BINDING_INSTANCES, std430) readonly buffer Instances {
    RasterInstance instances[];
};

layout(constant_id = RASTER_CONSTANT_PASS) const uint PASS = RASTER_PASS_COLOUR;

// The vertex of the mesh. Lines of normals have two for each: its place, and the tip.
int meshVertex() {
    return PASS == RASTER_PASS_NORMALS ? gl_VertexIndex >> 1 : gl_VertexIndex;
}

bool isTip() {
    return PASS == RASTER_PASS_NORMALS && (gl_VertexIndex & 1) != 0;
}

vec3 toWorld(RasterInstance instance, vec3 position) {
    vec4 p = vec4(position, 1.0);
    return vec3(dot(instance.row0, p), dot(instance.row1, p), dot(instance.row2, p));
}

vec3 toPreviousWorld(RasterInstance instance, vec3 position) {
    vec4 p = vec4(position, 1.0);
    return vec3(dot(instance.previous0, p), dot(instance.previous1, p), dot(instance.previous2, p));
}

// Normals go by the cofactors, which are the inverse transpose up to a scale and its sign.
vec3 normalToWorld(RasterInstance instance, vec3 normal) {
    vec3 a = instance.row0.xyz;
    vec3 b = instance.row1.xyz;
    vec3 c = instance.row2.xyz;
    vec3 bc = cross(b, c);
    vec3 world = vec3(dot(bc, normal), dot(cross(c, a), normal), dot(cross(a, b), normal));
    return normalize(dot(a, bc) < 0.0 ? -world : world);
}

// A matrix that mirrors turns the handedness round, as normalToWorld keeps normals outside.
vec4 tangentToWorld(RasterInstance instance, vec4 tangent) {
    vec3 a = instance.row0.xyz;
    vec3 b = instance.row1.xyz;
    vec3 c = instance.row2.xyz;
    vec3 world = vec3(dot(a, tangent.xyz), dot(b, tangent.xyz), dot(c, tangent.xyz));
    return vec4(world, dot(a, cross(b, c)) < 0.0 ? -tangent.w : tangent.w);
}

#endif
