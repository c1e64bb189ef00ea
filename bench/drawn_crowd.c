/*
 * drawn_crowd.c: VERTEX_SHADER_CROWD and COMPUTE_DRAWN_CROWD of case_kinds.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baseline_crowd.h"
#include "crowd_check.h"
#include "gpu_program.h"
#include "library_crowd.h"
#include "measure.h"

/* Records the draws of all instances into a pass. */
typedef void (*DrawAllFn)(const void *crowd, VkCommandBuffer commandBuffer);

/* Adds the time of recording to the host time. */
static void recordPasses(const PointProgram *program, uint32_t passes, DrawAllFn drawAll, const void *crowd,
                         VkCommandBuffer commandBuffer, RunTime *time) {
    double begun = measureNow();
    for (uint32_t pass = 0; pass < passes; pass++) {
        pointProgramBegin(program, commandBuffer, false);
        drawAll(crowd, commandBuffer);
        vkCmdEndRendering(commandBuffer);
    }
    time->host += measureNow() - begun;
}

static void describePasses(const CrowdScene *scene, uint32_t passes, const char *more,
                           char settings[CASE_SETTINGS_SIZE]) {
    snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, %u pass%s%s", scene->shape.instances, passes,
             passes == 1 ? "" : "es", more);
}

static void bindSet(const PointProgram *program, VkCommandBuffer commandBuffer, VkDescriptorSet set) {
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, program->layout.handle, 0, 1, &set, 0,
                            NULL);
}

/* ---- Skinned in the vertex shader ---- */

typedef struct VertexShaderCrowd {
    SourceCrowd base;
    uint32_t passes;
    PointProgram program;
    VkDescriptorSet set;
} VertexShaderCrowd;

static void drawSources(const VertexShaderCrowd *crowd, VkCommandBuffer commandBuffer, uint32_t first, uint32_t count) {
    bindSet(&crowd->program, commandBuffer, crowd->set);
    vkCmdBindVertexBuffers(commandBuffer, 0, 1, &crowd->base.source.handle, &(const VkDeviceSize){0});
    vkCmdDraw(commandBuffer, crowd->base.scene.mesh.vertexCount, count, 0, first);
}

static void drawOneSource(void *user, VkCommandBuffer commandBuffer, uint32_t instance) {
    drawSources(user, commandBuffer, instance, 1);
}

static void drawAllSources(const void *user, VkCommandBuffer commandBuffer) {
    const VertexShaderCrowd *crowd = user;
    drawSources(crowd, commandBuffer, 0, crowd->base.scene.shape.instances);
}

static bool vertexShaderPrepare(void *state, const BenchCase *benchCase, const BenchEnvironment *environment,
                                EngineError *error) {
    VertexShaderCrowd *crowd = state;
    const DrawnCrowdDef *def = benchCase->parameters;
    const CrowdShape *shape = &def->crowd.shape;
    const PointProgramDef program = {.vertexShader = "skin_in_vertex_shader.vert",
                                     .input = &BASELINE_INPUT,
                                     .bones = shape->bones,
                                     .vertices = shape->vertices,
                                     .sets = 1};
    crowd->passes = def->passes;
    if (!sourceCrowdCreate(&crowd->base, shape, environment, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, 1, error) ||
        !pointProgramCreate(environment->clock, &program, &crowd->program, error)) {
        return false;
    }
    const BufferRange palettes = {crowd->base.palettes.handle, VK_WHOLE_SIZE};
    const BufferRange ranges[POINT_BUFFERS] = {palettes, palettes};
    return programBind(environment->device, &crowd->program.layout, ranges, &crowd->set, error);
}

static void vertexShaderDestroy(void *state) {
    VertexShaderCrowd *crowd = state;
    pointProgramDestroy(&crowd->program);
    sourceCrowdDestroy(&crowd->base);
}

/* Only the probe keeps what is drawn, and it draws from the palettes. */
static bool vertexShaderPoison(void *state, EngineError *error) {
    const VertexShaderCrowd *crowd = state;
    (void)error;
    memset(crowd->base.palettes.mapped, 0xff, (size_t)crowd->base.palettes.size);
    return true;
}

static bool vertexShaderRun(void *state, RunTime *time, EngineError *error) {
    VertexShaderCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->base.clock, error);
    if (!commandBuffer) {
        return false;
    }
    sourceCrowdWritePalettes(&crowd->base);
    recordPasses(&crowd->program, crowd->passes, drawAllSources, crowd, commandBuffer, time);
    return deviceClockEnd(crowd->base.clock, time, error);
}

