/* spine_pose.c: the evaluation of a 2D model, step by step. */
#include "spine_pose.h"
#include "spine_rig.h"

#include <stdlib.h>
#include <string.h>

/* ---- Making ---- */

/* The largest of the 2D model's counts, for scratch memory. */
typedef struct Largest {
    size_t influences, vertices, curves, bones;
    bool physics; /* any */
} Largest;

static size_t larger(size_t a, size_t b) {
    return a > b ? a : b;
}

static Largest largestOf(const SpineModel *spine) {
    Largest largest = {1, 1, 1, 1, false};
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        largest.influences = larger(largest.influences, spine->attachments[i].influenceCount);
        largest.vertices = larger(largest.vertices, spine->attachments[i].vertexCount);
        largest.curves = larger(largest.curves, spine->attachments[i].lengthCount);
    }
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        largest.bones = larger(largest.bones, spine->constraints[i].boneCount);
        largest.physics |= spine->constraints[i].kind == SPINE_PHYSICS;
    }
    return largest;
}

static void activate(SpinePose *pose, const SpineSkin *skin) {
    for (uint32_t i = 0; i < skin->boneCount; i++) {
        for (int32_t bone = (int32_t)skin->bones[i]; bone >= 0; bone = pose->spine->bones[bone].parent) {
            pose->bones[bone].active = true;
        }
    }
    for (uint32_t i = 0; i < skin->constraintCount; i++) {
        pose->constraintActive[skin->constraints[i]] = true;
    }
}

static uint32_t targetBone(const SpineModel *spine, const SpineConstraint *constraint) {
    return constraint->kind == SPINE_PATH_FOLLOW ? spine->slots[constraint->target].bone : constraint->target;
}

static void chooseActive(SpinePose *pose) {
    const SpineModel *spine = pose->spine;
    for (uint32_t i = 0; i < spine->boneCount; i++) {
        pose->bones[i].active = !spine->bones[i].skinOnly;
        pose->bones[i].turn[0][0] = pose->bones[i].turn[1][0] = 1.0; /* cosine of 0 degrees */
    }
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        pose->constraintActive[i] = !spine->constraints[i].skinOnly;
    }
    for (uint32_t i = 0; i < pose->skinCount; i++) {
        activate(pose, &spine->skins[pose->skins[i]]);
    }
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        pose->constraintActive[i] &= pose->bones[targetBone(spine, &spine->constraints[i])].active;
    }
}

/* Attachments by slot, so that each slot looks at its own only. A count goes to the place after the next one first. */
static void sortBySlot(SpinePose *pose) {
    const SpineModel *spine = pose->spine;
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        pose->firstOfSlot[spine->attachments[i].slot + 2]++;
    }
    for (uint32_t s = 1; s <= spine->slotCount + 1; s++) {
        pose->firstOfSlot[s] += pose->firstOfSlot[s - 1];
    }
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        pose->bySlot[pose->firstOfSlot[spine->attachments[i].slot + 1]++] = i;
    }
}

size_t spinePoseBytes(const SpineModel *spine) {
    const Largest largest = largestOf(spine);
    const size_t bone = sizeof(SpineBoneState) + (SPINE_LOCAL_COUNT + SPINE_SPACES + 1) * sizeof(double);
    const size_t slot = sizeof(SpineSlotState) + 9 * sizeof(float);
    return sizeof(SpinePose) + spine->boneCount * bone + spine->slotCount * slot +
           spine->attachmentCount * sizeof(uint32_t) +
           (size_t)2 * spine->constraintCount * sizeof(double[SPINE_VALUE_COUNT]) +
           (largest.physics
                ? 2 * (spine->constraintCount * sizeof(SpineSprings) + spine->animationCount * sizeof(double))
                : 0) +
           (2 * largest.influences + 4 * largest.vertices + SPINE_PATH_PIECES * largest.curves) * sizeof(double);
}

