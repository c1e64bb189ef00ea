/* spine_info.c: the content of a 2D character, as a document. */
#include <math.h>

#include "content.h"
#include "model_load.h"
#include "report.h"
#include "spine_model.h"
#include "terminal.h"

/* Sums over all attachments. */
typedef struct Totals {
    uint32_t vertices, influences, triangles;
} Totals;

static Totals totalsOf(const SpineModel *spine) {
    Totals totals = {0};
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        totals.vertices += spine->attachments[i].vertexCount;
        totals.influences += spine->attachments[i].influenceCount;
        totals.triangles += spine->attachments[i].indexCount / 3;
    }
    return totals;
}

static void writeTotals(Document *document, const SpineModel *spine, const char *path) {
    const Totals totals = totalsOf(spine);
    fieldWord(document, "kind", NULL, "2D");
    JSON_FIELDS(document, jsonText("model", path));
    fieldWord(document, "Spine", "version", spine->version);
    fieldCount(document, "bones", NULL, spine->boneCount, "");
    fieldCount(document, "slots", NULL, spine->slotCount, "");
    fieldCount(document, "skins", NULL, spine->skinCount, "");
    fieldCount(document, "attachments", NULL, spine->attachmentCount, "");
    fieldCount(document, "vertices", NULL, totals.vertices, "");
    fieldCount(document, "influences", NULL, totals.influences, "");
    fieldCount(document, "triangles", NULL, totals.triangles, "");
    fieldCount(document, "constraints", NULL, spine->constraintCount, "");
    fieldCount(document, "animations", NULL, spine->animationCount, "");
    fieldLine(document, "setup, x", "%12.6g to %.6g", (double)spine->bounds[0],
              (double)spine->bounds[0] + (double)spine->bounds[2]);
    fieldLine(document, "       y", "%12.6g to %.6g", (double)spine->bounds[1],
              (double)spine->bounds[1] + (double)spine->bounds[3]);
}

static void writeBones(Document *document, const SpineModel *spine) {
    static const Column COLUMNS[] = {{"name", "name", 0},
                                     {"bone", NULL, 4},
                                     {"parent", "parent", 8},
                                     {"inherit", "inherit", -22},
                                     {"skin", "skinOnly", 6}};
    tableBegin(document, "bones", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < spine->boneCount; i++) {
        const SpineBone *bone = &spine->bones[i];
        TABLE_ROW(document, cellText(bone->name), cellCount(i),
                  cellNumber(numberIf(bone->parent >= 0, bone->parent), 0),
                  cellText(SPINE_INHERIT_NAMES[bone->inherit]), cellFlag(bone->skinOnly != 0));
    }
}

/* The table shows after the name of a slot what it shows at first. */
static void writeSlots(Document *document, const SpineModel *spine) {
    static const Column COLUMNS[] = {
        {NULL, "name", 0},    {"slot", NULL, 4},       {"bone", "bone", 6}, {"blend", "blend", -9},
        {"colours", NULL, 8}, {NULL, "twoColours", 0}, {NULL, "shown", 0},  {"name, shown at first", NULL, 0}};
    tableBegin(document, "slots", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        const SpineSlot *slot = &spine->slots[i];
        const char *shown = slot->shown >= 0 ? spine->names[slot->shown].text : NULL;
        char names[1024];
        snprintf(names, sizeof names, "%.500s, %.500s", slot->name, shown ? shown : "(nothing)");
        TABLE_ROW(document, cellText(slot->name), cellCount(i), cellCount(slot->bone),
                  cellText(SPINE_BLEND_NAMES[slot->blend]), cellText(slot->twoColours ? "two" : "one"),
                  cellFlag(slot->twoColours != 0), cellText(shown), cellText(names));
    }
}

static uint32_t attachmentsOf(const SpineModel *spine, uint32_t skin) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        count += spine->attachments[i].skin == skin;
    }
    return count;
}

static void writeSkins(Document *document, const SpineModel *spine) {
    static const Column COLUMNS[] = {{"name", "name", 0},
                                     {"skin", NULL, 4},
                                     {"attachments", NULL, 13},
                                     {"bones", "bones", 7},
                                     {"constraints", "constraints", 13}};
    tableBegin(document, "skins", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < spine->skinCount; i++) {
        TABLE_ROW(document, cellText(spine->skins[i].name), cellCount(i), cellCount(attachmentsOf(spine, i)),
                  cellCount(spine->skins[i].boneCount), cellCount(spine->skins[i].constraintCount));
    }
}

/* In the table, their number by kind. */
static void writeAttachments(Document *document, const SpineModel *spine) {
    static const Column COLUMNS[] = {{NULL, "name", 0},      {NULL, "kind", 0},     {NULL, "skin", 0},
                                     {NULL, "slot", 0},      {NULL, "vertices", 0}, {NULL, "influences", 0},
                                     {NULL, "triangles", 0}, {NULL, "frames", 0}};
    uint32_t counts[SPINE_KIND_COUNT] = {0};
    documentShow(document, false);
    tableBegin(document, "attachments", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        const SpineAttachment *attachment = &spine->attachments[i];
        counts[attachment->kind]++;
        TABLE_ROW(document, cellText(spine->names[attachment->name].text), cellText(SPINE_KIND_NAMES[attachment->kind]),
                  cellCount(attachment->skin), cellCount(attachment->slot), cellCount(attachment->vertexCount),
                  cellCount(attachment->influenceCount), cellCount(attachment->indexCount / 3),
                  cellCount(attachment->frameCount));
    }
    documentShow(document, true);
    documentNote(document, "\nattachments\n");
    for (uint32_t kind = 0; kind < SPINE_KIND_COUNT; kind++) {
        if (counts[kind] > 0) {
            documentLine(document, "%8u  %s", counts[kind], SPINE_KIND_NAMES[kind]);
        }
    }
}

