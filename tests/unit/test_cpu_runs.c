/*
 * CPU skinning agrees with the reference at every size of a mesh. And it gives the same bits however the work is run: on
 * any number of threads, in any order, one command or many per call, with streaming stores or without, into memory of any
 * alignment.
 */

#include "cpu_scenes.h"
#include "vertex_error.h"

#define VERTICES  5003u /* several spans; the last is shorter */
#define INSTANCES 37u   /* several groups per task; so many that the call allocates host memory */

/* The input and output of one call: instances with all methods, some with morph weights. */
typedef struct Call {
    VkskinCpuMesh mesh;
    VkskinMeshInfo info;
    VkskinCpuCommand commands[INSTANCES];
    float weights[INSTANCES][2];
    uint32_t *output; /* [INSTANCES][positions, attributes], offset by `shift` words */
    uint32_t wordsPerInstance, shift;
} Call;

/* shift: offset of the output from a cache line, in words. */
static void makeCall(Call *call, VkskinCpuMesh mesh, uint32_t shift) {
    static const struct {
        VkskinMethod method;
        VkskinPaletteEncoding encoding;
    } ways[] = {
        {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4},
        {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4},
        {VKSKIN_METHOD_DUAL_QUATERNION, VKSKIN_PALETTE_DUAL_QUATERNION},
        {VKSKIN_METHOD_PAINTED_BLEND, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION},
    };
    *call = (Call){.mesh = mesh, .shift = shift};
    OK(vkskinGetCpuMeshInfo(mesh, &call->info));
    const uint32_t positionWords = call->info.vertexCount * call->info.dimensions;
    const uint32_t attributeWords = call->info.format == VKSKIN_VERTEX_FLOAT ? 7 : 2; /* with tangents */
    call->wordsPerInstance = positionWords + attributeWords * call->info.vertexCount;
    size_t words = (size_t)INSTANCES * call->wordsPerInstance + shift;
    call->output = ownLines(4 * words);
    memset(call->output, 0xa5, 4 * words);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        uint32_t *at = call->output + shift + (size_t)i * call->wordsPerInstance;
        call->weights[i][i % 2] = i % 5 == 0 ? 0.7f : 0.0f;
        call->commands[i] = (VkskinCpuCommand){
            .palette = newCpuPalette(ways[i / 3 % 4].encoding, i),
            .encoding = ways[i / 3 % 4].encoding,
            .boneCount = SCENE_BONES,
            .method = ways[i / 3 % 4].method,
            .morphWeights = call->weights[i],
            .morphWeightCount = 2,
            .streams = {at, at + positionWords},
        };
    }
}

static void assertSame(const Call *a, const Call *b) {
    assert_memory_equal(a->output + a->shift, b->output + b->shift, 4 * (size_t)INSTANCES * a->wordsPerInstance);
}

static void runAll(const Call *call, const VkskinCpuRun *run) {
    OK(vkskinSkinOnCpu(call->mesh, call->commands, INSTANCES, run));
}

static void compareCrews(const Call *alone, VkskinCpuLevel level) {
    static const uint32_t threads[] = {1, 2, 4, 7};
    for (uint32_t i = 0; i < 4; i++) {
        Crew crew = {.threads = threads[i], .seed = i};
        VkskinCpuRun run = {.level = level, .parallel = lendCrew, .parallelUser = &crew};
        Call call;
        makeCall(&call, alone->mesh, 0);
        runAll(&call, &run);
        assert_int_equal(crew.calls, 1);
        assert_in_range(crew.tasks, 9, 64); /* at least 3 spans, 3 groups */
        assertSame(alone, &call);
    }
}

/* One command per call is too small for streaming stores. With a shift of 4 bytes, no store is aligned. */
static void compareSingles(const Call *alone, VkskinCpuLevel level) {
    VkskinCpuRun run = {.level = level};
    Call call;
    makeCall(&call, alone->mesh, 1);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        OK(vkskinSkinOnCpu(call.mesh, &call.commands[i], 1, &run));
    }
    assertSame(alone, &call);
}

