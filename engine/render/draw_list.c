#include "draw_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_BUCKETS 256u

/* ---- Creation ---- */

uint32_t drawListsParts(DrawLists *lists) {
    const Population *population = lists->population;
    uint32_t looks = 0;
    lists->partCount = 0;
    for (SkinnedLook look = SKINNED_LOOK_PLAIN; look < SKINNED_LOOK_COUNT; look++) {
        for (uint32_t kind = 0; kind < population->modelCount; kind++) {
            for (uint32_t part = 0; part < population->models[kind]->partCount; part++) {
                if (population->models[kind]->parts[part].look == look) {
                    lists->parts[lists->partCount++] = (DrawPart){kind, part, look};
                    looks |= 1u << look;
                }
            }
        }
    }
    return looks;
}

bool drawListsCreate(const Population *population, DrawLists *lists, EngineError *error) {
    size_t parts = 0;
    *lists = (DrawLists){.population = population};
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        parts += population->models[kind]->partCount;
    }
    lists->order = engineAllocate(population->characterCount, sizeof(*lists->order), error);
    lists->parts = engineAllocate(parts, sizeof(*lists->parts), error);
    lists->shown = engineAllocate(population->instanceCount, sizeof(*lists->shown), error);
    lists->sorted = engineAllocate(population->instanceCount, sizeof(*lists->sorted), error);
    bool made = lists->order && lists->parts && lists->shown && lists->sorted &&
                blendOrderCreate(population, &lists->blends, error);
    for (int pass = 0; pass < POPULATION_PASS_COUNT && made; pass++) {
        lists->passes[pass].items = engineAllocate(population->instanceCount, sizeof(DrawItem), error);
        made = lists->passes[pass].items;
    }
    return made;
}

void drawListsDestroy(DrawLists *lists) {
    for (int pass = 0; pass < POPULATION_PASS_COUNT; pass++) {
        free(lists->passes[pass].items);
    }
    free(lists->order);
    free(lists->parts);
    free(lists->shown);
    free(lists->sorted);
    free(lists->pageStarts);
    blendOrderDestroy(&lists->blends);
}

bool drawListsRenew(DrawLists *lists, EngineError *error) {
    blendOrderDestroy(&lists->blends);
    return blendOrderCreate(lists->population, &lists->blends, error);
}

/* ---- A frame ---- */

static RasterInstance describe(const Population *population, const SystemPart *shown) {
    const Character *character = &population->characters[shown->character];
    const SystemSource *source = &shown->source;
    VkskinAffine matrix = populationPartMatrix(population, character, shown->part);
    RasterInstance instance = {.first = source->first,
                               .attributes = source->attributes,
                               .attributeKind = source->attributeKind,
                               .previousFirst = source->previousFirst,
                               .tint = populationPackTint(character->tint)};
    memcpy(instance.row0, matrix.m[0], sizeof(instance.row0));
    memcpy(instance.row1, matrix.m[1], sizeof(instance.row1));
    memcpy(instance.row2, matrix.m[2], sizeof(instance.row2));
    if (population->skin.motion) {
        matrix = populationPreviousMatrix(population, character, shown->part);
        memcpy(instance.previous0, matrix.m[0], sizeof(instance.previous0));
        memcpy(instance.previous1, matrix.m[1], sizeof(instance.previous1));
        memcpy(instance.previous2, matrix.m[2], sizeof(instance.previous2));
    }
    return instance;
}

/* The item that the next instance belongs to: the last one where it goes on, else a new one. */
static DrawItem *continueItem(DrawList *list, uint32_t skinned, uint32_t part, uint32_t page, uint32_t next) {
    DrawItem *last = list->itemCount > 0 ? &list->items[list->itemCount - 1] : NULL;
    if (last && last->model == skinned && last->part == part && last->page == page) {
        return last;
    }
    DrawItem *item = &list->items[list->itemCount++];
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the list has an item for each instance of the population */
    *item = (DrawItem){.model = skinned, .part = part, .page = page, .firstInstance = next};
    return item;
}

static uint32_t depthBucket(const float viewProjection[16], const Character *character, float farthest) {
    float depth = viewProjection[15];
    for (int axis = 0; axis < 3; axis++) {
        depth += viewProjection[4 * axis + 3] * character->place.m[axis][3];
    }
    float share = fminf(fmaxf(depth / farthest, 0.0f), 1.0f); /* NaN gives 0 */
    return (uint32_t)(share * (float)(DEPTH_BUCKETS - 1));
}

/* A counting sort, so that it costs little even for large populations. */
void drawListsSort(DrawLists *lists, const float viewProjection[16], float farthest) {
    const Population *population = lists->population;
    for (uint32_t kind = 0; kind < population->modelCount; kind++) {
        uint32_t starts[DEPTH_BUCKETS + 1] = {0};
        const uint32_t first = population->kindStarts[kind], end = population->kindStarts[kind + 1];
        for (uint32_t i = first; i < end; i++) {
            starts[depthBucket(viewProjection, &population->characters[population->order[i]], farthest) + 1]++;
        }
        for (uint32_t bucket = 0; bucket < DEPTH_BUCKETS; bucket++) {
            starts[bucket + 1] += starts[bucket];
        }
        for (uint32_t i = first; i < end; i++) {
            uint32_t character = population->order[i];
            lists->order[first + starts[depthBucket(viewProjection, &population->characters[character], farthest)]++] =
                character;
        }
    }
}

