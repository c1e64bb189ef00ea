/*
 * The layout of a mesh on the device and its VkskinMeshInfo, by numbers worked out by hand: which classes, which streams in
 * which format, how many words. The conformance tests read every stream.
 */

#include "host_doubles.h"
#include "mesh_pack.h"

#define VERTICES 40u
#define PLACES   7u
#define BASE     1000u        /* offset of the mesh in its page */
#define DIAGONAL 202.6499444f /* diagonal of the positions: 117 on each axis */

/* In shares of 1 : 2 : 4 and so on, so that the last is the largest. */
static void setInfluences(TestMesh *mesh, uint32_t vertex, uint32_t count) {
    for (uint32_t i = 0; i < PLACES; i++) {
        bool used = i < count;
        meshSetInfluence(mesh, vertex, i, used ? (13 * vertex + i * 3) % mesh->def.boneCount : UINT32_MAX,
                         used ? (float)(1u << i) / (float)((1u << count) - 1) : 0.0f);
    }
}

/* 40 vertices of 1 to 7 influences in turn: 6 of each of the first five counts, 5 of the others. Positions alone. */
static TestMesh *makeInput(uint32_t boneCount) {
    TestMesh *mesh = ownMesh((MeshSpec){VERTICES, boneCount, PLACES, .jointBytes = 4,
                                        .attributes = MESH_NORMALS | MESH_TANGENTS | MESH_BLEND_WEIGHTS});
    mesh->def.normals = mesh->def.tangents = mesh->def.blendWeights = NULL;
    for (uint32_t v = 0; v < VERTICES; v++) {
        meshSetPosition(mesh, v, (float)(3 * v), (float)(3 * v + 1), (float)(3 * v + 2));
        setInfluences(mesh, v, 1 + v % PLACES);
    }
    return mesh;
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

static Packed packWith(const TestMesh *input, VkskinResult expected) {
    Packed packed = {.info = sknDescribeMesh(&input->def, 16)};
    Host host = {0};
    OK(sknPlanMesh(&host, &input->def, &packed.plan, &packed.info));
    RETURNS(expected, sknReportMesh(&host, &input->def, &packed.info));
    size_t bytes = packed.plan.words * sizeof *packed.words;
    uint32_t *other = ownZeros(1, bytes);
    packed.words = ownZeros(1, bytes);
    memset(other, 0xff, bytes);
    OK(sknWriteMesh(&host, &input->def, &packed.plan, BASE, &packed.info, packed.words));
    OK(sknWriteMesh(&host, &input->def, &packed.plan, BASE, &packed.info, other));
    assert_memory_equal(packed.words, other, bytes); /* no word is left as it was */
    assert_int_equal(packed.info.sourceBytes, bytes);
    MeshPlan plan = packed.plan; /* the tests read only its numbers */
    sknFreePlan(&plan);
    uint32_t vertices = 0;
    for (uint32_t c = 0; c < packed.plan.classCount; c++) {
        LayoutClass head = headOf(&packed, c);
        assert_int_equal(head.firstVertex, vertices);
        assert_int_equal(head.outputPosition, 0);
        assert_int_equal(head.positionStride, packed.info.dimensions);
        assert_int_equal(head.outputNormal, packed.info.hasNormals ? (VERTICES * 12 + 15) / 16 * 4 : 0);
        vertices += head.vertexCount;
    }
    assert_int_equal(vertices, VERTICES);
    return packed;
}

static Packed pack(const TestMesh *input) {
    return packWith(input, VKSKIN_SUCCESS);
}

OWNING_TEST(classesByInfluences) {
    TestMesh *input = makeInput(50);
    Packed packed = pack(input);
    const VkskinMeshInfo *info = &packed.info;
    assert_int_equal(packed.plan.classCount, 5);
    assert_int_equal(info->influences, 7);
    assert_false(info->sorted);
    static const uint32_t vertices[5] = {6, 6, 6, 6, 16};
    assert_memory_equal(info->influenceVertices, vertices, sizeof vertices);
    assert_int_equal(info->vertexCount, VERTICES);
    assert_int_equal(info->boneCount, 50);
    assert_int_equal(info->dimensions, 3);
    assert_int_equal(info->normalisedVertices, 0);
    assert_true(info->trimmedWeight == 0.0f && info->weightError == 0.0f);
    assert_int_equal(info->outputBytes, VERTICES * 12);
    /* Heads, then order and positions; starts; joints of a byte; weights without the last but for many. */
    uint64_t joints = (6 + 3) / 4 + (12 + 3) / 4 + (18 + 3) / 4 + (24 + 3) / 4 + (6 * 5 + 5 * 6 + 5 * 7 + 3) / 4;
    uint64_t weights = 6 * (0 + 1 + 2 + 3) + 6 * 5 + 5 * 6 + 5 * 7;
    assert_int_equal(packed.plan.words, 5 * LAYOUT_CLASS_WORDS + 4 * VERTICES + 17 + joints + weights);
}

/* Vertices of a class that stand together need no order, wherever they stand. */
OWNING_TEST(orderWhereNeeded) {
    TestMesh *input = makeInput(50);
    for (uint32_t v = 0; v < VERTICES; v++) {
        setInfluences(input, v, v < 10 ? 4 : v < 30 ? 1 : 6);
    }
    Packed packed = pack(input);
    assert_true(packed.info.sorted);
    assert_int_equal(packed.plan.classCount, 3);
    assert_int_equal(headOf(&packed, 0).firstOutput, 10);
    assert_int_equal(headOf(&packed, 1).firstOutput, 0);
    setInfluences(input, 39, 4); /* one strays: its class alone has an order, the others stay together */
    packed = pack(input);
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
        TestMesh *input = makeInput(cases[i].bones);
        input->joints32[3 * PLACES] = cases[i].bones - 1;
        Packed packed = pack(input);
        assert_int_equal(LAYOUT_JOINT_FORMAT(headOf(&packed, 0).influenceFormat), cases[i].format);
    }
}

