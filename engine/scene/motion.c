#include "motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "near_names.h"
#include "ragdoll_fit.h"

/* ---- Names ---- */

static bool findNode(const Model *model, const char *name, const char *what, uint32_t *node, EngineError *error) {
    const Names names = NAMES_OF(model->nodes, model->nodeCount);
    char hint[NAME_HINT_SIZE], *end;
    const unsigned long index = strtoul(name, &end, 10);
    *node = nameFind(&names, name);
    if (*node == model->nodeCount && end != name && *end == '\0' && index < model->nodeCount) {
        *node = (uint32_t)index;
    }
    if (*node == model->nodeCount) {
        nameHint(hint, &names, name, "'vkskin info' lists the nodes");
        return engineFail(error, "no node '%s' to %s with; %s", name, what, hint);
    }
    return true;
}

/* An empty name is no clip. */
static bool findClip(const Model *model, const char *name, const char *what, uint32_t *clip, EngineError *error) {
    const Names names = NAMES_OF(model->clips, model->clipCount);
    char hint[NAME_HINT_SIZE];
    *clip = name[0] != '\0' ? modelClipNamed(model, name) : model->clipCount;
    if (name[0] == '\0' || *clip < model->clipCount) {
        return true;
    }
    nameHint(hint, &names, name, "'vkskin info' lists the clips");
    return engineFail(error, "no clip '%s' to %s; %s", name, what, hint);
}

/* ---- Chains ---- */

static bool samePlace(const VkskinAffine *a, const VkskinAffine *b) {
    return a->m[0][3] == b->m[0][3] && a->m[1][3] == b->m[1][3] && a->m[2][3] == b->m[2][3];
}

/* The closest ancestor at another place: the node that a bone ending in `node` begins with. -1: none. */
static int32_t boneAbove(const Model *model, const VkskinAffine *rest, uint32_t node) {
    int32_t at = model->nodes[node].parent;
    while (at >= 0 && samePlace(&rest[at], &rest[node])) {
        at = model->nodes[at].parent;
    }
    return at;
}

static bool makeReach(const MotionChoice *choice, const Model *model, const VkskinAffine *rest, Motion *motion,
                      EngineError *error) {
    uint32_t end;
    if (!findNode(model, choice->reachNode, "reach", &end, error)) {
        return false;
    }
    const int32_t mid = boneAbove(model, rest, end);
    const int32_t start = mid >= 0 ? boneAbove(model, rest, (uint32_t)mid) : -1;
    if (start < 0) {
        return engineFail(error, "node '%s' cannot reach: there are no two bones above it", choice->reachNode);
    }
    motion->reach = vkskinDefaultTwoBoneDef();
    motion->reach.start = (uint32_t)start;
    motion->reach.mid = (uint32_t)mid;
    motion->reach.end = end;
    memcpy(motion->reach.target, choice->reachTarget, sizeof choice->reachTarget);
    motion->canReach = motion->reaches = true;
    return true;
}

static bool makeLook(const MotionChoice *choice, const Model *model, const VkskinAffine *modelToCommon,
                     const VkskinAffine *rest, Motion *motion, EngineError *error) {
    uint32_t node;
    VkskinAffine inverse;
    if (!findNode(model, choice->lookNode, "look", &node, error)) {
        return false;
    }
    if (vkskinInvertAffine(&rest[node], &inverse) < 0) {
        return engineFail(error, "node '%s' cannot look: it has no size at rest", choice->lookNode);
    }
    motion->look = vkskinDefaultAimDef();
    motion->look.node = node;
    for (int i = 0; i < 3; i++) {
        /* Rows of modelToCommon, a rotation: the axes of the common space in the model's own. */
        const float *up = modelToCommon->m[1], *ahead = modelToCommon->m[2], *row = inverse.m[i];
        motion->look.target[i] = choice->lookTarget[i];
        motion->look.forward[i] = row[0] * ahead[0] + row[1] * ahead[1] + row[2] * ahead[2];
        motion->look.up[i] = row[0] * up[0] + row[1] * up[1] + row[2] * up[2];
        motion->look.pole[i] = up[i];
    }
    motion->canLook = motion->looks = true;
    return true;
}

const RagdollShape *motionBodies(Motion *motion, const Model *model, const VkskinAffine *modelToCommon,
                                 EngineError *error) {
    if (!motion->bodies) {
        motion->bodies = ragdollShapeCreate(model, modelToCommon, &motion->source, error);
    }
    return motion->bodies;
}

