#version 450

// A kernel that leaves its buffer on purpose.

layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Words { uint words[]; };
layout(set = 0, binding = 1) uniform samplerBuffer texels;
layout(push_constant) uniform Push {
    uint from;
    uint to;
    uint byTexels; // 1: copies the first word of `texel`
    uint texel;    // 0 otherwise: lavapipe fetches even if the condition is false
} push;

void main() {
    if (push.byTexels == 1) {
        words[push.to] = floatBitsToUint(texelFetch(texels, int(push.texel)).x);
    } else {
        words[push.to] = words[push.from];
    }
}
