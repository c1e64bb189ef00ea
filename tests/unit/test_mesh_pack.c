/*
 * A mesh as it lies on the device: which classes, which streams in which format, and every word of them.
 */

#include "host_doubles.h"
#include "mesh_pack.h"

#define VERTICES 40u
#define PLACES   7u
#define BASE     1000u /* of the mesh in its page */
#define OUTPUT   77u   /* words to an instance's attributes */

typedef struct Input {
    VkskinMeshDef def;
    float positions[VERTICES][3];
    float normals[VERTICES][3];
    float blend[VERTICES];
    uint32_t joints[VERTICES][PLACES];
    float weights[VERTICES][PLACES];
    uint32_t counts[VERTICES];
} Input;

/* In shares of 1 : 2 : 4 and so on, so that the last is the largest. */
static void setInfluences(Input *input, uint32_t vertex, uint32_t count) {
    input->counts[vertex] = count;
    for (uint32_t i = 0; i < PLACES; i++) {
        bool used = i < count;
        input->joints[vertex][i] = used ? (13 * vertex + i * 3) % input->def.boneCount : UINT32_MAX;
        input->weights[vertex][i] = used ? (float)(1u << i) / (float)((1u << count) - 1) : 0.0f;
    }
}

static void fill(Input *input, uint32_t boneCount) {
    *input = (Input){.def = vkskinDefaultMeshDef()};
    VkskinMeshDef *def = &input->def;
    def->vertexCount = VERTICES;
    def->boneCount = boneCount;
    def->positions = input->positions[0];
    def->influencesPerVertex = PLACES;
    def->jointFormat = VKSKIN_JOINTS_U32;
    def->joints = input->joints;
    def->weights = input->weights[0];
    for (uint32_t v = 0; v < VERTICES; v++) {
        for (uint32_t k = 0; k < 3; k++) {
            input->positions[v][k] = (float)(3 * v + k);
        }
        input->normals[v][2] = 1.0f;
        input->blend[v] = (float)v / VERTICES;
        setInfluences(input, v, 1 + v % PLACES);
    }
}

typedef struct Packed {
    MeshPlan plan;
    VkskinMeshInfo info;
    uint32_t *words; /* [plan.words] */
} Packed;

static LayoutClass headOf(const Packed *packed, uint32_t index) {
    LayoutClass head;
    memcpy(&head, packed->words + (size_t)index * LAYOUT_CLASS_WORDS, sizeof head);
    return head;
}

static uint32_t elementOf(const Packed *packed, uint32_t stream, uint32_t element, uint32_t log2Bytes) {
    uint32_t value = 0; /* little-endian */
    memcpy(&value, (const char *)(packed->words + stream - BASE) + ((size_t)element << log2Bytes), 1u << log2Bytes);
    return value;
}

static float floatOf(const Packed *packed, uint32_t at) {
    float value;
    memcpy(&value, packed->words + at - BASE, sizeof value);
    return value;
}

static double weightOf(const Packed *packed, const LayoutClass *head, uint32_t element) {
    uint32_t format = LAYOUT_WEIGHT_FORMAT(head->influenceFormat);
    uint32_t value = elementOf(packed, head->weights, element, format);
    return format == LAYOUT_WEIGHT_FLOAT ? (double)floatOf(packed, head->weights + element)
                                         : value / (format == 1 ? 65535.0 : 255.0);
}

