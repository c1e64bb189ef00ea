#version 450
#extension GL_GOOGLE_include_directive : require

// Skins vertex gl_VertexIndex with a palette from one of the sources of test_host_shaders.c, and draws the result as one
// pixel in each of two images.

layout(set = 0, binding = 0, std430) readonly buffer Vectors { vec4 paletteVectors[]; };
layout(set = 0, binding = 0, std430) readonly buffer Words { uint paletteWords[]; };
layout(set = 0, binding = 1) uniform sampler2D image;
layout(set = 0, binding = 2) uniform sampler2D translations;

struct Vertex {
    vec4 position, normal;
    uvec4 joints;
    vec4 weights; // the largest first
};

layout(set = 0, binding = 3, std430) readonly buffer Vertices { Vertex vertices[]; };

layout(push_constant) uniform Push {
    uint source, first, vertexCount;
    int column, row;
};

#define VKSKIN_PALETTE_VECTOR(at) paletteVectors[at]
#define VKSKIN_PALETTE_WORD(at)   paletteWords[at]
#include "vkskin/vkskin_vertex.glsl"

layout(location = 0) out vec4 position;
layout(location = 1) out vec4 normal;

#define BLEND(Bone, Sum, READ)                                                                                         \
    {                                                                                                                  \
        Sum sum = vkskinBegin(vertex.weights.x, READ(vertex.joints.x));                                                \
        vkskinAdd(vertex.weights.y, READ(vertex.joints.y), sum);                                                       \
        vkskinAdd(vertex.weights.z, READ(vertex.joints.z), sum);                                                       \
        vkskinAdd(vertex.weights.w, READ(vertex.joints.w), sum);                                                       \
        Bone bone = vkskinEnd(sum);                                                                                    \
        position = vec4(vkskinMovePoint(bone, vertex.position.xyz), 1.0);                                              \
        normal = vec4(normalize(vkskinTurnNormal(bone, vertex.normal.xyz)), 1.0);                                      \
    }
#define MATRIX(joint)      vkskinReadMatrix(first, joint)
#define QUATERNION(joint)  vkskinReadQuaternion(first, joint)
#define HALF(joint)        vkskinReadQuaternionHalf(first, joint)
#define SNORM16(joint)     vkskinReadQuaternionSnorm16(first, joint)
#define FLAT(joint)        vkskinReadMatrix2x3(first, joint)
#define DUAL(joint)        vkskinReadDual(first, joint)
#define STRETCHED(joint)   vkskinReadStretched(first, joint)
#define COLUMNS(joint)     vkskinFetchMatrix(image, ivec2(column, row), joint)
#define PAIRS(joint)       vkskinFetchQuaternion(image, ivec2(column, row), joint)
#define TWO_IMAGES(joint)  vkskinFetchQuaternion(image, translations, ivec2(column, row), joint)

void main() {
    Vertex vertex = vertices[gl_VertexIndex];
    switch (source) {
    case 0: BLEND(VkskinMatrix, VkskinMatrix, MATRIX) break;
    case 1: BLEND(VkskinMatrix, VkskinMatrix, QUATERNION) break;
    case 2: BLEND(VkskinMatrix, VkskinMatrix, HALF) break;
    case 3: BLEND(VkskinMatrix, VkskinMatrix, SNORM16) break;
    case 4: BLEND(VkskinMatrix, VkskinMatrix, FLAT) break;
    case 5: BLEND(VkskinDual, VkskinDualSum, DUAL) break;
    case 6: BLEND(VkskinStretched, VkskinStretchedSum, STRETCHED) break;
    case 7: BLEND(VkskinMatrix, VkskinMatrix, COLUMNS) break;
    case 8: BLEND(VkskinMatrix, VkskinMatrix, PAIRS) break;
    default: BLEND(VkskinMatrix, VkskinMatrix, TWO_IMAGES) break;
    }
    gl_PointSize = 1.0;
    gl_Position = vec4((float(gl_VertexIndex) + 0.5) / float(vertexCount) * 2.0 - 1.0, 0.0, 0.0, 1.0);
}
