/*
 * crowd_hero.h: the character of crowd.c that the host follows. Its hand holds a sword. From frame SWAP_AT on it is an
 * instance of the host, in the same pose and at the same place, until frame SWAP_BACK. Both are drawn by the shader of the
 * crowd, from records that this host writes.
 */
#ifndef EXAMPLE_CROWD_HERO_H
#define EXAMPLE_CROWD_HERO_H

#include "crowd_check.h"
#include "crowd_clips.h"

#include <string.h>

enum { RECORD_WORDS = 32 }; /* a slot record of vkskin_crowd.glsl, then a list of one slot */

typedef struct Hero {
    VkskinContext context;
    VkskinCrowd crowd;
    VkskinCharacter character;
    VkskinInstance instance;
    uint32_t changedTick; /* tick of the last frame that changed it: older states do not know */
    HostBuffer records;   /* [HOST_IN_FLIGHT][2]: sword and body */
    HostBuffer sword;     /* positions */
    HostStorageSet swordSet, bodySet;
    VkskinOutput output;
    bool hasSword, hasBody; /* in this frame */
} Hero;

/* What a draw of the hero reads. */
typedef struct HeroDraw {
    VkskinCrowdConstants constants;
    VkDescriptorSet set;
} HeroDraw;

static HostStorageSet heroSet(const Host *host, const Hero *hero, VkBuffer vertices, VkBuffer colours) {
    const VkDescriptorBufferInfo ranges[3] = {
        {hero->records.buffer, 0, VK_WHOLE_SIZE}, {vertices, 0, VK_WHOLE_SIZE}, {colours, 0, VK_WHOLE_SIZE}};
    return hostStorageSetCreate(host, 3, ranges);
}

static Hero heroCreate(const Host *host, VkskinContext context, VkskinCrowd crowd, VkskinMesh mesh,
                       VkskinCharacter character, VkBuffer colours) {
    const float x = SWORD / 1.5f; /* the arm has a scale of 1.5 */
    const float positions[3][3] = {{x, 0, 0}, {x + 1, 0, 0}, {x, 1, 0}};
    const VkBufferUsageFlags storage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    Hero hero = {.context = context, .crowd = crowd, .character = character};
    hero.records = hostBufferCreate(host, storage, sizeof(uint32_t) * HOST_IN_FLIGHT * 2 * RECORD_WORDS);
    hero.sword = hostBufferCreate(host, storage, sizeof positions);
    memcpy(hero.sword.mapped, positions, sizeof positions);
    hero.swordSet = heroSet(host, &hero, hero.sword.buffer, colours);
    HOST_SKIN(vkskinCreateInstances(context, mesh, 1, &hero.instance));
    HOST_SKIN(vkskinQueryCharacters(context, crowd, &character, 1));
    return hero;
}

static void heroDestroy(const Host *host, Hero *hero) {
    hostStorageSetDestroy(host, &hero->swordSet);
    hostStorageSetDestroy(host, &hero->bodySet);
    hostBufferDestroy(host, &hero->records);
    hostBufferDestroy(host, &hero->sword);
}

static VkskinAffine multiply(const VkskinAffine *a, const VkskinAffine *b) {
    VkskinAffine product;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            product.m[row][column] = a->m[row][0] * b->m[0][column] + a->m[row][1] * b->m[1][column] +
                                     a->m[row][2] * b->m[2][column] + (column == 3 ? a->m[row][3] : 0);
        }
    }
    return product;
}

static void writeRecord(const Hero *hero, uint32_t record, const VkskinAffine *transform) {
    uint32_t *words = (uint32_t *)hero->records.mapped + (size_t)record * RECORD_WORDS;
    memset(words, 0, RECORD_WORDS * sizeof *words);
    memcpy(words, transform, sizeof *transform);
}

