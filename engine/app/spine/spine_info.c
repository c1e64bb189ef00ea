/* spine_info.c: the content of a 2D character, as tables and as JSON with the same content. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "content.h"
#include "model_load.h"
#include "outputs.h"
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

/* ---- Text ---- */

static void printName(const char *name) {
    fputs("  ", stdout);
    sayName(stdout, name);
}

static void printCount(const char *name, uint64_t count) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    printf("%-12s%12s\n", name, text);
}

static void printTotals(const SpineModel *spine) {
    const Totals totals = totalsOf(spine);
    printf("%-12s%12s\n", "kind", "2D");
    const size_t length = strlen(spine->version);
    printf("%-12s%*s", "Spine", length < 12 ? (int)(12 - length) : 0, "");
    sayClean(stdout, spine->version);
    putchar('\n');
    printCount("bones", spine->boneCount);
    printCount("slots", spine->slotCount);
    printCount("skins", spine->skinCount);
    printCount("attachments", spine->attachmentCount);
    printCount("vertices", totals.vertices);
    printCount("influences", totals.influences);
    printCount("triangles", totals.triangles);
    printCount("constraints", spine->constraintCount);
    printCount("animations", spine->animationCount);
    printf("%-12s%12.6g to %.6g\n", "setup, x", (double)spine->bounds[0],
           (double)spine->bounds[0] + (double)spine->bounds[2]);
    printf("%-12s%12.6g to %.6g\n", "       y", (double)spine->bounds[1],
           (double)spine->bounds[1] + (double)spine->bounds[3]);
}

static void printBones(const SpineModel *spine) {
    fputs("\nbone  parent  inherit                 skin  name\n", stdout);
    for (uint32_t i = 0; i < spine->boneCount; i++) {
        const SpineBone *bone = &spine->bones[i];
        char parent[16] = "none";
        if (bone->parent >= 0) {
            snprintf(parent, sizeof parent, "%d", bone->parent);
        }
        printf("%4u%8s  %-22s%6s", i, parent, SPINE_INHERIT_NAMES[bone->inherit], bone->skinOnly ? "yes" : "no");
        printName(bone->name);
    }
}

static void printSlots(const SpineModel *spine) {
    fputs(spine->slotCount > 0 ? "\nslot  bone  blend     colours  name, shown at first\n" : "", stdout);
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        const SpineSlot *slot = &spine->slots[i];
        printf("%4u%6u  %-9s%8s  ", i, slot->bone, SPINE_BLEND_NAMES[slot->blend], slot->twoColours ? "two" : "one");
        sayClean(stdout, slot->name);
        fputs(", ", stdout);
        sayClean(stdout, slot->shown >= 0 ? spine->names[slot->shown].text : "(nothing)");
        putchar('\n');
    }
}

static uint32_t attachmentsOf(const SpineModel *spine, uint32_t skin) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        count += spine->attachments[i].skin == skin;
    }
    return count;
}

static void printSkins(const SpineModel *spine) {
    fputs(spine->skinCount > 0 ? "\nskin  attachments  bones  constraints  name\n" : "", stdout);
    for (uint32_t i = 0; i < spine->skinCount; i++) {
        const SpineSkin *skin = &spine->skins[i];
        printf("%4u%13u%7u%13u", i, attachmentsOf(spine, i), skin->boneCount, skin->constraintCount);
        printName(skin->name);
    }
}

static uint32_t ofKind(const SpineModel *spine, uint32_t kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        count += spine->attachments[i].kind == kind;
    }
    return count;
}

static void printAttachments(const SpineModel *spine) {
    fputs("\nattachments\n", stdout);
    for (uint32_t kind = 0; kind < SPINE_KIND_COUNT; kind++) {
        if (ofKind(spine, kind) > 0) {
            printf("%8u  %s\n", ofKind(spine, kind), SPINE_KIND_NAMES[kind]);
        }
    }
}

static void printConstraints(const SpineModel *spine) {
    fputs(spine->constraintCount > 0 ? "\nconstraint  kind       bones  skin  name\n" : "", stdout);
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        const SpineConstraint *constraint = &spine->constraints[i];
        printf("%10u  %-9s%7u%6s", i, SPINE_CONSTRAINT_NAMES[constraint->kind], constraint->boneCount,
               constraint->skinOnly ? "yes" : "no");
        printName(constraint->name);
    }
}

