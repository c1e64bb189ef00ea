/*
 * dump_spine.c MODEL TIMES [SKIN | +ANIMATION:SECONDS:WEIGHT | =BONE:X:Y | %exact | %RATE | %play]...: what
 * the engine evaluates of a 2D character, as text for the scripts: the setup pose, and each animation at so many times, the
 * last of them after its end, or with "@SECONDS,SECONDS" at these. +: each animation is mixed to this one. =: a bone is
 * pulled there. %exact: exact curves. %RATE: each time is reached by so many updates of physics per second, from one at 0 s
 * on. %play: by spineMotionPlay.
 *
 *     A INDEX NAME       an animation, -1 for the setup pose      T SECONDS         a time of it
 *     B BONE ACTIVE a b c d x y
 *     S SLOT ATTACHMENT SKIN FRAME r g b a r g b                  (ATTACHMENT -: it shows nothing)
 *     V SLOT x y ...     vertices                                 U SLOT u v ...    texture coordinates
 *     O SLOT ...         the draw order                           W TEXT            a warning of the import
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "spine_play.h"

/* What is done to each pose but the setup pose. */
typedef struct Extras {
    SpinePlay plays[SPINE_PLAYS_MAX]; /* the first one is that of the pose */
    SpinePull pulls[4];
    uint32_t playCount, pullCount;
    bool exact, playing;
    double rate; /* 0: no updates */
} Extras;

static Extras extras = {.playCount = 1};

static void setPose(SpinePose *pose, int32_t animation, double time) {
    const uint32_t updates = animation >= 0 ? (uint32_t)(time * extras.rate + 0.5) : 0;
    if (extras.playing) {
        spineMotionPlay(pose, &(SpineMotion){.animation = animation, .blendAnimation = -1}, time);
        return;
    }
    spinePoseReset(pose);
    for (uint32_t i = 0; i <= updates && extras.rate > 0.0; i++) {
        extras.plays[0] = (SpinePlay){animation, i / extras.rate, 1.0};
        spinePoseAdvance(pose, i > 0 ? 1.0 / extras.rate : 0.0);
        spinePoseMix(pose, extras.plays, extras.playCount, extras.pulls, extras.pullCount);
    }
    extras.plays[0] = (SpinePlay){animation, time, 1.0};
    spinePoseMix(pose, extras.plays, extras.playCount, extras.pulls, extras.pullCount);
}

static void printSlot(const SpinePose *pose, uint32_t slot) {
    const SpineModel *spine = pose->spine;
    const SpineSlotState *state = &pose->slots[slot];
    const SpineAttachment *attachment = state->attachment >= 0 ? &spine->attachments[state->attachment] : NULL;
    printf("S\t%u\t%s\t%s\t%u", slot, attachment ? spine->names[attachment->name].text : "-",
           attachment ? spine->skins[attachment->skin].name : "-", state->frame);
    for (int c = 0; c < 4; c++) {
        printf("\t%.9g", (double)state->colour[c]);
    }
    for (int c = 0; c < 3; c++) {
        printf("\t%.9g", (double)state->dark[c]);
    }
    putchar('\n');
    if (!attachment) {
        return;
    }
    double *positions = calloc((size_t)attachment->vertexCount * 2, sizeof *positions);
    if (!positions) {
        exit(EXIT_FAILURE);
    }
    spinePoseVertices(pose, slot, positions);
    printf("V\t%u", slot);
    for (uint32_t i = 0; i < attachment->vertexCount * 2; i++) {
        printf("\t%.17g", positions[i]);
    }
    putchar('\n');
    free(positions);
    if (attachment->frameCount > 0) {
        printf("U\t%u", slot);
        for (uint32_t i = 0; i < attachment->vertexCount * 2; i++) {
            printf("\t%.9g", (double)attachment->frames[state->frame].texcoords[i]);
        }
        putchar('\n');
    }
}

