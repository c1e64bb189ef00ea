// skinned_vertex.glsl: pulls a vertex that the compute pass skinned. The streams of the instance start at word offsets
// that the instance knows; gl_VertexIndex is the mesh's own index.
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
    return pullFloat3(instance.first + 3 * uint(gl_VertexIndex));
}

// In mesh space. An output without normals faces up.
vec3 pullNormal(RasterInstance instance) {
    uint at = instance.attributes + instance.attributeStride * uint(gl_VertexIndex);
    if (instance.attributeStride == 0) {
        return vec3(0.0, 1.0, 0.0);
    }
    return instance.attributeStride >= 3 ? pullFloat3(at) : vkskinUnpackNormal(words[at]);
}

// In mesh space; w: the handedness. Zero for an output without tangents.
vec4 pullTangent(RasterInstance instance) {
    uint at = instance.attributes + instance.attributeStride * uint(gl_VertexIndex);
    if (instance.attributeStride == 7) {
        return vec4(pullFloat3(at + 3), uintBitsToFloat(words[at + 6]));
    }
    return instance.attributeStride == 2 ? vkskinUnpackTangent(words[at + 1]) : vec4(0.0);
}

#endif