static bool vertexShaderCheck(void *state, EngineError *error) {
    VertexShaderCrowd *crowd = state;
    return pointProgramCheck(&crowd->program, &crowd->base.scene, VKSKIN_VERTEX_FLOAT, drawOneSource, crowd, error);
}

static CaseTraffic vertexShaderTraffic(const void *state) {
    const VertexShaderCrowd *crowd = state;
    const CrowdScene *scene = &crowd->base.scene;
    double instances = scene->shape.instances;
    double source = (double)scene->mesh.vertexCount * sizeof(BaselineVertex);
    return (CaseTraffic){.vertices = instances * scene->mesh.vertexCount,
                         .bytesRead = crowd->passes * instances * (source + (double)scene->paletteBytes)};
}

static void vertexShaderDescribe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const VertexShaderCrowd *crowd = state;
    describePasses(&crowd->base.scene, crowd->passes, ", storage buffer", settings);
}

const CaseFunctions VERTEX_SHADER_CROWD = {
    sizeof(VertexShaderCrowd), vertexShaderPrepare, vertexShaderPoison,   vertexShaderRun,
    vertexShaderCheck,         vertexShaderTraffic, vertexShaderDescribe, vertexShaderDestroy,
};

/* ---- Skinned once, then drawn ---- */

#define PULLED_BYTES 20 /* per vertex and pass */

/* Word offsets into the page, as the shader reads them. */
typedef struct Place {
    uint32_t positions, attributes;
} Place;

/* The instances of one output page; their places are contiguous. */
typedef struct PageDraw {
    VkBuffer buffer;
    uint32_t firstPlace, count;
    VkDescriptorSet set;
} PageDraw;

typedef struct ComputeDrawnCrowd {
    LibraryCrowd library;
    uint32_t passes, instances, pageCount;
    VkskinOutput *outputs; /* [instances] */
    uint32_t *placeOf;     /* [instances]: of an instance's place */
    PageDraw *pages;       /* [pageCount] */
    Buffer places;         /* [instances] of Place */
    PointProgram program;
} ComputeDrawnCrowd;

static void drawPlaces(const ComputeDrawnCrowd *crowd, VkCommandBuffer commandBuffer, const PageDraw *page,
                       uint32_t first, uint32_t count) {
    bindSet(&crowd->program, commandBuffer, page->set);
    vkCmdDraw(commandBuffer, crowd->library.scene.mesh.vertexCount, count, 0, first);
}

static void drawOnePlace(void *user, VkCommandBuffer commandBuffer, uint32_t instance) {
    const ComputeDrawnCrowd *crowd = user;
    drawPlaces(crowd, commandBuffer, &crowd->pages[crowd->outputs[instance].page], crowd->placeOf[instance], 1);
}

static void drawAllPlaces(const void *user, VkCommandBuffer commandBuffer) {
    const ComputeDrawnCrowd *crowd = user;
    for (uint32_t p = 0; p < crowd->pageCount; p++) {
        drawPlaces(crowd, commandBuffer, &crowd->pages[p], crowd->pages[p].firstPlace, crowd->pages[p].count);
    }
}

/* The outputs are known after the first skinning and stay the same. */
static bool readOutputs(ComputeDrawnCrowd *crowd, EngineError *error) {
    RunTime unused;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->library.clock, error);
    bool good = commandBuffer && libraryCrowdRecord(&crowd->library, commandBuffer, &unused, error) &&
                libraryCrowdSubmit(&crowd->library, &unused, error);
    for (uint32_t i = 0; good && i < crowd->instances; i++) {
        VkskinOutput *output = &crowd->outputs[i];
        good = libraryCrowdOutput(&crowd->library, i, output, error);
        crowd->pageCount = good && output->page >= crowd->pageCount ? output->page + 1 : crowd->pageCount;
    }
    return good;
}

/* Sorted by page, within a page by instance. */
static void orderPlaces(ComputeDrawnCrowd *crowd) {
    Place *places = crowd->places.mapped;
    uint32_t next = 0;
    for (uint32_t p = 0; p < crowd->pageCount; p++) {
        crowd->pages[p].firstPlace = next;
        for (uint32_t i = 0; i < crowd->instances; i++) {
            const VkskinOutput *output = &crowd->outputs[i];
            if (output->page == p) {
                crowd->pages[p].buffer = output->buffer;
                crowd->placeOf[i] = next;
                places[next++] =
                    (Place){(uint32_t)(output->positionOffset / 4), (uint32_t)(output->attributeOffset / 4)};
            }
        }
        crowd->pages[p].count = next - crowd->pages[p].firstPlace;
    }
}

