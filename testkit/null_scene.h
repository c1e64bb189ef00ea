/*
 * null_scene.h: contexts on the null driver, and meshes whose skinned positions are known. For one thread and for several.
 */
#ifndef TESTKIT_NULL_SCENE_H
#define TESTKIT_NULL_SCENE_H

#include <stdatomic.h>

#include "defs.h"
#include "host_memory.h"
#include "mesh_builder.h"
#include "null_driver.h"
#include "test.h"

/* ---- Checks ----
 *
 * Counters are relaxed atomics, which order nothing: the only order that ThreadSanitizer sees is the library's. */

typedef _Atomic uint64_t Counter;

static inline uint64_t counterRead(const Counter *counter) {
    return atomic_load_explicit(counter, memory_order_relaxed);
}

static inline void counterWrite(Counter *counter, uint64_t value) {
    atomic_store_explicit(counter, value, memory_order_relaxed);
}

/* Returns the value before. */
static inline uint64_t counterAdd(Counter *counter, uint64_t value) {
    return atomic_fetch_add_explicit(counter, value, memory_order_relaxed);
}

/* Checks a condition on any thread: a failed one is printed and counted, and the thread goes on. Returns the
 * condition. */
#define CHECK(condition) checkThat((condition), #condition, __FILE__, __LINE__)
bool checkThat(bool condition, const char *text, const char *file, int line);
#define CHECK_GOOD(call) CHECK((call) == VKSKIN_SUCCESS)

/* Number of failed checks since the last call. Call it on the test's own thread. */
uint32_t failedChecks(void);

/* ---- Contexts ---- */

#define STAGE_SLOTS 2u /* frames in flight */
#define STAGE_BONES 3u

typedef struct Stage {
    NullDriver *driver;
    VkskinContext context;
    VkskinVulkanFunctions functions; /* the driver's; replace some before stageCreate */
    Counter messages;                /* logged by the library */
    HostMemory hostMemory;           /* memory of all contexts */
} Stage;

/* Zeroes *stage and makes its driver with small heaps. */
void stageOpen(Stage *stage, NullDriverLayout layout, bool coherent);

/* Small pages, so that more are needed while others are in use; counted log and host memory. The def points into
 * *stage. */
VkskinContextDef stageContextDef(Stage *stage);

/* Another context, with the kernels for the meshes below; null after a failed check. */
VkskinContext stageContext(Stage *stage, const VkskinContextDef *def);

/* stageContext for stage->context; fails the test if there is none. */
void stageCreate(Stage *stage, const VkskinContextDef *def);

/* Destroys context and driver. Fails the test after a failed check, a fault of the driver or a leak, or if the library
 * logged another number of messages. */
void stageClose(Stage *stage, uint64_t messages);

/* ---- Meshes ---- */

#define STAGE_MAX_SIZE 20u

/* Vertices of a mesh of size 0 to STAGE_MAX_SIZE. The largest output fills much of a page. All have morph targets. */
uint32_t stageVertexCount(uint32_t size);
VkskinResult stageMesh(VkskinContext context, uint32_t size, VkskinMesh *mesh);

/* Creates a mesh and `count` instances of it; failures are failed checks. */
VkskinMesh stageInstances(VkskinContext context, uint32_t size, VkskinInstance *instances, uint32_t count);

/* Creates and destroys a mesh and an instance. */
void stageLoadAndDestroy(VkskinContext context, uint32_t size);

/* Gives the instance a command with a palette that moves every vertex by (1, 10, shift). An odd shift comes partly from
 * morph targets. */
VkskinResult stageSkin(VkskinContext context, VkskinInstance instance, float shift);

/* Records the skinning into a command buffer of its own, and runs it. */
void stageRecordAndRun(Stage *stage);

/* Whether the output has the positions of such a palette. */
bool stageIsRight(NullDriver *driver, const VkskinOutput *output, float shift);

/* Checks the current output of an instance. */
void stageCheckInstance(NullDriver *driver, VkskinContext context, VkskinInstance instance, float shift);

#endif
