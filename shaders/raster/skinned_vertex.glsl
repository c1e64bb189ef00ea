// skinned_vertex.glsl: pulls a vertex that the compute pass skinned. The streams of the instance start at word offsets
// that the instance knows.
#ifndef SKINNED_VERTEX_GLSL
#define SKINNED_VERTEX_GLSL

#include "raster/instance.glsl"
#include "vkskin/vkskin.glsl"

layout(set = RASTER_SET_PAGE, binding = 0, std430) readonly buffer Page {
    uint words[];
};

vec3 pullFloat3(uint at) {
    return uintBitsToFloat(uvec3(words[at], words[at + 1], words[at + 2]));
}

vec3 pullPosition(RasterInstance instance) {
    return pullFloat3(instance.first + 3 * uint(meshVertex()));
}

uint attributesAt(RasterInstance instance) {
    return instance.attributes + (instance.attributeKind & RASTER_ATTRIBUTE_WORDS_MASK) * uint(meshVertex());
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

#endif