static void showPart(DrawLists *lists, uint32_t character, uint32_t part) {
    lists->shown[lists->shownCount++] = (SystemPart){.character = character, .part = part};
}

static void showCharacters(DrawLists *lists, PopulationPass pass, const DrawPart *part) {
    const Population *population = lists->population;
    for (uint32_t i = population->kindStarts[part->model]; i < population->kindStarts[part->model + 1]; i++) {
        const uint32_t character = lists->order[i];
        if ((population->characters[character].passes & 1u << pass) != 0) {
            showPart(lists, character, part->part);
        }
    }
}

static bool reservePages(DrawLists *lists, uint32_t count, EngineError *error) {
    if (count > lists->pageCapacity) {
        free(lists->pageStarts);
        lists->pageStarts = engineAllocate(count, sizeof(*lists->pageStarts), error);
        lists->pageCapacity = lists->pageStarts ? count : 0;
    }
    return lists->pageStarts;
}

/* Brings instances of one part that share a page together, so that a page is one draw. Each page stays from near to far. */
static bool sortByPage(DrawLists *lists, uint32_t first, uint32_t end, EngineError *error) {
    uint32_t pages = 0;
    for (uint32_t i = first; i < end; i++) {
        pages = lists->shown[i].source.page >= pages ? lists->shown[i].source.page + 1 : pages;
    }
    if (pages < 2 || pages > (end - first) / 2) { /* hardly any is shared */
        return true;
    }
    if (!reservePages(lists, pages + 1, error)) {
        return false;
    }
    memset(lists->pageStarts, 0, (pages + 1) * sizeof(*lists->pageStarts));
    for (uint32_t i = first; i < end; i++) {
        lists->pageStarts[lists->shown[i].source.page + 1]++;
    }
    for (uint32_t page = 0; page < pages; page++) {
        lists->pageStarts[page + 1] += lists->pageStarts[page];
    }
    for (uint32_t i = first; i < end; i++) {
        lists->sorted[lists->pageStarts[lists->shown[i].source.page]++] = lists->shown[i];
    }
    memcpy(lists->shown + first, lists->sorted, (end - first) * sizeof(*lists->shown));
    return true;
}

/* For parts without blending, whose order does not change the picture. */
static bool sortPartsByPage(DrawLists *lists, uint32_t end, EngineError *error) {
    const Character *characters = lists->population->characters;
    for (uint32_t first = 0, next; first < end; first = next) {
        const SystemPart *part = &lists->shown[first];
        for (next = first + 1; next < end && lists->shown[next].part == part->part &&
                               characters[lists->shown[next].character].model == characters[part->character].model;
             next++) {
        }
        if (!sortByPage(lists, first, next, error)) {
            return false;
        }
    }
    return true;
}

/* Makes items of what is shown, from lists->shown[first] on. instances: [population->instanceCount], write-only memory. */
static void addItems(DrawLists *lists, DrawList *list, uint32_t first, uint32_t end, RasterInstance *instances) {
    const Population *population = lists->population;
    for (uint32_t i = first; i < end; i++) {
        const SystemPart *shown = &lists->shown[i];
        const uint32_t model = population->characters[shown->character].model;
        continueItem(list, model, shown->part, shown->source.page, i)->instanceCount++;
        instances[i] = describe(population, shown);
    }
}

/* The device lists the instances: parts come look by look, each in the order of its characters. */
static bool listDraws(DrawLists *lists, PopulationPass pass, const System *system) {
    DrawList *list = &lists->passes[pass];
    list->itemCount = 0;
    for (uint32_t i = 0; i < lists->partCount; i++) {
        const DrawPart *part = &lists->parts[i];
        uint32_t count;
        const SystemDraw *draws = system->type->draws(system, pass, part->model, part->part, &count);
        if (part->look != SKINNED_LOOK_BLENDED) {
            list->opaqueCount = list->itemCount + count;
        }
        for (uint32_t d = 0; d < count; d++) {
            list->items[list->itemCount++] = (DrawItem){part->model, part->part, draws[d].page, 0, 0, &draws[d]};
        }
    }
    return true;
}

bool drawListsBuild(DrawLists *lists, PopulationPass pass, System *system, const float viewProjection[16],
                    RasterInstance *instances, EngineError *error) {
    DrawList *list = &lists->passes[pass];
    const bool sorts = pass == POPULATION_PASS_COLOUR;
    if (system->type->draws) {
        return listDraws(lists, pass, system);
    }
    lists->shownCount = list->itemCount = 0;
    for (uint32_t i = 0; i < lists->partCount; i++) {
        if (!sorts || lists->parts[i].look != SKINNED_LOOK_BLENDED) {
            showCharacters(lists, pass, &lists->parts[i]);
        }
    }
    const uint32_t opaque = lists->shownCount;
    if (sorts && !blendOrderSort(&lists->blends, viewProjection, error)) {
        return false;
    }
    for (uint32_t i = 0; sorts && i < lists->blends.count; i++) {
        showPart(lists, lists->blends.pieces[i].character, lists->blends.pieces[i].part);
    }
    if (!systemSources(system, lists->shown, lists->shownCount, error) || !sortPartsByPage(lists, opaque, error)) {
        return false;
    }
    addItems(lists, list, 0, opaque, instances);
    list->opaqueCount = list->itemCount;
    addItems(lists, list, opaque, lists->shownCount, instances);
    return true;
}
