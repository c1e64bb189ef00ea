/*
 * The job table on the CPU: its rows are walked as the kernels walk them, and every vertex of every command must be
 * met exactly once. No device: the slot's buffer is plain memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "job_table.h"

enum { MOST = 4096, GROUP = 64, PER_THREAD = 16 };

typedef struct Fixture {
    Gpu gpu;
    JobTable table;
    HandleTable meshes;
    uint32_t words[MOST * TABLE_WORDS_PER_INSTANCE];
} Fixture;

/* Tables of one slot, without buffers: memory of the test's own takes the buffer's place. */
static Fixture *makeFixture(void) {
    Fixture *fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    Descriptors none = {0};
    assert_int_equal(sknInitJobs(&fixture->gpu, &none, &fixture->table, 0, MOST), VKSKIN_SUCCESS);
    fixture->table.buffers[0].memory.mapped = fixture->words;
    sknInitHandles(&fixture->meshes, "mesh", sizeof(Mesh), 1);
    return fixture;
}

static void freeFixture(Fixture *fixture) {
    sknDestroyHandles(&fixture->meshes, NULL);
    sknDestroyJobs(&fixture->gpu, &fixture->table);
    free(fixture);
}

static uint32_t addMesh(Fixture *fixture, uint32_t vertexCount) {
    uint32_t index = sknHandleTake(&fixture->meshes, NULL);
    Mesh *mesh = sknHandleItem(&fixture->meshes, index);
    mesh->layout = (MeshLayout){.positions = 1000 * index, .vertexCount = vertexCount};
    return index;
}

/* Targets name the command: palette is its number, vertices its mesh. */
static void addCommand(Fixture *fixture, uint32_t mesh, uint32_t kernel, uint32_t outputPage) {
    JobKey key = {.kernel = kernel, .outputPage = outputPage, .mesh = mesh};
    sknAddCommand(&fixture->table, &key, (LayoutInstance){fixture->table.commandCount, mesh}, 0);
}

/* Threads of a row, as the kernels count them: vertices first, then chunks of instances. */
static void walkRow(const Fixture *fixture, const Dispatch *dispatch, const LayoutJob *job, uint32_t groups,
                    uint64_t *met) {
    const LayoutInstance *instances = (const void *)(fixture->words + dispatch->push.instances);
    uint64_t chunks = (job->instanceCount + PER_THREAD - 1) / PER_THREAD;
    assert_true(chunks * job->vertexCount <= (uint64_t)groups * GROUP);
    assert_true(chunks * job->vertexCount <= UINT32_MAX);
    for (uint32_t i = 0; i < job->instanceCount; i++) {
        const LayoutInstance *instance = &instances[job->firstInstance + i];
        assert_int_equal(job->positions, 1000 * instance->vertices);
        met[instance->palette] += job->vertexCount;
    }
}

static void walkDispatch(const Fixture *fixture, const Dispatch *dispatch, uint64_t *met) {
    const LayoutJob *jobs = (const void *)(fixture->words + dispatch->push.jobs);
    for (uint32_t i = 0; i < dispatch->push.jobCount; i++) {
        bool last = i + 1 == dispatch->push.jobCount;
        uint32_t end = last ? dispatch->push.groupCount : jobs[i + 1].firstGroup;
        assert_true(end > jobs[i].firstGroup);
        walkRow(fixture, dispatch, &jobs[i], end - jobs[i].firstGroup, met);
    }
}

/* Every command once, whole: `commands` many, of the meshes that their targets name. */
static void checkCover(const Fixture *fixture, uint32_t commands) {
    uint64_t *met = calloc(commands, sizeof *met);
    assert_non_null(met);
    for (uint32_t i = 0; i < fixture->table.dispatchCount; i++) {
        walkDispatch(fixture, &fixture->table.dispatches[i], met);
    }
    for (uint32_t i = 0; i < commands; i++) {
        const Command *command = &fixture->table.commands[i];
        const Mesh *mesh = sknHandleItem(&fixture->meshes, command->key.mesh);
        assert_int_equal(met[i], mesh->layout.vertexCount);
    }
    free(met);
}

