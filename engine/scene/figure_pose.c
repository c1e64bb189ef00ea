/* figure_pose.c: the evaluation of a figure, step by step. */
#include "figure_pose.h"
#include "figure_rig.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

/* The largest of the figure's counts, for scratch memory. */
typedef struct Largest {
    size_t influences, vertices, curves, bones;
} Largest;

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static Largest largestOf(const Figure *figure) {
    Largest largest = {1, 1, 1, 1};
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        largest.influences = larger(largest.influences, figure->attachments[i].influenceCount);
        largest.vertices = larger(largest.vertices, figure->attachments[i].vertexCount);
        largest.curves = larger(largest.curves, figure->attachments[i].lengthCount);
    }
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        largest.bones = larger(largest.bones, figure->constraints[i].boneCount);
    }
    return largest;
}

static void activate(FigurePose *pose, const FigureSkin *skin) {
    for (uint32_t i = 0; i < skin->boneCount; i++) {
        for (int32_t bone = (int32_t)skin->bones[i]; bone >= 0; bone = pose->figure->bones[bone].parent) {
            pose->bones[bone].active = true;
        }
    }
    for (uint32_t i = 0; i < skin->constraintCount; i++) {
        pose->constraintActive[skin->constraints[i]] = true;
    }
}

static uint32_t targetBone(const Figure *figure, const FigureConstraint *constraint) {
    return constraint->kind == FIGURE_PATH_FOLLOW ? figure->slots[constraint->target].bone : constraint->target;
}

static void chooseActive(FigurePose *pose) {
    const Figure *figure = pose->figure;
    for (uint32_t i = 0; i < figure->boneCount; i++) {
        pose->bones[i].active = !figure->bones[i].skinOnly;
    }
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        pose->constraintActive[i] = !figure->constraints[i].skinOnly;
    }
    for (uint32_t i = 0; i < pose->skinCount; i++) {
        activate(pose, &figure->skins[pose->skins[i]]);
    }
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        pose->constraintActive[i] &= pose->bones[targetBone(figure, &figure->constraints[i])].active;
    }
}

/* Attachments by slot, so that each slot looks at its own only. A count goes to the place after the next one first. */
static void sortBySlot(FigurePose *pose) {
    const Figure *figure = pose->figure;
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        pose->firstOfSlot[figure->attachments[i].slot + 2]++;
    }
    for (uint32_t s = 1; s <= figure->slotCount + 1; s++) {
        pose->firstOfSlot[s] += pose->firstOfSlot[s - 1];
    }
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        pose->bySlot[pose->firstOfSlot[figure->attachments[i].slot + 1]++] = i;
    }
}

size_t figurePoseBytes(const Figure *figure) {
    const Largest largest = largestOf(figure);
    const size_t bone = sizeof(FigureBoneState) + (FIGURE_LOCAL_COUNT + FIGURE_SPACES) * sizeof(double);
    const size_t slot = sizeof(FigureSlotState) + 9 * sizeof(float);
    return sizeof(FigurePose) + figure->boneCount * bone + figure->slotCount * slot +
           figure->attachmentCount * sizeof(uint32_t) +
           (size_t)2 * figure->constraintCount * sizeof(double[FIGURE_VALUE_COUNT]) +
           (2 * largest.influences + 4 * largest.vertices + FIGURE_PATH_PIECES * largest.curves) * sizeof(double);
}

