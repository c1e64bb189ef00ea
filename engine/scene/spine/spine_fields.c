/* spine_fields.c: the tables of a 2D model's fields (model_fields.h), and what a 2D model has to obey. */
#include "spine_model.h"

#include <stdlib.h>

#include "model_fields.h"
#include "model_rows.h"

#define SPINE_TIMELINE_ROW(name, channels, curves, group) {#name, channels, curves, SPINE_GROUP_##group},
const SpineTimelineType SPINE_TIMELINE_TYPES[] = {SPINE_TIMELINES(SPINE_TIMELINE_ROW)};

const char *const SPINE_INHERIT_NAMES[] = {"normal",  "onlyTranslation",     "noRotationOrReflection",
                                           "noScale", "noScaleOrReflection", NULL};
const char *const SPINE_BLEND_NAMES[] = {"normal", "additive", "multiply", "screen", NULL};
const char *const SPINE_KIND_NAMES[] = {"region", "mesh", "path", "clipping", "boundingbox", "point", NULL};
const char *const SPINE_CONSTRAINT_NAMES[] = {"ik", "transform", "path", "physics", NULL};
const char *const SPINE_SPACING_NAMES[] = {"length", "fixed", "percent", "proportional", NULL};
const char *const SPINE_ROTATE_NAMES[] = {"tangent", "chain", "chainScale", NULL};
const char *const SPINE_SEQUENCE_NAMES[] = {
    "hold", "once", "loop", "pingpong", "onceReverse", "loopReverse", "pingpongReverse", NULL};

_Static_assert(COUNT_OF(SPINE_INHERIT_NAMES) == SPINE_INHERIT_COUNT + 1 &&
                   COUNT_OF(SPINE_BLEND_NAMES) == SPINE_BLEND_COUNT + 1 &&
                   COUNT_OF(SPINE_KIND_NAMES) == SPINE_KIND_COUNT + 1 &&
                   COUNT_OF(SPINE_CONSTRAINT_NAMES) == SPINE_CONSTRAINT_COUNT + 1 &&
                   COUNT_OF(SPINE_SPACING_NAMES) == SPINE_SPACING_COUNT + 1 &&
                   COUNT_OF(SPINE_ROTATE_NAMES) == SPINE_ROTATE_COUNT + 1 &&
                   COUNT_OF(SPINE_SEQUENCE_NAMES) == SPINE_SEQUENCE_COUNT + 1,
               "each value has a name");

/* ---- Checks that field rules cannot express ---- */

static bool influencesFit(const SpineAttachment *attachment) {
    uint32_t next = 0; /* the first vertex without an influence */
    for (uint32_t i = 0; i < attachment->influenceCount; i++) {
        if (attachment->vertices[i] > next || attachment->vertices[i] + 1 < next) {
            return false;
        }
        next = attachment->vertices[i] + 1;
    }
    return next == attachment->vertexCount && next > 0;
}

static bool framesFit(const SpineAttachment *attachment, const SpineModel *spine) {
    bool shown = attachment->kind == SPINE_REGION || attachment->kind == SPINE_MESH;
    if (shown != (attachment->frameCount > 0) || (shown && attachment->setupFrame >= attachment->frameCount) ||
        (!shown && attachment->indexCount > 0)) {
        return false;
    }
    for (uint32_t i = 0; i < attachment->frameCount; i++) {
        const SpineFrame *frame = &attachment->frames[i];
        bool page = frame->page >= -1 && (frame->page < 0 || (uint32_t)frame->page < spine->pageCount);
        bool corners = (frame->corners != NULL) == (attachment->kind == SPINE_REGION);
        if (!page || !corners || frame->vertexCount != attachment->vertexCount) {
            return false;
        }
    }
    return attachment->kind != SPINE_REGION || attachment->influenceCount == attachment->vertexCount;
}

