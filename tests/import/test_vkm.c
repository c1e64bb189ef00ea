/* Packed files: the checksum, what is written and read again, and damage with and without checksums. */
#include "import_support.h"
#include "blob.h"
#include "model_mesh.h"
#include "model_pack.h"
#include "vkm_checksum.h"
#include "vkm_layout.h"
#include "vkm_read.h"
#include "vkm_write.h"

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
    EngineError error = {""};
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
            EngineError error = {""};
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
            EngineError error = {""};
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
        EngineError error = {""};
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
    EngineError error = {""};
    VkmHeader head;
    memcpy(&head, file.bytes, sizeof head);
    head.major = 2;
    memcpy(file.bytes, &head, sizeof head);
    assert_null(parse(file.bytes, file.size, false, &error));
    assert_string_equal(error.message, "version 2.0 of .vkm is newer than this reader, which knows 1");
    /* A chunk of unknown type at the end is skipped. */
    VkmChunk chunk = {.type = VKM_TYPE('N', 'E', 'W', 'S'), .version = 7};
    chunk.checksum = vkmChecksum(NULL, 0, vkmChecksum(&chunk, offsetof(VkmChunk, checksum), 0));
    head.major = 1;
    head.chunkCount++;
    head.fileBytes += sizeof chunk;
    head.checksum = vkmChecksum(&head, offsetof(VkmHeader, checksum), 0);
    char *longer = malloc(file.size + sizeof chunk);
    memcpy(longer, file.bytes, file.size);
    memcpy(longer, &head, sizeof head);
    memcpy(longer + file.size, &chunk, sizeof chunk);
    Model *model = parse(longer, file.size + sizeof chunk, false, &error);
    assert_non_null(model);
    modelFree(model);
    free(longer);
    free(file.bytes);
}
