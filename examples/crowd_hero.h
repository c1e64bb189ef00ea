/*
 * crowd_hero.h: the character of crowd.c that the host follows. Its hand holds a sword. From frame SWAP_AT on it is an
 * instance of the host, in the same pose and at the same place, until frame SWAP_BACK. Meanwhile the root motion of its clip
 * moves it: where the clip begins again, it walks on. An echo beside it shows its previous positions. All are drawn by the
 * shader of the crowd, from records that this host writes.
 */
#ifndef EXAMPLE_CROWD_HERO_H
#define EXAMPLE_CROWD_HERO_H

#include "crowd_check.h"
#include "crowd_clips.h"

#include <string.h>
#include <vkskin/vkskin_blend.h>

enum { SWORD_PART, BODY_PART, ECHO_PART, PARTS };
enum { RECORD_WORDS = 32 }; /* a slot record of vkskin_crowd.glsl, then a list of one slot */

typedef struct Hero {
    VkskinContext context;
    VkskinCrowd crowd;
    VkskinCharacter character;
    VkskinInstance instance;
    uint32_t changedTick; /* tick of the last frame that changed it: older states do not know */
    HostBuffer records;   /* [HOST_IN_FLIGHT][PARTS] */
    HostBuffer sword;     /* positions */
    HostStorageSet swordSet, bodySet;
    VkskinOutput output;
    bool hasSword, hasBody; /* in this frame */
    VkskinRootDef walk;     /* root motion: that of the arm, in the plane of the picture */
    VkskinTransform arm;    /* in the last frame, with its path */
    double time;            /* time of the clip in the last frame */
    VkskinAffine
        transform; /* from frame SWAP_AT - 1 on; the path of the clip is a part of it while this is an instance */
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
    hero.records = hostBufferCreate(host, storage, sizeof(uint32_t) * HOST_IN_FLIGHT * PARTS * RECORD_WORDS);
    hero.sword = hostBufferCreate(host, storage, sizeof positions);
    memcpy(hero.sword.mapped, positions, sizeof positions);
    hero.walk = vkskinDefaultRootDef();
    hero.walk.parts = VKSKIN_ROOT_HORIZONTAL_BIT;
    hero.walk.up[1] = 0;
    hero.walk.up[2] = 1;
    hero.walk.first.translation[1] = -.5f; /* the path of DOWN */
    hero.walk.last.translation[1] = 3.5f;
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
static bool heroIsHit(const Hero *hero, const VkskinAffine *place, uint32_t clip, float x, float y) {
    const float at[2] = {x - place->m[0][3], y - place->m[1][3]};
    VkskinAnimationBox box;
    HOST_SKIN(vkskinGetCrowdBox(hero->context, hero->crowd, HERO_COLUMN % MODELS, clip, &box, NULL));
    return at[0] >= box.low[0] && at[0] <= box.high[0] && at[1] >= box.low[1] && at[1] <= box.high[1];
}

/* Moves the transform along the path of the clip; sign -1: back. Of the delta, only the translation is not the identity. */
static void heroMove(Hero *hero, const VkskinTransform *from, const VkskinTransform *to, int32_t loops, float sign) {
    VkskinTransform delta;
    VkskinAffine step = vkskinIdentityAffine();
    HOST_SKIN(vkskinRootDelta(&hero->walk, from, to, loops, &delta));
    for (int axis = 0; axis < 3; axis++) {
        step.m[axis][3] = sign * delta.translation[axis];
    }
    hero->transform = multiply(&hero->transform, &step);
}

/* The crowd's transform does not contain the path of the clip, and its poses do: so it is drawn in the frame before
 * SWAP_AT. From then on the transform contains the path. */
static void heroWalk(Hero *hero, unsigned frame, const VkskinCharacterState *state, double time, VkskinTransform *arm,
                     VkskinAffine *node) {
    const VkskinTransform now = *arm;
    if (frame < SWAP_AT) {
        hero->transform = state->transform;
    } else {
        if (frame == SWAP_AT) {
            heroMove(hero, &hero->walk.first, &hero->arm, 0, 1);
        }
        heroMove(hero, &hero->arm, &now, time < hero->time, 1);
        HOST_SKIN(vkskinTakeRootPath(&hero->walk, arm));
        for (int axis = 0; axis < 3; axis++) {
            node->m[axis][3] = arm->translation[axis]; /* its parent does not move */
        }
    }
    hero->arm = now;
    hero->time = time;
}

/* After vkskinBeginFrame: the pose of this frame, from the state in the last frame that has finished. */
static void heroPose(Hero *hero, const HostFrames *frames, uint32_t tick) {
    VkskinCharacterState state;
    VkskinTransform locals[NODES];
    VkskinAffine nodes[NODES];
    VkskinCharacterPose pose = {.pose = locals, .nodes = nodes};
    const VkskinAffine before = hero->transform;
    const bool walks = frames->frame + 1 >= SWAP_AT && frames->frame <= SWAP_BACK;
    const uint32_t first = frames->slot * PARTS;
    uint32_t count = 1;
    hero->hasSword = hero->hasBody = false;
    HOST_SKIN(vkskinGetCharacterStates(hero->context, hero->crowd, &state, &count));
    if (count == 0 || !state.exists || (int32_t)(state.tick - hero->changedTick) < 0) {
        return; /* the first frames */
    }
    HOST_SKIN(vkskinPoseCharacter(hero->context, hero->crowd, &state, tick, &pose));
    if (walks) {
        heroWalk(hero, frames->frame, &state, pose.time, &locals[ARM], &nodes[ARM]);
    }
    const VkskinAffine place = frames->frame + 1 < SWAP_AT ? state.transform : hero->transform;
    const VkskinAffine hand = multiply(&place, &nodes[ARM]);
    writeRecord(hero, first + SWORD_PART, &hand);
    writeRecord(hero, first + BODY_PART, &place);
    VkskinAffine echo = before;
    echo.m[0][3] += ECHO;
    writeRecord(hero, first + ECHO_PART, &echo);
    hero->hasSword = true;
    if (!heroIsHit(hero, &place, pose.clip, hand.m[0][3] + .5f, hand.m[1][3] + .5f) ||
        heroIsHit(hero, &place, pose.clip, hand.m[0][3] + COLUMNS, hand.m[1][3])) {
        hostFail("frame %u: a ray at the hand misses, or one far away hits", frames->frame);
    }
    /* One frame earlier than it is drawn, so that an instance with previous positions has those of this character. */
    if (walks) {
        const VkskinMatrices bone = {.data = nodes[ARM].m[0], .count = 1, .order = VKSKIN_MATRIX_ROW_MAJOR};
        HOST_SKIN(vkskinSkinMatrices(hero->context, VKSKIN_METHOD_LINEAR_BLEND, &hero->instance, &bone, 1));
        HOST_SKIN(vkskinGetOutput(hero->context, hero->instance, &hero->output));
        hero->hasBody = frames->frame >= SWAP_AT;
    }
}

/* The crowd goes on with its clip meanwhile. It may need a frame to give the character a slot again: in that frame both
 * are drawn, one exactly over the other. */
static void heroSwap(Hero *hero, unsigned frame) {
    if (frame == SWAP_BACK) {
        heroMove(hero, &hero->walk.first, &hero->arm, 0, -1); /* the pose has this path again */
        HOST_SKIN(vkskinMoveCharacters(hero->context, hero->crowd, &hero->character, 1, &hero->transform, 0,
                                       VKSKIN_CROWD_TELEPORT));
    }
    if (frame == SWAP_AT || frame == SWAP_BACK) {
        HOST_SKIN(vkskinHideCharacters(hero->context, hero->crowd, &hero->character, 1, frame == SWAP_AT));
    }
}

/* False: not in this frame. */
static bool heroDraw(const Host *host, Hero *hero, uint32_t slot, VkBuffer colours, uint32_t part, int32_t vertexOffset,
                     HeroDraw *draw) {
    const uint32_t record = (slot * PARTS + part) * RECORD_WORDS;
    if (part == SWORD_PART ? !hero->hasSword : !hero->hasBody) {
        return false;
    }
    if (part != SWORD_PART && hero->bodySet.set == VK_NULL_HANDLE) { /* the output stays in one page */
        hero->bodySet = heroSet(host, hero, hero->output.buffer, colours);
    }
    *draw = (HeroDraw){.constants = {.list = record + RECORD_WORDS - 1, .slots = record, .vertexOffset = vertexOffset},
                       .set = part == SWORD_PART ? hero->swordSet.set : hero->bodySet.set};
    if (part != SWORD_PART) {
        const VkDeviceSize at = part == BODY_PART ? hero->output.positionOffset : hero->output.previousPositionOffset;
        draw->constants.vertices = (uint32_t)(at / sizeof(uint32_t));
    }
    return true;
}

#endif
