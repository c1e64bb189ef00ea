#include "spine_list.h"

#include <stdlib.h>

/* A slot shows one picture at a time. A polygon is drawn twice: where clipping begins and where it ends. */
bool spineListIndexMax(const SpineMesh *mesh, uint64_t *count, EngineError *error) {
    const SpineModel *spine = mesh->spine;
    uint32_t *most = engineAllocate((size_t)spine->slotCount + 1, sizeof *most,
                                    error); /* [slotCount]: maximum indices of each slot */
    *count = 0;
    for (uint32_t a = 0; a < spine->attachmentCount && most; a++) {
        const SpineAttachment *attachment = &spine->attachments[a];
        const bool shown = mesh->firstPicture[a] < mesh->firstPicture[a + 1];
        const uint32_t indices = shown ? mesh->pictures[mesh->firstPicture[a]].count : 0; /* all have as many */
        const uint32_t drawn = attachment->kind == SPINE_CLIPPING ? 2 * indices : indices;
        if (drawn > most[attachment->slot]) {
            *count += drawn - most[attachment->slot];
            most[attachment->slot] = drawn;
        }
    }
    const bool good = most != NULL;
    free(most);
    return good;
}

static bool joins(const SpineBatch *a, const SpineBatch *b) {
    return !a->clips && !b->clips && a->clipped == b->clipped && a->page == b->page && a->blend == b->blend &&
           a->model == b->model && a->source == b->source;
}

static void clear(SpineList *list) {
    list->indexCount = 0;
    list->batchCount = 0;
}

/* Makes room for `count` indices of such a batch. Null: they are only counted. */
static uint32_t *addIndices(SpineList *list, SpineBatch batch, uint32_t count) {
    uint32_t *indices = list->indices ? list->indices + list->indexCount : NULL;
    batch.model = list->model;
    batch.source = list->source;
    if (list->batchCount == 0 || !joins(&list->last, &batch)) {
        list->last = batch;
        list->last.range = (SpineRange){list->firstIndex + list->indexCount, 0};
        list->batchCount++;
    }
    list->last.range.count += count;
    list->indexCount += count;
    if (list->batches) {
        list->batches[list->batchCount - 1] = list->last;
    }
    return indices;
}

static void addRange(const SpineMesh *mesh, SpineRange range, SpineBatch batch, SpineList *list) {
    uint32_t *indices = range.count > 0 ? addIndices(list, batch, range.count) : NULL;
    for (uint32_t i = 0; i < range.count && indices; i++) {
        indices[i] = list->firstVertex + mesh->indices[range.first + i];
    }
}

uint32_t spineListJoin(SpineBatch *batches, uint32_t count) {
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
    SpineRange range; /* count 0: none clips */
    int32_t end;      /* last slot that it clips; -1: up to the last one */
} Clip;

static void endClip(const SpineMesh *mesh, Clip *clip, SpineList *list) {
    addRange(mesh, clip->range, (SpineBatch){.clips = true, .page = -1}, list);
    *clip = (Clip){{0, 0}, -1};
}

void spineListFill(const SpineMesh *mesh, const SpinePose *pose, SpineList *list) {
    const SpineModel *spine = mesh->spine;
    Clip clip = {{0, 0}, -1};
    clear(list);
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        const uint32_t slot = pose->drawOrder[i];
        const SpineSlotState *state = &pose->slots[slot];
        const SpineAttachment *attachment = state->attachment >= 0 ? &spine->attachments[state->attachment] : NULL;
        const SpineRange shown = spineMeshShown(mesh, pose, slot);
        if (attachment && attachment->kind == SPINE_CLIPPING && clip.range.count == 0) {
            clip = (Clip){shown, attachment->clipEnd};
            addRange(mesh, shown, (SpineBatch){.clips = true, .page = -1}, list);
        } else if (attachment && attachment->frameCount > 0) {
            addRange(mesh, shown,
                     (SpineBatch){.clipped = clip.range.count > 0,
                                  .page = attachment->frames[state->frame].page,
                                  .blend = spine->slots[slot].blend},
                     list);
        }
        if (clip.range.count > 0 && clip.end == (int32_t)slot) {
            endClip(mesh, &clip, list);
        }
    }
    endClip(mesh, &clip, list);
}

