/*
 * The job table on the CPU: visits its rows as the kernels do; each vertex of each command must be visited exactly once.
 * No device: the slot's buffer is plain memory.
 */

#include "host_doubles.h"
#include "job_table.h"

enum { MOST = 4096, MOST_MORPHS = 64, GROUP = 64, PER_THREAD = 16 };

typedef struct Fixture {
    Gpu gpu;
    JobTable table;
    HandleTable meshes;
    uint32_t words[MOST * TABLE_WORDS_PER_INSTANCE + MOST_MORPHS * LAYOUT_MORPH_WEIGHT_WORDS];
} Fixture;

static Fixture *fixture;

/* Tables of one slot, without buffers: memory of the test's own takes the buffer's place. */
static int setUp(__attribute__((unused)) void **state) {
    Descriptors none = {0};
    fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    OK(sknInitJobs(&fixture->gpu, &none, &fixture->table, 0, MOST, MOST_MORPHS, false));
    fixture->table.buffers[0].memory.mapped = fixture->words;
    sknInitHandles(&fixture->meshes, "mesh", sizeof(Mesh), 1);
    return 0;
}

static int tearDown(__attribute__((unused)) void **state) {
    sknDestroyHandles(&fixture->meshes, NULL);
    sknDestroyJobs(&fixture->gpu, &fixture->table);
    free(fixture);
    return 0;
}

static void buildJobs(void) {
    sknBuildJobs(&fixture->table, &fixture->meshes, 0, GROUP, PER_THREAD);
}

/* Heads name the mesh and the class: 1000 times the one, and the other. */
static uint32_t addClassedMesh(const MeshClass *classes, uint32_t count) {
    uint32_t index = sknHandleTake(&fixture->meshes, NULL);
    Mesh *mesh = sknHandleItem(&fixture->meshes, index);
    mesh->classCount = count;
    for (uint32_t c = 0; c < count; c++) {
        mesh->classes[c] = classes[c];
        mesh->classes[c].head = 1000 * index + c;
    }
    return index;
}

static uint32_t addMesh(uint32_t vertexCount) {
    return addClassedMesh(&(MeshClass){.influences = 4, .vertexCount = vertexCount}, 1);
}

/* Targets name the command: palette is its number, vertices its mesh. */
static void addKey(const JobKey *key) {
    LayoutInstance target = {.palette = fixture->table.commandCount, .vertices = key->mesh};
    sknAddCommand(&fixture->table, key, target, 0);
}

static void addCommand(uint32_t mesh, uint32_t kernel, uint32_t outputPage) {
    addKey(&(JobKey){.kernel = kernel, .outputPage = outputPage, .mesh = mesh});
}

static const MeshClass *classOf(const LayoutJob *job) {
    const Mesh *mesh = sknHandleItem(&fixture->meshes, job->vertexClass / 1000);
    assert_true(job->vertexClass % 1000 < mesh->classCount);
    return &mesh->classes[job->vertexClass % 1000];
}

/* Threads of a row, as the kernels count them: vertices first, then chunks of instances. */
static void walkRow(const Dispatch *dispatch, const LayoutJob *job, uint32_t groups, uint64_t *met) {
    const LayoutInstance *instances = (const void *)(fixture->words + dispatch->push.instances);
    const MeshClass *vertices = classOf(job);
    assert_int_equal(vertices->influences, dispatch->influences);
    uint64_t chunks = (job->instanceCount + PER_THREAD - 1) / PER_THREAD;
    assert_true(chunks * vertices->vertexCount <= (uint64_t)groups * GROUP);
    assert_true(chunks * vertices->vertexCount <= UINT32_MAX);
    for (uint32_t i = 0; i < job->instanceCount; i++) {
        const LayoutInstance *instance = &instances[job->firstInstance + i];
        assert_int_equal(job->vertexClass / 1000, instance->vertices);
        met[instance->palette] += vertices->vertexCount;
    }
}

static void walkDispatch(const Dispatch *dispatch, uint64_t *met) {
    const LayoutJob *jobs = (const void *)(fixture->words + dispatch->push.jobs);
    for (uint32_t i = 0; i < dispatch->push.jobCount; i++) {
        bool last = i + 1 == dispatch->push.jobCount;
        uint32_t end = last ? dispatch->push.groupCount : jobs[i + 1].firstGroup;
        assert_true(end > jobs[i].firstGroup);
        walkRow(dispatch, &jobs[i], end - jobs[i].firstGroup, met);
    }
}

