// skinned_vertex.glsl: pulls a vertex that the compute pass skinned. The streams of the instance start at word offsets
// that the instance knows; gl_VertexIndex is the mesh's own index.
#ifndef SKINNED_VERTEX_GLSL
#define SKINNED_VERTEX_GLSL

#include "raster/raster_layout.h"
#include "vkskin/vkskin.glsl"

layout(set = RASTER_SET_FRAME, binding = RASTER_BINDING_INSTANCES, std430) readonly buffer Instances {
    RasterInstance instances[];
};

layout(set = RASTER_SET_PAGE, binding = 0, std430) readonly buffer Page {
    uint words[];
};

vec3 pullFloat3(uint at) {
    return uintBitsToFloat(uvec3(words[at], words[at + 1], words[at + 2]));
}

vec3 pullPosition(RasterInstance instance) {
    return pullFloat3(instance.positions + 3 * uint(gl_VertexIndex));
}

uint attributesAt(RasterInstance instance) {
    return instance.attributes + (instance.attributeKind & RASTER_ATTRIBUTE_WORDS_MASK) * uint(gl_VertexIndex);
}

uint attributeFormat(RasterInstance instance) {
    return (instance.attributeKind >> RASTER_ATTRIBUTE_FORMAT_SHIFT) & RASTER_ATTRIBUTE_FORMAT_MASK;
}

// In mesh space. An output without normals faces up.
vec3 pullNormal(RasterInstance instance) {
    if ((instance.attributeKind & RASTER_ATTRIBUTE_NORMALS) == 0) {
        return vec3(0.0, 1.0, 0.0);
    }
    uint at = attributesAt(instance);
    switch (attributeFormat(instance)) {
    case RASTER_FORMAT_FLOAT:
        return pullFloat3(at);
    case RASTER_FORMAT_SNORM10:
        return vkskinUnpackSnorm10(words[at]).xyz;
    default:
        return vkskinUnpackNormal(words[at]);
    }
}

// In mesh space; w: the handedness. Zero for an output without tangents.
vec4 pullTangent(RasterInstance instance) {
    if ((instance.attributeKind & RASTER_ATTRIBUTE_TANGENTS) == 0) {
        return vec4(0.0);
    }
    uint at = attributesAt(instance);
    switch (attributeFormat(instance)) {
    case RASTER_FORMAT_FLOAT:
        return vec4(pullFloat3(at + 3), uintBitsToFloat(words[at + 6]));
    case RASTER_FORMAT_SNORM10:
        return vkskinUnpackSnorm10(words[at + 1]);
    default:
        return vkskinUnpackTangent(words[at + 1]);
    }
}

vec3 toWorld(RasterInstance instance, vec3 position) {
    vec4 p = vec4(position, 1.0);
    return vec3(dot(instance.row0, p), dot(instance.row1, p), dot(instance.row2, p));
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
