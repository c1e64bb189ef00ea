#include "crowd.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define CULL_BLOCK 256u /* members per task of crowdCull */

/* ---- Culling ---- */

typedef struct CullJob {
    Crowd *crowd;
    Frustum camera, light;
    float fromLight[3];
    float shadowMargin;
} CullJob;

static uint32_t visiblePasses(const CullJob *job, const Bounds *box) {
    uint32_t passes = 0;
    if (frustumTouches(&job->camera, box, 0.0f, NULL)) {
        passes |= 1u << CROWD_PASS_COLOUR;
    }
    if (frustumTouches(&job->light, box, job->shadowMargin, NULL) &&
        frustumTouches(&job->camera, box, job->shadowMargin, job->fromLight)) {
        passes |= 1u << CROWD_PASS_SHADOW;
    }
    return passes;
}

static void cullBlock(void *taskData, uint32_t block) {
    const CullJob *job = taskData;
    Crowd *crowd = job->crowd;
    uint32_t end = (block + 1) * CULL_BLOCK < crowd->memberCount ? (block + 1) * CULL_BLOCK : crowd->memberCount;
    for (uint32_t i = block * CULL_BLOCK; i < end; i++) {
        CrowdMember *member = &crowd->members[i];
        const Character *character = crowd->characters[member->character];
        if (motionIsActive(character->motion)) {
            member->passes = (1u << CROWD_PASS_COUNT) - 1;
            continue;
        }
        const Bounds *box = characterBox(character, member->clip, member->mode);
        VkskinAffine toWorld = vkskinMultiplyAffine(&member->place, &character->modelToCommon);
        Bounds placed = boundsTransform(box, &toWorld);
        member->passes = visiblePasses(job, boundsCanBeDrawn(box) ? &placed : box);
    }
}

void crowdCull(Crowd *crowd, const CrowdView *view) {
    CullJob job = {.crowd = crowd,
                   .camera = frustumFrom(view->camera),
                   .light = frustumFrom(view->light),
                   .shadowMargin = view->shadowMargin};
    for (int axis = 0; axis < 3; axis++) {
        job.fromLight[axis] = -view->towardsLight[axis];
    }
    uint32_t blocks = (crowd->memberCount + CULL_BLOCK - 1) / CULL_BLOCK;
    parallelRun(&crowd->skinning->pool, blocks, cullBlock, &job);
}

/* ---- Posing ---- */

static CrowdPose currentPose(const Character *character, const CrowdMember *member, double clock) {
    double duration = clipSourceDuration(&character->source, member->clip);
    double time = member->time + clock;
    if (motionIsActive(character->motion)) {
        duration = motionDuration(character->motion, member->clip);
    }
    if (isfinite(time) && duration == 0.0) {
        time = 0.0;
    } else if (isfinite(time) && member->wrap == VKSKIN_WRAP_CLAMP) {
        time = fmin(fmax(time, 0.0), duration);
    }
    return (CrowdPose){.clip = member->clip < character->clipCount ? member->clip : VKSKIN_REST_POSE,
                       .wrap = member->wrap,
                       .mode = member->mode,
                       .time = time,
                       .motion = character->motion ? character->motion->version : 0};
}

static bool samePose(const CrowdPose *a, const CrowdPose *b) {
    return a->clip == b->clip && a->wrap == b->wrap && a->mode == b->mode && a->time == b->time &&
           a->motion == b->motion;
}

/* Updates the member's pose. False: the member needs no posing in this frame. */
static bool needsPose(const Character *character, CrowdMember *member, double clock) {
    if (member->passes == 0) {
        return false;
    }
    CrowdPose pose = currentPose(character, member, clock);
    if (member->poseVersion == 0 || !samePose(&pose, &member->pose)) {
        member->pose = pose;
        member->poseVersion++;
    }
    return member->poseVersion != member->skinnedVersion;
}

/* palettes: [paletteCount] of the member. Null if none is needed: the pose is unchanged or no pass shows it. */
static void fillCommands(Crowd *crowd, const CrowdMember *member, const VkskinPalette *palettes) {
    const Character *character = crowd->characters[member->character];
    for (uint32_t i = 0; i < character->partCount; i++) {
        const CharacterPart *part = &character->parts[i];
        uint32_t index = member->firstInstance + i;
        VkskinSkinCommand *command = &crowd->commands[index];
        *command = (VkskinSkinCommand){.instance = crowd->instances[index], .poseVersion = member->poseVersion};
        if (member->passes == 0) {
            command->flags = VKSKIN_SKIN_CULLED_BIT;
        } else if (palettes) {
            command->palette = palettes[part->palette];
            command->method = skinModeMethod(member->mode);
            command->morphWeights = crowd->morphWeights + member->firstMorph + part->firstMorph;
            command->morphWeightCount = part->morphCount;
        }
    }
}

/* Samples the morph weights and fills the commands of a member whose palettes are allocated. fresh: its index in the
 * scratch. */
