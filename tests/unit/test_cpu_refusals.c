/* Errors of the calls of vkskin_cpu.h: every documented error with its message, and no output. */
#include <math.h>

#include "cpu_scenes.h"
#include "host_doubles.h"
#include "test.h"

#define VERTICES 40u

/* ---- Making a mesh ---- */

static float *mutableFloats(const void *data) {
    return (float *)(uintptr_t)data;
}

/* A change that makes a good mesh def or command bad. */
#define SPOIL_MESH(name, change)                                                                                       \
    static void name(VkskinMeshDef *def) {                                                                             \
        change;                                                                                                        \
    }
static const char noCentresData[64];
SPOIL_MESH(noPositions, def->positions = NULL)
SPOIL_MESH(noCookie, def->cookie = 0)
SPOIL_MESH(fiveDimensions, def->dimensions = 5)
SPOIL_MESH(fewBones, def->boneCount = 1)
SPOIL_MESH(weightNan, mutableFloats(def->weights)[0] = NAN)
SPOIL_MESH(weightBelowZero, mutableFloats(def->weights)[0] = -1.0f)
SPOIL_MESH(weightsZero, memset(mutableFloats(def->weights), 0, SCENE_PLACES * sizeof(float)))
SPOIL_MESH(positionInfinite, mutableFloats(def->positions)[4] = INFINITY)
SPOIL_MESH(morphPastTheMesh, ((uint32_t *)(uintptr_t)def->morphTargets[0].vertices)[0] = VERTICES)
SPOIL_MESH(strangeCentres, (def->centres = noCentresData, def->centresSize = sizeof noCentresData))
SPOIL_MESH(tooManyVertices, def->vertexCount = UINT32_MAX)

