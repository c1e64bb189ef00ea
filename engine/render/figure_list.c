#include "figure_list.h"

#include <math.h>
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

/* ---- Debug views ---- */

uint32_t figureListEdgeMax(const FigureMesh *mesh) {
    return 2 * mesh->indexCount;
}

uint32_t figureListEdges(const FigureMesh *mesh, const FigurePose *pose, uint32_t *indices) {
    uint32_t count = 0;
    for (uint32_t s = 0; s < mesh->figure->slotCount; s++) {
        const int32_t attachment = pose->slots[s].attachment;
        const bool drawn = attachment >= 0 && mesh->figure->attachments[attachment].frameCount > 0;
        const FigureRange shown = figureMeshShown(mesh, pose, s);
        for (uint32_t i = 0; i < shown.count && drawn; i++) {
            const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
            indices[count++] = mesh->indices[shown.first + i];
            indices[count++] = mesh->indices[shown.first + next];
        }
    }
    return count;
}

#define MARK_SIDE  3.5 /* pixels from a joint to the corners of its mark */
#define LINE_BEGIN 2.5 /* pixels from the middle of a line to its sides: it points to the child */
#define LINE_END   0.75

/* Two triangles of four corners in turn. */
static void addQuad(const FigureJointVertex corners[4], FigureJointVertex *vertices) {
    static const uint8_t order[FIGURE_JOINT_CORNERS] = {0, 1, 2, 0, 2, 3};
    for (size_t i = 0; i < FIGURE_JOINT_CORNERS; i++) {
        vertices[i] = corners[order[i]];
    }
}

static FigureJointVertex cornerAt(const FigureMatrix *bone, double x, double y) {
    return (FigureJointVertex){{(float)bone->x0, (float)bone->y0}, {(float)x, (float)y}};
}

static void addLine(const FigureMatrix *parent, const FigureMatrix *bone, FigureJointVertex *vertices) {
    const double x = bone->x0 - parent->x0, y = bone->y0 - parent->y0, length = hypot(x, y);
    const double acrossX = length > 0.0 ? -y / length : 0.0, acrossY = length > 0.0 ? x / length : 0.0;
    addQuad((const FigureJointVertex[]){cornerAt(parent, LINE_BEGIN * acrossX, LINE_BEGIN * acrossY),
                                        cornerAt(parent, -LINE_BEGIN * acrossX, -LINE_BEGIN * acrossY),
                                        cornerAt(bone, -LINE_END * acrossX, -LINE_END * acrossY),
                                        cornerAt(bone, LINE_END * acrossX, LINE_END * acrossY)},
            vertices);
}

FigureJointCounts figureListJoints(const FigurePose *pose, FigureJointVertex *vertices) {
    FigureJointCounts counts = {0, 0};
    for (uint32_t b = 0; b < pose->figure->boneCount; b++) {
        const int32_t parent = pose->figure->bones[b].parent;
        if (pose->bones[b].active && parent >= 0) {
            addLine(&pose->bones[parent].matrix, &pose->bones[b].matrix, vertices + counts.lines);
            counts.lines += FIGURE_JOINT_CORNERS;
        }
    }
    for (uint32_t b = 0; b < pose->figure->boneCount; b++) {
        const FigureMatrix *bone = &pose->bones[b].matrix;
        if (pose->bones[b].active) {
            addQuad((const FigureJointVertex[]){cornerAt(bone, MARK_SIDE, 0.0), cornerAt(bone, 0.0, MARK_SIDE),
                                                cornerAt(bone, -MARK_SIDE, 0.0), cornerAt(bone, 0.0, -MARK_SIDE)},
                    vertices + counts.lines + counts.marks);
            counts.marks += FIGURE_JOINT_CORNERS;
        }
    }
    return counts;
}
