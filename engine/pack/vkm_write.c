#include "vkm_write.h"

#include <stdlib.h>
#include <string.h>

#include "vkm_checksum.h"
#include "vkm_layout.h"

/* ---- A payload that grows ---- */

typedef struct Payload {
    uint8_t *bytes;
    size_t size, room;
    bool good; /* false after the first failed allocation; nothing is added then */
} Payload;

/* Adds zeros up to a multiple of the alignment, then `size` zero bytes. Returns where these begin. */
static uint64_t reserve(Payload *payload, uint64_t size, size_t alignment) {
    const size_t at = (payload->size + alignment - 1) / alignment * alignment;
    if (payload->good && at + size > payload->room) {
        const size_t room = at + size + payload->room;
        uint8_t *bytes = realloc(payload->bytes, room);
        payload->good = bytes != NULL;
        if (bytes) {
            payload->bytes = bytes;
            payload->room = room;
        }
    }
    if (payload->good) {
        memset(payload->bytes + payload->size, 0, at + size - payload->size);
        payload->size = at + size;
    }
    return at;
}

static void patch(Payload *payload, uint64_t at, const void *bytes, size_t size) {
    if (payload->good && size > 0) {
        memcpy(payload->bytes + at, bytes, size);
    }
}

/* Rows of numbers of 32 bits. */
static uint64_t putArray(Payload *payload, const void *rows, size_t count, size_t stride) {
    const uint64_t at = rows ? reserve(payload, (uint64_t)count * stride, sizeof(uint32_t)) : 0;
    patch(payload, at, rows, rows ? count * stride : 0);
    return at;
}

static uint64_t putText(Payload *payload, const char *text) {
    const uint64_t at = reserve(payload, strlen(text) + 1, 1);
    patch(payload, at, text, strlen(text));
    return at;
}

/* A table whose rows are patched later. */
#define RESERVE_ROWS(payload, type, count) reserve(payload, (uint64_t)(count) * sizeof(type), _Alignof(type))
#define PATCH_ROW(payload, at, i, row)     patch(payload, (at) + (uint64_t)(i) * sizeof(row), &(row), sizeof(row))

/* ---- The chunks ---- */

static void writeInfo(Payload *payload, const VkmWriteDef *def) {
    const Model *model = def->model;
    VkmInfo head = {.up = model->up, .metres = model->metres, .warningCount = model->warningCount};
    memcpy(head.repairs, &model->repairs, sizeof head.repairs);
    (void)reserve(payload, sizeof head, 1);
    head.warningsAt = RESERVE_ROWS(payload, uint64_t, model->warningCount);
    for (uint32_t i = 0; i < model->warningCount; i++) {
        const uint64_t at = putText(payload, model->warnings[i].text);
        PATCH_ROW(payload, head.warningsAt, i, at);
    }
    PATCH_ROW(payload, 0, 0, head);
}

static void writeSkeleton(Payload *payload, const VkmWriteDef *def) {
    const Model *model = def->model;
    VkmSkeleton head = {.nodeCount = model->nodeCount, .skinCount = model->skinCount};
    (void)reserve(payload, sizeof head, 1);
    head.nodesAt = RESERVE_ROWS(payload, VkmNode, model->nodeCount);
    head.skinsAt = RESERVE_ROWS(payload, VkmSkin, model->skinCount);
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        const ModelNode *node = &model->nodes[i];
        VkmNode row = {.nameAt = putText(payload, node->name), .parent = node->parent};
        memcpy(row.rest, &node->rest, sizeof row.rest);
        memcpy(row.preTransform, &node->preTransform, sizeof row.preTransform);
        PATCH_ROW(payload, head.nodesAt, i, row);
    }
    for (uint32_t i = 0; i < model->skinCount; i++) {
        const ModelSkin *skin = &model->skins[i];
        VkmSkin row = {.boneCount = skin->boneCount};
        row.boneNodesAt = putArray(payload, skin->boneNodes, skin->boneCount, sizeof(uint32_t));
        row.inverseBindsAt = putArray(payload, skin->inverseBinds, skin->boneCount, sizeof(VkskinAffine));
        PATCH_ROW(payload, head.skinsAt, i, row);
    }
    PATCH_ROW(payload, 0, 0, head);
}

