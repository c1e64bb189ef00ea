#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "cookie.h"
#include "crowd.h"
#include "crowd_def.h"
#include "crowd/crowd_rules.h"

#define MAX_SPEED    1000.0f
#define MAX_FADE     3600.0f
#define PHASE_OF_ONE 4294967296.0 /* 2^32 */

VkskinCrowdPlay vkskinDefaultCrowdPlay(void) {
    return (VkskinCrowdPlay){.cookie = VKSKIN_COOKIE_CROWD_PLAY, .speed = 1.0f};
}

VkskinCharacterDef vkskinDefaultCharacterDef(void) {
    return (VkskinCharacterDef){
        .cookie = VKSKIN_COOKIE_CHARACTER,
        .transform = vkskinIdentityAffine(),
        .parts = UINT32_MAX,
        .play = vkskinDefaultCrowdPlay(),
    };
}

/* A call for characters of a crowd. */
typedef struct Call {
    VkskinContext context;
    const char *name;
    Crowd *crowd;
    const ClipSet *clips;
} Call;

static VkskinResult refuse(const Call *call, VkskinResult result, uint32_t element, const char *format, ...)
    VKSKIN_PRINTF(4, 5);

static VkskinResult refuse(const Call *call, VkskinResult result, uint32_t element, const char *format, ...) {
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return sknReport(&call->context->gpu.logger, result, "%s: element %u: %s", call->name, element, what);
}

/* Takes the lock and finds the crowd. After a failure the lock is free. */
static VkskinResult enter(VkskinContext context, const char *name, VkskinCrowd handle, Call *call) {
    VkskinResult result = sknEnter(context);
    if (result < 0) {
        return result;
    }
    *call = (Call){.context = context, .name = name};
    result = sknFindCrowd(context, name, handle, &call->crowd);
    if (result < 0) {
        return sknLeave(context, result);
    }
    call->clips = sknClipSet(context, call->crowd->clipSet);
    return VKSKIN_SUCCESS;
}

static const void *elementOf(const void *array, size_t stride, uint32_t index) {
    return (const unsigned char *)array + stride * index;
}

