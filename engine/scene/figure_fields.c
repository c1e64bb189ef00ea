/* figure_fields.c: the tables of a figure's fields (model_fields.h), and what a figure has to obey. */
#include "figure.h"

#include <stdlib.h>

#include "model_fields.h"
#include "model_rows.h"

#define FIGURE_TIMELINE_ROW(name, channels, curves, group) {#name, channels, curves, FIGURE_GROUP_##group},
const FigureTimelineType FIGURE_TIMELINE_TYPES[] = {FIGURE_TIMELINES(FIGURE_TIMELINE_ROW)};

const char *const FIGURE_INHERIT_NAMES[] = {"normal",  "onlyTranslation",     "noRotationOrReflection",
                                            "noScale", "noScaleOrReflection", NULL};
const char *const FIGURE_BLEND_NAMES[] = {"normal", "additive", "multiply", "screen", NULL};
const char *const FIGURE_KIND_NAMES[] = {"region", "mesh", "path", "clipping", "boundingbox", "point", NULL};
const char *const FIGURE_CONSTRAINT_NAMES[] = {"ik", "transform", "path", "physics", NULL};
const char *const FIGURE_SPACING_NAMES[] = {"length", "fixed", "percent", "proportional", NULL};
const char *const FIGURE_ROTATE_NAMES[] = {"tangent", "chain", "chainScale", NULL};
const char *const FIGURE_SEQUENCE_NAMES[] = {
    "hold", "once", "loop", "pingpong", "onceReverse", "loopReverse", "pingpongReverse", NULL};

_Static_assert(COUNT_OF(FIGURE_INHERIT_NAMES) == FIGURE_INHERIT_COUNT + 1 &&
                   COUNT_OF(FIGURE_BLEND_NAMES) == FIGURE_BLEND_COUNT + 1 &&
                   COUNT_OF(FIGURE_KIND_NAMES) == FIGURE_KIND_COUNT + 1 &&
                   COUNT_OF(FIGURE_CONSTRAINT_NAMES) == FIGURE_CONSTRAINT_COUNT + 1 &&
                   COUNT_OF(FIGURE_SPACING_NAMES) == FIGURE_SPACING_COUNT + 1 &&
                   COUNT_OF(FIGURE_ROTATE_NAMES) == FIGURE_ROTATE_COUNT + 1 &&
                   COUNT_OF(FIGURE_SEQUENCE_NAMES) == FIGURE_SEQUENCE_COUNT + 1,
               "each value has a name");

/* ---- Checks that field rules cannot express ---- */

static bool influencesFit(const FigureAttachment *attachment) {
    uint32_t next = 0; /* the first vertex without an influence */
    for (uint32_t i = 0; i < attachment->influenceCount; i++) {
        if (attachment->vertices[i] > next || attachment->vertices[i] + 1 < next) {
            return false;
        }
        next = attachment->vertices[i] + 1;
    }
    return next == attachment->vertexCount && next > 0;
}

static bool framesFit(const FigureAttachment *attachment, const Figure *figure) {
    bool shown = attachment->kind == FIGURE_REGION || attachment->kind == FIGURE_MESH;
    if (shown != (attachment->frameCount > 0) || (shown && attachment->setupFrame >= attachment->frameCount) ||
        (!shown && attachment->indexCount > 0)) {
        return false;
    }
    for (uint32_t i = 0; i < attachment->frameCount; i++) {
        const FigureFrame *frame = &attachment->frames[i];
        bool page = frame->page >= -1 && (frame->page < 0 || (uint32_t)frame->page < figure->pageCount);
        bool corners = (frame->corners != NULL) == (attachment->kind == FIGURE_REGION);
        if (!page || !corners || frame->vertexCount != attachment->vertexCount) {
            return false;
        }
    }
    return attachment->kind != FIGURE_REGION || attachment->influenceCount == attachment->vertexCount;
}

static bool checkAttachment(const ModelScope *scope, EngineError *error) {
    const FigureAttachment *attachment = scope->object;
    const uint32_t knots = attachment->vertexCount / 3;
    bool path =
        attachment->kind != FIGURE_PATH || (attachment->vertexCount % 3 == 0 && knots >= 2 &&
                                            attachment->lengthCount == (attachment->closed ? knots : knots - 1));
    bool point = attachment->kind != FIGURE_POINT || attachment->vertexCount == 1;
    return (attachment->indexCount % 3 == 0 && path && point && influencesFit(attachment) &&
            framesFit(attachment, scope->parent->object)) ||
           modelFailStruct(scope, "has influences, frames or a curve that do not fit its vertices", error);
}

