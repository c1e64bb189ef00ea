/* figure_info.c: the content of a 2D character, as tables and as JSON with the same content. */
#include <string.h>
#include <strings.h>

#include "figure_verbs.h"
#include "outputs.h"

/* Sums over all attachments. */
typedef struct Totals {
    uint32_t vertices, influences, triangles;
} Totals;

static Totals totalsOf(const Figure *figure) {
    Totals totals = {0};
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        totals.vertices += figure->attachments[i].vertexCount;
        totals.influences += figure->attachments[i].influenceCount;
        totals.triangles += figure->attachments[i].indexCount / 3;
    }
    return totals;
}

/* ---- Text ---- */

static void printName(const char *name) {
    fputs("  ", stdout);
    sayClean(stdout, name[0] ? name : "(no name)");
    putchar('\n');
}

static void printCount(const char *name, uint64_t count) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    printf("%-12s%12s\n", name, text);
}

static void printTotals(const Figure *figure) {
    const Totals totals = totalsOf(figure);
    printf("%-12s%12s\n", "kind", "2D");
    const size_t length = strlen(figure->version);
    printf("%-12s%*s", "Spine", length < 12 ? (int)(12 - length) : 0, "");
    sayClean(stdout, figure->version);
    putchar('\n');
    printCount("bones", figure->boneCount);
    printCount("slots", figure->slotCount);
    printCount("skins", figure->skinCount);
    printCount("attachments", figure->attachmentCount);
    printCount("vertices", totals.vertices);
    printCount("influences", totals.influences);
    printCount("triangles", totals.triangles);
    printCount("constraints", figure->constraintCount);
    printCount("animations", figure->animationCount);
    printf("%-12s%12.6g to %.6g\n", "setup, x", (double)figure->bounds[0],
           (double)figure->bounds[0] + (double)figure->bounds[2]);
    printf("%-12s%12.6g to %.6g\n", "       y", (double)figure->bounds[1],
           (double)figure->bounds[1] + (double)figure->bounds[3]);
}

static void printBones(const Figure *figure) {
    fputs("\nbone  parent  inherit                 skin  name\n", stdout);
    for (uint32_t i = 0; i < figure->boneCount; i++) {
        const FigureBone *bone = &figure->bones[i];
        char parent[16] = "none";
        if (bone->parent >= 0) {
            snprintf(parent, sizeof parent, "%d", bone->parent);
        }
        printf("%4u%8s  %-22s%6s", i, parent, FIGURE_INHERIT_NAMES[bone->inherit], bone->skinOnly ? "yes" : "no");
        printName(bone->name);
    }
}

static void printSlots(const Figure *figure) {
    fputs(figure->slotCount > 0 ? "\nslot  bone  blend     colours  name, shown at first\n" : "", stdout);
    for (uint32_t i = 0; i < figure->slotCount; i++) {
        const FigureSlot *slot = &figure->slots[i];
        printf("%4u%6u  %-9s%8s  ", i, slot->bone, FIGURE_BLEND_NAMES[slot->blend], slot->twoColours ? "two" : "one");
        sayClean(stdout, slot->name);
        fputs(", ", stdout);
        sayClean(stdout, slot->shown >= 0 ? figure->names[slot->shown].text : "(nothing)");
        putchar('\n');
    }
}

static uint32_t attachmentsOf(const Figure *figure, uint32_t skin) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        count += figure->attachments[i].skin == skin;
    }
    return count;
}

static void printSkins(const Figure *figure) {
    fputs(figure->skinCount > 0 ? "\nskin  attachments  bones  constraints  name\n" : "", stdout);
    for (uint32_t i = 0; i < figure->skinCount; i++) {
        const FigureSkin *skin = &figure->skins[i];
        printf("%4u%13u%7u%13u", i, attachmentsOf(figure, i), skin->boneCount, skin->constraintCount);
        printName(skin->name);
    }
}

static uint32_t ofKind(const Figure *figure, uint32_t kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        count += figure->attachments[i].kind == kind;
    }
    return count;
}

static void printAttachments(const Figure *figure) {
    fputs("\nattachments\n", stdout);
    for (uint32_t kind = 0; kind < FIGURE_KIND_COUNT; kind++) {
        if (ofKind(figure, kind) > 0) {
            printf("%8u  %s\n", ofKind(figure, kind), FIGURE_KIND_NAMES[kind]);
        }
    }
}

