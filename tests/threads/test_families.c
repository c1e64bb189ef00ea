/*
 * Skinning on one queue family, drawing on another: a thread records the release while another records the acquire
 * and a third loads. Both halves name the same ranges.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <string.h>

#include "stage.h"

#define FRAMES       150u
#define INSTANCES    24u
#define MAX_BARRIERS INSTANCES

/* What one thread's record calls asked of vkCmdPipelineBarrier. */
typedef struct Transfers {
    uint32_t count;
    VkBufferMemoryBarrier barriers[MAX_BARRIERS];
} Transfers;

static _Thread_local Transfers transfers;

static void VKAPI_CALL noteBarrier(VkCommandBuffer commandBuffer, VkPipelineStageFlags before,
                                   VkPipelineStageFlags after, VkDependencyFlags flags, uint32_t memoryCount,
                                   const VkMemoryBarrier *memory, uint32_t bufferCount,
                                   const VkBufferMemoryBarrier *buffers, uint32_t imageCount,
                                   const VkImageMemoryBarrier *images) {
    for (uint32_t i = 0; i < bufferCount && transfers.count < MAX_BARRIERS; i++) {
        transfers.barriers[transfers.count++] = buffers[i];
    }
    nullDriverFunctions()->vkCmdPipelineBarrier(commandBuffer, before, after, flags, memoryCount, memory, bufferCount,
                                                buffers, imageCount, images);
}

typedef struct Queues {
    NullDriver *driver;
    VkskinContext context;
    StageCounts counts;
    VkskinInstance instances[INSTANCES];
    Transfers released, acquired;
    pthread_barrier_t skinned, passed; /* the host's own order: a frame's transfers between the two */
    _Atomic uint64_t done;
} Queues;

static void checkTransfers(const Queues *queues) {
    CREW_CHECK(queues->released.count > 0 && queues->released.count == queues->acquired.count);
    for (uint32_t i = 0; i < queues->released.count; i++) {
        const VkBufferMemoryBarrier *release = &queues->released.barriers[i];
        const VkBufferMemoryBarrier *acquire = &queues->acquired.barriers[i];
        CREW_CHECK(release->buffer == acquire->buffer && release->offset == acquire->offset &&
                   release->size == acquire->size);
        CREW_CHECK(release->srcQueueFamilyIndex == 1 && release->dstQueueFamilyIndex == 0);
        CREW_CHECK(acquire->srcQueueFamilyIndex == 1 && acquire->dstQueueFamilyIndex == 0);
    }
}

static void skinAndRelease(void *argument) {
    Queues *queues = argument;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        CREW_CHECK(vkskinBeginFrame(queues->context, frame % 2) == VKSKIN_SUCCESS);
        /* Others each frame, so that what is written lies in pieces. */
        for (uint32_t i = frame % 3; i < INSTANCES; i += 1 + frame % 3) {
            CREW_CHECK(stageSkin(queues->context, queues->instances[i], (float)frame) == VKSKIN_SUCCESS);
        }
        VkCommandBuffer commandBuffer = nullDriverBegin(queues->driver);
        CREW_CHECK(vkskinRecordSkinning(queues->context, commandBuffer) == VKSKIN_SUCCESS);
        transfers = (Transfers){0};
        pthread_barrier_wait(&queues->skinned);
        CREW_CHECK(vkskinRecordRelease(queues->context, commandBuffer) == VKSKIN_SUCCESS);
        queues->released = transfers;
        pthread_barrier_wait(&queues->passed);
        checkTransfers(queues);
        nullDriverRun(commandBuffer);
    }
    crewWrite(&queues->done, 1);
}

static void acquire(void *argument) {
    Queues *queues = argument;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        VkCommandBuffer commandBuffer = nullDriverBegin(queues->driver);
        transfers = (Transfers){0};
        pthread_barrier_wait(&queues->skinned);
        CREW_CHECK(vkskinRecordAcquire(queues->context, commandBuffer) == VKSKIN_SUCCESS);
        queues->acquired = transfers;
        pthread_barrier_wait(&queues->passed);
        nullDriverRun(commandBuffer);
    }
}

static void load(void *argument) {
    Queues *queues = argument;
    for (uint32_t i = 0; crewRead(&queues->done) == 0; i++) {
        VkskinMesh mesh;
        VkskinInstance instance;
        CREW_CHECK(stageMesh(queues->context, i % STAGE_MAX_SIZE, &mesh) == VKSKIN_SUCCESS);
        CREW_CHECK(instanceOf(queues->context, mesh, &instance) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinDestroyInstance(queues->context, instance) == VKSKIN_SUCCESS);
        CREW_CHECK(vkskinDestroyMesh(queues->context, mesh) == VKSKIN_SUCCESS);
    }
}

static void halvesAreRecordedAtOnce(void **state) {
    static const CrewWork works[] = {skinAndRelease, acquire, load};
    (void)state;
    Queues queues = {.driver = stageDriver(NULL_DRIVER_ALL_TYPES, true)};
    VkskinVulkanFunctions functions = *nullDriverFunctions();
    functions.vkCmdPipelineBarrier = noteBarrier;
    VkskinContextDef def = stageContextDef(queues.driver, &queues.counts);
    def.functions = &functions;
    def.computeQueueFamily = 1;
    def.graphicsQueueFamily = 0;
    def.outputRegions = 2;
    assert_int_equal(vkskinCreateContext(&def, &queues.context), VKSKIN_SUCCESS);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    pipelines.features = VKSKIN_KERNEL_MORPHS_BIT;
    assert_int_equal(vkskinCreatePipelines(queues.context, &pipelines), VKSKIN_SUCCESS);
    VkskinMesh mesh;
    assert_int_equal(stageMesh(queues.context, 2, &mesh), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < INSTANCES; i++) {
        assert_int_equal(instanceOf(queues.context, mesh, &queues.instances[i]), VKSKIN_SUCCESS);
    }
    assert_int_equal(pthread_barrier_init(&queues.skinned, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&queues.passed, NULL, 2), 0);
    crewRun(works, sizeof works / sizeof works[0], &queues);
    pthread_barrier_destroy(&queues.skinned);
    pthread_barrier_destroy(&queues.passed);
    vkskinDestroyContext(queues.context);
    stageEnd(queues.driver, &queues.counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(halvesAreRecordedAtOnce)};
    return cmocka_run_group_tests_name("threads: families", tests, NULL, NULL);
}
