/*
 * The job table on the CPU: visits its rows as the kernels do; each vertex of each command must be visited exactly once.
 * No device: the slot's page is plain memory.
 */

#include "command_list.h"
#include "host_doubles.h"

enum { MOST = 4096, MOST_MORPHS = 64, GROUP = 64, PER_THREAD = 16 };

typedef struct Fixture {
    Gpu gpu;
    JobTable table;
    HandleTable meshes;
    TablePage page;
    CommandList list;
    uint32_t words[MOST * TABLE_WORDS_PER_INSTANCE + MOST_MORPHS * LAYOUT_MORPH_WEIGHT_WORDS];
} Fixture;

static Fixture *fixture;

static void beginFrame(void) {
    sknJobsBeginFrame(&fixture->table, 0);
    sknClearCommands(&fixture->list);
    fixture->list.places.room = MOST;
    fixture->list.morphPlaces.room = MOST_MORPHS;
}

/* A table of one slot, without buffers: memory of the test's own takes the place of its page. */
static int setUp(__attribute__((unused)) void **state) {
    Descriptors none = {0};
    fixture = calloc(1, sizeof *fixture);
    assert_non_null(fixture);
    const JobTableDef def = {.slots = 1, .onHost = true, .commands = MOST, .morphs = MOST_MORPHS};
    OK(sknInitJobs(&fixture->gpu, &none, &fixture->table, &def));
    fixture->page = (TablePage){.buffer.memory.mapped = fixture->words, .words = COUNT_OF(fixture->words)};
    fixture->table.slots[0].pages = &fixture->page;
    fixture->table.slots[0].count = 1;
    sknInitHandles(&fixture->meshes, "mesh", sizeof(Mesh), 1);
    assert_true(sknGrowCommands(NULL, &fixture->list, MOST, MOST_MORPHS));
    beginFrame();
    return 0;
}

static int tearDown(__attribute__((unused)) void **state) {
    sknDestroyHandles(&fixture->meshes, NULL);
    fixture->table.slots[0] = (TableSlot){0};
    sknDestroyJobs(&fixture->gpu, &fixture->table);
    sknFreeCommands(NULL, &fixture->list);
    free(fixture);
    return 0;
}

