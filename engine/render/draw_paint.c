#include "draw_paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct PaintBuffer {
    Paint paint;           /* the bone's name is a copy */
    Buffer colours;        /* unorm16 x 4 per vertex; zero if the paint is none */
    VkDeviceSize *offsets; /* bytes to the colours of each mesh, kind by kind */
    uint32_t *starts;      /* [modelCount] into offsets */
    uint32_t frames;       /* for an older one: begun since it was replaced */
    PaintBuffer *next;
};

static void destroyOne(Device *device, PaintBuffer *buffer) {
    bufferDestroy(device, &buffer->colours);
    free((char *)buffer->paint.bone);
    free(buffer->offsets);
    free(buffer->starts);
    free(buffer);
}

/* Gives each mesh its place. *vertices receives those of all meshes. */
static bool placeMeshes(const System *system, PaintBuffer *buffer, uint64_t *vertices, EngineError *error) {
    const uint32_t kinds = system->population->modelCount;
    uint32_t count = 0;
    buffer->starts = engineAllocate(kinds, sizeof(*buffer->starts), error);
    for (uint32_t kind = 0; kind < kinds && buffer->starts; kind++) {
        buffer->starts[kind] = count;
        count += systemMeshCount(system, kind);
    }
    buffer->offsets = buffer->starts ? engineAllocate(count, sizeof(*buffer->offsets), error) : NULL;
    *vertices = 0;
    for (uint32_t kind = 0; kind < kinds && buffer->offsets; kind++) {
        for (uint32_t i = 0; i < systemMeshCount(system, kind); i++) {
            buffer->offsets[buffer->starts[kind] + i] = *vertices * 4 * sizeof(uint16_t);
            *vertices += system->meshes[kind][i].vertexCount;
        }
    }
    return buffer->offsets;
}

typedef struct Painting {
    const System *system;
    const Paint *paint;
    const PaintBuffer *buffer;
    uint16_t *colours; /* [vertices][4] */
    PaintFaults found;
} Painting;

static bool paintMesh(void *user, uint32_t kind, uint32_t index, const ModelMesh *source, EngineError *error) {
    Painting *painting = user;
    const Model *model = painting->system->population->models[kind]->model;
    const SystemMesh *drawn = &painting->system->meshes[kind][index];
    const VkDeviceSize offset = painting->buffer->offsets[painting->buffer->starts[kind] + index];
    uint16_t *target = painting->colours + offset / sizeof(*target);
    float(*colours)[4] = engineAllocate(source->vertexCount, sizeof(*colours), error);
    const bool good = colours && paintModelMesh(painting->paint, model, index % model->meshCount, source,
                                                index / model->meshCount, &painting->found, colours, error);
    for (size_t v = 0; good && v < drawn->vertexCount; v++) {
        for (size_t c = 0; c < 4; c++) {
            target[4 * v + c] = (uint16_t)lroundf(colours[drawn->origins ? drawn->origins[v] : v][c] * 65535.0f);
        }
    }
    free(colours);
    return good;
}

static bool fill(const System *system, const Paint *paint, PaintBuffer *buffer, EngineError *error) {
    uint64_t vertices = 0;
    if (!placeMeshes(system, buffer, &vertices, error)) {
        return false;
    }
    Painting painting = {
        .system = system,
        .paint = paint,
        .buffer = buffer,
        .colours = engineAllocate((size_t)vertices + 1, 4 * sizeof(uint16_t), error),
    };
    const bool good = painting.colours && systemEachMesh(system, paintMesh, &painting, error) &&
                      bufferCreateFilled(system->device, painting.colours, (vertices + 1) * 4 * sizeof(uint16_t),
                                         VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "paint", &buffer->colours, error);
    paintFreeFaults(&painting.found);
    free(painting.colours);
    return good;
}

static PaintBuffer *create(const System *system, const Paint *paint, EngineError *error) {
    PaintBuffer *buffer = engineAllocate(1, sizeof(*buffer), error);
    if (!buffer) {
        return NULL;
    }
    buffer->paint = *paint;
    buffer->paint.bone = paint->bone ? strdup(paint->bone) : NULL;
    bool good = !paint->bone || buffer->paint.bone || engineFail(error, "out of memory");
    if (!good || (paint->type && !fill(system, paint, buffer, error))) {
        destroyOne(system->device, buffer);
        return NULL;
    }
    return buffer;
}

/* A frame in flight may read what the frame before drew with. */
static void retire(DrawPaint *painted, Device *device, uint32_t slot) {
    PaintBuffer **link = painted->first ? &painted->first->next : NULL;
    while (link && *link) {
        PaintBuffer *old = *link;
        old->frames += slot != painted->slot;
        if (old->frames >= FRAMES_IN_FLIGHT) {
            *link = old->next;
            destroyOne(device, old);
        } else {
            link = &old->next;
        }
    }
    painted->slot = slot;
}

bool drawPaintUse(DrawPaint *painted, const System *system, const Paint *paint, uint32_t slot, EngineError *error) {
    static const Paint none;
    retire(painted, system->device, slot);
    if (paintIsSame(paint, painted->first ? &painted->first->paint : &none)) {
        return true;
    }
    PaintBuffer *buffer = create(system, paint, error);
    if (buffer) {
        buffer->next = painted->first;
        painted->first = buffer;
    }
    return buffer;
}

VkBuffer drawPaintColours(const DrawPaint *painted, uint32_t kind, uint32_t mesh, VkDeviceSize *offset) {
    const PaintBuffer *buffer = painted->first;
    *offset = buffer->offsets[buffer->starts[kind] + mesh];
    return buffer->colours.handle;
}

void drawPaintDestroy(Device *device, DrawPaint *painted) {
    while (painted->first) {
        PaintBuffer *buffer = painted->first;
        painted->first = buffer->next;
        destroyOne(device, buffer);
    }
}
