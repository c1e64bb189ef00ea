#include "blob.h"

#include "diagnostic.h"
#include "import.h"
#include "model_check.h"

#include <stdlib.h>
#include <string.h>

static const char magicModel[8] = {'v', 'k', 's', 'k', 'm', 'o', 'd', 'l'};
static const char magicReason[8] = {'v', 'k', 's', 'k', 'f', 'a', 'i', 'l'};

/* ---- writing ---- */

static void put(FILE *file, const void *bytes, size_t count, size_t size) {
    /* Errors stay in the stream: blobWrite asks once, at the end. */
    if (count && size) {
        (void)!fwrite(bytes, size, count, file);
    }
}

static void putNumber(FILE *file, uint32_t number) {
    put(file, &number, 1, sizeof number);
}

static void putText(FILE *file, const char *text) {
    uint32_t length = (uint32_t)strlen(text);
    putNumber(file, length);
    put(file, text, length, 1);
}

/* An array that may be null. */
static void putOptional(FILE *file, const void *bytes, size_t count, size_t size) {
    putNumber(file, bytes != NULL);
    if (bytes) {
        put(file, bytes, count, size);
    }
}

static void putNodes(FILE *file, const Model *model) {
    putNumber(file, model->nodeCount);
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const ModelNode *node = &model->nodes[i];
        putText(file, node->name);
        put(file, &node->parent, 1, sizeof node->parent);
        put(file, &node->rest, 1, sizeof node->rest);
        put(file, &node->preTransform, 1, sizeof node->preTransform);
    }
}

static void putSkins(FILE *file, const Model *model) {
    putNumber(file, model->skinCount);
    for (uint32_t i = 0; i < model->skinCount; i++) {
        const ModelSkin *skin = &model->skins[i];
        putNumber(file, skin->boneCount);
        put(file, skin->boneNodes, skin->boneCount, sizeof *skin->boneNodes);
        put(file, skin->inverseBinds, skin->boneCount, sizeof *skin->inverseBinds);
    }
}

static void putMorph(FILE *file, const ModelMorph *morph) {
    putText(file, morph->name);
    putNumber(file, morph->vertexCount);
    put(file, morph->vertices, morph->vertexCount, sizeof(uint32_t));
    putOptional(file, morph->positions, morph->vertexCount, 3 * sizeof(float));
    putOptional(file, morph->normals, morph->vertexCount, 3 * sizeof(float));
    putOptional(file, morph->tangents, morph->vertexCount, 3 * sizeof(float));
}

static void putMesh(FILE *file, const ModelMesh *mesh) {
    size_t vertices = mesh->vertexCount;
    putText(file, mesh->name);
    putNumber(file, mesh->vertexCount);
    putNumber(file, mesh->influences);
    putNumber(file, mesh->boneCount);
    putNumber(file, mesh->indexCount);
    putNumber(file, mesh->material);
    put(file, mesh->positions, vertices, 3 * sizeof(float));
    put(file, mesh->normals, vertices, 3 * sizeof(float));
    putOptional(file, mesh->tangents, vertices, 4 * sizeof(float));
    putOptional(file, mesh->texcoords, vertices, 2 * sizeof(float));
    put(file, mesh->joints, vertices * mesh->influences, sizeof(uint32_t));
    put(file, mesh->weights, vertices * mesh->influences, sizeof(float));
    put(file, mesh->indices, mesh->indexCount, sizeof(uint32_t));
    putOptional(file, mesh->blendWeights, vertices, sizeof(float));
    putNumber(file, mesh->morphCount);
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        putMorph(file, &mesh->morphs[i]);
    }
}

static void putMeshes(FILE *file, const Model *model) {
    putNumber(file, model->meshCount);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        putMesh(file, &model->meshes[i]);
    }
}

static void putParts(FILE *file, const Model *model) {
    putNumber(file, model->partCount);
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelPart *part = &model->parts[i];
        putNumber(file, part->mesh);
        putNumber(file, part->skin);
        putNumber(file, part->node);
        putNumber(file, part->carrier);
        putOptional(file, part->morphWeights, model->meshes[part->mesh].morphCount, sizeof(float));
    }
}