static uint64_t verticesOf(const Mesh *mesh) {
    uint64_t count = 0;
    for (uint32_t c = 0; c < mesh->classCount; c++) {
        count += mesh->classes[c].vertexCount;
    }
    return count;
}

/* Every command once, whole: `commands` many, of the meshes that their targets name. */
static void checkCover(uint32_t commands) {
    uint64_t *met = calloc(commands, sizeof *met);
    assert_non_null(met);
    for (uint32_t i = 0; i < fixture->table.dispatchCount; i++) {
        walkDispatch(&fixture->table.dispatches[i], met);
    }
    for (uint32_t i = 0; i < commands; i++) {
        const Command *command = &fixture->table.commands[i];
        assert_int_equal(met[i], verticesOf(sknHandleItem(&fixture->meshes, command->key.mesh)));
    }
    free(met);
}

FIXTURE_TEST(mixedCommandsAreMetOnce) {
    const uint32_t sizes[] = {1, 3, 63, 64, 65, 5000};
    uint32_t meshes[6];
    for (int i = 0; i < 6; i++) {
        meshes[i] = addMesh(sizes[i]);
    }
    uint32_t random = 3;
    for (uint32_t i = 0; i < 1000; i++) {
        random = random * 1664525u + 1013904223u;
        addCommand(meshes[(random >> 8) % 6], (random >> 16) % 3, (random >> 20) % 2);
    }
    buildJobs();
    assert_int_equal(fixture->table.dispatchCount, 3 * 2);
    assert_true(fixture->table.usedWords <= 1000 * TABLE_WORDS_PER_INSTANCE);
    checkCover(1000);
}

/* The same meshes whatever the number of instances: the same dispatches. */
FIXTURE_TEST(dispatchesDoNotGrowWithInstances) {
    const uint32_t counts[] = {2, 100, MOST};
    for (int i = 0; i < 3; i++) {
        uint32_t meshes[2] = {addMesh(300), addMesh(40)};
        sknJobsBeginFrame(&fixture->table);
        for (uint32_t j = 0; j < counts[i]; j++) {
            addCommand(meshes[j % 2], 0, 0);
        }
        buildJobs();
        assert_int_equal(fixture->table.dispatchCount, 1);
        assert_int_equal(fixture->table.dispatches[0].push.jobCount, 2);
        checkCover(counts[i]);
    }
}

/* A dispatch has one descriptor of each kind: a difference in a page or in the region needs another dispatch. */
FIXTURE_TEST(pagesAndRegionsHaveTheirOwnDispatches) {
    uint32_t mesh = addMesh(10);
    const JobKey keys[] = {{.mesh = mesh},
                           {.mesh = mesh, .meshPage = 1},
                           {.mesh = mesh, .palettePage = 1},
                           {.mesh = mesh, .outputPage = 1},
                           {.mesh = mesh, .outputRegion = 1}};
    for (uint32_t i = 0; i < 10; i++) {
        addKey(&keys[i % 5]);
    }
    buildJobs();
    assert_int_equal(fixture->table.dispatchCount, 5);
    checkCover(10);
}

/* 40 million vertices in 2,000 instances: 5 thousand million threads, which 32 bits do not count in one row. */
FIXTURE_TEST(jobsAreCutWhereThreadsOverflow) {
    uint32_t mesh = addMesh(40u * 1000 * 1000);
    for (uint32_t i = 0; i < 2000; i++) {
        addCommand(mesh, 0, 0);
    }
    buildJobs();
    assert_int_equal(fixture->table.dispatchCount, 1);
    assert_true(fixture->table.dispatches[0].push.jobCount > 1);
    checkCover(2000);
}

