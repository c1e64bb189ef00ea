// vkskin_animation.glsl: for the host's shaders: samples packed animation sets, the blocks of vkskin_pack.h, as
// vkskinSampleAnimation does. vkskin's kernels for crowds use the same functions. Enable GL_GOOGLE_include_directive to
// include it. It declares only types and functions, and needs no optional feature.
//
// Bind the block as a storage buffer, and define before you include this file:
//     VKSKIN_ANIMATION_WORD(at)   uint number `at` of the block
// Bind only blocks that vkskinCheckAnimation accepted: the functions do not check the block again. Clips and nodes must
// be below the counts of the block.
//
// One node of a character, at a time in seconds:
//     VkskinClip clip = vkskinReadClip(index);
//     VkskinKeys keys = vkskinKeysAt(clip, vkskinLoopTime(clip, seconds));
//     VkskinTransform local = vkskinSampleNode(clip, keys, node);
// The functions from "Tracks" on sample a track whose place the host knows: they omit the search for the node.
#ifndef VKSKIN_ANIMATION_GLSL
#define VKSKIN_ANIMATION_GLSL

float vkskinAnimationFloat(uint at) {
    return uintBitsToFloat(VKSKIN_ANIMATION_WORD(at));
}

vec3 vkskinAnimationVector(uint at) {
    return vec3(vkskinAnimationFloat(at), vkskinAnimationFloat(at + 1u), vkskinAnimationFloat(at + 2u));
}

vec4 vkskinAnimationVector4(uint at) {
    return vec4(vkskinAnimationVector(at), vkskinAnimationFloat(at + 3u));
}

// ---- The skeleton ----

uint vkskinNodeCount() {
    return VKSKIN_ANIMATION_WORD(3u);
}

uint vkskinClipCount() {
    return VKSKIN_ANIMATION_WORD(4u);
}

// The node at a place of the order in which each parent comes before its children.
uint vkskinNodeInOrder(uint place) {
    return VKSKIN_ANIMATION_WORD(VKSKIN_ANIMATION_WORD(7u) + place);
}

// -1 for a root.
int vkskinParentOf(uint node) {
    return int(VKSKIN_ANIMATION_WORD(VKSKIN_ANIMATION_WORD(6u) + node));
}

bool vkskinHasPreTransforms() {
    return VKSKIN_ANIMATION_WORD(9u) != 0u;
}

// The rows of a node's pre-transform, w is the translation: row 0 to 2. Only if the block has pre-transforms.
vec4 vkskinPreTransformRow(uint node, uint row) {
    return vkskinAnimationVector4(VKSKIN_ANIMATION_WORD(9u) + 12u * node + 4u * row);
}

// VkskinTransform of vkskin_pose.h. The rotation (x, y, z, w) is of unit length in samples, any length at rest.
struct VkskinTransform {
    vec3 translation;
    vec4 rotation;
    vec3 scale;
};

VkskinTransform vkskinRestTransform(uint node) {
    uint at = VKSKIN_ANIMATION_WORD(8u) + 10u * node;
    return VkskinTransform(vkskinAnimationVector(at), vkskinAnimationVector4(at + 3u), vkskinAnimationVector(at + 7u));
}

// ---- Clips and times ----

// VkskinAnimationClip, without the error.
struct VkskinClip {
    float duration; // seconds
    uint keyCount, stride, timesAt, keysAt;
    uint rotationCount, rotationsAt;
    uint vectorCount, vectorsAt;
    uint holdCount, holdsAt;
};

VkskinClip vkskinReadClip(uint index) {
    uint at = VKSKIN_ANIMATION_WORD(10u) + 16u * index;
    return VkskinClip(vkskinAnimationFloat(at), VKSKIN_ANIMATION_WORD(at + 1u), VKSKIN_ANIMATION_WORD(at + 2u),
                      VKSKIN_ANIMATION_WORD(at + 3u), VKSKIN_ANIMATION_WORD(at + 4u), VKSKIN_ANIMATION_WORD(at + 5u),
                      VKSKIN_ANIMATION_WORD(at + 6u), VKSKIN_ANIMATION_WORD(at + 7u), VKSKIN_ANIMATION_WORD(at + 8u),
                      VKSKIN_ANIMATION_WORD(at + 9u), VKSKIN_ANIMATION_WORD(at + 10u));
}

// The time in a clip that repeats, VKSKIN_WRAP_LOOP: 0 to the duration. A float has few digits left for a long time: for
// clips that repeat for hours, keep a phase instead (vkskinKeysAtPhase).
float vkskinLoopTime(VkskinClip clip, float seconds) {
    float rest = clip.duration > 0.0 ? seconds - clip.duration * floor(seconds / clip.duration) : 0.0;
    return clamp(rest, 0.0, clip.duration);
}

