/*
 * frame_instances.c: frames as hosts make them without crowds: each character is an instance, which the host culls, poses
 * and submits. Posing is vkskinPoseBatch on all processors, straight into mapped palettes.
 */
#include "frame_instances.h"

#include <stdlib.h>

#include "crowd_check.h"
#include "measure.h"

#define CHECKED 24u /* characters */

/* ---- Making ---- */

static bool createPoser(FrameState *state, EngineError *error) {
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    def.animation = state->scene.animation;
    def.animationSize = state->scene.animationSize;
    def.skin = state->scene.objects.skins[0];
    def.slotCount = state->instances.room;
    return frameIsGood(state, vkskinCreatePoseBatch(&def, &state->instances.poser), error);
}

static bool createKernels(FrameState *state, EngineError *error) {
    VkskinPipelineDef def = vkskinDefaultPipelineDef();
    def.meshes = state->meshes;
    def.meshCount = state->scene.levels;
    return state->def->backend == VKSKIN_BACKEND_CPU ||
           frameIsGood(state, vkskinCreatePipelines(state->context, &def), error);
}

static bool createInstances(FrameState *state, EngineError *error) {
    FrameInstances *own = &state->instances;
    VkskinInstanceDef def = vkskinDefaultInstanceDef();
    VkskinResult result = VKSKIN_SUCCESS;
    VkskinInstance *instance = own->instances;
    for (uint32_t level = 0; level < state->scene.levels; level++) {
        def.mesh = state->meshes[level];
        for (uint32_t i = 0; result >= 0 && i < state->rooms[level]; i++) {
            result = vkskinCreateInstance(state->context, &def, instance++);
        }
    }
    return frameIsGood(state, result, error);
}

bool frameInstancesCreate(FrameState *state, EngineError *error) {
    FrameInstances *own = &state->instances;
    own->room = state->slots;
    own->instances = engineAllocate((size_t)own->room * FRAME_MESHES, sizeof *own->instances, error);
    own->commands = engineAllocate(own->room, sizeof *own->commands, error);
    own->palettes = engineAllocate(own->room, sizeof *own->palettes, error);
    own->places = engineAllocate(own->room, sizeof *own->places, error);
    own->posed = engineAllocate(own->room, sizeof *own->posed, error);
    own->visible = engineAllocate(state->scene.count, sizeof *own->visible, error);
    return own->instances && own->commands && own->palettes && own->places && own->posed && own->visible &&
           createPoser(state, error) && createKernels(state, error) && createInstances(state, error);
}

void frameInstancesDestroy(FrameState *state) {
    FrameInstances *own = &state->instances;
    vkskinDestroyPoseBatch(own->poser);
    free(own->visible);
    free(own->posed);
    free(own->places);
    free(own->palettes);
    free(own->commands);
    free(own->instances);
}

/* ---- Running ---- */

static uint32_t cull(FrameState *state) {
    const VkskinCrowdView view = frameSceneView(&state->scene, state->frame);
    const bool all = state->def->work == FRAME_ALL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < state->scene.count; i++) {
        if (all || frameSceneSees(&state->scene, &view, i)) {
            state->instances.visible[count++] = i;
        }
    }
    return count;
}

/* Takes an instance of the mesh that each character has. */
static bool takeInstances(FrameState *state, EngineError *error) {
    FrameInstances *own = &state->instances;
    uint32_t taken[FRAME_MESHES] = {0};
    for (uint32_t i = 0; i < own->used; i++) {
        const uint32_t level = frameSceneLevel(&state->scene, own->visible[own->first + i]);
        uint32_t instance = taken[level]++;
        if (instance >= state->rooms[level]) {
            return engineFail(error, "more than %u characters have level %u", state->rooms[level], level);
        }
        for (uint32_t finer = 0; finer < level; finer++) {
            instance += state->rooms[finer];
        }
        own->commands[i] =
            (VkskinSkinCommand){.instance = own->instances[instance], .method = VKSKIN_METHOD_LINEAR_BLEND};
    }
    return true;
}

