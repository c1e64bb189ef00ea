#include "soak_model.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"

#define MAX_PLACES 8u   /* influences that a mesh comes with */
#define MORPH_MOVE 0.3f /* of the mesh's cube of side 2 */
#define MAX_TURN   0.2f /* of a normal or tangent by a morph target */
#define MAX_KEYS   4u
#define REST_ANGLE 0.8f /* radians */
#define KEY_ANGLE  1.5f
#define NODE_MOVE  0.3f /* of the mesh's cube of side 2 */
#define TANGENT    0.2f /* of cubic keys, a second */

static void *newArray(size_t count, size_t size) {
    void *array = calloc(count, size);
    if (array == NULL) {
        abort();
    }
    return array;
}

static void randomMove(Random *random, float *move) {
    for (int i = 0; i < 3; i++) {
        move[i] = randomFloat(random, -NODE_MOVE, NODE_MOVE);
    }
}

static void randomScale(Random *random, float *scale) {
    for (int i = 0; i < 3; i++) {
        scale[i] = randomFloat(random, 0.8f, 1.25f);
    }
}

/* ---- Nodes and skin ---- */

/* Chains are kept short: every node moves the ones below it, and so does its rounding. */
static void addNodes(Random *random, Model *model, uint32_t count, bool rigid) {
    model->nodeCount = count;
    model->nodes = newArray(count, sizeof *model->nodes);
    for (uint32_t n = 0; n < count; n++) {
        ModelNode *node = &model->nodes[n];
        node->parent = n == 0 ? -1 : (int32_t)randomBelow(random, n < 8 ? n : 8);
        node->rest = vkskinIdentityTransform();
        node->preTransform = vkskinIdentityAffine();
        randomMove(random, node->rest.translation);
        randomRotation(random, REST_ANGLE, node->rest.rotation);
        if (!rigid) {
            randomScale(random, node->rest.scale);
        }
    }
}

static void addSkin(Random *random, Model *model, uint32_t boneCount) {
    model->skinCount = 1;
    model->skins = newArray(1, sizeof *model->skins);
    ModelSkin *skin = model->skins;
    skin->boneCount = boneCount;
    skin->boneNodes = newArray(boneCount, sizeof *skin->boneNodes);
    skin->inverseBinds = newArray(boneCount, sizeof *skin->inverseBinds);
    for (uint32_t b = 0; b < boneCount; b++) {
        skin->boneNodes[b] = randomBelow(random, model->nodeCount);
        skin->inverseBinds[b] = randomBone(random, REST_ANGLE, false);
    }
}

/* ---- Clips ---- */

static uint32_t channelWidth(VkskinChannel channel) {
    return channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
}

static void randomKey(Random *random, VkskinChannel channel, float *value) {
    switch (channel) {
    case VKSKIN_CHANNEL_TRANSLATION:
        randomMove(random, value);
        break;
    case VKSKIN_CHANNEL_ROTATION:
        randomRotation(random, KEY_ANGLE, value);
        break;
    case VKSKIN_CHANNEL_SCALE:
        randomScale(random, value);
        break;
    case VKSKIN_CHANNEL_MORPH_WEIGHTS: /* no such track is made here */
        break;
    }
}

static VkskinTrack randomTrack(Random *random, uint32_t node, VkskinChannel channel) {
    VkskinTrack track = {.node = node, .channel = channel};
    track.interpolation = (VkskinInterpolation)randomBelow(random, 3);
    track.keyCount = 1 + randomBelow(random, MAX_KEYS);
    uint32_t width = channelWidth(channel);
    bool cubic = track.interpolation == VKSKIN_INTERPOLATION_CUBIC;
    uint32_t parts = cubic ? 3 : 1;
    float *times = newArray(track.keyCount, sizeof *times);
    float *values = newArray((size_t)track.keyCount * parts * width, sizeof *values);
    float time = randomFloat(random, 0.0f, 0.5f);
    for (uint32_t k = 0; k < track.keyCount; k++) {
        float *key = values + (size_t)k * parts * width;
        for (uint32_t i = 0; cubic && i < 3 * width; i++) {
            key[i] = randomFloat(random, -TANGENT, TANGENT);
        }
        randomKey(random, channel, key + (cubic ? width : 0));
        times[k] = time;
        time += randomFloat(random, 0.1f, 1.0f);
    }
    track.times = times;
    track.values = values;
    return track;
}