void spineListColours(const SpinePose *pose, float *colours) {
    const SpineModel *spine = pose->spine;
    for (uint32_t s = 0; s < spine->slotCount; s++) {
        const SpineSlotState *state = &pose->slots[s];
        const SpineAttachment *attachment = state->attachment >= 0 ? &spine->attachments[state->attachment] : NULL;
        float *out = colours + SPINE_SLOT_FLOATS * (size_t)s;
        for (size_t c = 0; c < 4; c++) {
            out[c] = state->colour[c] * (attachment ? attachment->colour[c] : 1.0f);
            out[4 + c] = spine->slots[s].twoColours && c < 3 ? state->dark[c] : 0.0f;
        }
    }
}

/* ---- Debug views ---- */

void spineListEdges(const SpineMesh *mesh, const SpinePose *pose, SpineList *list) {
    clear(list);
    for (uint32_t s = 0; s < mesh->spine->slotCount; s++) {
        const int32_t attachment = pose->slots[s].attachment;
        const SpineRange shown = spineMeshShown(mesh, pose, s);
        if (shown.count == 0 || mesh->spine->attachments[attachment].frameCount == 0) {
            continue;
        }
        uint32_t *indices = addIndices(list, (SpineBatch){.page = -1}, 2 * shown.count);
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
static void addQuad(const SpineJointVertex corners[4], SpineJointVertex *vertices) {
    static const uint8_t order[SPINE_JOINT_CORNERS] = {0, 1, 2, 0, 2, 3};
    for (size_t i = 0; i < SPINE_JOINT_CORNERS; i++) {
        vertices[i] = corners[order[i]];
    }
}

/* The place of a bone in the world. */
typedef struct Point {
    double x, y;
} Point;

static Point pointOf(const SpinePose *pose, uint32_t bone, const SpineMatrix *place) {
    const SpineMatrix m = spineMultiply(place, &pose->bones[bone].matrix);
    return (Point){m.x0, m.y0};
}

static SpineJointVertex cornerAt(Point point, double x, double y) {
    return (SpineJointVertex){{(float)point.x, (float)point.y}, {(float)x, (float)y}};
}

static void addLine(Point parent, Point bone, SpineJointVertex *vertices) {
    const double x = bone.x - parent.x, y = bone.y - parent.y, length = hypot(x, y);
    const double acrossX = length > 0.0 ? -y / length : 0.0, acrossY = length > 0.0 ? x / length : 0.0;
    addQuad((const SpineJointVertex[]){cornerAt(parent, LINE_BEGIN * acrossX, LINE_BEGIN * acrossY),
                                       cornerAt(parent, -LINE_BEGIN * acrossX, -LINE_BEGIN * acrossY),
                                       cornerAt(bone, -LINE_END * acrossX, -LINE_END * acrossY),
                                       cornerAt(bone, LINE_END * acrossX, LINE_END * acrossY)},
            vertices);
}

static void addMark(Point point, double side, SpineJointVertex *vertices) {
    addQuad((const SpineJointVertex[]){cornerAt(point, side, 0.0), cornerAt(point, 0.0, side),
                                       cornerAt(point, -side, 0.0), cornerAt(point, 0.0, -side)},
            vertices);
}

uint32_t spineListJoints(const SpinePose *pose, const SpineMatrix *place, SpineJointKind kind,
                         SpineJointVertex *vertices) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < pose->spine->boneCount; b++) {
        const int32_t parent = pose->spine->bones[b].parent;
        const Point point = pointOf(pose, b, place);
        if (kind == SPINE_JOINT_TARGETS ? !spinePoseTarget(pose, b) : !pose->bones[b].active) {
            continue;
        }
        if (kind != SPINE_JOINT_LINES) {
            addMark(point, kind == SPINE_JOINT_TARGETS ? TARGET_SIDE : MARK_SIDE, vertices + count);
        } else if (parent >= 0) {
            addLine(pointOf(pose, (uint32_t)parent, place), point, vertices + count);
        }
        count += kind != SPINE_JOINT_LINES || parent >= 0 ? SPINE_JOINT_CORNERS : 0;
    }
    return count;
}