/* The mean of the encoded values. */
static void averageColour(const ModelTexture *texture, uint8_t texel[4]) {
    const size_t count = (size_t)texture->width * texture->height;
    for (int channel = 0; channel < 4; channel++) {
        uint64_t sum = 0;
        for (size_t i = 0; i < count; i++) {
            sum += texture->pixels[4 * i + (size_t)channel];
        }
        texel[channel] = (uint8_t)(count > 0 ? (sum + count / 2) / count : 0);
    }
}

/* Whether the file of the texture's picture is written. */
static bool hasPicture(const VkmWriteDef *def, uint32_t texture) {
    return def->model->textures[texture].source && !(def->paths && def->paths[texture]);
}

static uint32_t countPictures(const VkmWriteDef *def) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < def->model->textureCount; i++) {
        count += hasPicture(def, i) ? 1 : 0;
    }
    return count;
}

static void writePictures(Payload *payload, const VkmWriteDef *def) {
    VkmPictures head = {.pictureCount = countPictures(def)};
    (void)reserve(payload, sizeof head, 1);
    head.picturesAt = RESERVE_ROWS(payload, VkmPicture, head.pictureCount);
    for (uint32_t i = 0, next = 0; i < def->model->textureCount; i++) {
        const ModelTexture *texture = &def->model->textures[i];
        if (hasPicture(def, i)) {
            VkmPicture row = {.texture = i, .size = texture->sourceSize};
            row.sourceAt = putArray(payload, texture->source, texture->sourceSize, 1);
            PATCH_ROW(payload, head.picturesAt, next, row);
            next++;
        }
    }
    PATCH_ROW(payload, 0, 0, head);
}

static void writeTextures(Payload *payload, const VkmWriteDef *def) {
    const Model *model = def->model;
    VkmTextures head = {.textureCount = model->textureCount};
    (void)reserve(payload, sizeof head, 1);
    head.texturesAt = RESERVE_ROWS(payload, VkmTexture, model->textureCount);
    for (uint32_t i = 0; i < model->textureCount; i++) {
        const ModelTexture *texture = &model->textures[i];
        const char *path = def->paths ? def->paths[i] : NULL;
        VkmTexture row = {.nameAt = putText(payload, texture->name)};
        row.pathAt = putText(payload, path ? path : "");
        if (!path && texture->source) {
            uint8_t texel[4];
            averageColour(texture, texel);
            row.width = row.height = 1;
            row.pixelsAt = putArray(payload, texel, 1, sizeof texel);
        } else if (!path) {
            row.width = texture->width;
            row.height = texture->height;
            row.pixelsAt = putArray(payload, texture->pixels, texture->height, (size_t)texture->width * 4);
        }
        PATCH_ROW(payload, head.texturesAt, i, row);
    }
    PATCH_ROW(payload, 0, 0, head);
}

static void writeMaterials(Payload *payload, const VkmWriteDef *def) {
    const Model *model = def->model;
    VkmMaterials head = {.materialCount = model->materialCount};
    (void)reserve(payload, sizeof head, 1);
    head.materialsAt = RESERVE_ROWS(payload, VkmMaterial, model->materialCount);
    for (uint32_t i = 0; i < model->materialCount; i++) {
        const ModelMaterial *material = &model->materials[i];
        VkmMaterial row = {.nameAt = putText(payload, material->name),
                           .metallic = material->metallic,
                           .roughness = material->roughness,
                           .normalScale = material->normalScale,
                           .occlusion = material->occlusion,
                           .alphaCutoff = material->alphaCutoff,
                           .alpha = material->alpha,
                           .oneSided = material->oneSided,
                           .unlit = material->unlit};
        memcpy(row.baseColor, material->baseColor, sizeof row.baseColor);
        memcpy(row.emission, material->emission, sizeof row.emission);
        memcpy(row.specular, material->specular, sizeof row.specular);
        memcpy(row.maps, material->maps, sizeof row.maps); /* -1 is VKM_NO_TEXTURE */
        memcpy(row.wraps, material->wraps, sizeof row.wraps);
        PATCH_ROW(payload, head.materialsAt, i, row);
    }
    PATCH_ROW(payload, 0, 0, head);
}