static bool checkAttachment(const ModelScope *scope, EngineError *error) {
    const SpineAttachment *attachment = scope->object;
    const uint32_t knots = attachment->vertexCount / 3;
    bool path = attachment->kind != SPINE_PATH || (attachment->vertexCount % 3 == 0 && knots >= 2 &&
                                                   attachment->lengthCount == (attachment->closed ? knots : knots - 1));
    bool point = attachment->kind != SPINE_POINT || attachment->vertexCount == 1;
    return (attachment->indexCount % 3 == 0 && path && point && influencesFit(attachment) &&
            framesFit(attachment, scope->parent->object)) ||
           modelFailStruct(scope, "has influences, frames or a curve that do not fit its vertices", error);
}

static bool checkConstraint(const ModelScope *scope, EngineError *error) {
    static const uint32_t pathModes[] = {2, SPINE_SPACING_COUNT, SPINE_ROTATE_COUNT};
    const SpineConstraint *constraint = scope->object;
    const SpineModel *spine = scope->parent->object;
    bool path = constraint->kind == SPINE_PATH_FOLLOW;
    bool good = constraint->target < (path ? spine->slotCount : spine->boneCount) && constraint->boneCount > 0;
    for (uint32_t i = 0; i < SPINE_MODE_COUNT; i++) {
        good = good && constraint->modes[i] < (path ? pathModes[i] : 2);
    }
    if (good && constraint->kind == SPINE_IK) {
        good = constraint->boneCount == 1 || (constraint->boneCount == 2 && spine->bones[constraint->bones[1]].parent ==
                                                                                (int32_t)constraint->bones[0]);
    }
    if (constraint->kind == SPINE_PHYSICS) {
        good = good && constraint->boneCount == 1 && constraint->rate >= 1.0f && constraint->rate <= SPINE_RATE_MAX;
    }
    return good || modelFailStruct(scope, "has a target, bones or a mode out of range", error);
}

static uint32_t integersOf(uint32_t kind, const SpineModel *spine) {
    return kind == SPINE_TIMELINE_SHOW         ? 1
           : kind == SPINE_TIMELINE_SEQUENCE   ? 2
           : kind == SPINE_TIMELINE_DRAW_ORDER ? spine->slotCount
                                               : 0;
}

static bool targetFits(const SpineTimeline *timeline, const SpineModel *spine) {
    static const uint32_t constraints[] = {[SPINE_GROUP_IK] = SPINE_IK,
                                           [SPINE_GROUP_TRANSFORM] = SPINE_TRANSFORM,
                                           [SPINE_GROUP_PATH] = SPINE_PATH_FOLLOW,
                                           [SPINE_GROUP_PHYSICS] = SPINE_PHYSICS};
    const SpineGroup group = SPINE_TIMELINE_TYPES[timeline->kind].group;
    switch (group) {
    case SPINE_GROUP_BONE:
        return timeline->target < spine->boneCount;
    case SPINE_GROUP_SLOT:
        return timeline->target < spine->slotCount;
    case SPINE_GROUP_ATTACHMENT:
        return timeline->target < spine->attachmentCount;
    case SPINE_GROUP_NONE:
        return timeline->target == 0;
    default:
        if (group == SPINE_GROUP_PHYSICS && timeline->target == spine->constraintCount) {
            return true;
        }
        return timeline->target < spine->constraintCount &&
               spine->constraints[timeline->target].kind == constraints[group];
    }
}

static bool shapeFits(const SpineTimeline *timeline, const SpineModel *spine) {
    const SpineTimelineType *type = &SPINE_TIMELINE_TYPES[timeline->kind];
    uint32_t channels = type->channels;
    if (timeline->kind == SPINE_TIMELINE_DEFORM) {
        channels = 2 * spine->attachments[timeline->target].influenceCount;
    }
    bool bezier = false;
    for (uint32_t i = 0; i < timeline->keyCount; i++) {
        bezier |= timeline->shapes[i] == SPINE_BEZIER;
    }
    return timeline->keyCount > 0 && timeline->channels == channels && timeline->curves == type->curves &&
           timeline->integers == integersOf(timeline->kind, spine) && (timeline->values != NULL) == (channels > 0) &&
           (timeline->numbers != NULL) == (timeline->integers > 0) && (!bezier || timeline->handles);
}

