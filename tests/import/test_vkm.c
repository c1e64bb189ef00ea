/* Packed files: the checksum, what is written and read again, and damage with and without checksums. */
#include "import_support.h"
#include "blob.h"
#include "model_mesh.h"
#include "model_bounds.h"
#include "model_pack.h"
#include "vkm_checksum.h"
#include "vkm_layout.h"
#include "vkm_read.h"
#include "vkm_write.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Bytes {
    char *bytes;
    size_t size;
} Bytes;

/* Public test values of XXH64. */
TEST(testChecksum) {
    assert_true(vkmChecksum(NULL, 0, 0) == 0xEF46DB3751D8E999u);
    assert_true(vkmChecksum("a", 1, 0) == 0xD24EC4F1A98C6E5Bu);
    assert_true(vkmChecksum("abc", 3, 0) == 0x44BC2CF5AD770999u);
}

static Bytes packModel(Model *model, PackedModel *packed) {
    EngineError error = {.message = ""};
    Bytes file = {0};
    uint64_t sizes[VKM_CHUNK_COUNT], bytes;
    assert_true(modelSortVertices(model, &error));
    assert_true(modelPack(model, &(ModelPackDef){.millimetres = 1.0}, packed, &error));
    FILE *stream = open_memstream(&file.bytes, &file.size);
    assert_true(vkmWrite(stream, &(VkmWriteDef){model, packed, NULL}, sizes, &bytes, &error));
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(bytes, file.size);
    return file;
}

static Bytes packFixture(const char *name) {
    Model *model = importOrFail(name);
    PackedModel packed = {0};
    const Bytes file = packModel(model, &packed);
    modelPackFree(&packed);
    modelFree(model);
    return file;
}

/* ---- Models with every field ---- */

/* Numbers from 0 to 1, all different. */
static float *filled(size_t count) {
    float *values = malloc(count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)i / (float)count;
    }
    return values;
}

/* Two levels, of different sizes and contents. */
static void addLods(ModelMesh *mesh) {
    free(mesh->lods);
    mesh->lodCount = 2;
    mesh->lods = calloc(2, sizeof *mesh->lods);
    for (uint32_t i = 0; i < 2; i++) {
        ModelLod *lod = &mesh->lods[i];
        *lod =
            (ModelLod){.error = 0.25f + (float)i, .influences = 2 + i, .vertexCount = 2 - i, .indexCount = 6 - 3 * i};
        lod->vertices = malloc(lod->vertexCount * sizeof(uint32_t));
        lod->indices = malloc(lod->indexCount * sizeof(uint32_t));
        for (uint32_t v = 0; v < lod->vertexCount; v++) {
            lod->vertices[v] = mesh->vertexCount - 1 - v;
        }
        for (uint32_t k = 0; k < lod->indexCount; k++) {
            lod->indices[k] = k % lod->vertexCount;
        }
    }
}

static void addTexture(Model *model, const char *name, uint32_t width, uint32_t height) {
    model->textures = realloc(model->textures, (model->textureCount + (size_t)1) * sizeof *model->textures);
    model->textures[model->textureCount++] = (ModelTexture){.name = strdup(name),
                                                            .path = strdup(""),
                                                            .width = width,
                                                            .height = height,
                                                            .pixels = (uint8_t *)filled((size_t)width * height)};
}

/* Meshes have different numbers of vertices and different arrays: all but the first lose their last vertex. */
static void enrichMesh(ModelMesh *mesh, bool first) {
    const uint32_t count = mesh->vertexCount -= first ? 0 : 1;
    mesh->colours = filled((size_t)count * 4);
    if (first) {
        mesh->texcoords = filled((size_t)count * 2);
        mesh->blendWeights = mesh->blendWeights ? mesh->blendWeights : filled(count);
    }
    for (uint32_t i = 0; i < mesh->indexCount; i++) {
        mesh->indices[i] %= count;
    }
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        ModelMorph *morph = &mesh->morphs[i];
        morph->vertexCount -= morph->vertexCount > 0 && morph->vertices[morph->vertexCount - 1] == count ? 1 : 0;
    }
}

