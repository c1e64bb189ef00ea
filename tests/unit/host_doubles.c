#include "host_doubles.h"

#include <pthread.h>
#include <stdatomic.h>

#include "heap_block.h"
#include "random.h"

static void remember(void *user, VkskinResult result, const char *message) {
    LogMemory *memory = user;
    ++memory->count;
    memory->result = result;
    snprintf(memory->message, sizeof memory->message, "%s", message);
}

VkskinLogger rememberingLogger(LogMemory *memory) {
    *memory = (LogMemory){.count = 0};
    return (VkskinLogger){.log = remember, .user = memory};
}

void assertLogged(LogMemory *memory, VkskinResult result, const char *message) {
    assert_int_equal(memory->count, 1);
    assert_string_equal(vkskinResultName(memory->result), vkskinResultName(result));
    assert_string_equal(memory->message, message);
    memory->count = 0;
}

void assertRefused(LogMemory *memory, VkskinResult actual, VkskinResult result, const char *message) {
    RETURNS(result, actual);
    assertLogged(memory, result, message);
}

static void *countAllocate(void *user, size_t size, size_t alignment) {
    AllocatorState *state = user;
    ++state->made;
    if (state->made == state->failAt) {
        return NULL;
    }
    assert_true(size > 0 && alignment > 0 && alignment <= 64 && (alignment & (alignment - 1)) == 0);
    void *memory = heapBlock(size, alignment);
    assert_non_null(memory);
    ++state->alive;
    state->largest = size > state->largest ? size : state->largest;
    return memory;
}

static void countFree(void *user, void *memory) {
    AllocatorState *state = user;
    assert_non_null(memory);
    assert_true(state->alive > 0);
    --state->alive;
    heapBlockFree(memory);
}

VkskinHostAllocator countingAllocator(AllocatorState *state) {
    return (VkskinHostAllocator){.allocate = countAllocate, .free = countFree, .user = state};
}

bool memoryRanOut(AllocatorState *state, LogMemory *log, VkskinResult result, const char *message) {
    if (result >= 0) {
        return false;
    }
    assertRefused(log, result, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, message);
    assert_int_equal(state->alive, 0);
    assert_true(++state->failAt < 200);
    state->made = 0;
    return true;
}

/* ---- Threads ---- */

typedef struct CrewWork {
    _Atomic uint32_t next;
    uint32_t count;
    const uint32_t *order;
    void (*task)(void *taskData, uint32_t i);
    void *taskData;
} CrewWork;

static void *work(void *argument) {
    CrewWork *shared = argument;
    for (uint32_t i = shared->next++; i < shared->count; i = shared->next++) {
        shared->task(shared->taskData, shared->order[i]);
    }
    return NULL;
}

void lendCrew(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    Crew *crew = user;
    pthread_t threads[16];
    uint32_t *order = calloc(count + 1, sizeof *order);
    Random random = {crew->seed};
    assert_non_null(order);
    assert_in_range(crew->threads, 1, COUNT_OF(threads));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t other = randomBelow(&random, i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    CrewWork shared = {.count = count, .order = order, .task = task, .taskData = taskData};
    for (uint32_t i = 0; i < crew->threads; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, work, &shared), 0);
    }
    for (uint32_t i = 0; i < crew->threads; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    }
    crew->calls++;
    crew->tasks = count;
    free(order);
}

/* ---- Objects of a test ---- */

typedef struct Owned {
    struct Owned *older;
    void *object;
    void (*destroy)(void *object);
} Owned;

static Owned *newest;
static size_t ownedCount;

void *own(void *object, void (*destroy)(void *object)) {
    Owned *owned = malloc(sizeof *owned);
    assert_true(object != NULL && owned != NULL);
    *owned = (Owned){newest, object, destroy};
    newest = owned;
    ownedCount++;
    return object;
}

void *ownZeros(size_t count, size_t size) {
    return own(count > 0 ? calloc(count, size) : malloc(1), free);
}

void *ownLines(size_t size) {
    return own(heapBlock(size, 64), heapBlockFree);
}

static void destroyMesh(void *mesh) {
    meshFree(mesh);
}

TestMesh *ownMesh(MeshSpec spec) {
    return own(meshBuild(spec), destroyMesh);
}

size_t countOwned(void) {
    return ownedCount;
}

void destroyOwned(size_t keep) {
    for (; ownedCount > keep; ownedCount--) {
        Owned *owned = newest;
        newest = owned->older;
        owned->destroy(owned->object);
        free(owned);
    }
}

int endOwningTest(__attribute__((unused)) void **state) {
    destroyOwned(0);
    return 0;
}
