// What a vertex shader of a host reads of each vertex of a draw, with all functions of vkskin_crowd.glsl.
#version 450
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Frame {
    uint frameWords[];
};
layout(set = 1, binding = 0, std430) readonly buffer Vertices {
    uint vertexWords[];
};

layout(set = 3, binding = 0, std430) readonly buffer Palettes {
    uint paletteWords[];
};

// As SeenVertex of test_crowd_shader.c.
struct Seen {
    uint variation, character, generation, attributes;
    float position[3], previous[3], placed[3], placedBefore[3], normal[3], turned[3], tangent[4], bone[12];
};
layout(set = 2, binding = 0, std430) writeonly buffer Vertex {
    Seen seen[];
};

#define VKSKIN_CROWD_FRAME_WORD(at)  frameWords[at]
#define VKSKIN_CROWD_VERTEX_WORD(at) vertexWords[at]
#define VKSKIN_CROWD_PALETTE_WORD(at) paletteWords[at]
#include "vkskin/vkskin_crowd.glsl"

layout(push_constant) uniform Push {
    VkskinCrowdConstants draw;
    uint instances, vertices;
    uint vertexOffset; // vertexOffset of the draw arguments
    uint paletteStride, bones;
};

float[3] arrayOf(vec3 v) {
    return float[3](v.x, v.y, v.z);
}

void main() {
    uint thread = gl_GlobalInvocationID.x;
    if (thread >= instances * vertices) {
        return;
    }
    uint vertex = thread % vertices + vertexOffset; // gl_VertexIndex
    VkskinCrowdInstance instance = vkskinCrowdInstance(draw, thread / vertices);
    vec3 position = vkskinCrowdPosition(draw, instance, vertex);
    vec3 previous = vkskinCrowdPreviousPosition(draw, instance, vertex);
    bool normals = vkskinCrowdHasNormals(draw), tangents = vkskinCrowdHasTangents(draw);
    vec3 normal = normals ? vkskinCrowdNormal(draw, instance, vertex) : vec3(0.0);
    vec4 tangent = tangents ? vkskinCrowdTangent(draw, instance, vertex) : vec4(0.0);
    seen[thread].variation = instance.variation;
    seen[thread].character = instance.character;
    seen[thread].generation = instance.generation;
    seen[thread].attributes = (normals ? 1u : 0u) + (tangents ? 1u : 0u);
    seen[thread].position = arrayOf(position);
    seen[thread].previous = arrayOf(previous);
    seen[thread].placed = arrayOf(vkskinCrowdPlace(instance.transform, position));
    seen[thread].placedBefore = arrayOf(vkskinCrowdPlace(instance.previous, previous));
    seen[thread].normal = arrayOf(normal);
    seen[thread].turned = arrayOf(vkskinCrowdTurn(instance.transform, normal));
    seen[thread].tangent = float[4](tangent.x, tangent.y, tangent.z, tangent.w);
    VkskinCrowdRows bone = vkskinCrowdBone(instance, paletteStride, (vertex - vertexOffset) % bones);
    for (uint i = 0u; i < 4u; i++) {
        seen[thread].bone[i] = bone.x[i];
        seen[thread].bone[4u + i] = bone.y[i];
        seen[thread].bone[8u + i] = bone.z[i];
    }
}
