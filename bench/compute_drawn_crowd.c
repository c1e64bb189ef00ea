/*
 * compute_drawn_crowd.c: COMPUTE_DRAWN_CROWD of drawn_crowd.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "drawn_crowd.h"
#include "gpu_program.h"
#include "measure.h"

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
    const DrawnCrowdDef *def;
    Device *device;
    DeviceClock *clock;
    LibraryCrowd *library;
    uint32_t instances, vertices, pageCount;
    VkskinOutput *outputs; /* [instances] */
    uint32_t *placeOf;     /* [instances]: of an instance's place */
    PageDraw *pages;       /* [pageCount] */
    Buffer places;         /* [instances] of Place */
    PointProgram program;
    DrawnProbe probe;
} ComputeDrawnCrowd;

static void drawRange(const ComputeDrawnCrowd *crowd, VkCommandBuffer commandBuffer, const PageDraw *page,
                      uint32_t first, uint32_t count) {
    vkCmdBindDescriptorSets(commandBuffer, VK_PIPELINE_BIND_POINT_GRAPHICS, crowd->program.layout.handle, 0, 1,
                            &page->set, 0, NULL);
    vkCmdDraw(commandBuffer, crowd->vertices, count, 0, first);
}

static void drawOne(void *user, VkCommandBuffer commandBuffer, uint32_t instance) {
    const ComputeDrawnCrowd *crowd = user;
    drawRange(crowd, commandBuffer, &crowd->pages[crowd->outputs[instance].page], crowd->placeOf[instance], 1);
}

/* ---- Making ---- */

/* The outputs are known after the first skinning and stay the same. */
static bool readOutputs(ComputeDrawnCrowd *crowd, EngineError *error) {
    RunTime unused;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    bool good = commandBuffer && libraryCrowdRecord(crowd->library, commandBuffer, &unused, error) &&
                libraryCrowdSubmit(crowd->library, &unused, error);
    for (uint32_t i = 0; good && i < crowd->instances; i++) {
        VkskinOutput *output = &crowd->outputs[i];
        good = libraryCrowdOutput(crowd->library, i, output, error);
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
    crowd->outputs = calloc(crowd->instances, sizeof *crowd->outputs);
    crowd->placeOf = calloc(crowd->instances, sizeof *crowd->placeOf);
    if (!crowd->outputs || !crowd->placeOf) {
        return engineFail(error, "out of memory");
    }
    if (!readOutputs(crowd, error)) {
        return false;
    }
    crowd->pages = calloc(crowd->pageCount, sizeof *crowd->pages);
    if (!crowd->pages) {
        return engineFail(error, "out of memory");
    }
    if (!bufferCreate(crowd->device, crowd->instances * sizeof(Place), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
                      BUFFER_UPLOAD, "places", &crowd->places, error)) {
        return false;
    }
    orderPlaces(crowd);
    return true;
}

static bool createProgram(ComputeDrawnCrowd *crowd, EngineError *error) {
    PointProgramDef def = {.vertexShader = "pull_skinned.vert", .vertices = crowd->vertices, .sets = crowd->pageCount};
    crowd->probe = (DrawnProbe){.clock = crowd->clock,
                                .program = &crowd->program,
                                .format = VKSKIN_VERTEX_PACKED,
                                .draw = drawOne,
                                .user = crowd};
    bool made = pointProgramCreate(crowd->device, &def, &crowd->program, error);
    for (uint32_t p = 0; made && p < crowd->pageCount; p++) {
        BufferRange ranges[POINT_BUFFERS] = {{crowd->pages[p].buffer, VK_WHOLE_SIZE},
                                             {crowd->places.handle, VK_WHOLE_SIZE}};
        made = programBind(crowd->device, &crowd->program.layout, ranges, &crowd->pages[p].set, error);
    }
    return made && drawnProbeCreate(&crowd->probe, error);
}

static void destroy(void *state) {
    ComputeDrawnCrowd *crowd = state;
    drawnProbeDestroy(&crowd->probe);
    pointProgramDestroy(&crowd->program);
    bufferDestroy(crowd->device, &crowd->places);
    free(crowd->pages);
    free(crowd->placeOf);
    free(crowd->outputs);
    libraryCrowdDestroy(crowd->library);
    free(crowd);
}

static void *prepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    ComputeDrawnCrowd *crowd = calloc(1, sizeof *crowd);
    if (!crowd) {
        engineFail(error, "out of memory");
        return NULL;
    }
    crowd->def = benchCase->parameters;
    crowd->device = environment->device;
    crowd->clock = environment->clock;
    crowd->library = libraryCrowdCreate(&crowd->def->crowd, environment, error);
    if (crowd->library) {
        crowd->instances = crowd->library->scene.shape.instances;
        crowd->vertices = crowd->library->scene.mesh.vertexCount;
    }
    if (!crowd->library || !createPlaces(crowd, error) || !createProgram(crowd, error)) {
        destroy(crowd);
        crowd = NULL;
    }
    return crowd;
}

/* ---- Running ---- */

static bool poison(void *state, EngineError *error) {
    ComputeDrawnCrowd *crowd = state;
    return libraryCrowdPoison(crowd->library, error);
}

static bool run(void *state, RunTime *time, EngineError *error) {
    ComputeDrawnCrowd *crowd = state;
    VkCommandBuffer commandBuffer = deviceClockBegin(crowd->clock, error);
    if (!commandBuffer || !libraryCrowdRecord(crowd->library, commandBuffer, time, error)) {
        return false;
    }
    double begun = measureNow();
    for (uint32_t pass = 0; pass < crowd->def->passes; pass++) {
        pointProgramBegin(&crowd->program, commandBuffer, false, 0.0f);
        for (uint32_t p = 0; p < crowd->pageCount; p++) {
            drawRange(crowd, commandBuffer, &crowd->pages[p], crowd->pages[p].firstPlace, crowd->pages[p].count);
        }
        pointProgramEnd(commandBuffer);
    }
    time->host += measureNow() - begun;
    return libraryCrowdSubmit(crowd->library, time, error);
}

static bool check(void *state, EngineError *error) {
    ComputeDrawnCrowd *crowd = state;
    return drawnProbeCheck(&crowd->probe, &crowd->library->scene, error);
}

static CaseTraffic traffic(const void *state) {
    const ComputeDrawnCrowd *crowd = state;
    CaseTraffic moved = libraryCrowdTraffic(crowd->library);
    moved.bytesRead += crowd->def->passes * moved.vertices * PULLED_BYTES;
    moved.limitBytes = moved.bytesRead + moved.bytesWritten;
    return moved;
}

static void describe(const void *state, char settings[CASE_SETTINGS_SIZE]) {
    const ComputeDrawnCrowd *crowd = state;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u instances, %u pass%s", crowd->instances, crowd->def->passes,
             crowd->def->passes == 1 ? "" : "es");
}

const CaseFunctions COMPUTE_DRAWN_CROWD = {NULL, prepare, poison, run, check, traffic, describe, destroy};