static bool prepareMember(Crowd *crowd, CrowdMember *member, uint32_t fresh, EngineError *error) {
    const Character *character = crowd->characters[member->character];
    fillCommands(crowd, member, &crowd->scratch->palettes[(size_t)fresh * character->paletteCount]);
    return character->morphCount == 0 || characterMorphWeights(character, member->clip, member->pose.time, member->wrap,
                                                               crowd->morphWeights + member->firstMorph, error);
}

/* Allocates all palettes of the members fresh[begin] to fresh[end - 1], which have one encoding. */
static bool allocateRun(Crowd *crowd, uint32_t kind, uint32_t begin, uint32_t end, EngineError *error) {
    const Character *character = crowd->characters[kind];
    CrowdScratch *scratch = crowd->scratch;
    const size_t first = (size_t)begin * character->paletteCount;
    const uint32_t count = (end - begin) * character->paletteCount;
    for (uint32_t i = 0; i < count; i++) {
        scratch->boneCounts[first + i] = character->palettes[i % character->paletteCount].boneCount;
    }
    const VkskinPaletteEncoding encoding = skinModeEncoding(crowd->members[scratch->fresh[begin]].mode);
    if (crowd->palettes.place) {
        return crowd->palettes.place(crowd->palettes.user, kind, scratch->fresh + begin, end - begin, encoding,
                                     scratch->data + first, error);
    }
    VkskinResult result = vkskinAllocatePalettes(crowd->skinning->context, encoding, scratch->boneCounts + first, 0,
                                                 count, scratch->palettes + first, scratch->data + first);
    return result >= 0 || skinningFail(crowd->skinning, error, "allocating palettes", result);
}

/* A system may refuse what its palettes cannot represent. */
static bool checkPosed(const Crowd *crowd, VkskinResult result, EngineError *error) {
    if (result == VKSKIN_WARNING_SCALE_LOST && crowd->palettes.name && !crowd->palettes.keepsScale) {
        return engineFail(error, "system '%s': a bone has non-uniform scale, which quaternions cannot represent (%s)",
                          crowd->palettes.name, vkskinResultName(result));
    }
    return result >= 0 || skinningFail(crowd->skinning, error, "posing", result);
}

static MotionBlend memberBlend(const Character *character, const CrowdMember *member) {
    return motionOnlyBlends(character->motion) ? motionBlend(character->motion, member->clip, member->pose.time)
                                               : (MotionBlend){.time = member->pose.time};
}

/* Writes palette `palette` of the members fresh[begin] to fresh[end - 1], which have one encoding. */
static bool poseRun(Crowd *crowd, uint32_t kind, uint32_t palette, uint32_t begin, uint32_t end, EngineError *error) {
    const Character *character = crowd->characters[kind];
    CrowdScratch *scratch = crowd->scratch;
    const VkskinCpuRun run = {.parallel = parallelRun, .parallelUser = &crowd->skinning->pool};
    for (uint32_t i = begin; i < end; i++) {
        const CrowdMember *member = &crowd->members[scratch->fresh[i]];
        const MotionBlend blend = memberBlend(character, member);
        scratch->characters[i] =
            (VkskinPoseBatchCharacter){.clip = member->pose.clip,
                                       .wrap = member->wrap,
                                       .time = blend.time,
                                       .slot = member->slot,
                                       .palette = scratch->data[(size_t)i * character->paletteCount + palette],
                                       .blendWeight = blend.otherWeight,
                                       .blendClip = blend.otherClip,
                                       .blendWrap = member->wrap,
                                       .blendTime = blend.otherTime};
    }
    VkskinResult result = vkskinPoseBatch(scratch->batches[kind][palette], &scratch->characters[begin], end - begin,
                                          skinModeEncoding(crowd->members[scratch->fresh[begin]].mode),
                                          character->palettes[palette].boneCount, &run);
    return checkPosed(crowd, result, error);
}

typedef struct MotionJob {
    const Crowd *crowd;
    uint32_t begin;    /* first of the members in the scratch */
    atomic_int result; /* VkskinResult: an error of any member, or a scale that it lost */
} MotionJob;

/* Poses one member with its motion, and writes its palettes. */
static void poseByMotion(void *taskData, uint32_t task) {
    MotionJob *job = taskData;
    const CrowdScratch *scratch = job->crowd->scratch;
    const uint32_t fresh = job->begin + task;
    const CrowdMember *member = &job->crowd->members[scratch->fresh[fresh]];
    const Character *character = job->crowd->characters[member->character];
    const uint32_t nodeCount = character->model->nodeCount;
    VkskinAffine *world = calloc(nodeCount, sizeof *world);
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    if (world) {
        result = motionPose(character->motion, member->clip, member->pose.time, member->wrap, world);
    }
    for (uint32_t i = 0; i < character->paletteCount && result >= 0; i++) {
        const VkskinResult written = vkskinWritePalette(
            character->palettes[i].skin, world, nodeCount, skinModeEncoding(member->mode),
            scratch->data[(size_t)fresh * character->paletteCount + i], character->palettes[i].boneCount);
        result = written == VKSKIN_SUCCESS ? result : written;
    }
    free(world);
    int none = VKSKIN_SUCCESS;
    if (result < 0) {
        atomic_store(&job->result, result);
    } else if (result == VKSKIN_WARNING_SCALE_LOST) { /* an error counts more */
        atomic_compare_exchange_strong(&job->result, &none, result);
    }
}

