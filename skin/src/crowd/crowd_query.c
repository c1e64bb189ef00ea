#include <string.h>

#include "barriers.h"
#include "crowd.h"
#include "crowd/crowd_rules.h"
#include "crowd_morphs.h"
#include "crowd_pose.h"

/* ---- Memory ---- */

static void makeQuestion(Arena *arena, uint32_t most, bool answers, CrowdQuestion *question) {
    question->characters = sknArenaArray(arena, most, sizeof *question->characters);
    question->answers = answers ? sknArenaArray(arena, most, sizeof *question->answers) : NULL;
}

bool sknMakeCrowdQueries(Arena *arena, uint32_t most, bool onCpu, uint32_t slots, CrowdQueries *queries) {
    queries->most = most;
    makeQuestion(arena, most, false, &queries->next);
    makeQuestion(arena, most, true, &queries->finished);
    for (uint32_t s = 0; s < slots; s++) {
        makeQuestion(arena, most, onCpu, &queries->slots[s]);
    }
    queries->copies = onCpu ? NULL : sknArenaArray(arena, most, 2 * sizeof *queries->copies);
    return !arena->failed;
}

VkDeviceSize sknAnswersAt(const Crowd *crowd) {
    return (CROWD_INPUT_CHANGES + (VkDeviceSize)crowd->maxChanges * CROWD_CHANGE_WORDS) * sizeof(uint32_t);
}

/* ---- Frames ---- */

static CrowdQuestion *ask(Crowd *crowd, uint32_t slot, uint32_t tick) {
    const CrowdQuestion *next = &crowd->queries.next;
    CrowdQuestion *question = &crowd->queries.slots[slot];
    question->count = next->count;
    question->tick = tick;
    memcpy(question->characters, next->characters, next->count * sizeof *next->characters);
    return question;
}

void sknAnswerOnCpu(Crowd *crowd, uint32_t slot, uint32_t tick) {
    const CrowdQuestion *question = ask(crowd, slot, tick);
    for (uint32_t i = 0; i < question->count; i++) {
        const uint32_t index = question->characters[i].index - 1;
        question->answers[i] = (CrowdAnswer){crowd->cpu.states[index], crowd->cpu.colds[index]};
    }
}

bool sknRecordAnswers(VkskinContext context, VkCommandBuffer commandBuffer, Crowd *crowd, uint32_t slot,
                      uint32_t tick) {
    static const BarrierSide writes = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT};
    static const BarrierSide copies = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                       VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT};
    const Gpu *gpu = &context->gpu;
    const CrowdQuestion *question = ask(crowd, slot, tick);
    VkBufferCopy *states = crowd->queries.copies;
    VkBufferCopy *colds = states + question->count;
    if (question->count == 0) {
        return false;
    }
    for (uint32_t i = 0; i < question->count; i++) {
        const VkDeviceSize index = question->characters[i].index - 1;
        const VkDeviceSize to = sknAnswersAt(crowd) + i * sizeof(CrowdAnswer);
        states[i] = (VkBufferCopy){index * sizeof(LayoutCrowdState), to, sizeof(LayoutCrowdState)};
        colds[i] =
            (VkBufferCopy){index * sizeof(LayoutCrowdCold), to + offsetof(CrowdAnswer, cold), sizeof(LayoutCrowdCold)};
    }
    VkBuffer target = crowd->inputs[slot].buffer.handle;
    sknRecordBarrier(gpu, commandBuffer, writes, copies);
    gpu->vk.vkCmdCopyBuffer(commandBuffer, crowd->states.handle, target, question->count, states);
    gpu->vk.vkCmdCopyBuffer(commandBuffer, crowd->colds.handle, target, question->count, colds);
    return true;
}

/* Answers that cannot be read stay those of an earlier frame. */
void sknReadAnswers(VkskinContext context, Crowd *crowd, uint32_t slot, uint64_t frame) {
    CrowdQueries *queries = &crowd->queries;
    const CrowdQuestion *question = &queries->slots[slot];
    const size_t bytes = question->count * sizeof(CrowdAnswer);
    const void *answers = question->answers;
    if (!sknOnCpu(context) && bytes > 0) {
        const Buffer *input = &crowd->inputs[slot].buffer;
        if (sknInvalidateBuffer(&context->gpu, input, sknAnswersAt(crowd), bytes) < 0) {
            return;
        }
        answers = (const unsigned char *)input->memory.mapped + sknAnswersAt(crowd);
    }
    queries->frame = frame;
    queries->finished.count = question->count;
    queries->finished.tick = question->tick;
    if (bytes > 0) {
        memcpy(queries->finished.characters, question->characters, question->count * sizeof *question->characters);
        memcpy(queries->finished.answers, answers, bytes);
    }
}