static void mixedCommandsAreMetOnce(void **state) {
    (void)state;
    Fixture *fixture = makeFixture();
    const uint32_t sizes[] = {1, 3, 63, 64, 65, 5000};
    uint32_t meshes[6];
    for (int i = 0; i < 6; i++) {
        meshes[i] = addMesh(fixture, sizes[i]);
    }
    uint32_t random = 3;
    for (uint32_t i = 0; i < 1000; i++) {
        random = random * 1664525u + 1013904223u;
        addCommand(fixture, meshes[(random >> 8) % 6], (random >> 16) % 3, (random >> 20) % 2);
    }
    sknBuildJobs(&fixture->table, &fixture->meshes, 0, GROUP, PER_THREAD);
    assert_int_equal(fixture->table.dispatchCount, 3 * 2);
    assert_true(fixture->table.usedWords <= 1000 * TABLE_WORDS_PER_INSTANCE);
    checkCover(fixture, 1000);
    freeFixture(fixture);
}

/* The same meshes whatever the number of instances: the same dispatches. */
static void dispatchesDoNotGrowWithInstances(void **state) {
    (void)state;
    const uint32_t counts[] = {2, 100, MOST};
    for (int i = 0; i < 3; i++) {
        Fixture *fixture = makeFixture();
        uint32_t meshes[2] = {addMesh(fixture, 300), addMesh(fixture, 40)};
        for (uint32_t j = 0; j < counts[i]; j++) {
            addCommand(fixture, meshes[j % 2], 0, 0);
        }
        sknBuildJobs(&fixture->table, &fixture->meshes, 0, GROUP, PER_THREAD);
        assert_int_equal(fixture->table.dispatchCount, 1);
        assert_int_equal(fixture->table.dispatches[0].push.jobCount, 2);
        checkCover(fixture, counts[i]);
        freeFixture(fixture);
    }
}

/* 40 million vertices in 2,000 instances: 5 thousand million threads, which 32 bits do not count in one row. */
static void jobsAreCutWhereThreadsOverflow(void **state) {
    (void)state;
    Fixture *fixture = makeFixture();
    uint32_t mesh = addMesh(fixture, 40u * 1000 * 1000);
    for (uint32_t i = 0; i < 2000; i++) {
        addCommand(fixture, mesh, 0, 0);
    }
    sknBuildJobs(&fixture->table, &fixture->meshes, 0, GROUP, PER_THREAD);
    assert_int_equal(fixture->table.dispatchCount, 1);
    assert_true(fixture->table.dispatches[0].push.jobCount > 1);
    checkCover(fixture, 2000);
    freeFixture(fixture);
}

/* A second record call of the frame writes behind the first. */
static void recordCallsOfAFrameDoNotOverlap(void **state) {
    (void)state;
    Fixture *fixture = makeFixture();
    uint32_t mesh = addMesh(fixture, 10);
    addCommand(fixture, mesh, 0, 0);
    sknBuildJobs(&fixture->table, &fixture->meshes, 0, GROUP, PER_THREAD);
    Dispatch first = fixture->table.dispatches[0];
    fixture->table.commandCount = 0;
    addCommand(fixture, mesh, 0, 0);
    sknBuildJobs(&fixture->table, &fixture->meshes, 0, GROUP, PER_THREAD);
    assert_true(fixture->table.dispatches[0].push.jobs >= first.push.instances + LAYOUT_INSTANCE_WORDS);
    checkCover(fixture, 1);
    uint64_t met = 0;
    walkDispatch(fixture, &first, &met);
    assert_int_equal(met, 10);
    freeFixture(fixture);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixedCommandsAreMetOnce),
        cmocka_unit_test(dispatchesDoNotGrowWithInstances),
        cmocka_unit_test(jobsAreCutWhereThreadsOverflow),
        cmocka_unit_test(recordCallsOfAFrameDoNotOverlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
