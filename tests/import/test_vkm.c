/* Packed files: the checksum, what is written and read again, and damage with and without checksums. */
#include "import_support.h"
#include "blob.h"
#include "model_mesh.h"
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

static Bytes packFixture(const char *name) {
    Model *model = importOrFail(name);
    EngineError error = {.message = ""};
    PackedModel packed = {0};
    Bytes file = {0};
    uint64_t sizes[VKM_CHUNK_COUNT], bytes;
    assert_true(modelSortVertices(model, &error));
    assert_true(modelPack(model, &(ModelPackDef){.millimetres = 1.0}, &packed, &error));
    FILE *stream = open_memstream(&file.bytes, &file.size);
    assert_true(vkmWrite(stream, &(VkmWriteDef){model, &packed, NULL}, sizes, &bytes, &error));
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(bytes, file.size);
    modelPackFree(&packed);
    modelFree(model);
    return file;
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

/* All fields but those of clips, by the tables of the model: the transfer from the child follows them. */
TEST(testThereAndBack) {
    static const char *const names[] = {"morphs.gltf", "step_cubic.gltf", "textures.gltf", "two_skins.gltf",
                                        "morph_curves.dae"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        EngineError error = {.message = ""};
        Bytes file = packFixture(names[i]), blobs[2] = {{0}};
        Model *models[2] = {importOrFail(names[i]), parse(file.bytes, file.size, false, &error)};
        assert_non_null(models[1]);
        assert_true(modelSortVertices(models[0], &error));
        assert_int_equal(models[0]->clipCount, models[1]->clipCount);
        for (int m = 0; m < 2; m++) {
            const uint32_t clips = models[m]->clipCount;
            FILE *stream = open_memstream(&blobs[m].bytes, &blobs[m].size);
            models[m]->clipCount = 0;
            assert_true(blobWrite(stream, models[m], NULL));
            assert_int_equal(fclose(stream), 0);
            models[m]->clipCount = clips;
        }
        assert_int_equal(blobs[0].size, blobs[1].size);
        assert_memory_equal(blobs[0].bytes, blobs[1].bytes, blobs[0].size);
        for (int m = 0; m < 2; m++) {
            free(blobs[m].bytes);
            modelFree(models[m]);
        }
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
    assert_string_equal(error.message, "version 2.0 of .vkm is newer than this reader, which knows 1");
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
    free(file.bytes);
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