static VkskinResult checkStride(const Call *call, size_t stride, size_t least) {
    if (stride % 4 != 0 || (stride != 0 && stride < least)) {
        return sknReport(&call->context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE,
                         "%s: stride is %zu, not 0 or a multiple of 4 from %zu on", call->name, stride, least);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult reserve(const Call *call, uint32_t count) {
    if (!sknReserveChanges(&call->crowd->changes, count)) {
        return sknReport(&call->context->gpu.logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY,
                         "%s: no memory for changes of %u characters", call->name, count);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknCheckCharacter(VkskinContext context, const char *name, const Crowd *crowd,
                               const VkskinCharacter *characters, uint32_t i) {
    const Call call = {.context = context, .name = name};
    if (characters[i].index == 0) {
        return refuse(&call, VKSKIN_ERROR_NULL_HANDLE, i, "the character is null");
    }
    if (!sknHasCharacter(&crowd->changes, characters[i].index, characters[i].generation)) {
        return refuse(&call, VKSKIN_ERROR_STALE_HANDLE, i, "character (%u, %u) was removed, or it is not of crowd %s",
                      characters[i].index, characters[i].generation, crowd->name);
    }
    return VKSKIN_SUCCESS;
}

/* Checks the arrays of a call for existing characters, and makes room. */
static VkskinResult checkCharacters(const Call *call, const VkskinCharacter *characters, uint32_t count,
                                    const void *values, size_t stride, size_t valueSize) {
    if (count > 0 && (characters == NULL || values == NULL)) {
        return sknReport(&call->context->gpu.logger, VKSKIN_ERROR_NULL_ARGUMENT, "%s: %s is null", call->name,
                         characters == NULL ? "characters" : "the array of values");
    }
    VkskinResult result = checkStride(call, stride, valueSize);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        result = sknCheckCharacter(call->context, call->name, call->crowd, characters, i);
    }
    return result < 0 ? result : reserve(call, count);
}

static LayoutCrowdChange *changeOf(const Call *call, VkskinCharacter character) {
    return sknChangeOf(&call->crowd->changes, character.index - 1);
}

/* ---- Values ---- */

static VkskinResult checkTransform(const Call *call, uint32_t i, const VkskinAffine *transform) {
    return sknAffineIsFinite(transform)
               ? VKSKIN_SUCCESS
               : refuse(call, VKSKIN_ERROR_TRANSFORM_NOT_FINITE, i, "the transform is not finite");
}

static VkskinResult checkCookie(const Call *call, uint32_t i, const void *def, uint32_t cookie, const char *maker) {
    return *(const uint32_t *)def == cookie
               ? VKSKIN_SUCCESS
               : refuse(call, VKSKIN_ERROR_DEF_NOT_INITIALISED, i, "it was not made by %s", maker);
}

static VkskinResult checkIndex(const Call *call, uint32_t i, const char *field, uint32_t value, const char *owner,
                               uint32_t count) {
    return value < count
               ? VKSKIN_SUCCESS
               : refuse(call, VKSKIN_ERROR_INVALID_VALUE, i, "%s is %u, the %s has %u", field, value, owner, count);
}

/* Also refuses NaN. */
static VkskinResult checkNumber(const Call *call, uint32_t i, const char *field, float value, float least, float most) {
    return value >= least && value <= most ? VKSKIN_SUCCESS
                                           : refuse(call, VKSKIN_ERROR_INVALID_VALUE, i, "%s is %g, not in %g to %g",
                                                    field, (double)value, (double)least, (double)most);
}

static VkskinResult checkPlay(const Call *call, uint32_t i, const VkskinCrowdPlay *play) {
    VkskinResult result = checkCookie(call, i, play, VKSKIN_COOKIE_CROWD_PLAY, "vkskinDefaultCrowdPlay");
    if (result >= 0) {
        result = checkIndex(call, i, "clip", play->clip, "clip set", call->clips->data.clipCount);
    }
    if (result >= 0) {
        result = checkNumber(call, i, "start", play->start, 0, 1);
    }
    if (result >= 0) {
        result = checkNumber(call, i, "speed", play->speed, -MAX_SPEED, MAX_SPEED);
    }
    return result < 0 ? result : checkNumber(call, i, "fade", play->fade, 0, MAX_FADE);
}

static uint32_t speedOf(float speed) {
    return (uint32_t)(int32_t)lrint((double)speed * CROWD_SPEED_ONE);
}

/* The rate of a clip at speed 1. A clip without duration stands still. */
static uint32_t unitOf(const Call *call, uint32_t clip) {
    const double ticks = (double)call->clips->data.durations[clip] * call->crowd->ticksPerSecond;
    const double rate = ticks > 0 ? PHASE_OF_ONE / ticks : 0;
    return rate < INT32_MAX ? (uint32_t)rint(rate) : INT32_MAX;
}

static CrowdPlay describePlay(const Call *call, const VkskinCrowdPlay *play) {
    const double phase = rint((double)play->start * PHASE_OF_ONE);
    return (CrowdPlay){
        .clip = play->clip | (play->once ? CROWD_PLAY_ONCE : 0u),
        /* the end of a clip that plays once is not its start */
        .phase = phase < PHASE_OF_ONE ? (uint32_t)phase
                 : play->once         ? UINT32_MAX
                                      : 0,
        .speed = speedOf(play->speed),
        .unit = unitOf(call, play->clip),
        .fade = (uint32_t)rint((double)play->fade * call->crowd->ticksPerSecond),
    };
}

#define TAKE_WORD(field) change->field = *word++;

static void place(LayoutCrowdChange *change, const VkskinAffine *transform) {
    uint32_t words[12];
    const uint32_t *word = words;
    memcpy(words, transform, sizeof words);
    CROWD_TRANSFORM_FIELDS(TAKE_WORD, transform);
    change->what |= CROWD_CHANGE_MOVE;
}

static void hide(LayoutCrowdChange *change, bool hidden) {
    change->what &= ~(CROWD_CHANGE_HIDE | CROWD_CHANGE_SHOW);
    change->what |= hidden ? CROWD_CHANGE_HIDE : CROWD_CHANGE_SHOW;
}

static void vary(LayoutCrowdChange *change, uint32_t variation) {
    change->variation = variation;
    change->what |= CROWD_CHANGE_VARIATION;
}

static void prioritise(LayoutCrowdChange *change, bool priority) {
    change->what &= ~(CROWD_CHANGE_PRIORITY | CROWD_CHANGE_NO_PRIORITY);
    change->what |= priority ? CROWD_CHANGE_PRIORITY : CROWD_CHANGE_NO_PRIORITY;
}

static void chooseParts(LayoutCrowdChange *change, uint32_t parts) {
    change->parts = parts;
    change->what |= CROWD_CHANGE_PARTS;
}

/* ---- Adding and removing ---- */

static VkskinResult checkDefs(const Call *call, const VkskinCharacterDef *defs, size_t stride, uint32_t count) {
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        const VkskinCharacterDef *def = elementOf(defs, stride, i);
        result = checkCookie(call, i, def, VKSKIN_COOKIE_CHARACTER, "vkskinDefaultCharacterDef");
        if (result >= 0) {
            result = checkTransform(call, i, &def->transform);
        }
        if (result >= 0) {
            result = checkIndex(call, i, "model", def->model, "crowd", call->crowd->modelCount);
        }
        if (result >= 0) {
            VkskinCrowdPlay play = def->play;
            play.fade = 0;
            result = checkPlay(call, i, &play);
        }
    }
    return result;
}

static void addCharacter(const Call *call, const VkskinCharacterDef *def, VkskinCharacter *character) {
    CrowdChanges *changes = &call->crowd->changes;
    const uint32_t index = sknTakeCharacter(changes);
    CrowdPlay play = describePlay(call, &def->play);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): checked above, in another file */
    *character = (VkskinCharacter){index + 1, changes->generations[index]};
    LayoutCrowdChange *change = sknChangeOf(changes, index);
    *change = (LayoutCrowdChange){
        .character = index, .what = CROWD_CHANGE_ADD, .model = def->model, .generation = character->generation};
    play.fade = 0;
    place(change, &def->transform);
    hide(change, def->hidden);
    vary(change, def->variation);
    chooseParts(change, def->parts);
    prioritise(change, def->priority);
    sknStagePlay(change, &play);
}

static VkskinResult addCharacters(const Call *call, const VkskinCharacterDef *defs, size_t stride, uint32_t count,
                                  VkskinCharacter *characters) {
    const CrowdChanges *changes = &call->crowd->changes;
    VkskinResult result = checkStride(call, stride, sizeof *defs);
    if (result >= 0 && count > 0 && (defs == NULL || characters == NULL)) {
        result = sknReport(&call->context->gpu.logger, VKSKIN_ERROR_NULL_ARGUMENT, "%s: %s is null", call->name,
                           defs == NULL ? "defs" : "characters");
    }
    if (result >= 0 && count > changes->freeCount) {
        result = sknReport(&call->context->gpu.logger, VKSKIN_ERROR_CROWD_FULL,
                           "%s: %u characters, %u places of crowd %s are free (capacity is %u)", call->name, count,
                           changes->freeCount, call->crowd->name, changes->capacity);
    }
    if (result >= 0) {
        result = checkDefs(call, defs, stride, count);
    }
    if (result >= 0) {
        result = reserve(call, count);
    }
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        addCharacter(call, elementOf(defs, stride, i), &characters[i]);
    }
    return result;
}

