#include "baseline_crowd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_kinds.h"
#include "crowd_check.h"
#include "gpu_program.h"
#include "measure.h"

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

static const VkVertexInputBindingDescription BINDING = {0, sizeof(BaselineVertex), VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription ATTRIBUTES[] = {
    {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(BaselineVertex, position)},
    {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(BaselineVertex, normal)},
    {2, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(BaselineVertex, tangent)},
    {3, 0, VK_FORMAT_R8G8B8A8_UINT, offsetof(BaselineVertex, joints)},
    {4, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(BaselineVertex, weights)},
};
const VkPipelineVertexInputStateCreateInfo BASELINE_INPUT = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
    .vertexBindingDescriptionCount = 1,
    .pVertexBindingDescriptions = &BINDING,
    .vertexAttributeDescriptionCount = sizeof ATTRIBUTES / sizeof ATTRIBUTES[0],
    .pVertexAttributeDescriptions = ATTRIBUTES,
};

static VkDeviceSize roundUp(VkDeviceSize size, VkDeviceSize unit) {
    return (size + unit - 1) / unit * unit;
}

static bool createSource(SourceCrowd *crowd, VkBufferUsageFlags usage, EngineError *error) {
    const ModelMesh *mesh = &crowd->scene.mesh;
    BaselineVertex *vertices = engineAllocate(mesh->vertexCount, sizeof *vertices, error);
    for (uint32_t v = 0; vertices && v < mesh->vertexCount; v++) {
        packVertex(mesh, v, &vertices[v]);
    }
    bool made = vertices && bufferCreateFilled(crowd->device, vertices, mesh->vertexCount * sizeof *vertices, usage,
                                               "source", &crowd->source, error);
    free(vertices);
    return made;
}

bool sourceCrowdCreate(SourceCrowd *crowd, const CrowdShape *shape, const BenchEnvironment *environment,
                       VkBufferUsageFlags usage, VkDeviceSize alignment, EngineError *error) {
    crowd->device = environment->device;
    crowd->clock = environment->clock;
    if (!crowdSceneCreate(shape, SKIN_MODE_LBS, &crowd->scene, error)) {
        return false;
    }
    crowd->paletteStride = roundUp(crowd->scene.paletteBytes, alignment);
    return createSource(crowd, usage, error) &&
           bufferCreate(crowd->device, shape->instances * crowd->paletteStride, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                        BUFFER_UPLOAD, "palettes", &crowd->palettes, error);
}

void sourceCrowdDestroy(SourceCrowd *crowd) {
    bufferDestroy(crowd->device, &crowd->palettes);
    bufferDestroy(crowd->device, &crowd->source);
    crowdSceneDestroy(&crowd->scene);
}

void sourceCrowdWritePalettes(const SourceCrowd *crowd) {
    for (uint32_t i = 0; i < crowd->scene.shape.instances; i++) {
        memcpy((char *)crowd->palettes.mapped + i * crowd->paletteStride, crowdScenePalette(&crowd->scene, i),
               crowd->scene.paletteBytes);
    }
}

/* ---- The baseline ---- */

#define WORKGROUP    64
#define OUTPUT_BYTES 40                      /* per vertex: position, normal, tangent */
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
    SourceCrowd base;
    Buffer readback;
    VkDeviceSize outputStride; /* between instances, aligned for dynamic offsets */
    uint32_t pageCount, instancesPerPage;
    OutputPage *pages; /* [pageCount] */
    ComputeProgram program;
} BaselineCrowd;

static VkDeviceSize instanceBytes(const BaselineCrowd *crowd) {
    return (VkDeviceSize)crowd->base.scene.mesh.vertexCount * OUTPUT_BYTES;
}

static uint32_t pageInstances(const BaselineCrowd *crowd, uint32_t page) {
    uint32_t left = crowd->base.scene.shape.instances - page * crowd->instancesPerPage;
    return left < crowd->instancesPerPage ? left : crowd->instancesPerPage;
}

static bool createPages(BaselineCrowd *crowd, EngineError *error) {
    VkDeviceSize most = crowd->base.device->limits.maxStorageBufferRange;
    most = most < PAGE_BYTES ? most : PAGE_BYTES;
    crowd->instancesPerPage = (uint32_t)(most / crowd->outputStride);
    crowd->pageCount = (crowd->base.scene.shape.instances + crowd->instancesPerPage - 1) / crowd->instancesPerPage;
    crowd->pages = engineAllocate(crowd->pageCount, sizeof *crowd->pages, error);
    bool made = crowd->pages;
    for (uint32_t p = 0; made && p < crowd->pageCount; p++) {
        made = bufferCreate(crowd->base.device, pageInstances(crowd, p) * crowd->outputStride,
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                VK_BUFFER_USAGE_TRANSFER_DST_BIT,
                            BUFFER_DEVICE, "skinned", &crowd->pages[p].buffer, error);
    }
    return made;
}