static void compareShifts(const Call *alone, VkskinCpuLevel level) {
    VkskinCpuRun run = {.level = level};
    for (uint32_t shift = 1; shift < 16; shift += 7) {
        Call call;
        makeCall(&call, alone->mesh, shift);
        runAll(&call, &run);
        assertSame(alone, &call);
    }
}

static void compareAll(SceneOrder order, VkskinVertexFormat format) {
    CpuScene *scene = makeCpuScene(VERTICES, order);
    scene->def.format = format;
    VkskinCpuMesh mesh = cpuMeshOf(scene);
    const size_t kept = countOwned();
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); level++) {
        VkskinCpuRun run = {.level = level};
        Call alone;
        makeCall(&alone, mesh, 0);
        runAll(&alone, &run);
        compareCrews(&alone, level);
        compareSingles(&alone, level);
        compareShifts(&alone, level);
        destroyOwned(kept);
    }
}

OWNING_TEST(sortedMeshes) {
    compareAll(SCENE_SORTED, VKSKIN_VERTEX_FLOAT);
}

OWNING_TEST(mixedMeshes) {
    compareAll(SCENE_MIXED, VKSKIN_VERTEX_FLOAT);
    compareAll(SCENE_PATCHES, VKSKIN_VERTEX_PACKED);
    compareAll(SCENE_MIXED, VKSKIN_VERTEX_SNORM10);
}

/* VKSKIN_CPU_AUTO selects the best level. */
OWNING_TEST(levelsByDefault) {
    VkskinCpuMesh mesh = cpuMeshOf(makeCpuScene(100, SCENE_MIXED));
    Call asked, automatic;
    makeCall(&asked, mesh, 0);
    makeCall(&automatic, mesh, 0);
    VkskinCpuRun run = {.level = vkskinGetCpuLevel()};
    assert_in_range(run.level, VKSKIN_CPU_PORTABLE, VKSKIN_CPU_LEVEL_COUNT - 1);
    runAll(&asked, &run);
    runAll(&automatic, NULL);
    assertSame(&asked, &automatic);
}

/* Sizes around those of blocks, tiles and spans. No morph weights. */
static void compareWithReference(uint32_t vertexCount, SceneOrder order) {
    CpuScene *scene = makeCpuScene(vertexCount, order);
    const VkskinAffine *palette = newCpuPalette(VKSKIN_PALETTE_MAT3X4, 1);
    ReferenceMatrix bones[SCENE_BONES];
    for (uint32_t b = 0; b < SCENE_BONES; b++) {
        bones[b] = referenceFromAffine(&palette[b]);
    }
    ReferenceVertex *expected = own(newReferenceVertices(&scene->mesh, bones, &(ReferenceDef){.method = 0}), free);
    const double diagonal = referenceDiagonal(expected, vertexCount);
    const VkskinOutput layout = {
        .positionStride = 12, .attributeOffset = 12 * (VkDeviceSize)vertexCount, .attributeStride = 8};
    char *output = ownZeros(vertexCount, 12 + 8);
    const VkskinCpuCommand command = {
        .palette = palette, .boneCount = SCENE_BONES, .streams = {output, output + layout.attributeOffset}};
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    VkskinCpuMesh mesh;
    VkskinMeshInfo info;
    def.mesh = &scene->def;
    assert_true(vkskinCreateCpuMesh(&def, &mesh) >= 0);
    OK(vkskinGetCpuMeshInfo(mesh, &info));
    OK(vkskinSkinOnCpu(mesh, &command, 1, NULL));
    vkskinDestroyCpuMesh(mesh);
    for (uint32_t v = 0; v < vertexCount; v++) {
        const ReadVertex vertex = readVertex(output, 0, &layout, &info, v);
        const VertexError error = vertexError(&expected[v], &vertex, diagonal, &info);
        assert_true(error.leftOut || vertexErrorIsGood(&error, info.format));
    }
    destroyOwned(0);
}

OWNING_TEST(everySizeAgreesWithTheReference) {
    static const uint32_t counts[] = {2, 15, 16, 17, 255, 256, 257, 2047, 2048, 2049, 5003};
    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        compareWithReference(counts[i], SCENE_SORTED);
        compareWithReference(counts[i], SCENE_MIXED);
        compareWithReference(counts[i], SCENE_PATCHES);
    }
}