VkskinResult vkskinAddCharacters(VkskinContext context, VkskinCrowd crowd, const VkskinCharacterDef *defs,
                                 size_t stride, uint32_t count, VkskinCharacter *characters) {
    Call call;
    VkskinResult result = enter(context, "vkskinAddCharacters", crowd, &call);
    return result < 0 ? result : sknLeave(context, addCharacters(&call, defs, stride, count, characters));
}

/* Makes handles stale one by one, and takes that back if one is refused. */
static VkskinResult dropHandles(const Call *call, const VkskinCharacter *characters, uint32_t count) {
    CrowdChanges *changes = &call->crowd->changes;
    for (uint32_t i = 0; i < count; i++) {
        VkskinResult result = sknCheckCharacter(call->context, call->name, call->crowd, characters, i);
        if (result < 0) {
            while (i-- > 0) {
                changes->generations[characters[i].index - 1]--;
                changes->alive++;
            }
            return result;
        }
        sknDropCharacter(changes, characters[i].index - 1);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult removeCharacters(const Call *call, const VkskinCharacter *characters, uint32_t count) {
    VkskinResult result =
        count == 0 ? VKSKIN_SUCCESS : sknNeedArgument(call->context, call->name, "characters", characters);
    if (result >= 0) {
        result = reserve(call, count);
    }
    if (result >= 0) {
        result = dropHandles(call, characters, count);
    }
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        LayoutCrowdChange *change = changeOf(call, characters[i]);
        *change = (LayoutCrowdChange){.character = characters[i].index - 1, .what = CROWD_CHANGE_REMOVE};
    }
    return result;
}

VkskinResult vkskinRemoveCharacters(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                    uint32_t count) {
    Call call;
    VkskinResult result = enter(context, "vkskinRemoveCharacters", crowd, &call);
    return result < 0 ? result : sknLeave(context, removeCharacters(&call, characters, count));
}

/* ---- Changing ---- */

static VkskinResult moveCharacters(const Call *call, const VkskinCharacter *characters, uint32_t count,
                                   const VkskinAffine *transforms, size_t stride, VkskinCrowdMove move) {
    VkskinResult result = checkCharacters(call, characters, count, transforms, stride, sizeof *transforms);
    if (result >= 0 && (uint32_t)move > VKSKIN_CROWD_TELEPORT) {
        result = sknReport(&call->context->gpu.logger, VKSKIN_ERROR_INVALID_VALUE, "%s: unknown move %u", call->name,
                           (unsigned)move);
    }
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        result = checkTransform(call, i, elementOf(transforms, stride, i));
    }
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        LayoutCrowdChange *change = changeOf(call, characters[i]);
        place(change, elementOf(transforms, stride, i));
        change->what |= move == VKSKIN_CROWD_TELEPORT ? CROWD_CHANGE_TELEPORT : 0u;
    }
    return result;
}

