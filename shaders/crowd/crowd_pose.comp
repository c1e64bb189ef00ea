// crowd_pose.comp: computes the palettes of the listed slots of a pool. It samples one or two clips, blends, composes the
// hierarchy and writes the bones. POSING selects one of two ways:
//
// - A thread poses a character, node after node. Runs of nodes (CLIP_NODE_BEGINS) keep their world matrix in registers.
// - A workgroup poses a character, a thread for each node, CLIP_CHUNK nodes at a time, composed in shared memory.
//
// Both keep the world matrices that later nodes need in global memory, so a skeleton may have any number of nodes.
#version 450
#extension GL_GOOGLE_include_directive : require

#include "crowd/clip_set_layout.h"
#include "crowd/crowd_layout.h"
#include "vkskin/vkskin_vertex.glsl"

layout(local_size_x = CROWD_GROUP) in;
layout(constant_id = CROWD_POSE_CONSTANT_ENCODING) const uint ENCODING = 0u;
layout(constant_id = CROWD_POSE_CONSTANT_POSING) const uint POSING = CROWD_POSING_THREAD;

layout(set = CROWD_POSE_SET_CLIPS, binding = 0, std430) readonly buffer Clips { uint clipWords[]; };
layout(set = CROWD_POSE_SET_TABLES, binding = 0, std430) readonly buffer Tables { uint tableWords[]; };
// Three views of one buffer: no word is accessed through two of them. `worlds` is the temporary memory.
layout(set = CROWD_POSE_SET_PALETTES, binding = 0, std430) writeonly buffer Vectors { vec4 vectors[]; };
layout(set = CROWD_POSE_SET_PALETTES, binding = 0, std430) writeonly buffer Words { uint words[]; };
layout(set = CROWD_POSE_SET_PALETTES, binding = 0, std430) coherent buffer Worlds { vec4 worlds[]; };
layout(set = CROWD_POSE_SET_FRAME, binding = 0, std430) readonly buffer Frame { uint frameWords[]; };

layout(push_constant) uniform Push { LayoutCrowdPosePush pass; };

// The device may hold other bits than those of a clip set: see crowd_layout.h.
#define VKSKIN_ANIMATION_WORD(at) clipWords[pass.clipSet + min(at, pass.lastClipWord)]
#include "vkskin/vkskin_animation.glsl"

#include "crowd/crowd_palette.glsl"

#define READ_CLIP_WORD(field)  value.field = VKSKIN_ANIMATION_WORD(at++);
#define READ_TABLE_WORD(field) value.field = tableWords[at++];
#define READ_FRAME_WORD(field) value.field = frameWords[at++];
LAYOUT_READER(LayoutClipSet, readClipSet, CLIP_SET_FIELDS, READ_CLIP_WORD)
LAYOUT_READER(LayoutClipNode, readClipNode, CLIP_NODE_FIELDS, READ_CLIP_WORD)
LAYOUT_READER(LayoutCrowdSkin, readSkin, CROWD_SKIN_FIELDS, READ_TABLE_WORD)
LAYOUT_READER(LayoutCrowdPose, readPose, CROWD_POSE_FIELDS, READ_FRAME_WORD)

// Software drivers run both sides of a branch for all threads, and the body of a loop at least once. They leave a loop
// when no thread goes on. So optional work is in further rounds of a loop: a second clip, a scale, a next run. Some drivers
// lose the results of a thread that leaves such a loop early. So all threads of a workgroup do the same number of rounds.

// ---- Sampling ----

// A clip at a time.
struct Source {
    VkskinKeys keys;
    uint channels; // word of the table of channels
};

// One clip, or two in a fade.
struct Mix {
    Source from, to;
    float weight; // of `to`
    uint count;   // of clips: 1 if no character of the workgroup is in a fade
};

Source sourceOf(uint clip, uint phase, uint channels) {
    return Source(vkskinKeysAtPhase(vkskinReadClip(clip), phase),
                  channels + clip * (pass.nodeCount * CLIP_CHANNELS));
}

