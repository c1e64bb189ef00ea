#version 450

// A kernel that goes where it is told: what must be seen is done on purpose once.

layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Words { uint words[]; };
layout(set = 0, binding = 1) uniform samplerBuffer texels;
layout(push_constant) uniform Push {
    uint from;
    uint to;
    uint byTexels; // 1: the first word of `texel` is taken
    uint texel;    // 0 otherwise: lavapipe fetches where nobody asked it to, too
} push;

void main() {
    if (push.byTexels == 1) {
        words[push.to] = floatBitsToUint(texelFetch(texels, int(push.texel)).x);
    } else {
        words[push.to] = words[push.from];
    }
}