// Two rows of keys, and the place between them.
struct VkskinKeys {
    uint row, next; // words of the block where they begin
    float fraction; // 0 to 1: from `row` to `next`
};

VkskinKeys vkskinKeysOf(VkskinClip clip, uint row, float fraction) {
    uint at = clip.keysAt + row * clip.stride;
    return VkskinKeys(at, clip.keyCount > 1u ? at + clip.stride : at, fraction);
}

// In a clip with key times, timesAt != 0, and two keys or more.
VkskinKeys vkskinListedKeysAt(VkskinClip clip, float seconds) {
    uint row = 0u;
    // The last of the first keyCount - 1 rows that is not after the time.
    for (uint left = clip.keyCount - 1u; left > 1u;) {
        uint middle = left / 2u;
        row += vkskinAnimationFloat(clip.timesAt + row + middle) <= seconds ? middle : 0u;
        left -= middle;
    }
    float from = vkskinAnimationFloat(clip.timesAt + row);
    float span = vkskinAnimationFloat(clip.timesAt + row + 1u) - from;
    float since = seconds - from;
    return vkskinKeysOf(clip, row, span > 0.0 ? min(since / span, 1.0) : since >= 0.0 ? 1.0 : 0.0);
}

// seconds: 0 to the duration
VkskinKeys vkskinKeysAt(VkskinClip clip, float seconds) {
    if (clip.keyCount < 2u) {
        return vkskinKeysOf(clip, 0u, 0.0);
    }
    if (clip.timesAt != 0u) {
        return vkskinListedKeysAt(clip, seconds);
    }
    float at = clip.duration > 0.0 ? seconds / clip.duration * float(clip.keyCount - 1u) : 0.0;
    uint row = min(uint(at), clip.keyCount - 2u);
    return vkskinKeysOf(clip, row, min(at - float(row), 1.0));
}

// phase: 2^32 is the duration. Keeps its precision for ever: phase += speed wraps around exactly.
VkskinKeys vkskinKeysAtPhase(VkskinClip clip, uint phase) {
    if (clip.keyCount < 2u) {
        return vkskinKeysOf(clip, 0u, 0.0);
    }
    if (clip.timesAt != 0u) {
        return vkskinListedKeysAt(clip, float(phase) * (clip.duration / 4294967296.0));
    }
    uint row, fraction;
    umulExtended(phase, clip.keyCount - 1u, row, fraction);
    return vkskinKeysOf(clip, row, float(fraction) / 4294967296.0);
}

// ---- Tracks ----

// A number of 2 to 24 bits, or a float. Without branches: software drivers run both sides.
float vkskinTrackNumber(uint row, uint bit, uint bits) {
    uint at = row + (bit >> 5), shift = bit & 31u;
    uint number = VKSKIN_ANIMATION_WORD(at) >> shift | VKSKIN_ANIMATION_WORD(at + 1u) << 1u << (31u - shift);
    return bits == 32u ? uintBitsToFloat(number) : float(number & (0xffffffffu >> (32u - bits)));
}

// Number at `bit` between two rows; `bit` advances. extent: 0 if it is absent.
float vkskinMixNumber(VkskinKeys keys, uint bits, float extent, inout uint bit) {
    float middle = bits == 32u ? 0.0 : float((1u << (bits - 1u)) - 1u);
    float unit = bits == 32u ? 1.0 : extent / middle;
    float a = vkskinTrackNumber(keys.row, bit, bits);
    float b = vkskinTrackNumber(keys.next, bit, bits);
    bit += unit != 0.0 ? bits : 0u;
    return (a - middle + keys.fraction * (b - a)) * unit;
}

// 16-bit halves of a word: signed, and unsigned.
vec2 vkskinSignedHalves(uint word) {
    return vec2(float(int(word << 16) >> 16), float(int(word) >> 16));
}

vec2 vkskinUnsignedHalves(uint word) {
    return vec2(float(word & 0xffffu), float(word >> 16));
}

// a times b
vec4 vkskinMultiplyRotations(vec4 a, vec4 b) {
    return vec4(a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz), a.w * b.w - dot(a.xyz, b.xyz));
}

// q of unit length; (0, 0, 0, 1) for zero.
vec4 vkskinNormaliseRotation(vec4 q) {
    float squared = dot(q, q);
    return squared > 0.0 ? q * inversesqrt(squared) : vec4(0.0, 0.0, 0.0, 1.0);
}

