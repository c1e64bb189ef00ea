// Skinning as engines commonly do it: one dispatch an instance, a thread a vertex, four influences always. What is bound
// is the instance's own.
#version 450

layout(local_size_x = 64) in;

// Three words of four a vertex: position, normal, tangent, four joints of a byte, four weights of a byte.
layout(set = 0, binding = 0, std430) readonly buffer Source { uvec4 source[]; };
// Three rows a bone.
layout(set = 0, binding = 1, std430) readonly buffer Palette { vec4 palette[]; };
// Five pairs of floats a vertex: position, normal, tangent.
layout(set = 0, binding = 2, std430) writeonly buffer Skinned { vec2 skinned[]; };

layout(push_constant) uniform Instance {
    uint vertexCount;
};

void main() {
    uint vertex = gl_GlobalInvocationID.x;
    if (vertex >= vertexCount) {
        return;
    }
    uvec4 a = source[vertex * 3u];
    uvec4 b = source[vertex * 3u + 1u];
    uvec4 c = source[vertex * 3u + 2u];
    vec4 position = vec4(uintBitsToFloat(a.xyz), 1.0);
    vec3 normal = uintBitsToFloat(uvec3(a.w, b.xy));
    vec4 tangent = uintBitsToFloat(uvec4(b.zw, c.xy));
    uvec4 bone = 3u * (uvec4(c.z, c.z >> 8, c.z >> 16, c.z >> 24) & 255u);
    vec4 weight = unpackUnorm4x8(c.w);

    vec4 row[3];
    for (uint r = 0u; r < 3u; r++) {
        row[r] = weight.x * palette[bone.x + r] + weight.y * palette[bone.y + r] + weight.z * palette[bone.z + r] +
                 weight.w * palette[bone.w + r];
    }
    vec3 p = vec3(dot(row[0], position), dot(row[1], position), dot(row[2], position));
    vec3 n = normalize(vec3(dot(row[0].xyz, normal), dot(row[1].xyz, normal), dot(row[2].xyz, normal)));
    vec3 t = normalize(vec3(dot(row[0].xyz, tangent.xyz), dot(row[1].xyz, tangent.xyz), dot(row[2].xyz, tangent.xyz)));

    uint pair = vertex * 5u;
    skinned[pair] = p.xy;
    skinned[pair + 1u] = vec2(p.z, n.x);
    skinned[pair + 2u] = n.yz;
    skinned[pair + 3u] = t.xy;
    skinned[pair + 4u] = vec2(t.z, tangent.w);
}
