/* Characters: random meshes on random skeletons with random clips, and the library's objects of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "world.h"

#define MAX_SLOTS  40u  /* influences per vertex */
#define MORPH_MOVE 0.3f /* maximum move by a morph target, in a mesh that is a cube of side 2 */
#define MAX_TURN   0.2f /* change of a normal or tangent by a morph target */
#define MAX_KEYS   4u
#define REST_ANGLE 0.8f /* radians */
#define KEY_ANGLE  1.5f
#define NODE_MOVE  0.3f /* maximum move of a node, for the same cube */
#define TANGENT    0.2f /* maximum tangent of cubic keys, per second */

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

/* ---- Nodes and skin of a model ---- */

/* Chains are short, because rounding errors add up along a chain. */
static void addNodes(Random *random, Model *model, uint32_t count, bool rigid) {
    model->nodeCount = count;
    model->nodes = newZeroed(count, sizeof *model->nodes);
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
    model->skins = newZeroed(1, sizeof *model->skins);
    ModelSkin *skin = model->skins;
    skin->boneCount = boneCount;
    skin->boneNodes = newZeroed(boneCount, sizeof *skin->boneNodes);
    skin->inverseBinds = newZeroed(boneCount, sizeof *skin->inverseBinds);
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
    case VKSKIN_CHANNEL_MORPH_WEIGHTS: /* no such track is created */
        break;
    }
}

static VkskinTrack randomTrack(Random *random, uint32_t node, VkskinChannel channel) {
    VkskinTrack track = {.node = node, .channel = channel};
    track.interpolation = (VkskinInterpolation)randomBelow(random, VKSKIN_INTERPOLATION_BEZIER + 1);
    track.keyCount = 1 + randomBelow(random, MAX_KEYS);
    uint32_t width = channelWidth(channel);
    uint32_t parts = vkskinInterpolationParts(track.interpolation);
    float *times = newZeroed(track.keyCount, sizeof *times);
    float *values = newZeroed((size_t)track.keyCount * parts * width, sizeof *values);
    float time = randomFloat(random, 0.0f, 0.5f);
    for (uint32_t k = 0; k < track.keyCount; k++) {
        float *key = values + (size_t)k * parts * width;
        for (uint32_t i = 0; i < parts * width; i++) { /* tangents, or handles, some backwards in time */
            key[i] = randomFloat(random, -TANGENT, TANGENT);
        }
        randomKey(random, channel, key + (size_t)(parts / 2) * width);
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
    clip->tracks = newZeroed((size_t)model->nodeCount * channels, sizeof *clip->tracks);
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

/* ---- Mesh ---- */

/* Mostly small; some around the sizes of workgroups, some large enough to fill a page or several. */
static uint32_t randomVertexCount(Random *random) {
    static const uint32_t edges[] = {1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257};
    const uint32_t lot = randomBelow(random, 100);
    return lot < 20   ? edges[randomBelow(random, COUNT_OF(edges))]
           : lot < 75 ? 1 + randomBelow(random, 200)
           : lot < 95 ? 200 + randomBelow(random, 600)
                      : 800 + randomBelow(random, 3200);
}

static uint32_t randomBoneCount(Random *random, uint32_t most) {
    switch (randomBelow(random, 10)) {
    case 0:
        return 1;
    case 1:
        return most;
    case 2:
        return 1 + randomBelow(random, most);
    default:
        return 1 + randomBelow(random, most < 24 ? most : 24);
    }
}

/* Any vertices, or those of a stretch of the mesh, in descending order: any order is allowed. */
static void addMorph(Random *random, const ModelMesh *mesh, bool flat, ModelMorph *morph) {
    const uint32_t oneIn = 1 + randomBelow(random, 6);
    const uint32_t first = randomBelow(random, 2) * randomBelow(random, mesh->vertexCount);
    const uint32_t end = first + 1 + randomBelow(random, mesh->vertexCount - first);
    morph->name = newZeroed(1, 1);
    morph->vertices = newZeroed(mesh->vertexCount, sizeof *morph->vertices);
    for (uint32_t v = end; v-- > first;) {
        if (randomBelow(random, oneIn) == 0) {
            morph->vertices[morph->vertexCount++] = v;
        }
    }
    morph->positions = randomDeltas(random, morph->vertexCount, MORPH_MOVE, flat);
    morph->normals = randomDeltas(random, morph->vertexCount, MAX_TURN, false);
    morph->tangents = randomDeltas(random, morph->vertexCount, MAX_TURN, false);
}

/* The last bone moves the last vertex and some others. */
static void nameLastBone(Random *random, ModelMesh *mesh) {
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        for (uint32_t i = 0; i < mesh->influences; i++) {
            const size_t place = (size_t)v * mesh->influences + i;
            const bool wanted = v == mesh->vertexCount - 1 || randomBelow(random, 8) == 0;
            if (wanted && mesh->weights[place] > 0.0f) {
                mesh->joints[place] = mesh->boneCount - 1;
            }
        }
    }
}

/* Some vertices lose their weights, and follow one bone. */
static uint32_t leaveUnweighted(Random *random, ModelMesh *mesh) {
    for (uint32_t i = 0; i < 1 + mesh->vertexCount / 16; i++) {
        const size_t vertex = randomBelow(random, mesh->vertexCount);
        memset(mesh->weights + vertex * mesh->influences, 0, mesh->influences * sizeof(float));
    }
    return randomBelow(random, mesh->boneCount);
}

/* One in six has many influences. */
static void addMesh(Random *random, Model *model, uint32_t boneCount, WorldCharacter *character) {
    const uint32_t influences = 1 + randomBelow(random, randomBelow(random, 6) == 0 ? MAX_SLOTS : 8);
    const RandomMeshDef def = {
        .vertexCount = randomVertexCount(random),
        .boneCount = boneCount,
        .influences = influences,
        .minInfluences = randomBelow(random, 2) == 0 ? 1 : influences, /* fewer than the kernel reads, or as many */
        .normalised = randomBelow(random, 2) == 0,
    };
    model->meshCount = 1;
    model->meshes = newZeroed(1, sizeof *model->meshes);
    model->meshes[0] = randomMesh(random, &def);
    ModelMesh *mesh = &model->meshes[0];
    nameLastBone(random, mesh);
    character->unweightedBone = randomBelow(random, 4) == 0 ? leaveUnweighted(random, mesh) : VKSKIN_NO_BONE;
    mesh->blendWeights = newZeroed(mesh->vertexCount, sizeof *mesh->blendWeights);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        mesh->blendWeights[v] = randomFloat(random, 0.0f, 1.0f);
        mesh->positions[3 * (size_t)v + 2] *= character->flat ? 0.0f : 1.0f;
    }
    mesh->morphs = newZeroed(WORLD_MORPHS, sizeof *mesh->morphs);
    while (mesh->morphCount < WORLD_MORPHS) {
        addMorph(random, mesh, character->flat, &mesh->morphs[mesh->morphCount++]);
    }
}