/* Each slot once. */
static bool isOrder(const int32_t *slots, uint32_t count) {
    bool good = true;
    bool *seen = calloc(count ? count : 1, sizeof *seen);
    if (!seen) {
        return false;
    }
    for (uint32_t i = 0; i < count && good; i++) {
        good = slots[i] >= 0 && (uint32_t)slots[i] < count && !seen[slots[i]];
        if (good) {
            seen[slots[i]] = true;
        }
    }
    free(seen);
    return good;
}

static bool numbersOfKeyFit(const SpineTimeline *timeline, const int32_t *numbers, const SpineModel *spine) {
    switch (timeline->kind) {
    case SPINE_TIMELINE_SHOW:
        return numbers[0] >= -1 && (numbers[0] < 0 || (uint32_t)numbers[0] < spine->nameCount);
    case SPINE_TIMELINE_SEQUENCE:
        return numbers[0] >= 0 && numbers[0] < SPINE_SEQUENCE_COUNT && numbers[1] >= 0 && numbers[1] < 1 << 24;
    default:
        return isOrder(numbers, spine->slotCount);
    }
}

static bool numbersFit(const SpineTimeline *timeline, const SpineModel *spine) {
    bool good = true;
    for (uint32_t i = 0; i < timeline->keyCount && timeline->kind == SPINE_TIMELINE_INHERIT; i++) {
        good = good && timeline->values[i] >= 0.0f && timeline->values[i] < (float)SPINE_INHERIT_COUNT;
    }
    for (uint32_t i = 0; i < timeline->keyCount && timeline->numbers && good; i++) {
        good = numbersOfKeyFit(timeline, timeline->numbers + (size_t)i * timeline->integers, spine);
    }
    return good;
}

static bool checkTimeline(const ModelScope *scope, EngineError *error) {
    const SpineTimeline *timeline = scope->object;
    const SpineModel *spine = scope->parent->parent->object;
    return (targetFits(timeline, spine) && shapeFits(timeline, spine) && numbersFit(timeline, spine)) ||
           modelFailStruct(scope, "has keys that do not fit its target", error);
}

static bool checkSpine(const ModelScope *scope, EngineError *error) {
    const SpineModel *spine = scope->object;
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        const SpineAttachment *attachment = &spine->attachments[i], *source = spine->attachments + attachment->source;
        if (attachment->influenceCount != source->influenceCount || attachment->vertexCount != source->vertexCount ||
            attachment->slot != source->slot) {
            return engineFail(error, "attachment %u does not fit the one that it is linked to", i);
        }
    }
    return spine->boneCount > 0 || engineFail(error, "a 2D model has no bones");
}

/* ---- The tables ---- */

#define BELOW_SPINE(counter) BELOW(MODEL_LIMIT_PARENT, SpineModel, counter)
#define BELOW_OR_NONE(counter)                                                                                         \
    .rules = MODEL_BELOW | MODEL_OR_NONE, .limitIn = MODEL_LIMIT_PARENT, .limit = offsetof(SpineModel, counter)
#define BELOW_NUMBER(number) .rules = MODEL_BELOW, .limit = (number)

static const ModelField nameFields[] = {TEXT(SpineName, text)};
static const ModelStruct nameStruct = STRUCT("name", nameFields, NULL);

static const ModelField pageFields[] = {
    TEXT(SpinePage, name),
    PLAIN(SpinePage, texture, .rules = MODEL_BELOW | MODEL_OR_NONE, .limitIn = MODEL_LIMIT_MODEL,
          .limit = offsetof(Model, textureCount)),
    PLAIN(SpinePage, premultiplied, BELOW_NUMBER(2)),
    PLAIN(SpinePage, nearest, BELOW_NUMBER(2)),
    PLAIN(SpinePage, repeats, BELOW_NUMBER(4)),
};
static const ModelStruct pageStruct = STRUCT("page", pageFields, NULL);