SpinePose *spinePoseCreate(const SpineModel *spine, const uint32_t *skins, uint32_t skinCount, EngineError *error) {
    const Largest largest = largestOf(spine);
    SpinePose *pose = engineAllocate(1, sizeof *pose, error);
    if (!pose) {
        return NULL;
    }
    *pose = (SpinePose){.spine = spine,
                        .kept = {engineAllocate(spine->boneCount, sizeof *pose->kept.locals, error),
                                 engineAllocate(spine->slotCount, sizeof *pose->kept.colours, error),
                                 engineAllocate(spine->constraintCount, sizeof *pose->kept.values, error)},
                        .bones = engineAllocate(spine->boneCount, sizeof *pose->bones, error),
                        .slots = engineAllocate(spine->slotCount, sizeof *pose->slots, error),
                        .drawOrder = engineAllocate(spine->slotCount, sizeof *pose->drawOrder, error),
                        .values = engineAllocate(spine->constraintCount, sizeof *pose->values, error),
                        .constraintActive = engineAllocate(spine->constraintCount, sizeof(bool), error),
                        .skins = engineAllocate(skinCount, sizeof *pose->skins, error),
                        .skinCount = skinCount,
                        .firstOfSlot = engineAllocate((size_t)spine->slotCount + 2, sizeof(uint32_t), error),
                        .bySlot = engineAllocate(spine->attachmentCount, sizeof(uint32_t), error),
                        .moved = engineAllocate(spine->boneCount, sizeof(bool), error),
                        .fixed = engineAllocate(spine->boneCount, sizeof(bool), error),
                        .lastBelow = engineAllocate(spine->boneCount, sizeof(uint32_t), error),
                        .lastReader = engineAllocate(spine->boneCount, sizeof(uint32_t), error),
                        .points = engineAllocate(largest.influences, 2 * sizeof(double), error),
                        .path = engineAllocate(largest.vertices, 2 * sizeof(double), error),
                        .lengths = engineAllocate(largest.curves, SPINE_PATH_PIECES * sizeof(double), error),
                        .measured = -1,
                        .measuredPath = engineAllocate(largest.vertices, 2 * sizeof(double), error),
                        .spaces = engineAllocate(largest.bones + 1, SPINE_SPACES * sizeof(double), error)};
    if (!pose->bones || !pose->slots || !pose->drawOrder || !pose->values || !pose->constraintActive || !pose->skins ||
        !pose->firstOfSlot || !pose->bySlot || !pose->kept.locals || !pose->kept.colours || !pose->kept.values ||
        !pose->moved || !pose->fixed || !pose->lastBelow || !pose->lastReader || !pose->points || !pose->path ||
        !pose->lengths || !pose->measuredPath || !pose->spaces || !spinePhysicsCreate(pose, error)) {
        spinePoseFree(pose);
        return NULL;
    }
    for (uint32_t i = 0; i < skinCount; i++) {
        pose->skins[i] = skins[i];
    }
    sortBySlot(pose);
    chooseActive(pose);
    spineFindReaders(pose);
    spinePoseSet(pose, -1, 0.0);
    return pose;
}

void spinePoseFree(SpinePose *pose) {
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
        free(pose->lastBelow);
        free(pose->lastReader);
        free(pose->points);
        free(pose->path);
        free(pose->lengths);
        free(pose->measuredPath);
        free(pose->spaces);
        spinePhysicsFree(pose);
        free(pose);
    }
}

/* ---- Attachments ---- */

static int32_t findInSkin(const SpinePose *pose, uint32_t skin, uint32_t slot, uint32_t name) {
    for (uint32_t i = pose->firstOfSlot[slot]; i < pose->firstOfSlot[slot + 1]; i++) {
        const SpineAttachment *attachment = &pose->spine->attachments[pose->bySlot[i]];
        if (attachment->name == name && attachment->skin == skin) {
            return (int32_t)pose->bySlot[i];
        }
    }
    return -1;
}

int32_t spinePoseFind(const SpinePose *pose, uint32_t slot, int32_t name) {
    const SpineModel *spine = pose->spine;
    int32_t found = -1;
    for (uint32_t i = pose->skinCount; i > 0 && found < 0 && name >= 0; i--) {
        found = findInSkin(pose, pose->skins[i - 1], slot, (uint32_t)name);
    }
    if (found < 0 && name >= 0 && spine->defaultSkin >= 0) {
        found = findInSkin(pose, (uint32_t)spine->defaultSkin, slot, (uint32_t)name);
    }
    return found;
}