/* ---- Asking ---- */

static VkskinResult checkAsked(VkskinContext context, const char *call, const Crowd *crowd,
                               const VkskinCharacter *characters, uint32_t count) {
    VkskinResult result = VKSKIN_SUCCESS;
    if (count > crowd->queries.most) {
        return sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: count is %u, not in 0 to %u (maxQueries of crowd %s)", call, count, crowd->queries.most,
                         crowd->name);
    }
    for (uint32_t i = 0; i < count && result >= 0; i++) {
        result = sknCheckCharacter(context, call, crowd, characters, i);
    }
    return result;
}

VkskinResult vkskinQueryCharacters(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                   uint32_t count) {
    static const char call[] = "vkskinQueryCharacters";
    static const VkskinCharacter none;
    Crowd *found = NULL;
    VkskinResult result = sknEnterCrowd(context, call, crowd, "characters", count > 0 ? characters : &none, &found);
    if (result < 0) {
        return result;
    }
    result = checkAsked(context, call, found, characters, count);
    if (result >= 0) {
        found->queries.next.count = count;
        memmove(found->queries.next.characters, count > 0 ? characters : &none, count * sizeof none);
    }
    return sknLeave(context, result);
}

/* ---- Answers ---- */

_Static_assert(sizeof(VkskinAffine) == offsetof(LayoutCrowdState, clips), "the transform comes first");

static VkskinCharacterState stateOf(const CrowdQueries *queries, uint32_t index) {
    const CrowdAnswer *answer = &queries->finished.answers[index];
    VkskinCharacterState state = {
        .character = queries->finished.characters[index],
        .frame = queries->frame,
        .tick = queries->finished.tick,
        .parts = answer->cold.parts,
        .model = answer->state.flags & CROWD_MODEL_MASK,
        .variation = answer->cold.variation,
        .hidden = (answer->state.flags & CROWD_HIDDEN) != 0,
    };
    state.exists = (answer->state.flags & CROWD_EXISTS) != 0 && answer->cold.generation == state.character.generation;
    memcpy(&state.transform, &answer->state, sizeof state.transform);
    memcpy(state.play, &answer->state.clips, sizeof state.play);
    return state;
}

static VkskinResult getStates(VkskinContext context, const Crowd *crowd, VkskinCharacterState *states,
                              uint32_t *count) {
    const uint32_t all = crowd->queries.finished.count;
    const uint32_t room = *count;
    *count = states == NULL || room > all ? all : room;
    for (uint32_t i = 0; states != NULL && i < *count; i++) {
        states[i] = stateOf(&crowd->queries, i);
    }
    if (*count < all) {
        return sknReport(&context->gpu.logger, VKSKIN_WARNING_INCOMPLETE,
                         "vkskinGetCharacterStates: room for %u of %u states", *count, all);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetCharacterStates(VkskinContext context, VkskinCrowd crowd, VkskinCharacterState *states,
                                      uint32_t *count) {
    Crowd *found = NULL;
    VkskinResult result = sknEnterCrowd(context, "vkskinGetCharacterStates", crowd, "count", count, &found);
    return result < 0 ? result : sknLeave(context, getStates(context, found, states, count));
}

/* ---- Poses ---- */

_Static_assert(sizeof(((VkskinCharacterState *)0)->play) == sizeof(CrowdAnswer) - sizeof(VkskinAffine),
               "all but the transform");

static LayoutCrowdPose poseAt(const VkskinCharacterState *state, uint32_t tick, uint32_t clipCount) {
    CrowdAnswer answer = {{0}, {0}};
    memcpy(&answer.state.clips, state->play, sizeof state->play);
    (void)crowdAdvance(&answer.state, &answer.cold, tick);
    return crowdPoseOf(&answer.state, &answer.cold, clipCount, tick);
}

/* Level 0 of a model. */
static uint32_t finestGroup(const Crowd *crowd, uint32_t model) {
    return sknCrowdModel(crowd->plan.tables, model)->firstGroup;
}

static uint32_t morphTargets(const Crowd *crowd, uint32_t model) {
    const CrowdGroupData *group = &crowd->groups[finestGroup(crowd, model)];
    uint32_t count = 0;
    for (uint32_t p = 0; p < group->partCount; p++) {
        count += group->morphs[p].count;
    }
    return count;
}

static VkskinResult checkPose(VkskinContext context, const char *call, const Crowd *crowd,
                              const VkskinCharacterState *state, const VkskinCharacterPose *pose) {
    const VkskinLogger *logger = &context->gpu.logger;
    VkskinResult result = sknNeedArgument(context, call, "pose", pose);
    if (result >= 0) {
        result = sknNeedArgument(context, call, "pose->nodes", pose->nodes);
    }
    if (result < 0) {
        return result;
    }
    if (!state->exists) {
        return sknReport(logger, VKSKIN_ERROR_STALE_HANDLE, "%s: character (%u, %u) did not exist in frame %llu", call,
                         state->character.index, state->character.generation, (unsigned long long)state->frame);
    }
    if (state->model >= crowd->modelCount) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "%s: model is %u, crowd %s has %u", call, state->model,
                         crowd->name, crowd->modelCount);
    }
    const uint32_t targets = morphTargets(crowd, state->model);
    if (pose->morphWeights != NULL && pose->morphWeightCount < targets) {
        return sknReport(logger, VKSKIN_ERROR_INVALID_VALUE, "%s: room for %u morph weights, model %u has %u", call,
                         pose->morphWeightCount, state->model, targets);
    }
    return VKSKIN_SUCCESS;
}