static bool createPlaces(ComputeDrawnCrowd *crowd, EngineError *error) {
    crowd->outputs = engineAllocate(crowd->instances, sizeof *crowd->outputs, error);
    crowd->placeOf = engineAllocate(crowd->instances, sizeof *crowd->placeOf, error);
    if (!crowd->outputs || !crowd->placeOf || !readOutputs(crowd, error)) {
        return false;
    }
    crowd->pages = engineAllocate(crowd->pageCount, sizeof *crowd->pages, error);
    if (!crowd->pages ||
        !bufferCreate(crowd->library.device, crowd->instances * sizeof(Place), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                      BUFFER_UPLOAD, "places", &crowd->places, error)) {
        return false;
    }
    orderPlaces(crowd);
    return true;
}

static bool createProgram(ComputeDrawnCrowd *crowd, EngineError *error) {
    const PointProgramDef def = {.vertexShader = "pull_skinned.vert",
                                 .vertices = crowd->library.scene.mesh.vertexCount,
                                 .sets = crowd->pageCount};
    bool made = pointProgramCreate(crowd->library.clock, &def, &crowd->program, error);
    for (uint32_t p = 0; made && p < crowd->pageCount; p++) {
        const BufferRange ranges[POINT_BUFFERS] = {{crowd->pages[p].buffer, VK_WHOLE_SIZE},
                                                   {crowd->places.handle, VK_WHOLE_SIZE}};
        made = programBind(crowd->library.device, &crowd->program.layout, ranges, &crowd->pages[p].set, error);
    }
    return made;
}

static bool computePrepare(void *state, const BenchCase *benchCase, const BenchEnvironment *environment,
                           EngineError *error) {
    ComputeDrawnCrowd *crowd = state;
    const DrawnCrowdDef *def = benchCase->parameters;
    crowd->passes = def->passes;
    if (!libraryCrowdCreate(&crowd->library, &def->crowd, environment, error)) {
        return false;
    }
    crowd->instances = crowd->library.scene.shape.instances;
    return createPlaces(crowd, error) && createProgram(crowd, error);
}

static void computeDestroy(void *state) {
    ComputeDrawnCrowd *crowd = state;
    pointProgramDestroy(&crowd->program);
    bufferDestroy(crowd->library.device, &crowd->places);
    free(crowd->pages);
    free(crowd->placeOf);
    free(crowd->outputs);
    libraryCrowdDestroy(&crowd->library);
}

static bool computePoison(void *state, EngineError *error) {
    ComputeDrawnCrowd *crowd = state;
    return libraryCrowdPoison(&crowd->library, error);
}

static bool computeRun(void *state, RunTime *time, EngineError *error) {
    ComputeDrawnCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->library.clock, error);
    if (!commandBuffer || !libraryCrowdRecord(&crowd->library, commandBuffer, time, error)) {
        return false;
    }
    recordPasses(&crowd->program, crowd->passes, drawAllPlaces, crowd, commandBuffer, time);
    return libraryCrowdSubmit(&crowd->library, time, error);
}

static bool computeCheck(void *state, EngineError *error) {
    ComputeDrawnCrowd *crowd = state;
    return pointProgramCheck(&crowd->program, &crowd->library.scene, VKSKIN_VERTEX_PACKED, drawOnePlace, crowd, error);
}

static CaseTraffic computeTraffic(const void *state) {
    const ComputeDrawnCrowd *crowd = state;
    CaseTraffic moved = libraryCrowdTraffic(&crowd->library);
    moved.bytesRead += crowd->passes * moved.vertices * PULLED_BYTES;
    return moved;
}

static void computeDescribe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const ComputeDrawnCrowd *crowd = state;
    describePasses(&crowd->library.scene, crowd->passes, "", settings);
}

const CaseFunctions COMPUTE_DRAWN_CROWD = {
    sizeof(ComputeDrawnCrowd), computePrepare, computePoison, computeRun, computeCheck, computeTraffic,
    computeDescribe,           computeDestroy,
};
