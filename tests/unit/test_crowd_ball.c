/* The ball that stands for the bounds of a crowd where exact ones would take too long, and when it does. */
#include "crowd_ball.h"
#include "random_animation.h"
#include "test.h"

/* A chain along x: each node is scaled by 2, lies at 1, then comes a pre-transform by 3 and 0.5. All clips are at rest. */
static void *newStillBlock(uint32_t nodes, uint32_t clips, size_t *size) {
    const uint32_t clipsAt = 16 + nodes * 24, count = (clipsAt + 16 * clips + 7) / 4 * 4;
    uint32_t *words = newZeroed(count, sizeof *words);
    const VkskinAnimationHeader header = {.magic = VKSKIN_ANIMATION_MAGIC,
                                          .version = VKSKIN_ANIMATION_VERSION,
                                          .bytes = count * 4,
                                          .nodeCount = nodes,
                                          .clipCount = clips,
                                          .parentsAt = 16,
                                          .orderAt = 16 + nodes,
                                          .restAt = 16 + 2 * nodes,
                                          .preAt = 16 + 12 * nodes,
                                          .clipsAt = clipsAt};
    const VkskinAffine pre = {{{3, 0, 0, 0.5f}, {0, 3, 0, 0}, {0, 0, 3, 0}}};
    const VkskinTransform rest = {{1, 0, 0}, {0, 0, 0, 1}, {2, 2, 2}};
    const VkskinAnimationClip clip = {.duration = 1.0f, .keyCount = 1, .keysAt = clipsAt};
    memcpy(words, &header, sizeof header);
    for (uint32_t node = 0; node < nodes; node++) {
        words[header.parentsAt + node] = node - 1;
        words[header.orderAt + node] = node;
        memcpy(words + header.restAt + (size_t)10 * node, &rest, sizeof rest);
        memcpy(words + header.preAt + (size_t)12 * node, &pre, sizeof pre);
    }
    for (uint32_t i = 0; i < clips; i++) {
        memcpy(words + clipsAt + (size_t)16 * i, &clip, sizeof clip);
    }
    *size = header.bytes;
    return words;
}

/* A still block, and what crowd_bounds.c knows of it before it decides. */
typedef struct BallScene {
    ClipSetData clips;
    VkskinAnimationBox boxes[64];
    void *block;
    size_t size;
    double preNorms[64];
    Bounds bounds;
} BallScene;

/* Of `block`. The pre-transforms scale by 3. */
static void makeBounds(BallScene *ball) {
    assert_int_equal(sknMakeClipSet(&(Host){0}, ball->block, ball->size, &ball->clips), VKSKIN_SUCCESS);
    const uint32_t nodes = ball->clips.nodeCount;
    const LayoutClipSet *tables = (const LayoutClipSet *)(ball->clips.words + ball->size / 4);
    ball->bounds = (Bounds){.set = &ball->clips,
                            .nodes = (const LayoutClipNode *)(ball->clips.words + tables->nodes),
                            .boxes = ball->boxes,
                            .preNorms = ball->preNorms,
                            .ranges = newZeroed(nodes, sizeof(NodeRange)),
                            .moves = newZeroed(nodes, sizeof(double)),
                            .lengths = newZeroed(nodes, sizeof(double))};
    for (uint32_t node = 0; node < nodes; node++) {
        ball->preNorms[node] = 3.0;
        ball->boxes[node] = vkskinEmptyAnimationBox();
    }
}

static void makeBall(BallScene *ball, uint32_t nodes, uint32_t clips) {
    *ball = (BallScene){.block = NULL};
    ball->block = newStillBlock(nodes, clips, &ball->size);
    makeBounds(ball);
}

static void freeBall(BallScene *ball) {
    free(ball->bounds.ranges);
    free(ball->bounds.moves);
    free(ball->bounds.lengths);
    sknFreeClipSet(&ball->clips);
    free(ball->block);
}

/* The farthest point of the box is on the ball: from 2, 2 x 2 + 1 = 5, then 3 x 5 + 0.5 = 15.5, and so on. */
TEST(theBallIsTightOnAStraightChain) {
    BallScene ball;
    makeBall(&ball, 3, 2);
    sknAddBall(&ball.bounds);
    assert_true(ball.bounds.high.x < ball.bounds.low.x); /* no vertices */
    freeBall(&ball);
    makeBall(&ball, 3, 2);
    ball.boxes[2] = (VkskinAnimationBox){{0.0f, 0, 0}, {2.0f, 0, 0}};
    sknAddBall(&ball.bounds);
    assert_true(!ball.bounds.broken && fabs(ball.bounds.size - 582.5) < 1e-9);
    assert_true(fabs(ball.bounds.low.x + 582.5) < 1e-9 && fabs(ball.bounds.high.z - 582.5) < 1e-9);
    assert_true(fabs(ball.bounds.moves[2] - 6.0 * 6.0 * 6.0) < 1e-9);
    freeBall(&ball);
}

