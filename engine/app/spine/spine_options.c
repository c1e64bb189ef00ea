/* spine_options.c: what command lines ask of 2D characters. */
#include <stdlib.h>
#include <string.h>

#include "moment.h"
#include "motion_options.h"
#include "pictures.h"
#include "show_options.h"
#include "spine_options.h"
#include "spine_population.h"

#define NAMES_SIZE   400 /* characters for the names of skins in a message */
#define SKIN_SIZE    160 /* characters for what a line says of one chosen skin */
#define TARGETS_SIZE 300 /* characters for the names of targets in a message */

const char *const SPINE_CURVES_NAMES[] = {[SPINE_CURVES_RUNTIME] = "runtime", [SPINE_CURVES_EXACT] = "exact", NULL};

const char *const SPINE_PLACE_NAMES[] = {[SPINE_GRID] = "grid", [SPINE_STREET] = "street", NULL};

/* A file that is named twice is read once. */
static bool loadOne(Session *session, uint32_t index, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const char *path = arguments->operands[index];
    const uint32_t first = sessionFirstNamed(session, index);
    if (first < index) {
        session->models[session->modelCount++] = session->models[first];
        return true;
    }
    Model *model = modelLoad(arguments, path, MODEL_OR_SPINE, NULL, error);
    if (model) {
        session->models[session->modelCount++] = model;
    }
    return model && (model->spineCount > 0 || engineFail(error, "%s: not a 2D character", path));
}

bool spineLoad(Session *session, EngineError *error) {
    const Arguments *arguments = session->arguments;
    if (!optionsValue(arguments, "system")->given) { /* the verb's default is that of models */
        session->skin.system = SKIN_SYSTEM_COMPUTE;
    }
    if (session->skin.system != SKIN_SYSTEM_COMPUTE && session->skin.system != SKIN_SYSTEM_UNIFORM_2D) {
        return engineFail(error, "%s: system '%s' does not draw 2D characters; 'compute' and 'uniform-2d' do",
                          arguments->operands[0], SKIN_SYSTEM_NAMES[session->skin.system]);
    }
    bool good = true;
    for (uint32_t i = 0; i < arguments->operandCount && good; i++) {
        good = loadOne(session, i, error);
    }
    return good && showOptionsRead(arguments, session->models, &session->shows, &session->paint, error);
}

Skinning *spineSkinning(const Session *session, EngineError *error) {
    VkskinContextDef context = vkskinDefaultContextDef();
    context.framesInFlight = FRAMES_IN_FLIGHT;
    context.backend = session->skin.backend;
    return skinningCreate(session->device, &context, error);
}

void spineBackground(const Arguments *arguments, float colour[4]) {
    if (!pictureBackground(arguments, colour)) {
        for (int c = 0; c < 4; c++) {
            colour[c] = c < 3 ? SPINE_GREY : 1.0f;
        }
    }
}

/* Appends a name to a list. Returns the new length; from `size` on the list is cut. */
static size_t addName(char *names, size_t size, size_t length, const char *name) {
    return length + (size_t)snprintf(names + length, size - length, "%s%s", length > 0 ? ", " : "", name);
}

/* ---- Skins ---- */

int32_t spineFindSkin(const SpineModel *spine, const char *name) {
    const Names names = NAMES_OF(spine->skins, spine->skinCount);
    const uint32_t index = nameFind(&names, name);
    return index < spine->skinCount ? (int32_t)index : -1;
}

/*
 * *skin: if "default" has nothing that could be shown, the skin that fills the most slots of the setup pose; of equal ones
 * the one with the most pictures, then the first. -1: none.
 */