static void putTextures(FILE *file, const Model *model) {
    putNumber(file, model->textureCount);
    for (uint32_t i = 0; i < model->textureCount; i++) {
        const ModelTexture *texture = &model->textures[i];
        putNumber(file, texture->width);
        putNumber(file, texture->height);
        put(file, texture->pixels, (size_t)texture->width * texture->height, 4);
    }
}

static void putMaterials(FILE *file, const Model *model) {
    putNumber(file, model->materialCount);
    for (uint32_t i = 0; i < model->materialCount; i++) {
        const ModelMaterial *material = &model->materials[i];
        putText(file, material->name);
        put(file, material->baseColor, 4, sizeof(float));
        put(file, &material->texture, 1, sizeof material->texture);
    }
}

static size_t floatsPerKey(const VkskinTrack *track) {
    size_t values = track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    values = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? track->weightCount : values;
    return track->interpolation == VKSKIN_INTERPOLATION_CUBIC ? 3 * values : values;
}

static void putClip(FILE *file, const ModelClip *clip) {
    putText(file, clip->name);
    put(file, &clip->duration, 1, sizeof clip->duration);
    putNumber(file, clip->trackCount);
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        const VkskinTrack *track = &clip->tracks[i];
        putNumber(file, track->node);
        putNumber(file, (uint32_t)track->channel);
        putNumber(file, (uint32_t)track->interpolation);
        putNumber(file, track->keyCount);
        putNumber(file, track->weightCount);
        put(file, track->times, track->keyCount, sizeof(float));
        put(file, track->values, track->keyCount, floatsPerKey(track) * sizeof(float));
    }
}

static void putClips(FILE *file, const Model *model) {
    putNumber(file, model->clipCount);
    for (uint32_t i = 0; i < model->clipCount; i++) {
        putClip(file, &model->clips[i]);
    }
}

bool blobWrite(FILE *file, const Model *model, const char *message) {
    if (model) {
        put(file, magicModel, 1, sizeof magicModel);
        putNodes(file, model);
        putSkins(file, model);
        putMeshes(file, model);
        putParts(file, model);
        putTextures(file, model);
        putMaterials(file, model);
        putClips(file, model);
        put(file, &model->repairs, 1, sizeof model->repairs);
    } else {
        put(file, magicReason, 1, sizeof magicReason);
        putText(file, message);
    }
    return fflush(file) == 0 && !ferror(file);
}

/* ---- reading ---- */

/* After the first thing that does not fit, `good` is false and everything read is zero. */
typedef struct Reader {
    const uint8_t *at;
    size_t left;
    bool good;
} Reader;

static void get(Reader *reader, void *out, size_t size) {
    if (size == 0) {
        return; /* out may be null */
    }
    if (!reader->good || size > reader->left) {
        reader->good = false;
        memset(out, 0, size);
        return;
    }
    memcpy(out, reader->at, size);
    reader->at += size;
    reader->left -= size;
}

static uint32_t getNumber(Reader *reader) {
    uint32_t number = 0;
    get(reader, &number, sizeof number);
    return number;
}

/*
 * count x size bytes in memory of their own, at least one; null when the bytes are not there, or the size is 0, which
 * no array of a model has.
 */
static void *getArray(Reader *reader, size_t count, size_t size) {
    if (!reader->good || size == 0 || count > reader->left / size) {
        reader->good = false;
        return NULL;
    }
    void *array = malloc(count > 0 ? count * size : 1);
    if (!array) {
        reader->good = false;
        return NULL;
    }
    get(reader, array, count * size);
    return array;
}

static void *getOptional(Reader *reader, size_t count, size_t size) {
    return getNumber(reader) ? getArray(reader, count, size) : NULL;
}

static char *getText(Reader *reader) {
    size_t length = getNumber(reader);
    if (!reader->good || length > reader->left) {
        reader->good = false;
        return NULL;
    }
    char *text = malloc(length + 1);
    if (!text) {
        reader->good = false;
        return NULL;
    }
    get(reader, text, length);
    text[length] = '\0';
    return text;
}

