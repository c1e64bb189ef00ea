#include "draw_paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef uint16_t Colour[4]; /* unorm */

struct PaintBuffer {
    Paint paint;     /* the bone's name is a copy */
    Buffer colours;  /* Colour of each vertex of the system; zero if the paint is none */
    uint32_t frames; /* for an older one: begun since it was replaced */
    PaintBuffer *next;
};

static void destroyOne(Device *device, PaintBuffer *buffer) {
    bufferDestroy(device, &buffer->colours);
    free((char *)buffer->paint.bone);
    free(buffer);
}

typedef struct Painting {
    const System *system;
    const Paint *paint;
    Colour *colours; /* [System.vertexCount] */
    PaintFaults found;
} Painting;

static bool paintMesh(void *user, uint32_t kind, uint32_t index, const ModelMesh *source, EngineError *error) {
    Painting *painting = user;
    const Model *model = painting->system->population->models[kind]->model;
    const SystemMesh *drawn = &painting->system->meshes[kind][index];
    Colour *target = painting->colours + drawn->firstVertex;
    float(*colours)[4] = engineAllocate(source->vertexCount, sizeof(*colours), error);
    const bool good = colours && paintModelMesh(painting->paint, model, index % model->meshCount, source,
                                                index / model->meshCount, &painting->found, colours, error);
    for (size_t v = 0; good && v < drawn->vertexCount; v++) {
        for (size_t c = 0; c < 4; c++) {
            target[v][c] = (uint16_t)lroundf(colours[drawn->origins ? drawn->origins[v] : v][c] * 65535.0f);
        }
    }
    free(colours);
    return good;
}

static bool fill(const System *system, const Paint *paint, PaintBuffer *buffer, EngineError *error) {
    const size_t count = (size_t)system->vertexCount + 1;
    Painting painting = {.system = system, .paint = paint, .colours = engineAllocate(count, sizeof(Colour), error)};
    const bool good = painting.colours && systemEachMesh(system, paintMesh, &painting, error) &&
                      bufferCreateFilled(system->device, painting.colours, count * sizeof(Colour),
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

VkBuffer drawPaintColours(const DrawPaint *painted, const SystemMesh *mesh, VkDeviceSize *offset) {
    *offset = mesh->firstVertex * sizeof(Colour);
    return painted->first->colours.handle;
}

void drawPaintDestroy(Device *device, DrawPaint *painted) {
    while (painted->first) {
        PaintBuffer *buffer = painted->first;
        painted->first = buffer->next;
        destroyOne(device, buffer);
    }
}
