#include "morph_weights.h"

#include <string.h>

uint32_t sknCountMorphs(const float *weights, uint32_t count) {
    uint32_t active = 0;
    for (uint32_t i = 0; i < count; i++) {
        active += weights[i] != 0.0f;
    }
    return active > 0 ? active + 1 : 0;
}

/* Those of one side of skinning; returns how many. */
static uint32_t writeMorphs(LayoutMorphWeight *places, const Mesh *mesh, const float *weights, uint32_t count,
                            bool after) {
    uint32_t written = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool here = (mesh->morphsAfter != NULL && mesh->morphsAfter[i]) == after;
        if (here && weights[i] != 0.0f) {
            LayoutMorphWeight place = {.morph = mesh->cpu != NULL ? i : mesh->morphHeads + i * LAYOUT_MORPH_WORDS};
            memcpy(&place.weight, &weights[i], sizeof place.weight);
            places[written++] = place;
        }
    }
    return written;
}

uint32_t sknAddMorphs(JobTable *table, uint32_t slot, const Mesh *mesh, const float *weights, uint32_t count) {
    uint32_t taken = sknCountMorphs(weights, count);
    if (taken == 0) {
        return 0;
    }
    uint32_t at = table->most * TABLE_WORDS_PER_INSTANCE + table->usedMorphs * LAYOUT_MORPH_WEIGHT_WORDS;
    uint32_t *words = (uint32_t *)table->buffers[slot].memory.mapped + at;
    LayoutMorphWeight *places = (LayoutMorphWeight *)(void *)(words + LAYOUT_MORPH_WEIGHT_WORDS);
    LayoutMorphs head = {.before = writeMorphs(places, mesh, weights, count, false)};
    head.after = writeMorphs(places + head.before, mesh, weights, count, true);
    memcpy(words, &head, sizeof head);
    table->usedMorphs += taken;
    return at;
}