static void writeConstraints(Document *document, const SpineModel *spine) {
    static const Column COLUMNS[] = {
        {"name", "name", 0}, {"constraint", NULL, 10}, {"kind", "kind", -9}, {"bones", "bones", 7}, {"skin", NULL, 6}};
    tableBegin(document, "constraints", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        const SpineConstraint *constraint = &spine->constraints[i];
        TABLE_ROW(document, cellText(constraint->name), cellCount(i),
                  cellText(SPINE_CONSTRAINT_NAMES[constraint->kind]), cellCount(constraint->boneCount),
                  cellFlag(constraint->skinOnly != 0));
    }
}

static void writePages(Document *document, const SpineModel *spine) {
    static const Column COLUMNS[] = {{"name", "name", 0},        {"page", NULL, 4},    {"alpha", NULL, -13},
                                     {NULL, "premultiplied", 0}, {"filter", NULL, -7}, {NULL, "found", 0}};
    tableBegin(document, "pages", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < spine->pageCount; i++) {
        const SpinePage *page = &spine->pages[i];
        TABLE_ROW(document, cellText(page->name), cellCount(i),
                  cellText(page->premultiplied ? "premultiplied" : "straight"), cellFlag(page->premultiplied != 0),
                  cellText(page->nearest ? "nearest" : "linear"), cellFlag(page->texture >= 0));
    }
}

/* In the JSON, the events of an animation are in its row. */
static void addEvents(cJSON *row, const SpineAnimation *animation, bool *good) {
    cJSON *events = jsonAddArray(row, "events", good);
    for (uint32_t e = 0; e < animation->eventCount; e++) {
        JSON_ROW(events, good, jsonText("name", animation->events[e].name),
                 jsonNumber("time", animation->events[e].time), jsonNumber("integer", animation->events[e].integer),
                 jsonNumber("number", animation->events[e].number), jsonText("text", animation->events[e].text));
    }
}

static void writeAnimations(Document *document, const SpineModel *spine) {
    static const Column COLUMNS[] = {{"name", "name", 0},
                                     {"animation", NULL, 9},
                                     {"seconds", "seconds", 12},
                                     {"timelines", "timelines", 11},
                                     {"events", NULL, 8}};
    tableBegin(document, "animations", NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < spine->animationCount; i++) {
        const SpineAnimation *animation = &spine->animations[i];
        cJSON *row = TABLE_ROW(document, cellText(animation->name), cellCount(i), cellNumber(animation->duration, 3),
                               cellCount(animation->timelineCount), cellCount(animation->eventCount));
        addEvents(row, animation, &document->good);
    }
}

static void writeEvents(Document *document, const SpineModel *spine) {
    static const Column COLUMNS[] = {{"animation", NULL, 9},
                                     {"seconds", NULL, 12},
                                     {"integer", NULL, 12},
                                     {"number", NULL, 12},
                                     {"event, text", NULL, 0}};
    tableBegin(document, NULL, NULL, COLUMNS, COUNT_OF(COLUMNS));
    for (uint32_t i = 0; i < spine->animationCount; i++) {
        for (uint32_t e = 0; e < spine->animations[i].eventCount; e++) {
            const SpineEvent *event = &spine->animations[i].events[e];
            char text[1024];
            snprintf(text, sizeof text, "%.500s%s%.500s", event->name, event->text[0] ? ", " : "", event->text);
            TABLE_ROW(document, cellCount(i), cellNumber(event->time, 3), cellNumber(event->integer, 0),
                      cellNumber(event->number, -6), cellText(text));
        }
    }
}

static bool writeInfo(const Arguments *arguments, const Model *model, const ImportSandbox *sandbox,
                      EngineError *error) {
    const SpineModel *spine = model->spines;
    Document document = documentOf(arguments, "info2d", INFO_LABEL_WIDTH, INFO_VALUE_WIDTH);
    writeTotals(&document, spine, arguments->operands[0]);
    writeBones(&document, spine);
    writeSlots(&document, spine);
    writeSkins(&document, spine);
    writeAttachments(&document, spine);
    writeConstraints(&document, spine);
    writePages(&document, spine);
    writeAnimations(&document, spine);
    writeEvents(&document, spine);
    reportReading(&document, model, sandbox);
    return documentEnd(&document, arguments, true, error);
}

int spineInfo(const Arguments *arguments) {
    ImportSandbox sandbox;
    EngineError error;
    Model *model = modelLoad(arguments, arguments->operands[0], MODEL_OR_CLIPS, &sandbox, &error);
    const bool good = model && writeInfo(arguments, model, &sandbox, &error);
    modelFree(model);
    return sayEnd(arguments->verb->name, good, &error);
}