static void addClip(Random *random, Model *model, bool rigid) {
    ModelClip *clip = &model->clips[model->clipCount++];
    uint32_t channels = rigid ? 2 : 3;
    clip->tracks = newArray((size_t)model->nodeCount * channels, sizeof *clip->tracks);
    for (uint32_t n = 0; n < model->nodeCount; n++) {
        for (uint32_t c = 0; c < channels; c++) {
            if (randomBelow(random, 2) == 0) {
                VkskinTrack track = randomTrack(random, n, (VkskinChannel)c);
                float end = track.times[track.keyCount - 1];
                clip->duration = end > clip->duration ? end : clip->duration;
                clip->tracks[clip->trackCount++] = track;
            }
        }
    }
}

/* ---- The whole ---- */

/* Mostly small; now and then one that fills a page, or needs more than one. */
static uint32_t randomVertexCount(Random *random) {
    uint32_t lot = randomBelow(random, 100);
    if (lot < 70) {
        return 1 + randomBelow(random, 200);
    }
    return lot < 95 ? 200 + randomBelow(random, 600) : 800 + randomBelow(random, 3200);
}

static uint32_t randomBoneCount(Random *random) {
    return randomBelow(random, 20) == 0 ? 24 + randomBelow(random, 100) : 1 + randomBelow(random, 24);
}

static float *randomDeltas(Random *random, uint32_t count, float most) {
    float *deltas = newArray(count, 3 * sizeof *deltas);
    for (size_t i = 0; i < 3 * (size_t)count; i++) {
        deltas[i] = randomFloat(random, -most, most);
    }
    return deltas;
}

static void addMorph(Random *random, const ModelMesh *mesh, ModelMorph *morph) {
    morph->name = newArray(1, 1);
    morph->vertexCount = mesh->vertexCount;
    morph->vertices = newArray(mesh->vertexCount, sizeof *morph->vertices);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        morph->vertices[v] = v;
    }
    morph->positions = randomDeltas(random, mesh->vertexCount, MORPH_MOVE);
    morph->normals = randomDeltas(random, mesh->vertexCount, MAX_TURN);
    morph->tangents = randomDeltas(random, mesh->vertexCount, MAX_TURN);
}

static void addMesh(Random *random, Model *model, uint32_t boneCount) {
    RandomMeshDef def = {
        .vertexCount = randomVertexCount(random),
        .boneCount = boneCount,
        .influences = 1 + randomBelow(random, MAX_PLACES),
        .minInfluences = 1,
        .normalised = randomBelow(random, 4) > 0,
    };
    model->meshCount = 1;
    model->meshes = newArray(1, sizeof *model->meshes);
    model->meshes[0] = randomMesh(random, &def);
    ModelMesh *mesh = &model->meshes[0];
    mesh->blendWeights = newArray(mesh->vertexCount, sizeof *mesh->blendWeights);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        mesh->blendWeights[v] = randomFloat(random, 0.0f, 1.0f);
    }
    mesh->morphs = newArray(SOAK_MORPHS, sizeof *mesh->morphs);
    while (mesh->morphCount < SOAK_MORPHS) {
        addMorph(random, mesh, &mesh->morphs[mesh->morphCount++]);
    }
}

Model *newSoakModel(Random *random, bool rigid) {
    Model *model = newArray(1, sizeof *model);
    uint32_t boneCount = randomBoneCount(random);
    uint32_t clips = 1 + randomBelow(random, SOAK_MAX_CLIPS);
    addNodes(random, model, 1 + randomBelow(random, 2 * boneCount), rigid);
    addSkin(random, model, boneCount);
    addMesh(random, model, boneCount);
    model->partCount = 1;
    model->parts = newArray(1, sizeof *model->parts);
    model->clips = newArray(clips, sizeof *model->clips);
    for (uint32_t i = 0; i < clips; i++) {
        addClip(random, model, rigid);
    }
    return model;
}
