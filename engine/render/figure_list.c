#include "figure_list.h"

#include <stdlib.h>

/* A slot shows one picture at a time. A polygon is drawn twice: where clipping begins and where it ends. */
bool figureListIndexMax(const FigureMesh *mesh, uint64_t *count, EngineError *error) {
    const Figure *figure = mesh->figure;
    uint32_t *most = engineAllocate((size_t)figure->slotCount + 1, sizeof *most,
                                    error); /* [slotCount]: maximum indices of each slot */
    *count = 0;
    for (uint32_t a = 0; a < figure->attachmentCount && most; a++) {
        const FigureAttachment *attachment = &figure->attachments[a];
        const bool shown = mesh->firstPicture[a] < mesh->firstPicture[a + 1];
        const uint32_t indices = shown ? mesh->pictures[mesh->firstPicture[a]].count : 0; /* all have as many */
        const uint32_t drawn = attachment->kind == FIGURE_CLIPPING ? 2 * indices : indices;
        if (drawn > most[attachment->slot]) {
            *count += drawn - most[attachment->slot];
            most[attachment->slot] = drawn;
        }
    }
    const bool good = most != NULL;
    free(most);
    return good;
}

static bool joins(const FigureBatch *a, const FigureBatch *b) {
    return !a->clips && !b->clips && a->clipped == b->clipped && a->page == b->page && a->blend == b->blend &&
           a->model == b->model && a->source == b->source;
}

static void clear(FigureList *list) {
    list->indexCount = 0;
    list->batchCount = 0;
}

/* Makes room for `count` indices of such a batch. Null: they are only counted. */
static uint32_t *addIndices(FigureList *list, FigureBatch batch, uint32_t count) {
    uint32_t *indices = list->indices ? list->indices + list->indexCount : NULL;
    batch.model = list->model;
    batch.source = list->source;
    if (list->batchCount == 0 || !joins(&list->last, &batch)) {
        list->last = batch;
        list->last.range = (FigureRange){list->firstIndex + list->indexCount, 0};
        list->batchCount++;
    }
    list->last.range.count += count;
    list->indexCount += count;
    if (list->batches) {
        list->batches[list->batchCount - 1] = list->last;
    }
    return indices;
}

static void addRange(const FigureMesh *mesh, FigureRange range, FigureBatch batch, FigureList *list) {
    uint32_t *indices = range.count > 0 ? addIndices(list, batch, range.count) : NULL;
    for (uint32_t i = 0; i < range.count && indices; i++) {
        indices[i] = list->firstVertex + mesh->indices[range.first + i];
    }
}

uint32_t figureListJoin(FigureBatch *batches, uint32_t count) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (left > 0 && joins(&batches[left - 1], &batches[i])) {
            batches[left - 1].range.count += batches[i].range.count;
        } else {
            batches[left++] = batches[i];
        }
    }
    return left;
}

/* The polygon that clips now. Another one that begins meanwhile does nothing. */
typedef struct Clip {
    FigureRange range; /* count 0: none clips */
    int32_t end;       /* last slot that it clips; -1: up to the last one */
} Clip;

static void endClip(const FigureMesh *mesh, Clip *clip, FigureList *list) {
    addRange(mesh, clip->range, (FigureBatch){.clips = true, .page = -1}, list);
    *clip = (Clip){{0, 0}, -1};
}

void figureListFill(const FigureMesh *mesh, const FigurePose *pose, FigureList *list) {
    const Figure *figure = mesh->figure;
    Clip clip = {{0, 0}, -1};
    clear(list);
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
        float *out = colours + FIGURE_SLOT_FLOATS * (size_t)s;
        for (size_t c = 0; c < 4; c++) {
            out[c] = state->colour[c] * (attachment ? attachment->colour[c] : 1.0f);
            out[4 + c] = figure->slots[s].twoColours && c < 3 ? state->dark[c] : 0.0f;
        }
    }
}

/* ---- Debug views ---- */