static bool checkConstraint(const ModelScope *scope, EngineError *error) {
    static const uint32_t pathModes[] = {2, FIGURE_SPACING_COUNT, FIGURE_ROTATE_COUNT};
    const FigureConstraint *constraint = scope->object;
    const Figure *figure = scope->parent->object;
    bool path = constraint->kind == FIGURE_PATH_FOLLOW;
    bool good = constraint->target < (path ? figure->slotCount : figure->boneCount) && constraint->boneCount > 0;
    for (uint32_t i = 0; i < FIGURE_MODE_COUNT; i++) {
        good = good && constraint->modes[i] < (path ? pathModes[i] : 2);
    }
    if (good && constraint->kind == FIGURE_IK) {
        good =
            constraint->boneCount == 1 ||
            (constraint->boneCount == 2 && figure->bones[constraint->bones[1]].parent == (int32_t)constraint->bones[0]);
    }
    return good || modelFailStruct(scope, "has a target, bones or a mode out of range", error);
}

static uint32_t integersOf(uint32_t kind, const Figure *figure) {
    return kind == FIGURE_TIMELINE_SHOW         ? 1
           : kind == FIGURE_TIMELINE_SEQUENCE   ? 2
           : kind == FIGURE_TIMELINE_DRAW_ORDER ? figure->slotCount
                                                : 0;
}

static bool targetFits(const FigureTimeline *timeline, const Figure *figure) {
    static const uint32_t constraints[] = {[FIGURE_GROUP_IK] = FIGURE_IK,
                                           [FIGURE_GROUP_TRANSFORM] = FIGURE_TRANSFORM,
                                           [FIGURE_GROUP_PATH] = FIGURE_PATH_FOLLOW};
    const FigureGroup group = FIGURE_TIMELINE_TYPES[timeline->kind].group;
    switch (group) {
    case FIGURE_GROUP_BONE:
        return timeline->target < figure->boneCount;
    case FIGURE_GROUP_SLOT:
        return timeline->target < figure->slotCount;
    case FIGURE_GROUP_ATTACHMENT:
        return timeline->target < figure->attachmentCount;
    case FIGURE_GROUP_NONE:
        return timeline->target == 0;
    default:
        return timeline->target < figure->constraintCount &&
               figure->constraints[timeline->target].kind == constraints[group];
    }
}

static bool shapeFits(const FigureTimeline *timeline, const Figure *figure) {
    const FigureTimelineType *type = &FIGURE_TIMELINE_TYPES[timeline->kind];
    uint32_t channels = type->channels;
    if (timeline->kind == FIGURE_TIMELINE_DEFORM) {
        channels = 2 * figure->attachments[timeline->target].influenceCount;
    }
    bool bezier = false;
    for (uint32_t i = 0; i < timeline->keyCount; i++) {
        bezier |= timeline->shapes[i] == FIGURE_BEZIER;
    }
    return timeline->keyCount > 0 && timeline->channels == channels && timeline->curves == type->curves &&
           timeline->integers == integersOf(timeline->kind, figure) && (timeline->values != NULL) == (channels > 0) &&
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

static bool numbersOfKeyFit(const FigureTimeline *timeline, const int32_t *numbers, const Figure *figure) {
    switch (timeline->kind) {
    case FIGURE_TIMELINE_SHOW:
        return numbers[0] >= -1 && (numbers[0] < 0 || (uint32_t)numbers[0] < figure->nameCount);
    case FIGURE_TIMELINE_SEQUENCE:
        return numbers[0] >= 0 && numbers[0] < FIGURE_SEQUENCE_COUNT && numbers[1] >= 0 && numbers[1] < 1 << 24;
    default:
        return isOrder(numbers, figure->slotCount);
    }
}

static bool numbersFit(const FigureTimeline *timeline, const Figure *figure) {
    bool good = true;
    for (uint32_t i = 0; i < timeline->keyCount && timeline->kind == FIGURE_TIMELINE_INHERIT; i++) {
        good = good && timeline->values[i] >= 0.0f && timeline->values[i] < (float)FIGURE_INHERIT_COUNT;
    }
    for (uint32_t i = 0; i < timeline->keyCount && timeline->numbers && good; i++) {
        good = numbersOfKeyFit(timeline, timeline->numbers + (size_t)i * timeline->integers, figure);
    }
    return good;
}

static bool checkTimeline(const ModelScope *scope, EngineError *error) {
    const FigureTimeline *timeline = scope->object;
    const Figure *figure = scope->parent->parent->object;
    return (targetFits(timeline, figure) && shapeFits(timeline, figure) && numbersFit(timeline, figure)) ||
           modelFailStruct(scope, "has keys that do not fit its target", error);
}

static bool checkFigure(const ModelScope *scope, EngineError *error) {
    const Figure *figure = scope->object;
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        const FigureAttachment *attachment = &figure->attachments[i],
                               *source = figure->attachments + attachment->source;
        if (attachment->influenceCount != source->influenceCount || attachment->vertexCount != source->vertexCount ||
            attachment->slot != source->slot) {
            return engineFail(error, "attachment %u does not fit the one that it is linked to", i);
        }
    }
    return figure->boneCount > 0 || engineFail(error, "a figure has no bones");
}

