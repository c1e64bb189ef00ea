/*
 * Time of a character: clips, speeds, fades and clips that play once, against a model that counts ticks in 64 bits and
 * never wraps, while the ticks of the library pass 2^32. And how changes of one frame merge.
 */
#include "crowd/crowd_rules.h"
#include "crowd_changes.h"
#include "random.h"
#include "test.h"

#define CLIPS 5u

/* ---- The model ---- */

/* A clip that plays: where it was at a tick. */
typedef struct Playing {
    uint32_t clip;
    int64_t since;
    uint32_t phase; /* then */
    int64_t rate;
    uint32_t unit;
    bool once;
} Playing;

typedef struct Ideal {
    Playing old, newest;
    bool fading;
    int64_t fadeStart, fadeTicks;
} Ideal;

static int64_t rateOf(uint32_t unit, int32_t speed) {
    const int64_t size = (int64_t)unit * llabs((int64_t)speed) / (1 << 20);
    const int64_t most = INT32_MAX;
    return (speed < 0 ? -1 : 1) * (size < most ? size : most);
}

static uint32_t phaseAt(const Playing *playing, int64_t tick) {
    const __int128 phase = (__int128)playing->phase + (__int128)playing->rate * (tick - playing->since);
    if (!playing->once) {
        return (uint32_t)phase;
    }
    return phase < 0 ? 0 : phase > UINT32_MAX ? UINT32_MAX : (uint32_t)phase;
}

static void modelPlay(Ideal *model, const CrowdPlay *play, int64_t tick) {
    const Playing playing = {.clip = play->clip & 0xffffu,
                             .since = tick,
                             .phase = play->phase,
                             .rate = rateOf(play->unit, (int32_t)play->speed),
                             .unit = play->unit,
                             .once = (play->clip & CROWD_PLAY_ONCE) != 0};
    model->old = model->newest;
    model->newest = playing;
    model->fading = play->fade > 0;
    model->fadeStart = tick;
    model->fadeTicks = play->fade;
}

static void modelSpeed(Ideal *model, int32_t speed, int64_t tick) {
    Playing *playing = &model->newest;
    playing->phase = phaseAt(playing, tick);
    playing->since = tick;
    playing->rate = rateOf(playing->unit, speed);
}

/* Also where 32 bits have room for the rate, but not with its sign. */
TEST(speedsAreLimited) {
    static const uint32_t units[] = {1, 1000, 4000000, UINT32_MAX / 2};
    static const int32_t speeds[] = {0, 1, 1 << 20, -(1 << 20), 600 << 20, -(600 << 20), INT32_MAX, -INT32_MAX};
    for (size_t u = 0; u < COUNT_OF(units); u++) {
        for (size_t s = 0; s < COUNT_OF(speeds); s++) {
            assert_int_equal((int32_t)crowdRate(units[u], (uint32_t)speeds[s]), rateOf(units[u], speeds[s]));
        }
    }
}

/* ---- Both ---- */

typedef struct Pair {
    Random random;
    Ideal model;
    LayoutCrowdState state;
    LayoutCrowdCold cold;
    LayoutCrowdChange change;
    int64_t tick;
} Pair;

static CrowdPlay randomPlay(Random *random) {
    static const uint32_t speeds[] = {0, CROWD_SPEED_ONE, 0u - CROWD_SPEED_ONE, 3 * CROWD_SPEED_ONE / 2};
    return (CrowdPlay){
        .clip = randomBelow(random, CLIPS) | (randomBelow(random, 2) == 0 ? CROWD_PLAY_ONCE : 0u),
        .phase = randomBelow(random, 4) == 0 ? UINT32_MAX : randomWord(random),
        .speed = speeds[randomBelow(random, 4)],
        .unit = 1 + randomBelow(random, 4000000),
        .fade = randomBelow(random, 3) == 0 ? 0 : 1 + randomBelow(random, 3000),
    };
}

static void play(Pair *pair) {
    const CrowdPlay made = randomPlay(&pair->random);
    sknStagePlay(&pair->change, &made);
    modelPlay(&pair->model, &made, pair->tick);
}

static void changeSpeed(Pair *pair) {
    const uint32_t speed = randomWord(&pair->random) % (4 * CROWD_SPEED_ONE) - 2 * CROWD_SPEED_ONE;
    sknStageSpeed(&pair->change, speed);
    modelSpeed(&pair->model, (int32_t)speed, pair->tick);
}

static void comparePhase(const Playing *expected, uint32_t phase, uint32_t clip, int64_t tick) {
    const uint32_t exact = phaseAt(expected, tick);
    const int64_t difference = llabs((int64_t)exact - (int64_t)phase);
    assert_int_equal(clip, expected->clip);
    /* A clip that plays once starts at a whole tick. Each change of its speed may move it by half a tick more. */
    const int64_t room = expected->once ? 8 * (llabs(expected->rate) + 6000000) : 0;
    if (difference > room) {
        fail_msg("phase 0x%x, expected 0x%x", phase, exact);
    }
}

static void compare(Pair *pair) {
    Ideal *model = &pair->model;
    if (model->fading && pair->tick - model->fadeStart >= model->fadeTicks) {
        model->fading = false;
    }
    const LayoutCrowdPose pose = crowdPoseOf(&pair->state, &pair->cold, CLIPS, (uint32_t)pair->tick);
    float weight;
    memcpy(&weight, &pose.weight, sizeof weight);
    if (!model->fading) {
        assert_true(weight == 0.0f);
        comparePhase(&model->newest, pose.phaseA, pose.clips & 0xffffu, pair->tick);
        return;
    }
    const int64_t elapsed = pair->tick - model->fadeStart;
    assert_true(weight == (float)(elapsed * 65536 / model->fadeTicks) / 65536.0f);
    comparePhase(&model->old, pose.phaseA, pose.clips & 0xffffu, pair->tick);
    comparePhase(&model->newest, pose.phaseB, pose.clips >> 16, pair->tick);
}