/* A model of many bones has few nodes. */
static Model *newModel(Random *random, uint32_t maxBones, WorldCharacter *character) {
    Model *model = newZeroed(1, sizeof *model);
    const uint32_t boneCount = randomBoneCount(random, maxBones);
    const uint32_t clips = 1 + randomBelow(random, WORLD_MAX_CLIPS);
    addNodes(random, model, 1 + randomBelow(random, 2 * (boneCount < 124 ? boneCount : 124)), character->rigid);
    addSkin(random, model, boneCount);
    addMesh(random, model, boneCount, character);
    model->partCount = 1;
    model->parts = newZeroed(1, sizeof *model->parts);
    model->clips = newZeroed(clips, sizeof *model->clips);
    for (uint32_t i = 0; i < clips; i++) {
        addClip(random, model, character->rigid);
    }
    return model;
}

/* ---- The library's objects ---- */

static double diagonalOf(const ModelMesh *mesh) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        float low = mesh->positions[i], high = mesh->positions[i];
        for (uint32_t v = 1; v < mesh->vertexCount; v++) {
            low = fminf(low, mesh->positions[3 * v + (uint32_t)i]);
            high = fmaxf(high, mesh->positions[3 * v + (uint32_t)i]);
        }
        square += ((double)high - low) * ((double)high - low);
    }
    return fmax(sqrt(square), 1.0); /* for a mesh of one vertex */
}

WorldCharacter *worldCharacterCreate(Random *random, bool flat, uint32_t maxBones, HostMemory *memory) {
    VkskinHostAllocator allocator = hostMemoryAllocator(memory);
    WorldCharacter *character = newZeroed(1, sizeof *character);
    character->rigid = randomBelow(random, 3) > 0;
    character->flat = flat;
    character->model = newModel(random, maxBones, character);
    character->diagonal = diagonalOf(&character->model->meshes[0]);
    VkskinResult result = modelObjectsCreate(character->model, &allocator, &character->objects);
    if (result < 0) {
        worldCharacterDestroy(character);
        worldFail("skeleton, clips and skin: %s", vkskinResultName(result));
    }
    return character;
}

void worldCharacterDestroy(WorldCharacter *character) {
    modelObjectsFree(&character->objects);
    modelFree(character->model);
    free(character);
}