/* No two fields of a material are equal, where they can differ. */
static void enrichMaterial(ModelMaterial *material, uint32_t index, uint32_t textureCount) {
    float *numbers = (float *)(void *)((char *)material + offsetof(ModelMaterial, baseColor));
    const uint32_t count = (offsetof(ModelMaterial, alpha) - offsetof(ModelMaterial, baseColor)) / sizeof *numbers;
    for (uint32_t i = 0; i < count; i++) {
        numbers[i] = (float)(1 + i + count * index) / 128.0f;
    }
    material->alpha = (ModelAlpha)((index + 1) % 3);
    material->oneSided = (index + 1) % 2;
    material->unlit = index / 2 % 2;
    for (uint32_t map = 0; map < MODEL_MAP_COUNT; map++) {
        material->maps[map] = (int32_t)((index + map) % (textureCount + 1)) - 1;
        material->wraps[map][0] = (ModelWrap)((index + map) % MODEL_WRAP_COUNT);
        material->wraps[map][1] = (ModelWrap)((index + map / 2 + 1) % MODEL_WRAP_COUNT);
    }
}

/* The last track of a clip becomes one of another clip. */
static void moveTrack(ModelClip *from, ModelClip *to) {
    to->tracks = realloc(to->tracks, (to->trackCount + (size_t)1) * sizeof *to->tracks);
    to->tracks[to->trackCount++] = from->tracks[--from->trackCount];
}

/* Gives a model what its file lacks. */
static Model *importRich(const char *name) {
    Model *model = importOrFail(name);
    model->up = MODEL_UP_Z;
    model->metres = 0.5f;
    model->repairs = (ModelRepairs){1, 2, 3, 4, 5, 6, 7, 8};
    assert_true(modelWarn(model, "one") && modelWarn(model, "another"));
    addTexture(model, "wide", 7, 1);
    addTexture(model, "high", 2, 5);
    for (uint32_t i = 0; i < model->meshCount; i++) {
        enrichMesh(&model->meshes[i], i == 0);
        addLods(&model->meshes[i]);
    }
    for (uint32_t i = 0; i < model->materialCount; i++) {
        enrichMaterial(&model->materials[i], i, model->textureCount);
    }
    for (uint32_t i = 0; i < model->clipCount; i++) {
        model->clips[i].assumedTicks = 24.0f + (float)i;
        if (i > 0 && model->clips[i].tracks->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
            moveTrack(&model->clips[i], &model->clips[0]);
        }
    }
    return model;
}

static Model *parse(const char *bytes, size_t size, bool checksumsOff, EngineError *error) {
    void *image = malloc(size + 1);
    memcpy(image, bytes, size);
    return vkmParse(image, size, &(VkmReadOptions){.limit = 64 << 20, .checksumsOff = checksumsOff}, error);
}

static void expectLine(const EngineError *error) {
    assert_true(strncmp(error->message, "chunk ", 6) == 0 || strncmp(error->message, "the head: ", 10) == 0 ||
                strncmp(error->message, "version ", 8) == 0);
    assert_null(strchr(error->message, '\n'));
}

static const char *const FIXTURES[] = {"morphs.gltf", "step_cubic.gltf", "morph_curves.dae"};

TEST(testCutOff) {
    for (size_t i = 0; i < COUNT_OF(FIXTURES); i++) {
        Bytes file = packFixture(FIXTURES[i]);
        for (size_t size = 0; size < file.size; size++) {
            EngineError error = {.message = ""};
            assert_null(parse(file.bytes, size, false, &error));
            expectLine(&error);
            error.message[0] = '\0';
            assert_null(parse(file.bytes, size, true, &error));
            expectLine(&error);
        }
        free(file.bytes);
    }
}