/* Without vertices there is nothing to collide with. */
static bool makeColliders(const Model *model, const VkskinAffine *modelToCommon, Motion *motion, EngineError *error) {
    EngineError ignored;
    VkskinAffine *rest = skeletonAtRest(motion->source.skeleton, error);
    motion->springs.shape = rest ? motionBodies(motion, model, modelToCommon, &ignored) : NULL;
    if (motion->springs.shape) {
        motionSpringsCollide(&motion->springs, rest);
    }
    free(rest);
    return rest != NULL;
}

static bool makeSprings(const MotionChoice *choice, const Model *model, const VkskinAffine *modelToCommon,
                        Motion *motion, EngineError *error) {
    bool good = true;
    motion->springs.model = model;
    for (uint32_t i = 0; i < choice->springCount && good; i++) {
        uint32_t node;
        good = findNode(model, choice->springs[i].node, "swing", &node, error) &&
               motionSpringsAdd(&motion->springs, &choice->springs[i], node, modelToCommon, motion->source.skeleton,
                                error);
    }
    return good && (choice->springCount == 0 || makeColliders(model, modelToCommon, motion, error));
}

static bool makeRagdoll(const MotionChoice *choice, const Model *model, const VkskinAffine *modelToCommon,
                        Motion *motion, EngineError *error) {
    uint32_t node = model->nodeCount;
    if (choice->collapseNode[0] != '\0' && !findNode(model, choice->collapseNode, "collapse", &node, error)) {
        return false;
    }
    motion->fall = ragdollFallFrom(choice->collapseTime, node);
    motion->ragdoll = motionBodies(motion, model, modelToCommon, error);
    return motion->ragdoll && ragdollCanFall(motion->ragdoll, node, error);
}

static bool makeSolvers(const MotionChoice *choice, const Model *model, const VkskinAffine *modelToCommon,
                        Motion *motion, EngineError *error) {
    if (choice->reachNode[0] == '\0' && choice->lookNode[0] == '\0') {
        return true;
    }
    VkskinAffine *rest = skeletonAtRest(motion->source.skeleton, error);
    const bool good = rest && (choice->reachNode[0] == '\0' || makeReach(choice, model, rest, motion, error)) &&
                      (choice->lookNode[0] == '\0' || makeLook(choice, model, modelToCommon, rest, motion, error));
    free(rest);
    return good;
}

/* ---- Machines ---- */

static MotionClip clipAt(const void *model, uint32_t index) {
    const ModelClip *clip = &((const Model *)model)->clips[index];
    return (MotionClip){clip->name, clip->duration};
}

static bool makeMachine(const MotionChoice *choice, const Model *model, Motion *motion, EngineError *error) {
    const MotionClips clips = {model->clipCount, clipAt, model};
    motion->machine = motionMachineCreate(choice->machine, &clips, choice->events, choice->eventCount, error);
    return motion->machine != NULL;
}

Motion *motionCreate(const MotionChoice *choice, const Model *model, const VkskinAffine *modelToCommon,
                     const ClipSource *source, EngineError *error) {
    Motion *motion = engineAllocate(1, sizeof *motion, error);
    if (!motion) {
        return NULL;
    }
    motion->source = *source;
    motion->blendWeight = choice->blendWeight;
    motion->addWeight = motion->addChosen = choice->addWeight;
    if (!findClip(model, choice->blendClip, "blend", &motion->blendClip, error) ||
        !findClip(model, choice->addClip, "add", &motion->addClip, error) ||
        !makeSolvers(choice, model, modelToCommon, motion, error) ||
        !makeSprings(choice, model, modelToCommon, motion, error) ||
        (choice->collapses && !makeRagdoll(choice, model, modelToCommon, motion, error)) ||
        (choice->machine && !makeMachine(choice, model, motion, error))) {
        motionDestroy(motion);
        return NULL;
    }
    return motion;
}

void motionDestroy(Motion *motion) {
    if (motion) {
        motionMachineDestroy(motion->machine);
        ragdollShapeDestroy(motion->bodies);
        free(motion);
    }
}

bool motionSwings(const Motion *motion) {
    return motion && (motion->springs.count > 0 || motion->ragdoll);
}

MotionSwing *motionCreateSwing(const Motion *motion) {
    return motionSwingCreate(&motion->springs, motion->ragdoll, &motion->fall);
}

/* ---- Switches ---- */

#define BLEND_STEP 0.25f

void motionStepBlend(Motion *motion, uint32_t clip) {
    if (motion->machine || motion->source.clipCount == 0) {
        return;
    }
    if (motion->blendClip >= motion->source.clipCount) {
        motion->blendClip = clip < motion->source.clipCount ? (clip + 1) % motion->source.clipCount : 0;
    }
    motion->blendWeight = motion->blendWeight < 1.0f ? fminf(motion->blendWeight + BLEND_STEP, 1.0f) : 0.0f;
    motion->version++;
}