/*
 * An array of `*count` structs of `size` bytes, zeroed, where `count` comes next in the blob and each element takes
 * `smallest` bytes there at least. The count is 0 when there is no array.
 */
static void *getElements(Reader *reader, uint32_t *count, size_t size, size_t smallest) {
    *count = getNumber(reader);
    void *elements = NULL;
    if (reader->good && *count <= reader->left / smallest) {
        elements = calloc(*count ? *count : 1, size);
    }
    if (!elements) {
        reader->good = false;
        *count = 0;
    }
    return elements;
}

static void getNodes(Reader *reader, Model *model) {
    model->nodes = getElements(reader, &model->nodeCount, sizeof *model->nodes,
                               2 * sizeof(uint32_t) + sizeof(VkskinTransform) + sizeof(VkskinAffine));
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        ModelNode *node = &model->nodes[i];
        node->name = getText(reader);
        get(reader, &node->parent, sizeof node->parent);
        get(reader, &node->rest, sizeof node->rest);
        get(reader, &node->preTransform, sizeof node->preTransform);
    }
}

static void getSkins(Reader *reader, Model *model) {
    model->skins = getElements(reader, &model->skinCount, sizeof *model->skins, sizeof(uint32_t));
    for (uint32_t i = 0; i < model->skinCount; i++) {
        ModelSkin *skin = &model->skins[i];
        skin->boneCount = getNumber(reader);
        skin->boneNodes = getArray(reader, skin->boneCount, sizeof *skin->boneNodes);
        skin->inverseBinds = getArray(reader, skin->boneCount, sizeof *skin->inverseBinds);
    }
}

static void getMorph(Reader *reader, ModelMorph *morph) {
    morph->name = getText(reader);
    morph->vertexCount = getNumber(reader);
    morph->vertices = getArray(reader, morph->vertexCount, sizeof(uint32_t));
    morph->positions = getOptional(reader, morph->vertexCount, 3 * sizeof(float));
    morph->normals = getOptional(reader, morph->vertexCount, 3 * sizeof(float));
    morph->tangents = getOptional(reader, morph->vertexCount, 3 * sizeof(float));
}

static void getMesh(Reader *reader, ModelMesh *mesh) {
    mesh->name = getText(reader);
    mesh->vertexCount = getNumber(reader);
    mesh->influences = getNumber(reader);
    mesh->boneCount = getNumber(reader);
    mesh->indexCount = getNumber(reader);
    mesh->material = getNumber(reader);
    /* The product of two 32-bit numbers fits; times 4 it is compared by division. */
    size_t slots = (size_t)mesh->vertexCount * mesh->influences;
    mesh->positions = getArray(reader, mesh->vertexCount, 3 * sizeof(float));
    mesh->normals = getArray(reader, mesh->vertexCount, 3 * sizeof(float));
    mesh->tangents = getOptional(reader, mesh->vertexCount, 4 * sizeof(float));
    mesh->texcoords = getOptional(reader, mesh->vertexCount, 2 * sizeof(float));
    mesh->joints = getArray(reader, slots, sizeof(uint32_t));
    mesh->weights = getArray(reader, slots, sizeof(float));
    mesh->indices = getArray(reader, mesh->indexCount, sizeof(uint32_t));
    mesh->blendWeights = getOptional(reader, mesh->vertexCount, sizeof(float));
    mesh->morphs = getElements(reader, &mesh->morphCount, sizeof *mesh->morphs, 5 * sizeof(uint32_t));
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        getMorph(reader, &mesh->morphs[i]);
    }
}

static void getMeshes(Reader *reader, Model *model) {
    model->meshes = getElements(reader, &model->meshCount, sizeof *model->meshes, 10 * sizeof(uint32_t));
    for (uint32_t i = 0; i < model->meshCount; i++) {
        getMesh(reader, &model->meshes[i]);
    }
}

