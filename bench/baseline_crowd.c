#include "baseline_crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd_check.h"
#include "gpu_program.h"
#include "measure.h"
#include "model.h"

static void packVertex(const ModelMesh *mesh, uint32_t vertex, BaselineVertex *packed) {
    memcpy(packed->position, &mesh->positions[(size_t)vertex * 3], sizeof packed->position);
    memcpy(packed->normal, &mesh->normals[(size_t)vertex * 3], sizeof packed->normal);
    memcpy(packed->tangent, &mesh->tangents[(size_t)vertex * 4], sizeof packed->tangent);
    for (uint32_t i = 0; i < 4; i++) {
        size_t place = (size_t)vertex * mesh->influences + i;
        packed->joints[i] = (uint8_t)mesh->joints[place];
        packed->weights[i] = (uint8_t)(mesh->weights[place] * 255.0f + 0.5f);
    }
}

BaselineVertex *newBaselineVertices(const ModelMesh *mesh) {
    BaselineVertex *vertices = calloc(mesh->vertexCount, sizeof *vertices);
    for (uint32_t v = 0; vertices && v < mesh->vertexCount; v++) {
        packVertex(mesh, v, &vertices[v]);
    }
    return vertices;
}

#define WORKGROUP    64
#define OUTPUT_BYTES 40 /* per vertex */
#define BONE_BYTES   48
#define PAGE_BYTES   ((VkDeviceSize)1 << 30) /* maximum; lowered to the limit of the device */

typedef struct Push {
    uint32_t vertexCount;
} Push;

/* A part of the output that one descriptor can bind. */
typedef struct OutputPage {
    Buffer buffer;
    VkDescriptorSet set;
} OutputPage;

typedef struct BaselineCrowd {
    Device *device;
    DeviceClock *clock;
    CrowdScene scene;
    void *poses; /* palettes of all poses */
    Buffer source, palettes, readback;
    VkDeviceSize paletteStride, outputStride; /* between instances, aligned for dynamic offsets */
    uint32_t pageCount, instancesPerPage;
    OutputPage *pages; /* [pageCount] */
    ComputeProgram program;
} BaselineCrowd;

/* ---- Making ---- */

static bool createSource(BaselineCrowd *crowd, EngineError *error) {
    uint32_t count = crowd->scene.mesh.vertexCount;
    BaselineVertex *vertices = newBaselineVertices(&crowd->scene.mesh);
    bool made = vertices ? bufferCreateFilled(crowd->device, vertices, count * sizeof *vertices,
                                              VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, "source", &crowd->source, error)
                         : engineFail(error, "out of memory");
    free(vertices);
    return made;
}

static VkDeviceSize instanceBytes(const BaselineCrowd *crowd) {
    return (VkDeviceSize)crowd->scene.mesh.vertexCount * OUTPUT_BYTES;
}

static size_t paletteBytes(const BaselineCrowd *crowd) {
    return (size_t)crowd->scene.shape.bones * BONE_BYTES;
}

static VkDeviceSize roundUp(const BaselineCrowd *crowd, VkDeviceSize size) {
    VkDeviceSize unit = crowd->device->limits.minStorageBufferOffsetAlignment;
    return (size + unit - 1) / unit * unit;
}

static uint32_t pageInstances(const BaselineCrowd *crowd, uint32_t page) {
    uint32_t left = crowd->scene.shape.instances - page * crowd->instancesPerPage;
    return left < crowd->instancesPerPage ? left : crowd->instancesPerPage;
}

static bool createPages(BaselineCrowd *crowd, EngineError *error) {
    VkDeviceSize most = crowd->device->limits.maxStorageBufferRange;
    most = most < PAGE_BYTES ? most : PAGE_BYTES;
    crowd->instancesPerPage = (uint32_t)(most / crowd->outputStride);
    crowd->pageCount = (crowd->scene.shape.instances + crowd->instancesPerPage - 1) / crowd->instancesPerPage;
    crowd->pages = calloc(crowd->pageCount, sizeof *crowd->pages);
    bool made = crowd->pages || engineFail(error, "out of memory");
    for (uint32_t p = 0; made && p < crowd->pageCount; p++) {
        made = bufferCreate(crowd->device, pageInstances(crowd, p) * crowd->outputStride,
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            BUFFER_DEVICE, "skinned", &crowd->pages[p].buffer, error);
    }
    return made;
}

