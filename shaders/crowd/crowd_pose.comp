// crowd_pose.comp: computes the palettes of the listed slots of a pool: a thread per character. It samples one or two
// clips, blends, composes the hierarchy and writes the bones.
//
// World matrices are in global memory between the nodes and the bones: a skeleton may have any number of nodes.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "crowd/clip_set_layout.h"
#include "crowd/crowd_layout.h"
#include "vkskin/vkskin_vertex.glsl"

layout(local_size_x = CROWD_GROUP) in;

layout(set = CROWD_POSE_SET_CLIPS, binding = 0, std430) readonly buffer Clips { uint clipWords[]; };
layout(set = CROWD_POSE_SET_TABLES, binding = 0, std430) readonly buffer Tables { uint tableWords[]; };
// Two views of one buffer: no word is accessed through both.
layout(set = CROWD_POSE_SET_PALETTES, binding = 0, std430) buffer Vectors { vec4 vectors[]; };
layout(set = CROWD_POSE_SET_PALETTES, binding = 0, std430) writeonly buffer Words { uint words[]; };
layout(set = CROWD_POSE_SET_FRAME, binding = 0, std430) readonly buffer Frame { uint frameWords[]; };

layout(push_constant) uniform Push { LayoutCrowdPosePush pass; };

#define VKSKIN_ANIMATION_WORD(at) clipWords[pass.clipSet + (at)]
#include "vkskin/vkskin_animation.glsl"

#include "crowd/crowd_palette.glsl"

#define READ_CLIP_WORD(field)  value.field = VKSKIN_ANIMATION_WORD(at++);
#define READ_TABLE_WORD(field) value.field = tableWords[at++];
#define READ_FRAME_WORD(field) value.field = frameWords[at++];
LAYOUT_READER(LayoutClipSet, readClipSet, CLIP_SET_FIELDS, READ_CLIP_WORD)
LAYOUT_READER(LayoutClipNode, readClipNode, CLIP_NODE_FIELDS, READ_CLIP_WORD)
LAYOUT_READER(LayoutCrowdSkin, readSkin, CROWD_SKIN_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdPose, readPose, CROWD_POSE_FIELDS, READ_FRAME_WORD)

// Software drivers run both sides of a branch for all threads, but skip a loop that no thread enters. So long code that few
// nodes need is in loops that end after one round. A loop has a price too: for short code they use branches.

// ---- Sampling ----

// A clip at a time.
struct Source {
    VkskinKeys keys;
    uint channels; // word of the table of channels
};

Source sourceOf(uint clip, uint phase, uint channels) {
    return Source(vkskinKeysAtPhase(vkskinReadClip(clip), phase),
                  channels + clip * (vkskinNodeCount() * CLIP_CHANNELS));
}

vec4 sampleRotation(Source source, uint at) {
    uint entry = VKSKIN_ANIMATION_WORD(source.channels + at + 1u);
    uint place = entry & CLIP_PLACE_MASK;
    vec4 value = vkskinAnimationVector4(place); // of a track: any number
    if (entry != place) { // most have one
        value = vkskinSampleRotation(place, source.keys);
    }
    return value;
}

// at: of the channel
vec3 sampleVector(Source source, uint at) {
    uint entry = VKSKIN_ANIMATION_WORD(source.channels + at);
    uint place = entry & CLIP_PLACE_MASK;
    vec3 value = vkskinAnimationVector(place);
    for (bool once = entry != place; once; once = false) {
        value = vkskinSampleVector(place, source.keys);
    }
    return value;
}

VkskinTransform sampleNode(Source source, uint at, bool scales) {
    vec3 scale = vec3(1.0);
    for (bool once = scales; once; once = false) {
        scale = sampleVector(source, at + 2u);
    }
    return VkskinTransform(sampleVector(source, at), sampleRotation(source, at), scale);
}

// The rotation goes the shorter way.
VkskinTransform blend(VkskinTransform a, VkskinTransform b, float weight) {
    float side = dot(a.rotation, b.rotation) < 0.0 ? -weight : weight;
    return VkskinTransform(mix(a.translation, b.translation, weight),
                           vkskinNormaliseRotation((1.0 - weight) * a.rotation + side * b.rotation),
                           mix(a.scale, b.scale, weight));
}

// ---- Matrices ----

const VkskinMatrix IDENTITY =
    VkskinMatrix(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));