static VkmMorph putMorph(Payload *payload, const ModelMorph *morph) {
    const size_t vertices = morph->vertexCount, stride = 3 * sizeof(float);
    VkmMorph row = {.nameAt = putText(payload, morph->name), .vertexCount = morph->vertexCount};
    row.has = (morph->positions ? VKM_HAS_POSITIONS : 0) | (morph->normals ? VKM_HAS_NORMALS : 0) |
              (morph->tangents ? VKM_HAS_TANGENTS : 0);
    row.verticesAt = putArray(payload, morph->vertices, vertices, sizeof(uint32_t));
    row.positionsAt = putArray(payload, morph->positions, vertices, stride);
    row.normalsAt = putArray(payload, morph->normals, vertices, stride);
    row.tangentsAt = putArray(payload, morph->tangents, vertices, stride);
    return row;
}

static void writeMorphs(Payload *payload, const VkmWriteDef *def) {
    const Model *model = def->model;
    VkmMorphs head = {.morphCount = 0};
    uint64_t next = 0;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        head.morphCount += model->meshes[i].morphCount;
    }
    (void)reserve(payload, sizeof head, 1);
    head.morphsAt = RESERVE_ROWS(payload, VkmMorph, head.morphCount);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        for (uint32_t m = 0; m < model->meshes[i].morphCount; m++, next++) {
            const VkmMorph row = putMorph(payload, &model->meshes[i].morphs[m]);
            PATCH_ROW(payload, head.morphsAt, next, row);
        }
    }
    PATCH_ROW(payload, 0, 0, head);
}

static VkmMesh putMesh(Payload *payload, const ModelMesh *mesh) {
    const size_t vertices = mesh->vertexCount, number = sizeof(float);
    VkmMesh row = {.nameAt = putText(payload, mesh->name),
                   .vertexCount = mesh->vertexCount,
                   .influences = mesh->influences,
                   .boneCount = mesh->boneCount,
                   .indexCount = mesh->indexCount,
                   .material = mesh->material,
                   .morphCount = mesh->morphCount};
    row.has = (mesh->tangents ? VKM_HAS_TANGENTS : 0) | (mesh->texcoords ? VKM_HAS_TEXCOORDS : 0) |
              (mesh->colours ? VKM_HAS_COLOURS : 0) | (mesh->blendWeights ? VKM_HAS_BLEND_WEIGHTS : 0);
    row.positionsAt = putArray(payload, mesh->positions, vertices, 3 * number);
    row.normalsAt = putArray(payload, mesh->normals, vertices, 3 * number);
    row.tangentsAt = putArray(payload, mesh->tangents, vertices, 4 * number);
    row.texcoordsAt = putArray(payload, mesh->texcoords, vertices, 2 * number);
    row.coloursAt = putArray(payload, mesh->colours, vertices, 4 * number);
    row.jointsAt = putArray(payload, mesh->joints, vertices, mesh->influences * number);
    row.weightsAt = putArray(payload, mesh->weights, vertices, mesh->influences * number);
    row.indicesAt = putArray(payload, mesh->indices, mesh->indexCount, number);
    row.blendWeightsAt = putArray(payload, mesh->blendWeights, vertices, number);
    return row;
}

/* Completes the row of a mesh. */
static void putLods(Payload *payload, const ModelMesh *mesh, VkmMesh *row) {
    row->lodCount = mesh->lodCount;
    row->lodsAt = RESERVE_ROWS(payload, VkmLod, mesh->lodCount);
    for (uint32_t i = 0; i < mesh->lodCount; i++) {
        const ModelLod *lod = &mesh->lods[i];
        VkmLod level = {.error = lod->error,
                        .vertexCount = lod->vertexCount,
                        .influences = lod->influences,
                        .indexCount = lod->indexCount};
        level.verticesAt = putArray(payload, lod->vertices, lod->vertexCount, sizeof(uint32_t));
        level.indicesAt = putArray(payload, lod->indices, lod->indexCount, sizeof(uint32_t));
        PATCH_ROW(payload, row->lodsAt, i, level);
    }
}