FigurePose *figurePoseCreate(const Figure *figure, const uint32_t *skins, uint32_t skinCount, EngineError *error) {
    const Largest largest = largestOf(figure);
    FigurePose *pose = engineAllocate(1, sizeof *pose, error);
    if (!pose) {
        return NULL;
    }
    *pose = (FigurePose){.figure = figure,
                         .kept = {engineAllocate(figure->boneCount, sizeof *pose->kept.locals, error),
                                  engineAllocate(figure->slotCount, sizeof *pose->kept.colours, error),
                                  engineAllocate(figure->constraintCount, sizeof *pose->kept.values, error)},
                         .bones = engineAllocate(figure->boneCount, sizeof *pose->bones, error),
                         .slots = engineAllocate(figure->slotCount, sizeof *pose->slots, error),
                         .drawOrder = engineAllocate(figure->slotCount, sizeof *pose->drawOrder, error),
                         .values = engineAllocate(figure->constraintCount, sizeof *pose->values, error),
                         .constraintActive = engineAllocate(figure->constraintCount, sizeof(bool), error),
                         .skins = engineAllocate(skinCount, sizeof *pose->skins, error),
                         .skinCount = skinCount,
                         .firstOfSlot = engineAllocate((size_t)figure->slotCount + 2, sizeof(uint32_t), error),
                         .bySlot = engineAllocate(figure->attachmentCount, sizeof(uint32_t), error),
                         .moved = engineAllocate(figure->boneCount, sizeof(bool), error),
                         .fixed = engineAllocate(figure->boneCount, sizeof(bool), error),
                         .points = engineAllocate(largest.influences, 2 * sizeof(double), error),
                         .path = engineAllocate(largest.vertices, 2 * sizeof(double), error),
                         .lengths = engineAllocate(largest.curves, FIGURE_PATH_PIECES * sizeof(double), error),
                         .measured = -1,
                         .measuredPath = engineAllocate(largest.vertices, 2 * sizeof(double), error),
                         .spaces = engineAllocate(largest.bones + 1, FIGURE_SPACES * sizeof(double), error)};
    if (!pose->bones || !pose->slots || !pose->drawOrder || !pose->values || !pose->constraintActive || !pose->skins ||
        !pose->firstOfSlot || !pose->bySlot || !pose->kept.locals || !pose->kept.colours || !pose->kept.values ||
        !pose->moved || !pose->fixed || !pose->points || !pose->path || !pose->lengths || !pose->measuredPath ||
        !pose->spaces) {
        figurePoseFree(pose);
        return NULL;
    }
    for (uint32_t i = 0; i < skinCount; i++) {
        pose->skins[i] = skins[i];
    }
    sortBySlot(pose);
    chooseActive(pose);
    figurePoseSet(pose, -1, 0.0);
    return pose;
}

void figurePoseFree(FigurePose *pose) {
    if (pose) {
        free(pose->bones);
        free(pose->slots);
        free(pose->drawOrder);
        free(pose->values);
        free(pose->constraintActive);
        free(pose->skins);
        free(pose->firstOfSlot);
        free(pose->bySlot);
        free(pose->kept.locals);
        free(pose->kept.colours);
        free(pose->kept.values);
        free(pose->moved);
        free(pose->fixed);
        free(pose->points);
        free(pose->path);
        free(pose->lengths);
        free(pose->measuredPath);
        free(pose->spaces);
        free(pose);
    }
}

/* ---- Attachments ---- */

static int32_t findInSkin(const FigurePose *pose, uint32_t skin, uint32_t slot, uint32_t name) {
    for (uint32_t i = pose->firstOfSlot[slot]; i < pose->firstOfSlot[slot + 1]; i++) {
        const FigureAttachment *attachment = &pose->figure->attachments[pose->bySlot[i]];
        if (attachment->name == name && attachment->skin == skin) {
            return (int32_t)pose->bySlot[i];
        }
    }
    return -1;
}

int32_t figurePoseFind(const FigurePose *pose, uint32_t slot, int32_t name) {
    const Figure *figure = pose->figure;
    int32_t found = -1;
    for (uint32_t i = pose->skinCount; i > 0 && found < 0 && name >= 0; i--) {
        found = findInSkin(pose, pose->skins[i - 1], slot, (uint32_t)name);
    }
    if (found < 0 && name >= 0 && figure->defaultSkin >= 0) {
        found = findInSkin(pose, (uint32_t)figure->defaultSkin, slot, (uint32_t)name);
    }
    return found;
}