static bool createBuffers(BaselineCrowd *crowd, EngineError *error) {
    crowd->paletteStride = roundUp(crowd, paletteBytes(crowd));
    crowd->outputStride = roundUp(crowd, instanceBytes(crowd));
    return createSource(crowd, error) && createPages(crowd, error) &&
           bufferCreate(crowd->device, crowd->scene.shape.instances * crowd->paletteStride,
                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, BUFFER_UPLOAD, "palettes", &crowd->palettes, error) &&
           bufferCreate(crowd->device, instanceBytes(crowd), VK_BUFFER_USAGE_TRANSFER_DST_BIT, BUFFER_READBACK,
                        "readback", &crowd->readback, error);
}

static bool createProgram(BaselineCrowd *crowd, EngineError *error) {
    ComputeProgramDef def = {
        .shader = "baseline.comp", .bufferCount = 3, .pushSize = sizeof(Push), .sets = crowd->pageCount};
    bool made = computeProgramCreate(crowd->device, &def, &crowd->program, error);
    for (uint32_t p = 0; made && p < crowd->pageCount; p++) {
        BufferRange ranges[] = {{crowd->source.handle, VK_WHOLE_SIZE},
                                {crowd->palettes.handle, paletteBytes(crowd)},
                                {crowd->pages[p].buffer.handle, instanceBytes(crowd)}};
        made = programBind(crowd->device, &crowd->program.layout, ranges, &crowd->pages[p].set, error);
    }
    return made;
}

static void destroy(void *state) {
    BaselineCrowd *crowd = state;
    computeProgramDestroy(&crowd->program);
    for (uint32_t p = 0; crowd->pages && p < crowd->pageCount; p++) {
        bufferDestroy(crowd->device, &crowd->pages[p].buffer);
    }
    bufferDestroy(crowd->device, &crowd->readback);
    bufferDestroy(crowd->device, &crowd->palettes);
    bufferDestroy(crowd->device, &crowd->source);
    free(crowd->pages);
    free(crowd->poses);
    crowdSceneDestroy(&crowd->scene);
    free(crowd);
}

static void *prepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    BaselineCrowd *crowd = calloc(1, sizeof *crowd);
    if (!crowd) {
        engineFail(error, "out of memory");
        return NULL;
    }
    crowd->device = environment->device;
    crowd->clock = environment->clock;
    bool made = crowdSceneCreate(benchCase->parameters, &crowd->scene, error);
    if (made) {
        crowd->poses = newCrowdPalettes(&crowd->scene, VKSKIN_PALETTE_MAT3X4);
        made = crowd->poses || engineFail(error, "out of memory");
    }
    if (!made || !createBuffers(crowd, error) || !createProgram(crowd, error)) {
        destroy(crowd);
        crowd = NULL;
    }
    return crowd;
}

/* ---- Running ---- */

static void writePalettes(BaselineCrowd *crowd) {
    size_t size = paletteBytes(crowd);
    for (uint32_t i = 0; i < crowd->scene.shape.instances; i++) {
        memcpy((char *)crowd->palettes.mapped + i * crowd->paletteStride,
               (const char *)crowd->poses + i % crowd->scene.poseCount * size, size);
    }
}

