/*
 * draw_list.h: what each pass of a frame draws, and in which order.
 *
 * Opaque parts come look by look, so that each pipeline is bound once; part by part, then page by page, so that one draw
 * covers a page; and from near to far, so that the depth test rejects hidden ones before they are shaded. In the picture,
 * blended parts follow, from far to near.
 */
#ifndef ENGINE_DRAW_LIST_H
#define ENGINE_DRAW_LIST_H

#include "blend_order.h"
#include "system.h"

/* A part of a kind of character. */
typedef struct DrawPart {
    uint32_t model;
    uint32_t part; /* index among the parts of that character */
    SkinnedLook look;
} DrawPart;

/* Instances of a mesh part that the system draws together: one draw call for each piece of the mesh. */
typedef struct DrawItem {
    uint32_t model;
    uint32_t part; /* index among the parts of that character */
    uint32_t page; /* page of the system */
    uint32_t firstInstance;
    uint32_t instanceCount;
    const SystemDraw *draw; /* the device counts the instances; null: the two above */
} DrawItem;

typedef struct DrawList {
    uint32_t itemCount;
    uint32_t opaqueCount; /* items before those that are blended */
    DrawItem *items;      /* room for one for each instance of the population */
} DrawList;

typedef struct DrawLists {
    const Population *population;
    DrawList passes[POPULATION_PASS_COUNT];
    DrawPart *parts; /* [partCount]: of all kinds, look by look */
    uint32_t partCount;
    BlendOrder blends;
    uint32_t *order; /* [population->characterCount] characters, kind by kind, each kind from near to far */
    /* [population->instanceCount], of one pass: */
    SystemPart *shown; /* in the order of drawing */
    uint32_t shownCount;
    SystemPart *sorted;   /* room to sort them */
    uint32_t *pageStarts; /* [pageCapacity] */
    uint32_t pageCapacity;
} DrawLists;

/* crowd outlives it. On failure *lists is to be destroyed. */
bool drawListsCreate(const Population *population, DrawLists *lists, EngineError *error);

/* A zero one is allowed. */
void drawListsDestroy(DrawLists *lists);

/* Lists the parts of all kinds. Returns their looks, as DrawPipelines has them. Again after models were replaced. */
uint32_t drawListsParts(DrawLists *lists);

/* After models were replaced. */
bool drawListsRenew(DrawLists *lists, EngineError *error);

/* Once per frame: sorts the characters by depth. farthest: the largest depth that is distinguished, above 0. */
void drawListsSort(DrawLists *lists, const float viewProjection[16], float farthest);

/* Makes the list of a pass. instances: [population->instanceCount], write-only memory. */
bool drawListsBuild(DrawLists *lists, PopulationPass pass, System *system, const float viewProjection[16],
                    RasterInstance *instances, EngineError *error);

#endif
