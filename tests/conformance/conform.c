#include "conform.h"

#include <stdlib.h>
#include <string.h>

#include "vertex_error.h"

#define FRAMES 2

typedef struct Worst {
    VertexError error;
    uint32_t compared, leftOut;
} Worst;

static VkskinContext shared; /* kept from test to test */
static uint32_t sharedFrame; /* the slot to be begun next */

static void destroyShared(void) {
    vkskinDestroyContext(shared);
    shared = NULL;
}

/* Pages are small enough to be read back often. */
static VkskinContext sharedContext(Gpu *gpu) {
    if (shared == NULL) {
        VkskinContextDef def = gpuContextDef(gpu);
        def.pageSize = 1u << 20;
        def.framesInFlight = FRAMES;
        shared = gpuContext(gpu, &def);
        gpu->finish = destroyShared;
        gpuAddKernels(gpu, shared, GPU_ALL_METHODS, GPU_ALL_FORMATS);
    }
    return shared;
}

static void compareVertex(const ReferenceVertex *expected, const ReadVertex *vertex, double diagonal,
                          const VkskinMeshInfo *info, Worst *worst) {
    VertexError error = vertexError(expected, vertex, diagonal, info);
    worst->compared++;
    worst->leftOut += error.leftOut;
    vertexErrorKeepWorst(&worst->error, &error);
}

/* ---- Poison ---- */

/* Marks the words of a range as written; each must hold something else than poison. */
static void takeRange(uint32_t *words, VkDeviceSize offset, VkDeviceSize size) {
    for (VkDeviceSize i = offset / 4; i < (offset + size) / 4; i++) {
        if (words[i] == GPU_POISON) {
            fail_msg("the word at byte %llu was not written", (unsigned long long)(i * 4));
        }
        words[i] = GPU_POISON;
    }
}

static void checkUntouched(const GpuBuffer *page, uint32_t index) {
    const uint32_t *words = page->mapped;
    for (VkDeviceSize i = 0; i < page->size / 4; i++) {
        if (words[i] != GPU_POISON) {
            fail_msg("page %u: the word at byte %llu was written and belongs to nobody", index,
                     (unsigned long long)(i * 4));
        }
    }
}

/* ---- A run ---- */

typedef struct Run {
    VkskinMesh mesh;
    VkskinMeshInfo info;
    uint32_t count;            /* of checked instances */
    VkskinInstance *instances; /* [2 count + 1]: the odd ones are checked */
    VkskinOutput *outputs;     /* [count] */
} Run;

static void createRun(Gpu *gpu, VkskinContext context, const ConformMesh *mesh, uint32_t count, Run *run) {
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.name = "conformance";
    def.vertexCount = mesh->mesh->vertexCount;
    def.boneCount = mesh->mesh->boneCount;
    def.positions = mesh->mesh->positions;
    def.normals = mesh->normals ? mesh->mesh->normals : NULL;
    def.tangents = mesh->tangents ? mesh->mesh->tangents : NULL;
    def.influencesPerVertex = mesh->mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->mesh->joints;
    def.weights = mesh->mesh->weights;
    def.maxInfluences = mesh->maxInfluences;
    def.format = mesh->format;
    VkskinResult result = vkskinCreateMesh(context, &def, &run->mesh);
    if (result < 0) {
        GPU_VKSKIN(gpu, result);
    }
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, run->mesh, &run->info));
    run->count = count;
    run->instances = calloc(2 * (size_t)count + 1, sizeof *run->instances);
    run->outputs = calloc(count, sizeof *run->outputs);
    for (uint32_t i = 0; i < 2 * count + 1; i++) {
        GPU_VKSKIN(gpu, instanceOf(context, run->mesh, &run->instances[i]));
    }
}

static void freeRun(Gpu *gpu, VkskinContext context, Run *run) {
    for (uint32_t i = 0; i < 2 * run->count + 1; i++) {
        GPU_VKSKIN(gpu, vkskinDestroyInstance(context, run->instances[i]));
    }
    GPU_VKSKIN(gpu, vkskinDestroyMesh(context, run->mesh));
    free(run->instances);
    free(run->outputs);
}

static void skinInstance(Gpu *gpu, VkskinContext context, const Run *run, uint32_t index,
                         const ConformInstance *instance) {
    VkskinPaletteEncoding encoding = vkskinMethodEncoding(instance->method);
    VkskinSkinCommand command = {.instance = run->instances[2 * index + 1], .method = instance->method};
    void *data;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, encoding, run->info.boneCount, &command.palette, &data));
    memcpy(data, instance->palette, (size_t)run->info.boneCount * vkskinPaletteStride(encoding));
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
    GPU_VKSKIN(gpu, vkskinGetOutput(context, command.instance, &run->outputs[index]));
}

/* Compares what a page holds and poisons those words in the copy again. */
static void comparePage(const Run *run, const ConformInstance *instances, uint32_t page, const GpuBuffer *copy,
                        Worst *worst) {
    for (uint32_t i = 0; i < run->count; i++) {
        const VkskinOutput *output = &run->outputs[i];
        if (output->page != page) {
            continue;
        }
        double diagonal = referenceDiagonal(instances[i].expected, run->info.vertexCount);
        for (uint32_t v = 0; v < run->info.vertexCount; v++) {
            ReadVertex vertex = readVertex(copy->mapped, 0, output, &run->info, v);
            compareVertex(&instances[i].expected[v], &vertex, diagonal, &run->info, worst);
        }
        takeRange(copy->mapped, output->positionOffset, (VkDeviceSize)run->info.vertexCount * 12);
        takeRange(copy->mapped, output->attributeOffset, (VkDeviceSize)run->info.vertexCount * output->attributeStride);
    }
    checkUntouched(copy, page);
}

static void checkWorst(const char *label, const Worst *worst, uint32_t expected, VkskinVertexFormat format) {
    const VertexError *error = &worst->error;
    print_message("%s: position %.2g of the diagonal, normal %.3f, tangent %.3f degrees; %u of %u left out\n", label,
                  error->position, error->normal, error->tangent, worst->leftOut, worst->compared);
    assert_int_equal(worst->compared, expected);
    assert_true(vertexErrorIsGood(error, format));
    assert_true((double)worst->leftOut <= 0.01 * worst->compared);
}

void conformCheck(Gpu *gpu, const char *label, const ConformMesh *mesh, const ConformInstance *instances,
                  uint32_t count) {
    VkskinContext context = sharedContext(gpu);
    Run run = {0};
    Worst worst = {0};
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, sharedFrame));
    sharedFrame = (sharedFrame + 1) % FRAMES;
    createRun(gpu, context, mesh, count, &run);
    gpuPoisonOutput(gpu, context);
    for (uint32_t i = 0; i < count; i++) {
        skinInstance(gpu, context, &run, i, &instances[i]);
    }
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    for (uint32_t page = 0; page < vkskinGetOutputPageCount(context); page++) {
        GpuBuffer copy = gpuReadPage(gpu, context, page);
        comparePage(&run, instances, page, &copy, &worst);
        gpuFreeBuffer(gpu, &copy);
    }
    checkWorst(label, &worst, count * run.info.vertexCount, mesh->format);
    freeRun(gpu, context, &run);
}
