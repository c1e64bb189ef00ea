#include "random_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Blocks ---- */

/* A block that grows. Word 0 is its first. */
typedef struct Words {
    uint32_t *words;
    uint32_t count, capacity;
} Words;

/* Room for `count` words of zeros; returns their offset. */
static uint32_t addWords(Words *words, uint32_t count) {
    const uint32_t at = words->count;
    if (at + count > words->capacity) {
        words->capacity = 2 * (at + count);
        uint32_t *larger = newZeroed(words->capacity, sizeof *larger);
        if (at > 0) {
            memcpy(larger, words->words, at * sizeof *larger);
        }
        free(words->words);
        words->words = larger;
    }
    words->count += count;
    return at;
}

static void putFloats(const Words *words, uint32_t at, const float *values, uint32_t count) {
    memcpy(words->words + at, values, count * sizeof *values);
}

static void addData(Words *words, const void *data, uint32_t count) {
    const uint32_t at = addWords(words, count);
    memcpy(words->words + at, data, count * sizeof *words->words);
}

static void randomScale(Random *random, const RandomAnimationDef *def, float scale[3]) {
    const bool one = !def->scales || randomBelow(random, 3) == 0;
    for (int i = 0; i < 3; i++) {
        scale[i] = one ? 1.0f : randomFloat(random, 0.6f, 1.5f);
        scale[i] *= !one && randomBelow(random, 8) == 0 ? -1.0f : 1.0f;
    }
}

static VkskinTransform randomTransform(Random *random, const RandomAnimationDef *def) {
    VkskinTransform transform;
    randomRotation(random, 2.0f, transform.rotation);
    randomScale(random, def, transform.scale);
    for (int i = 0; i < 3; i++) {
        transform.translation[i] = randomFloat(random, -def->maxDistance, def->maxDistance);
    }
    return transform;
}