/* Scales that no float holds, in a chain without vertices: 2 x 3 for each node. */
TEST(aBallIsBrokenWhereMatricesAre) {
    BallScene ball;
    makeBall(&ball, 64, 1);
    sknAddBall(&ball.bounds);
    assert_true(ball.bounds.broken);
    freeBall(&ball);
}

/* 4,194,304 steps, 256 for each word of the block and 32 for each node of each clip. */
TEST(workIsBoundedByBytes) {
    BallScene ball;
    makeBall(&ball, 3, 5);
    const uint64_t most = 4194304 + 256 * (uint64_t)(ball.size / 4) + 32 * 15;
    ball.bounds.spanSteps = most / 5 - 3;
    sknPlanSteps(&ball.bounds);
    assert_true(!ball.bounds.loose && ball.bounds.stepsLeft == most % 5);
    ball.bounds.spanSteps++;
    sknPlanSteps(&ball.bounds);
    assert_true(ball.bounds.loose && ball.bounds.stepsLeft == 0);
    freeBall(&ball);
}

/* The largest magnitude of a translation and scale holds for all rows. It is exact for values and floats. */
static void checkMagnitude(const ClipSetData *clips, const uint32_t entry[CLIP_CHANNELS], uint32_t clip,
                           uint32_t place) {
    NodeState *states = newZeroed(clips->nodeCount, sizeof *states);
    const Vector magnitude = sknMaxMagnitude(clips, clip, entry[VKSKIN_CHANNEL_TRANSLATION]);
    const Vector scale = sknMaxMagnitude(clips, clip, entry[VKSKIN_CHANNEL_SCALE]);
    const uint32_t bits = clips->words[(entry[0] & CLIP_PLACE_MASK) + 1] & 63;
    double most = 0.0;
    for (uint32_t row = 0; row < sknBlockClip(clips->block, clip)->keyCount; row++) {
        sknReadPathRows(clips, clip, row, row, states);
        const Local local = sknPathLocalAt(&states[place], 0.0);
        most = fmax(most, fabs(local.translation.x));
        assert_true(fabs(local.translation.y) <= magnitude.y && fabs(local.translation.z) <= magnitude.z);
        assert_true(fabs(local.scale.x) <= scale.x && fabs(local.scale.z) <= scale.z);
    }
    const bool exact = entry[0] >> CLIP_CHANNEL_SHIFT == CLIP_CHANNEL_VALUE || bits == BLOCK_FLOAT_BITS;
    assert_true(exact ? most == magnitude.x : most <= magnitude.x);
    free(states);
}

/* The ranges of a ball hold the magnitudes of all clips, which differ in how far they move a node. */
TEST(magnitudesHoldAllRows) {
    static const RandomAnimationDef def = {
        .nodeCount = 15, .clipCount = 5, .maxKeys = 9, .scales = true, .maxDistance = 0.5f, .turn = 0.4f};
    for (uint32_t seed = 1; seed <= 8; seed++) {
        Random random = {seed};
        BallScene ball = {.block = NULL};
        ball.block = newRandomAnimation(&random, &def, &ball.size);
        makeBounds(&ball);
        sknAddBall(&ball.bounds);
        const LayoutClipSet *tables = (const LayoutClipSet *)(ball.clips.words + ball.size / 4);
        const uint32_t *entry = ball.clips.words + tables->channels;
        for (uint32_t i = 0; i < 5 * 15; i++, entry += CLIP_CHANNELS) {
            const NodeRange *range = &ball.bounds.ranges[i % 15];
            checkMagnitude(&ball.clips, entry, i / 15, i % 15);
            assert_true(range->high.x >= sknMaxMagnitude(&ball.clips, i / 15, entry[VKSKIN_CHANNEL_TRANSLATION]).x);
            assert_true(range->scaleHigh.x >= sknMaxMagnitude(&ball.clips, i / 15, entry[VKSKIN_CHANNEL_SCALE]).x);
        }
        freeBall(&ball);
    }
}