static void printPages(const SpineModel *spine) {
    fputs(spine->pageCount > 0 ? "\npage  alpha          filter   name\n" : "", stdout);
    for (uint32_t i = 0; i < spine->pageCount; i++) {
        const SpinePage *page = &spine->pages[i];
        printf("%4u  %-13s  %-7s", i, page->premultiplied ? "premultiplied" : "straight",
               page->nearest ? "nearest" : "linear");
        printName(page->name);
    }
}

static void printAnimations(const SpineModel *spine) {
    fputs(spine->animationCount > 0 ? "\nanimation     seconds  timelines  events  name\n" : "", stdout);
    for (uint32_t i = 0; i < spine->animationCount; i++) {
        const SpineAnimation *animation = &spine->animations[i];
        printf("%9u%12.3f%11u%8u", i, (double)animation->duration, animation->timelineCount, animation->eventCount);
        printName(animation->name);
    }
    bool any = false;
    for (uint32_t i = 0; i < spine->animationCount; i++) {
        for (uint32_t e = 0; e < spine->animations[i].eventCount; e++) {
            const SpineEvent *event = &spine->animations[i].events[e];
            fputs(any ? "" : "\nanimation     seconds     integer      number  event, text\n", stdout);
            any = true;
            printf("%9u%12.3f%12d%12.6g  ", i, (double)event->time, event->integer, (double)event->number);
            sayClean(stdout, event->name);
            if (event->text[0]) {
                fputs(", ", stdout);
                sayClean(stdout, event->text);
            }
            putchar('\n');
        }
    }
}

static void printAll(const Model *model, const ImportSandbox *sandbox) {
    const SpineModel *spine = model->spines;
    printTotals(spine);
    printBones(spine);
    printSlots(spine);
    printSkins(spine);
    printAttachments(spine);
    printConstraints(spine);
    printPages(spine);
    printAnimations(spine);
    fputs(model->warningCount > 0 ? "\nwarnings\n" : "", stdout);
    for (uint32_t i = 0; i < model->warningCount; i++) {
        printName(model->warnings[i].text);
    }
    printf("\nsandbox of the reader: %s, %s\n", sandbox->landlock > 0 ? "landlock" : "no landlock",
           sandbox->seccomp ? "seccomp" : "no seccomp");
}

/* ---- JSON ---- */

static void addBones(cJSON *object, const SpineModel *spine, bool *good) {
    cJSON *bones = jsonAddArray(object, "bones", good);
    for (uint32_t i = 0; i < spine->boneCount; i++) {
        const SpineBone *bone = &spine->bones[i];
        cJSON *row = jsonAddRow(bones, good);
        jsonAddText(row, "name", bone->name, good);
        jsonAddNumber(row, "parent", bone->parent >= 0 ? (double)bone->parent : (double)NAN, good);
        jsonAddText(row, "inherit", SPINE_INHERIT_NAMES[bone->inherit], good);
        jsonAdd(row, "skinOnly", cJSON_CreateBool(bone->skinOnly != 0), good);
    }
}

static void addSlots(cJSON *object, const SpineModel *spine, bool *good) {
    cJSON *slots = jsonAddArray(object, "slots", good);
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        const SpineSlot *slot = &spine->slots[i];
        cJSON *row = jsonAddRow(slots, good);
        jsonAddText(row, "name", slot->name, good);
        jsonAddCount(row, "bone", slot->bone, good);
        jsonAddText(row, "blend", SPINE_BLEND_NAMES[slot->blend], good);
        jsonAdd(row, "twoColours", cJSON_CreateBool(slot->twoColours != 0), good);
        jsonAddText(row, "shown", slot->shown >= 0 ? spine->names[slot->shown].text : NULL, good);
    }
}

static void addSkins(cJSON *object, const SpineModel *spine, bool *good) {
    cJSON *skins = jsonAddArray(object, "skins", good);
    for (uint32_t i = 0; i < spine->skinCount; i++) {
        cJSON *row = jsonAddRow(skins, good);
        jsonAddText(row, "name", spine->skins[i].name, good);
        jsonAddCount(row, "bones", spine->skins[i].boneCount, good);
        jsonAddCount(row, "constraints", spine->skins[i].constraintCount, good);
    }
}