VkskinMatrix matrixOf(VkskinTransform local) {
    float squared = dot(local.rotation, local.rotation);
    vec4 q = local.rotation;
    // Of nearly unit length: one Newton step normalises. Keys of a damaged clip may be longer.
    q *= abs(squared - 1.0) < 0.01 ? 1.5 - 0.5 * squared : inversesqrt(max(squared, 1e-30));
    VkskinRows rows = vkskinRotationRows(q);
    return VkskinMatrix(vec4(rows.x * local.scale, local.translation.x), vec4(rows.y * local.scale, local.translation.y),
                        vec4(rows.z * local.scale, local.translation.z));
}

vec4 multiplyRow(vec4 a, VkskinMatrix b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + vec4(0.0, 0.0, 0.0, a.w);
}

VkskinMatrix multiply(VkskinMatrix a, VkskinMatrix b) {
    return VkskinMatrix(multiplyRow(a.x, b), multiplyRow(a.y, b), multiplyRow(a.z, b));
}

VkskinMatrix preTransform(uint at) {
    return VkskinMatrix(vkskinAnimationVector4(at), vkskinAnimationVector4(at + 4u), vkskinAnimationVector4(at + 8u));
}

// ---- The hierarchy ----

// world: vec4 index of the world matrices of the character, three for each node
VkskinMatrix readWorld(uint world, uint node) {
    uint at = world + 3u * node;
    return VkskinMatrix(vectors[at], vectors[at + 1u], vectors[at + 2u]);
}

void writeWorld(uint world, uint node, VkskinMatrix matrix) {
    uint at = world + 3u * node;
    vectors[at] = matrix.x;
    vectors[at + 1u] = matrix.y;
    vectors[at + 2u] = matrix.z;
}

void composeNodes(LayoutCrowdPose pose, uint world) {
    LayoutClipSet set = readClipSet(VKSKIN_ANIMATION_WORD(2u) >> 2); // behind the bytes of the block
    float weight = uintBitsToFloat(pose.weight);
    Source a = sourceOf(pose.clips & 0xffffu, pose.phaseA, set.channels);
    Source b = sourceOf(weight > 0.0 ? pose.clips >> 16 : pose.clips & 0xffffu, pose.phaseB, set.channels);
    VkskinMatrix last = IDENTITY;
    uint lastNode = CLIP_NO_PARENT;
    uint count = vkskinNodeCount();
    for (uint i = 0u; i < count; i++) {
        LayoutClipNode node = readClipNode(set.nodes + i * CLIP_NODE_WORDS);
        VkskinTransform local = sampleNode(a, i * CLIP_CHANNELS, node.scales != 0u);
        for (bool once = weight > 0.0; once; once = false) {
            local = blend(local, sampleNode(b, i * CLIP_CHANNELS, node.scales != 0u), weight);
        }
        VkskinMatrix matrix = matrixOf(local);
        for (bool once = node.pre != 0u; once; once = false) {
            matrix = multiply(preTransform(node.pre), matrix);
        }
        VkskinMatrix parent = last; // often the node before
        if (node.parent == CLIP_NO_PARENT) {
            parent = IDENTITY;
        } else if (node.parent != lastNode) {
            parent = readWorld(world, node.parent);
        }
        matrix = multiply(parent, matrix);
        writeWorld(world, node.node, matrix);
        last = matrix;
        lastNode = node.node;
    }
}

float tableFloat(uint at) {
    return uintBitsToFloat(tableWords[at]);
}

vec4 tableVector(uint at) {
    return vec4(tableFloat(at), tableFloat(at + 1u), tableFloat(at + 2u), tableFloat(at + 3u));
}

void main() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint index = group * CROWD_GROUP + gl_LocalInvocationID.x;
    if (index >= frameWords[pass.count]) {
        return;
    }
    uint slot = frameWords[pass.list + index];
    uint world = (pass.scratch + slot * pass.scratchStride) / 4u;
    composeNodes(readPose(pass.poses + slot * CROWD_POSE_WORDS), world);
    LayoutCrowdSkin skin = readSkin(pass.skin);
    for (uint bone = 0u; bone < skin.boneCount; bone++) {
        uint bind = skin.binds + 12u * bone;
        VkskinMatrix inverse = VkskinMatrix(tableVector(bind), tableVector(bind + 4u), tableVector(bind + 8u));
        writeBone(skin.encoding, slot * pass.paletteStride, bone,
                  multiply(readWorld(world, tableWords[skin.nodes + bone]), inverse));
    }
}