/* Numbers of the nodes: all in order, or mixed. */
static void numberNodes(Random *random, const RandomAnimationDef *def, uint32_t *order) {
    for (uint32_t i = 0; i < def->nodeCount; i++) {
        order[i] = i;
    }
    for (uint32_t i = def->nodeCount; def->shuffled && i > 1; i--) {
        const uint32_t other = randomBelow(random, i), kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

static void addSkeleton(Random *random, const RandomAnimationDef *def, Words *words) {
    const uint32_t nodes = def->nodeCount, roots = def->rootCount > 0 ? def->rootCount : 1;
    const uint32_t parentsAt = addWords(words, nodes), orderAt = addWords(words, nodes);
    const uint32_t restAt = addWords(words, nodes * 10);
    const uint32_t preAt = def->preTransforms ? addWords(words, nodes * 12) : 0;
    uint32_t *order = words->words + orderAt;
    numberNodes(random, def, order);
    for (uint32_t i = 0; i < nodes; i++) {
        const VkskinTransform rest = randomTransform(random, def);
        const uint32_t before = i < roots ? 0 : def->chain ? i - 1 : randomBelow(random, i);
        words->words[parentsAt + order[i]] = i < roots ? UINT32_MAX : order[before];
        memcpy(words->words + restAt + (size_t)10 * order[i], &rest, sizeof rest);
        if (def->preTransforms) {
            const VkskinAffine pre = randomBone(random, 1.0f, def->scales);
            memcpy(words->words + preAt + (size_t)12 * order[i], &pre, sizeof pre);
        }
    }
    VkskinAnimationHeader *header = (VkskinAnimationHeader *)words->words;
    header->parentsAt = parentsAt;
    header->orderAt = orderAt;
    header->restAt = restAt;
    header->preAt = preAt;
}

static void addHeld(Random *random, const RandomAnimationDef *def, Words *words) {
    const uint32_t count = 12, at = addWords(words, count * 4);
    VkskinAnimationHeader *header = (VkskinAnimationHeader *)words->words;
    for (uint32_t i = 0; i < count; i++) { /* rotations, translations, scales in turn */
        const VkskinTransform one = randomTransform(random, def);
        putFloats(words, at + 4 * i,
                  i % 3 == 0   ? one.translation
                  : i % 3 == 1 ? one.rotation
                               : one.scale,
                  i % 3 == 1 ? 4 : 3);
    }
    header->heldAt = at;
    header->heldCount = count;
}

/* ---- Clips ---- */

enum { FORM_TRACK = 0, FORM_HELD, FORM_REST };

/* A channel of a clip under construction. */
typedef struct Channel {
    uint32_t node, channel, form, bits, numbers, place;
    float extent[4], centre[4];
    uint32_t held;
} Channel;

static uint32_t randomBits(Random *random) {
    const uint32_t bits = 2 + randomBelow(random, 24);
    return bits > 24 ? 32 : bits;
}

static bool isPresent(const Channel *channel, uint32_t number) {
    return channel->bits == 32 || channel->extent[number] > 0.0f;
}

/* Rounds the extents of a rotation to what 16 bits hold. */
static float rotationExtent(float extent) {
    return floorf(extent * 65535.0f) / 65535.0f;
}

static Channel randomChannel(Random *random, const RandomAnimationDef *def, uint32_t node, uint32_t kind) {
    Channel channel = {.node = node, .channel = kind, .bits = randomBits(random), .numbers = 3};
    channel.form = kind == 2 && !def->scales ? FORM_REST : randomBelow(random, 3);
    channel.form = kind == 1 && randomBelow(random, 2) == 0 ? FORM_TRACK : channel.form;
    if (def->spread > 0.0f) { /* held values are far from those at rest; translations at most turn with the root */
        channel.form = kind == 1 || node == 0 ? FORM_TRACK : FORM_REST;
    }
    channel.form = def->every > 0 && node % def->every != 0 ? FORM_REST : channel.form;
    channel.held = kind + 3 * randomBelow(random, 4);
    channel.numbers += kind == 1 && randomBelow(random, 3) == 0;
    for (uint32_t i = 0; i < channel.numbers; i++) {
        const bool absent = channel.bits == 32 || randomBelow(random, 6) == 0;
        const float maxDelta = kind == 1 ? def->turn : kind == 0 ? 0.3f * def->maxDistance : 0.3f;
        channel.extent[i] = absent ? 0.0f : randomFloat(random, 0.2f, 1.0f) * maxDelta;
        channel.extent[i] = kind == 1 ? rotationExtent(channel.extent[i]) : channel.extent[i];
        channel.centre[i] = channel.bits == 32 ? 0.0f : kind == 2 ? 1.0f : randomFloat(random, -maxDelta, maxDelta);
    }
    if (channel.numbers == 4 && channel.bits != 32) {
        channel.extent[3] = rotationExtent(fmaxf(def->turn, 0.5f)); /* w: its keys are all at the end of the range */
    }
    return channel;
}

/* Places the numbers of all tracks in a row; returns its words. */
static uint32_t placeTracks(Random *random, Channel *channels, uint32_t count) {
    uint32_t bit = 0;
    for (uint32_t i = 0; i < count; i++) {
        Channel *channel = &channels[i];
        uint32_t length = 0;
        for (uint32_t n = 0; n < channel->numbers; n++) {
            length += isPresent(channel, n) ? channel->bits : 0;
        }
        if (channel->form != FORM_TRACK) {
            continue;
        }
        bit += randomBelow(random, 5); /* gaps are allowed */
        if (channel->bits == 32 || bit % 32 + length > 128) {
            bit = (bit + 31) / 32 * 32;
        }
        channel->place = bit << 6 | channel->bits;
        bit += length;
    }
    return (bit + 31) / 32;
}

static void putBits(uint32_t *row, uint32_t bit, uint32_t bits, uint32_t number) {
    for (uint32_t i = 0; i < bits; i++) {
        row[(bit + i) / 32] |= (number >> i & 1u) << (bit + i) % 32;
    }
}

static void putKey(Random *random, const RandomAnimationDef *def, const Channel *channel, uint32_t *row) {
    uint32_t bit = channel->place >> 6;
    for (uint32_t n = 0; n < channel->numbers; n++) {
        const bool end = channel->numbers == 4 && n == 3; /* w, which is positive */
        const float maxDelta = channel->channel == 1 ? def->turn : channel->channel == 0 ? def->maxDistance : 0.5f;
        if (channel->bits == 32) {
            const float value =
                end ? 0.7f : randomFloat(random, -maxDelta, maxDelta) + (channel->channel == 2 ? 1.0f : 0.0f);
            memcpy(row + bit / 32, &value, sizeof value);
            bit += 32;
        } else if (channel->extent[n] > 0.0f) {
            const uint32_t most = (1u << channel->bits) - 2;
            const uint32_t count = most + (channel->channel == 1 ? 1 : 2); /* the last is beyond the extent */
            putBits(row, bit, channel->bits, end ? most : randomBelow(random, count));
            bit += channel->bits;
        }
    }
}

/* Times from 0 on; some are equal. */
static uint32_t addTimes(Random *random, Words *words, uint32_t keys) {
    const uint32_t at = addWords(words, keys);
    float time = 0.0f;
    for (uint32_t i = 0; i < keys; i++) {
        putFloats(words, at + i, &time, 1);
        time += randomBelow(random, 5) == 0 ? 0.0f : randomFloat(random, 0.01f, 0.2f);
    }
    return at;
}

/* Any rotation, or one near that at rest. */
static void randomBase(Random *random, const RandomAnimationDef *def, const Words *words, uint32_t node,
                       float base[4]) {
    const uint32_t restAt = ((const VkskinAnimationHeader *)words->words)->restAt;
    const VkskinTransform *rest = (const VkskinTransform *)(words->words + restAt) + node;
    float turn[4];
    if (def->spread == 0.0f) {
        randomRotation(random, 3.0f, base);
        return;
    }
    randomRotation(random, def->spread, turn);
    const float *q = rest->rotation;
    base[0] = q[3] * turn[0] + q[0] * turn[3] + q[1] * turn[2] - q[2] * turn[1];
    base[1] = q[3] * turn[1] + q[1] * turn[3] + q[2] * turn[0] - q[0] * turn[2];
    base[2] = q[3] * turn[2] + q[2] * turn[3] + q[0] * turn[1] - q[1] * turn[0];
    base[3] = q[3] * turn[3] - q[0] * turn[0] - q[1] * turn[1] - q[2] * turn[2];
}

static void addTarget(Random *random, const RandomAnimationDef *def, const Channel *channel, Words *words) {
    const uint32_t target = channel->node | channel->channel << 16;
    if (channel->form == FORM_HELD) {
        const VkskinAnimationHold hold = {target, channel->held};
        addData(words, &hold, 2);
    } else if (channel->channel == 1) {
        VkskinAnimationRotation rotation = {target, channel->place, {0}, {0}};
        rotation.target |= channel->numbers == 4 ? VKSKIN_ANIMATION_FOUR : 0;
        float base[4];
        randomBase(random, def, words, channel->node, base);
        for (int i = 0; i < 4; i++) {
            rotation.base[i] = (int16_t)(base[i] * 32767.0f);
            rotation.extent[i] = (uint16_t)(channel->extent[i] * 65535.0f + 0.5f);
        }
        addData(words, &rotation, 6);
    } else {
        VkskinAnimationVector vector = {.target = target, .place = channel->place};
        memcpy(vector.centre, channel->centre, sizeof vector.centre);
        memcpy(vector.extent, channel->extent, sizeof vector.extent);
        addData(words, &vector, 8);
    }
}

static uint32_t addTargets(Random *random, const RandomAnimationDef *def, const Channel *channels, uint32_t count,
                           uint32_t form, bool rotations, Words *words) {
    uint32_t added = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool fits = form == FORM_HELD || (channels[i].channel == 1) == rotations;
        if (channels[i].form == form && fits) {
            addTarget(random, def, &channels[i], words);
            added++;
        }
    }
    return added;
}

static void addClip(Random *random, const RandomAnimationDef *def, uint32_t at, Words *words) {
    const uint32_t count = 3 * def->nodeCount;
    Channel *channels = newZeroed(count, sizeof *channels);
    VkskinAnimationClip clip = {.keyCount = 1 + randomBelow(random, def->maxKeys)};
    for (uint32_t i = 0; i < count; i++) {
        channels[i] = randomChannel(random, def, i / 3, i % 3);
    }
    clip.stride = placeTracks(random, channels, count);
    clip.keyCount = clip.stride > 0 ? clip.keyCount : 1;
    clip.timesAt = def->nonUniform || randomBelow(random, 2) == 0 ? addTimes(random, words, clip.keyCount) : 0;
    clip.duration = randomFloat(random, 0.5f, 2.0f);
    if (clip.timesAt != 0) {
        memcpy(&clip.duration, words->words + clip.timesAt + clip.keyCount - 1, sizeof clip.duration);
    }
    clip.rotationsAt = words->count;
    clip.rotationCount = addTargets(random, def, channels, count, FORM_TRACK, true, words);
    clip.vectorsAt = words->count;
    clip.vectorCount = addTargets(random, def, channels, count, FORM_TRACK, false, words);
    clip.holdsAt = words->count;
    clip.holdCount = addTargets(random, def, channels, count, FORM_HELD, false, words);
    clip.keysAt = addWords(words, clip.keyCount * clip.stride + 4);
    for (uint32_t key = 0; key < clip.keyCount; key++) {
        for (uint32_t i = 0; i < count; i++) {
            if (channels[i].form == FORM_TRACK) {
                putKey(random, def, &channels[i], words->words + clip.keysAt + (size_t)key * clip.stride);
            }
        }
    }
    memcpy(words->words + at, &clip, sizeof clip);
    free(channels);
}

void *newRandomAnimation(Random *random, const RandomAnimationDef *def, size_t *size) {
    Words words = {0};
    (void)addWords(&words, 16);
    addSkeleton(random, def, &words);
    addHeld(random, def, &words);
    const uint32_t clipsAt = addWords(&words, def->clipCount * 16);
    for (uint32_t clip = 0; clip < def->clipCount; clip++) {
        addClip(random, def, clipsAt + clip * 16, &words);
    }
    (void)addWords(&words, (4 - words.count % 4) % 4);
    VkskinAnimationHeader *header = (VkskinAnimationHeader *)words.words;
    header->magic = VKSKIN_ANIMATION_MAGIC;
    header->version = VKSKIN_ANIMATION_VERSION;
    header->bytes = words.count * 4;
    header->nodeCount = def->nodeCount;
    header->clipCount = def->clipCount;
    header->clipsAt = clipsAt;
    *size = header->bytes;
    return words.words;
}

/* ---- Poses ---- */

static const void *wordsAt(const void *block, uint32_t at) {
    return (const uint32_t *)block + at;
}

static const VkskinAnimationClip *clipAt(const void *block, uint32_t clip) {
    const VkskinAnimationHeader *header = block;
    return (const VkskinAnimationClip *)wordsAt(block, header->clipsAt) + clip;
}

ReferencePlace referencePlaceAt(const void *block, uint32_t clip, double seconds) {
    const VkskinAnimationClip *source = clipAt(block, clip);
    ReferencePlace place = {0};
    if (source->keyCount < 2) {
        return place;
    }
    double from = 0.0, to = source->duration / (source->keyCount - 1.0);
    const float *times = source->timesAt != 0 ? wordsAt(block, source->timesAt) : NULL;
    for (uint32_t row = 0; row + 1 < source->keyCount; row++) {
        const double start = times != NULL ? times[row] : source->duration * (row / (source->keyCount - 1.0));
        if (start <= seconds) {
            from = start;
            to = times != NULL ? times[row + 1] : source->duration * ((row + 1) / (source->keyCount - 1.0));
            place.row = row;
        }
    }
    place.fraction = to > from ? fmin((seconds - from) / (to - from), 1.0) : 1.0;
    return place;
}

static double numberAt(const uint32_t *row, uint32_t bit, uint32_t bits) {
    if (bits == 32) {
        float value;
        memcpy(&value, row + bit / 32, sizeof value);
        return value;
    }
    uint32_t number = 0;
    for (uint32_t i = 0; i < bits; i++) {
        number |= (row[(bit + i) / 32] >> (bit + i) % 32 & 1u) << i;
    }
    const double middle = (1u << (bits - 1)) - 1.0;
    return (number - middle) / middle;
}

/* The numbers of a track; absent ones are 0. */
static void sampleNumbers(const void *block, const VkskinAnimationClip *clip, ReferencePlace place, uint32_t at,
                          const double *extent, uint32_t count, double *numbers) {
    const uint32_t *row = (const uint32_t *)wordsAt(block, clip->keysAt) + (size_t)place.row * clip->stride;
    const uint32_t *next = clip->keyCount > 1 ? row + clip->stride : row;
    const uint32_t bits = at & 63;
    uint32_t bit = at >> 6;
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = 0.0;
        if (bits == 32 || extent[i] > 0.0) {
            const double a = numberAt(row, bit, bits), b = numberAt(next, bit, bits);
            numbers[i] = (a + place.fraction * (b - a)) * (bits == 32 ? 1.0 : extent[i]);
            bit += bits;
        }
    }
}