/* ---- The tables ---- */

#define BELOW_FIGURE(counter) BELOW(MODEL_LIMIT_PARENT, Figure, counter)
#define BELOW_OR_NONE(counter)                                                                                         \
    .rules = MODEL_BELOW | MODEL_OR_NONE, .limitIn = MODEL_LIMIT_PARENT, .limit = offsetof(Figure, counter)
#define BELOW_NUMBER(number) .rules = MODEL_BELOW, .limit = (number)

static const ModelField nameFields[] = {TEXT(FigureName, text)};
static const ModelStruct nameStruct = STRUCT("name", nameFields, NULL);

static const ModelField pageFields[] = {
    TEXT(FigurePage, name),
    PLAIN(FigurePage, texture, .rules = MODEL_BELOW | MODEL_OR_NONE, .limitIn = MODEL_LIMIT_MODEL,
          .limit = offsetof(Model, textureCount)),
    PLAIN(FigurePage, premultiplied, BELOW_NUMBER(2)),
    PLAIN(FigurePage, nearest, BELOW_NUMBER(2)),
    PLAIN(FigurePage, repeats, BELOW_NUMBER(4)),
};
static const ModelStruct pageStruct = STRUCT("page", pageFields, NULL);

static const ModelField boneFields[] = {
    TEXT(FigureBone, name),
    PLAIN(FigureBone, parent, .rules = MODEL_BELOW | MODEL_OR_NONE, .limitIn = MODEL_LIMIT_INDEX),
    PLAIN(FigureBone, inherit, BELOW_NUMBER(FIGURE_INHERIT_COUNT)),
    PLAIN(FigureBone, skinOnly, BELOW_NUMBER(2)),
    PLAIN(FigureBone, length, FINITE),
    PLAIN(FigureBone, local, FINITE),
};
static const ModelStruct boneStruct = STRUCT("bone", boneFields, NULL);

static const ModelField slotFields[] = {
    TEXT(FigureSlot, name),
    PLAIN(FigureSlot, bone, BELOW_FIGURE(boneCount)),
    PLAIN(FigureSlot, shown, BELOW_OR_NONE(nameCount)),
    PLAIN(FigureSlot, blend, BELOW_NUMBER(FIGURE_BLEND_COUNT)),
    PLAIN(FigureSlot, twoColours, BELOW_NUMBER(2)),
    PLAIN(FigureSlot, colour, .rules = MODEL_UNIT),
    PLAIN(FigureSlot, dark, .rules = MODEL_UNIT),
};
static const ModelStruct slotStruct = STRUCT("slot", slotFields, NULL);

static const ModelField frameFields[] = {
    PLAIN(FigureFrame, page, ),
    PLAIN(FigureFrame, vertexCount, ),
    ARRAY(FigureFrame, texcoords, 2, vertexCount, FINITE),
    ARRAY(FigureFrame, corners, 2, vertexCount, FINITE, .optional = true),
};
static const ModelStruct frameStruct = STRUCT("frame", frameFields, NULL);

static const ModelField attachmentFields[] = {
    PLAIN(FigureAttachment, skin, BELOW_FIGURE(skinCount)),
    PLAIN(FigureAttachment, slot, BELOW_FIGURE(slotCount)),
    PLAIN(FigureAttachment, name, BELOW_FIGURE(nameCount)),
    PLAIN(FigureAttachment, kind, BELOW_NUMBER(FIGURE_KIND_COUNT)),
    PLAIN(FigureAttachment, source, BELOW_FIGURE(attachmentCount)),
    PLAIN(FigureAttachment, vertexCount, ),
    PLAIN(FigureAttachment, influenceCount, ),
    ARRAY(FigureAttachment, vertices, 1, influenceCount, BELOW(MODEL_LIMIT_OWN, FigureAttachment, vertexCount)),
    ARRAY(FigureAttachment, bones, 1, influenceCount, BELOW_FIGURE(boneCount)),
    ARRAY(FigureAttachment, offsets, 3, influenceCount, FINITE),
    PLAIN(FigureAttachment, indexCount, ),
    ARRAY(FigureAttachment, indices, 1, indexCount, BELOW(MODEL_LIMIT_OWN, FigureAttachment, vertexCount)),
    PLAIN(FigureAttachment, colour, .rules = MODEL_UNIT),
    STRUCTS(FigureAttachment, frames, frameCount, frameStruct),
    PLAIN(FigureAttachment, setupFrame, ),
    PLAIN(FigureAttachment, clipEnd, BELOW_OR_NONE(slotCount)),
    PLAIN(FigureAttachment, closed, BELOW_NUMBER(2)),
    PLAIN(FigureAttachment, constantSpeed, BELOW_NUMBER(2)),
    PLAIN(FigureAttachment, lengthCount, ),
    ARRAY(FigureAttachment, lengths, 1, lengthCount, FINITE),
    PLAIN(FigureAttachment, rotation, FINITE),
};
static const ModelStruct attachmentStruct = STRUCT("attachment", attachmentFields, checkAttachment);