static const ModelField boneFields[] = {
    TEXT(SpineBone, name),
    PLAIN(SpineBone, parent, .rules = MODEL_BELOW | MODEL_OR_NONE, .limitIn = MODEL_LIMIT_INDEX),
    PLAIN(SpineBone, inherit, BELOW_NUMBER(SPINE_INHERIT_COUNT)),
    PLAIN(SpineBone, skinOnly, BELOW_NUMBER(2)),
    PLAIN(SpineBone, length, FINITE),
    PLAIN(SpineBone, local, FINITE),
};
static const ModelStruct boneStruct = STRUCT("bone", boneFields, NULL);

static const ModelField slotFields[] = {
    TEXT(SpineSlot, name),
    PLAIN(SpineSlot, bone, BELOW_SPINE(boneCount)),
    PLAIN(SpineSlot, shown, BELOW_OR_NONE(nameCount)),
    PLAIN(SpineSlot, blend, BELOW_NUMBER(SPINE_BLEND_COUNT)),
    PLAIN(SpineSlot, twoColours, BELOW_NUMBER(2)),
    PLAIN(SpineSlot, colour, .rules = MODEL_UNIT),
    PLAIN(SpineSlot, dark, .rules = MODEL_UNIT),
};
static const ModelStruct slotStruct = STRUCT("slot", slotFields, NULL);

static const ModelField frameFields[] = {
    PLAIN(SpineFrame, page, ),
    PLAIN(SpineFrame, vertexCount, ),
    ARRAY(SpineFrame, texcoords, 2, vertexCount, FINITE),
    ARRAY(SpineFrame, corners, 2, vertexCount, FINITE, .optional = true),
};
static const ModelStruct frameStruct = STRUCT("frame", frameFields, NULL);

static const ModelField attachmentFields[] = {
    PLAIN(SpineAttachment, skin, BELOW_SPINE(skinCount)),
    PLAIN(SpineAttachment, slot, BELOW_SPINE(slotCount)),
    PLAIN(SpineAttachment, name, BELOW_SPINE(nameCount)),
    PLAIN(SpineAttachment, kind, BELOW_NUMBER(SPINE_KIND_COUNT)),
    PLAIN(SpineAttachment, source, BELOW_SPINE(attachmentCount)),
    PLAIN(SpineAttachment, vertexCount, ),
    PLAIN(SpineAttachment, influenceCount, ),
    ARRAY(SpineAttachment, vertices, 1, influenceCount, BELOW(MODEL_LIMIT_OWN, SpineAttachment, vertexCount)),
    ARRAY(SpineAttachment, bones, 1, influenceCount, BELOW_SPINE(boneCount)),
    ARRAY(SpineAttachment, offsets, 3, influenceCount, FINITE),
    PLAIN(SpineAttachment, indexCount, ),
    ARRAY(SpineAttachment, indices, 1, indexCount, BELOW(MODEL_LIMIT_OWN, SpineAttachment, vertexCount)),
    PLAIN(SpineAttachment, colour, .rules = MODEL_UNIT),
    STRUCTS(SpineAttachment, frames, frameCount, frameStruct),
    PLAIN(SpineAttachment, setupFrame, ),
    PLAIN(SpineAttachment, clipEnd, BELOW_OR_NONE(slotCount)),
    PLAIN(SpineAttachment, closed, BELOW_NUMBER(2)),
    PLAIN(SpineAttachment, constantSpeed, BELOW_NUMBER(2)),
    PLAIN(SpineAttachment, lengthCount, ),
    ARRAY(SpineAttachment, lengths, 1, lengthCount, FINITE),
    PLAIN(SpineAttachment, rotation, FINITE),
};
static const ModelStruct attachmentStruct = STRUCT("attachment", attachmentFields, checkAttachment);

static const ModelField skinFields[] = {
    TEXT(SpineSkin, name),
    PLAIN(SpineSkin, boneCount, ),
    PLAIN(SpineSkin, constraintCount, ),
    ARRAY(SpineSkin, bones, 1, boneCount, BELOW_SPINE(boneCount)),
    ARRAY(SpineSkin, constraints, 1, constraintCount, BELOW_SPINE(constraintCount)),
};
static const ModelStruct skinStruct = STRUCT("skin", skinFields, NULL);

