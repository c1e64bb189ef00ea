/*
 * Streaming stores: large output of skinning and of pose batches is written past the caches, each byte once, with a fence
 * after it; small output is not.
 * The target compiles the sources that write again, with stream_counters.h.
 */
#include "cpu_scenes.h"
#include "cpu_skin.h"
#include "methods.h"
#include "pose_batch_scenes.h"

#define VERTICES 320u             /* whole blocks of each influence count */
#define OUTPUT   (VERTICES * 40u) /* bytes: positions, normals and tangents as floats */

uint32_t streamedBytes, unfencedBytes;

/* outputBytes: that the mesh claims to have, so that a few vertices are treated as many. */
static void skin(VkskinCpuLevel level, SceneOrder order, uint64_t outputBytes) {
    static _Alignas(64) unsigned char output[OUTPUT];
    const Host host = {.allocator = NULL};
    CpuMesh *mesh;
    CpuScene *scene = makeCpuScene(VERTICES, order);
    scene->def.format = VKSKIN_VERTEX_FLOAT;
    OK(sknMakeCpuMesh(&host, &scene->def, 16, &mesh));
    mesh->info.outputBytes = outputBytes;
    CpuCommand command = {.palette = newCpuPalette(VKSKIN_PALETTE_MAT3X4, 1),
                          .pair = sknFindMethodPair(VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4),
                          .streams = {output, output + 12 * VERTICES}};
    CpuJob job = {.mesh = mesh, .commands = &command, .count = 1};
    const VkskinCpuRun run = {.level = level};
    streamedBytes = unfencedBytes = 0;
    sknSkinJobs(&job, 1, &run);
    sknFreeCpuMesh(mesh);
}

static void checkLevel(VkskinCpuLevel level) {
    for (SceneOrder order = SCENE_SORTED; order <= SCENE_MIXED; order++) {
        skin(level, order, 5u << 20);
        assert_int_equal(streamedBytes, OUTPUT);
        assert_int_equal(unfencedBytes, 0);
        skin(level, order, 3u << 20);
        assert_int_equal(streamedBytes, 0);
    }
}

OWNING_TEST(portable) {
    checkLevel(VKSKIN_CPU_PORTABLE);
}

OWNING_TEST(avx2) {
    if (vkskinGetCpuLevel() >= VKSKIN_CPU_AVX2) { /* else unit.level.avx2 states that it was not run */
        checkLevel(VKSKIN_CPU_AVX2);
    }
}

/* ---- Pose batches ---- */

#define CHARACTERS 1000u
#define BONES      48u /* whole lines */

static void pose(uint32_t count) {
    static VkskinPoseBatchCharacter characters[CHARACTERS];
    static const SceneShape shape = {.name = "a body", .nodeCount = BONES, .boneCount = BONES, .tree = SCENE_BUSH};
    const size_t size = BONES * sizeof(VkskinAffine);
    const BatchScene scene = batchScene(&shape);
    const VkskinPoseBatchDef def = batchSceneDef(&scene, CHARACTERS);
    const VkskinCpuRun run = {.level = VKSKIN_CPU_AVX2};
    unsigned char *palettes = ownLines(size * CHARACTERS);
    VkskinPoseBatch batch;
    OK(vkskinCreatePoseBatch(&def, &batch));
    batchSceneCast(characters, CHARACTERS);
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        characters[i].palette = palettes + i * size;
    }
    streamedBytes = unfencedBytes = 0;
    OK(vkskinPoseBatch(batch, characters, count, VKSKIN_PALETTE_MAT3X4, BONES, &run));
    vkskinDestroyPoseBatch(batch);
}

OWNING_TEST(poses) {
    if (vkskinGetCpuLevel() >= VKSKIN_CPU_AVX2) {
        pose(CHARACTERS);
        assert_int_equal(streamedBytes, CHARACTERS * BONES * sizeof(VkskinAffine));
        assert_int_equal(unfencedBytes, 0);
        pose(CHARACTERS / 2);
        assert_int_equal(streamedBytes, 0);
    }
}