bool figurePoseTarget(const FigurePose *pose, uint32_t bone) {
    bool is = false;
    for (uint32_t i = 0; i < pose->figure->constraintCount && pose->bones[bone].active; i++) {
        const FigureConstraint *constraint = &pose->figure->constraints[i];
        is = is || (constraint->kind == FIGURE_IK && constraint->target == bone && pose->constraintActive[i]);
    }
    return is;
}

/* Without the figure's slot: *state says what to show. */
static void show(FigurePose *pose, uint32_t slot, int32_t name) {
    FigureSlotState *state = &pose->slots[slot];
    state->attachment = pose->bones[pose->figure->slots[slot].bone].active ? figurePoseFind(pose, slot, name) : -1;
    state->frame = state->attachment >= 0 ? pose->figure->attachments[state->attachment].setupFrame : 0;
}

void figurePoseVertices(const FigurePose *pose, uint32_t slot, double *positions) {
    const FigureSlotState *state = &pose->slots[slot];
    const FigureAttachment *attachment = &pose->figure->attachments[state->attachment];
    const FigureFrame *frame = attachment->kind == FIGURE_REGION ? &attachment->frames[state->frame] : NULL;
    double *points = pose->points;
    for (uint32_t i = 0; i < attachment->influenceCount; i++) {
        const float *point = frame ? frame->corners + (size_t)i * 2 : attachment->offsets + (size_t)i * 3;
        points[(size_t)i * 2] = (double)point[0];
        points[(size_t)i * 2 + 1] = (double)point[1];
    }
    for (uint32_t i = 0; i < FIGURE_PLAYS_MAX; i++) {
        if (state->deforms[i].timeline) {
            figureDeform(&state->deforms[i], points);
        }
    }
    memset(positions, 0, (size_t)attachment->vertexCount * 2 * sizeof *positions);
    for (uint32_t i = 0; i < attachment->influenceCount; i++) {
        double place[2], *vertex = positions + (size_t)attachment->vertices[i] * 2;
        const double weight = (double)attachment->offsets[(size_t)i * 3 + 2];
        figureTransform(&pose->bones[attachment->bones[i]].matrix, points[(size_t)i * 2], points[(size_t)i * 2 + 1],
                        place);
        vertex[0] += weight * place[0];
        vertex[1] += weight * place[1];
    }
}

void figurePoseAddBox(const FigurePose *pose, FigureBox *box) {
    double *positions = pose->path; /* free between evaluations */
    for (uint32_t s = 0; s < pose->figure->slotCount; s++) {
        const int32_t index = pose->slots[s].attachment;
        const FigureAttachment *attachment = index >= 0 ? &pose->figure->attachments[index] : NULL;
        if (!attachment || attachment->frameCount == 0) {
            continue;
        }
        figurePoseVertices(pose, s, positions);
        for (uint32_t i = 0; i < 2 * attachment->vertexCount; i++) {
            box->low[i % 2] = fmin(box->low[i % 2], positions[i]);
            box->high[i % 2] = fmax(box->high[i % 2], positions[i]);
        }
    }
}

/* ---- The setup pose ---- */

static void setUp(FigurePose *pose) {
    const Figure *figure = pose->figure;
    for (uint32_t i = 0; i < figure->boneCount; i++) {
        pose->bones[i].inherit = (FigureInherit)figure->bones[i].inherit;
        for (int c = 0; c < FIGURE_LOCAL_COUNT; c++) {
            pose->bones[i].local[c] = (double)figure->bones[i].local[c];
        }
    }
    for (uint32_t i = 0; i < figure->slotCount; i++) {
        pose->drawOrder[i] = i;
        memcpy(pose->slots[i].colour, figure->slots[i].colour, sizeof pose->slots[i].colour);
        memcpy(pose->slots[i].dark, figure->slots[i].dark, sizeof pose->slots[i].dark);
        memset(pose->slots[i].deforms, 0, sizeof pose->slots[i].deforms);
        show(pose, i, figure->slots[i].shown);
    }
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        for (int c = 0; c < FIGURE_VALUE_COUNT; c++) {
            pose->values[i][c] = (double)figure->constraints[i].values[c];
        }
    }
}

/* ---- Keys ---- */