static bool poseRunByMotion(Crowd *crowd, uint32_t begin, uint32_t end, EngineError *error) {
    MotionJob job = {.crowd = crowd, .begin = begin};
    parallelRun(&crowd->skinning->pool, end - begin, poseByMotion, &job);
    return checkPosed(crowd, (VkskinResult)atomic_load(&job.result), error);
}

/* One past the last of the members from fresh[begin] on, up to fresh[count - 1], that have one encoding. */
static uint32_t runEnd(const Crowd *crowd, uint32_t begin, uint32_t count) {
    const CrowdMember *members = crowd->members;
    const uint32_t *fresh = crowd->scratch->fresh;
    uint32_t end = begin + 1;
    while (end < count && skinModeEncoding(members[fresh[end]].mode) == skinModeEncoding(members[fresh[begin]].mode)) {
        end++;
    }
    return end;
}

static bool prepareAndPose(Crowd *crowd, uint32_t kind, uint32_t begin, uint32_t end, EngineError *error) {
    bool good = allocateRun(crowd, kind, begin, end, error);
    for (uint32_t i = begin; good && i < end; i++) {
        good = prepareMember(crowd, &crowd->members[crowd->scratch->fresh[i]], i, error);
    }
    const Motion *motion = crowd->characters[kind]->motion;
    if (good && motionIsActive(motion) && !motionOnlyBlends(motion)) {
        return poseRunByMotion(crowd, begin, end, error);
    }
    for (uint32_t palette = 0; good && palette < crowd->characters[kind]->paletteCount; palette++) {
        good = poseRun(crowd, kind, palette, begin, end, error);
    }
    return good;
}

static bool poseKind(Crowd *crowd, uint32_t kind, double clock, EngineError *error) {
    const Character *character = crowd->characters[kind];
    uint32_t count = 0;
    for (uint32_t i = crowd->kindStarts[kind]; i < crowd->kindStarts[kind + 1]; i++) {
        CrowdMember *member = &crowd->members[crowd->order[i]];
        if (!needsPose(character, member, clock)) {
            fillCommands(crowd, member, NULL);
            continue;
        }
        crowd->scratch->fresh[count++] = crowd->order[i];
    }
    bool good = true;
    for (uint32_t begin = 0, end = 0; good && begin < count; begin = end) {
        end = runEnd(crowd, begin, count);
        good = prepareAndPose(crowd, kind, begin, end, error);
    }
    return good;
}

bool crowdPose(Crowd *crowd, double clock, EngineError *error) {
    const CrowdPalettes *palettes = &crowd->palettes;
    crowd->clock = clock;
    if (crowd->skin.system == SKIN_SYSTEM_CROWD) {
        return true;
    }
    bool good = crowd->skin.system == SKIN_SYSTEM_COMPUTE || palettes->place ||
                engineFail(error, "system '%s': nothing draws the crowd", SKIN_SYSTEM_NAMES[crowd->skin.system]);
    if (good && palettes->begin) {
        palettes->begin(palettes->user);
    }
    for (uint32_t kind = 0; kind < crowd->characterCount && good; kind++) {
        good = poseKind(crowd, kind, clock, error);
    }
    return good && (!palettes->finish || palettes->finish(palettes->user, error));
}

bool crowdSkin(Crowd *crowd, EngineError *error) {
    if (crowd->skin.system != SKIN_SYSTEM_COMPUTE) {
        return true;
    }
    VkskinResult result = vkskinSkinInstances(crowd->skinning->context, crowd->commands, crowd->instanceCount, NULL);
    if (result < 0) {
        return skinningFail(crowd->skinning, error, "skinning the crowd", result);
    }
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        CrowdMember *member = &crowd->members[i];
        member->skinnedVersion = member->passes != 0 ? member->poseVersion : member->skinnedVersion;
    }
    return true;
}

VkskinAffine crowdPartMatrix(const Crowd *crowd, const CrowdMember *member, uint32_t part) {
    const Character *character = crowd->characters[member->character];
    VkskinAffine common = vkskinMultiplyAffine(&character->modelToCommon, &character->parts[part].meshToModel);
    return vkskinMultiplyAffine(&member->place, &common);
}

uint32_t crowdPackTint(const float tint[3]) {
    uint32_t packed = 0xff000000u;
    for (uint32_t channel = 0; channel < 3; channel++) {
        const float half = fminf(fmaxf(0.5f * tint[channel], 0.0f), 1.0f);
        packed |= (uint32_t)(half * 255.0f + 0.5f) << (8 * channel);
    }
    return packed;
}