static void addAttachments(cJSON *object, const SpineModel *spine, bool *good) {
    cJSON *attachments = jsonAddArray(object, "attachments", good);
    for (uint32_t i = 0; i < spine->attachmentCount; i++) {
        const SpineAttachment *attachment = &spine->attachments[i];
        cJSON *row = jsonAddRow(attachments, good);
        jsonAddText(row, "name", spine->names[attachment->name].text, good);
        jsonAddText(row, "kind", SPINE_KIND_NAMES[attachment->kind], good);
        jsonAddCount(row, "skin", attachment->skin, good);
        jsonAddCount(row, "slot", attachment->slot, good);
        jsonAddCount(row, "vertices", attachment->vertexCount, good);
        jsonAddCount(row, "influences", attachment->influenceCount, good);
        jsonAddCount(row, "triangles", attachment->indexCount / 3, good);
        jsonAddCount(row, "frames", attachment->frameCount, good);
    }
}

static void addConstraints(cJSON *object, const SpineModel *spine, bool *good) {
    cJSON *constraints = jsonAddArray(object, "constraints", good);
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        cJSON *row = jsonAddRow(constraints, good);
        jsonAddText(row, "name", spine->constraints[i].name, good);
        jsonAddText(row, "kind", SPINE_CONSTRAINT_NAMES[spine->constraints[i].kind], good);
        jsonAddCount(row, "bones", spine->constraints[i].boneCount, good);
    }
}

static void addPages(cJSON *object, const SpineModel *spine, bool *good) {
    cJSON *pages = jsonAddArray(object, "pages", good);
    for (uint32_t i = 0; i < spine->pageCount; i++) {
        cJSON *row = jsonAddRow(pages, good);
        jsonAddText(row, "name", spine->pages[i].name, good);
        jsonAdd(row, "premultiplied", cJSON_CreateBool(spine->pages[i].premultiplied != 0), good);
        jsonAdd(row, "found", cJSON_CreateBool(spine->pages[i].texture >= 0), good);
    }
}

static void addAnimations(cJSON *object, const SpineModel *spine, bool *good) {
    cJSON *animations = jsonAddArray(object, "animations", good);
    for (uint32_t i = 0; i < spine->animationCount; i++) {
        const SpineAnimation *animation = &spine->animations[i];
        cJSON *row = jsonAddRow(animations, good);
        jsonAddText(row, "name", animation->name, good);
        jsonAddNumber(row, "seconds", (double)animation->duration, good);
        jsonAddCount(row, "timelines", animation->timelineCount, good);
        cJSON *events = jsonAddArray(row, "events", good);
        for (uint32_t e = 0; e < animation->eventCount; e++) {
            cJSON *event = jsonAddRow(events, good);
            jsonAddText(event, "name", animation->events[e].name, good);
            jsonAddNumber(event, "time", (double)animation->events[e].time, good);
            jsonAddNumber(event, "integer", (double)animation->events[e].integer, good);
            jsonAddNumber(event, "number", (double)animation->events[e].number, good);
            jsonAddText(event, "text", animation->events[e].text, good);
        }
    }
}

/* As infoJson of verb_info.c. */
static char *spineJson(const char *path, const Model *model, const ImportSandbox *sandbox) {
    const SpineModel *spine = model->spines;
    bool good = true;
    cJSON *object = jsonBegin("info2d", &good);
    jsonAddText(object, "model", path, &good);
    jsonAddText(object, "version", spine->version, &good);
    addBones(object, spine, &good);
    addSlots(object, spine, &good);
    addSkins(object, spine, &good);
    addAttachments(object, spine, &good);
    addConstraints(object, spine, &good);
    addPages(object, spine, &good);
    addAnimations(object, spine, &good);
    cJSON *warnings = jsonAddArray(object, "warnings", &good);
    for (uint32_t i = 0; i < model->warningCount; i++) {
        jsonAddItem(warnings, model->warnings[i].text, &good);
    }
    cJSON *kept = jsonAddObject(object, "sandbox", &good);
    jsonAddCount(kept, "landlock", sandbox->landlock, &good);
    jsonAdd(kept, "seccomp", cJSON_CreateBool(sandbox->seccomp), &good);
    return jsonPrint(object, good);
}

int spineInfo(const Arguments *arguments) {
    const OptionValue *json = optionsValue(arguments, "json");
    const char *path = arguments->operands[0];
    ImportSandbox sandbox;
    EngineError error;
    Model *model = modelLoad(arguments, path, MODEL_OR_CLIPS, &sandbox, &error);
    const bool good = model && (!json->text || outputJsonWrite(spineJson(path, model, &sandbox), json, &error));
    if (good && !outputJsonIsStandard(json)) {
        printAll(model, &sandbox);
    }
    modelFree(model);
    return good ? EXIT_GOOD : sayFailure(arguments->verb->name, "%s", error.message);
}
