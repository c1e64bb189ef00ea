#version 450
#extension GL_GOOGLE_include_directive : require

// The kernel of linear blending with one of three faults that cost a GPU much, and change no vertex or are never run.
#define BONE_UNITS 3
#include "kernels/influences.glsl"

#define ROWS 32u

#ifdef PLANT_SCRATCH // an array in memory: its index is known only when it runs
VkskinMatrix readPlanted(uint palette, uint joint) {
    vec4 rows[ROWS];
    for (uint i = 0; i < ROWS; i++) {
        rows[(joint + i) % ROWS] = readPalette(palette + i);
    }
    VkskinMatrix bone = vkskinReadMatrix(palette + joint, 0);
    bone.x += rows[joint * 7u % ROWS];
    return bone;
}
#define READ_BONE readPlanted
#endif

#ifdef PLANT_REGISTERS // an unrolled loop over 16 influences, all of them held at once
VkskinMatrix readPlanted(uint palette, uint joint) {
    vec4 rows[16];
    for (uint i = 0; i < 16; i++) {
        rows[i] = readPalette(palette + joint + i);
    }
    VkskinMatrix bone = vkskinReadMatrix(palette + joint, 0);
    for (uint i = 0; i < 16; i++) {
        bone.x = bone.x * rows[i] + rows[15 - i];
    }
    return bone;
}
#define READ_BONE readPlanted
#endif

#ifdef PLANT_DIVERGENT // the compiler cannot know that the index is the same in all lanes
#undef LAYOUT_READER
#define LAYOUT_READER(name, read, fields, words)                                                                       \
    name read(uint at) {                                                                                               \
        at += min(gl_LocalInvocationID.x, meshWords[0] >> 31);                                                         \
        name value;                                                                                                    \
        fields(words) return value;                                                                                    \
    }
#define READ_BONE(first, joint) vkskinReadMatrix((first) + (joint), 0)
#endif

#include "kernels/linear_blend.glsl"