/* A second record call of the frame writes behind the first. */
FIXTURE_TEST(recordCallsOfAFrameDoNotOverlap) {
    uint32_t mesh = addMesh(10);
    addCommand(mesh, 0, 0);
    buildJobs();
    Dispatch first = fixture->table.dispatches[0];
    fixture->table.commandCount = 0;
    addCommand(mesh, 0, 0);
    buildJobs();
    assert_true(fixture->table.dispatches[0].push.jobs >= first.push.instances + LAYOUT_INSTANCE_WORDS);
    checkCover(1);
    uint64_t met = 0;
    walkDispatch(&first, &met);
    assert_int_equal(met, 10);
}

static const MeshClass allClasses[] = {{1, 10, 0}, {2, 70, 0}, {3, 1, 0}, {4, 300, 0}, {LAYOUT_MANY, 65, 0}};

/* Each class is met by the kernel of its count: dispatches are as many as counts, not as meshes. */
FIXTURE_TEST(classesShareDispatches) {
    uint32_t whole = addClassedMesh(allClasses, 5);
    uint32_t even = addClassedMesh((const MeshClass[]){{2, 7, 0}, {4, 8, 0}}, 2);
    uint32_t still = addClassedMesh(&(MeshClass){0, 9, 0}, 1);
    for (uint32_t i = 0; i < 300; i++) {
        addCommand(i % 3 == 0 ? whole : i % 3 == 1 ? even : still, 0, 0);
    }
    buildJobs();
    assert_int_equal(fixture->table.dispatchCount, 6);
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(fixture->table.dispatches[i].influences, i);
    }
    checkCover(300);
}

/* A command a mesh, each of all classes, in kernels and pages of their own: what the table has room for. */
FIXTURE_TEST(theTableHoldsTheMostThatItMay) {
    for (uint32_t i = 0; i < MOST; i++) {
        addCommand(addClassedMesh(allClasses, 5), i, i);
    }
    buildJobs();
    assert_int_equal(fixture->table.dispatchCount, MOST * LAYOUT_CLASSES);
    assert_int_equal(fixture->table.usedWords, MOST * TABLE_WORDS_PER_INSTANCE);
    checkCover(MOST);
}

static void checkMorph(uint32_t at, uint32_t morph, float weight) {
    LayoutMorphWeight place;
    memcpy(&place, fixture->words + at, sizeof place);
    float written;
    memcpy(&written, &place.weight, sizeof written);
    assert_int_equal(place.morph, morph);
    assert_float_equal(written, weight, 0.0f);
}

/* Those that are not zero alone, those before skinning first, behind all that instances may take. */
FIXTURE_TEST(morphWeightsAreListed) {
    bool after[] = {true, false, false, true, false};
    Mesh mesh = {.morphHeads = 100, .morphsAfter = after};
    const float weights[] = {0.5f, 0.0f, -2.0f, 4.0f, 1.0f};
    const float zeros[] = {0.0f, -0.0f};
    assert_int_equal(sknCountMorphs(weights, 5), 5);
    assert_int_equal(sknCountMorphs(zeros, 2), 0);
    assert_int_equal(sknCountMorphs(NULL, 0), 0);
    assert_int_equal(sknAddMorphs(&fixture->table, 0, &mesh, zeros, 2), 0);
    uint32_t first = MOST * TABLE_WORDS_PER_INSTANCE;
    assert_int_equal(sknAddMorphs(&fixture->table, 0, &mesh, weights, 5), first);
    assert_int_equal(fixture->table.usedMorphs, 5);
    assert_int_equal(fixture->words[first], 2);
    assert_int_equal(fixture->words[first + 1], 2);
    checkMorph(first + 2, 100 + 2 * LAYOUT_MORPH_WORDS, -2.0f);
    checkMorph(first + 4, 100 + 4 * LAYOUT_MORPH_WORDS, 1.0f);
    checkMorph(first + 6, 100, 0.5f);
    checkMorph(first + 8, 100 + 3 * LAYOUT_MORPH_WORDS, 4.0f);
    mesh.morphsAfter = NULL;
    assert_int_equal(sknAddMorphs(&fixture->table, 0, &mesh, weights, 1), first + 10);
    assert_int_equal(fixture->words[first + 10], 1);
    assert_int_equal(fixture->words[first + 11], 0);
    assert_int_equal(fixture->table.usedMorphs, 7);
    sknJobsBeginFrame(&fixture->table);
    assert_int_equal(sknAddMorphs(&fixture->table, 0, &mesh, weights, 1), first);
}