/* Where the values of a bone's timeline go: the first number of its place, how many, whether they multiply. */
static const struct {
    int first, count;
    bool multiplies;
} BONE_KEYS[] = {
    [FIGURE_TIMELINE_ROTATE] = {FIGURE_ROTATION, 1, false}, [FIGURE_TIMELINE_TRANSLATE] = {FIGURE_X, 2, false},
    [FIGURE_TIMELINE_TRANSLATE_X] = {FIGURE_X, 1, false},   [FIGURE_TIMELINE_TRANSLATE_Y] = {FIGURE_Y, 1, false},
    [FIGURE_TIMELINE_SCALE] = {FIGURE_SCALE_X, 2, true},    [FIGURE_TIMELINE_SCALE_X] = {FIGURE_SCALE_X, 1, true},
    [FIGURE_TIMELINE_SCALE_Y] = {FIGURE_SCALE_Y, 1, true},  [FIGURE_TIMELINE_SHEAR] = {FIGURE_SHEAR_X, 2, false},
    [FIGURE_TIMELINE_SHEAR_X] = {FIGURE_SHEAR_X, 1, false}, [FIGURE_TIMELINE_SHEAR_Y] = {FIGURE_SHEAR_Y, 1, false},
};

static void applyBoneKeys(FigurePose *pose, const FigureTimeline *timeline, const double *values) {
    double *local = pose->bones[timeline->target].local + BONE_KEYS[timeline->kind].first;
    for (int i = 0; i < BONE_KEYS[timeline->kind].count; i++) {
        local[i] = BONE_KEYS[timeline->kind].multiplies ? local[i] * values[i] : local[i] + values[i];
    }
}

static float unit(double value) {
    return (float)fmax(0.0, fmin(1.0, value));
}

static void applyColour(FigureSlotState *slot, uint32_t kind, const double *values) {
    const bool alpha = kind == FIGURE_TIMELINE_RGBA || kind == FIGURE_TIMELINE_RGBA2;
    const int dark = kind == FIGURE_TIMELINE_RGBA2 ? 4 : kind == FIGURE_TIMELINE_RGB2 ? 3 : 0;
    if (kind == FIGURE_TIMELINE_ALPHA) {
        slot->colour[3] = unit(values[0]);
        return;
    }
    for (int i = 0; i < (alpha ? 4 : 3); i++) {
        slot->colour[i] = unit(values[i]);
    }
    for (int i = 0; i < 3 && dark > 0; i++) {
        slot->dark[i] = unit(values[dark + i]);
    }
}

static void applyConstraintKeys(FigurePose *pose, const FigureTimeline *timeline, const double *values, size_t key) {
    const int first = timeline->kind == FIGURE_TIMELINE_PATH_POSITION  ? FIGURE_PATH_POSITION
                      : timeline->kind == FIGURE_TIMELINE_PATH_SPACING ? FIGURE_PATH_SPACING
                                                                       : 0;
    double *target = pose->values[timeline->target];
    for (uint32_t i = 0; i < timeline->curves; i++) {
        target[(uint32_t)first + i] = values[i];
    }
    for (uint32_t i = timeline->curves; i < timeline->channels; i++) {
        target[i] = (double)timeline->values[key * timeline->channels + i]; /* switches of IK */
    }
}

#define CURVES_MAX 7