static void buildJobs(void) {
    const Commands commands = sknUnrecorded(&fixture->list);
    sknBuildJobs(&fixture->table, &commands, &fixture->meshes, 0, GROUP, PER_THREAD);
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

static Command *addCommandOf(const JobKey *key) {
    uint32_t place = 0;
    assert_true(sknTakePlaces(&fixture->list.places, 1, &place));
    Command *command = &fixture->list.commands[place];
    *command = (Command){.key = *key};
    return command;
}

/* Targets name the command: palette is its number, vertices its mesh. */
static void addKey(const JobKey *key) {
    Command *command = addCommandOf(key);
    command->target = (LayoutInstance){.palette = sknUnrecorded(&fixture->list).count - 1, .vertices = key->mesh};
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
    const Commands unrecorded = sknUnrecorded(&fixture->list);
    for (uint32_t i = 0; i < commands; i++) {
        const Command *command = &unrecorded.commands[i];
        assert_int_equal(met[i], verticesOf(sknHandleItem(&fixture->meshes, command->key.mesh)));
    }
    free(met);
}

/* Three commands of a mesh and three of another, each kind taken in one call. The last one takes the place of the second. */
FIXTURE_TEST(droppedCommandsSplitRuns) {
    const uint32_t meshes[2] = {addMesh(3), addMesh(70)};
    for (uint32_t i = 0; i < 6; i++) {
        addCommand(meshes[i / 3], 0, 0);
        fixture->list.follows[i] = i % 3 > 0;
    }
    (void)sknDropCommand(&fixture->list, 1);
    fixture->list.commands[1].target.palette = 1; /* the command's new index */
    buildJobs();
    assert_int_equal(fixture->table.jobCount, 2);
    checkCover(5);
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
    assert_true(fixture->page.usedWords <= 1000 * TABLE_WORDS_PER_INSTANCE);
    checkCover(1000);
}

/* The same meshes whatever the number of instances: the same dispatches. */
FIXTURE_TEST(dispatchesDoNotGrowWithInstances) {
    const uint32_t counts[] = {2, 100, MOST};
    for (int i = 0; i < 3; i++) {
        uint32_t meshes[2] = {addMesh(300), addMesh(40)};
        beginFrame();
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
    sknMarkRecorded(&fixture->list);
    addCommand(mesh, 0, 0);
    buildJobs();
    assert_true(fixture->table.dispatches[0].push.jobs >= first.push.instances + LAYOUT_INSTANCE_WORDS);
    checkCover(1);
    uint64_t met = 0;
    walkDispatch(&first, &met);
    assert_int_equal(met, 10);
}

/* What an earlier record call of the frame wrote is no room. */
FIXTURE_TEST(usedWordsAreNoRoom) {
    Descriptors none = {0};
    TablePage pages[2] = {{.words = 60, .usedWords = 50}, {.words = 1000}};
    fixture->table.slots[0] = (TableSlot){.pages = pages, .count = 2};
    fixture->table.def.onHost = false;
    OK(sknReserveJobs(&fixture->gpu, &none, &fixture->table, 0, 1, 0));
    assert_int_equal(fixture->table.slots[0].current, 1);
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
    assert_int_equal(fixture->page.usedWords, MOST * TABLE_WORDS_PER_INSTANCE);
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

static void addMorphed(uint32_t mesh, const Mesh *morphs, const float *weights, uint32_t count) {
    Command *command = addCommandOf(&(JobKey){.mesh = mesh});
    const uint32_t places = sknCountMorphs(weights, count);
    uint32_t first = 0;
    if (places > 0) {
        assert_true(sknTakePlaces(&fixture->list.morphPlaces, places, &first));
        sknPutMorphs(fixture->list.morphs + first, morphs, weights, count);
        command->target.morphs = first + 1;
    }
}

/* The word offset of the instance's morph weights. */
static uint32_t morphsOf(uint32_t instance) {
    const Dispatch *dispatch = &fixture->table.dispatches[0];
    return ((const LayoutInstance *)(const void *)(fixture->words + dispatch->push.instances))[instance].morphs;
}

/* Those that are not zero alone, those before skinning first, behind the instances of the record call. */
FIXTURE_TEST(morphWeightsAreListed) {
    bool after[] = {true, false, false, true, false};
    Mesh ordered = {.morphHeads = 100, .morphsAfter = after};
    const Mesh plain = {.morphHeads = 100};
    const float weights[] = {0.5f, 0.0f, -2.0f, 4.0f, 1.0f};
    const float zeros[] = {0.0f, -0.0f};
    assert_int_equal(sknCountMorphs(weights, 5), 5);
    assert_int_equal(sknCountMorphs(zeros, 2), 0);
    assert_int_equal(sknCountMorphs(NULL, 0), 0);
    const uint32_t mesh = addMesh(3);
    addMorphed(mesh, &ordered, zeros, 2);
    addMorphed(mesh, &ordered, weights, 5);
    addMorphed(mesh, &plain, weights, 1);
    assert_int_equal(sknTaken(&fixture->list.morphPlaces), 7);
    buildJobs();
    const uint32_t first = fixture->table.dispatches[0].push.instances + 3 * LAYOUT_INSTANCE_WORDS;
    assert_int_equal(morphsOf(0), 0);
    assert_int_equal(morphsOf(1), first);
    assert_int_equal(morphsOf(2), first + 10);
    assert_int_equal(fixture->words[first], 2);
    assert_int_equal(fixture->words[first + 1], 2);
    checkMorph(first + 2, 100 + 2 * LAYOUT_MORPH_WORDS, -2.0f);
    checkMorph(first + 4, 100 + 4 * LAYOUT_MORPH_WORDS, 1.0f);
    checkMorph(first + 6, 100, 0.5f);
    checkMorph(first + 8, 100 + 3 * LAYOUT_MORPH_WORDS, 4.0f);
    assert_int_equal(fixture->words[first + 10], 1);
    assert_int_equal(fixture->words[first + 11], 0);
    assert_int_equal(fixture->page.usedWords, first + 14);
    sknMarkRecorded(&fixture->list);
    addMorphed(mesh, &plain, weights, 1);
    buildJobs();
    assert_true(morphsOf(0) > first + 14);
    assert_int_equal(sknTaken(&fixture->list.morphPlaces), 9);
    beginFrame();
    assert_int_equal(fixture->page.usedWords, 0);
}
