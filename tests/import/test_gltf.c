/*
 * What other readers read and the format forbids, and extensions: small binary files, made here and parsed in this
 * process.
 */
#include "model_mesh.h"
#include "readers.h"
#include "test.h"

#include <stdlib.h>

/* The chunk of bytes; its buffer views are VIEWS. */
typedef struct Numbers {
    float positions[9], deltas[9];
    uint8_t joints[12];
    float weights[12], times[2], places[6], morphs[4];
} Numbers;

static const Numbers NUMBERS = {.positions = {0, 0, 0, 1, 0, 0, 0, 1, 0},
                                .deltas = {0, 0, 1, 0, 0, 1, 0, 0, 1},
                                .weights = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0},
                                .times = {0, 1},
                                .places = {0, 0, 0, 0, 0, 4},
                                .morphs = {0, 0, 1, 0.5f}};

#define VIEW(offset, size) "{\"buffer\":0,\"byteOffset\":" #offset ",\"byteLength\":" #size "}"
#define VIEWS                                                                                                          \
    VIEW(0, 36) "," VIEW(36, 36) "," VIEW(72, 12) "," VIEW(84, 48) "," VIEW(132, 8) "," VIEW(140, 24) "," VIEW(164, 16)
#define ACCESSOR(view, count, type, component)                                                                         \
    "{\"bufferView\":" #view ",\"count\":" #count ",\"type\":\"" type "\",\"componentType\":" #component "}"
#define ACCESSORS                                                                                                      \
    ACCESSOR(0, 3, "VEC3", 5126)                                                                                       \
    "," ACCESSOR(1, 3, "VEC3", 5126) "," ACCESSOR(2, 3, "VEC4", 5121) "," ACCESSOR(3, 3, "VEC4", 5126) "," ACCESSOR(   \
        4, 2, "SCALAR",                                                                                                \
        5126) "," ACCESSOR(5, 2, "VEC3",                                                                               \
                           5126) "," ACCESSOR(6, 4, "SCALAR",                                                          \
                                              5126) ",{\"count\":3,\"type\":\"VEC3\",\"componentType\":5126}"

/* Node 0 carries a mesh of two targets with a skin, nodes 1 and 2 one of the same targets, node 3 has its own weights. */
static const char BODY[] =
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":180}],\"bufferViews\":[" VIEWS
    "],\"accessors\":[" ACCESSORS "],\"skins\":[{\"joints\":[1]}],"
    "\"nodes\":[{\"mesh\":0,\"skin\":0},{\"mesh\":1},{\"mesh\":1},{\"mesh\":1,\"weights\":[0.25,0.5]}],"
    "\"meshes\":[{\"name\":\"body\",\"primitives\":[%s]},{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
    "\"targets\":[{\"POSITION\":1},{\"POSITION\":1}]}]}],"
    "\"animations\":[{\"name\":\"go\",\"samplers\":[{\"input\":4,\"output\":5},{\"input\":4,\"output\":6}],"
    "\"channels\":[%s]}]%s}";

#define SKINNED "{\"attributes\":{\"POSITION\":0,\"JOINTS_0\":2,\"WEIGHTS_0\":3}}"
#define POINTER(sampler, pointer)                                                                                      \
    "{\"sampler\":" #sampler ",\"target\":{\"path\":\"pointer\",\"extensions\":{\"KHR_animation_pointer\":"            \
    "{\"pointer\":\"" pointer "\"}}}}"
#define ALONE "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"translation\"}}"

typedef struct Document {
    const char *primitives, *channels, *end;
    Numbers numbers;
    uint32_t pad, tail; /* bytes more than the text, and than the numbers, have */
    EngineError error;
} Document;

static void putWord(uint8_t **to, uint32_t word) {
    memcpy(*to, &word, sizeof word);
    *to += sizeof word;
}

