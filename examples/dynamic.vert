// Vertex pulling through an address: the host's own vertices, whose positions vkskin writes.
#version 450
#extension GL_EXT_buffer_reference : require

struct Vertex {
    vec3 position;
    uint colour;
};

layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer Vertices {
    Vertex vertices[];
};

layout(push_constant) uniform Push {
    Vertices mesh;
};

layout(location = 0) out vec4 colour;

void main() {
    Vertex vertex = mesh.vertices[gl_VertexIndex];
    colour = unpackUnorm4x8(vertex.colour);
    gl_Position = vec4(vertex.position, 1.0);
}