static VkskinResult pose(FrameState *state) {
    FrameInstances *own = &state->instances;
    const VkskinCpuRun run = {.parallel = parallelRun, .parallelUser = &state->pool};
    VkskinResult result = vkskinAllocatePalettes(state->context, VKSKIN_PALETTE_MAT3X4, NULL, POSE_BONES, own->used,
                                                 own->palettes, own->places);
    for (uint32_t i = 0; result >= 0 && i < own->used; i++) {
        const uint32_t character = own->visible[own->first + i];
        own->commands[i].palette = own->palettes[i];
        own->posed[i] = (VkskinPoseBatchCharacter){.clip = state->scene.characters[character].clip,
                                                   .wrap = VKSKIN_WRAP_LOOP,
                                                   .time = frameSceneTime(&state->scene, character, state->frame),
                                                   .slot = i,
                                                   .palette = own->places[i]};
    }
    return result < 0 ? result
                      : vkskinPoseBatch(own->poser, own->posed, own->used, VKSKIN_PALETTE_MAT3X4, POSE_BONES, &run);
}

/* A frame of the library: as many characters as there are instances. */
static bool runBatch(FrameState *state, RunTime *time, EngineError *error) {
    FrameInstances *own = &state->instances;
    const double begun = measureNow();
    VkCommandBuffer commands = deviceClockBegin(state->clock, error);
    if (!commands) {
        return false;
    }
    VkskinResult result = vkskinBeginFrame(state->context, 0);
    if (!takeInstances(state, error)) {
        return false;
    }
    if (result >= 0) {
        result = pose(state);
    }
    if (result >= 0) {
        result = vkskinSkinInstances(state->context, own->commands, own->used, NULL);
    }
    if (result >= 0) {
        result = vkskinRecordSkinning(state->context, commands);
    }
    time->host += measureNow() - begun;
    return frameIsGood(state, result, error) && deviceClockEnd(state->clock, NULL, error);
}

bool frameInstancesRun(FrameState *state, RunTime *time, EngineError *error) {
    FrameInstances *own = &state->instances;
    const double begun = measureNow();
    state->skinned = cull(state);
    time->host = measureNow() - begun;
    if (state->def->work != FRAME_ALL && state->skinned > own->room) {
        return engineFail(error, "%u characters are visible, above %u", state->skinned, own->room);
    }
    bool good = true;
    for (own->first = 0; good && own->first < state->skinned; own->first += own->room) {
        const uint32_t left = state->skinned - own->first;
        own->used = left < own->room ? left : own->room;
        good = runBatch(state, time, error);
    }
    own->first -= own->room; /* index of the last batch */
    return good;
}

bool frameInstancesPoison(FrameState *state, EngineError *error) {
    bool good = true;
    for (uint32_t p = 0; good && p < vkskinGetOutputPageCount(state->context); p++) {
        VkskinOutputPage page;
        good = frameIsGood(state, vkskinGetOutputPage(state->context, p, &page), error) &&
               deviceClockFill(state->clock, page.buffer, CROWD_POISON, error);
    }
    return good;
}

/* Some characters of the last batch. */
bool frameInstancesCheck(FrameState *state, EngineError *error) {
    const FrameInstances *own = &state->instances;
    const uint32_t looks = own->used < CHECKED ? own->used : CHECKED;
    bool good = looks > 0 || engineFail(error, "no character is visible");
    for (uint32_t i = 0; good && i < looks; i++) {
        const uint32_t place = (uint32_t)((uint64_t)i * own->used / looks);
        const uint32_t character = own->visible[own->first + place];
        const uint32_t level = frameSceneLevel(&state->scene, character);
        VkskinOutput output;
        good = frameIsGood(state, vkskinGetOutput(state->context, own->commands[place].instance, &output), error);
        const float *positions = good ? frameRead(state, level, output.buffer, output.positionOffset, error) : NULL;
        good = positions && frameSceneCheck(&state->scene, level, character, state->frame, 1, positions, error);
    }
    return good;
}
