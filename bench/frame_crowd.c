/* frame_crowd.c: frames of a crowd of vkskin_crowd.h. */
#include "frame_crowd.h"

#include <stdlib.h>

#include "crowd_check.h"
#include "measure.h"

#define CHECKED 12u /* characters of each draw */

/* Words of vkskin_crowd.glsl. */
#define RECORD_WORDS     28u
#define RECORD_VARIATION 24u /* index in the scene */
#define RECORD_COPIES    26u

/* ---- Making ---- */

/* An interval of a frame's detail. */
static uint32_t intervalOf(const FrameState *state, uint32_t level) {
    static const uint32_t rates[FRAME_MESHES] = {1, 1, 2, 4};
    const FrameDetail detail = state->def != NULL ? state->def->detail : FRAME_FULL;
    return detail == FRAME_QUARTER ? 4 : detail == FRAME_RATES ? rates[level] : 1;
}

static void describeLevels(const FrameState *state, VkskinCrowdPart parts[FRAME_MESHES],
                           VkskinCrowdLevel levels[FRAME_MESHES]) {
    for (uint32_t i = 0; i < state->scene.levels; i++) {
        parts[i] = vkskinDefaultCrowdPart();
        parts[i].mesh = state->meshes[i];
        parts[i].indexCount = state->scene.meshes[i].mesh.indexCount;
        parts[i].mask = state->def != NULL && state->def->detail == FRAME_MASKS ? 1 : 0;
        levels[i] = vkskinDefaultCrowdLevel();
        levels[i].skin = state->scene.objects.skins[0];
        levels[i].parts = &parts[i];
        levels[i].partCount = 1;
        levels[i].slots = state->rooms[i];
        levels[i].error = frameSceneDistance(i); /* one pixel at this distance */
        levels[i].interval = intervalOf(state, i);
    }
}

VkskinResult frameCrowdMake(FrameState *state) {
    VkskinCrowdPart parts[FRAME_MESHES];
    VkskinCrowdLevel levels[FRAME_MESHES] = {vkskinDefaultCrowdLevel()};
    VkskinCrowdModel model = vkskinDefaultCrowdModel();
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    describeLevels(state, parts, levels);
    model.skin = levels[0].skin;
    model.parts = levels[0].parts;
    model.partCount = 1;
    model.slots = levels[0].slots;
    model.interval = levels[0].interval;
    model.levels = levels + 1;
    model.levelCount = state->scene.levels - 1;
    model.boxes = state->scene.boxes;
    def.models = &model;
    def.modelCount = 1;
    def.capacity = state->scene.count;
    def.maxChanges = state->scene.count;
    VkskinResult result =
        vkskinCreateClipSet(state->context, state->scene.animation, state->scene.animationSize, &state->crowd.clips);
    def.clipSet = state->crowd.clips;
    return result < 0 ? result : vkskinCreateCrowd(state->context, &def, &state->crowd.crowd, NULL);
}

static bool addCharacters(FrameState *state, EngineError *error) {
    const uint32_t count = state->scene.count;
    VkskinCharacterDef *defs = engineAllocate(count, sizeof *defs, error);
    VkskinCharacter *characters = engineAllocate(count, sizeof *characters, error);
    bool good = defs && characters;
    for (uint32_t i = 0; good && i < count; i++) {
        const FrameCharacter *own = &state->scene.characters[i];
        defs[i] = vkskinDefaultCharacterDef();
        defs[i].transform = own->place;
        defs[i].variation = i;
        defs[i].play.clip = own->clip;
        defs[i].play.start = own->start;
    }
    good = good &&
           frameIsGood(state,
                       vkskinAddCharacters(state->context, state->crowd.crowd, defs, sizeof *defs, count, characters),
                       error);
    free(characters);
    free(defs);
    return good;
}

static bool listDraws(FrameState *state, EngineError *error) {
    FrameCrowd *own = &state->crowd;
    VkskinResult result = vkskinGetCrowdDraws(state->context, own->crowd, NULL, &own->drawCount);
    if (!frameIsGood(state, result, error)) {
        return false;
    }
    own->draws = engineAllocate(own->drawCount, sizeof *own->draws, error);
    if (!own->draws) {
        return false;
    }
    result = vkskinGetCrowdDraws(state->context, own->crowd, own->draws, &own->drawCount);
    if (result >= 0) {
        result = vkskinGetCrowdBuffers(state->context, own->crowd, &own->buffers);
    }
    return frameIsGood(state, result, error) &&
           bufferCreateReadback(state->device, own->buffers.frameSize, "lists", &own->lists, error);
}