TEST(badMeshesAreRefused) {
    static const struct {
        void (*spoil)(VkskinMeshDef *def);
        VkskinResult result;
        const char *message;
    } cases[] = {
        {noPositions, VKSKIN_ERROR_NULL_ARGUMENT, "mesh test: positions is null"},
        {noCookie, VKSKIN_ERROR_DEF_NOT_INITIALISED, "mesh: the def was not made by vkskinDefaultMeshDef"},
        {fiveDimensions, VKSKIN_ERROR_INVALID_VALUE, "mesh test: dimensions is 5, not in 2 to 3"},
        {fewBones, VKSKIN_ERROR_JOINT_OUT_OF_RANGE, NULL},
        {weightNan, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "mesh test: weight 0 of vertex 0 is nan"},
        {weightBelowZero, VKSKIN_ERROR_WEIGHT_NEGATIVE, "mesh test: weight 0 of vertex 0 is -1"},
        {weightsZero, VKSKIN_ERROR_WEIGHT_ZERO, "mesh test: all weights of vertex 0 are zero"},
        {positionInfinite, VKSKIN_ERROR_ATTRIBUTE_NOT_FINITE, "mesh test: the position of vertex 1 is not finite"},
        {morphPastTheMesh, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
         "mesh test: morph target 0 names vertex 40, which is past the mesh; the mesh has 40"},
        {strangeCentres, VKSKIN_ERROR_CENTRES_MISMATCH, NULL},
        {tooManyVertices, VKSKIN_ERROR_MESH_TOO_LARGE,
         "mesh test: 4294967295 vertices take 51539607540 bytes of source at least, the most is 17179869180"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        CpuScene scene;
        LogMemory log;
        AllocatorState allocations = {0};
        const VkskinHostAllocator allocator = countingAllocator(&allocations);
        VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
        VkskinCpuMesh mesh = (VkskinCpuMesh)(uintptr_t)8;
        makeCpuScene(&scene, VERTICES, SCENE_MIXED);
        cases[i].spoil(&scene.def);
        def.mesh = &scene.def;
        def.logger = rememberingLogger(&log);
        def.allocator = &allocator;
        assert_int_equal(vkskinCreateCpuMesh(&def, &mesh), cases[i].result);
        assert_null(mesh);
        assertLogged(&log, cases[i].result, cases[i].message != NULL ? cases[i].message : log.message);
        assert_int_equal(allocations.alive, 0);
        freeCpuScene(&scene);
    }
}

TEST(badDefsAreRefused) {
    CpuScene scene;
    LogMemory log;
    VkskinCpuMesh mesh;
    VkskinMeshInfo info;
    makeCpuScene(&scene, VERTICES, SCENE_MIXED);
    VkskinCpuMeshDef good = vkskinDefaultCpuMeshDef();
    good.logger = rememberingLogger(&log);
    good.mesh = &scene.def;
    assert_int_equal(vkskinCreateCpuMesh(NULL, &mesh), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_null(mesh);
    VkskinCpuMeshDef def = good;
    def.cookie = 0;
    assert_int_equal(vkskinCreateCpuMesh(&def, &mesh), VKSKIN_ERROR_DEF_NOT_INITIALISED);
    assert_int_equal(log.count, 0); /* its logger is not to be trusted */
    assert_int_equal(vkskinCreateCpuMesh(&good, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&log, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinCreateCpuMesh: mesh is null");
    def = good;
    def.mesh = NULL;
    assert_int_equal(vkskinCreateCpuMesh(&def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&log, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinCreateCpuMesh: def->mesh is null");
    AllocatorState allocations = {0};
    VkskinHostAllocator half = countingAllocator(&allocations);
    half.free = NULL;
    def = good;
    def.allocator = &half;
    assert_int_equal(vkskinCreateCpuMesh(&def, &mesh), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&log, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinCreateCpuMesh: a function of the allocator is null");
    assert_int_equal(vkskinGetCpuMeshInfo(NULL, &info), VKSKIN_ERROR_NULL_ARGUMENT);
    mesh = makeCpuMesh(&scene.def);
    assert_int_equal(vkskinGetCpuMeshInfo(mesh, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    vkskinDestroyCpuMesh(mesh);
    vkskinDestroyCpuMesh(NULL);
    freeCpuScene(&scene);
}

/* Changed weights are reported as warnings. */
TEST(changedWeightsAreReported) {
    CpuScene scene;
    LogMemory log;
    VkskinCpuMesh mesh;
    makeCpuScene(&scene, VERTICES, SCENE_MIXED);
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &scene.def;
    def.logger = rememberingLogger(&log);
    assert_int_equal(vkskinCreateCpuMesh(&def, &mesh), VKSKIN_WARNING_WEIGHTS_NORMALISED);
    assertLogged(&log, VKSKIN_WARNING_WEIGHTS_NORMALISED, log.message);
    vkskinDestroyCpuMesh(mesh);
    scene.def.maxInfluences = 2;
    assert_int_equal(vkskinCreateCpuMesh(&def, &mesh), VKSKIN_WARNING_INFLUENCES_TRIMMED);
    assert_int_equal(log.count, 2);
    vkskinDestroyCpuMesh(mesh);
    freeCpuScene(&scene);
}

/* ---- Skinning ---- */

typedef struct Try {
    VkskinCpuCommand command;
    VkskinCpuRun run;
} Try;

static const float nanWeights[2] = {0.5f, NAN};

#define SPOIL_COMMAND(name, change)                                                                                    \
    static void name(Try *it) {                                                                                        \
        VkskinCpuCommand *command = &it->command;                                                                      \
        change;                                                                                                        \
    }
SPOIL_COMMAND(noPalette, command->palette = NULL)
SPOIL_COMMAND(noOutput, command->positions = NULL)
SPOIL_COMMAND(noAttributes, command->attributes = NULL)
SPOIL_COMMAND(noMorphWeights, (command->morphWeightCount = 2, command->morphWeights = NULL))
SPOIL_COMMAND(unknownMethod, command->method = (VkskinMethod)9)
SPOIL_COMMAND(unknownLevel, ((void)command, it->run.level = VKSKIN_CPU_LEVEL_COUNT))
SPOIL_COMMAND(oddPalette, command->palette = (const char *)command->palette + 2)
SPOIL_COMMAND(oddPositions, command->positions = (float *)(void *)((char *)command->positions + 1))
SPOIL_COMMAND(oddAttributes, command->attributes = (char *)command->attributes + 3)
SPOIL_COMMAND(otherEncoding, command->encoding = VKSKIN_PALETTE_DUAL_QUATERNION)
SPOIL_COMMAND(flatEncoding, command->encoding = VKSKIN_PALETTE_MAT2X3)
SPOIL_COMMAND(noCentres, (command->method = VKSKIN_METHOD_CENTRES_OF_ROTATION,
                          command->encoding = VKSKIN_PALETTE_SCALED_DUAL_QUATERNION))
SPOIL_COMMAND(smallPalette, command->boneCount = SCENE_BONES - 1)
SPOIL_COMMAND(manyMorphWeights, command->morphWeightCount = 3)
SPOIL_COMMAND(morphWeightNan, (command->morphWeights = nanWeights, command->morphWeightCount = 2))

TEST(badCommandsAreRefused) {
    static const struct {
        void (*spoil)(Try *it);
        VkskinResult result;
        const char *message;
    } cases[] = {
        {noPalette, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: command 1: palette is null"},
        {noOutput, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: command 1: positions is null"},
        {noAttributes, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: command 1: attributes is null"},
        {noMorphWeights, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: command 1: morphWeights is null"},
        {unknownMethod, VKSKIN_ERROR_INVALID_VALUE,
         "vkskinSkinOnCpu: command 1: method 9 is unknown; was the command set to zero first?"},
        {unknownLevel, VKSKIN_ERROR_INVALID_VALUE, "vkskinSkinOnCpu: level 4 is unknown or not of this machine"},
        {oddPalette, VKSKIN_ERROR_INVALID_VALUE, "vkskinSkinOnCpu: command 1: palette is not 4-byte aligned"},
        {oddPositions, VKSKIN_ERROR_INVALID_VALUE, "vkskinSkinOnCpu: command 1: positions is not 4-byte aligned"},
        {oddAttributes, VKSKIN_ERROR_INVALID_VALUE, "vkskinSkinOnCpu: command 1: attributes is not 4-byte aligned"},
        {otherEncoding, VKSKIN_ERROR_PALETTE_ENCODING,
         "vkskinSkinOnCpu: command 1: linear blend of a mesh of 3 dimensions does not read DUAL_QUATERNION"},
        {flatEncoding, VKSKIN_ERROR_PALETTE_ENCODING,
         "vkskinSkinOnCpu: command 1: linear blend of a mesh of 3 dimensions does not read MAT2X3"},
        {noCentres, VKSKIN_ERROR_METHOD_DATA_MISSING,
         "vkskinSkinOnCpu: command 1: centres of rotation needs centres, the mesh was made without"},
        {smallPalette, VKSKIN_ERROR_PALETTE_TOO_SMALL, "vkskinSkinOnCpu: command 1: a palette of 23 bones for 24"},
        {manyMorphWeights, VKSKIN_ERROR_MORPH_OUT_OF_RANGE,
         "vkskinSkinOnCpu: command 1: 3 morph weights, the mesh has 2 targets"},
        {morphWeightNan, VKSKIN_ERROR_WEIGHT_NOT_FINITE, "vkskinSkinOnCpu: command 1: morph weight 1 is nan"},
    };
    CpuScene scene;
    LogMemory log;
    VkskinCpuMesh mesh;
    static const float weights[3];
    static float positions[2][3 * VERTICES];
    static uint32_t attributes[2][2 * VERTICES];
    makeCpuScene(&scene, VERTICES, SCENE_MIXED);
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &scene.def;
    def.logger = rememberingLogger(&log);
    assert_true(vkskinCreateCpuMesh(&def, &mesh) >= 0);
    void *palette = newCpuPalette(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, 0); /* the largest */
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        VkskinCpuCommand good = {.palette = palette,
                                 .boneCount = SCENE_BONES,
                                 .morphWeights = weights,
                                 .positions = positions[0],
                                 .attributes = attributes[0]};
        Try it = {.command = good};
        it.command.positions = positions[1];
        it.command.attributes = attributes[1];
        cases[i].spoil(&it);
        VkskinCpuCommand commands[2] = {good, it.command};
        log.count = 0;
        assert_int_equal(vkskinSkinOnCpu(mesh, commands, 2, &it.run), cases[i].result);
        assertLogged(&log, cases[i].result, cases[i].message);
        for (uint32_t f = 0; f < 3 * VERTICES; f++) {
            assert_true(positions[0][f] == 0.0f);
        }
    }
    assert_int_equal(vkskinSkinOnCpu(NULL, NULL, 0, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assert_int_equal(vkskinSkinOnCpu(mesh, NULL, 0, NULL), VKSKIN_SUCCESS);
    assert_int_equal(vkskinSkinOnCpu(mesh, NULL, 1, NULL), VKSKIN_ERROR_NULL_ARGUMENT);
    assertLogged(&log, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinSkinOnCpu: commands is null");
    free(palette);
    vkskinDestroyCpuMesh(mesh);
    freeCpuScene(&scene);
}

/* A painted blend needs blend weights. */
TEST(missingBlendWeightsAreReported) {
    CpuScene scene;
    static float positions[3 * VERTICES];
    static uint32_t attributes[2 * VERTICES];
    makeCpuScene(&scene, VERTICES, SCENE_MIXED);
    scene.def.blendWeights = NULL;
    VkskinCpuMesh mesh = makeCpuMesh(&scene.def);
    void *palette = newCpuPalette(VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, 0);
    VkskinCpuCommand command = {.palette = palette,
                                .encoding = VKSKIN_PALETTE_SCALED_DUAL_QUATERNION,
                                .boneCount = SCENE_BONES,
                                .method = VKSKIN_METHOD_PAINTED_BLEND,
                                .positions = positions,
                                .attributes = attributes};
    assert_int_equal(vkskinSkinOnCpu(mesh, &command, 1, NULL), VKSKIN_ERROR_METHOD_DATA_MISSING);
    free(palette);
    vkskinDestroyCpuMesh(mesh);
    freeCpuScene(&scene);
}

/* Every allocation fails once: the error is logged and all memory is freed. */
TEST(allocationFailures) {
    enum { MANY = 40 };
    CpuScene scene;
    LogMemory log;
    VkskinCpuMesh mesh = NULL;
    AllocatorState allocations = {0};
    const VkskinHostAllocator allocator = countingAllocator(&allocations);
    makeCpuScene(&scene, VERTICES, SCENE_MIXED);
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &scene.def;
    def.logger = rememberingLogger(&log);
    def.allocator = &allocator;
    uint32_t failAt = 0;
    VkskinResult result;
    do {
        failAt++;
        allocations = (AllocatorState){.failAt = failAt};
        log.count = 0;
        result = vkskinCreateCpuMesh(&def, &mesh);
        if (result < 0) {
            assert_int_equal(result, VKSKIN_ERROR_OUT_OF_HOST_MEMORY);
            assert_int_equal(log.count, 1);
            assert_null(mesh);
            assert_int_equal(allocations.alive, 0);
        }
    } while (result < 0);
    assert_in_range(failAt, 15, 40); /* number of allocations, plus one */
    static float positions[MANY][3 * VERTICES];
    static uint32_t attributes[MANY][2 * VERTICES];
    VkskinCpuCommand commands[MANY];
    void *palette = newCpuPalette(VKSKIN_PALETTE_MAT3X4, 0);
    for (uint32_t i = 0; i < MANY; i++) {
        commands[i] = (VkskinCpuCommand){
            .palette = palette, .boneCount = SCENE_BONES, .positions = positions[i], .attributes = attributes[i]};
    }
    uint32_t alive = allocations.alive;
    for (uint32_t i = 1; i <= 2; i++) {
        allocations = (AllocatorState){.failAt = i, .alive = alive};
        log.count = 0;
        assert_int_equal(vkskinSkinOnCpu(mesh, commands, MANY, NULL), VKSKIN_ERROR_OUT_OF_HOST_MEMORY);
        assertLogged(&log, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "vkskinSkinOnCpu: no memory for 40 commands");
        assert_int_equal(allocations.alive, alive);
    }
    allocations = (AllocatorState){.failAt = 1, .alive = alive};
    assert_int_equal(vkskinSkinOnCpu(mesh, commands, 32, NULL), VKSKIN_SUCCESS); /* small calls allocate nothing */
    assert_int_equal(allocations.made, 0);
    free(palette);
    vkskinDestroyCpuMesh(mesh);
    assert_int_equal(allocations.alive, 0);
    freeCpuScene(&scene);
}