static void printPose(const SpinePose *pose) {
    const SpineModel *spine = pose->spine;
    printf("T\t%.17g\n", pose->time.seconds);
    for (uint32_t i = 0; i < spine->boneCount; i++) {
        const SpineMatrix *m = &pose->bones[i].matrix;
        printf("B\t%u\t%d\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\t%.17g\n", i, pose->bones[i].active, m->a, m->b, m->c,
               m->d, m->x0, m->y0);
    }
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        printSlot(pose, i);
    }
    printf("O");
    for (uint32_t i = 0; i < spine->slotCount; i++) {
        printf("\t%u", pose->drawOrder[i]);
    }
    putchar('\n');
}

static void printAnimation(SpinePose *pose, int32_t index, const char *wanted) {
    const SpineAnimation *animation = index >= 0 ? &pose->spine->animations[index] : NULL;
    const double duration = animation ? (double)animation->duration : 0.0;
    printf("A\t%d\t%s\n", index, animation ? animation->name : "-");
    char *next = (char *)wanted + 1;
    while (animation && wanted[0] == '@' && *next) {
        setPose(pose, index, strtod(next, &next));
        printPose(pose);
        next += *next == ',';
    }
    const unsigned long times = strtoul(wanted, NULL, 10);
    for (uint32_t i = 0; i < (animation ? times : 1) && (!animation || wanted[0] != '@'); i++) {
        const double time = duration * 1.05 * (i + 0.37) / (times > 0 ? (double)times : 1.0);
        setPose(pose, index, time);
        printPose(pose);
    }
}

/* NAME:NUMBER:NUMBER after the first character. Returns the length of the name. */
static size_t readNumbers(const char *text, double numbers[2]) {
    const size_t length = strcspn(text + 1, ":");
    return sscanf(text + 1 + length, ":%lf:%lf", &numbers[0], &numbers[1]) == 2 ? length : 0;
}

static bool isNamed(const char *name, const char *text, size_t length) {
    return strlen(name) == length && strncmp(name, text + 1, length) == 0;
}

static void readExtra(const SpineModel *spine, const char *text) {
    double numbers[2];
    const size_t length = readNumbers(text, numbers);
    for (uint32_t i = 0; i < spine->animationCount && text[0] == '+'; i++) {
        if (isNamed(spine->animations[i].name, text, length) && extras.playCount < SPINE_PLAYS_MAX) {
            extras.plays[extras.playCount++] = (SpinePlay){(int32_t)i, numbers[0], numbers[1]};
        }
    }
    extras.exact |= strcmp(text, "%exact") == 0;
    extras.playing |= strcmp(text, "%play") == 0;
    if (text[0] == '%') {
        extras.rate = strtod(text + 1, NULL);
    }
    for (uint32_t i = 0; i < spine->boneCount && text[0] == '='; i++) {
        if (isNamed(spine->bones[i].name, text, length) && extras.pullCount < 4) {
            extras.pulls[extras.pullCount++] = (SpinePull){i, {numbers[0], numbers[1]}};
        }
    }
}

int main(int count, char **texts) {
    EngineError error;
    uint32_t skins[16], skinCount = 0;
    Model *model = count >= 3 ? importModel(texts[1], NULL, &error) : NULL;
    if (!model || model->spineCount == 0) {
        fprintf(stderr, "dump_spine: %s\n", count < 3 ? "usage: MODEL TIMES [SKIN...]" : error.message);
        return EXIT_FAILURE;
    }
    const SpineModel *spine = model->spines;
    for (int i = 3; i < count && skinCount < 16; i++) {
        readExtra(spine, texts[i]);
        for (uint32_t skin = 0; skin < spine->skinCount; skin++) {
            if (strcmp(spine->skins[skin].name, texts[i]) == 0) {
                skins[skinCount++] = skin;
            }
        }
    }
    for (uint32_t i = 0; i < model->warningCount; i++) {
        printf("W\t%s\n", model->warnings[i].text);
    }
    SpinePose *pose = spinePoseCreate(spine, skins, skinCount, &error);
    if (pose && extras.exact) {
        spinePoseCurves(pose, SPINE_CURVES_EXACT);
    }
    for (int32_t i = -1; pose && i < (int32_t)spine->animationCount; i++) {
        printAnimation(pose, i, texts[2]);
    }
    spinePoseFree(pose);
    modelFree(model);
    return pose ? EXIT_SUCCESS : EXIT_FAILURE;
}
