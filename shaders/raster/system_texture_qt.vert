#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/source_vertex.glsl"
#include "vkskin/vkskin_vertex.glsl"

layout(constant_id = RASTER_CONSTANT_PAIR) const uint PAIR = 0;

layout(set = RASTER_SET_PAGE, binding = 0) uniform sampler2D rotations; // or pairs
layout(set = RASTER_SET_PAGE, binding = 1) uniform sampler2D translations;

// A character is a row; the palette begins at a column of it.
VkskinMatrix readBone(RasterInstance instance, uint joint) {
    ivec2 first = ivec2(instance.attributes, instance.first);
    if (PAIR != 0) {
        return vkskinFetchQuaternion(rotations, first, joint);
    }
    return vkskinFetchQuaternion(rotations, translations, first, joint);
}

#define READ(joint) readBone(instance, joint)

Skinned skinVertex(RasterInstance instance) {
    Skinned skinned;
    BLEND(VkskinMatrix, VkskinMatrix, READ, weights, skinned)
    return skinned;
}

void main() {
    drawVertex();
}