/* With checksums each changed byte is found; without, the file is refused in one line or is a good model. */
TEST(testEveryByteChanged) {
    static const uint8_t masks[] = {0x01, 0x80, 0xff};
    for (size_t i = 0; i < COUNT_OF(FIXTURES); i++) {
        Bytes file = packFixture(FIXTURES[i]);
        for (size_t at = 0; at < COUNT_OF(masks) * file.size; at++) {
            EngineError error = {.message = ""};
            char *byte = &file.bytes[at / COUNT_OF(masks)], old = *byte;
            *byte = (char)(old ^ masks[at % COUNT_OF(masks)]);
            assert_null(parse(file.bytes, file.size, false, &error));
            expectLine(&error);
            error.message[0] = '\0';
            Model *model = parse(file.bytes, file.size, true, &error);
            if (model) {
                assert_true(modelCheck(model, &error));
            } else {
                expectLine(&error);
            }
            modelFree(model);
            *byte = old;
        }
        free(file.bytes);
    }
}

/* All fields that a packed file has, by the tables of the model: of clips only the tracks of morph weights. */
static Bytes blobOf(Model *model) {
    Bytes blob = {0};
    free(model->files);
    model->files = NULL;
    model->fileCount = 0;
    for (uint32_t i = 0; i < model->clipCount; i++) {
        ModelClip *clip = &model->clips[i];
        const uint32_t count = clip->trackCount;
        clip->trackCount = 0;
        for (uint32_t t = 0; t < count; t++) {
            if (clip->tracks[t].channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
                clip->tracks[clip->trackCount++] = clip->tracks[t];
            } else {
                free((void *)(uintptr_t)clip->tracks[t].times);
                free((void *)(uintptr_t)clip->tracks[t].values);
            }
        }
    }
    FILE *stream = open_memstream(&blob.bytes, &blob.size);
    assert_true(blobWrite(stream, model, NULL));
    assert_int_equal(fclose(stream), 0);
    return blob;
}

static void expectPacked(const Model *model, const PackedModel *written) {
    const PackedModel *read = &model->packed;
    for (uint32_t i = 0; i < model->clipCount; i++) {
        const VkskinAnimationStats *a = &read->stats[i], *b = &written->stats[i];
        assert_int_equal(read->size, written->size);
        assert_memory_equal(read->block, written->block, read->size);
        assert_true(read->unitsPerMillimetre == written->unitsPerMillimetre);
        assert_true(a->sourceBytes == b->sourceBytes && a->bytes == b->bytes && a->keyCount == b->keyCount);
        assert_true(a->trackCount == b->trackCount && a->holdCount == b->holdCount && a->uniform == b->uniform);
        assert_true(a->error == b->error && a->error <= (float)read->unitsPerMillimetre);
        assert_int_equal(modelPackTracks(model, i), model->clips[i].trackCount + a->trackCount + a->holdCount);
    }
}

/* What the child does: the pixels of the files that are inside. */
static void takeDecoded(Model *read, const Model *source) {
    for (uint32_t i = 0; i < read->textureCount; i++) {
        ModelTexture *texture = &read->textures[i];
        const ModelTexture *whole = &source->textures[i];
        if (texture->source) {
            assert_true(texture->width == 1 && texture->height == 1);
            free(texture->pixels);
            texture->width = whole->width;
            texture->height = whole->height;
            texture->pixels = malloc((size_t)whole->width * whole->height * 4);
            memcpy(texture->pixels, whole->pixels, (size_t)whole->width * whole->height * 4);
        }
    }
}

TEST(testThereAndBack) {
    static const char *const names[] = {"morphs.gltf", "step_cubic.gltf", "textures.gltf", "two_skins.gltf",
                                        "morph_curves.dae"};
    for (size_t i = 0; i < 2 * COUNT_OF(names); i++) {
        EngineError error = {.message = ""};
        PackedModel packed = {0};
        Model *source = i % 2 ? importRich(names[i / 2]) : importOrFail(names[i / 2]);
        Bytes file = packModel(source, &packed);
        Model *model = parse(file.bytes, file.size, false, &error);
        assert_string_equal(error.message, "");
        assert_non_null(model);
        expectPacked(model, &packed);
        double height;
        assert_true(modelHeight(source, &height, &error));
        assert_float_equal(1800.0 * packed.unitsPerMillimetre / height, 1.0, 1e-6);
        takeDecoded(model, source);
        Bytes blobs[] = {blobOf(source), blobOf(model)};
        assert_int_equal(blobs[0].size, blobs[1].size);
        assert_memory_equal(blobs[0].bytes, blobs[1].bytes, blobs[0].size);
        free(blobs[0].bytes);
        free(blobs[1].bytes);
        modelFree(source);
        modelFree(model);
        modelPackFree(&packed);
        free(file.bytes);
    }
}