static void writeMeshes(Payload *payload, const VkmWriteDef *def) {
    const Model *model = def->model;
    VkmMeshes head = {.meshCount = model->meshCount, .partCount = model->partCount};
    (void)reserve(payload, sizeof head, 1);
    head.meshesAt = RESERVE_ROWS(payload, VkmMesh, model->meshCount);
    head.partsAt = RESERVE_ROWS(payload, VkmPart, model->partCount);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        const VkmMesh row = putMesh(payload, &model->meshes[i]);
        PATCH_ROW(payload, head.meshesAt, i, row);
    }
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelPart *part = &model->parts[i];
        const uint32_t morphs = model->meshes[part->mesh].morphCount;
        VkmPart row = {.mesh = part->mesh, .skin = part->skin, .node = part->node, .carrier = part->carrier};
        row.hasMorphWeights = part->morphWeights ? 1 : 0;
        row.morphWeightsAt = putArray(payload, part->morphWeights, morphs, sizeof(float));
        PATCH_ROW(payload, head.partsAt, i, row);
    }
    for (uint32_t i = 0; i < model->meshCount && payload->good; i++) {
        const uint64_t at = head.meshesAt + (uint64_t)i * sizeof(VkmMesh);
        VkmMesh row;
        memcpy(&row, payload->bytes + at, sizeof row);
        putLods(payload, &model->meshes[i], &row);
        patch(payload, at, &row, sizeof row);
    }
    PATCH_ROW(payload, 0, 0, head);
}

/* ---- Clips ---- */

static bool hasWeights(const VkskinTrack *track) {
    return track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS;
}

static uint32_t countWeights(const ModelClip *clip) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        count += hasWeights(&clip->tracks[t]) ? 1 : 0;
    }
    return count;
}

static VkmClip putClip(Payload *payload, const ModelClip *clip, const VkskinAnimationStats *stats) {
    return (VkmClip){.nameAt = putText(payload, clip->name),
                     .duration = clip->duration,
                     .assumedTicks = clip->assumedTicks,
                     .weightsCount = countWeights(clip),
                     .keyCount = stats->keyCount,
                     .trackCount = stats->trackCount,
                     .holdCount = stats->holdCount,
                     .uniform = stats->uniform ? 1 : 0,
                     .bytes = stats->bytes,
                     .sourceBytes = stats->sourceBytes,
                     .error = stats->error};
}

static VkmWeights putWeights(Payload *payload, const VkskinTrack *track) {
    const size_t parts = vkskinInterpolationParts(track->interpolation);
    VkmWeights row = {.node = track->node,
                      .interpolation = track->interpolation,
                      .keyCount = track->keyCount,
                      .weightCount = track->weightCount};
    row.timesAt = putArray(payload, track->times, track->keyCount, sizeof(float));
    row.valuesAt = putArray(payload, track->values, track->keyCount, parts * track->weightCount * sizeof(float));
    return row;
}

static void writeClips(Payload *payload, const VkmWriteDef *def) {
    const Model *model = def->model;
    VkmClips head = {.clipCount = model->clipCount, .unitsPerMillimetre = def->packed->unitsPerMillimetre};
    uint64_t next = 0;
    for (uint32_t i = 0; i < model->clipCount; i++) {
        head.weightsCount += countWeights(&model->clips[i]);
    }
    (void)reserve(payload, sizeof head, 1);
    head.clipsAt = RESERVE_ROWS(payload, VkmClip, model->clipCount);
    head.weightsAt = RESERVE_ROWS(payload, VkmWeights, head.weightsCount);
    for (uint32_t i = 0; i < model->clipCount; i++) {
        const VkmClip row = putClip(payload, &model->clips[i], &def->packed->stats[i]);
        PATCH_ROW(payload, head.clipsAt, i, row);
    }
    for (uint32_t i = 0; i < model->clipCount; i++) {
        const ModelClip *clip = &model->clips[i];
        for (uint32_t t = 0; t < clip->trackCount; t++) {
            if (hasWeights(&clip->tracks[t])) {
                const VkmWeights row = putWeights(payload, &clip->tracks[t]);
                PATCH_ROW(payload, head.weightsAt, next, row);
                next++;
            }
        }
    }
    PATCH_ROW(payload, 0, 0, head);
}