float weightOf(LayoutCrowdPose pose) {
    float weight = uintBitsToFloat(pose.weight);
    return weight > 0.0 ? weight : 0.0;
}

Mix mixOf(LayoutCrowdPose pose, uint channels, uint count) {
    float weight = weightOf(pose);
    uint to = weight > 0.0 ? pose.clips >> 16 : pose.clips & 0xffffu; // the other one may not exist
    return Mix(sourceOf(pose.clips & 0xffffu, pose.phaseA, channels), sourceOf(to, pose.phaseB, channels), weight,
               count);
}

vec4 sampleRotation(Source source, uint place) {
    uint entry = VKSKIN_ANIMATION_WORD(source.channels + place * CLIP_CHANNELS + 1u);
    uint at = entry & CLIP_PLACE_MASK;
    vec4 value = vkskinAnimationVector4(at); // of a track: any number
    if (entry != at) { // most have one
        value = vkskinSampleRotation(at, source.keys);
    }
    return value;
}

// A translation (channel 0) or a scale (channel 2) that no clip moves.
vec3 heldVector(Source source, uint place, uint channel) {
    return vkskinAnimationVector(VKSKIN_ANIMATION_WORD(source.channels + place * CLIP_CHANNELS + channel) &
                                 CLIP_PLACE_MASK);
}

vec3 sampleVector(Source source, uint place, uint channel) {
    uint entry = VKSKIN_ANIMATION_WORD(source.channels + place * CLIP_CHANNELS + channel);
    uint at = entry & CLIP_PLACE_MASK;
    vec3 value = vkskinAnimationVector(at);
    if (entry != at) {
        value = vkskinSampleVector(at, source.keys);
    }
    return value;
}

// ---- Two clips: each is a round of a loop ----

Source sourceAt(Mix clips, uint clip) {
    return clip == 0u ? clips.from : clips.to;
}

// 1 for the first clip, which replaces zero.
float weightAt(Mix clips, uint clip) {
    return clip == 0u ? 1.0 : clips.weight;
}

// Returns a unit quaternion. It goes the shorter way.
vec4 mixRotation(Mix clips, uint place) {
    vec4 mixed = vec4(0.0);
    uint clip = 0u;
    do {
        vec4 rotation = sampleRotation(sourceAt(clips, clip), place);
        float weight = weightAt(clips, clip);
        float side = dot(mixed, rotation) < 0.0 ? -weight : weight;
        mixed = (1.0 - weight) * mixed + side * rotation;
        clip++;
    } while (clip < clips.count);
    // By the weight, not the count: a pose must not depend on whether other characters of the workgroup are in a fade.
    return clips.weight == 0.0 ? mixed : vkskinNormaliseRotation(mixed);
}

vec3 mixHeldTranslation(Mix clips, uint place) {
    vec3 mixed = vec3(0.0);
    uint clip = 0u;
    do {
        mixed = mix(mixed, heldVector(sourceAt(clips, clip), place, 0u), weightAt(clips, clip));
        clip++;
    } while (clip < clips.count);
    return mixed;
}

// Sets translation and scale.
void mixVectors(Mix clips, uint place, uint flags, inout VkskinTransform local) {
    uint rounds = (flags & CLIP_NODE_SCALES) == 0u ? clips.count : 2u * clips.count;
    uint first = rounds - clips.count; // the first round of the translation
    vec3 mixed = vec3(0.0);
    uint clip = 0u;
    local.scale = vec3(1.0);
    for (uint at = 0u; at < rounds; at++) {
        uint channel = at < first ? 2u : 0u;
        mixed = mix(mixed, sampleVector(sourceAt(clips, clip), place, channel), weightAt(clips, clip));
        clip = clip + 1u < clips.count ? clip + 1u : 0u;
        local.scale = at < first ? mixed : local.scale;
    }
    local.translation = mixed;
}

// ---- Matrices ----

const VkskinMatrix IDENTITY =
    VkskinMatrix(vec4(1.0, 0.0, 0.0, 0.0), vec4(0.0, 1.0, 0.0, 0.0), vec4(0.0, 0.0, 1.0, 0.0));