static double secondsAt(const ClipSetData *clips, uint32_t clip, uint32_t phase) {
    return (double)clips->durations[clip] * phase / 4294967296.0;
}

static void writePose(const Crowd *crowd, const ClipSetData *clips, uint32_t model, const LayoutCrowdPose *at,
                      VkskinCharacterPose *pose) {
    const uint32_t *tables = crowd->plan.tables;
    const uint32_t group = finestGroup(crowd, model), morphs = sknCrowdGroup(tables, group)->morphsAt;
    pose->clip = at->clips & 0xffff;
    pose->time = secondsAt(clips, pose->clip, at->phaseA);
    memcpy(&pose->weight, &at->weight, sizeof pose->weight);
    pose->nextClip = pose->weight > 0.0f ? at->clips >> 16 : pose->clip;
    pose->nextTime = pose->weight > 0.0f ? secondsAt(clips, pose->nextClip, at->phaseB) : pose->time;
    sknPoseCrowdNodes(clips, at, pose->pose, pose->nodes);
    if (pose->morphWeights != NULL) {
        memset(pose->morphWeights, 0, morphTargets(crowd, model) * sizeof *pose->morphWeights);
    }
    if (pose->morphWeights != NULL && morphs != 0) {
        sknCrowdMorphWeights(tables, (const LayoutCrowdMorphs *)(tables + morphs), crowd->groups[group].morphs, at,
                             pose->morphWeights);
    }
}

VkskinResult vkskinPoseCharacter(VkskinContext context, VkskinCrowd crowd, const VkskinCharacterState *state,
                                 uint32_t tick, VkskinCharacterPose *pose) {
    static const char call[] = "vkskinPoseCharacter";
    Crowd *found = NULL;
    VkskinResult result = sknEnterCrowd(context, call, crowd, "state", state, &found);
    if (result < 0) {
        return result;
    }
    result = checkPose(context, call, found, state, pose);
    if (result >= 0) {
        const ClipSetData *clips = &sknClipSet(context, found->clipSet)->data;
        const LayoutCrowdPose at = poseAt(state, tick, clips->clipCount);
        writePose(found, clips, state->model, &at, pose);
    }
    return sknLeave(context, result);
}

/* ---- Boxes ---- */

VkskinResult vkskinGetCrowdBox(VkskinContext context, VkskinCrowd crowd, uint32_t model, uint32_t clip,
                               VkskinAnimationBox *box, float *margin) {
    static const char call[] = "vkskinGetCrowdBox";
    Crowd *found = NULL;
    VkskinResult result = sknEnterCrowd(context, call, crowd, "box", box, &found);
    if (result < 0) {
        return result;
    }
    const uint32_t *tables = found->plan.tables;
    const uint32_t clips = sknCrowdHead(tables)->clipCount;
    if (model >= found->modelCount || clip >= clips) {
        return sknLeave(context,
                        sknReport(&context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: model %u of %u, clip %u of %u",
                                  call, model, found->modelCount, clip, clips));
    }
    float bounds[CROWD_BOUNDS_WORDS]; /* centre, margin, extent: see LayoutCrowdBounds */
    memcpy(bounds, tables + sknCrowdModel(tables, model)->boundsAt + (size_t)clip * CROWD_BOUNDS_WORDS, sizeof bounds);
    for (int axis = 0; axis < 3; axis++) {
        box->low[axis] = bounds[axis] - bounds[4 + axis];
        box->high[axis] = bounds[axis] + bounds[4 + axis];
    }
    if (margin != NULL) {
        *margin = bounds[3];
    }
    return sknLeave(context, VKSKIN_SUCCESS);
}
