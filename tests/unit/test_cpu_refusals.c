/* Errors of the calls of vkskin_cpu.h: every documented error with its message, and no output. */
#include "cpu_scenes.h"

#define VERTICES 40u

/* ---- Making a mesh ---- */

static VkskinCpuMeshDef goodDef(const CpuScene *scene, LogMemory *log) {
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &scene->def;
    def.logger = rememberingLogger(log);
    return def;
}

/* Accepts any message if `message` is null. */
static void refuseMesh(const CpuScene *scene, VkskinResult result, const char *message) {
    LogMemory log;
    AllocatorState allocations = {0};
    const VkskinHostAllocator allocator = countingAllocator(&allocations);
    VkskinCpuMeshDef def = goodDef(scene, &log);
    VkskinCpuMesh mesh = (VkskinCpuMesh)(uintptr_t)8;
    def.allocator = &allocator;
    RETURNS(result, vkskinCreateCpuMesh(&def, &mesh));
    assert_null(mesh);
    assertLogged(&log, result, message != NULL ? message : log.message);
    assert_int_equal(allocations.alive, 0);
}

/* The checks are those of vkskinCreateMesh: gpu/test_bad_meshes.c has a row for each. */
OWNING_TEST(badMeshesAreRefused) {
    static const char noCentres[64];
/* A good mesh after `change`, which names its scene `s`. */
#define REFUSE(change, result, message)                                                                                \
    do {                                                                                                               \
        CpuScene *s = makeCpuScene(VERTICES, SCENE_MIXED);                                                             \
        change;                                                                                                        \
        refuseMesh(s, result, message);                                                                                \
    } while (0)
    REFUSE(s->def.positions = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: positions is null");
    REFUSE(s->def.cookie = 0, VKSKIN_ERROR_DEF_NOT_INITIALISED, "mesh: the def was not made by vkskinDefaultMeshDef");
    REFUSE(s->mesh.weights[0] = NAN, VKSKIN_ERROR_WEIGHT_NOT_FINITE,
           "mesh test: weight 0 of vertex 0 is nan (weights are read as 7 floats per vertex, weightStride 0)");
    REFUSE(s->moved[0] = VERTICES, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
           "mesh test: morph target 0 names vertex 40, which is past the mesh; the mesh has 40");
    REFUSE(s->def.centres = noCentres; s->def.centresSize = sizeof noCentres, VKSKIN_ERROR_CENTRES_MISMATCH, NULL);
    REFUSE(s->def.vertexCount = UINT32_MAX, VKSKIN_ERROR_MESH_TOO_LARGE,
           "mesh test: 4294967295 vertices take 51539607540 bytes of source at least, the most is 17179869180");
#undef REFUSE
}

OWNING_TEST(badDefsAreRefused) {
    LogMemory log;
    VkskinCpuMesh mesh;
    VkskinMeshInfo info;
    const CpuScene *scene = makeCpuScene(VERTICES, SCENE_MIXED);
    const VkskinCpuMeshDef good = goodDef(scene, &log);
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinCreateCpuMesh(NULL, &mesh));
    assert_null(mesh);
    VkskinCpuMeshDef def = good;
    def.cookie = 0;
    RETURNS(VKSKIN_ERROR_DEF_NOT_INITIALISED, vkskinCreateCpuMesh(&def, &mesh));
    assert_int_equal(log.count, 0); /* the logger of an uninitialised def is not used */
    assertRefused(&log, vkskinCreateCpuMesh(&good, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "vkskinCreateCpuMesh: mesh is null");
    def = good;
    def.mesh = NULL;
    assertRefused(&log, vkskinCreateCpuMesh(&def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT,
                  "vkskinCreateCpuMesh: def->mesh is null");
    AllocatorState allocations = {0};
    VkskinHostAllocator half = countingAllocator(&allocations);
    half.free = NULL;
    def = good;
    def.allocator = &half;
    assertRefused(&log, vkskinCreateCpuMesh(&def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT,
                  "vkskinCreateCpuMesh: a function of the allocator is null");
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetCpuMeshInfo(NULL, &info));
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetCpuMeshInfo(cpuMeshOf(scene), NULL));
    vkskinDestroyCpuMesh(NULL);
}

/* Pass-through attributes in the second of two streams: only that one is needed. */
OWNING_TEST(badPassThroughStreamsAreRefused) {
    static const uint32_t colours[VERTICES] = {7, 8};
    static uint32_t target[VERTICES * 4];
    const VkskinOutputLayout layout = {.streamCount = 2,
                                       .strides = {12, 16},
                                       .normal = {1, 0},
                                       .tangent = {1, 8},
                                       .passThroughCount = 1,
                                       .passThrough = {{{1, 4}, 4, 0}}};
    LogMemory log;
    VkskinCpuMesh made;
    CpuScene *scene = makeCpuScene(VERTICES, SCENE_MIXED);
    scene->def.layout = &layout;
    scene->def.passThrough = &(VkskinPassThroughData){colours, 0};
    const VkskinCpuMeshDef def = goodDef(scene, &log);
    assert_true(vkskinCreateCpuMesh(&def, &made) >= 0);
    log.count = 0; /* not counting the warning */
    assertRefused(&log, vkskinWritePassThrough(made, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "vkskinWritePassThrough: streams[1] is null");
    assertRefused(&log, vkskinWritePassThrough(made, (void *[2]){target, NULL}), VKSKIN_ERROR_NULL_ARGUMENT,
                  "vkskinWritePassThrough: streams[1] is null");
    assertRefused(&log, vkskinWritePassThrough(made, (void *[2]){NULL, (char *)target + 2}), VKSKIN_ERROR_INVALID_VALUE,
                  "vkskinWritePassThrough: streams[1] is not 4-byte aligned");
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinWritePassThrough(NULL, (void *[2]){NULL, target}));
    assert_int_equal(target[1], 0);
    OK(vkskinWritePassThrough(made, (void *[2]){NULL, target}));
    assert_int_equal(target[1], 7);
    assert_int_equal(target[5], 8);
    vkskinDestroyCpuMesh(made);
    scene->def.layout = NULL;
    log.count = 0;
    assertRefused(&log, vkskinCreateCpuMesh(&def, &made), VKSKIN_ERROR_INVALID_VALUE,
                  "mesh test: passThrough is set, layout is null");
    scene->def.passThrough = NULL;
    assert_true(vkskinCreateCpuMesh(&def, &made) >= 0);
    OK(vkskinWritePassThrough(made, NULL)); /* it has none */
    vkskinDestroyCpuMesh(made);
}

/* Changed weights are reported as warnings. */
OWNING_TEST(changedWeightsAreReported) {
    LogMemory log;
    VkskinCpuMesh mesh;
    CpuScene *scene = makeCpuScene(VERTICES, SCENE_MIXED);
    const VkskinCpuMeshDef def = goodDef(scene, &log);
    assertRefused(&log, vkskinCreateCpuMesh(&def, &mesh), VKSKIN_WARNING_WEIGHTS_NORMALISED, log.message);
    vkskinDestroyCpuMesh(mesh);
    scene->def.maxInfluences = 2;
    RETURNS(VKSKIN_WARNING_INFLUENCES_TRIMMED, vkskinCreateCpuMesh(&def, &mesh));
    assert_int_equal(log.count, 2);
    vkskinDestroyCpuMesh(mesh);
}

/* ---- Skinning ---- */

static VkskinCpuMesh mesh;
static LogMemory logMemory;
static float positions[2][3 * VERTICES];
static uint32_t attributes[2][2 * VERTICES];

/* Refuses two commands, the first of them good. Nothing is written. */
static void refuseCommands(const VkskinCpuCommand *commands, VkskinCpuLevel level, VkskinResult result,
                           const char *message) {
    const VkskinCpuRun run = {.level = level};
    logMemory.count = 0;
    assertRefused(&logMemory, vkskinSkinOnCpu(mesh, commands, 2, &run), result, message);
    for (uint32_t i = 0; i < 3 * VERTICES; i++) {
        assert_true(positions[0][i] == 0.0f);
    }
}

OWNING_TEST(badCommandsAreRefused) {
    static const float weights[3], nanWeights[2] = {0.5f, NAN};
    const VkskinCpuMeshDef def = goodDef(makeCpuScene(VERTICES, SCENE_MIXED), &logMemory);
    const void *palette = newCpuPalette(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, 0); /* the largest */
    assert_true(vkskinCreateCpuMesh(&def, &mesh) >= 0);
    VkskinCpuCommand good[2];
    for (int i = 0; i < 2; i++) {
        good[i] = (VkskinCpuCommand){.palette = palette,
                                     .boneCount = SCENE_BONES,
                                     .morphWeights = weights,
                                     .streams = {positions[i], attributes[i]}};
    }
/* The second command after `change`, which names it `c`. */
#define REFUSE(change, result, message)                                                                                \
    do {                                                                                                               \
        VkskinCpuCommand commands[2] = {good[0], good[1]}, *c = &commands[1];                                          \
        VkskinCpuLevel level = VKSKIN_CPU_AUTO;                                                                        \
        change;                                                                                                        \
        refuseCommands(commands, level, result, "vkskinSkinOnCpu: " message);                                          \
    } while (0)
    REFUSE(c->palette = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "command 1: palette is null");
    REFUSE(c->streams[0] = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "command 1: streams[0] is null");
    REFUSE(c->streams[1] = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "command 1: streams[1] is null");
    REFUSE(c->morphWeightCount = 2;
           c->morphWeights = NULL, VKSKIN_ERROR_NULL_ARGUMENT, "command 1: morphWeights is null");
    REFUSE(c->method = (VkskinMethod)9, VKSKIN_ERROR_INVALID_VALUE,
           "command 1: method 9 is unknown; was the command set to zero first?");
    REFUSE((void)c;
           level = VKSKIN_CPU_LEVEL_COUNT, VKSKIN_ERROR_INVALID_VALUE, "level 4 is unknown or not of this machine");
    REFUSE(c->palette = (const char *)palette + 2, VKSKIN_ERROR_INVALID_VALUE,
           "command 1: palette is not 4-byte aligned");
    REFUSE(c->streams[0] = (char *)positions[1] + 1, VKSKIN_ERROR_INVALID_VALUE,
           "command 1: streams[0] is not 4-byte aligned");
    REFUSE(c->streams[1] = (char *)attributes[1] + 3, VKSKIN_ERROR_INVALID_VALUE,
           "command 1: streams[1] is not 4-byte aligned");
    REFUSE(c->encoding = VKSKIN_PALETTE_DUAL_QUATERNION, VKSKIN_ERROR_PALETTE_ENCODING,
           "command 1: linear blend of a mesh of 3 dimensions does not read DUAL_QUATERNION");
    REFUSE(c->encoding = VKSKIN_PALETTE_MAT2X3, VKSKIN_ERROR_PALETTE_ENCODING,
           "command 1: linear blend of a mesh of 3 dimensions does not read MAT2X3");
    REFUSE(c->method = VKSKIN_METHOD_CENTRES_OF_ROTATION;
           c->encoding = VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, VKSKIN_ERROR_METHOD_DATA_MISSING,
           "command 1: centres of rotation needs centres, the mesh was made without");
    REFUSE(c->boneCount = SCENE_BONES - 1, VKSKIN_ERROR_PALETTE_TOO_SMALL, "command 1: a palette of 23 bones for 24");
    REFUSE(c->morphWeightCount = 3, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
           "command 1: 3 morph weights, the mesh has 2 targets");
    REFUSE(c->morphWeights = nanWeights;
           c->morphWeightCount = 2, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "command 1: morph weight 1 is nan");
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinSkinOnCpu(NULL, NULL, 0, NULL));
    OK(vkskinSkinOnCpu(mesh, NULL, 0, NULL));
    assertRefused(&logMemory, vkskinSkinOnCpu(mesh, NULL, 1, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "vkskinSkinOnCpu: commands is null");
    vkskinDestroyCpuMesh(mesh);
}

/* A painted blend needs blend weights. */
OWNING_TEST(missingBlendWeightsAreReported) {
    CpuScene *scene = makeCpuScene(VERTICES, SCENE_MIXED);
    scene->def.blendWeights = NULL;
    mesh = cpuMeshOf(scene);
    const VkskinCpuCommand command = {.palette = newCpuPalette(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, 0),
                                      .encoding = VKSKIN_PALETTE_SCALED_DUAL_QUATERNION,
                                      .boneCount = SCENE_BONES,
                                      .method = VKSKIN_METHOD_PAINTED_BLEND,
                                      .streams = {positions[0], attributes[0]}};
    RETURNS(VKSKIN_ERROR_METHOD_DATA_MISSING, vkskinSkinOnCpu(mesh, &command, 1, NULL));
}

/* Every allocation fails once: the error is logged and all memory is freed. */
OWNING_TEST(allocationFailures) {
    enum { MANY = 40 };
    LogMemory log;
    AllocatorState allocations = {.failAt = 1};
    const VkskinHostAllocator allocator = countingAllocator(&allocations);
    VkskinCpuMeshDef def = goodDef(makeCpuScene(VERTICES, SCENE_MIXED), &log);
    def.allocator = &allocator;
    while (memoryRanOut(&allocations, &log, vkskinCreateCpuMesh(&def, &mesh), log.message)) {
        assert_null(mesh);
    }
    assert_in_range(allocations.failAt, 15, 40); /* number of allocations, plus one */
    float(*output)[3 * VERTICES] = ownZeros(MANY, sizeof *output);
    uint32_t(*vectors)[2 * VERTICES] = ownZeros(MANY, sizeof *vectors);
    const void *palette = newCpuPalette(VKSKIN_PALETTE_MAT3X4, 0);
    VkskinCpuCommand commands[MANY];
    for (uint32_t i = 0; i < MANY; i++) {
        commands[i] =
            (VkskinCpuCommand){.palette = palette, .boneCount = SCENE_BONES, .streams = {output[i], vectors[i]}};
    }
    const uint32_t alive = allocations.alive;
    for (uint32_t i = 1; i <= 2; i++) {
        allocations = (AllocatorState){.failAt = i, .alive = alive};
        log.count = 0;
        assertRefused(&log, vkskinSkinOnCpu(mesh, commands, MANY, NULL), VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                      "vkskinSkinOnCpu: no memory for 40 commands");
        assert_int_equal(allocations.alive, alive);
    }
    allocations = (AllocatorState){.failAt = 1, .alive = alive};
    OK(vkskinSkinOnCpu(mesh, commands, 32, NULL)); /* small calls allocate nothing */
    assert_int_equal(allocations.made, 0);
    vkskinDestroyCpuMesh(mesh);
    assert_int_equal(allocations.alive, 0);
}
