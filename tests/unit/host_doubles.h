/*
 * host_doubles.h: what a host gives to the library, for tests: a logger that records messages, an allocator that fails
 * on request, threads that take tasks in random order. Also objects that are destroyed when the test ends.
 */
#ifndef TESTS_HOST_DOUBLES_H
#define TESTS_HOST_DOUBLES_H

#include "defs.h"
#include "mesh_builder.h"
#include "test.h"
#include "vkskin/vkskin_base.h"

/* Fails the test unless the call returns that result. */
#define RETURNS(expected, call) assert_string_equal(vkskinResultName(call), vkskinResultName(expected))
#define OK(call)                RETURNS(VKSKIN_SUCCESS, call)

/* ---- Logger ---- */

typedef struct LogMemory {
    uint32_t count; /* number of messages */
    VkskinResult result;
    char message[512]; /* the last one */
} LogMemory;

/* Clears *memory, which must outlive the logger. */
VkskinLogger rememberingLogger(LogMemory *memory);

/* Fails the test unless exactly one message was logged, with this result and text. Then clears the record. */
void assertLogged(LogMemory *memory, VkskinResult result, const char *message);

/* The same, and `actual`, which a call has returned, must be the result. */
void assertRefused(LogMemory *memory, VkskinResult actual, VkskinResult result, const char *message);

/* ---- Allocator ---- */

typedef struct AllocatorState {
    uint32_t failAt; /* the number of the allocation that fails, from 1; 0: none */
    uint32_t made;   /* number of allocations requested */
    uint32_t alive;
    size_t largest; /* bytes of the largest block so far */
} AllocatorState;

/* Counts in *state, which must outlive the allocator. */
VkskinHostAllocator countingAllocator(AllocatorState *state);

/*
 * To let each allocation of a call fail in turn: set failAt to 1 and repeat the call while this returns true for its
 * result. Checks the result, the message, and that nothing stays allocated.
 */
bool memoryRanOut(AllocatorState *state, LogMemory *log, VkskinResult result, const char *message);

/* ---- Threads ---- */

/* `user` of lendCrew. */
typedef struct Crew {
    uint32_t threads;
    uint32_t seed;  /* seed of the random order of tasks */
    uint32_t calls; /* number of calls so far */
    uint32_t tasks; /* in the last call */
} Crew;

/* A VkskinParallelFn. */
void lendCrew(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData);

/* ---- Objects of a test ---- */

/* Calls destroy(object) at the end of the test; the last object first. Returns the object. For OWNING_TEST. */
void *own(void *object, void (*destroy)(void *object));

/* Memory of the test, zeroed, in a heap block of exactly this size. An empty array is not null. */
void *ownZeros(size_t count, size_t size);

/* Memory of the test in a heap block of exactly this size, which begins on a cache line. */
void *ownLines(size_t size);

/* A mesh of the test. */
TestMesh *ownMesh(MeshSpec spec);

/* The number of objects of the test so far; destroys those that are newer than the first `keep`. For loops. */
size_t countOwned(void);
void destroyOwned(size_t keep);

/* The tear-down of OWNING_TEST. */
int endOwningTest(void **state);

#define OWNING_TEST(name) TEST_WITH(name, NULL, endOwningTest)

#endif
