/* Characters of the soak: random meshes on random skeletons with random clips, and the library's objects of them. */
#include <math.h>
#include <stdlib.h>

#include "soak_parts.h"

#define MAX_SLOTS  8u   /* influences per vertex */
#define MORPH_MOVE 0.3f /* of the mesh's cube of side 2 */
#define MAX_TURN   0.2f /* change of a normal or tangent by a morph target */
#define MAX_KEYS   4u
#define REST_ANGLE 0.8f /* radians */
#define KEY_ANGLE  1.5f
#define NODE_MOVE  0.3f /* of the mesh's cube of side 2 */
#define TANGENT    0.2f /* of cubic keys, per second */

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

/* Mostly small; sometimes large enough to fill a page or several. */
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

static void addMorph(Random *random, const ModelMesh *mesh, ModelMorph *morph) {
    morph->name = newZeroed(1, 1);
    morph->vertexCount = mesh->vertexCount;
    morph->vertices = newZeroed(mesh->vertexCount, sizeof *morph->vertices);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        morph->vertices[v] = v;
    }
    morph->positions = randomDeltas(random, mesh->vertexCount, MORPH_MOVE, false);
    morph->normals = randomDeltas(random, mesh->vertexCount, MAX_TURN, false);
    morph->tangents = randomDeltas(random, mesh->vertexCount, MAX_TURN, false);
}

static void addMesh(Random *random, Model *model, uint32_t boneCount) {
    RandomMeshDef def = {
        .vertexCount = randomVertexCount(random),
        .boneCount = boneCount,
        .influences = 1 + randomBelow(random, MAX_SLOTS),
        .minInfluences = 1,
        .normalised = randomBelow(random, 4) > 0,
    };
    model->meshCount = 1;
    model->meshes = newZeroed(1, sizeof *model->meshes);
    model->meshes[0] = randomMesh(random, &def);
    ModelMesh *mesh = &model->meshes[0];
    mesh->blendWeights = newZeroed(mesh->vertexCount, sizeof *mesh->blendWeights);
    for (uint32_t v = 0; v < mesh->vertexCount; v++) {
        mesh->blendWeights[v] = randomFloat(random, 0.0f, 1.0f);
    }
    mesh->morphs = newZeroed(SOAK_MORPHS, sizeof *mesh->morphs);
    while (mesh->morphCount < SOAK_MORPHS) {
        addMorph(random, mesh, &mesh->morphs[mesh->morphCount++]);
    }
}

static Model *newModel(Random *random, bool rigid) {
    Model *model = newZeroed(1, sizeof *model);
    uint32_t boneCount = randomBoneCount(random);
    uint32_t clips = 1 + randomBelow(random, SOAK_MAX_CLIPS);
    addNodes(random, model, 1 + randomBelow(random, 2 * boneCount), rigid);
    addSkin(random, model, boneCount);
    addMesh(random, model, boneCount);
    model->partCount = 1;
    model->parts = newZeroed(1, sizeof *model->parts);
    model->clips = newZeroed(clips, sizeof *model->clips);
    for (uint32_t i = 0; i < clips; i++) {
        addClip(random, model, rigid);
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

SoakCharacter *soakCharacterCreate(Random *random, HostMemory *memory) {
    VkskinHostAllocator allocator = hostMemoryAllocator(memory);
    SoakCharacter *character = newZeroed(1, sizeof *character);
    character->rigid = randomBelow(random, 3) > 0;
    character->model = newModel(random, character->rigid);
    character->diagonal = diagonalOf(&character->model->meshes[0]);
    VkskinResult result = modelObjectsCreate(character->model, &allocator, &character->objects);
    if (result < 0) {
        soakCharacterDestroy(character);
        soakFail("skeleton, clips and skin: %s", vkskinResultName(result));
    }
    return character;
}

void soakCharacterDestroy(SoakCharacter *character) {
    modelObjectsFree(&character->objects);
    modelFree(character->model);
    free(character);
}

static VkskinMethod randomMethod(const SoakCharacter *character, uint32_t methods, Random *random) {
    VkskinMethod method = (VkskinMethod)randomBelow(random, VKSKIN_METHOD_COUNT);
    bool held = character->rigid || method != VKSKIN_METHOD_DUAL_QUATERNION;
    return held && (methods & VKSKIN_METHOD_BIT(method)) != 0 ? method : VKSKIN_METHOD_LINEAR_BLEND;
}

SoakPose soakCharacterPose(const SoakCharacter *character, const SoakKinds *kinds, Random *random) {
    SoakPose pose = {
        .clip = (int32_t)randomBelow(random, character->model->clipCount + 1) - 1,
        .time = randomFloat(random, -2.0f, 6.0f),
        .method = randomMethod(character, kinds->methods, random),
    };
    pose.encoding = vkskinMethodEncoding(pose.method);
    if (pose.method == VKSKIN_METHOD_LINEAR_BLEND && kinds->quaternions && character->rigid) {
        pose.encoding = VKSKIN_PALETTE_QUATERNION;
    }
    for (uint32_t i = 0; kinds->morphs && i < SOAK_MORPHS; i++) {
        pose.morphWeights[i] = randomBelow(random, 2) == 0 ? 0.0f : randomFloat(random, -1.0f, 1.0f);
    }
    return pose;
}

void soakCharacterPalette(SoakCharacter *character, const SoakPose *pose, void *palette, uint32_t boneCount) {
    VkskinResult result = modelObjectsPose(&character->objects, pose->clip, pose->time, VKSKIN_WRAP_LOOP);
    if (result >= 0) {
        result = modelObjectsPalette(&character->objects, 0, pose->encoding, palette, boneCount);
    }
    if (result != VKSKIN_SUCCESS) { /* a rigid character has no scale that could be lost: no warning is expected */
        soakFail("vkskinWritePalette: %s", vkskinResultName(result));
    }
}
