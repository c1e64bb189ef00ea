#include "figure_list.h"

#include <string.h>

/* A polygon is drawn twice: where clipping begins and where it ends. */
uint32_t figureListIndexMax(const FigureMesh *mesh) {
    return 2 * mesh->indexCount + 1;
}

uint32_t figureListBatchMax(const FigureMesh *mesh) {
    return 3 * mesh->figure->slotCount + 1;
}

static void addRange(const FigureMesh *mesh, FigureRange range, FigureBatch batch, FigureList *list) {
    FigureBatch *last = list->batchCount > 0 ? &list->batches[list->batchCount - 1] : NULL;
    if (range.count == 0) {
        return;
    }
    const bool joins = last && !batch.clips && !last->clips && last->clipped == batch.clipped &&
                       last->page == batch.page && last->blend == batch.blend;
    if (!joins) {
        last = &list->batches[list->batchCount++];
        *last = batch;
        last->range = (FigureRange){list->indexCount, 0};
    }
    memcpy(list->indices + list->indexCount, mesh->indices + range.first, range.count * sizeof *list->indices);
    list->indexCount += range.count;
    last->range.count += range.count;
}

/* The polygon that clips now. Another one that begins meanwhile does nothing. */
typedef struct Clip {
    FigureRange range; /* count 0: none clips */
    int32_t end;       /* its last slot; -1: up to the last one */
} Clip;

static void endClip(const FigureMesh *mesh, Clip *clip, FigureList *list) {
    addRange(mesh, clip->range, (FigureBatch){.clips = true, .page = -1}, list);
    *clip = (Clip){{0, 0}, -1};
}

void figureListFill(const FigureMesh *mesh, const FigurePose *pose, FigureList *list) {
    const Figure *figure = mesh->figure;
    Clip clip = {{0, 0}, -1};
    list->indexCount = 0;
    list->batchCount = 0;
    for (uint32_t i = 0; i < figure->slotCount; i++) {
        const uint32_t slot = pose->drawOrder[i];
        const FigureSlotState *state = &pose->slots[slot];
        const FigureAttachment *attachment = state->attachment >= 0 ? &figure->attachments[state->attachment] : NULL;
        const FigureRange shown = figureMeshShown(mesh, pose, slot);
        if (attachment && attachment->kind == FIGURE_CLIPPING && clip.range.count == 0) {
            clip = (Clip){shown, attachment->clipEnd};
            addRange(mesh, shown, (FigureBatch){.clips = true, .page = -1}, list);
        } else if (attachment && attachment->frameCount > 0) {
            addRange(mesh, shown,
                     (FigureBatch){.clipped = clip.range.count > 0,
                                   .page = attachment->frames[state->frame].page,
                                   .blend = figure->slots[slot].blend},
                     list);
        }
        if (clip.range.count > 0 && clip.end == (int32_t)slot) {
            endClip(mesh, &clip, list);
        }
    }
    endClip(mesh, &clip, list);
}

void figureListColours(const FigurePose *pose, float *colours) {
    const Figure *figure = pose->figure;
    for (uint32_t s = 0; s < figure->slotCount; s++) {
        const FigureSlotState *state = &pose->slots[s];
        const FigureAttachment *attachment = state->attachment >= 0 ? &figure->attachments[state->attachment] : NULL;
        float *out = colours + 8 * (size_t)s;
        for (size_t c = 0; c < 4; c++) {
            out[c] = state->colour[c] * (attachment ? attachment->colour[c] : 1.0f);
            out[4 + c] = figure->slots[s].twoColours && c < 3 ? state->dark[c] : 0.0f;
        }
    }
}