/* All but DEFORM and SEQUENCE, which need to know what slots show. */
static void applyKeys(FigurePose *pose, const FigureTimeline *timeline) {
    const int64_t found = figureKey(timeline, pose->time);
    const size_t key = (size_t)found;
    double values[CURVES_MAX];
    if (found < 0 || timeline->kind == FIGURE_TIMELINE_DEFORM || timeline->kind == FIGURE_TIMELINE_SEQUENCE) {
        return; /* before the first key the setup pose holds */
    }
    if (timeline->kind == FIGURE_TIMELINE_DRAW_ORDER) {
        for (uint32_t i = 0; i < timeline->integers; i++) {
            pose->drawOrder[i] = (uint32_t)timeline->numbers[key * timeline->integers + i];
        }
        return;
    }
    figureSample(timeline, pose->time, values);
    switch (FIGURE_TIMELINE_TYPES[timeline->kind].group) {
    case FIGURE_GROUP_BONE:
        if (timeline->kind == FIGURE_TIMELINE_INHERIT) {
            pose->bones[timeline->target].inherit = (FigureInherit)timeline->values[key];
        } else {
            applyBoneKeys(pose, timeline, values);
        }
        break;
    case FIGURE_GROUP_SLOT:
        if (timeline->kind == FIGURE_TIMELINE_SHOW) {
            show(pose, timeline->target, timeline->numbers[key]);
        } else {
            applyColour(&pose->slots[timeline->target], timeline->kind, values);
        }
        break;
    default:
        applyConstraintKeys(pose, timeline, values, key);
        break;
    }
}

/* Whether the slot of the timeline's attachment shows it, or a mesh linked to it. */
static FigureSlotState *slotOf(FigurePose *pose, const FigureTimeline *timeline) {
    const Figure *figure = pose->figure;
    FigureSlotState *slot = &pose->slots[figure->attachments[timeline->target].slot];
    const bool shown = slot->attachment >= 0 && figure->attachments[slot->attachment].source == timeline->target;
    return shown && figureKey(timeline, pose->time) >= 0 ? slot : NULL;
}

/* play: its index. frames: whether it is the one whose pictures are shown. */
static void applyAttachmentKeys(FigurePose *pose, const FigureTimeline *timeline, uint32_t play, double share,
                                bool frames) {
    FigureSlotState *slot = slotOf(pose, timeline);
    if (!slot) {
        return;
    }
    const uint32_t count = pose->figure->attachments[slot->attachment].frameCount;
    if (timeline->kind == FIGURE_TIMELINE_DEFORM) {
        slot->deforms[play] = (FigureDeform){timeline, pose->time, share};
    } else if (count > 0 && frames) {
        slot->frame = figureSequenceFrame(timeline, pose->time, count);
    }
}

/* ---- Mixing ---- */

static void keep(const FigurePose *pose) {
    const Figure *figure = pose->figure;
    for (uint32_t i = 0; i < figure->boneCount; i++) {
        memcpy(pose->kept.locals[i], pose->bones[i].local, sizeof *pose->kept.locals);
    }
    for (uint32_t i = 0; i < figure->slotCount; i++) {
        memcpy(pose->kept.colours[i], pose->slots[i].colour, sizeof pose->slots[i].colour);
        memcpy(pose->kept.colours[i] + 4, pose->slots[i].dark, sizeof pose->slots[i].dark);
    }
    memcpy(pose->kept.values, pose->values, figure->constraintCount * sizeof *pose->values);
}

static void mixColour(const float *from, float *to, int count, float weight) {
    for (int i = 0; i < count; i++) {
        to[i] = from[i] + (to[i] - from[i]) * weight;
    }
}

/* From what was kept to what the pose has now. */
static void mix(FigurePose *pose, double weight) {
    const Figure *figure = pose->figure;
    for (uint32_t i = 0; i < figure->boneCount; i++) {
        double *local = pose->bones[i].local;
        for (int c = 0; c < FIGURE_LOCAL_COUNT; c++) {
            const double from = pose->kept.locals[i][c], way = local[c] - from;
            local[c] = from + (c == FIGURE_ROTATION ? figureWrap(way) : way) * weight;
        }
    }
    for (uint32_t i = 0; i < figure->slotCount; i++) {
        mixColour(pose->kept.colours[i], pose->slots[i].colour, 4, (float)weight);
        mixColour(pose->kept.colours[i] + 4, pose->slots[i].dark, 3, (float)weight);
    }
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        const int numbers = figure->constraints[i].kind == FIGURE_IK ? FIGURE_IK_BEND : FIGURE_VALUE_COUNT;
        for (int c = 0; c < numbers; c++) { /* switches of IK follow its numbers */
            const double from = pose->kept.values[i][c];
            pose->values[i][c] = from + (pose->values[i][c] - from) * weight;
        }
    }
}