TEST(testVersions) {
    Bytes file = packFixture("step_cubic.gltf");
    EngineError error = {.message = ""};
    VkmHeader head;
    memcpy(&head, file.bytes, sizeof head);
    head.major = 2;
    memcpy(file.bytes, &head, sizeof head);
    assert_null(parse(file.bytes, file.size, false, &error));
    assert_string_equal(error.message, "version 2.2 of .vkm is newer than this reader, which knows 1");
    /* A newer minor version may have chunks of unknown type, which are skipped. */
    VkmChunk chunk = {.type = VKM_TYPE('N', 'E', 'W', 'S'), .version = 7};
    chunk.checksum = vkmChecksum(NULL, 0, vkmChecksum(&chunk, offsetof(VkmChunk, checksum), 0));
    head.major = 1;
    head.minor = 7;
    head.chunkCount++;
    head.fileBytes += sizeof chunk;
    head.checksum = vkmChecksum(&head, offsetof(VkmHeader, checksum), 0);
    char *longer = malloc(file.size + sizeof chunk);
    memcpy(longer, file.bytes, file.size);
    memcpy(longer, &head, sizeof head);
    memcpy(longer + file.size, &chunk, sizeof chunk);
    Model *model = parse(longer, file.size + sizeof chunk, false, &error);
    assert_non_null(model);
    VkmContent content;
    assert_true(vkmContent(model, &content) && content.minor == 7 && content.skipped == 1);
    modelFree(model);
    free(longer);
    free(file.bytes);
}

/* A row of a table that begins at `at` of a payload. */
#define LOD_ROW(at, member) ((at) + offsetof(VkmLod, member))

static Bytes packRich(size_t *payload, VkmMesh *mesh);
static void refuse(const Bytes *file, size_t at, uint32_t number, const char *line);

/* Readers of 1.0 ignored lodCount, so its value means nothing in their files. */
TEST(testLevelsOfOlderVersions) {
    size_t payload;
    VkmMesh mesh;
    EngineError error = {.message = ""};
    Bytes file = packRich(&payload, &mesh);
    VkmHeader head;
    memcpy(&head, file.bytes, sizeof head);
    assert_int_equal(head.minor, 2);
    Model *model = parse(file.bytes, file.size, false, &error);
    assert_int_equal(model->meshes[0].lodCount, 2);
    modelFree(model);
    head.minor = 0;
    head.checksum = vkmChecksum(&head, offsetof(VkmHeader, checksum), 0);
    memcpy(file.bytes, &head, sizeof head);
    model = parse(file.bytes, file.size, false, &error);
    assert_non_null(model);
    assert_int_equal(model->meshes[0].lodCount, 0);
    modelFree(model);
    free(file.bytes);
}

TEST(testFaultsOfLevels) {
    size_t payload;
    VkmMesh mesh;
    Bytes file = packRich(&payload, &mesh);
    VkmLod lod;
    memcpy(&lod, file.bytes + payload + mesh.lodsAt, sizeof lod);
    const size_t row = payload + mesh.lodsAt, lodCount = payload + sizeof(VkmMeshes) + offsetof(VkmMesh, lodCount);
    refuse(&file, lodCount, 4, "chunk MESH: `lodCount` of row 0 is above 3");
    refuse(&file, lodCount, 1, "chunk MESH: mesh 1 'face' has more than 3 levels, or not as many as the others");
    refuse(&file, LOD_ROW(row, error), 0xbf800000, "chunk MESH: level 0 of mesh 0 'face' has error that is negative");
    refuse(&file, LOD_ROW(row, influences), 0,
           "chunk MESH: level 0 of mesh 0 'face' has no influences, or more than 4");
    refuse(&file, LOD_ROW(row, influences), 5,
           "chunk MESH: level 0 of mesh 0 'face' has no influences, or more than 4");
    refuse(&file, LOD_ROW(row, vertexCount), mesh.vertexCount + 1,
           "chunk MESH: indices of a level of row 0 are outside of the chunk or not in order");
    refuse(&file, LOD_ROW(row, vertexCount), 0,
           "chunk MESH: level 0 of mesh 0 'face' has indices[0] that is out of range");
    refuse(&file, LOD_ROW(row, indexCount), 5,
           "chunk MESH: level 0 of mesh 0 'face' has indices for part of a triangle");
    refuse(&file, LOD_ROW(row, verticesAt), 0,
           "chunk MESH: vertices of a level of row 0 are outside of the chunk or not in order");
    refuse(&file, payload + lod.verticesAt, mesh.vertexCount,
           "chunk MESH: level 0 of mesh 0 'face' has vertices[0] that is out of range");
    refuse(&file, payload + lod.indicesAt, lod.vertexCount,
           "chunk MESH: level 0 of mesh 0 'face' has indices[0] that is out of range");
    free(file.bytes);
}