bool spinePoseTarget(const SpinePose *pose, uint32_t bone) {
    bool is = false;
    for (uint32_t i = 0; i < pose->spine->constraintCount && pose->bones[bone].active; i++) {
        const SpineConstraint *constraint = &pose->spine->constraints[i];
        is = is || (constraint->kind == SPINE_IK && constraint->target == bone && pose->constraintActive[i]);
    }
    return is;
}

/* Without the 2D model's slot: *state says what to show. */
static void show(SpinePose *pose, uint32_t slot, int32_t name) {
    SpineSlotState *state = &pose->slots[slot];
    state->attachment = pose->bones[pose->spine->slots[slot].bone].active ? spinePoseFind(pose, slot, name) : -1;
    state->frame = state->attachment >= 0 ? pose->spine->attachments[state->attachment].setupFrame : 0;
}

void spinePoseVertices(const SpinePose *pose, uint32_t slot, double *positions) {
    const SpineSlotState *state = &pose->slots[slot];
    const SpineAttachment *attachment = &pose->spine->attachments[state->attachment];
    const SpineFrame *frame = attachment->kind == SPINE_REGION ? &attachment->frames[state->frame] : NULL;
    double *points = pose->points;
    for (uint32_t i = 0; i < attachment->influenceCount; i++) {
        const float *point = frame ? frame->corners + (size_t)i * 2 : attachment->offsets + (size_t)i * 3;
        points[(size_t)i * 2] = (double)point[0];
        points[(size_t)i * 2 + 1] = (double)point[1];
    }
    for (uint32_t i = 0; i < state->deformCount; i++) {
        if (state->deforms[i].timeline) {
            spineDeform(&state->deforms[i], points);
        }
    }
    memset(positions, 0, (size_t)attachment->vertexCount * 2 * sizeof *positions);
    for (uint32_t i = 0; i < attachment->influenceCount; i++) {
        double place[2], *vertex = positions + (size_t)attachment->vertices[i] * 2;
        const double weight = (double)attachment->offsets[(size_t)i * 3 + 2];
        spineTransform(&pose->bones[attachment->bones[i]].matrix, points[(size_t)i * 2], points[(size_t)i * 2 + 1],
                       place);
        vertex[0] += weight * place[0];
        vertex[1] += weight * place[1];
    }
}

void spinePoseAddBox(const SpinePose *pose, SpineBox *box) {
    double *positions = pose->path; /* free between evaluations */
    for (uint32_t s = 0; s < pose->spine->slotCount; s++) {
        const int32_t index = pose->slots[s].attachment;
        const SpineAttachment *attachment = index >= 0 ? &pose->spine->attachments[index] : NULL;
        if (!attachment || attachment->frameCount == 0) {
            continue;
        }
        spinePoseVertices(pose, s, positions);
        for (uint32_t i = 0; i < 2 * attachment->vertexCount; i++) {
            box->low[i % 2] = fmin(box->low[i % 2], positions[i]);
            box->high[i % 2] = fmax(box->high[i % 2], positions[i]);
        }
    }
}

/* ---- The setup pose ---- */

static void setUp(SpinePose *pose) {
    const SpineModel *spine = pose->spine;
    for (uint32_t i = 0; i < spine->boneCount; i++) {
        pose->bones[i].inherit = (SpineInherit)spine->bones[i].inherit;
        for (int c = 0; c < SPINE_LOCAL_COUNT; c++) {
            pose->bones[i].local[c] = (double)spine->bones[i].local[c];
        }
    }
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        pose->drawOrder[i] = i;
        if (pose->slots[i].clean) {
            continue;
        }
        pose->slots[i].clean = true;
        memcpy(pose->slots[i].colour, spine->slots[i].colour, sizeof pose->slots[i].colour);
        memcpy(pose->slots[i].dark, spine->slots[i].dark, sizeof pose->slots[i].dark);
        pose->slots[i].deformCount = 0;
        show(pose, i, spine->slots[i].shown);
    }
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        for (int c = 0; c < SPINE_VALUE_COUNT; c++) {
            pose->values[i][c] = (double)spine->constraints[i].values[c];
        }
    }
}