// The VkskinAnimationRotation at word `at` of the block.
vec4 vkskinSampleRotation(uint at, VkskinKeys keys) {
    uint place = VKSKIN_ANIMATION_WORD(at + 1u);
    uint bits = place & 63u, bit = place >> 6;
    vec4 base = vec4(vkskinSignedHalves(VKSKIN_ANIMATION_WORD(at + 2u)),
                     vkskinSignedHalves(VKSKIN_ANIMATION_WORD(at + 3u)));
    vec4 extent = vec4(vkskinUnsignedHalves(VKSKIN_ANIMATION_WORD(at + 4u)),
                       vkskinUnsignedHalves(VKSKIN_ANIMATION_WORD(at + 5u))) / 65535.0;
    vec4 q;
    q.x = vkskinMixNumber(keys, bits, extent.x, bit);
    q.y = vkskinMixNumber(keys, bits, extent.y, bit);
    q.z = vkskinMixNumber(keys, bits, extent.z, bit);
    q.w = sqrt(max(0.0, 1.0 - dot(q.xyz, q.xyz)));
    // VKSKIN_ANIMATION_FOUR. A loop of one round: software drivers skip it if no thread enters it.
    for (bool four = (VKSKIN_ANIMATION_WORD(at) & 0x80000000u) != 0u; four; four = false) {
        q.w = vkskinMixNumber(keys, bits, extent.w, bit);
        q = vkskinNormaliseRotation(q);
    }
    return vkskinMultiplyRotations(vkskinNormaliseRotation(base), q);
}

// The VkskinAnimationVector at word `at` of the block: a translation or a scale.
vec3 vkskinSampleVector(uint at, VkskinKeys keys) {
    uint place = VKSKIN_ANIMATION_WORD(at + 1u);
    uint bits = place & 63u, bit = place >> 6;
    vec3 extent = vkskinAnimationVector(at + 5u);
    vec3 moved;
    moved.x = vkskinMixNumber(keys, bits, extent.x, bit);
    moved.y = vkskinMixNumber(keys, bits, extent.y, bit);
    moved.z = vkskinMixNumber(keys, bits, extent.z, bit);
    return vkskinAnimationVector(at + 2u) + moved;
}

// Value `index` of those that channels hold.
vec4 vkskinHeldValue(uint index) {
    return vkskinAnimationVector4(VKSKIN_ANIMATION_WORD(11u) + 4u * index);
}

// ---- Nodes ----

#define VKSKIN_NO_TRACK 0xffffffffu

// The place of a channel of a node in a list of `count` elements of `words` words, or VKSKIN_NO_TRACK. The first word of
// an element is its target; the lists ascend by node, then by channel.
uint vkskinFindChannel(uint at, uint count, uint words, uint node, uint channel) {
    uint first = 0u;
    for (uint left = count; left > 0u;) {
        uint middle = left / 2u;
        uint target = VKSKIN_ANIMATION_WORD(at + (first + middle) * words) & 0x7fffffffu;
        bool before = (target & 0xffffu) != node ? (target & 0xffffu) < node : target >> 16 < channel;
        first += before ? middle + 1u : 0u;
        left = before ? left - middle - 1u : middle;
    }
    uint found = at + first * words;
    bool same = first < count && (VKSKIN_ANIMATION_WORD(found) & 0x7fffffffu) == (node | channel << 16);
    return same ? found : VKSKIN_NO_TRACK;
}

// A translation (channel 0) or a scale (channel 2).
vec3 vkskinSampleNodeVector(VkskinClip clip, VkskinKeys keys, uint node, uint channel, vec3 rest) {
    uint track = vkskinFindChannel(clip.vectorsAt, clip.vectorCount, 8u, node, channel);
    if (track != VKSKIN_NO_TRACK) {
        return vkskinSampleVector(track, keys);
    }
    uint held = vkskinFindChannel(clip.holdsAt, clip.holdCount, 2u, node, channel);
    return held != VKSKIN_NO_TRACK ? vkskinHeldValue(VKSKIN_ANIMATION_WORD(held + 1u)).xyz : rest;
}

vec4 vkskinSampleNodeRotation(VkskinClip clip, VkskinKeys keys, uint node, vec4 rest) {
    uint track = vkskinFindChannel(clip.rotationsAt, clip.rotationCount, 6u, node, 1u);
    if (track != VKSKIN_NO_TRACK) {
        return vkskinSampleRotation(track, keys);
    }
    uint held = vkskinFindChannel(clip.holdsAt, clip.holdCount, 2u, node, 1u);
    return held != VKSKIN_NO_TRACK ? vkskinHeldValue(VKSKIN_ANIMATION_WORD(held + 1u)) : rest;
}

// The transform of a node relative to its parent; its pre-transform is not applied.
VkskinTransform vkskinSampleNode(VkskinClip clip, VkskinKeys keys, uint node) {
    VkskinTransform rest = vkskinRestTransform(node);
    return VkskinTransform(vkskinSampleNodeVector(clip, keys, node, 0u, rest.translation),
                           vkskinSampleNodeRotation(clip, keys, node, rest.rotation),
                           vkskinSampleNodeVector(clip, keys, node, 2u, rest.scale));
}

#endif
