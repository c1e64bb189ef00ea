/* figure_options.c: what command lines ask of 2D characters. */
#include <stdlib.h>
#include <string.h>

#include "figure_options.h"
#include "motion_options.h"
#include "pictures.h"

#define NAMES_SIZE   400 /* characters for the names of skins in a message */
#define SKIN_SIZE    160 /* characters for what a line says of one chosen skin */
#define TARGETS_SIZE 300 /* characters for the names of targets in a message */

const char *const FIGURE_SHOWS[] = {"mesh",        "wireframe",        "mesh+wireframe",        "joints",
                                    "mesh+joints", "wireframe+joints", "mesh+wireframe+joints", NULL};

bool figureCheckOptions(const Arguments *arguments, const char *const *taken, size_t count, EngineError *error) {
    const Option *option = NULL;
    for (uint32_t i = 0; (option = optionsAt(arguments->verb, i)) != NULL; i++) {
        bool known = !arguments->values[i].given;
        for (size_t t = 0; t < count && !known; t++) {
            known = strcmp(option->name, taken[t]) == 0;
        }
        if (!known) {
            return engineFail(error, "%s: --%s is not for 2D characters", arguments->operands[0], option->name);
        }
    }
    return true;
}

/* A file that is named twice is read once. */
static bool loadOne(Session *session, uint32_t index, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const char *path = arguments->operands[index];
    const uint32_t first = sessionFirstNamed(session, index);
    if (first < index) {
        session->models[session->modelCount++] = session->models[first];
        return true;
    }
    Model *model = modelLoad(arguments, path, MODEL_OR_FIGURE, NULL, error);
    if (model) {
        session->models[session->modelCount++] = model;
    }
    return model && (model->figureCount > 0 || engineFail(error, "%s: not a 2D character", path));
}

bool figureLoad(Session *session, const char *const *taken, size_t count, EngineError *error) {
    const Arguments *arguments = session->arguments;
    if (!figureCheckOptions(arguments, taken, count, error)) {
        return false;
    }
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
    return good;
}

Skinning *figureSkinning(const Session *session, EngineError *error) {
    VkskinContextDef context = vkskinDefaultContextDef();
    context.framesInFlight = FRAMES_IN_FLIGHT;
    context.backend = session->skin.backend;
    return skinningCreate(session->device, &context, error);
}

void figureBackground(const Arguments *arguments, float colour[4]) {
    if (!pictureBackground(arguments, colour)) {
        for (int c = 0; c < 4; c++) {
            colour[c] = c < 3 ? FIGURE_GREY : 1.0f;
        }
    }
}

bool figureRefuseOptions(const Arguments *arguments) {
    const char *given = arguments->nameCount > 0                  ? "skin"
                        : optionsValue(arguments, "show")->given  ? "show"
                        : optionsValue(arguments, "place")->given ? "place"
                                                                  : NULL;
    if (given) {
        sayFailure(arguments->verb->name, "%s: --%s is for 2D characters", arguments->operands[0], given);
    }
    return !given;
}

bool figureOperands(const Arguments *arguments, bool *figures) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < arguments->operandCount; i++) {
        count += importIsFigure(arguments->operands[i]);
    }
    *figures = count > 0;
    if (count > 0 && count < arguments->operandCount) {
        sayFailure(arguments->verb->name, "2D characters or other models, not both");
        return false;
    }
    return count > 0 || figureRefuseOptions(arguments);
}

/* ---- Skins ---- */

int32_t figureFindSkin(const Figure *figure, const char *name) {
    for (uint32_t i = 0; i < figure->skinCount; i++) {
        if (strcmp(figure->skins[i].name, name) == 0) {
            return (int32_t)i;
        }
    }
    return -1;
}

/*
 * *skin: if "default" has nothing that could be shown, the skin that fills the most slots of the setup pose; of equal ones
 * the one with the most pictures, then the first. -1: none.
 */
static bool chooseSkin(const Figure *figure, int32_t *skin, EngineError *error) {
    uint64_t *filled = engineAllocate((size_t)figure->skinCount + 1, sizeof *filled, error);
    const bool good = filled != NULL;
    *skin = -1;
    for (uint32_t i = 0; i < figure->attachmentCount && good; i++) {
        const FigureAttachment *attachment = &figure->attachments[i];
        const bool first = figure->slots[attachment->slot].shown == (int32_t)attachment->name;
        filled[attachment->skin] += attachment->frameCount == 0 ? 0 : first ? (uint64_t)figure->attachmentCount + 1 : 1;
    }
    if (good && (figure->defaultSkin < 0 || filled[figure->defaultSkin] == 0)) {
        for (uint32_t i = 0; i < figure->skinCount; i++) {
            *skin = filled[i] > (*skin < 0 ? 0 : filled[*skin]) ? (int32_t)i : *skin;
        }
    }
    free(filled);
    return good;
}