VkskinResult vkskinMoveCharacters(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                  uint32_t count, const VkskinAffine *transforms, size_t stride, VkskinCrowdMove move) {
    Call call;
    VkskinResult result = enter(context, "vkskinMoveCharacters", crowd, &call);
    return result < 0 ? result : sknLeave(context, moveCharacters(&call, characters, count, transforms, stride, move));
}

static VkskinResult playCharacters(const Call *call, const VkskinCharacter *characters, uint32_t count,
                                   const VkskinCrowdPlay *plays, size_t stride) {
    VkskinResult result = checkCharacters(call, characters, count, plays, stride, sizeof *plays);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        result = checkPlay(call, i, elementOf(plays, stride, i));
    }
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        const CrowdPlay play = describePlay(call, elementOf(plays, stride, i));
        sknStagePlay(changeOf(call, characters[i]), &play);
    }
    return result;
}

VkskinResult vkskinPlayCharacters(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                  uint32_t count, const VkskinCrowdPlay *plays, size_t stride) {
    Call call;
    VkskinResult result = enter(context, "vkskinPlayCharacters", crowd, &call);
    return result < 0 ? result : sknLeave(context, playCharacters(&call, characters, count, plays, stride));
}

static VkskinResult setSpeeds(const Call *call, const VkskinCharacter *characters, uint32_t count, const float *speeds,
                              size_t stride) {
    VkskinResult result = checkCharacters(call, characters, count, speeds, stride, sizeof *speeds);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        const float *speed = elementOf(speeds, stride, i);
        result = checkNumber(call, i, "speed", *speed, -MAX_SPEED, MAX_SPEED);
    }
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        const float *speed = elementOf(speeds, stride, i);
        sknStageSpeed(changeOf(call, characters[i]), speedOf(*speed));
    }
    return result;
}