/* ---- Keys ---- */

/* Where the values of a bone's timeline go: the first number of its place, how many, whether they multiply. */
static const struct {
    int first, count;
    bool multiplies;
} BONE_KEYS[] = {
    [SPINE_TIMELINE_ROTATE] = {SPINE_ROTATION, 1, false}, [SPINE_TIMELINE_TRANSLATE] = {SPINE_X, 2, false},
    [SPINE_TIMELINE_TRANSLATE_X] = {SPINE_X, 1, false},   [SPINE_TIMELINE_TRANSLATE_Y] = {SPINE_Y, 1, false},
    [SPINE_TIMELINE_SCALE] = {SPINE_SCALE_X, 2, true},    [SPINE_TIMELINE_SCALE_X] = {SPINE_SCALE_X, 1, true},
    [SPINE_TIMELINE_SCALE_Y] = {SPINE_SCALE_Y, 1, true},  [SPINE_TIMELINE_SHEAR] = {SPINE_SHEAR_X, 2, false},
    [SPINE_TIMELINE_SHEAR_X] = {SPINE_SHEAR_X, 1, false}, [SPINE_TIMELINE_SHEAR_Y] = {SPINE_SHEAR_Y, 1, false},
};

static void applyBoneKeys(SpinePose *pose, const SpineTimeline *timeline, const double *values) {
    double *local = pose->bones[timeline->target].local + BONE_KEYS[timeline->kind].first;
    for (int i = 0; i < BONE_KEYS[timeline->kind].count; i++) {
        local[i] = BONE_KEYS[timeline->kind].multiplies ? local[i] * values[i] : local[i] + values[i];
    }
}

static float unit(double value) {
    return (float)fmax(0.0, fmin(1.0, value));
}