static bool chooseSkin(const SpineModel *spine, int32_t *skin, EngineError *error) {
    uint64_t *filled = engineAllocate((size_t)spine->skinCount + 1, sizeof *filled, error);
    const bool good = filled != NULL;
    *skin = -1;
    for (uint32_t i = 0; i < spine->attachmentCount && good; i++) {
        const SpineAttachment *attachment = &spine->attachments[i];
        const bool first = spine->slots[attachment->slot].shown == (int32_t)attachment->name;
        filled[attachment->skin] += attachment->frameCount == 0 ? 0 : first ? (uint64_t)spine->attachmentCount + 1 : 1;
    }
    if (good && (spine->defaultSkin < 0 || filled[spine->defaultSkin] == 0)) {
        for (uint32_t i = 0; i < spine->skinCount; i++) {
            *skin = filled[i] > (*skin < 0 ? 0 : filled[*skin]) ? (int32_t)i : *skin;
        }
    }
    free(filled);
    return good;
}

/* Names the skins that it has, those with the nearest names first. */
static bool failSkin(const char *path, const SpineModel *spine, const char *name, EngineError *error) {
    char names[NAMES_SIZE] = "";
    size_t length = 0;
    for (size_t distance = 0; distance <= NEAREST_LENGTH_MAX && length < sizeof names; distance++) {
        for (uint32_t i = 0; i < spine->skinCount && length < sizeof names; i++) {
            if (nearestDistance(name, spine->skins[i].name) == distance) {
                length = addName(names, sizeof names, length, spine->skins[i].name);
            }
        }
    }
    return engineFail(error, "%s: no skin '%.80s'; it has %s%s", path, name, length > 0 ? names : "none",
                      length < sizeof names ? "" : "...");
}

bool spineFindSkins(const Arguments *arguments, const SpineModel *spine, uint32_t skins[OPTION_FILES_MAX],
                    uint32_t *count, EngineError *error) {
    int32_t chosen = -1;
    if (arguments->nameCount == 0 && !chooseSkin(spine, &chosen, error)) {
        return false;
    }
    skins[0] = chosen < 0 ? 0 : (uint32_t)chosen;
    *count = chosen < 0 ? arguments->nameCount : 1;
    for (uint32_t i = 0; i < arguments->nameCount; i++) {
        const char *name = arguments->names[i];
        const int32_t skin = spineFindSkin(spine, name);
        if (skin < 0) {
            return failSkin(arguments->operands[0], spine, name, error);
        }
        skins[i] = (uint32_t)skin;
    }
    return true;
}

static bool isOwn(const SpineSkin *skin) {
    return strcmp(skin->name, "default") != 0;
}

/* Whether a slot of the setup pose shows nothing, but could with a skin. */
static bool lacksSkins(const SpinePose *pose) {
    bool lacks = false;
    for (uint32_t s = 0; s < pose->spine->slotCount && !lacks; s++) {
        const int32_t name = pose->spine->slots[s].shown;
        lacks = name >= 0 && spinePoseFind(pose, s, name) < 0;
    }
    return lacks;
}

void spineNameSkins(const Arguments *arguments, const SpinePose *pose) {
    char names[NAMES_SIZE] = "";
    size_t length = 0;
    if (arguments->nameCount > 0 || (pose->skinCount == 0 && !lacksSkins(pose))) {
        return;
    }
    for (uint32_t i = 0; i < pose->spine->skinCount && length < sizeof names; i++) {
        if (isOwn(&pose->spine->skins[i])) {
            length = addName(names, sizeof names, length, pose->spine->skins[i].name);
        }
    }
    char what[SKIN_SIZE] = "slots are empty";
    if (pose->skinCount > 0) {
        snprintf(what, sizeof what, "without a skin nothing is shown, so '%.80s' is chosen",
                 pose->spine->skins[pose->skins[0]].name);
    }
    if (length > 0) {
        sayWarning(arguments->verb->name, "%s: %s; skins: %s%s (choose with --skin)", arguments->operands[0], what,
                   names, length < sizeof names ? "" : "...");
    }
}

/* ---- Motion ---- */

/* By its index, else its name; "none": -1. */
static bool findAnimation(const char *path, const SpineModel *spine, const char *name, int32_t *animation,
                          EngineError *error) {
    *animation = -1;
    if (strcmp(name, "none") == 0) {
        return true;
    }
    const Names names = NAMES_OF(spine->animations, spine->animationCount);
    char hint[NAME_HINT_SIZE];
    const uint32_t found = nameOrIndexFind(&names, name);
    if (found < spine->animationCount) {
        *animation = (int32_t)found;
        return true;
    }
    nameHint(hint, &names, name, "see 'vkskin info'");
    return engineFail(error, "%s: no clip '%.80s'; it has %u, %s", path, name, spine->animationCount, hint);
}