/* Null: refused, with document->error. */
static Model *parse(Document *document) {
    static char text[4096];
    static uint8_t file[sizeof text + sizeof(Numbers) + 64];
    const int length = snprintf(text, sizeof text, BODY, document->primitives, document->channels, document->end);
    const uint32_t textSize = ((uint32_t)length + 3) / 4 * 4 + document->pad;
    const uint32_t binary = (uint32_t)sizeof(Numbers) + document->tail, size = 28 + textSize + binary;
    assert_in_range(length, 1, sizeof text - 1);
    uint8_t *to = file;
    putWord(&to, 0x46546C67);
    putWord(&to, 2);
    putWord(&to, size);
    putWord(&to, textSize);
    putWord(&to, 0x4E4F534A);
    memset(to, ' ', textSize);
    memcpy(to, text, (size_t)length);
    to += textSize;
    putWord(&to, binary);
    putWord(&to, 0x004E4942);
    memset(to, 0, binary);
    memcpy(to, &document->numbers, sizeof(Numbers));
    return gltfParseBytes(file, size, "", "test.glb", SIZE_MAX, &document->error);
}

static Document plain(void) {
    return (Document){.primitives = SKINNED, .channels = ALONE, .end = "", .numbers = NUMBERS};
}

static Model *parseOrFail(Document *document) {
    Model *model = parse(document);
    if (!model) {
        fail_msg("%s", document->error.message);
    }
    return model;
}