static void recordPage(const BaselineCrowd *crowd, VkCommandBuffer commandBuffer, uint32_t page) {
    Push push = {crowd->scene.mesh.vertexCount};
    VkPipelineLayout layout = crowd->program.layout.handle;
    for (uint32_t i = 0; i < pageInstances(crowd, page); i++) {
        uint32_t instance = page * crowd->instancesPerPage + i;
        uint32_t offsets[3] = {0, (uint32_t)(instance * crowd->paletteStride), (uint32_t)(i * crowd->outputStride)};
        vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &crowd->pages[page].set, 3,
                                offsets);
        vkCmdPushConstants(commandBuffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
        vkCmdDispatch(commandBuffer, (push.vertexCount + WORKGROUP - 1) / WORKGROUP, 1, 1);
    }
}

static bool run(void *state, RunTime *time, EngineError *error) {
    BaselineCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    if (!commandBuffer) {
        return false;
    }
    writePalettes(crowd);
    double begun = measureNow();
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, crowd->program.pipeline);
    for (uint32_t p = 0; p < crowd->pageCount; p++) {
        recordPage(crowd, commandBuffer, p);
    }
    time->host = measureNow() - begun;
    return deviceClockEnd(crowd->clock, time, error);
}

/* ---- Checking ---- */

static bool poison(void *state, EngineError *error) {
    BaselineCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    if (!commandBuffer) {
        return false;
    }
    for (uint32_t p = 0; p < crowd->pageCount; p++) {
        vkCmdFillBuffer(commandBuffer, crowd->pages[p].buffer.handle, 0, VK_WHOLE_SIZE, CROWD_POISON);
    }
    return deviceClockEnd(crowd->clock, NULL, error);
}

static bool fetch(void *user, uint32_t instance, EngineError *error) {
    BaselineCrowd *crowd = user;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    if (!commandBuffer) {
        return false;
    }
    VkBufferCopy region = {.srcOffset = instance % crowd->instancesPerPage * crowd->outputStride,
                           .size = instanceBytes(crowd)};
    vkCmdCopyBuffer(commandBuffer, crowd->pages[instance / crowd->instancesPerPage].buffer.handle,
                    crowd->readback.handle, 1, &region);
    copyToHostBarrier(commandBuffer);
    return deviceClockEnd(crowd->clock, NULL, error);
}

static const char *vertexAt(const void *user, uint32_t vertex) {
    const BaselineCrowd *crowd = user;
    return (const char *)crowd->readback.mapped + (size_t)vertex * OUTPUT_BYTES;
}

static ReadVertex readOutput(const void *user, uint32_t vertex) {
    float values[10];
    ReadVertex read;
    memcpy(values, vertexAt(user, vertex), sizeof values);
    for (int i = 0; i < 3; i++) {
        read.position[i] = values[i];
        read.normal[i] = values[3 + i];
        read.tangent[i] = values[6 + i];
    }
    read.tangent[3] = values[9];
    return read;
}

static bool isPoison(const void *user, uint32_t vertex) {
    return crowdIsPoison(vertexAt(user, vertex), 12) || crowdIsPoison(vertexAt(user, vertex) + 12, 28);
}

static bool check(void *state, EngineError *error) {
    BaselineCrowd *crowd = state;
    CrowdOutput output = {
        .format = VKSKIN_VERTEX_FLOAT, .fetch = fetch, .read = readOutput, .isPoison = isPoison, .user = crowd};
    return crowdCheck(&crowd->scene, &output, error);
}

/* ---- Telling ---- */

static CaseTraffic traffic(const void *state) {
    const BaselineCrowd *crowd = state;
    double instances = crowd->scene.shape.instances;
    double vertices = instances * crowd->scene.mesh.vertexCount;
    CaseTraffic moved = {.vertices = vertices,
                         .bytesRead = vertices * sizeof(BaselineVertex) + instances * (double)paletteBytes(crowd),
                         .bytesWritten = vertices * OUTPUT_BYTES};
    moved.limitBytes = moved.bytesRead + moved.bytesWritten;
    return moved;
}

static void describe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const BaselineCrowd *crowd = state;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, K 1, workgroup %d, storage buffer",
             crowd->scene.shape.instances, WORKGROUP);
}

const CaseFunctions BASELINE_CROWD = {NULL, prepare, poison, run, check, traffic, describe, destroy};