static const ModelField skinFields[] = {
    TEXT(FigureSkin, name),
    PLAIN(FigureSkin, boneCount, ),
    PLAIN(FigureSkin, constraintCount, ),
    ARRAY(FigureSkin, bones, 1, boneCount, BELOW_FIGURE(boneCount)),
    ARRAY(FigureSkin, constraints, 1, constraintCount, BELOW_FIGURE(constraintCount)),
};
static const ModelStruct skinStruct = STRUCT("skin", skinFields, NULL);

static const ModelField constraintFields[] = {
    TEXT(FigureConstraint, name),
    PLAIN(FigureConstraint, kind, BELOW_NUMBER(FIGURE_CONSTRAINT_COUNT)),
    PLAIN(FigureConstraint, skinOnly, BELOW_NUMBER(2)),
    PLAIN(FigureConstraint, target, ),
    PLAIN(FigureConstraint, boneCount, ),
    ARRAY(FigureConstraint, bones, 1, boneCount, BELOW_FIGURE(boneCount)),
    PLAIN(FigureConstraint, modes, ),
    PLAIN(FigureConstraint, values, FINITE),
    PLAIN(FigureConstraint, offsets, FINITE),
};
static const ModelStruct constraintStruct = STRUCT("constraint", constraintFields, checkConstraint);

static const ModelField timelineFields[] = {
    PLAIN(FigureTimeline, kind, BELOW_NUMBER(FIGURE_TIMELINE_COUNT)),
    PLAIN(FigureTimeline, target, ),
    PLAIN(FigureTimeline, keyCount, ),
    PLAIN(FigureTimeline, channels, ),
    PLAIN(FigureTimeline, curves, ),
    PLAIN(FigureTimeline, integers, ),
    ARRAY(FigureTimeline, times, 1, keyCount, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE | MODEL_ASCENDING),
    ARRAY(FigureTimeline, values, 1, keyCount, .factor = offsetof(FigureTimeline, channels), FINITE, .optional = true),
    ARRAY(FigureTimeline, shapes, 1, keyCount, BELOW_NUMBER(FIGURE_SHAPE_COUNT)),
    ARRAY(FigureTimeline, handles, 4, keyCount, .factor = offsetof(FigureTimeline, curves), FINITE, .optional = true),
    ARRAY(FigureTimeline, numbers, 1, keyCount, .factor = offsetof(FigureTimeline, integers), .optional = true),
};
static const ModelStruct timelineStruct = STRUCT("timeline", timelineFields, checkTimeline);

static const ModelField eventFields[] = {
    TEXT(FigureEvent, name),
    TEXT(FigureEvent, text),
    PLAIN(FigureEvent, time, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    PLAIN(FigureEvent, integer, ),
    PLAIN(FigureEvent, number, FINITE),
};
static const ModelStruct eventStruct = STRUCT("event", eventFields, NULL);

static const ModelField animationFields[] = {
    TEXT(FigureAnimation, name),
    PLAIN(FigureAnimation, duration, .rules = MODEL_FINITE | MODEL_NOT_NEGATIVE),
    STRUCTS(FigureAnimation, timelines, timelineCount, timelineStruct),
    STRUCTS(FigureAnimation, events, eventCount, eventStruct),
};
static const ModelStruct animationStruct = STRUCT("animation", animationFields, NULL);

/* Checked in this order: those that others point to come first. */
static const ModelField figureFields[] = {
    TEXT(Figure, version),
    PLAIN(Figure, bounds, FINITE),
    STRUCTS(Figure, names, nameCount, nameStruct),
    STRUCTS(Figure, pages, pageCount, pageStruct),
    STRUCTS(Figure, bones, boneCount, boneStruct),
    STRUCTS(Figure, slots, slotCount, slotStruct),
    STRUCTS(Figure, constraints, constraintCount, constraintStruct),
    STRUCTS(Figure, skins, skinCount, skinStruct),
    STRUCTS(Figure, attachments, attachmentCount, attachmentStruct),
    STRUCTS(Figure, animations, animationCount, animationStruct),
    {AT(Figure, defaultSkin), .kind = MODEL_PLAIN, .size = sizeof(int32_t), .rules = MODEL_BELOW | MODEL_OR_NONE,
     .limitIn = MODEL_LIMIT_OWN, .limit = offsetof(Figure, skinCount)},
};
const ModelStruct figureStruct = STRUCT("figure", figureFields, checkFigure);