static const ModelField constraintFields[] = {
    TEXT(SpineConstraint, name),
    PLAIN(SpineConstraint, kind, BELOW_NUMBER(SPINE_CONSTRAINT_COUNT)),
    PLAIN(SpineConstraint, skinOnly, BELOW_NUMBER(2)),
    PLAIN(SpineConstraint, target, ),
    PLAIN(SpineConstraint, boneCount, ),
    ARRAY(SpineConstraint, bones, 1, boneCount, BELOW_SPINE(boneCount)),
    PLAIN(SpineConstraint, modes, ),
    PLAIN(SpineConstraint, values, FINITE),
    PLAIN(SpineConstraint, offsets, FINITE),
    PLAIN(SpineConstraint, limit, FINITE),
    PLAIN(SpineConstraint, rate, FINITE),
    PLAIN(SpineConstraint, globals, ),
};
static const ModelStruct constraintStruct = STRUCT("constraint", constraintFields, checkConstraint);

static const ModelField timelineFields[] = {
    PLAIN(SpineTimeline, kind, BELOW_NUMBER(SPINE_TIMELINE_COUNT)),
    PLAIN(SpineTimeline, target, ),
    PLAIN(SpineTimeline, keyCount, ),
    PLAIN(SpineTimeline, channels, ),
    PLAIN(SpineTimeline, curves, ),
    PLAIN(SpineTimeline, integers, ),
    ARRAY(SpineTimeline, times, 1, keyCount, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE | MODEL_ASCENDING),
    ARRAY(SpineTimeline, values, 1, keyCount, .factor = offsetof(SpineTimeline, channels), FINITE, .optional = true),
    ARRAY(SpineTimeline, shapes, 1, keyCount, BELOW_NUMBER(SPINE_SHAPE_COUNT)),
    ARRAY(SpineTimeline, handles, 4, keyCount, .factor = offsetof(SpineTimeline, curves), FINITE, .optional = true),
    ARRAY(SpineTimeline, numbers, 1, keyCount, .factor = offsetof(SpineTimeline, integers), .optional = true),
};
static const ModelStruct timelineStruct = STRUCT("timeline", timelineFields, checkTimeline);

static const ModelField eventFields[] = {
    TEXT(SpineEvent, name),
    TEXT(SpineEvent, text),
    PLAIN(SpineEvent, time, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    PLAIN(SpineEvent, integer, ),
    PLAIN(SpineEvent, number, FINITE),
};
static const ModelStruct eventStruct = STRUCT("event", eventFields, NULL);

static const ModelField animationFields[] = {
    TEXT(SpineAnimation, name),
    PLAIN(SpineAnimation, duration, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    STRUCTS(SpineAnimation, timelines, timelineCount, timelineStruct),
    STRUCTS(SpineAnimation, events, eventCount, eventStruct),
};
static const ModelStruct animationStruct = STRUCT("animation", animationFields, NULL);

/* Checked in this order: those that others point to come first. */
static const ModelField spineFields[] = {
    TEXT(SpineModel, version),
    PLAIN(SpineModel, bounds, FINITE),
    PLAIN(SpineModel, referenceScale, FINITE),
    STRUCTS(SpineModel, names, nameCount, nameStruct),
    STRUCTS(SpineModel, pages, pageCount, pageStruct),
    STRUCTS(SpineModel, bones, boneCount, boneStruct),
    STRUCTS(SpineModel, slots, slotCount, slotStruct),
    STRUCTS(SpineModel, constraints, constraintCount, constraintStruct),
    STRUCTS(SpineModel, skins, skinCount, skinStruct),
    STRUCTS(SpineModel, attachments, attachmentCount, attachmentStruct),
    STRUCTS(SpineModel, animations, animationCount, animationStruct),
    {AT(SpineModel, defaultSkin), .kind = MODEL_PLAIN, .size = sizeof(int32_t), .rules = MODEL_BELOW | MODEL_OR_NONE,
     .limitIn = MODEL_LIMIT_OWN, .limit = offsetof(SpineModel, skinCount)},
};
const ModelStruct spineStruct = STRUCT("2D model", spineFields, checkSpine);
