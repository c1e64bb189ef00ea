// The most that kernels can write: 16 bytes a thread, side by side.
#version 450

layout(local_size_x = 256) in;

layout(set = 0, binding = 0, std430) writeonly buffer Target { uvec4 target[]; };

layout(push_constant) uniform Fill {
    uint value;
    uint groupsAcross;
};

void main() {
    uint group = gl_WorkGroupID.y * groupsAcross + gl_WorkGroupID.x;
    uint place = group * 256u + gl_LocalInvocationIndex;
    target[place] = uvec4(value, place, value, place);
}