static void printConstraints(const Figure *figure) {
    fputs(figure->constraintCount > 0 ? "\nconstraint  kind       bones  skin  name\n" : "", stdout);
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        const FigureConstraint *constraint = &figure->constraints[i];
        printf("%10u  %-9s%7u%6s", i, FIGURE_CONSTRAINT_NAMES[constraint->kind], constraint->boneCount,
               constraint->skinOnly ? "yes" : "no");
        printName(constraint->name);
    }
}

static void printPages(const Figure *figure) {
    fputs(figure->pageCount > 0 ? "\npage  alpha          filter   name\n" : "", stdout);
    for (uint32_t i = 0; i < figure->pageCount; i++) {
        const FigurePage *page = &figure->pages[i];
        printf("%4u  %-13s  %-7s", i, page->premultiplied ? "premultiplied" : "straight",
               page->nearest ? "nearest" : "linear");
        printName(page->name);
    }
}

static void printAnimations(const Figure *figure) {
    fputs(figure->animationCount > 0 ? "\nanimation     seconds  timelines  events  name\n" : "", stdout);
    for (uint32_t i = 0; i < figure->animationCount; i++) {
        const FigureAnimation *animation = &figure->animations[i];
        printf("%9u%12.3f%11u%8u", i, (double)animation->duration, animation->timelineCount, animation->eventCount);
        printName(animation->name);
    }
    bool any = false;
    for (uint32_t i = 0; i < figure->animationCount; i++) {
        for (uint32_t e = 0; e < figure->animations[i].eventCount; e++) {
            const FigureEvent *event = &figure->animations[i].events[e];
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
    const Figure *figure = model->figures;
    printTotals(figure);
    printBones(figure);
    printSlots(figure);
    printSkins(figure);
    printAttachments(figure);
    printConstraints(figure);
    printPages(figure);
    printAnimations(figure);
    fputs(model->warningCount > 0 ? "\nwarnings\n" : "", stdout);
    for (uint32_t i = 0; i < model->warningCount; i++) {
        printName(model->warnings[i].text);
    }
    printf("\nsandbox of the reader: %s, %s\n", sandbox->landlock > 0 ? "landlock" : "no landlock",
           sandbox->seccomp ? "seccomp" : "no seccomp");
}

/* ---- JSON ---- */

static void addBones(cJSON *object, const Figure *figure, bool *good) {
    cJSON *bones = jsonAddArray(object, "bones", good);
    for (uint32_t i = 0; i < figure->boneCount; i++) {
        const FigureBone *bone = &figure->bones[i];
        cJSON *row = jsonAddRow(bones, good);
        jsonAddText(row, "name", bone->name, good);
        jsonAddNumber(row, "parent", bone->parent >= 0 ? (double)bone->parent : (double)NAN, good);
        jsonAddText(row, "inherit", FIGURE_INHERIT_NAMES[bone->inherit], good);
        jsonAdd(row, "skinOnly", cJSON_CreateBool(bone->skinOnly != 0), good);
    }
}

static void addSlots(cJSON *object, const Figure *figure, bool *good) {
    cJSON *slots = jsonAddArray(object, "slots", good);
    for (uint32_t i = 0; i < figure->slotCount; i++) {
        const FigureSlot *slot = &figure->slots[i];
        cJSON *row = jsonAddRow(slots, good);
        jsonAddText(row, "name", slot->name, good);
        jsonAddCount(row, "bone", slot->bone, good);
        jsonAddText(row, "blend", FIGURE_BLEND_NAMES[slot->blend], good);
        jsonAdd(row, "twoColours", cJSON_CreateBool(slot->twoColours != 0), good);
        jsonAddText(row, "shown", slot->shown >= 0 ? figure->names[slot->shown].text : NULL, good);
    }
}

static void addSkins(cJSON *object, const Figure *figure, bool *good) {
    cJSON *skins = jsonAddArray(object, "skins", good);
    for (uint32_t i = 0; i < figure->skinCount; i++) {
        cJSON *row = jsonAddRow(skins, good);
        jsonAddText(row, "name", figure->skins[i].name, good);
        jsonAddCount(row, "bones", figure->skins[i].boneCount, good);
        jsonAddCount(row, "constraints", figure->skins[i].constraintCount, good);
    }
}

static void addAttachments(cJSON *object, const Figure *figure, bool *good) {
    cJSON *attachments = jsonAddArray(object, "attachments", good);
    for (uint32_t i = 0; i < figure->attachmentCount; i++) {
        const FigureAttachment *attachment = &figure->attachments[i];
        cJSON *row = jsonAddRow(attachments, good);
        jsonAddText(row, "name", figure->names[attachment->name].text, good);
        jsonAddText(row, "kind", FIGURE_KIND_NAMES[attachment->kind], good);
        jsonAddCount(row, "skin", attachment->skin, good);
        jsonAddCount(row, "slot", attachment->slot, good);
        jsonAddCount(row, "vertices", attachment->vertexCount, good);
        jsonAddCount(row, "influences", attachment->influenceCount, good);
        jsonAddCount(row, "triangles", attachment->indexCount / 3, good);
        jsonAddCount(row, "frames", attachment->frameCount, good);
    }
}

static void addConstraints(cJSON *object, const Figure *figure, bool *good) {
    cJSON *constraints = jsonAddArray(object, "constraints", good);
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        cJSON *row = jsonAddRow(constraints, good);
        jsonAddText(row, "name", figure->constraints[i].name, good);
        jsonAddText(row, "kind", FIGURE_CONSTRAINT_NAMES[figure->constraints[i].kind], good);
        jsonAddCount(row, "bones", figure->constraints[i].boneCount, good);
    }
}

static void addPages(cJSON *object, const Figure *figure, bool *good) {
    cJSON *pages = jsonAddArray(object, "pages", good);
    for (uint32_t i = 0; i < figure->pageCount; i++) {
        cJSON *row = jsonAddRow(pages, good);
        jsonAddText(row, "name", figure->pages[i].name, good);
        jsonAdd(row, "premultiplied", cJSON_CreateBool(figure->pages[i].premultiplied != 0), good);
        jsonAdd(row, "found", cJSON_CreateBool(figure->pages[i].texture >= 0), good);
    }
}

static void addAnimations(cJSON *object, const Figure *figure, bool *good) {
    cJSON *animations = jsonAddArray(object, "animations", good);
    for (uint32_t i = 0; i < figure->animationCount; i++) {
        const FigureAnimation *animation = &figure->animations[i];
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
static char *figureJson(const char *path, const Model *model, const ImportSandbox *sandbox) {
    const Figure *figure = model->figures;
    bool good = true;
    cJSON *object = jsonBegin("info2d", &good);
    jsonAddText(object, "model", path, &good);
    jsonAddText(object, "version", figure->version, &good);
    addBones(object, figure, &good);
    addSlots(object, figure, &good);
    addSkins(object, figure, &good);
    addAttachments(object, figure, &good);
    addConstraints(object, figure, &good);
    addPages(object, figure, &good);
    addAnimations(object, figure, &good);
    cJSON *warnings = jsonAddArray(object, "warnings", &good);
    for (uint32_t i = 0; i < model->warningCount; i++) {
        cJSON *text = jsonTextItem(model->warnings[i].text);
        good = good && text && cJSON_AddItemToArray(warnings, text);
    }
    cJSON *kept = jsonAddObject(object, "sandbox", &good);
    jsonAddCount(kept, "landlock", sandbox->landlock, &good);
    jsonAdd(kept, "seccomp", cJSON_CreateBool(sandbox->seccomp), &good);
    return jsonPrint(object, good);
}

bool figureInfo(const Arguments *arguments, const Model *model, const ImportSandbox *sandbox, EngineError *error) {
    const OptionValue *json = optionsValue(arguments, "json");
    const char *path = arguments->operands[0];
    static const char *const others[] = {"max-bones", "max-error", "up", "ticks-per-second"};
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        if (optionsValue(arguments, others[i])->given) {
            return engineFail(error, "%s: --%s is not for 2D characters", path, others[i]);
        }
    }
    if (json->text && !outputJsonWrite(figureJson(path, model, sandbox), json, error)) {
        return false;
    }
    if (!outputJsonIsStandard(json)) {
        printAll(model, sandbox);
    }
    return true;
}