/* ---- One fault each ---- */

/* Where the payload of a chunk begins. */
static size_t payloadOf(const Bytes *file, const char *type) {
    size_t at = sizeof(VkmHeader);
    while (memcmp(file->bytes + at, type, 4) != 0) {
        VkmChunk chunk;
        memcpy(&chunk, file->bytes + at, sizeof chunk);
        at += sizeof chunk + chunk.bytes + -chunk.bytes % VKM_ALIGNMENT;
        assert_true(at < file->size);
    }
    return at + sizeof(VkmChunk);
}

/* Without checksums: with `number` at `at`, the file is refused with this line. */
static void refuse(const Bytes *file, size_t at, uint32_t number, const char *line) {
    EngineError error = {.message = ""};
    char old[sizeof number];
    memcpy(old, file->bytes + at, sizeof old);
    memcpy(file->bytes + at, &number, sizeof number);
    assert_null(parse(file->bytes, file->size, true, &error));
    assert_string_equal(error.message, line);
    memcpy(file->bytes + at, old, sizeof old);
}

static Bytes packRich(size_t *payload, VkmMesh *mesh) {
    Model *model = importRich("morphs.gltf");
    PackedModel packed = {0};
    const Bytes file = packModel(model, &packed);
    *payload = payloadOf(&file, "MESH");
    memcpy(mesh, file.bytes + *payload + sizeof(VkmMeshes), sizeof *mesh);
    modelPackFree(&packed);
    modelFree(model);
    return file;
}

TEST(testOtherVersionsOfChunks) {
    static const char *const names[] = {"INFO", "SKEL", "MATR", "MRPH", "MESH", "CLIP", "ANIM"};
    Bytes file = packFixture("morphs.gltf");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const size_t at = payloadOf(&file, names[i]) - sizeof(VkmChunk) + offsetof(VkmChunk, version);
        for (uint32_t version = 0; version <= 2; version += 2) {
            char line[96];
            snprintf(line, sizeof line, "chunk %s: its version is %u; this reader knows 1", names[i], version);
            refuse(&file, at, version, line);
        }
    }
    free(file.bytes);
}

/* Row 0 of a table that follows its head. */
#define ROW(head, row, member) (sizeof(head) + offsetof(row, member))