VkskinResult vkskinSetCharacterSpeeds(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                      uint32_t count, const float *speeds, size_t stride) {
    Call call;
    VkskinResult result = enter(context, "vkskinSetCharacterSpeeds", crowd, &call);
    return result < 0 ? result : sknLeave(context, setSpeeds(&call, characters, count, speeds, stride));
}

/* A call that sets one bit of all characters. */
static VkskinResult setBits(VkskinContext context, const char *name, VkskinCrowd crowd,
                            const VkskinCharacter *characters, uint32_t count,
                            void (*set)(LayoutCrowdChange *change, bool value), bool value) {
    Call call;
    VkskinResult result = enter(context, name, crowd, &call);
    if (result < 0) {
        return result;
    }
    result = checkCharacters(&call, characters, count, characters, 0, 0);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        set(changeOf(&call, characters[i]), value);
    }
    return sknLeave(context, result);
}

VkskinResult vkskinHideCharacters(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                  uint32_t count, bool hidden) {
    return setBits(context, "vkskinHideCharacters", crowd, characters, count, hide, hidden);
}

VkskinResult vkskinPrioritiseCharacters(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                        uint32_t count, bool priority) {
    return setBits(context, "vkskinPrioritiseCharacters", crowd, characters, count, prioritise, priority);
}

/* A call that sets one word of each character. */
static VkskinResult setWords(VkskinContext context, const char *name, VkskinCrowd crowd,
                             const VkskinCharacter *characters, uint32_t count, const uint32_t *words, size_t stride,
                             void (*set)(LayoutCrowdChange *change, uint32_t word)) {
    Call call;
    VkskinResult result = enter(context, name, crowd, &call);
    if (result < 0) {
        return result;
    }
    result = checkCharacters(&call, characters, count, words, stride, sizeof *words);
    for (uint32_t i = 0; result >= 0 && i < count; i++) {
        const uint32_t *word = elementOf(words, stride, i);
        set(changeOf(&call, characters[i]), *word);
    }
    return sknLeave(context, result);
}

VkskinResult vkskinSetCharacterVariations(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                          uint32_t count, const uint32_t *variations, size_t stride) {
    return setWords(context, "vkskinSetCharacterVariations", crowd, characters, count, variations, stride, vary);
}

VkskinResult vkskinSetCharacterParts(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *characters,
                                     uint32_t count, const uint32_t *parts, size_t stride) {
    return setWords(context, "vkskinSetCharacterParts", crowd, characters, count, parts, stride, chooseParts);
}