bool figureFindSkins(const Arguments *arguments, const Figure *figure, uint32_t skins[OPTION_FILES_MAX],
                     uint32_t *count, EngineError *error) {
    int32_t chosen = -1;
    if (arguments->nameCount == 0 && !chooseSkin(figure, &chosen, error)) {
        return false;
    }
    skins[0] = chosen < 0 ? 0 : (uint32_t)chosen;
    *count = chosen < 0 ? arguments->nameCount : 1;
    for (uint32_t i = 0; i < arguments->nameCount; i++) {
        const char *name = arguments->names[i];
        const int32_t skin = figureFindSkin(figure, name);
        if (skin < 0) {
            return engineFail(error, "%s: no skin '%.80s'; it has %u, see 'vkskin info'", arguments->operands[0], name,
                              figure->skinCount);
        }
        skins[i] = (uint32_t)skin;
    }
    return true;
}

static bool isOwn(const FigureSkin *skin) {
    return strcmp(skin->name, "default") != 0;
}

/* Whether a slot of the setup pose shows nothing, but could with a skin. */
static bool lacksSkins(const FigurePose *pose) {
    bool lacks = false;
    for (uint32_t s = 0; s < pose->figure->slotCount && !lacks; s++) {
        const int32_t name = pose->figure->slots[s].shown;
        lacks = name >= 0 && figurePoseFind(pose, s, name) < 0;
    }
    return lacks;
}

void figureNameSkins(const Arguments *arguments, const FigurePose *pose) {
    char names[NAMES_SIZE] = "";
    size_t length = 0;
    if (arguments->nameCount > 0 || (pose->skinCount == 0 && !lacksSkins(pose))) {
        return;
    }
    for (uint32_t i = 0; i < pose->figure->skinCount && length < sizeof names; i++) {
        if (isOwn(&pose->figure->skins[i])) {
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? ", " : "",
                                       pose->figure->skins[i].name);
        }
    }
    char what[SKIN_SIZE] = "slots are empty";
    if (pose->skinCount > 0) {
        snprintf(what, sizeof what, "without a skin nothing is shown, so '%.80s' is chosen",
                 pose->figure->skins[pose->skins[0]].name);
    }
    if (length > 0) {
        sayWarning(arguments->verb->name, "%s: %s; skins: %s%s (choose with --skin)", arguments->operands[0], what,
                   names, length < sizeof names ? "" : "...");
    }
}

/* ---- Motion ---- */

/* By its index, else its name; "none": -1. */
static bool findAnimation(const char *path, const Figure *figure, const char *name, int32_t *animation,
                          EngineError *error) {
    char *end = NULL;
    const unsigned long index = strtoul(name, &end, 10);
    *animation = -1;
    if (strcmp(name, "none") == 0) {
        return true;
    }
    if (*end == '\0' && name[0] >= '0' && name[0] <= '9' && index < figure->animationCount) {
        *animation = (int32_t)index;
        return true;
    }
    *animation = figureFindAnimation(figure, name);
    return *animation >= 0 ||
           engineFail(error, "%s: no clip '%.80s'; it has %u, see 'vkskin info'", path, name, figure->animationCount);
}

static bool isTarget(const Figure *figure, uint32_t bone) {
    bool is = false;
    for (uint32_t i = 0; i < figure->constraintCount; i++) {
        is = is || (figure->constraints[i].kind == FIGURE_IK && figure->constraints[i].target == bone);
    }
    return is;
}

static bool failTarget(const char *path, const Figure *figure, const char *name, EngineError *error) {
    char names[TARGETS_SIZE] = "";
    size_t length = 0;
    for (uint32_t i = 0; i < figure->boneCount && length < sizeof names; i++) {
        if (isTarget(figure, i)) {
            length += (size_t)snprintf(names + length, sizeof names - length, "%s%s", length > 0 ? ", " : "",
                                       figure->bones[i].name);
        }
    }
    return engineFail(error, "%s: --reach: no IK constraint has the target '%.80s'; targets: %s%s", path, name,
                      length > 0 ? names : "none", length < sizeof names ? "" : "...");
}

static bool findTarget(const char *path, const Figure *figure, const char *name, uint32_t *bone, EngineError *error) {
    for (*bone = 0; *bone < figure->boneCount; (*bone)++) {
        if (isTarget(figure, *bone) && strcmp(figure->bones[*bone].name, name) == 0) {
            return true;
        }
    }
    return failTarget(path, figure, name, error);
}

bool figureMotionRead(const Arguments *arguments, const Figure *figure, FigureMotion *motion, EngineError *error) {
    const char *path = arguments->operands[0];
    const OptionValue *clip = optionsValue(arguments, "clip");
    MotionChoice choice;
    *motion = (FigureMotion){.animation = figure->animationCount > 0 ? 0 : -1, .blendAnimation = -1};
    if ((clip->given && !findAnimation(path, figure, clip->text, &motion->animation, error)) ||
        !motionOptionsRead(arguments, &choice, error) ||
        (choice.blendClip[0] && !findAnimation(path, figure, choice.blendClip, &motion->blendAnimation, error)) ||
        (choice.reachNode[0] && !findTarget(path, figure, choice.reachNode, &motion->pull.bone, error))) {
        return false;
    }
    motion->blendWeight = (double)choice.blendWeight;
    motion->pull.place[0] = (double)choice.reachTarget[0];
    motion->pull.place[1] = (double)choice.reachTarget[1];
    motion->pullCount = choice.reachNode[0] != '\0';
    return true;
}
