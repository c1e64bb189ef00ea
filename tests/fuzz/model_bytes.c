#include "model_bytes.h"

#include "fuzz_target.h"

#define NODES_MAX      12u
#define SKINS_MAX      4u
#define BONES_MAX      8u
#define MESHES_MAX     3u
#define VERTICES_MAX   24u
#define INFLUENCES_MAX 6u
#define TRIANGLES_MAX  8u
#define PARTS_MAX      4u
#define TEXTURES_MAX   2u
#define SIDE_MAX       4u
#define MATERIALS_MAX  3u
#define CLIPS_MAX      3u
#define TRACKS_MAX     4u
#define KEYS_MAX       6u
#define MORPHS_MAX     3u
#define MOVED_MAX      5u
#define WEIGHTS_MAX    4u

static void *zeroed(size_t count, size_t size) {
    void *array = calloc(count ? count : 1, size);
    FUZZ_CHECK(array != NULL);
    return array;
}

static void takeFloats(FuzzBytes *bytes, float *floats, size_t count) {
    for (size_t i = 0; i < count; i++) {
        floats[i] = fuzzFloat(bytes);
    }
}

/* 1 for most bytes of a flag: what is often absent would seldom be looked at. */
static bool often(FuzzBytes *bytes) {
    return (fuzzByte(bytes) & 7) != 7;
}

static void makeNode(FuzzBytes *bytes, ModelNode *node, uint32_t index) {
    uint8_t kind = fuzzByte(bytes);
    node->name = fuzzText(bytes);
    node->parent = kind == UINT8_MAX ? (int32_t)fuzzNumber(bytes) : (int32_t)(kind % (index + 1)) - 1;
    node->rest = vkskinIdentityTransform();
    node->preTransform = vkskinIdentityAffine();
    if (kind & 0x40) {
        takeFloats(bytes, node->rest.translation, 3);
        takeFloats(bytes, node->rest.rotation, 4);
        takeFloats(bytes, node->rest.scale, 3);
    }
    if (kind & 0x80) {
        takeFloats(bytes, &node->preTransform.m[0][0], 12);
    }
}

static void makeSkin(FuzzBytes *bytes, ModelSkin *skin, uint32_t nodeCount) {
    skin->boneCount = fuzzCount(bytes, BONES_MAX);
    skin->boneNodes = fuzzIndices(bytes, skin->boneCount, nodeCount);
    skin->inverseBinds = (VkskinAffine *)fuzzFloats(bytes, (size_t)skin->boneCount * 12);
}

/* Most often below `limit`. */
static uint32_t anIndex(FuzzBytes *bytes, uint32_t limit) {
    uint8_t byte = fuzzByte(bytes);
    return byte == UINT8_MAX || limit == 0 ? fuzzNumber(bytes) : byte % limit;
}

/* Ascending, save where the input says otherwise: chance alone would seldom sort them. */
static void makeMorph(FuzzBytes *bytes, ModelMorph *morph, uint32_t vertexCount) {
    morph->name = fuzzText(bytes);
    morph->vertexCount = fuzzCount(bytes, MOVED_MAX < vertexCount ? MOVED_MAX : vertexCount);
    morph->vertices = fuzzIndices(bytes, morph->vertexCount, vertexCount);
    for (uint32_t i = 1; often(bytes) && i < morph->vertexCount; i++) {
        uint32_t before = morph->vertices[i - 1];
        morph->vertices[i] = morph->vertices[i] <= before ? before + 1 : morph->vertices[i];
    }
    morph->positions = often(bytes) ? fuzzFloats(bytes, morph->vertexCount * 3u) : NULL;
    morph->normals = often(bytes) ? NULL : fuzzFloats(bytes, morph->vertexCount * 3u);
    morph->tangents = often(bytes) ? NULL : fuzzFloats(bytes, morph->vertexCount * 3u);
}

static float *makeBlendWeights(FuzzBytes *bytes, uint32_t count) {
    float *weights = fuzzFloats(bytes, count);
    for (uint32_t i = 0; often(bytes) && i < count; i++) {
        weights[i] = (float)fuzzByte(bytes) / 255.0f;
    }
    return weights;
}

static void makeMesh(FuzzBytes *bytes, ModelMesh *mesh, uint32_t materialCount) {
    mesh->name = fuzzText(bytes);
    mesh->vertexCount = fuzzCount(bytes, VERTICES_MAX);
    mesh->influences = often(bytes) ? 1 + fuzzCount(bytes, INFLUENCES_MAX - 1) : 0;
    mesh->boneCount = often(bytes) ? 1 + fuzzCount(bytes, BONES_MAX - 1) : fuzzNumber(bytes);
    mesh->indexCount = 3 * fuzzCount(bytes, TRIANGLES_MAX) + !often(bytes);
    mesh->material = anIndex(bytes, materialCount);
    size_t slots = (size_t)mesh->vertexCount * mesh->influences;
    mesh->positions = fuzzFloats(bytes, mesh->vertexCount * 3u);
    mesh->normals = fuzzFloats(bytes, mesh->vertexCount * 3u);
    mesh->tangents = often(bytes) ? fuzzFloats(bytes, mesh->vertexCount * 4u) : NULL;
    mesh->texcoords = often(bytes) ? fuzzFloats(bytes, mesh->vertexCount * 2u) : NULL;
    mesh->joints = fuzzIndices(bytes, slots, mesh->boneCount);
    mesh->weights = fuzzFloats(bytes, slots);
    mesh->indices = fuzzIndices(bytes, mesh->indexCount, mesh->vertexCount);
    mesh->blendWeights = often(bytes) ? NULL : makeBlendWeights(bytes, mesh->vertexCount);
    mesh->morphCount = fuzzCount(bytes, MORPHS_MAX);
    mesh->morphs = zeroed(mesh->morphCount, sizeof *mesh->morphs);
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        makeMorph(bytes, &mesh->morphs[i], mesh->vertexCount);
    }
}

