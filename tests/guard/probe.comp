#version 450

// A kernel that goes where it is told: what must be seen is done on purpose once.

layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Words { uint words[]; };
layout(push_constant) uniform Push {
    uint from;
    uint to;
} push;

void main() {
    words[push.to] = words[push.from];
}
