#include "draw_paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_levels.h"

struct PaintBuffer {
    Paint paint;           /* the bone's name is a copy */
    Buffer colours;        /* unorm16 x 4 per vertex; zero if the paint is none */
    VkDeviceSize *offsets; /* bytes to the colours of each mesh, kind by kind */
    uint32_t *starts;      /* [modelCount] into offsets */
    uint32_t frames;       /* of an older one: begun since it was replaced */
    PaintBuffer *next;
};

static void destroyOne(Device *device, PaintBuffer *buffer) {
    bufferDestroy(device, &buffer->colours);
    free((char *)buffer->paint.bone);
    free(buffer->offsets);
    free(buffer->starts);
    free(buffer);
}

static uint32_t levelsOf(const System *system, uint32_t kind) {
    return system->type->shader && !system->type->pulls ? 0 : system->population->models[kind]->levelCount;
}

/* Gives each mesh its place. *vertices receives those of all meshes. */
static bool placeMeshes(const System *system, PaintBuffer *buffer, uint64_t *vertices, EngineError *error) {
    const Population *population = system->population;
    uint32_t count = 0;
    buffer->starts = engineAllocate(population->modelCount, sizeof(*buffer->starts), error);
    for (uint32_t kind = 0; kind < population->modelCount && buffer->starts; kind++) {
        buffer->starts[kind] = count;
        count += population->models[kind]->meshCount * (1 + levelsOf(system, kind));
    }
    buffer->offsets = buffer->starts ? engineAllocate(count, sizeof(*buffer->offsets), error) : NULL;
    *vertices = 0;
    for (uint32_t kind = 0; kind < population->modelCount && buffer->offsets; kind++) {
        const uint32_t end = kind + 1 < population->modelCount ? buffer->starts[kind + 1] : count;
        for (uint32_t i = buffer->starts[kind]; i < end; i++) {
            buffer->offsets[i] = *vertices * 4 * sizeof(uint16_t);
            *vertices += system->meshes[kind][i - buffer->starts[kind]].vertexCount;
        }
    }
    return buffer->offsets;
}

/* target: [drawn->vertexCount][4] */
static bool paintMesh(const Paint *paint, const Model *model, uint32_t mesh, const ModelMesh *source, uint32_t level,
                      const SystemMesh *drawn, uint16_t *target, EngineError *error) {
    float(*colours)[4] = engineAllocate(source->vertexCount, sizeof(*colours), error);
    const bool good = colours && paintModelMesh(paint, model, mesh, source, level, colours, error);
    for (size_t v = 0; good && v < drawn->vertexCount; v++) {
        for (size_t c = 0; c < 4; c++) {
            target[4 * v + c] = (uint16_t)lroundf(colours[drawn->origins ? drawn->origins[v] : v][c] * 65535.0f);
        }
    }
    free(colours);
    return good;
}

static bool paintKind(const System *system, const Paint *paint, uint32_t kind, const PaintBuffer *buffer,
                      uint16_t *target, EngineError *error) {
    const Model *model = system->population->models[kind]->model;
    bool good = true;
    for (uint32_t level = 0; level <= levelsOf(system, kind) && good; level++) {
        ModelMesh *made = level > 0 ? engineAllocate(model->meshCount, sizeof(*made), error) : NULL;
        good = level == 0 || (made && modelLevelMeshes(model, level, made, error));
        for (uint32_t i = 0; i < model->meshCount && good; i++) {
            const uint32_t index = level * model->meshCount + i;
            good = paintMesh(paint, model, i, level > 0 ? &made[i] : &model->meshes[i], level,
                             &system->meshes[kind][index],
                             target + buffer->offsets[buffer->starts[kind] + index] / sizeof(*target), error);
        }
        modelFreeLevelMeshes(model, made);
    }
    return good;
}

static bool fill(const System *system, const Paint *paint, PaintBuffer *buffer, EngineError *error) {
    uint64_t vertices = 0;
    if (!placeMeshes(system, buffer, &vertices, error)) {
        return false;
    }
    uint16_t *colours = engineAllocate((size_t)vertices + 1, 4 * sizeof(*colours), error);
    bool good = colours != NULL;
    for (uint32_t kind = 0; kind < system->population->modelCount && good; kind++) {
        good = paintKind(system, paint, kind, buffer, colours, error);
    }
    good = good && bufferCreateFilled(system->device, colours, (vertices + 1) * 4 * sizeof(*colours),
                                      VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, "paint", &buffer->colours, error);
    free(colours);
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