static VkskinResult destroyCrowd(VkskinContext context, VkskinCrowd handle) {
    Crowd *crowd = NULL;
    VkskinResult result = sknFindCrowd(context, "vkskinDestroyCrowd", handle, &crowd);
    if (result < 0) {
        return result;
    }
    const uint32_t index = handle.index - 1;
    sknHandleRetire(&context->crowds, index);
    FrameSlot *slot = &context->slots[context->preparing->slot];
    HandleHeader *header = sknHandleItem(&context->crowds, index);
    header->next = slot->retiredCrowds;
    slot->retiredCrowds = index;
    sknReleaseCrowdObjects(context, crowd);
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinDestroyCrowd(VkskinContext context, VkskinCrowd crowd) {
    VkskinResult result = sknEnter(context);
    return result < 0 ? result : sknLeave(context, destroyCrowd(context, crowd));
}

/* ---- Draws ---- */

VkskinCrowdDraw sknDescribeCrowdDraw(VkskinContext context, const Crowd *crowd, uint32_t index) {
    const uint32_t *tables = crowd->plan.tables;
    const LayoutCrowdDraw *draw = sknCrowdDraw(tables, index);
    const LayoutCrowdPool *pool = sknCrowdPool(tables, draw->pool);
    const LayoutCrowdGroup *place = sknCrowdGroup(tables, pool->group);
    const uint32_t part = draw->part;
    const Mesh *mesh = sknMesh(context, crowd->groups[pool->group].meshes[part].mesh);
    const LayoutCrowdPart *words = sknCrowdPart(tables, pool, part);
    return (VkskinCrowdDraw){
        .view = draw->view,
        .model = place->model,
        .level = place->level,
        .part = part,
        .vertices = crowd->pools[draw->pool].output.handle,
        .verticesSize = crowd->pools[draw->pool].output.size,
        .verticesAddress = crowd->pools[draw->pool].output.address,
        .palettes = crowd->pools[draw->pool].palettes.handle,
        .palettesSize = crowd->plan.pools[draw->pool].paletteBytes,
        .palettesAddress = crowd->pools[draw->pool].palettes.address,
        .paletteStride = pool->paletteUnits * 16,
        .argumentsOffset = (VkDeviceSize)draw->arguments * 4,
        .constants =
            {
                .list = words->lists + draw->view * pool->slots,
                .slots = pool->records,
                .vertices = words->place,
                .slotWords = pool->outputWords,
                .copyWords = pool->copyWords,
                .attributes = mesh->info.hasNormals ? (uint32_t)(mesh->info.streamOffsets[1] / 4) : 0,
                .format = (uint32_t)mesh->info.format | (mesh->info.hasNormals ? 16u : 0u) |
                          (mesh->info.hasTangents ? 32u : 0u),
                .vertexOffset = (int32_t)draw->vertexOffset,
            },
    };
}

static VkskinResult getDraws(VkskinContext context, const Crowd *crowd, VkskinCrowdDraw *draws, uint32_t *count) {
    const uint32_t all = sknCrowdHead(crowd->plan.tables)->drawCount;
    const uint32_t room = *count;
    *count = draws == NULL || room > all ? all : room;
    for (uint32_t i = 0; draws != NULL && i < *count; i++) {
        draws[i] = sknDescribeCrowdDraw(context, crowd, i);
    }
    if (*count < all) {
        return sknReport(&context->gpu.logger, VKSKIN_WARNING_INCOMPLETE,
                         "vkskinGetCrowdDraws: room for %u of %u draws", *count, all);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult vkskinGetCrowdDraws(VkskinContext context, VkskinCrowd crowd, VkskinCrowdDraw *draws, uint32_t *count) {
    Crowd *found = NULL;
    VkskinResult result = sknEnterCrowd(context, "vkskinGetCrowdDraws", crowd, "count", count, &found);
    return result < 0 ? result : sknLeave(context, getDraws(context, found, draws, count));
}

/* ---- Buffers ---- */

VkskinResult vkskinGetCrowdBuffers(VkskinContext context, VkskinCrowd crowd, VkskinCrowdBuffers *buffers) {
    Crowd *found = NULL;
    VkskinResult result = sknEnterCrowd(context, "vkskinGetCrowdBuffers", crowd, "buffers", buffers, &found);
    if (result < 0) {
        return result;
    }
    const VkDeviceSize offset = found->frameStride * context->recording->slot;
    *buffers = (VkskinCrowdBuffers){
        .frame = found->frame.handle,
        .frameOffset = offset,
        .frameAddress = found->frame.address != 0 ? found->frame.address + offset : 0,
        .frameSize = found->plan.frameWords * 4,
        .states = found->states.handle,
        .statesSize = found->states.size,
        .statesAddress = found->states.address,
        .constants = found->constants.handle,
        .constantsSize = found->constants.size,
        .constantsAddress = found->constants.address,
    };
    return sknLeave(context, VKSKIN_SUCCESS);
}

VkskinResult vkskinGetCrowdStats(VkskinContext context, VkskinCrowd crowd, VkskinCrowdStats *stats) {
    Crowd *found = NULL;
    VkskinResult result = sknEnterCrowd(context, "vkskinGetCrowdStats", crowd, "stats", stats, &found);
    if (result < 0) {
        return result;
    }
    *stats = found->stats;
    return sknLeave(context, VKSKIN_SUCCESS);
}