TEST(testFaultsOfChunks) {
    static const struct {
        const char *chunk;
        size_t at;
        uint32_t number;
        const char *line;
    } cases[] = {
        {"MESH", ROW(VkmMeshes, VkmMesh, normalsAt), sizeof(VkmMeshes),
         "chunk MESH: normals of row 0 are outside of the chunk or not in order"},
        {"MESH", ROW(VkmMeshes, VkmMesh, indexCount), 0x3ffffffd,
         "chunk MESH: indices of row 0 are outside of the chunk or not in order"},
        {"MESH", ROW(VkmMeshes, VkmMesh, morphCount), 1000, "chunk MRPH: it has fewer targets than the meshes"},
        {"MESH", ROW(VkmMeshes, VkmMesh, morphCount), 0, "chunk MRPH: it has more targets than the meshes"},
        {"SKEL", ROW(VkmSkeleton, VkmNode, nameAt), 0x7fffffff,
         "chunk SKEL: the name of row 0 is outside of the chunk or not in order"},
        {"SKEL", ROW(VkmSkeleton, VkmNode, rest), 0x40400000,
         "chunk ANIM: its skeleton or number of clips is not that of SKEL and CLIP"},
        {"SKEL", ROW(VkmSkeleton, VkmNode, reserved), 1, "chunk SKEL: a reserved number of row 0 is not 0"},
        {"CLIP", ROW(VkmClips, VkmClip, duration), 0x40e00000,
         "chunk ANIM: the duration of a clip is not that of CLIP"},
        {"CLIP", ROW(VkmClips, VkmClip, weightsCount), 1000, "chunk CLIP: its clips have more morph weights than it"},
        {"CLIP", ROW(VkmClips, VkmClip, weightsCount), 0, "chunk CLIP: its clips have fewer morph weights than it"},
        {"CLIP", offsetof(VkmClips, unitsPerMillimetre) + 4, 0x7ff00000,
         "chunk CLIP: unitsPerMillimetre is not above 0"},
    };
    Bytes file = packFixture("morphs.gltf");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        refuse(&file, payloadOf(&file, cases[i].chunk) + cases[i].at, cases[i].number, cases[i].line);
    }
    const size_t meshes = payloadOf(&file, "MESH");
    VkmChunk head;
    memcpy(&head, file.bytes + meshes - sizeof head, sizeof head);
    refuse(&file, meshes + ROW(VkmMeshes, VkmMesh, indicesAt), (uint32_t)head.bytes - 4,
           "chunk MESH: indices of row 0 are outside of the chunk or not in order");
    refuse(&file, payloadOf(&file, "MATR") - sizeof(VkmChunk), VKM_TYPE('I', 'N', 'F', 'O'),
           "chunk INFO: it is there twice");
    refuse(&file, payloadOf(&file, "SKEL") - sizeof(VkmChunk), VKM_TYPE('N', 'E', 'W', 'S'),
           "chunk SKEL: the file does not have it");
    refuse(&file, payloadOf(&file, "INFO") - sizeof(VkmChunk), VKM_TYPE('N', 'E', 'W', 'S'),
           "chunk INFO: the file does not have it");
    free(file.bytes);
}

/* One number further, an array of row 0 ends in what follows it. */
TEST(testArraysEndWhereTheNextBegins) {
#define MESH_AT(member) "MESH", ROW(VkmMeshes, VkmMesh, member)
#define BEHIND          " is outside of the chunk or not in order"
#define INSIDE          " are outside of the chunk or not in order"
    static const struct {
        const char *chunk;
        size_t at;
        const char *line;
    } cases[] = {
        {"SKEL", ROW(VkmSkeleton, VkmSkin, boneNodesAt), "chunk SKEL: inverse binds of row 0" INSIDE},
        {"SKEL", ROW(VkmSkeleton, VkmSkin, inverseBindsAt), "chunk SKEL: bones of row 1" INSIDE},
        {"TEXR", ROW(VkmTextures, VkmTexture, pixelsAt), "chunk TEXR: the name of row 1" BEHIND},
        {"MRPH", ROW(VkmMorphs, VkmMorph, verticesAt), "chunk MRPH: positions of row 0" INSIDE},
        {"MRPH", ROW(VkmMorphs, VkmMorph, positionsAt), "chunk MRPH: normals of row 0" INSIDE},
        {"MRPH", ROW(VkmMorphs, VkmMorph, normalsAt), "chunk MRPH: the name of row 1" BEHIND},
        {MESH_AT(positionsAt), "chunk MESH: normals of row 0" INSIDE},
        {MESH_AT(normalsAt), "chunk MESH: tangents of row 0" INSIDE},
        {MESH_AT(tangentsAt), "chunk MESH: texture coordinates of row 0" INSIDE},
        {MESH_AT(texcoordsAt), "chunk MESH: colours of row 0" INSIDE},
        {MESH_AT(coloursAt), "chunk MESH: joints of row 0" INSIDE},
        {MESH_AT(jointsAt), "chunk MESH: weights of row 0" INSIDE},
        {MESH_AT(weightsAt), "chunk MESH: indices of row 0" INSIDE},
        {MESH_AT(indicesAt), "chunk MESH: blend weights of row 0" INSIDE},
        {MESH_AT(blendWeightsAt), "chunk MESH: the name of row 1" BEHIND},
    };
    Model *model = importRich("morphs.gltf");
    PackedModel packed = {0};
    Bytes file = packModel(model, &packed);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const size_t nodes = strcmp(cases[i].chunk, "SKEL") == 0 ? model->nodeCount * sizeof(VkmNode) : 0;
        const size_t at = payloadOf(&file, cases[i].chunk) + cases[i].at + nodes;
        uint32_t place;
        memcpy(&place, file.bytes + at, sizeof place);
        refuse(&file, at, place + sizeof place, cases[i].line);
    }
    modelPackFree(&packed);
    modelFree(model);
    free(file.bytes);
}