static void writeAnimation(Payload *payload, const VkmWriteDef *def) {
    const uint64_t at = reserve(payload, def->packed->size, 1);
    patch(payload, at, def->packed->block, def->packed->size);
}

/* ---- The file ---- */

static bool isWritten(VkmChunkKind kind, const VkmWriteDef *def) {
    const Model *model = def->model;
    switch (kind) {
    case VKM_PICT:
        return countPictures(def) > 0;
    case VKM_TEXR:
        return model->textureCount > 0;
    case VKM_MATR:
        return model->materialCount > 0;
    case VKM_MESH:
        return model->meshCount > 0;
    case VKM_MRPH:
        for (uint32_t i = 0; i < model->meshCount; i++) {
            if (model->meshes[i].morphCount > 0) {
                return true;
            }
        }
        return false;
    case VKM_CLIP:
    case VKM_ANIM:
        return model->clipCount > 0;
    default:
        return true;
    }
}

static void writePayload(VkmChunkKind kind, Payload *payload, const VkmWriteDef *def) {
    static void (*const WRITERS[VKM_CHUNK_COUNT])(Payload *, const VkmWriteDef *) = {
        [VKM_INFO] = writeInfo,     [VKM_SKEL] = writeSkeleton,  [VKM_TEXR] = writeTextures,
        [VKM_PICT] = writePictures, [VKM_MATR] = writeMaterials, [VKM_MRPH] = writeMorphs,
        [VKM_MESH] = writeMeshes,   [VKM_CLIP] = writeClips,     [VKM_ANIM] = writeAnimation};
    WRITERS[kind](payload, def);
}

static uint64_t alignedSize(uint64_t size) {
    return (size + VKM_ALIGNMENT - 1) / VKM_ALIGNMENT * VKM_ALIGNMENT;
}

#define CHUNK_HEAD(name, a, b, c, d, version, needed) {VKM_TYPE(a, b, c, d), version, 0, 0, 0},
static const VkmChunk CHUNK_HEADS[] = {VKM_CHUNKS(CHUNK_HEAD)};

static void writeChunk(FILE *file, VkmChunkKind kind, const Payload *payload) {
    static const uint8_t zeros[VKM_ALIGNMENT];
    VkmChunk head = CHUNK_HEADS[kind];
    head.bytes = payload->size;
    head.checksum = vkmChecksum(payload->bytes, payload->size, vkmChecksum(&head, offsetof(VkmChunk, checksum), 0));
    fwrite(&head, sizeof head, 1, file);
    fwrite(payload->bytes, 1, payload->size, file);
    fwrite(zeros, 1, alignedSize(payload->size) - payload->size, file);
}

/* Returns the bytes of the file. */
static uint64_t writeHeader(FILE *file, const Payload payloads[VKM_CHUNK_COUNT]) {
    VkmHeader head = {.magic = VKM_MAGIC, .major = VKM_MAJOR, .minor = VKM_MINOR, .fileBytes = sizeof head};
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (payloads[kind].size > 0) {
            head.chunkCount++;
            head.fileBytes += sizeof(VkmChunk) + alignedSize(payloads[kind].size);
        }
    }
    head.checksum = vkmChecksum(&head, offsetof(VkmHeader, checksum), 0);
    fwrite(&head, sizeof head, 1, file);
    return head.fileBytes;
}

bool vkmWrite(FILE *file, const VkmWriteDef *def, uint64_t *sizes, uint64_t *bytes, EngineError *error) {
    Payload payloads[VKM_CHUNK_COUNT];
    bool good = true;
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        payloads[kind] = (Payload){.good = good};
        if (good && isWritten((VkmChunkKind)kind, def)) {
            writePayload((VkmChunkKind)kind, &payloads[kind], def);
        }
        good = payloads[kind].good;
        sizes[kind] = payloads[kind].size;
    }
    if (good) {
        *bytes = writeHeader(file, payloads);
    }
    for (int kind = 0; kind < VKM_CHUNK_COUNT; kind++) {
        if (good && payloads[kind].size > 0) {
            writeChunk(file, (VkmChunkKind)kind, &payloads[kind]);
        }
        free(payloads[kind].bytes);
    }
    return good || engineFail(error, "out of memory");
}