/* Largest first: the reverse of the input's. */
static void checkInfluences(const Input *input, const Packed *packed, const LayoutClass *head, uint32_t index,
                            uint32_t vertex) {
    uint32_t count = input->counts[vertex];
    bool many = count >= LAYOUT_MANY;
    uint32_t first = many ? packed->words[head->starts - BASE + index] : index * count;
    double left = 1.0;
    if (many) {
        assert_int_equal(packed->words[head->starts - BASE + index + 1] - first, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t given = count - 1 - i;
        bool kept = many || i + 1 < count;
        double weight = kept ? weightOf(packed, head, many ? first + i : index * (count - 1) + i) : left;
        assert_float_equal(weight, input->weights[vertex][given], 0.0041); /* 1 / 255, or exactly */
        assert_int_equal(elementOf(packed, head->joints, first + i, LAYOUT_JOINT_FORMAT(head->influenceFormat)),
                         input->joints[vertex][given]);
        left -= weight;
    }
    assert_float_equal(left, 0.0, 1e-6);
}

static void checkVertex(const Input *input, const Packed *packed, const LayoutClass *head, uint32_t index) {
    uint32_t vertex = head->order != 0 ? packed->words[head->order - BASE + index] : head->firstOutput + index;
    assert_true(vertex < VERTICES);
    for (uint32_t k = 0; k < input->def.dimensions; k++) {
        float value = floatOf(packed, head->positions + index * input->def.dimensions + k);
        assert_true(value == input->def.positions[(size_t)vertex * input->def.dimensions + k]);
    }
    if (input->def.blendWeights != NULL) {
        assert_true(floatOf(packed, head->blendWeights + index) == input->blend[vertex]);
    }
    if (input->def.boneCount > 0) {
        checkInfluences(input, packed, head, index, vertex);
    }
}

static void checkAll(const Input *input, const Packed *packed) {
    uint32_t vertices = 0;
    for (uint32_t c = 0; c < packed->plan.classCount; c++) {
        LayoutClass head = headOf(packed, c);
        assert_int_equal(head.firstVertex, vertices);
        assert_int_equal(head.outputAttributes, OUTPUT);
        for (uint32_t i = 0; i < head.vertexCount; i++) {
            checkVertex(input, packed, &head, i);
        }
        vertices += head.vertexCount;
    }
    assert_int_equal(vertices, VERTICES);
}

/* Also checks all that was written. */
static Packed pack(const Input *input) {
    Packed packed = {0};
    Host host = {0};
    OK(sknPlanMesh(&host, &input->def, &packed.plan, &packed.info));
    size_t bytes = packed.plan.words * sizeof *packed.words;
    uint32_t *other = ownZeros(1, bytes);
    packed.words = ownZeros(1, bytes);
    memset(other, 0xff, bytes);
    OK(sknWriteMesh(&host, &input->def, &packed.plan, BASE, OUTPUT, packed.words));
    OK(sknWriteMesh(&host, &input->def, &packed.plan, BASE, OUTPUT, other));
    assert_memory_equal(packed.words, other, bytes); /* no word is left as it was */
    assert_int_equal(packed.info.sourceBytes, bytes);
    MeshPlan plan = packed.plan; /* the tests read only its numbers */
    sknFreePlan(&plan);
    checkAll(input, &packed);
    return packed;
}

/* 40 vertices of 1 to 7 influences in turn: 6 of each of the first five counts, 5 of the others. */
OWNING_TEST(classesByInfluences) {
    Input input;
    fill(&input, 50);
    Packed packed = pack(&input);
    assert_int_equal(packed.plan.classCount, 5);
    assert_int_equal(packed.info.influences, 7);
    assert_false(packed.info.sorted);
    static const uint32_t vertices[5] = {6, 6, 6, 6, 16};
    assert_memory_equal(packed.info.influenceVertices, vertices, sizeof vertices);
    /* Heads, then order and positions; starts; joints of a byte; weights without the last but for many. */
    uint64_t joints = (6 + 3) / 4 + (12 + 3) / 4 + (18 + 3) / 4 + (24 + 3) / 4 + (6 * 5 + 5 * 6 + 5 * 7 + 3) / 4;
    uint64_t weights = 6 * (0 + 1 + 2 + 3) + 6 * 5 + 5 * 6 + 5 * 7;
    assert_int_equal(packed.plan.words, 5 * LAYOUT_CLASS_WORDS + 4 * VERTICES + 17 + joints + weights);
}

/* Vertices of a class that stand together need no order, wherever they stand. */
OWNING_TEST(orderWhereNeeded) {
    Input input;
    fill(&input, 50);
    for (uint32_t v = 0; v < VERTICES; v++) {
        setInfluences(&input, v, v < 10 ? 4 : v < 30 ? 1 : 6);
    }
    Packed packed = pack(&input);
    assert_true(packed.info.sorted);
    assert_int_equal(packed.plan.classCount, 3);
    assert_int_equal(headOf(&packed, 0).firstOutput, 10);
    assert_int_equal(headOf(&packed, 1).firstOutput, 0);
    setInfluences(&input, 39, 4); /* one strays: its class alone has an order, the others stay together */
    packed = pack(&input);
    assert_false(packed.info.sorted);
    assert_int_equal(headOf(&packed, 0).order, 0);
    assert_true(headOf(&packed, 1).order != 0);
    assert_int_equal(headOf(&packed, 2).order, 0);
}

OWNING_TEST(jointsAsWideAsNeeded) {
    static const struct {
        uint32_t bones, format;
    } cases[] = {{1, 0}, {256, 0}, {257, 1}, {65536, 1}, {65537, 2}, {1048576, 2}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Input input;
        fill(&input, cases[i].bones);
        input.joints[3][0] = cases[i].bones - 1;
        Packed packed = pack(&input);
        assert_int_equal(LAYOUT_JOINT_FORMAT(headOf(&packed, 0).influenceFormat), cases[i].format);
    }
}

/* Few bits: each weight is off by less than a unit, the sum is exact, and the reported bound covers the loss. */
OWNING_TEST(weightsRounded) {
    static const uint32_t formats[] = {2, 1, 0};
    for (uint32_t format = VKSKIN_WEIGHTS_FLOAT; format <= VKSKIN_WEIGHTS_UNORM8; format++) {
        Input input;
        fill(&input, 50);
        input.def.weightFormat = (VkskinWeightFormat)format;
        Packed packed = pack(&input);
        assert_int_equal(LAYOUT_WEIGHT_FORMAT(headOf(&packed, 0).influenceFormat), formats[format]);
        assert_true((packed.info.weightError > 0.0f) == (format != VKSKIN_WEIGHTS_FLOAT));
    }
}

OWNING_TEST(blendWeightsAndNormals) {
    Input input;
    fill(&input, 50);
    input.def.blendWeights = input.blend;
    input.def.normals = input.normals[0];
    Packed plain = pack(&input);
    assert_int_equal(sknAttributeWords(&input.def), 1);
    input.def.format = VKSKIN_VERTEX_FLOAT;
    Packed packed = pack(&input);
    assert_int_equal(packed.plan.words - plain.plan.words, 2 * VERTICES);
    assert_true(floatOf(&packed, headOf(&packed, 0).attributes + 2) == 1.0f);
}

/* One class of no influences; its targets count places as the vertices stand. */
OWNING_TEST(withoutBones) {
    Input input;
    fill(&input, 1);
    const VkskinMorphTarget target = {.vertexCount = VERTICES, .positions = input.positions[0]};
    input.def.boneCount = 0;
    input.def.dimensions = 2;
    input.def.morphTargets = &target;
    input.def.morphTargetCount = 1;
    Packed packed = pack(&input);
    assert_int_equal(packed.plan.classCount, 1);
    assert_int_equal(packed.plan.influences[0], 0);
    assert_int_equal(packed.info.influences, 0);
    assert_int_equal(packed.info.influenceVertices[0], 0);
    assert_int_equal(packed.plan.words, LAYOUT_CLASS_WORDS + 2 * VERTICES + LAYOUT_MORPH_WORDS + 2 * 2 + 2 * VERTICES);
    LayoutMorph morph;
    memcpy(&morph, packed.words + packed.plan.morphHeads, sizeof morph);
    assert_int_equal(morph.blocks, BASE + packed.plan.morphHeads + LAYOUT_MORPH_WORDS);
    assert_int_equal(morph.normals, 0);
}