static void applyColour(SpineSlotState *slot, uint32_t kind, const double *values) {
    const bool alpha = kind == SPINE_TIMELINE_RGBA || kind == SPINE_TIMELINE_RGBA2;
    const int dark = kind == SPINE_TIMELINE_RGBA2 ? 4 : kind == SPINE_TIMELINE_RGB2 ? 3 : 0;
    if (kind == SPINE_TIMELINE_ALPHA) {
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

static void applyConstraintKeys(SpinePose *pose, const SpineTimeline *timeline, const double *values, size_t key) {
    const int first = timeline->kind == SPINE_TIMELINE_PATH_POSITION  ? SPINE_PATH_POSITION
                      : timeline->kind == SPINE_TIMELINE_PATH_SPACING ? SPINE_PATH_SPACING
                                                                      : 0;
    const SpineModel *spine = pose->spine;
    if (SPINE_TIMELINE_TYPES[timeline->kind].group == SPINE_GROUP_PHYSICS) {
        const uint32_t value = timeline->kind - SPINE_TIMELINE_INERTIA;
        for (uint32_t i = 0; i < spine->constraintCount && timeline->target == spine->constraintCount; i++) {
            if (spine->constraints[i].globals >> value & 1) {
                pose->values[i][value] = values[0];
            }
        }
        if (timeline->target < spine->constraintCount) {
            pose->values[timeline->target][value] = values[0];
        }
        return;
    }
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
static void applyKeys(SpinePose *pose, const SpineTimeline *timeline) {
    const int64_t found = spineKey(timeline, pose->time.seconds);
    const size_t key = (size_t)found;
    double values[CURVES_MAX];
    if (found < 0 || timeline->kind == SPINE_TIMELINE_DEFORM || timeline->kind == SPINE_TIMELINE_SEQUENCE ||
        timeline->kind == SPINE_TIMELINE_RESET) {
        return; /* before the first key the setup pose holds */
    }
    if (timeline->kind == SPINE_TIMELINE_DRAW_ORDER) {
        for (uint32_t i = 0; i < timeline->integers; i++) {
            pose->drawOrder[i] = (uint32_t)timeline->numbers[key * timeline->integers + i];
        }
        return;
    }
    spineSample(timeline, pose->time, found, values);
    switch (SPINE_TIMELINE_TYPES[timeline->kind].group) {
    case SPINE_GROUP_BONE:
        if (timeline->kind == SPINE_TIMELINE_INHERIT) {
            pose->bones[timeline->target].inherit = (SpineInherit)timeline->values[key];
        } else {
            applyBoneKeys(pose, timeline, values);
        }
        break;
    case SPINE_GROUP_SLOT:
        pose->slots[timeline->target].clean = false;
        if (timeline->kind == SPINE_TIMELINE_SHOW) {
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
static SpineSlotState *slotOf(SpinePose *pose, const SpineTimeline *timeline) {
    const SpineModel *spine = pose->spine;
    SpineSlotState *slot = &pose->slots[spine->attachments[timeline->target].slot];
    const bool shown = slot->attachment >= 0 && spine->attachments[slot->attachment].source == timeline->target;
    return shown && spineKey(timeline, pose->time.seconds) >= 0 ? slot : NULL;
}

/* play: its index. frames: whether it is the one whose pictures are shown. */
static void applyAttachmentKeys(SpinePose *pose, const SpineTimeline *timeline, uint32_t play, double share,
                                bool frames) {
    SpineSlotState *slot = slotOf(pose, timeline);
    if (!slot) {
        return;
    }
    slot->clean = false;
    const uint32_t count = pose->spine->attachments[slot->attachment].frameCount;
    if (timeline->kind == SPINE_TIMELINE_DEFORM) {
        if (play >= slot->deformCount) { /* the last play is the first one here */
            memset(slot->deforms, 0, (play + 1) * sizeof slot->deforms[0]);
            slot->deformCount = play + 1;
        }
        slot->deforms[play] = (SpineDeform){timeline, pose->time, share};
    } else if (count > 0 && frames) {
        slot->frame = spineSequenceFrame(timeline, pose->time.seconds, count);
    }
}

/* ---- Mixing ---- */

static void keep(const SpinePose *pose) {
    const SpineModel *spine = pose->spine;
    for (uint32_t i = 0; i < spine->boneCount; i++) {
        memcpy(pose->kept.locals[i], pose->bones[i].local, sizeof *pose->kept.locals);
    }
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        memcpy(pose->kept.colours[i], pose->slots[i].colour, sizeof pose->slots[i].colour);
        memcpy(pose->kept.colours[i] + 4, pose->slots[i].dark, sizeof pose->slots[i].dark);
    }
    memcpy(pose->kept.values, pose->values, spine->constraintCount * sizeof *pose->values);
}

static void mixColour(const float *from, float *to, int count, float weight) {
    for (int i = 0; i < count; i++) {
        to[i] = from[i] + (to[i] - from[i]) * weight;
    }
}

/* From what was kept to what the pose has now. */
static void mix(SpinePose *pose, double weight) {
    const SpineModel *spine = pose->spine;
    for (uint32_t i = 0; i < spine->boneCount; i++) {
        double *local = pose->bones[i].local;
        for (int c = 0; c < SPINE_LOCAL_COUNT; c++) {
            const double from = pose->kept.locals[i][c], way = local[c] - from;
            local[c] = from + (c == SPINE_ROTATION ? spineWrap(way) : way) * weight;
        }
    }
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        pose->slots[i].clean = false; /* by the plays before */
        mixColour(pose->kept.colours[i], pose->slots[i].colour, 4, (float)weight);
        mixColour(pose->kept.colours[i] + 4, pose->slots[i].dark, 3, (float)weight);
    }
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        const int numbers = spine->constraints[i].kind == SPINE_IK ? SPINE_IK_BEND : SPINE_VALUE_COUNT;
        for (int c = 0; c < numbers; c++) { /* switches of IK follow its numbers */
            const double from = pose->kept.values[i][c];
            pose->values[i][c] = from + (pose->values[i][c] - from) * weight;
        }
    }
}

static const SpineAnimation *animationOf(const SpinePose *pose, const SpinePlay *play) {
    return play->animation >= 0 ? &pose->spine->animations[play->animation] : NULL;
}

/* Keys of everything but vertices and pictures. */
static void applyPlay(SpinePose *pose, const SpinePlay *play) {
    const SpineAnimation *keys = animationOf(pose, play);
    pose->time.seconds = play->time;
    setUp(pose);
    for (uint32_t i = 0; keys && i < keys->timelineCount; i++) {
        applyKeys(pose, &keys->timelines[i]);
    }
}

/* Keys of vertices and pictures: when it is known what slots show. */
static void applyPlaysToAttachments(SpinePose *pose, const SpinePlay *plays, uint32_t count) {
    double share = 1.0; /* combined share of this play and those before it */
    for (uint32_t p = count; p > 0; p--) {
        const SpinePlay *play = &plays[p - 1];
        const SpineAnimation *keys = animationOf(pose, play);
        const double weight = p > 1 ? play->weight : 1.0;
        pose->time.seconds = play->time;
        for (uint32_t i = 0; keys && i < keys->timelineCount; i++) {
            if (SPINE_TIMELINE_TYPES[keys->timelines[i].kind].group == SPINE_GROUP_ATTACHMENT) {
                applyAttachmentKeys(pose, &keys->timelines[i], p - 1, share * weight, p == count);
            }
        }
        share *= 1.0 - weight;
    }
    pose->time.seconds = plays[count - 1].time;
}

/* Leaves out the plays that nothing is seen of: those of weight 0, and those before one of weight 1. Returns how many stay. */
static uint32_t choosePlays(const SpinePlay *plays, uint32_t count, SpinePlay chosen[SPINE_PLAYS_MAX]) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && i < SPINE_PLAYS_MAX; i++) {
        if (i > 0 && plays[i].weight <= 0.0) {
            continue;
        }
        kept = plays[i].weight >= 1.0 ? 0 : kept;
        chosen[kept++] = plays[i];
    }
    return kept;
}

/* ---- All of it ---- */

static void applyConstraint(SpinePose *pose, uint32_t index) {
    const SpineConstraint *constraint = &pose->spine->constraints[index];
    const double *values = pose->values[index];
    switch ((SpineConstraintKind)constraint->kind) {
    case SPINE_IK:
        spineApplyIk(pose, constraint, values);
        break;
    case SPINE_TRANSFORM:
        spineApplyTransform(pose, constraint, values);
        break;
    case SPINE_PATH_FOLLOW:
        spineApplyPath(pose, constraint, values);
        break;
    default:
        spineApplyPhysics(pose, index);
        break;
    }
}

static void place(SpinePose *pose, const SpinePull *pulls, uint32_t pullCount) {
    for (uint32_t i = 0; i < pose->spine->boneCount; i++) {
        spinePlace(pose, i);
        for (uint32_t p = 0; p < pullCount; p++) {
            if (pulls[p].bone == i) {
                spineMove(pose, i, pulls[p].place);
            }
        }
    }
}

void spinePoseCurves(SpinePose *pose, SpineCurves curves) {
    const bool exact = curves == SPINE_CURVES_EXACT;
    pose->measured = pose->time.exact == exact ? pose->measured : -1;
    pose->time.exact = exact;
}

void spinePoseMix(SpinePose *pose, const SpinePlay *plays, uint32_t playCount, const SpinePull *pulls,
                  uint32_t pullCount) {
    const SpineModel *spine = pose->spine;
    SpinePlay chosen[SPINE_PLAYS_MAX];
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
    spinePassResets(pose, chosen, count);
    place(pose, pulls, pullCount);
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        if (pose->constraintActive[i]) {
            applyConstraint(pose, i);
        }
    }
    pose->physics.updates = false;
}

void spinePoseSet(SpinePose *pose, int32_t animation, double time) {
    spinePoseMix(pose, &(SpinePlay){animation, time, 1.0}, 1, NULL, 0);
}