bool frameCrowdCreate(FrameState *state, EngineError *error) {
    return frameIsGood(state, frameCrowdMake(state), error) && addCharacters(state, error) && listDraws(state, error);
}

void frameCrowdDestroy(FrameState *state) {
    free(state->crowd.draws);
    if (state->device) {
        bufferDestroy(state->device, &state->crowd.lists);
    }
}

/* ---- Running ---- */

bool frameCrowdRun(FrameState *state, RunTime *time, EngineError *error) {
    const VkskinCrowdView view = frameSceneView(&state->scene, state->frame);
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    VkCommandBuffer commands = deviceClockBegin(state->clock, error);
    if (!commands) {
        return false;
    }
    frame.tick = FRAME_TICKS * state->frame;
    frame.viewCount = 1;
    frame.views = &view;
    VkskinResult result = vkskinBeginFrame(state->context, 0);
    const double begun = measureNow();
    if (result >= 0) {
        result = vkskinRecordCrowd(state->context, commands, state->crowd.crowd, &frame);
    }
    time->host = measureNow() - begun;
    return frameIsGood(state, result, error) && deviceClockEnd(state->clock, NULL, error);
}

bool frameCrowdPoison(FrameState *state, EngineError *error) {
    const FrameCrowd *own = &state->crowd;
    bool good = true;
    for (uint32_t i = 0; good && i < own->drawCount; i++) {
        good = own->draws[i].view != 0 || deviceClockFill(state->clock, own->draws[i].vertices, CROWD_POISON, error);
    }
    return good;
}

/* ---- Checking ---- */

static bool checkDraw(FrameState *state, const VkskinCrowdDraw *draw, EngineError *error) {
    const uint32_t *words = state->crowd.lists.mapped;
    const VkskinCrowdConstants *constants = &draw->constants;
    const uint32_t drawn = words[draw->argumentsOffset / 4 + 1];
    const uint32_t looks = drawn < CHECKED ? drawn : CHECKED;
    bool good = true;
    for (uint32_t i = 0; good && i < looks; i++) {
        const uint32_t slot = words[constants->list + (uint32_t)((uint64_t)i * drawn / looks)];
        const uint32_t *record = words + constants->slots + (size_t)slot * RECORD_WORDS;
        const size_t place = constants->vertices + (size_t)slot * constants->slotWords +
                             (size_t)(record[RECORD_COPIES] & 0xffu) * constants->copyWords;
        const float *positions = frameRead(state, draw->level, draw->vertices, 4 * place, error);
        good = positions && record[RECORD_VARIATION] < state->scene.count &&
               frameSceneCheck(&state->scene, draw->level, record[RECORD_VARIATION], state->frame,
                               intervalOf(state, draw->level), positions, error);
    }
    state->skinned += drawn;
    return good;
}

/* The view that a host would have culled sees no fewer: its boxes are of all clips. */
static bool checkCount(const FrameState *state, EngineError *error) {
    const VkskinCrowdView view = frameSceneView(&state->scene, state->frame);
    uint32_t seen = 0;
    for (uint32_t i = 0; i < state->scene.count; i++) {
        seen += frameSceneSees(&state->scene, &view, i);
    }
    return (state->skinned <= seen + 2 && state->skinned + 4 >= (uint32_t)(0.9 * seen)) ||
           engineFail(error, "%u characters are listed, %u are visible", state->skinned, seen);
}

bool frameCrowdCheck(FrameState *state, EngineError *error) {
    FrameCrowd *own = &state->crowd;
    VkskinResult result = vkskinGetCrowdBuffers(state->context, own->crowd, &own->buffers);
    const VkBufferCopy region = {.srcOffset = own->buffers.frameOffset, .size = own->buffers.frameSize};
    bool good = frameIsGood(state, result, error) &&
                deviceClockRead(state->clock, own->buffers.frame, &region, 1, own->lists.handle, error);
    state->skinned = 0;
    for (uint32_t i = 0; good && i < own->drawCount; i++) {
        good = own->draws[i].view != 0 || checkDraw(state, &own->draws[i], error);
    }
    return good && checkCount(state, error);
}
