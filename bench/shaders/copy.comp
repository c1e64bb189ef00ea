// The most that kernels can read and write: a thread moves 16 times 16 bytes, side by side with its neighbours.
#version 450

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Source { uvec4 source[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Target { uvec4 target[]; };

layout(push_constant) uniform Copy {
    uint value;
    uint groupsAcross;
};

void main() {
    uint group = gl_WorkGroupID.y * groupsAcross + gl_WorkGroupID.x;
    uint first = group * 1024u + gl_LocalInvocationIndex;
    for (uint i = 0u; i < 16u; i++) {
        uint place = first + i * 64u;
        target[place] = source[place];
    }
}