/* What trimming and rounding take from the weights; the diagonal times the largest share that goes is the bound. */
OWNING_TEST(lossesAreReported) {
    static const struct {
        uint32_t most;
        float least;
        VkskinWeightFormat format;
        uint32_t counts; /* influences of all vertices; 0: chosen by `fill` */
        uint32_t influences, trimmed, influenceVertices[5];
        double share; /* largest share of a vertex's weight that is lost */
    } cases[] = {
        /* 1 of 31, 3 of 63, 7 of 127 go. */
        {4, 0, VKSKIN_WEIGHTS_FLOAT, 0, 4, 16, {6, 6, 6, 22}, 7.0 / 127},
        /* 1 of 15, 3 of 31, 7 of 63, 15 of 127 go. */
        {0, 0.1f, VKSKIN_WEIGHTS_FLOAT, 0, 3, 22, {6, 6, 28}, 15.0 / 127},
        /* 36.43, 72.86 and 145.71 of 255 become 36, 73 and 146. */
        {0, 0, VKSKIN_WEIGHTS_UNORM8, 3, 3, 0, {0, 0, 40}, 3.0 / 7 / 255},
        /* 9362.14, 18724.29 and 37448.57 of 65535 become 9362, 18724 and 37449. */
        {0, 0, VKSKIN_WEIGHTS_UNORM16, 3, 3, 0, {0, 0, 40}, 3.0 / 7 / 65535},
    };
    static const uint32_t formats[] = {2, 1, 0};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        TestMesh *input = makeInput(50);
        input->def.maxInfluences = cases[i].most;
        input->def.minWeight = cases[i].least;
        input->def.weightFormat = cases[i].format;
        for (uint32_t v = 0; cases[i].counts > 0 && v < VERTICES; v++) {
            setInfluences(input, v, cases[i].counts);
        }
        bool trims = cases[i].trimmed > 0;
        Packed packed = packWith(input, trims ? VKSKIN_WARNING_INFLUENCES_TRIMMED : VKSKIN_SUCCESS);
        assert_int_equal(LAYOUT_WEIGHT_FORMAT(headOf(&packed, 0).influenceFormat), formats[cases[i].format]);
        assert_int_equal(packed.info.weightFormat, cases[i].format);
        assert_int_equal(packed.info.influences, cases[i].influences);
        assert_int_equal(packed.info.trimmedVertices, cases[i].trimmed);
        assert_memory_equal(packed.info.influenceVertices, cases[i].influenceVertices, sizeof(uint32_t[5]));
        assert_float_equal(packed.info.trimmedWeight, trims ? cases[i].share : 0.0, 1e-6);
        assert_float_equal(packed.info.weightError / DIAGONAL, cases[i].share, cases[i].share * 1e-2);
    }
}

/* A vertex without weights counts as one of one influence, and not as normalised. */
OWNING_TEST(unweightedVertices) {
    TestMesh *input = makeInput(50);
    input->def.unweightedBone = 2;
    memset(input->weights + (size_t)4 * PLACES, 0, PLACES * sizeof *input->weights);
    Packed packed = pack(input);
    assert_int_equal(packed.info.influenceVertices[0], 7);
    assert_int_equal(packed.info.normalisedVertices, 0);
}