void motionSwitchAdd(Motion *motion) {
    motion->addWeight = motion->addWeight == 0.0f ? motion->addChosen : 0.0f;
    motion->version++;
}

void motionSwitchSolvers(Motion *motion) {
    const bool on = !(motion->reaches || motion->looks);
    motion->reaches = on && motion->canReach;
    motion->looks = on && motion->canLook;
    motion->version++;
}

/* ---- Poses ---- */

static bool blends(const Motion *motion) {
    return motion->blendClip < motion->source.clipCount && motion->blendWeight > 0.0f;
}

static bool adds(const Motion *motion) {
    return motion->addClip < motion->source.clipCount && motion->addWeight != 0.0f;
}

/* Beyond a second clip. */
static bool changesPoses(const Motion *motion) {
    return motion->machine || adds(motion) || motion->reaches || motion->looks || motionSwings(motion);
}

bool motionIsActive(const Motion *motion) {
    return motion && (blends(motion) || changesPoses(motion));
}

bool motionOnlyBlends(const Motion *motion) {
    return motion && blends(motion) && !changesPoses(motion);
}

/* The duration of a clip, and of a second one that is in step with it. */
static double stepDuration(const Motion *motion, uint32_t clip) {
    const double duration = clipSourceDuration(&motion->source, clip);
    if (clip < motion->source.clipCount && blends(motion)) {
        const double weight = motion->blendWeight;
        return (1.0 - weight) * duration + weight * clipSourceDuration(&motion->source, motion->blendClip);
    }
    return duration;
}

double motionDuration(const Motion *motion, uint32_t clip) {
    const ClipSource *source = &motion->source;
    double duration = stepDuration(motion, clip);
    if (motion->machine || motion->ragdoll) {
        return INFINITY;
    }
    duration = duration == 0.0 && adds(motion) ? clipSourceDuration(source, motion->addClip) : duration;
    return duration == 0.0 && motion->springs.count > 0 ? (double)INFINITY : duration; /* springs swing on */
}

MotionBlend motionBlend(const Motion *motion, uint32_t clip, double time) {
    if (clip >= motion->source.clipCount || !blends(motion)) {
        return (MotionBlend){.time = time};
    }
    const double duration = stepDuration(motion, clip);
    const double phase = duration > 0.0 ? time / duration : 0.0;
    return (MotionBlend){.time = phase * clipSourceDuration(&motion->source, clip),
                         .otherWeight = motion->blendWeight,
                         .otherClip = motion->blendClip,
                         .otherTime = phase * clipSourceDuration(&motion->source, motion->blendClip)};
}

/* A clip, or the machine in its place, and room for poses. */
typedef struct Play {
    const Motion *motion;
    uint32_t clip;
    VkskinWrap wrap;
    uint32_t nodeCount;
    VkskinTransform *poses; /* [MOTION_POSES][nodeCount] */
    MotionCursor *cursor;   /* place in the machine, or null */
    MotionSwing *swing;     /* null without springs and a ragdoll */
} Play;

enum { REST, ADDED, ADDED_FIRST, SAMPLES, MOTION_POSES = SAMPLES + VKSKIN_MACHINE_SAMPLES_MAX };

static VkskinTransform *poseOf(const Play *play, uint32_t index) {
    return play->poses + (size_t)index * play->nodeCount;
}

static VkskinResult sampleInto(const Play *play, uint32_t index, uint32_t clip, double time, VkskinWrap wrap) {
    return clipSourceSample(&play->motion->source, clip, time, wrap, poseOf(play, index));
}

static VkskinResult sampleMachine(const Play *play, double time, VkskinPoseLayer *layers, uint32_t *count) {
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    VkskinResult result = motionMachinePlay(play->motion->machine, play->cursor, time, samples, count);
    for (uint32_t i = 0; result >= 0 && i < *count; i++) {
        result = sampleInto(play, SAMPLES + i, samples[i].clip, samples[i].step.to, VKSKIN_WRAP_CLAMP);
        layers[i] = (VkskinPoseLayer){.pose = poseOf(play, SAMPLES + i), .weight = samples[i].weight};
    }
    return result;
}

static VkskinResult sampleClips(const Play *play, double time, VkskinPoseLayer *layers, uint32_t *count) {
    const MotionBlend blend = motionBlend(play->motion, play->clip, time);
    *count = blend.otherWeight > 0.0f ? 2 : 1;
    layers[0] = (VkskinPoseLayer){.pose = poseOf(play, SAMPLES), .weight = 1.0f - blend.otherWeight};
    layers[1] = (VkskinPoseLayer){.pose = poseOf(play, SAMPLES + 1), .weight = blend.otherWeight};
    VkskinResult result = sampleInto(play, SAMPLES, play->clip, blend.time, play->wrap);
    if (*count == 2 && result >= 0) {
        result = sampleInto(play, SAMPLES + 1, blend.otherClip, blend.otherTime, play->wrap);
    }
    return result;
}