/* ---- Files of pictures inside ---- */

static void *copyOf(const void *bytes, size_t size) {
    void *copy = malloc(size);
    memcpy(copy, bytes, size);
    return copy;
}

/* A model with three pictures of one name. */
static Model *importPictures(void) {
    Model *model = importOrFail("textures.gltf");
    assert_true(model->textureCount == 1 && model->textures[0].source);
    model->textures = realloc(model->textures, 3 * sizeof *model->textures);
    for (; model->textureCount < 3; model->textureCount++) {
        ModelTexture *copy = &model->textures[model->textureCount], *first = model->textures;
        *copy = *first;
        copy->name = strdup(first->name);
        copy->path = strdup("");
        copy->pixels = copyOf(first->pixels, (size_t)first->width * first->height * 4);
        copy->source = copyOf(first->source, first->sourceSize);
    }
    return model;
}

#define PICT_ROW(index, member) (sizeof(VkmPictures) + (index) * sizeof(VkmPicture) + offsetof(VkmPicture, member))

TEST(testFaultsOfPictures) {
    static const struct {
        const char *chunk;
        size_t at;
        uint32_t number;
        const char *line;
    } cases[] = {
        {"PICT", PICT_ROW(0, texture), 99, "chunk PICT: the texture of row 0 is out of order, or does not exist"},
        {"PICT", PICT_ROW(1, texture), 0, "chunk PICT: the texture of row 1 is out of order, or does not exist"},
        {"PICT", PICT_ROW(0, size), 0,
         "chunk PICT: the picture of row 0 is empty, or of a texture with a path or more than one texel"},
        {"PICT", PICT_ROW(0, size), 0x7fffffff,
         "chunk PICT: the bytes of row 0 are outside of the chunk or not in order"},
        {"PICT", PICT_ROW(0, sourceAt), 16, "chunk PICT: the bytes of row 0 are outside of the chunk or not in order"},
        {"PICT", offsetof(VkmPictures, reserved), 1, "chunk PICT: a reserved number of row 0 is not 0"},
        {"TEXR", ROW(VkmTextures, VkmTexture, height), 0,
         "chunk PICT: the picture of row 0 is empty, or of a texture with a path or more than one texel"},
    };
    PackedModel packed = {0};
    Model *model = importPictures();
    Bytes file = packModel(model, &packed);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        refuse(&file, payloadOf(&file, cases[i].chunk) + cases[i].at, cases[i].number, cases[i].line);
    }
    modelPackFree(&packed);
    modelFree(model);
    free(file.bytes);
}