static void multiplyQuaternions(const double a[4], const double b[4], double product[4]) {
    product[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    product[1] = a[3] * b[1] + a[1] * b[3] + a[2] * b[0] - a[0] * b[2];
    product[2] = a[3] * b[2] + a[2] * b[3] + a[0] * b[1] - a[1] * b[0];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

static void sampleRotation(const void *block, const VkskinAnimationClip *clip, ReferencePlace place,
                           const VkskinAnimationRotation *track, double rotation[4]) {
    const bool four = (track->target & VKSKIN_ANIMATION_FOUR) != 0;
    double extent[4], base[4], q[4];
    for (int i = 0; i < 4; i++) {
        extent[i] = track->extent[i] / 65535.0;
        base[i] = track->base[i];
    }
    referenceNormalise(base, 4);
    sampleNumbers(block, clip, place, track->place, extent, four ? 4 : 3, q);
    if (four) {
        if (referenceNormalise(q, 4) == 0.0) {
            q[3] = 1.0;
        }
    } else {
        q[3] = sqrt(fmax(0.0, 1.0 - q[0] * q[0] - q[1] * q[1] - q[2] * q[2]));
    }
    multiplyQuaternions(base, q, rotation);
}

static void widen(const float *values, int count, double *wide) {
    for (int i = 0; i < count; i++) {
        wide[i] = values[i];
    }
}

static void sampleTracks(const void *block, const VkskinAnimationClip *clip, ReferencePlace place, uint32_t node,
                         ReferenceTransform *local) {
    const VkskinAnimationRotation *rotations = wordsAt(block, clip->rotationsAt);
    const VkskinAnimationVector *vectors = wordsAt(block, clip->vectorsAt);
    for (uint32_t i = 0; i < clip->rotationCount; i++) {
        if ((rotations[i].target & 0xffff) == node) {
            sampleRotation(block, clip, place, &rotations[i], local->rotation);
        }
    }
    for (uint32_t i = 0; i < clip->vectorCount; i++) {
        if ((vectors[i].target & 0xffff) == node) {
            double *value = vectors[i].target >> 16 == VKSKIN_CHANNEL_SCALE ? local->scale : local->translation;
            double extent[3], numbers[3];
            widen(vectors[i].extent, 3, extent);
            sampleNumbers(block, clip, place, vectors[i].place, extent, 3, numbers);
            for (int k = 0; k < 3; k++) {
                value[k] = vectors[i].centre[k] + numbers[k];
            }
        }
    }
}

ReferenceTransform referenceNodeAt(const void *block, uint32_t clip, ReferencePlace place, uint32_t node) {
    const VkskinAnimationHeader *header = block;
    const VkskinTransform *rest = (const VkskinTransform *)wordsAt(block, header->restAt) + node;
    ReferenceTransform local;
    widen(rest->translation, 3, local.translation);
    widen(rest->rotation, 4, local.rotation);
    widen(rest->scale, 3, local.scale);
    if (clip != VKSKIN_REST_POSE) {
        const VkskinAnimationClip *source = clipAt(block, clip);
        const VkskinAnimationHold *holds = wordsAt(block, source->holdsAt);
        double *const values[] = {local.translation, local.rotation, local.scale};
        for (uint32_t i = 0; i < source->holdCount; i++) {
            if ((holds[i].target & 0xffff) == node) {
                const uint32_t channel = holds[i].target >> 16;
                widen((const float *)wordsAt(block, header->heldAt) + (size_t)4 * holds[i].value, channel == 1 ? 4 : 3,
                      values[channel]);
            }
        }
        sampleTracks(block, source, place, node, &local);
    }
    if (referenceNormalise(local.rotation, 4) == 0.0) {
        local.rotation[3] = 1.0;
    }
    return local;
}

ReferenceTransform referenceBlend(const ReferenceTransform *a, const ReferenceTransform *b, double weight) {
    ReferenceTransform mixed;
    double dot = 0.0;
    for (int i = 0; i < 4; i++) {
        dot += a->rotation[i] * b->rotation[i];
    }
    for (int i = 0; i < 4; i++) {
        mixed.rotation[i] = (1.0 - weight) * a->rotation[i] + weight * (dot < 0.0 ? -b->rotation[i] : b->rotation[i]);
    }
    referenceNormalise(mixed.rotation, 4);
    for (int i = 0; i < 3; i++) {
        mixed.translation[i] = (1.0 - weight) * a->translation[i] + weight * b->translation[i];
        mixed.scale[i] = (1.0 - weight) * a->scale[i] + weight * b->scale[i];
    }
    return mixed;
}

ReferenceMatrix *newReferenceAnimationWorld(const void *block, const ReferenceTransform *locals) {
    const VkskinAnimationHeader *header = block;
    const int32_t *parents = wordsAt(block, header->parentsAt);
    const uint32_t *order = wordsAt(block, header->orderAt);
    const VkskinAffine *pre = header->preAt != 0 ? wordsAt(block, header->preAt) : NULL;
    ReferenceMatrix *world = newZeroed(header->nodeCount, sizeof *world);
    for (uint32_t i = 0; i < header->nodeCount; i++) {
        const uint32_t node = order[i];
        ReferenceMatrix local = referenceCompose(locals[node].translation, locals[node].rotation, locals[node].scale);
        if (pre != NULL) {
            const ReferenceMatrix before = referenceFromAffine(&pre[node]);
            local = referenceMultiply(&before, &local);
        }
        world[node] = parents[node] >= 0 ? referenceMultiply(&world[parents[node]], &local) : local;
    }
    return world;
}
