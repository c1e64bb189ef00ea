/*
 * draw_list.h: which draw calls show a crowd: instanced, one for each mesh part and output page.
 */
#ifndef ENGINE_DRAW_LIST_H
#define ENGINE_DRAW_LIST_H

#include "crowd.h"
#include "raster/raster_layout.h"

typedef struct DrawItem {
    uint32_t character;
    uint32_t part;          /* of that character */
    uint32_t page;          /* of output */
    uint32_t firstInstance; /* into the instances written */
    uint32_t instanceCount;
} DrawItem;

typedef struct DrawList {
    uint32_t orderCount;
    uint32_t *order;      /* [orderCount] members, kind by kind, as their instances lie in the output's pages */
    uint32_t *kindStarts; /* [characterCount + 1] into order */
    uint32_t itemCount, itemCapacity;
    DrawItem *items;
} DrawList;

/* On failure *list is zero. */
bool drawListCreate(const Crowd *crowd, DrawList *list, EngineError *error);

/* A zero one is allowed. */
void drawListDestroy(DrawList *list);

/* Asks where everything lies in this frame. instances: [crowd->instanceCount], only written. */
bool drawListBuild(DrawList *list, const Crowd *crowd, RasterInstance *instances, EngineError *error);

#endif