TEST(testRequired) {
    static const char *const rows[][2] = {
        {"\"KHR_draco_mesh_compression\"", "needs KHR_draco_mesh_compression, which is not supported"},
        {"\"EXT_of_tomorrow\",\"KHR_draco_mesh_compression\"",
         "needs KHR_draco_mesh_compression, which is not supported"},
        {"\"KHR_texture_basisu\",\"EXT_of_tomorrow\"", "needs EXT_of_tomorrow, which is not supported"},
        {"\"KHR_animation_pointer\",\"EXT_meshopt_compression\"", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        char end[200];
        Document document = plain();
        snprintf(end, sizeof end, ",\"extensionsRequired\":[%s]", rows[i][0]);
        document.end = end;
        Model *model = parse(&document);
        assert_int_equal(model == NULL, rows[i][1] != NULL);
        assert_string_equal(model ? "" : document.error.message, rows[i][1] ? rows[i][1] : "");
        modelFree(model);
    }
}

/* A primitive whose vertices only Draco's bytes have, in a file that does not say so; one that has them uncompressed. */
TEST(testDracoUnlisted) {
    Document document = plain();
    document.primitives = "{\"attributes\":{\"POSITION\":7},\"extensions\":{\"KHR_draco_mesh_compression\":{}}}";
    assert_null(parse(&document));
    assert_string_equal(document.error.message, "needs KHR_draco_mesh_compression, which is not supported");
    document.primitives = "{\"attributes\":{\"POSITION\":0},\"extensions\":{\"KHR_draco_mesh_compression\":{}}}";
    modelFree(parseOrFail(&document));
}

static const VkskinTrack *trackOf(const Model *model, uint32_t index) {
    assert_int_equal(model->clipCount, 1);
    assert_in_range(index, 0, model->clips[0].trackCount - 1);
    return &model->clips[0].tracks[index];
}

TEST(testPointers) {
    static const struct {
        const char *channel;
        uint32_t tracks, node; /* node of the first track */
        VkskinChannel path;
        const char *warning;
    } rows[] = {
        {POINTER(0, "/nodes/2/translation"), 1, 2, VKSKIN_CHANNEL_TRANSLATION, NULL},
        {POINTER(0, "/nodes/1/scale"), 1, 1, VKSKIN_CHANNEL_SCALE, NULL},
        {POINTER(1, "/nodes/3/weights"), 1, 3, VKSKIN_CHANNEL_MORPH_WEIGHTS, NULL},
        {POINTER(1, "/meshes/1/weights"), 2, 1, VKSKIN_CHANNEL_MORPH_WEIGHTS, NULL},
        {POINTER(0, "/nodes/1/weights/0") "," ALONE, 1, 0, VKSKIN_CHANNEL_TRANSLATION,
         "animation 'go' moves '/nodes/1/weights/0', which is not read"},
        {POINTER(0, "/materials/0/alphaCutoff"), 0, 0, 0,
         "animation 'go' moves '/materials/0/alphaCutoff', which is not read"},
        {POINTER(0, "/nodes//scale"), 0, 0, 0, "animation 'go' moves '/nodes//scale', which is not read"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Document document = plain();
        document.channels = rows[i].channel;
        Model *model = parseOrFail(&document);
        assert_int_equal(model->clips[0].trackCount, rows[i].tracks);
        if (rows[i].tracks > 0) {
            assert_int_equal(trackOf(model, 0)->node, rows[i].node);
            assert_int_equal(trackOf(model, 0)->channel, rows[i].path);
            assert_int_equal(trackOf(model, rows[i].tracks - 1)->node, rows[i].node + rows[i].tracks - 1);
        }
        assert_int_equal(model->warningCount, rows[i].warning != NULL);
        assert_string_equal(rows[i].warning ? model->warnings[0].text : "", rows[i].warning ? rows[i].warning : "");
        modelFree(model);
    }
}

/* Primitives of two targets, of one and of none: each has the first weights. */
TEST(testUnequalMorphs) {
    Document document = plain();
    document.primitives = "{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1}]},"
                          "{\"attributes\":{\"POSITION\":0},\"targets\":[{\"POSITION\":1},{\"POSITION\":1}]},"
                          "{\"attributes\":{\"POSITION\":0}}],\"weights\":[0.5,0.75";
    document.channels = "{\"sampler\":1,\"target\":{\"node\":0,\"path\":\"weights\"}}";
    Model *model = parseOrFail(&document);
    static const uint32_t targets[3] = {1, 2, 0};
    for (uint32_t i = 0; i < 3; i++) {
        const ModelPart *part = &model->parts[i];
        assert_int_equal(model->meshes[part->mesh].morphCount, targets[i]);
        for (uint32_t t = 0; t < targets[i]; t++) {
            assert_true(part->morphWeights[t] == (t == 0 ? 0.5f : 0.75f));
        }
    }
    assert_int_equal(trackOf(model, 0)->weightCount, 2);
    modelFree(model);
}

/* The numbers are read whole however the chunks end. */
TEST(testUnalignedChunks) {
    for (uint32_t pad = 0; pad < 4; pad++) {
        for (uint32_t tail = 0; tail < 4; tail++) {
            Document document = plain();
            document.pad = pad;
            document.tail = tail;
            Model *model = parseOrFail(&document);
            assert_true(model->meshes[0].positions[3] == 1.0f);
            assert_true(trackOf(model, 0)->values[5] == 4.0f);
            modelFree(model);
        }
    }
}

/* The farthest sum is found, whichever side of 1 it is on; what rounding leaves is not. */
TEST(testWeightSums) {
    static const struct {
        float first, last;
        double sum;
    } rows[] = {{1.0f, 1.0f, 1.0}, {1.00098f, 0.9991f, 1.0}, {1.0011f, 1.0f, 1.0011}, {1.125f, 0.5f, 0.5}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Document document = plain();
        document.numbers.weights[0] = rows[i].first;
        document.numbers.weights[8] = rows[i].last;
        Model *model = parseOrFail(&document);
        const ModelMesh *mesh;
        assert_true(fabs(modelWorstWeights(model, &mesh) - rows[i].sum) < 1e-6);
        assert_ptr_equal(mesh, rows[i].sum == 1.0 ? NULL : &model->meshes[0]);
        assert_int_equal(model->warningCount, 0);
        modelFree(model);
    }
}
