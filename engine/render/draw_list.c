#include "draw_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool drawListCreate(const Crowd *crowd, DrawList *list, EngineError *error) {
    memset(list, 0, sizeof(*list));
    list->order = malloc(crowd->memberCount * sizeof(*list->order));
    list->kindStarts = calloc(crowd->characterCount + 1, sizeof(*list->kindStarts));
    if (!list->order || !list->kindStarts) {
        drawListDestroy(list);
        return engineFail(error, "out of memory");
    }
    for (uint32_t kind = 0; kind < crowd->characterCount; kind++) {
        for (uint32_t i = 0; i < crowd->memberCount; i++) {
            if (crowd->members[i].character == kind) {
                list->order[list->orderCount++] = i;
            }
        }
        list->kindStarts[kind + 1] = list->orderCount;
    }
    return true;
}

void drawListDestroy(DrawList *list) {
    free(list->order);
    free(list->kindStarts);
    free(list->items);
    memset(list, 0, sizeof(*list));
}

/* Half of it, so that tints a little above one have room. */
static uint32_t packTint(const float tint[3]) {
    uint32_t packed = 0xff000000u;
    for (uint32_t channel = 0; channel < 3; channel++) {
        float half = fminf(fmaxf(0.5f * tint[channel], 0.0f), 1.0f);
        packed |= (uint32_t)(half * 255.0f + 0.5f) << (8 * channel);
    }
    return packed;
}

static RasterInstance describe(const Crowd *crowd, const CrowdMember *member, uint32_t part,
                               const VkskinOutput *output) {
    VkskinAffine matrix = crowdPartMatrix(crowd, member, part);
    RasterInstance instance = {.positions = (uint32_t)(output->positionOffset / sizeof(uint32_t)),
                               .attributes = (uint32_t)(output->attributeOffset / sizeof(uint32_t)),
                               .attributeStride = output->attributeStride / (uint32_t)sizeof(uint32_t),
                               .tint = packTint(member->tint)};
    memcpy(instance.row0, matrix.m[0], sizeof(instance.row0));
    memcpy(instance.row1, matrix.m[1], sizeof(instance.row1));
    memcpy(instance.row2, matrix.m[2], sizeof(instance.row2));
    return instance;
}

/* The item that the next instance belongs to: the last one where it goes on, else a new one. */
static DrawItem *continueItem(DrawList *list, uint32_t character, uint32_t part, uint32_t page, uint32_t next,
                              EngineError *error) {
    DrawItem *last = list->itemCount > 0 ? &list->items[list->itemCount - 1] : NULL;
    if (last && last->character == character && last->part == part && last->page == page) {
        return last;
    }
    if (list->itemCount == list->itemCapacity) {
        uint32_t capacity = list->itemCapacity ? list->itemCapacity * 2 : 16;
        DrawItem *items = realloc(list->items, capacity * sizeof(*items));
        if (!items) {
            engineFail(error, "out of memory");
            return NULL;
        }
        list->items = items;
        list->itemCapacity = capacity;
    }
    DrawItem *item = &list->items[list->itemCount++];
    *item = (DrawItem){.character = character, .part = part, .page = page, .firstInstance = next};
    return item;
}

bool drawListBuild(DrawList *list, const Crowd *crowd, RasterInstance *instances, EngineError *error) {
    uint32_t next = 0;
    list->itemCount = 0;
    for (uint32_t kind = 0; kind < crowd->characterCount; kind++) {
        for (uint32_t part = 0; part < crowd->characters[kind]->partCount; part++) {
            for (uint32_t i = list->kindStarts[kind]; i < list->kindStarts[kind + 1]; i++) {
                const CrowdMember *member = &crowd->members[list->order[i]];
                VkskinOutput output;
                VkskinResult result =
                    vkskinGetOutput(crowd->skinning->context, crowd->instances[member->firstInstance + part], &output);
                if (result < 0) {
                    return skinningFail(crowd->skinning, error, "drawing the crowd", result);
                }
                DrawItem *item = continueItem(list, kind, part, output.page, next, error);
                if (!item) {
                    return false;
                }
                instances[next++] = describe(crowd, member, part, &output);
                item->instanceCount++;
            }
        }
    }
    return true;
}