/* Whether a ray along z hits the box of the clip that the hero plays. Its transform only moves. */
static bool heroIsHit(const Hero *hero, const VkskinCharacterState *state, const VkskinCharacterPose *pose, float x,
                      float y) {
    const float at[2] = {x - state->transform.m[0][3], y - state->transform.m[1][3]};
    VkskinAnimationBox box;
    HOST_SKIN(vkskinGetCrowdBox(hero->context, hero->crowd, state->model, pose->clip, &box, NULL));
    return at[0] >= box.low[0] && at[0] <= box.high[0] && at[1] >= box.low[1] && at[1] <= box.high[1];
}

/* After vkskinBeginFrame: the pose of this frame, from the state in the last frame that has finished. */
static void heroPose(Hero *hero, const HostFrames *frames, uint32_t tick) {
    VkskinCharacterState state;
    VkskinAffine nodes[NODES];
    VkskinCharacterPose pose = {.nodes = nodes};
    uint32_t count = 1;
    hero->hasSword = hero->hasBody = false;
    HOST_SKIN(vkskinGetCharacterStates(hero->context, hero->crowd, &state, &count));
    if (count == 0 || !state.exists || (int32_t)(state.tick - hero->changedTick) < 0) {
        return; /* the first frames */
    }
    HOST_SKIN(vkskinPoseCharacter(hero->context, hero->crowd, &state, tick, &pose));
    const VkskinAffine hand = multiply(&state.transform, &nodes[ARM]);
    writeRecord(hero, frames->slot * 2, &hand);
    writeRecord(hero, frames->slot * 2 + 1, &state.transform);
    hero->hasSword = true;
    if (!heroIsHit(hero, &state, &pose, hand.m[0][3] + .5f, hand.m[1][3] + .5f) ||
        heroIsHit(hero, &state, &pose, hand.m[0][3] + COLUMNS, hand.m[1][3])) {
        hostFail("frame %u: a ray at the hand misses, or one far away hits", frames->frame);
    }
    /* One frame earlier than it is drawn, so that an instance with previous positions has those of this character. */
    if (frames->frame + 1 >= SWAP_AT && frames->frame <= SWAP_BACK) {
        const VkskinMatrices bone = {.data = nodes[ARM].m[0], .count = 1, .order = VKSKIN_MATRIX_ROW_MAJOR};
        HOST_SKIN(vkskinSkinMatrices(hero->context, VKSKIN_METHOD_LINEAR_BLEND, &hero->instance, &bone, 1));
        HOST_SKIN(vkskinGetOutput(hero->context, hero->instance, &hero->output));
        hero->hasBody = frames->frame >= SWAP_AT;
    }
}

/* The crowd goes on with its clip meanwhile. It may need a frame to give the character a slot again: in that frame both
 * are drawn, one exactly over the other. */
static void heroSwap(const Hero *hero, unsigned frame) {
    if (frame == SWAP_AT || frame == SWAP_BACK) {
        HOST_SKIN(vkskinHideCharacters(hero->context, hero->crowd, &hero->character, 1, frame == SWAP_AT));
    }
}

/* part: 0 sword, 1 body. False: not in this frame. */
static bool heroDraw(const Host *host, Hero *hero, uint32_t slot, VkBuffer colours, uint32_t part, int32_t vertexOffset,
                     HeroDraw *draw) {
    const uint32_t record = (slot * 2 + part) * RECORD_WORDS;
    if (part == 0 ? !hero->hasSword : !hero->hasBody) {
        return false;
    }
    if (part == 1 && hero->bodySet.set == VK_NULL_HANDLE) { /* the output stays in one page */
        hero->bodySet = heroSet(host, hero, hero->output.buffer, colours);
    }
    *draw = (HeroDraw){.constants = {.list = record + RECORD_WORDS - 1, .slots = record, .vertexOffset = vertexOffset},
                       .set = part == 0 ? hero->swordSet.set : hero->bodySet.set};
    draw->constants.vertices = part == 0 ? 0 : (uint32_t)(hero->output.positionOffset / sizeof(uint32_t));
    return true;
}

#endif