static bool createProgram(BaselineCrowd *crowd, EngineError *error) {
    ComputeProgramDef def = {
        .shader = "baseline.comp", .bufferCount = 3, .pushSize = sizeof(Push), .sets = crowd->pageCount};
    bool made = computeProgramCreate(crowd->base.device, &def, &crowd->program, error);
    for (uint32_t p = 0; made && p < crowd->pageCount; p++) {
        BufferRange ranges[] = {{crowd->base.source.handle, VK_WHOLE_SIZE},
                                {crowd->base.palettes.handle, crowd->base.scene.paletteBytes},
                                {crowd->pages[p].buffer.handle, instanceBytes(crowd)}};
        made = programBind(crowd->base.device, &crowd->program.layout, ranges, &crowd->pages[p].set, error);
    }
    return made;
}

static void destroy(void *state) {
    BaselineCrowd *crowd = state;
    computeProgramDestroy(&crowd->program);
    for (uint32_t p = 0; crowd->pages && p < crowd->pageCount; p++) {
        bufferDestroy(crowd->base.device, &crowd->pages[p].buffer);
    }
    free(crowd->pages);
    bufferDestroy(crowd->base.device, &crowd->readback);
    sourceCrowdDestroy(&crowd->base);
}

static bool prepare(void *state, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    BaselineCrowd *crowd = state;
    const VkDeviceSize alignment = environment->device->limits.minStorageBufferOffsetAlignment;
    if (!sourceCrowdCreate(&crowd->base, benchCase->parameters, environment, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                           alignment, error)) {
        return false;
    }
    crowd->outputStride = roundUp(instanceBytes(crowd), alignment);
    return createPages(crowd, error) && createProgram(crowd, error) &&
           bufferCreateReadback(crowd->base.device, instanceBytes(crowd), "readback", &crowd->readback, error);
}

/* ---- Running ---- */

static void recordPage(const BaselineCrowd *crowd, VkCommandBuffer commandBuffer, uint32_t page) {
    Push push = {crowd->base.scene.mesh.vertexCount};
    VkPipelineLayout layout = crowd->program.layout.handle;
    for (uint32_t i = 0; i < pageInstances(crowd, page); i++) {
        uint32_t instance = page * crowd->instancesPerPage + i;
        uint32_t offsets[3] = {0, (uint32_t)(instance * crowd->base.paletteStride),
                               (uint32_t)(i * crowd->outputStride)};
        vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &crowd->pages[page].set, 3,
                                offsets);
        vkCmdPushConstants(commandBuffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof push, &push);
        vkCmdDispatch(commandBuffer, (push.vertexCount + WORKGROUP - 1) / WORKGROUP, 1, 1);
    }
}

static bool run(void *state, RunTime *time, EngineError *error) {
    BaselineCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->base.clock, error);
    if (!commandBuffer) {
        return false;
    }
    sourceCrowdWritePalettes(&crowd->base);
    double begun = measureNow();
    vkCmdBindPipeline(commandBuffer, VK_PIPELINE_BIND_POINT_COMPUTE, crowd->program.pipeline);
    for (uint32_t p = 0; p < crowd->pageCount; p++) {
        recordPage(crowd, commandBuffer, p);
    }
    time->host = measureNow() - begun;
    return deviceClockEnd(crowd->base.clock, time, error);
}

/* ---- Checking ---- */

static bool poison(void *state, EngineError *error) {
    const BaselineCrowd *crowd = state;
    bool good = true;
    for (uint32_t p = 0; good && p < crowd->pageCount; p++) {
        good = deviceClockFill(crowd->base.clock, crowd->pages[p].buffer.handle, CROWD_POISON, error);
    }
    return good;
}

static const char *fetch(void *user, uint32_t instance, VkskinOutput *layout, EngineError *error) {
    BaselineCrowd *crowd = user;
    VkBufferCopy region = {.srcOffset = instance % crowd->instancesPerPage * crowd->outputStride,
                           .size = instanceBytes(crowd)};
    *layout = (VkskinOutput){.attributeOffset = 12, .positionStride = OUTPUT_BYTES, .attributeStride = OUTPUT_BYTES};
    return deviceClockRead(crowd->base.clock, crowd->pages[instance / crowd->instancesPerPage].buffer.handle, &region,
                           1, crowd->readback.handle, error)
               ? crowd->readback.mapped
               : NULL;
}

static bool check(void *state, EngineError *error) {
    BaselineCrowd *crowd = state;
    CrowdOutput output = {
        .format = VKSKIN_VERTEX_FLOAT, .precision = VKSKIN_VERTEX_FLOAT, .fetch = fetch, .user = crowd};
    return crowdCheck(&crowd->base.scene, &output, error);
}

/* ---- Numbers ---- */

static CaseTraffic traffic(const void *state) {
    const BaselineCrowd *crowd = state;
    double instances = crowd->base.scene.shape.instances;
    double vertices = instances * crowd->base.scene.mesh.vertexCount;
    return (CaseTraffic){.vertices = vertices,
                         .bytesRead =
                             vertices * sizeof(BaselineVertex) + instances * (double)crowd->base.scene.paletteBytes,
                         .bytesWritten = vertices * OUTPUT_BYTES};
}

static void describe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const BaselineCrowd *crowd = state;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, K 1, workgroup %d, storage buffer",
             crowd->base.scene.shape.instances, WORKGROUP);
}

const CaseFunctions BASELINE_CROWD = {sizeof(BaselineCrowd), prepare, poison, run, check, traffic, describe, destroy};