static const FigureAnimation *animationOf(const FigurePose *pose, const FigurePlay *play) {
    return play->animation >= 0 ? &pose->figure->animations[play->animation] : NULL;
}

/* Keys of everything but vertices and pictures. */
static void applyPlay(FigurePose *pose, const FigurePlay *play) {
    const FigureAnimation *keys = animationOf(pose, play);
    pose->time = play->time;
    setUp(pose);
    for (uint32_t i = 0; keys && i < keys->timelineCount; i++) {
        applyKeys(pose, &keys->timelines[i]);
    }
}

/* Keys of vertices and pictures: when it is known what slots show. */
static void applyPlaysToAttachments(FigurePose *pose, const FigurePlay *plays, uint32_t count) {
    double share = 1.0; /* combined share of this play and those before it */
    for (uint32_t p = count; p > 0; p--) {
        const FigurePlay *play = &plays[p - 1];
        const FigureAnimation *keys = animationOf(pose, play);
        const double weight = p > 1 ? play->weight : 1.0;
        pose->time = play->time;
        for (uint32_t i = 0; keys && i < keys->timelineCount; i++) {
            if (FIGURE_TIMELINE_TYPES[keys->timelines[i].kind].group == FIGURE_GROUP_ATTACHMENT) {
                applyAttachmentKeys(pose, &keys->timelines[i], p - 1, share * weight, p == count);
            }
        }
        share *= 1.0 - weight;
    }
    pose->time = plays[count - 1].time;
}

/* Leaves out the plays that nothing is seen of: those of weight 0, and those before one of weight 1. Returns how many stay. */
static uint32_t choosePlays(const FigurePlay *plays, uint32_t count, FigurePlay chosen[FIGURE_PLAYS_MAX]) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && i < FIGURE_PLAYS_MAX; i++) {
        if (i > 0 && plays[i].weight <= 0.0) {
            continue;
        }
        kept = plays[i].weight >= 1.0 ? 0 : kept;
        chosen[kept++] = plays[i];
    }
    return kept;
}

/* ---- All of it ---- */

static void applyConstraint(FigurePose *pose, uint32_t index) {
    const FigureConstraint *constraint = &pose->figure->constraints[index];
    const double *values = pose->values[index];
    switch ((FigureConstraintKind)constraint->kind) {
    case FIGURE_IK:
        figureApplyIk(pose, constraint, values);
        break;
    case FIGURE_TRANSFORM:
        figureApplyTransform(pose, constraint, values);
        break;
    case FIGURE_PATH_FOLLOW:
        figureApplyPath(pose, constraint, values);
        break;
    default:
        break;
    }
}

static void place(FigurePose *pose, const FigurePull *pulls, uint32_t pullCount) {
    for (uint32_t i = 0; i < pose->figure->boneCount; i++) {
        figurePlace(pose, i);
        for (uint32_t p = 0; p < pullCount; p++) {
            if (pulls[p].bone == i) {
                figureMove(pose, i, pulls[p].place);
            }
        }
    }
}

void figurePoseMix(FigurePose *pose, const FigurePlay *plays, uint32_t playCount, const FigurePull *pulls,
                   uint32_t pullCount) {
    const Figure *figure = pose->figure;
    FigurePlay chosen[FIGURE_PLAYS_MAX];
    const uint32_t count = choosePlays(plays, playCount, chosen);
    for (uint32_t i = 0; i < count; i++) {
        applyPlay(pose, &chosen[i]);
        if (i > 0) {
            mix(pose, chosen[i].weight);
        }
        if (i + 1 < count) {
            keep(pose);
        }
    }
    applyPlaysToAttachments(pose, chosen, count);
    place(pose, pulls, pullCount);
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        if (pose->constraintActive[i]) {
            applyConstraint(pose, i);
        }
    }
}

void figurePoseSet(FigurePose *pose, int32_t animation, double time) {
    figurePoseMix(pose, &(FigurePlay){animation, time, 1.0}, 1, NULL, 0);
}