static bool isTarget(const SpineModel *spine, uint32_t bone) {
    bool is = false;
    for (uint32_t i = 0; i < spine->constraintCount; i++) {
        is = is || (spine->constraints[i].kind == SPINE_IK && spine->constraints[i].target == bone);
    }
    return is;
}

static bool failTarget(const char *path, const SpineModel *spine, const char *name, EngineError *error) {
    char names[TARGETS_SIZE] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < spine->boneCount && length < sizeof names; i++) {
        if (isTarget(spine, i)) {
            length = addName(names, sizeof names, length, spine->bones[i].name);
        }
    }
    return engineFail(error, "%s: --reach: no IK constraint has the target '%.80s'; targets: %s%s", path, name,
                      length > 0 ? names : "none", length < sizeof names ? "" : "...");
}

static bool findTarget(const char *path, const SpineModel *spine, const char *name, uint32_t *bone,
                       EngineError *error) {
    const Names names = NAMES_OF(spine->bones, spine->boneCount);
    *bone = nameFind(&names, name);
    if (*bone < spine->boneCount && isTarget(spine, *bone)) {
        return true;
    }
    return failTarget(path, spine, name, error);
}

bool spineMotionRead(const Arguments *arguments, const SpineModel *spine, SpineMotion *motion, EngineError *error) {
    const char *path = arguments->operands[0];
    const OptionValue *clip = optionsValue(arguments, "clip");
    MotionChoice choice;
    *motion = (SpineMotion){.animation = spine->animationCount > 0 ? 0 : -1, .blendAnimation = -1};
    if ((clip->given && !findAnimation(path, spine, clip->text, &motion->animation, error)) ||
        !motionOptionsRead(arguments, &choice, error) ||
        (choice.blendClip[0] && !findAnimation(path, spine, choice.blendClip, &motion->blendAnimation, error)) ||
        (choice.reachNode[0] && !findTarget(path, spine, choice.reachNode, &motion->pull.bone, error))) {
        return false;
    }
    motion->blendWeight = (double)choice.blendWeight;
    motion->pull.place[0] = (double)choice.reachTarget[0];
    motion->pull.place[1] = (double)choice.reachTarget[1];
    motion->curves = (SpineCurves)optionsValue(arguments, "curves")->choice;
    motion->pullCount = choice.reachNode[0] != '\0';
    if (choice.machine) {
        motion->animation = -1;
        motion->machine = spineMachineCreate(choice.machine, spine, choice.events, choice.eventCount, error);
    }
    return !choice.machine || motion->machine;
}

/* ---- Moments ---- */

#define FRAME_RATE 30.0 /* that of the editor's dopesheet */

double spineMomentDuration(const Arguments *arguments, const SpineModel *spine, const SpineMotion *motion) {
    bool ends = motion->animation >= 0;
    for (uint32_t i = 0; i < spine->constraintCount && !optionsValue(arguments, "loop")->given; i++) {
        ends = ends && spine->constraints[i].kind != SPINE_PHYSICS;
    }
    return ends ? spineMotionDuration(spine, motion) : (double)INFINITY;
}

bool spineMoment(const Arguments *arguments, const SpineModel *spine, const SpineMotion *motion, double *time,
                 EngineError *error) {
    const char *name = motion->animation >= 0 ? spine->animations[motion->animation].name : "the setup pose";
    const MomentClip clip = {name, spineMomentDuration(arguments, spine, motion), FRAME_RATE};
    return momentRead(arguments, &clip, time, error);
}

double spineMomentShown(const Arguments *arguments, const SpineModel *spine, const SpineMotion *motion, double time) {
    return momentShown(arguments, spineMomentDuration(arguments, spine, motion), time);
}
