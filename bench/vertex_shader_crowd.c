/*
 * vertex_shader_crowd.c: VERTEX_SHADER_CROWD of drawn_crowd.h.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baseline_crowd.h"
#include "crowd_check.h"
#include "drawn_crowd.h"
#include "gpu_program.h"
#include "measure.h"

typedef struct VertexShaderCrowd {
    const DrawnCrowdDef *def;
    Device *device;
    DeviceClock *clock;
    CrowdScene scene;
    void *poses; /* palettes of all poses */
    Buffer source, palettes;
    PointProgram program;
    VkDescriptorSet set;
    DrawnProbe probe;
} VertexShaderCrowd;

static const VkVertexInputBindingDescription BINDING = {0, sizeof(BaselineVertex), VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription ATTRIBUTES[] = {
    {0, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(BaselineVertex, position)},
    {1, 0, VK_FORMAT_R32G32B32_SFLOAT, offsetof(BaselineVertex, normal)},
    {2, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(BaselineVertex, tangent)},
    {3, 0, VK_FORMAT_R8G8B8A8_UINT, offsetof(BaselineVertex, joints)},
    {4, 0, VK_FORMAT_R8G8B8A8_UNORM, offsetof(BaselineVertex, weights)},
};
static const VkPipelineVertexInputStateCreateInfo INPUT = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
    .vertexBindingDescriptionCount = 1,
    .pVertexBindingDescriptions = &BINDING,
    .vertexAttributeDescriptionCount = sizeof ATTRIBUTES / sizeof ATTRIBUTES[0],
    .pVertexAttributeDescriptions = ATTRIBUTES,
};

static void draw(void *user, VkCommandBuffer commandBuffer, uint32_t first, uint32_t count) {
    const VertexShaderCrowd *crowd = user;
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, crowd->program.layout.handle, 0, 1,
                            &crowd->set, 0, NULL);
    vkCmdBindVertexBuffers(commandBuffer, 0, 1, &crowd->source.handle, &(const VkDeviceSize){0});
    vkCmdDraw(commandBuffer, crowd->scene.mesh.vertexCount, count, 0, first);
}

static void drawOne(void *user, VkCommandBuffer commandBuffer, uint32_t instance) {
    draw(user, commandBuffer, instance, 1);
}

/* ---- Making ---- */

static size_t paletteBytes(const VertexShaderCrowd *crowd) {
    return (size_t)crowd->scene.shape.bones * vkskinPaletteStride(VKSKIN_PALETTE_MAT3X4);
}

static bool createBuffers(VertexShaderCrowd *crowd, EngineError *error) {
    BaselineVertex *vertices = newBaselineVertices(&crowd->scene.mesh);
    crowd->poses = newCrowdPalettes(&crowd->scene, VKSKIN_PALETTE_MAT3X4);
    bool made = (vertices && crowd->poses) || engineFail(error, "out of memory");
    made = made &&
           bufferCreateFilled(crowd->device, vertices, crowd->scene.mesh.vertexCount * sizeof *vertices,
                              VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "source", &crowd->source, error) &&
           bufferCreate(crowd->device, crowd->scene.shape.instances * paletteBytes(crowd),
                        VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, BUFFER_UPLOAD, "palettes", &crowd->palettes, error);
    free(vertices);
    return made;
}

static bool createProgram(VertexShaderCrowd *crowd, EngineError *error) {
    PointProgramDef def = {.vertexShader = "skin_in_vertex_shader.vert",
                           .input = &INPUT,
                           .bones = crowd->scene.shape.bones,
                           .vertices = crowd->scene.mesh.vertexCount,
                           .sets = 1};
    BufferRange ranges[POINT_BUFFERS] = {{crowd->palettes.handle, VK_WHOLE_SIZE},
                                         {crowd->palettes.handle, VK_WHOLE_SIZE}};
    crowd->probe = (DrawnProbe){.clock = crowd->clock,
                                .program = &crowd->program,
                                .format = VKSKIN_VERTEX_FLOAT,
                                .draw = drawOne,
                                .user = crowd};
    return pointProgramCreate(crowd->device, &def, &crowd->program, error) &&
           programBind(crowd->device, &crowd->program.layout, ranges, &crowd->set, error) &&
           drawnProbeCreate(&crowd->probe, error);
}

static void destroy(void *state) {
    VertexShaderCrowd *crowd = state;
    drawnProbeDestroy(&crowd->probe);
    pointProgramDestroy(&crowd->program);
    bufferDestroy(crowd->device, &crowd->palettes);
    bufferDestroy(crowd->device, &crowd->source);
    free(crowd->poses);
    crowdSceneDestroy(&crowd->scene);
    free(crowd);
}

static void *prepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    VertexShaderCrowd *crowd = calloc(1, sizeof *crowd);
    if (!crowd) {
        engineFail(error, "out of memory");
        return NULL;
    }
    crowd->def = benchCase->parameters;
    crowd->device = environment->device;
    crowd->clock = environment->clock;
    if (!crowdSceneCreate(&crowd->def->crowd.shape, &crowd->scene, error) || !createBuffers(crowd, error) ||
        !createProgram(crowd, error)) {
        destroy(crowd);
        crowd = NULL;
    }
    return crowd;
}

/* ---- Running ---- */

/* Only the probe keeps what is drawn, and it draws from the palettes. */
static bool poison(void *state, EngineError *error) {
    const VertexShaderCrowd *crowd = state;
    (void)error;
    memset(crowd->palettes.mapped, 0xff, (size_t)crowd->palettes.size);
    return true;
}

static void writePalettes(const VertexShaderCrowd *crowd) {
    size_t size = paletteBytes(crowd);
    for (uint32_t i = 0; i < crowd->scene.shape.instances; i++) {
        memcpy((char *)crowd->palettes.mapped + i * size,
               (const char *)crowd->poses + i % crowd->scene.poseCount * size, size);
    }
}

static bool run(void *state, RunTime *time, EngineError *error) {
    VertexShaderCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    if (!commandBuffer) {
        return false;
    }
    writePalettes(crowd);
    double begun = measureNow();
    for (uint32_t pass = 0; pass < crowd->def->passes; pass++) {
        pointProgramBegin(&crowd->program, commandBuffer, false, 0.0f);
        draw(crowd, commandBuffer, 0, crowd->scene.shape.instances);
        pointProgramEnd(commandBuffer);
    }
    time->host = measureNow() - begun;
    return deviceClockEnd(crowd->clock, time, error);
}

static bool check(void *state, EngineError *error) {
    VertexShaderCrowd *crowd = state;
    return drawnProbeCheck(&crowd->probe, &crowd->scene, error);
}

static CaseTraffic traffic(const void *state) {
    const VertexShaderCrowd *crowd = state;
    double instances = crowd->scene.shape.instances;
    double source = (double)crowd->scene.mesh.vertexCount * sizeof(BaselineVertex);
    CaseTraffic moved = {.vertices = instances * crowd->scene.mesh.vertexCount,
                         .bytesRead = crowd->def->passes * instances * (source + (double)paletteBytes(crowd))};
    moved.limitBytes = moved.bytesRead;
    return moved;
}

static void describe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const VertexShaderCrowd *crowd = state;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, %u pass%s, storage buffer", crowd->scene.shape.instances,
             crowd->def->passes, crowd->def->passes == 1 ? "" : "es");
}

const CaseFunctions VERTEX_SHADER_CROWD = {NULL, prepare, poison, run, check, traffic, describe, destroy};