static VkskinResult sampleAdded(const Play *play, double time) {
    const uint32_t clip = play->motion->addClip;
    VkskinResult result = sampleInto(play, ADDED_FIRST, clip, 0.0, VKSKIN_WRAP_CLAMP);
    result = result < 0 ? result : sampleInto(play, ADDED, clip, time, play->wrap);
    return result < 0 ? result
                      : vkskinMakeAdditive(play->nodeCount, poseOf(play, ADDED_FIRST), poseOf(play, ADDED),
                                           poseOf(play, ADDED));
}

/* Without springs and falls. */
static VkskinResult poseClip(const Play *play, double time, VkskinAffine *world) {
    const Motion *motion = play->motion;
    VkskinPoseLayer layers[VKSKIN_MACHINE_SAMPLES_MAX] = {{0}};
    const VkskinPoseLayer added = {.pose = poseOf(play, ADDED), .weight = motion->addWeight};
    VkskinBlendDef def = vkskinDefaultBlendDef();
    VkskinResult result = sampleInto(play, REST, VKSKIN_REST_POSE, 0.0, VKSKIN_WRAP_CLAMP);
    if (result >= 0) {
        result = (motion->machine ? sampleMachine : sampleClips)(play, time, layers, &def.layerCount);
    }
    if (result >= 0 && adds(motion)) {
        result = sampleAdded(play, time);
        def.additiveCount = 1;
    }
    VkskinTransform *pose = poseOf(play, REST);
    def.nodeCount = play->nodeCount;
    def.layers = layers;
    def.additives = &added;
    def.rest = pose;
    result = result < 0 ? result : vkskinBlendLayers(&def, pose);
    result = result < 0 ? result : vkskinComposePose(motion->source.skeleton, pose, world);
    if (result >= 0 && motion->reaches) {
        result = vkskinSolveTwoBone(motion->source.skeleton, &motion->reach, pose, world, NULL);
    }
    if (result >= 0 && motion->looks) {
        result = vkskinSolveAim(motion->source.skeleton, &motion->look, pose, world, NULL);
    }
    return result;
}

static VkskinResult poseBefore(void *user, double time, VkskinTransform *pose, VkskinAffine *world) {
    const Play *play = user;
    const VkskinResult result = poseClip(play, time, world);
    memmove(pose, poseOf(play, REST), play->nodeCount * sizeof *pose);
    return result;
}

static VkskinResult poseFalling(Play *play, double time, VkskinAffine *world) {
    const RagdollPoser poser = {poseBefore, play};
    return play->motion->ragdoll ? ragdollPose(motionSwingRagdoll(play->swing), time, &poser, poseOf(play, REST), world)
                                 : poseClip(play, time, world);
}

/* The pose of the moment, with the chains as in the nearest step. */
static VkskinResult poseSwinging(Play *play, double time, VkskinAffine *world) {
    const Motion *motion = play->motion;
    MotionSwing *swing = play->swing;
    Play stepping = *play;
    int64_t step, last;
    VkskinResult result = VKSKIN_SUCCESS;
    stepping.cursor = motionSwingCursor(swing);
    motionSwingFind(swing, play->wrap == VKSKIN_WRAP_CLAMP ? fmin(time, motionDuration(motion, play->clip)) : time,
                    &step, &last);
    for (; step <= last && result >= 0; step++) {
        result = poseFalling(&stepping, (double)step * VKSKIN_SPRING_STEP, world);
        result = result < 0 ? result : motionSwingStep(swing, step, poseOf(play, REST), world);
    }
    result = result < 0 ? result : poseFalling(play, time, world);
    if (result >= 0) {
        motionSwingTurn(swing, poseOf(play, REST));
        result = vkskinComposePose(motion->source.skeleton, poseOf(play, REST), world);
    }
    return result;
}

VkskinResult motionPose(const Motion *motion, uint32_t clip, double time, VkskinWrap wrap, MotionSwing *swing,
                        VkskinAffine *world) {
    const bool swings = motionSwings(motion);
    MotionSwing *alone = swings && !swing ? motionCreateSwing(motion) : NULL;
    Play play = {motion, clip, wrap, vkskinGetSkeletonNodeCount(motion->source.skeleton),
                 .swing = swing ? swing : alone};
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    play.poses = calloc((size_t)play.nodeCount * MOTION_POSES, sizeof *play.poses);
    if (play.poses && (play.swing || !swings)) {
        result = (motion->springs.count > 0 ? poseSwinging : poseFalling)(&play, time, world);
    }
    motionSwingDestroy(alone);
    free(play.poses);
    return result;
}
