// Samples nodes of a packed animation set, as a host would: one query per invocation.
#version 450
#extension GL_GOOGLE_include_directive : require

layout(local_size_x = 64) in;

layout(set = 0, binding = 0, std430) readonly buffer Block {
    uint block[];
};

struct Query {
    uint kind; // 0: seconds; 1: phase; 2: seconds in a loop; 3: the rest pose
    uint clip, node, time;
};
layout(set = 1, binding = 0, std430) readonly buffer Queries {
    Query queries[];
};

layout(set = 2, binding = 0, std430) writeonly buffer Answers {
    float answers[];
};

#define VKSKIN_ANIMATION_WORD(at) block[at]
#include "vkskin/vkskin_animation.glsl"

VkskinKeys keysOf(VkskinClip clip, Query query) {
    float seconds = uintBitsToFloat(query.time);
    if (query.kind == 1u) {
        return vkskinKeysAtPhase(clip, query.time);
    }
    return vkskinKeysAt(clip, query.kind == 2u ? vkskinLoopTime(clip, seconds) : seconds);
}

VkskinTransform answer(Query query) {
    if (query.kind == 3u) {
        return vkskinRestTransform(query.node);
    }
    VkskinClip clip = vkskinReadClip(query.clip);
    return vkskinSampleNode(clip, keysOf(clip, query), query.node);
}

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= queries.length()) {
        return;
    }
    Query query = queries[index];
    VkskinTransform local = answer(query);
    float numbers[16];
    for (int i = 0; i < 4; i++) {
        numbers[3 + i] = local.rotation[i];
    }
    for (int i = 0; i < 3; i++) {
        numbers[i] = local.translation[i];
        numbers[7 + i] = local.scale[i];
    }
    numbers[10] = float(vkskinNodeCount());
    numbers[11] = float(vkskinClipCount());
    numbers[12] = float(vkskinNodeInOrder(query.node));
    numbers[13] = float(vkskinParentOf(query.node));
    numbers[14] = vkskinHasPreTransforms() ? vkskinPreTransformRow(query.node, 1u).z : 0.0;
    numbers[15] = vkskinHasPreTransforms() ? vkskinPreTransformRow(query.node, 2u).w : 0.0;
    for (int i = 0; i < 16; i++) {
        answers[16u * index + uint(i)] = numbers[i];
    }
}
