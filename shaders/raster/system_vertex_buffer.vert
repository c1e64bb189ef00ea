#version 450
#extension GL_GOOGLE_include_directive : require
#include "raster/source_vertex.glsl"

// The values of VkskinPaletteEncoding.
const uint MAT3X4 = 0, DUAL_QUATERNION = 1, SCALED_DUAL_QUATERNION = 2, QUATERNION = 3, QUATERNION_HALF = 4;

layout(constant_id = RASTER_CONSTANT_ENCODING) const uint ENCODING = MAT3X4;

// Two views of one page of the palette ring.
layout(set = RASTER_SET_PAGE, binding = 0, std430) readonly buffer Vectors { vec4 paletteVectors[]; };
layout(set = RASTER_SET_PAGE, binding = 0, std430) readonly buffer Words { uint paletteWords[]; };

#define VKSKIN_PALETTE_VECTOR(at) paletteVectors[at]
#define VKSKIN_PALETTE_WORD(at)   paletteWords[at]
#include "vkskin/vkskin_vertex.glsl"

#define MATRIX(joint)     vkskinReadMatrix(instance.first, joint)
#define DUAL(joint)       vkskinReadDual(instance.first, joint)
#define STRETCHED(joint)  vkskinReadStretched(instance.first, joint)
#define WHOLE(joint)      vkskinReadQuaternion(instance.first, joint)
#define HALF(joint)       vkskinReadQuaternionHalf(instance.first, joint)
#define SNORM16(joint)    vkskinReadQuaternionSnorm16(instance.first, joint)

Skinned skinVertex(RasterInstance instance) {
    Skinned skinned;
    switch (ENCODING) {
    case MAT3X4: BLEND(VkskinMatrix, VkskinMatrix, MATRIX, weights, skinned) break;
    case DUAL_QUATERNION: BLEND(VkskinDual, VkskinDualSum, DUAL, weights, skinned) break;
    case SCALED_DUAL_QUATERNION: BLEND(VkskinStretched, VkskinStretchedSum, STRETCHED, weights, skinned) break;
    case QUATERNION: BLEND(VkskinMatrix, VkskinMatrix, WHOLE, weights, skinned) break;
    case QUATERNION_HALF: BLEND(VkskinMatrix, VkskinMatrix, HALF, weights, skinned) break;
    default: BLEND(VkskinMatrix, VkskinMatrix, SNORM16, weights, skinned) break;
    }
    return skinned;
}

void main() {
    drawVertex();
}
