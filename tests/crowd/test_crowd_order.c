/*
 * Every barrier of a crowd's record is needed, and they suffice: commands run in an unfavourable order that the barriers
 * allow (reorder.h). With all barriers the lists and vertices are those of the order of the record; without one of them
 * they differ. Also for two frames in flight, and for a reader of the host.
 */
#include <stdlib.h>
#include <string.h>

#include "crowd_scene.h"
#include "reorder.h"

#define FRAMES       6u  /* two in each submission */
#define BEFORE_POSES 13u /* barrier of a later frame between parts and poses */
#define BUFFERS      4u  /* the lists, and the output of each pool */

/* Barriers of a frame that are left out: of the first one, or of each later one. */
typedef struct Fault {
    uint32_t first, later;
} Fault;

/* What the host read after each frame. */
typedef struct Reads {
    GpuBuffer frames[FRAMES][BUFFERS];
    uint32_t buffers;
    uint32_t firstBarriers, laterBarriers; /* number of them in a frame */
} Reads;

static InsideBuffer bufferOf(const CrowdScene *scene, uint32_t index) {
    return index == 0 ? sceneInside(scene).frame : insideOutput(scene->context, scene->crowd, index - 1);
}

static void makeReads(const CrowdScene *scene, Reads *reads) {
    reads->buffers = 1 + sceneInside(scene).plan->poolCount;
    assert_true(reads->buffers <= BUFFERS);
    for (uint32_t f = 0; f < FRAMES; f++) {
        for (uint32_t b = 0; b < reads->buffers; b++) {
            reads->frames[f][b] = gpuBuffer(scene->gpu, bufferOf(scene, b).size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
        }
    }
}

static void freeReads(const CrowdScene *scene, Reads *reads) {
    for (uint32_t f = 0; f < FRAMES; f++) {
        for (uint32_t b = 0; b < reads->buffers; b++) {
            gpuFreeBuffer(scene->gpu, &reads->frames[f][b]);
        }
    }
}

static void fill(VkCommandBuffer commandBuffer, VkBuffer buffer, uint32_t word) {
    vkCmdFillBuffer(commandBuffer, buffer, 0, VK_WHOLE_SIZE, word);
}

/* All runs begin with the same words, also where a wrong order reads what was not written yet. */
static void fillBuffers(const CrowdScene *scene, VkCommandBuffer commandBuffer) {
    const CrowdInside inside = sceneInside(scene);
    const InsideBuffer buffers[] = {inside.states, inside.colds, inside.work, inside.frame, inside.tables};
    for (uint32_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
        fill(commandBuffer, buffers[i].buffer, 0);
    }
    for (uint32_t p = 0; p < inside.plan->poolCount; p++) {
        fill(commandBuffer, insidePalettes(scene->context, scene->crowd, p).buffer, 0);
        fill(commandBuffer, insideOutput(scene->context, scene->crowd, p).buffer, GPU_POISON);
    }
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
               VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

static void recordFrame(CrowdScene *scene, VkCommandBuffer commandBuffer, const Reads *reads, uint32_t f) {
    GPU_VKSKIN(scene->gpu, vkskinBeginFrame(scene->context, scene->slot));
    sceneRecord(scene, commandBuffer);
    for (uint32_t b = 0; b < reads->buffers; b++) {
        const InsideBuffer buffer = bufferOf(scene, b);
        reorderCopy(buffer.buffer, buffer.size, reads->frames[f][b].buffer);
    }
    sceneGoOn(scene);
    sceneChange(scene);
}

/* Generations differ between crowds. */
static void clearGenerations(const CrowdScene *scene, Reads *reads) {
    const uint32_t *tables = sceneInside(scene).plan->tables;
    for (uint32_t f = 0; f < FRAMES; f++) {
        for (uint32_t p = 0; p < sceneInside(scene).plan->poolCount; p++) {
            const LayoutCrowdPool *pool = sknCrowdPool(tables, p);
            LayoutCrowdSlot *slots = (LayoutCrowdSlot *)((uint32_t *)reads->frames[f][0].mapped + pool->records);
            for (uint32_t slot = 0; slot < pool->slots; slot++) {
                slots[slot].generation = 0;
            }
        }
    }
}

/* Runs the frames of a new crowd; two are recorded before the device runs them. */
static void runFrames(CrowdScene *owner, const Fault *fault, Reads *reads) {
    CrowdScene scene = sceneAnother(owner, 5);
    makeReads(&scene, reads);
    sceneAdd(&scene, scene.def.cast.capacity * 9 / 10);
    for (uint32_t f = 0; f < FRAMES; f += 2) {
        VkCommandBuffer commandBuffer = gpuBegin(scene.gpu);
        if (f == 0) {
            fillBuffers(&scene, commandBuffer);
        }
        (void)reorderFrame(fault == NULL ? REORDER_NONE : f == 0 ? fault->first : fault->later);
        recordFrame(&scene, commandBuffer, reads, f);
        const uint32_t barriers = reorderFrame(fault == NULL ? REORDER_NONE : fault->later);
        reads->firstBarriers = f == 0 ? barriers : reads->firstBarriers;
        recordFrame(&scene, commandBuffer, reads, f + 1);
        reads->laterBarriers = reorderFrame(REORDER_NONE);
        reorderRun(commandBuffer, fault == NULL);
        gpuSubmitAndWait(scene.gpu, commandBuffer);
    }
    clearGenerations(&scene, reads);
    sceneFreeAnother(&scene);
}

static bool sameReads(const Reads *a, const Reads *b) {
    for (uint32_t f = 0; f < FRAMES; f++) {
        for (uint32_t i = 0; i < a->buffers; i++) {
            if (memcmp(a->frames[f][i].mapped, b->frames[f][i].mapped, a->frames[f][i].size) != 0) {
                return false;
            }
        }
    }
    return true;
}

static bool isFound(CrowdScene *scene, const Reads *expected, Fault fault) {
    Reads reads = {0};
    runFrames(scene, &fault, &reads);
    const bool same = sameReads(expected, &reads);
    freeReads(scene, &reads);
    return !same;
}

static void checkFound(CrowdScene *scene, const Reads *expected, const char *where, Fault fault) {
    if (!isFound(scene, expected, fault)) {
        fail_msg("nothing differs without barrier %u of %s", fault.first == REORDER_NONE ? fault.later : fault.first,
                 where);
    }
}

GPU_TEST(everyBarrierOfACrowdIsNeeded) {
    VkskinVulkanFunctions functions = {0};
    reorderFunctions(&functions);
    const SceneDef def = {
        .backend = VKSKIN_BACKEND_COMPUTE,
        .cast.capacity = 300,
        .cast.slots = {40, 25},
        .seed = 11,
        .cast.previousPositions = true,
        .functions = &functions,
    };
    CrowdScene scene = sceneMake(gpu, &def);
    Reads expected = {0};
    runFrames(&scene, NULL, &expected);
    freeReads(&scene, &expected); /* the meshes were uploaded in its first frame */
    runFrames(&scene, NULL, &expected);
    print_message("%u barriers in the first frame, %u in later ones\n", expected.firstBarriers, expected.laterBarriers);
    assert_false(isFound(&scene, &expected, (Fault){REORDER_NONE, REORDER_NONE}));
    assert_false(isFound(&scene, &expected, (Fault){0, REORDER_NONE})); /* nothing comes before it */
    /* parts and poses share no words: the barrier is for the layer, which compares whole buffers */
    assert_false(isFound(&scene, &expected, (Fault){1 + BEFORE_POSES, BEFORE_POSES}));
    for (uint32_t b = 1; b < expected.firstBarriers; b += b == BEFORE_POSES ? 2 : 1) {
        checkFound(&scene, &expected, "the first frame", (Fault){b, REORDER_NONE});
    }
    for (uint32_t b = 0; b < expected.laterBarriers; b += b + 1 == BEFORE_POSES ? 2 : 1) {
        checkFound(&scene, &expected, "later frames", (Fault){REORDER_NONE, b});
    }
    freeReads(&scene, &expected);
    sceneFree(&scene);
}

/* In a wrong order kernels find numbers that lead out of their buffers. */
int main(void) {
    gpuRequest(&(GpuRequest){.robust = true});
    return testRunGroup("crowd order", NULL, NULL, NULL);
}