static void makePart(FuzzBytes *bytes, const Model *model, ModelPart *part) {
    part->mesh = anIndex(bytes, model->meshCount);
    part->skin = anIndex(bytes, model->skinCount);
    part->node = anIndex(bytes, model->nodeCount);
    part->carrier = anIndex(bytes, model->nodeCount);
    if (part->mesh < model->meshCount && often(bytes)) {
        part->morphWeights = fuzzFloats(bytes, model->meshes[part->mesh].morphCount);
    }
}

static void makeTexture(FuzzBytes *bytes, ModelTexture *texture) {
    texture->width = fuzzCount(bytes, SIDE_MAX);
    texture->height = fuzzCount(bytes, SIDE_MAX);
    texture->pixels = fuzzArray(bytes, (size_t)texture->width * texture->height, 4);
}

static void makeMaterial(FuzzBytes *bytes, ModelMaterial *material, uint32_t textureCount) {
    material->name = fuzzText(bytes);
    takeFloats(bytes, material->baseColor, 4);
    material->texture = (int32_t)(anIndex(bytes, textureCount + 1) - 1);
}

static void makeTrack(FuzzBytes *bytes, VkskinTrack *track, uint32_t nodeCount) {
    track->node = anIndex(bytes, nodeCount);
    track->channel = (VkskinChannel)anIndex(bytes, 4);
    track->interpolation = (VkskinInterpolation)anIndex(bytes, 3);
    track->keyCount = fuzzCount(bytes, KEYS_MAX);
    float *times = fuzzFloats(bytes, track->keyCount);
    /* Ascending, save where the input says otherwise: chance alone would seldom sort them. */
    for (uint32_t i = 1; often(bytes) && i < track->keyCount; i++) {
        times[i] = times[i] < times[i - 1] ? times[i - 1] : times[i];
    }
    track->weightCount = fuzzCount(bytes, WEIGHTS_MAX);
    size_t values = track->channel == VKSKIN_CHANNEL_ROTATION ? 4u : 3u;
    values = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? track->weightCount : values;
    values *= track->interpolation == VKSKIN_INTERPOLATION_CUBIC ? 3u : 1u;
    track->times = times;
    track->values = fuzzFloats(bytes, track->keyCount * values);
}

static void makeClip(FuzzBytes *bytes, ModelClip *clip, uint32_t nodeCount) {
    clip->name = fuzzText(bytes);
    clip->duration = fuzzFloat(bytes);
    clip->trackCount = fuzzCount(bytes, TRACKS_MAX);
    clip->tracks = zeroed(clip->trackCount, sizeof *clip->tracks);
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        makeTrack(bytes, &clip->tracks[i], nodeCount);
    }
}

static void takeCounts(FuzzBytes *bytes, Model *model) {
    model->nodeCount = fuzzCount(bytes, NODES_MAX);
    model->skinCount = fuzzCount(bytes, SKINS_MAX);
    model->meshCount = fuzzCount(bytes, MESHES_MAX);
    model->partCount = fuzzCount(bytes, PARTS_MAX);
    model->textureCount = fuzzCount(bytes, TEXTURES_MAX);
    model->materialCount = fuzzCount(bytes, MATERIALS_MAX);
    model->clipCount = fuzzCount(bytes, CLIPS_MAX);
    model->nodes = zeroed(model->nodeCount, sizeof *model->nodes);
    model->skins = zeroed(model->skinCount, sizeof *model->skins);
    model->meshes = zeroed(model->meshCount, sizeof *model->meshes);
    model->parts = zeroed(model->partCount, sizeof *model->parts);
    model->textures = zeroed(model->textureCount, sizeof *model->textures);
    model->materials = zeroed(model->materialCount, sizeof *model->materials);
    model->clips = zeroed(model->clipCount, sizeof *model->clips);
}

Model *modelOfBytes(FuzzBytes *bytes) {
    Model *model = zeroed(1, sizeof *model);
    takeCounts(bytes, model);
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        makeNode(bytes, &model->nodes[i], i);
    }
    for (uint32_t i = 0; i < model->skinCount; i++) {
        makeSkin(bytes, &model->skins[i], model->nodeCount);
    }
    for (uint32_t i = 0; i < model->meshCount; i++) {
        makeMesh(bytes, &model->meshes[i], model->materialCount);
    }
    for (uint32_t i = 0; i < model->partCount; i++) {
        makePart(bytes, model, &model->parts[i]);
    }
    for (uint32_t i = 0; i < model->textureCount; i++) {
        makeTexture(bytes, &model->textures[i]);
    }
    for (uint32_t i = 0; i < model->materialCount; i++) {
        makeMaterial(bytes, &model->materials[i], model->textureCount);
    }
    for (uint32_t i = 0; i < model->clipCount; i++) {
        makeClip(bytes, &model->clips[i], model->nodeCount);
    }
    return model;
}