/* The files stay as they are, the child decodes them, and one that is damaged is left out: all have one name. */
TEST(testPicturesInside) {
    EngineError error = {.message = ""};
    char folder[] = "/tmp/vkskin_inside.XXXXXX", path[PATH_MAX];
    PackedModel packed = {0};
    Model *source = importPictures();
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/in.vkm", folder);
    memset(source->textures[0].source + 16, 0xff, 8); /* width and height */
    Bytes file = packModel(source, &packed);
    FILE *stream = fopen(path, "wb");
    assert_true(stream && fwrite(file.bytes, 1, file.size, stream) == file.size);
    assert_int_equal(fclose(stream), 0);
    Model *read = importModel(path, NULL, &error);
    assert_non_null(read);
    assert_int_equal(read->textureCount, source->textureCount - 1);
    assert_int_equal(read->warningCount, source->warningCount + 1);
    for (uint32_t i = 0; i < read->textureCount; i++) {
        const ModelTexture *texture = &read->textures[i], *whole = &source->textures[i + 1];
        assert_string_equal(texture->name, whole->name);
        assert_true(texture->width == whole->width && texture->height == whole->height);
        assert_memory_equal(texture->pixels, whole->pixels, (size_t)whole->width * whole->height * 4);
        assert_true(texture->sourceSize == whole->sourceSize);
        assert_true(!whole->source || memcmp(texture->source, whole->source, whole->sourceSize) == 0);
    }
    modelFree(read);
    modelFree(source);
    modelPackFree(&packed);
    free(file.bytes);
    assert_true(unlink(path) == 0 && rmdir(folder) == 0);
}

/* ---- Paths of pictures ---- */

static void copyPicture(const char *path) {
    char from[PATH_MAX], bytes[4096];
    modelPath("metal.png", from);
    FILE *source = fopen(from, "rb"), *target = fopen(path, "wb");
    assert_true(source && target);
    const size_t size = fread(bytes, 1, sizeof bytes, source);
    assert_true(size > 0 && feof(source) && fwrite(bytes, 1, size, target) == size);
    assert_int_equal(fclose(source), 0);
    assert_int_equal(fclose(target), 0);
}

/* One picture is in the folder of the file, a second one above it. */
TEST(testPathsObeyTheFolderRule) {
    static const struct {
        const char *path, *warning;
    } cases[] = {
        {"in.png", NULL},
        {"./in.png", NULL},
        {"../out.png", "texture '../out.png' is left out: its name leads out of the model's folder"},
        {"in/../../out.png", "texture 'in/../../out.png' is left out: its name leads out of the model's folder"},
        {"..\\out.png", "texture '..\\out.png' is left out: its name leads out of the model's folder"},
        {"/out.png", "texture '/out.png' is left out: its name leads out of the model's folder"},
    };
    char top[] = "/tmp/vkskin_vkm_XXXXXX", path[64], files[2][64];
    assert_non_null(mkdtemp(top));
    snprintf(path, sizeof path, "%s/in", top);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(files[0], sizeof files[0], "%s/in/in.png", top);
    snprintf(files[1], sizeof files[1], "%s/out.png", top);
    copyPicture(files[0]);
    copyPicture(files[1]);
    snprintf(path, sizeof path, "%s/in/model.vkm", top);
    Model *model = importOrFail("textures.gltf");
    const char *paths[16] = {NULL};
    assert_true(model->textureCount <= COUNT_OF(paths));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EngineError error = {.message = ""};
        uint64_t sizes[VKM_CHUNK_COUNT], bytes;
        paths[0] = cases[i].path;
        FILE *stream = fopen(path, "wb");
        assert_true(stream && vkmWrite(stream, &(VkmWriteDef){model, &(PackedModel){0}, paths}, sizes, &bytes, &error));
        assert_int_equal(fclose(stream), 0);
        Model *read = importModel(path, NULL, &error);
        assert_non_null(read);
        const ModelWarning *last = read->warningCount > 0 ? &read->warnings[read->warningCount - 1] : NULL;
        assert_int_equal(read->repairs.texturesMissing, model->repairs.texturesMissing + (cases[i].warning ? 1 : 0));
        assert_int_equal(read->textureCount, model->textureCount - (cases[i].warning ? 1 : 0));
        if (cases[i].warning) {
            assert_non_null(last);
            assert_string_equal(last->text, cases[i].warning);
        }
        modelFree(read);
    }
    modelFree(model);
    assert_true(unlink(path) == 0 && unlink(files[0]) == 0 && unlink(files[1]) == 0);
    *strrchr(path, '/') = '\0';
    assert_true(rmdir(path) == 0 && rmdir(top) == 0);
}