void figureListEdges(const FigureMesh *mesh, const FigurePose *pose, FigureList *list) {
    clear(list);
    for (uint32_t s = 0; s < mesh->figure->slotCount; s++) {
        const int32_t attachment = pose->slots[s].attachment;
        const FigureRange shown = figureMeshShown(mesh, pose, s);
        if (shown.count == 0 || mesh->figure->attachments[attachment].frameCount == 0) {
            continue;
        }
        uint32_t *indices = addIndices(list, (FigureBatch){.page = -1}, 2 * shown.count);
        for (uint32_t i = 0; i < shown.count && indices; i++) {
            const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;
            *indices++ = list->firstVertex + mesh->indices[shown.first + i];
            *indices++ = list->firstVertex + mesh->indices[shown.first + next];
        }
    }
}

#define MARK_SIDE   3.5 /* pixels from a joint to the corners of its mark */
#define TARGET_SIDE 6.5
#define LINE_BEGIN  2.5 /* pixels from the middle of a line to its sides: it points to the child */
#define LINE_END    0.75

/* Two triangles of four corners in turn. */
static void addQuad(const FigureJointVertex corners[4], FigureJointVertex *vertices) {
    static const uint8_t order[FIGURE_JOINT_CORNERS] = {0, 1, 2, 0, 2, 3};
    for (size_t i = 0; i < FIGURE_JOINT_CORNERS; i++) {
        vertices[i] = corners[order[i]];
    }
}

/* The place of a bone in the world. */
typedef struct Point {
    double x, y;
} Point;

static Point pointOf(const FigurePose *pose, uint32_t bone, const FigureMatrix *place) {
    const FigureMatrix m = figureMultiply(place, &pose->bones[bone].matrix);
    return (Point){m.x0, m.y0};
}

static FigureJointVertex cornerAt(Point point, double x, double y) {
    return (FigureJointVertex){{(float)point.x, (float)point.y}, {(float)x, (float)y}};
}

static void addLine(Point parent, Point bone, FigureJointVertex *vertices) {
    const double x = bone.x - parent.x, y = bone.y - parent.y, length = hypot(x, y);
    const double acrossX = length > 0.0 ? -y / length : 0.0, acrossY = length > 0.0 ? x / length : 0.0;
    addQuad((const FigureJointVertex[]){cornerAt(parent, LINE_BEGIN * acrossX, LINE_BEGIN * acrossY),
                                        cornerAt(parent, -LINE_BEGIN * acrossX, -LINE_BEGIN * acrossY),
                                        cornerAt(bone, -LINE_END * acrossX, -LINE_END * acrossY),
                                        cornerAt(bone, LINE_END * acrossX, LINE_END * acrossY)},
            vertices);
}

uint32_t figureListLines(const FigurePose *pose, const FigureMatrix *place, FigureJointVertex *vertices) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < pose->figure->boneCount; b++) {
        const int32_t parent = pose->figure->bones[b].parent;
        if (pose->bones[b].active && parent >= 0) {
            addLine(pointOf(pose, (uint32_t)parent, place), pointOf(pose, b, place), vertices + count);
            count += FIGURE_JOINT_CORNERS;
        }
    }
    return count;
}

static void addMark(Point point, double side, FigureJointVertex *vertices) {
    addQuad((const FigureJointVertex[]){cornerAt(point, side, 0.0), cornerAt(point, 0.0, side),
                                        cornerAt(point, -side, 0.0), cornerAt(point, 0.0, -side)},
            vertices);
}

uint32_t figureListMarks(const FigurePose *pose, const FigureMatrix *place, FigureJointVertex *vertices) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < pose->figure->boneCount; b++) {
        if (pose->bones[b].active) {
            addMark(pointOf(pose, b, place), MARK_SIDE, vertices + count);
            count += FIGURE_JOINT_CORNERS;
        }
    }
    return count;
}

uint32_t figureListTargets(const FigurePose *pose, const FigureMatrix *place, FigureJointVertex *vertices) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < pose->figure->boneCount; b++) {
        if (figurePoseTarget(pose, b)) {
            addMark(pointOf(pose, b, place), TARGET_SIDE, vertices + count);
            count += FIGURE_JOINT_CORNERS;
        }
    }
    return count;
}