/* Words of the source and bytes of the output that each kind of data adds, per vertex. */
OWNING_TEST(streamsTakeTheirWords) {
    static const unsigned char centres[32 + 12 * VERTICES];
    static const struct {
        bool normals, tangents, blend, centred;
        VkskinVertexFormat format;
        uint32_t words, outputBytes;
    } cases[] = {
        {true, false, false, false, VKSKIN_VERTEX_PACKED, 1, 4},
        {true, false, false, false, VKSKIN_VERTEX_FLOAT, 3, 12},
        {true, false, false, false, VKSKIN_VERTEX_SNORM10, 1, 4},
        {true, true, false, false, VKSKIN_VERTEX_PACKED, 2, 8},
        {true, true, false, false, VKSKIN_VERTEX_FLOAT, 7, 28},
        {true, true, false, false, VKSKIN_VERTEX_SNORM10, 2, 8},
        {false, false, true, false, false, 1, 0},
        {false, false, false, true, false, 3, 0},
    };
    TestMesh *input = makeInput(50);
    Packed plain = pack(input);
    assert_false(plain.info.hasNormals || plain.info.hasTangents || plain.info.hasBlendWeights ||
                 plain.info.hasCentres);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        input->def.normals = cases[i].normals ? input->normals : NULL;
        input->def.tangents = cases[i].tangents ? input->tangents : NULL;
        input->def.blendWeights = cases[i].blend ? input->blendWeights : NULL;
        input->def.centres = cases[i].centred ? centres : NULL;
        input->def.centresSize = sizeof centres;
        input->def.format = cases[i].format;
        input->def.normalRule = (VkskinNormals)(i % 2);
        Packed packed = pack(input);
        assert_int_equal(packed.plan.words - plain.plan.words, cases[i].words * VERTICES);
        assert_int_equal(packed.info.outputBytes - plain.info.outputBytes, cases[i].outputBytes * VERTICES);
        assert_int_equal(packed.info.hasNormals, cases[i].normals);
        assert_int_equal(packed.info.hasTangents, cases[i].tangents);
        assert_int_equal(packed.info.hasBlendWeights, cases[i].blend);
        assert_int_equal(packed.info.hasCentres, cases[i].centred);
        assert_int_equal(packed.info.normalRule, i % 2);
    }
}

/* One class of no influences; its targets count places as the vertices stand. */
OWNING_TEST(flatWithoutBones) {
    TestMesh *input = makeInput(1);
    const VkskinMorphTarget target = {.vertexCount = VERTICES, .positions = input->positions};
    input->def.boneCount = 0;
    input->def.dimensions = 2;
    input->def.morphTargets = &target;
    input->def.morphTargetCount = 1;
    Packed packed = pack(input);
    assert_int_equal(packed.plan.classCount, 1);
    assert_int_equal(packed.plan.influences[0], 0);
    assert_int_equal(packed.info.dimensions, 2);
    assert_int_equal(packed.info.outputBytes, 8 * VERTICES);
    assert_int_equal(packed.info.influences, 0);
    static const uint32_t none[5];
    assert_memory_equal(packed.info.influenceVertices, none, sizeof none);
    assert_true(packed.info.sorted);
    assert_int_equal(packed.plan.words, LAYOUT_CLASS_WORDS + 2 * VERTICES + LAYOUT_MORPH_WORDS + 2 * 2 + 2 * VERTICES);
}

static LayoutMorph morphOf(const Packed *packed, uint32_t index) {
    LayoutMorph head;
    memcpy(&head, packed->words + packed->plan.morphHeads + (size_t)index * LAYOUT_MORPH_WORDS, sizeof head);
    return head;
}

/* Two words for each block of 32 vertices from the first to the last that moves, then deltas of what the mesh has. Vertices
 * 4 and 39, of many influences, have the places 24 and 39. */
OWNING_TEST(morphTargetsTakeTheirBlocks) {
    static const uint32_t moved[] = {39, 4};
    TestMesh *input = makeInput(50);
    const float *deltas = input->positions;
    const VkskinMorphTarget targets[4] = {
        {.vertexCount = 2, .vertices = moved, .positions = deltas, .normals = deltas, .tangents = deltas},
        {.vertexCount = VERTICES, .normals = deltas},
        {.vertexCount = 0, .positions = deltas},
        {.vertexCount = 1, .vertices = moved, .positions = deltas},
    };
    const uint32_t heads = 4 * LAYOUT_MORPH_WORDS;
    for (uint32_t normals = 0; normals < 2; normals++) {
        input->def.normals = normals != 0 ? input->normals : NULL;
        input->def.morphTargetCount = 0;
        Packed plain = pack(input);
        input->def.morphTargets = targets;
        input->def.morphTargetCount = 4;
        Packed packed = pack(input);
        assert_int_equal(packed.info.morphTargetCount, 4);
        assert_int_equal(packed.plan.words - plain.plan.words,
                         heads + (4 + 6 + normals * 6) + (4 + normals * 3 * VERTICES) + 0 + (2 + 3));
        assert_int_equal(morphOf(&packed, 0).blocks, BASE + packed.plan.morphHeads + heads);
        assert_int_equal(morphOf(&packed, 0).firstBlock, 0);
        assert_int_equal(morphOf(&packed, 0).blockCount, 2);
        assert_int_equal(morphOf(&packed, 0).normals != 0, normals);
        assert_int_equal(morphOf(&packed, 0).tangents, 0);
        assert_int_equal(morphOf(&packed, 2).blockCount, 0);
        assert_int_equal(morphOf(&packed, 3).firstBlock, 1);
        assert_int_equal(morphOf(&packed, 3).blockCount, 1);
    }
}
