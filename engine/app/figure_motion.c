#include "figure_motion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "motion_options.h"

#define NAMES_SIZE 300 /* of targets in a line */

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
    char names[NAMES_SIZE] = "";
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