static void getParts(Reader *reader, Model *model) {
    model->parts = getElements(reader, &model->partCount, sizeof *model->parts, 5 * sizeof(uint32_t));
    for (uint32_t i = 0; i < model->partCount; i++) {
        ModelPart *part = &model->parts[i];
        part->mesh = getNumber(reader);
        part->skin = getNumber(reader);
        part->node = getNumber(reader);
        part->carrier = getNumber(reader);
        /* A mesh that is not there is told of when the model is checked. */
        uint32_t weights = part->mesh < model->meshCount ? model->meshes[part->mesh].morphCount : 0;
        part->morphWeights = getOptional(reader, weights, sizeof(float));
    }
}

static void getTextures(Reader *reader, Model *model) {
    model->textures = getElements(reader, &model->textureCount, sizeof *model->textures, 2 * sizeof(uint32_t));
    for (uint32_t i = 0; i < model->textureCount; i++) {
        ModelTexture *texture = &model->textures[i];
        texture->width = getNumber(reader);
        texture->height = getNumber(reader);
        texture->pixels = getArray(reader, (size_t)texture->width * texture->height, 4);
    }
}

static void getMaterials(Reader *reader, Model *model) {
    model->materials = getElements(reader, &model->materialCount, sizeof *model->materials, 6 * sizeof(uint32_t));
    for (uint32_t i = 0; i < model->materialCount; i++) {
        ModelMaterial *material = &model->materials[i];
        material->name = getText(reader);
        get(reader, material->baseColor, sizeof material->baseColor);
        get(reader, &material->texture, sizeof material->texture);
    }
}

static void getTrack(Reader *reader, VkskinTrack *track) {
    track->node = getNumber(reader);
    track->channel = (VkskinChannel)getNumber(reader);
    track->interpolation = (VkskinInterpolation)getNumber(reader);
    track->keyCount = getNumber(reader);
    track->weightCount = getNumber(reader);
    track->times = getArray(reader, track->keyCount, sizeof(float));
    track->values = getArray(reader, track->keyCount, floatsPerKey(track) * sizeof(float));
}

static void getClips(Reader *reader, Model *model) {
    model->clips = getElements(reader, &model->clipCount, sizeof *model->clips, 3 * sizeof(uint32_t));
    for (uint32_t i = 0; i < model->clipCount; i++) {
        ModelClip *clip = &model->clips[i];
        clip->name = getText(reader);
        get(reader, &clip->duration, sizeof clip->duration);
        clip->tracks = getElements(reader, &clip->trackCount, sizeof *clip->tracks, 5 * sizeof(uint32_t));
        for (uint32_t t = 0; t < clip->trackCount; t++) {
            getTrack(reader, &clip->tracks[t]);
        }
    }
}

static Model *getModel(Reader *reader) {
    Model *model = calloc(1, sizeof *model);
    if (!model) {
        reader->good = false;
        return NULL;
    }
    getNodes(reader, model);
    getSkins(reader, model);
    getMeshes(reader, model);
    getParts(reader, model);
    getTextures(reader, model);
    getMaterials(reader, model);
    getClips(reader, model);
    get(reader, &model->repairs, sizeof model->repairs);
    return model;
}

static void readReason(Reader *reader, const char *path, char *message) {
    char *reason = getText(reader);
    if (reason && reader->left == 0) {
        diagnose(message, "%s", reason);
    } else {
        diagnose(message, "%s: the parser's answer is cut off", path);
    }
    free(reason);
}

Model *blobRead(const uint8_t *bytes, size_t size, const char *path, char *message) {
    Reader reader = {bytes, size, true};
    char magic[sizeof magicModel];
    get(&reader, magic, sizeof magic);
    if (memcmp(magic, magicReason, sizeof magic) == 0) {
        readReason(&reader, path, message);
        return NULL;
    }
    if (memcmp(magic, magicModel, sizeof magic) != 0) {
        diagnose(message, "%s: the parser's answer is not a model", path);
        return NULL;
    }
    Model *model = getModel(&reader);
    if (!reader.good || reader.left != 0) {
        diagnose(message, "%s: the parser's answer is cut off", path);
        modelFree(model);
        return NULL;
    }
    if (!modelCheck(model, path, message)) {
        modelFree(model);
        return NULL;
    }
    return model;
}