VkskinMatrix matrixOf(VkskinTransform local) {
    float squared = dot(local.rotation, local.rotation);
    vec4 q = local.rotation;
    // The length is nearly 1: one Newton step normalises. Keys of a damaged clip may be longer.
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

// matrix times the pre-transform of a node
VkskinMatrix multiplyPre(VkskinMatrix matrix, uint at) {
    if (at != 0u) {
        matrix = multiply(matrix, VkskinMatrix(vkskinAnimationVector4(at), vkskinAnimationVector4(at + 4u),
                                               vkskinAnimationVector4(at + 8u)));
    }
    return matrix;
}

// world: vec4 index of the world matrices of the character, three for each node, by its number in the list of the skin
VkskinMatrix readWorld(uint world, uint number) {
    uint at = world + 3u * number;
    return VkskinMatrix(worlds[at], worlds[at + 1u], worlds[at + 2u]);
}

void writeWorld(uint world, uint number, VkskinMatrix matrix) {
    uint at = world + 3u * number;
    worlds[at] = matrix.x;
    worlds[at + 1u] = matrix.y;
    worlds[at + 2u] = matrix.z;
}

// ---- Bones ----

float tableFloat(uint at) {
    return uintBitsToFloat(tableWords[at]);
}

vec4 tableVector(uint at) {
    return vec4(tableFloat(at), tableFloat(at + 1u), tableFloat(at + 2u), tableFloat(at + 3u));
}

// The place in the clip set of a node of the list.
uint placeOf(LayoutCrowdSkin skin, uint number) {
    return min(tableWords[skin.nodes + 2u * number], pass.nodeCount - 1u);
}

uint parentNumber(LayoutCrowdSkin skin, uint number) {
    return tableWords[skin.nodes + 2u * number + 1u];
}

// palette: word of the slot's palette
void writeBones(LayoutCrowdSkin skin, uint palette, uint number, VkskinMatrix matrix) {
    uint end = tableWords[skin.starts + number + 1u];
    for (uint entry = tableWords[skin.starts + number]; entry < end; entry++) {
        uint bind = skin.binds + CROWD_BIND_WORDS * entry;
        VkskinMatrix inverse = VkskinMatrix(tableVector(bind), tableVector(bind + 4u), tableVector(bind + 8u));
        writeBone(ENCODING, palette, tableWords[skin.bones + entry], multiply(matrix, inverse));
    }
}

// ---- A thread for a character ----

// The world matrix to which the transform of a node is relative. last: of the node before.
VkskinMatrix parentOf(LayoutClipNode node, uint above, uint world, uint number, VkskinMatrix last) {
    VkskinMatrix parent = last;
    if (above == CLIP_NO_PARENT) {
        parent = IDENTITY;
    } else if (above + 1u != number) {
        parent = readWorld(world, min(above, number));
    }
    return multiplyPre(parent, node.pre);
}

uint flagsOf(LayoutClipSet set, uint place) {
    return VKSKIN_ANIMATION_WORD(set.nodes + place * CLIP_NODE_WORDS + 3u);
}

void poseByThread(LayoutClipSet set, LayoutCrowdSkin skin, Mix clips, uint palette, uint world) {
    VkskinMatrix matrix = IDENTITY;
    uint count = min(skin.nodeCount, pass.nodeCount);
    for (uint number = 0u; number < count;) { // a run
        uint place = placeOf(skin, number);
        LayoutClipNode node = readClipNode(set.nodes + place * CLIP_NODE_WORDS);
        VkskinTransform local;
        uint flags = node.flags;
        mixVectors(clips, place, flags, local);
        matrix = parentOf(node, parentNumber(skin, number), world, number, matrix);
        do {
            local.rotation = mixRotation(clips, place);
            matrix = multiply(matrix, matrixOf(local));
            writeBones(skin, palette, number, matrix);
            number++;
            place = placeOf(skin, min(number, count - 1u));
            flags = flagsOf(set, place);
            local.translation = mixHeldTranslation(clips, place);
            local.scale = vec3(1.0);
        } while (number < count && (flags & CLIP_NODE_BEGINS) == 0u);
        writeWorld(world, number - 1u, matrix);
    }
}

// ---- A workgroup for a character ----

// For each node of a chunk: the product of the matrices from below the ancestor `above` to the node.
shared vec4 products[3u * CLIP_CHUNK];
shared uint aboves[CLIP_CHUNK]; // number in the chunk, or CLIP_NO_PARENT

VkskinMatrix readProduct(uint number) {
    return VkskinMatrix(products[3u * number], products[3u * number + 1u], products[3u * number + 2u]);
}

void writeProduct(uint number, VkskinMatrix matrix, uint above) {
    products[3u * number] = matrix.x;
    products[3u * number + 1u] = matrix.y;
    products[3u * number + 2u] = matrix.z;
    aboves[number] = above;
}

// Each round doubles the number of matrices in a product. All threads call it.
VkskinMatrix composeChunk(uint rounds, VkskinMatrix matrix, uint above) {
    uint thread = gl_LocalInvocationID.x;
    for (uint r = 0u; r < rounds; r++) {
        writeProduct(thread, matrix, above);
        barrier();
        if (above != CLIP_NO_PARENT) {
            matrix = multiply(readProduct(above), matrix);
            above = aboves[above];
        }
        barrier();
    }
    return matrix;
}

void poseByGroup(LayoutClipSet set, LayoutCrowdSkin skin, Mix clips, uint palette, uint world) {
    uint count = min(skin.nodeCount, pass.nodeCount);
    for (uint first = 0u; first < count; first += CLIP_CHUNK) {
        uint number = first + gl_LocalInvocationID.x;
        VkskinMatrix matrix = IDENTITY;
        uint above = CLIP_NO_PARENT;
        if (number < count) {
            uint place = placeOf(skin, number);
            LayoutClipNode node = readClipNode(set.nodes + place * CLIP_NODE_WORDS);
            uint up = parentNumber(skin, number);
            uint parent = min(up, number);
            VkskinTransform local;
            mixVectors(clips, place, node.flags, local);
            local.rotation = mixRotation(clips, place);
            if (up != CLIP_NO_PARENT && parent < first) {
                matrix = readWorld(world, parent);
            } else if (up != CLIP_NO_PARENT) {
                above = parent - first;
            }
            matrix = multiply(multiplyPre(matrix, node.pre), matrixOf(local));
        }
        matrix = composeChunk(min(skin.rounds, CLIP_MOST_ROUNDS), matrix, above);
        if (number < count) {
            writeBones(skin, palette, number, matrix);
            writeWorld(world, number, matrix);
        }
        memoryBarrierBuffer();
        barrier();
    }
}

// ---- Both ----

shared uint fades; // 1: a character of the workgroup is in a fade

// All threads call it. Returns the number of clips.
uint countClips(bool fading) {
    if (gl_LocalInvocationID.x == 0u) {
        fades = 0u;
    }
    barrier();
    if (fading) {
        atomicOr(fades, 1u);
    }
    barrier();
    return 1u + fades;
}

void main() {
    uint index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (POSING == CROWD_POSING_THREAD) {
        index = index * CROWD_GROUP + gl_LocalInvocationID.x;
    }
    bool listed = index < frameWords[pass.count];
    uint slot = listed ? frameWords[pass.list + index] : 0u;
    LayoutCrowdPose pose = readPose(pass.poses + slot * CROWD_POSE_WORDS);
    uint count = countClips(listed && weightOf(pose) > 0.0);
    if (!listed) {
        return;
    }
    uint world = (pass.scratch + slot * pass.scratchStride) / 4u;
    LayoutClipSet set = readClipSet(VKSKIN_ANIMATION_WORD(2u) >> 2); // behind the bytes of the block
    LayoutCrowdSkin skin = readSkin(pass.skin);
    Mix clips = mixOf(pose, set.channels, count);
    if (POSING == CROWD_POSING_THREAD) {
        poseByThread(set, skin, clips, slot * pass.paletteStride, world);
    } else {
        poseByGroup(set, skin, clips, slot * pass.paletteStride, world);
    }
}