/* Frames with random changes; the ticks wrap in the middle. */
static void runPair(uint64_t seed) {
    Pair pair = {.random = {seed}, .tick = ((int64_t)1 << 32) - 20000};
    pair.change.what = CROWD_CHANGE_ADD;
    CrowdPlay first = randomPlay(&pair.random);
    first.fade = 0;
    sknStagePlay(&pair.change, &first);
    modelPlay(&pair.model, &first, pair.tick);
    for (uint32_t f = 0; f < 40; f++) {
        crowdApply(&pair.state, &pair.cold, &pair.change, (uint32_t)pair.tick);
        (void)crowdAdvance(&pair.state, &pair.cold, (uint32_t)pair.tick);
        compare(&pair);
        pair.change = (LayoutCrowdChange){0};
        pair.tick += randomBelow(&pair.random, 2000);
        for (uint32_t i = randomBelow(&pair.random, 5); i > 0; i--) {
            if (randomBelow(&pair.random, 2) == 0) {
                play(&pair);
            } else {
                changeSpeed(&pair);
            }
        }
    }
}

TEST(clipsSpeedsAndFadesGoOnWhereTicksWrap) {
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        runPair(seed);
    }
}

/* Both clips of a fade have 16 bits; one that does not exist becomes the last one. */
TEST(posesHaveTheClipsOfTheirCharacters) {
    const LayoutCrowdState fading = {.clips = 300u | 65000u << 16, .flags = CROWD_EXISTS | CROWD_FADING};
    const LayoutCrowdCold cold = {.fadeStart = 10, .fadeTicks = 8};
    assert_int_equal(crowdPoseOf(&fading, &cold, 65001, 12).clips, fading.clips);
    assert_int_equal(crowdPoseOf(&fading, &cold, 400, 12).clips, 300u | 399u << 16);
    assert_int_equal(crowdPoseOf(&fading, &cold, 300, 12).clips, 299u | 299u << 16);
}

/* ---- Lists of changes ---- */

#define CHARACTERS 50u

static uint32_t takeOne(CrowdChanges *changes) {
    assert_true(sknReserveChanges(changes, 1));
    const uint32_t character = sknTakeCharacter(changes);
    sknChangeOf(changes, character)->what = CROWD_CHANGE_ADD;
    return character;
}

TEST(anIndexIsFreeAfterAFrameThatWasNotCancelled) {
    CrowdChanges changes;
    assert_int_equal(sknInitChanges(NULL, 1, 77, &changes), VKSKIN_SUCCESS);
    const uint32_t character = takeOne(&changes);
    const uint32_t generation = changes.generations[character];
    assert_true(sknHasCharacter(&changes, character + 1, generation));
    sknDropCharacter(&changes, character);
    assert_false(sknHasCharacter(&changes, character + 1, generation));
    sknChangeOf(&changes, character)->what = CROWD_CHANGE_REMOVE;
    assert_int_equal(changes.freeCount, 0);
    assert_int_equal(sknRecordChanges(&changes, 9), 1);
    assert_int_equal(changes.freeCount, 0);
    sknTakeBackChanges(&changes);
    assert_int_equal(changes.freeCount, 0);
    assert_int_equal(sknRecordChanges(&changes, 9), 1);
    sknForgetChanges(&changes);
    assert_int_equal(changes.freeCount, 1);
    assert_int_equal(takeOne(&changes), character);
    assert_int_not_equal(changes.generations[character], generation);
    sknDestroyChanges(&changes);
}

/* More changes than a frame takes: the first ones go first, and a cancelled frame puts them back before the others. */
TEST(changesWaitForLaterFramesInTheirOrder) {
    CrowdChanges changes;
    assert_int_equal(sknInitChanges(NULL, CHARACTERS, 4, &changes), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        assert_int_equal(takeOne(&changes), i);
    }
    assert_int_equal(sknRecordChanges(&changes, 20), 20);
    assert_int_equal(changes.recorded.records[19].character, 19);
    assert_true(sknReserveChanges(&changes, 2));
    sknChangeOf(&changes, 3)->what |= CROWD_CHANGE_HIDE;
    assert_int_equal(sknChangeOf(&changes, 30)->character, 30);
    sknChangeOf(&changes, 30)->what |= CROWD_CHANGE_HIDE;
    sknTakeBackChanges(&changes);
    assert_int_equal(changes.pending.count, CHARACTERS);
    assert_int_equal(sknRecordChanges(&changes, 4), 4);
    assert_int_equal(changes.recorded.records[3].character, 3);
    assert_int_equal(changes.recorded.records[3].what, CROWD_CHANGE_ADD | CROWD_CHANGE_HIDE);
    sknForgetChanges(&changes);
    assert_int_equal(changes.pending.count, CHARACTERS - 4);
    sknDestroyChanges(&changes);
}

/* Both lists have room for the changes of a cancelled frame and for those after it. */
TEST(changesOfACancelledFrameHaveRoomBesideOthers) {
    CrowdChanges changes;
    assert_int_equal(sknInitChanges(NULL, 2 * CHARACTERS, 4, &changes), VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < 2 * CHARACTERS; i++) {
        assert_int_equal(takeOne(&changes), i);
        assert_true(i != CHARACTERS - 1 || sknRecordChanges(&changes, CHARACTERS) == CHARACTERS);
    }
    sknTakeBackChanges(&changes);
    assert_int_equal(changes.pending.count, 2 * CHARACTERS);
    assert_int_equal(changes.recorded.count, 0);
    sknDestroyChanges(&changes);
}
