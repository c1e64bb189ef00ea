/*
 * Levels of detail of a crowd, with the stages on the CPU: which level a character has by its error on the screen, at rest
 * and in motion; the budget of vertices; newcomers; copies of outputs that frames in flight read.
 */
#include <math.h>

#include "crowd/crowd_rules.h"
#include "crowd_stages.h"
#include "random.h"
#include "test.h"

#define COUNT  900u
#define LEVELS 4u
#define PIXELS 500.0f /* pixelsPerUnit */

static const float errors[LEVELS] = {0.0f, 0.02f, 0.06f, 0.2f};
static const uint32_t vertices[LEVELS] = {4000, 2000, 1000, 500};

/* One model with a box of 1 x 2 x 1. A camera at (0, 0, 0) sees all. */
typedef struct Street {
    CrowdPlan plan;
    CrowdArrays arrays;
    CrowdViews views;
    LayoutCrowdState states[COUNT];
    LayoutCrowdCold colds[COUNT];
    uint32_t *frames[2];
    LayoutCrowdPush push;
    Random random;
} Street;

typedef struct StreetDef {
    uint32_t slots[LEVELS], intervals[LEVELS];
    uint32_t copies;
} StreetDef;

static const StreetDef roomy = {{COUNT, COUNT, COUNT, COUNT}, {1, 1, 1, 1}, 1};

static void makePlan(const StreetDef *def, CrowdPlan *plan) {
    static const CrowdPart part = {.outputBytes = 48, .indexCount = 3};
    static const uint32_t node[1] = {0};
    static const VkskinAffine bind;
    LayoutCrowdBounds bounds = {.centreY = crowdFloatBits(1.0f),
                                .extentX = crowdFloatBits(0.5f),
                                .extentY = crowdFloatBits(1.0f),
                                .extentZ = crowdFloatBits(0.5f)};
    CrowdGroup groups[LEVELS];
    for (uint32_t level = 0; level < LEVELS; level++) {
        groups[level] = (CrowdGroup){.level = level,
                                     .coarser = LEVELS - 1 - level,
                                     .error = errors[level],
                                     .interval = def->intervals[level],
                                     .parts = &part,
                                     .partCount = 1,
                                     .slots = def->slots[level],
                                     .vertices = vertices[level],
                                     .skin = {.boneCount = 1, .nodes = node, .binds = &bind},
                                     .paletteBytes = 48,
                                     .bounds = &bounds};
    }
    const CrowdNeeds needs = {.groups = groups,
                              .groupCount = LEVELS,
                              .capacity = COUNT,
                              .clipCount = 1,
                              .nodes = {.count = 1, .places = node},
                              .scratchWords = 12,
                              .copies = def->copies,
                              .range = 1 << 26,
                              .paletteRange = 1 << 26,
                              .groupSize = 64,
                              .groupInstances = 4,
                              .poseSlots = CROWD_GROUP,
                              .views = 2};
    assert_int_equal(sknPlanCrowd(&(Host){0}, "street", &needs, plan), VKSKIN_SUCCESS);
}

static void place(Street *street, uint32_t c, float distance) {
    const float angle = randomFloat(&street->random, 0.0f, 6.28f);
    const float scale = powf(2.0f, randomFloat(&street->random, -1.0f, 1.0f));
    const float m[12] = {scale, 0, 0, distance * cosf(angle), 0, scale, 0, 0, 0, 0, scale, distance * sinf(angle)};
    street->states[c] = (LayoutCrowdState){.flags = CROWD_EXISTS};
    memcpy(&street->states[c], m, sizeof m);
}

static Street *newStreet(const StreetDef *def) {
    Street *street = calloc(1, sizeof *street);
    assert_non_null(street);
    street->random = (Random){7};
    makePlan(def, &street->plan);
    for (uint32_t i = 0; i < 2; i++) {
        street->frames[i] = calloc(street->plan.frameWords, sizeof(uint32_t));
    }
    street->arrays = (CrowdArrays){.tables = street->plan.tables,
                                   .states = street->states,
                                   .colds = street->colds,
                                   .work = calloc(street->plan.workWords, sizeof(uint32_t)),
                                   .copies = calloc(sknCrowdHead(street->plan.tables)->slotCount, sizeof(uint32_t)),
                                   .views = &street->views};
    street->views.views[0].scale = crowdFloatBits(PIXELS * PIXELS);
    street->push = (LayoutCrowdPush){.views = 1, .colours = 1, .maxPixels = crowdFloatBits(1.0f)};
    for (uint32_t c = 0; c < COUNT; c++) {
        place(street, c, powf(10.0f, randomFloat(&street->random, 0.0f, 2.5f)));
    }
    return street;
}

static void freeStreet(Street *street) {
    free(street->frames[0]);
    free(street->frames[1]);
    free(street->arrays.work);
    free(street->arrays.copies);
    sknFreeCrowdPlan(&street->plan);
    free(street);
}

static void run(Street *street) {
    const VkskinCpuRun cpu = {.level = VKSKIN_CPU_PORTABLE};
    const uint32_t number = street->push.number++;
    street->arrays.frame = street->frames[number % 2];
    street->arrays.lastFrame = street->frames[1 - number % 2];
    LayoutCrowdPush push = street->push;
    push.number = number;
    sknCrowdApply(&street->arrays, &push);
    sknCrowdCull(&street->arrays, &push, &cpu);
    sknCrowdFromKeys(&street->arrays, &push, &cpu);
}

/* LEVELS: no slot. */
static uint32_t levelOf(const Street *street, uint32_t c) {
    const uint32_t resident = street->arrays.work[sknCrowdHead(street->plan.tables)->residents + c];
    return resident == 0 ? LEVELS : resident >> CROWD_RESIDENT_SHIFT & CROWD_RESIDENT_GROUP;
}

static void setPixels(Street *street, float pixels) {
    street->views.views[0].scale = crowdFloatBits(pixels * pixels);
}

static float maxPixels(const Street *street) {
    float pixels;
    memcpy(&pixels, &sknCrowdStats(street->arrays.work)->maxPixels, sizeof pixels);
    return pixels;
}

/* Pixels of a unit of the model, at the nearest point of its box. */
static double unitOf(const Street *street, uint32_t c, double pixels) {
    static const double centre[3] = {0, 1, 0}, extent[3] = {0.5, 1, 0.5};
    float m[12];
    double squared = 0;
    memcpy(m, &street->states[c], sizeof m);
    for (int axis = 0; axis < 3; axis++) {
        const double middle = (double)m[0] * centre[axis] + (double)m[4 * axis + 3];
        const double away = fmax(fabs(middle) - (double)m[0] * extent[axis], 0);
        squared += away * away;
    }
    return pixels * (double)m[0] / sqrt(fmax(squared, 1e-20));
}

/* No level has a larger error on the screen than the limit, and none is finer than it must be. */
TEST(aLevelIsAsCoarseAsItsErrorAllows) {
    Street *street = newStreet(&roomy);
    uint32_t have[LEVELS] = {0};
    bool drawn = false;
    for (uint32_t frame = 0; frame < 40; frame++) {
        const float pixels = PIXELS * powf(2.0f, randomFloat(&street->random, -1.0f, 1.0f));
        setPixels(street, pixels);
        run(street);
        for (uint32_t c = 0; c < COUNT; c++) {
            const uint32_t level = levelOf(street, c);
            const double unit = unitOf(street, c, (double)pixels);
            assert_in_range(level, 0, LEVELS - 1);
            assert_true((double)errors[level] * unit <= 1.0001);
            assert_true(level + 1 == LEVELS || (double)errors[level + 1] * unit >= (drawn ? 0.8999 : 0.9999));
            have[level]++;
        }
        drawn = true;
    }
    for (uint32_t level = 0; level < LEVELS; level++) {
        assert_true(have[level] > COUNT);
    }
    freeStreet(street);
}

TEST(aCameraThatSwaysChangesALevelOnce) {
    Street *street = newStreet(&roomy);
    uint32_t levels[COUNT], changes[COUNT] = {0}, all = 0;
    run(street);
    for (uint32_t frame = 0; frame < 20; frame++) {
        for (uint32_t c = 0; c < COUNT; c++) {
            levels[c] = levelOf(street, c);
        }
        setPixels(street, PIXELS * (frame % 2 == 0 ? 1.04f : 0.96f));
        run(street);
        for (uint32_t c = 0; c < COUNT; c++) {
            changes[c] += levelOf(street, c) != levels[c];
            all += levelOf(street, c) != levels[c];
            assert_true(changes[c] <= 1);
        }
    }
    assert_true(all > 5);
    freeStreet(street);
}

TEST(shadowsOfWhatNoPictureShowsAreALevelCoarser) {
    Street *street = newStreet(&roomy);
    uint32_t levels[COUNT];
    run(street);
    for (uint32_t c = 0; c < COUNT; c++) {
        levels[c] = levelOf(street, c);
    }
    /* the picture sees nothing now, the shadow all */
    street->push.views = 3;
    street->views.views[0].planes = 1;
    street->views.planes[0][0][3] = -1.0f;
    for (uint32_t frame = 0; frame < 3; frame++) {
        run(street);
        for (uint32_t c = 0; c < COUNT; c++) {
            const uint32_t coarser = levels[c] + 1 < LEVELS ? levels[c] + 1 : LEVELS - 1;
            const bool near = (double)errors[levels[c]] * unitOf(street, c, (double)PIXELS) > 0.8999;
            assert_true(levelOf(street, c) == coarser || (near && levelOf(street, c) == levels[c]));
        }
    }
    freeStreet(street);
}

/* ---- Few slots ---- */

static const StreetDef narrow[] = {
    {{3, 3, 3, 3}, {1, 1, 1, 1}, 1}, {{40, 40, 40, 40}, {1, 1, 1, 1}, 1}, {{40, 3, 700, 100}, {1, 1, 1, 1}, 1}};

TEST(aStillCameraComesToRest) {
    for (uint32_t i = 0; i < 3; i++) {
        Street *street = newStreet(&narrow[i]);
        for (uint32_t frame = 0; frame < 20; frame++) {
            run(street);
        }
        const size_t bytes = (size_t)street->plan.frameWords * sizeof(uint32_t);
        uint32_t *last = malloc(bytes);
        for (uint32_t frame = 0; frame < 4; frame++) {
            memcpy(last, street->arrays.frame, bytes);
            run(street);
            assert_memory_equal(last, street->arrays.frame, street->plan.drawWords * sizeof *last);
            for (uint32_t p = 0; p < street->plan.poolCount; p++) {
                const LayoutCrowdPool *pool = sknCrowdPool(street->plan.tables, p);
                const size_t count = last[pool->counts + CROWD_SKINNED];
                assert_memory_equal(last + pool->counts, street->arrays.frame + pool->counts, 3 * sizeof *last);
                assert_memory_equal(last + pool->characters, street->arrays.frame + pool->characters, 4 * count);
                assert_memory_equal(last + pool->skinned, street->arrays.frame + pool->skinned, 4 * count);
            }
        }
        free(last);
        freeStreet(street);
    }
}

/* They come in front of all others, and the slots are full. */
TEST(nearNewcomersAreDrawnInTheNextFrame) {
    const StreetDef def = {{40, 40, 40, 40}, {1, 1, 1, 1}, 1};
    Street *street = newStreet(&def);
    for (uint32_t c = 0; c < 30; c++) {
        street->states[c].flags |= CROWD_HIDDEN;
    }
    for (uint32_t frame = 0; frame < 10; frame++) {
        run(street);
    }
    for (uint32_t c = 0; c < 30; c++) {
        place(street, c, 0.1f);
    }
    run(street);
    run(street);
    for (uint32_t c = 0; c < 30; c++) {
        assert_int_equal(levelOf(street, c), 0);
    }
    freeStreet(street);
}

/* Priority comes before size, and a picture before a shadow. */
TEST(priorityComesBeforeSize) {
    const StreetDef def = {{20, 20, 20, 20}, {1, 1, 1, 1}, 1};
    Street *street = newStreet(&def);
    for (uint32_t c = 0; c < 15; c++) {
        place(street, 30 * c, 300.0f);
        street->states[30 * c].flags |= CROWD_PRIORITY;
    }
    for (uint32_t frame = 0; frame < 3; frame++) {
        run(street);
    }
    for (uint32_t c = 0; c < 15; c++) {
        assert_int_equal(levelOf(street, 30 * c), LEVELS - 1);
    }
    freeStreet(street);
}

/* ---- The budget ---- */

static uint64_t demandOf(const Street *street, const StreetDef *def) {
    uint64_t sum = 0;
    for (uint32_t c = 0; c < COUNT; c++) {
        sum += levelOf(street, c) < LEVELS ? vertices[levelOf(street, c)] / def->intervals[levelOf(street, c)] : 0;
    }
    return sum;
}

/* In 60 frames, unless the limit has to grow by more than 5 % in each of them. */
TEST(aBudgetSettlesIn60Frames) {
    const StreetDef def = {{COUNT, COUNT, COUNT, COUNT}, {1, 1, 2, 4}, 1};
    static const uint64_t budgets[] = {2400000, 1600000, 1200000, 1000000, 300000};
    for (uint32_t i = 0; i < 5; i++) {
        Street *street = newStreet(&def);
        street->push.budget = (uint32_t)(budgets[i] / CROWD_BUDGET_UNIT);
        float last = 1.0f;
        for (uint32_t frame = 0; frame < (i < 4 ? 60 : 120); frame++) {
            run(street);
            assert_true(maxPixels(street) <= last * 1.0501f && maxPixels(street) >= last * 0.9499f);
            last = maxPixels(street);
        }
        for (uint32_t frame = 0; frame < 30; frame++) {
            run(street);
            assert_true(maxPixels(street) == last);
        }
        print_message("budget %llu: %llu vertices at %g pixels\n", (unsigned long long)budgets[i],
                      (unsigned long long)demandOf(street, &def), (double)last);
        assert_true(demandOf(street, &def) <= budgets[i]);
        assert_true(last == 1.0f || demandOf(street, &def) >= budgets[i] / 2);
        street->push.budget = 0;
        run(street);
        run(street);
        assert_true(maxPixels(street) == 1.0f);
        freeStreet(street);
    }
}

/* ---- Rates ---- */

/* What a frame reads of each slot: two copies, as bits. */
static void noteCopies(const Street *street, uint32_t *read) {
    memset(read, 0, sknCrowdHead(street->plan.tables)->slotCount * sizeof *read);
    for (uint32_t p = 0; p < street->plan.poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(street->plan.tables, p);
        const uint32_t *frame = street->arrays.frame;
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_SKINNED]; i++) {
            const uint32_t slot = frame[pool->skinned + i];
            const uint32_t copies = frame[pool->records + (size_t)slot * CROWD_SLOT_WORDS + 26];
            read[pool->firstSlot + slot] = 1u << (copies & 0xff) | 1u << (copies >> 8);
        }
    }
}

/* Three frames in flight and positions of the frame before: four copies. What is written, no frame in flight reads. */
TEST(noCopyInFlightIsWritten) {
    const StreetDef def = {{30, 60, 90, 300}, {1, 1, 2, 4}, 4};
    Street *street = newStreet(&def);
    const uint32_t slots = sknCrowdHead(street->plan.tables)->slotCount;
    uint32_t *read = calloc((size_t)3 * slots, sizeof *read);
    uint32_t kept = 0, written = 0;
    for (uint32_t frame = 0; frame < 60; frame++) {
        setPixels(street, PIXELS * (1.0f + 0.5f * sinf(0.3f * (float)frame)));
        for (uint32_t i = 0; i < 40; i++) {
            street->states[randomBelow(&street->random, COUNT)].flags ^= CROWD_HIDDEN;
        }
        run(street);
        noteCopies(street, read + (size_t)(frame % 3) * slots);
        for (uint32_t p = 0; p < street->plan.poolCount; p++) {
            const LayoutCrowdPool *pool = sknCrowdPool(street->plan.tables, p);
            const uint32_t refreshed = street->arrays.frame[pool->counts + CROWD_REFRESHED];
            for (uint32_t i = 0; i < refreshed; i++) {
                const uint32_t slot = pool->firstSlot + street->arrays.frame[pool->refreshed + i];
                const uint32_t copy = 1u << street->arrays.copies[slot];
                assert_int_equal(read[(size_t)((frame + 1) % 3) * slots + slot] & copy, 0);
                assert_int_equal(read[(size_t)((frame + 2) % 3) * slots + slot] & copy, 0);
            }
            written += refreshed;
            kept += street->arrays.frame[pool->counts + CROWD_SKINNED] - refreshed;
        }
    }
    assert_true(written > 1000 && kept > 1000);
    free(read);
    freeStreet(street);
}

/* After a change of the level: the old transform, and one copy. */
TEST(aChangedLevelKeepsThePreviousTransform) {
    Street *street = newStreet(&(StreetDef){{COUNT, COUNT, COUNT, COUNT}, {1, 1, 1, 1}, 2});
    uint32_t changed = 0, levels[COUNT];
    float places[COUNT];
    for (uint32_t frame = 0; frame < 10; frame++) {
        for (uint32_t c = 0; c < COUNT; c++) {
            levels[c] = levelOf(street, c);
            memcpy(&places[c], &street->states[c].transform7, sizeof places[c]);
            const float moved = places[c] + 0.001f;
            memcpy(&street->states[c].transform7, &moved, sizeof moved);
        }
        setPixels(street, PIXELS * (frame % 2 == 0 ? 1.0f : 0.5f));
        run(street);
        for (uint32_t p = 0; p < street->plan.poolCount; p++) {
            const LayoutCrowdPool *pool = sknCrowdPool(street->plan.tables, p);
            const LayoutCrowdSlot *records = (const LayoutCrowdSlot *)(street->arrays.frame + pool->records);
            for (uint32_t i = 0; frame > 0 && i < street->arrays.frame[pool->counts + CROWD_SKINNED]; i++) {
                const LayoutCrowdSlot *record = &records[street->arrays.frame[pool->skinned + i]];
                const bool changes = levels[record->character] != p;
                assert_memory_equal(&record->previous7, &places[record->character], sizeof(float));
                assert_int_equal((record->copies & 0xff) == record->copies >> 8, changes);
                changed += changes;
            }
        }
    }
    assert_true(changed > 500);
    freeStreet(street);
}

/* Other parts: posed and skinned at once, one copy, the old transform. */
TEST(otherPartsAreSkinnedAtOnce) {
    Street *street = newStreet(&(StreetDef){{COUNT, COUNT, COUNT, COUNT}, {4, 4, 4, 4}, 3});
    uint32_t waiting = 0;
    run(street);
    for (uint32_t c = 0; c < COUNT; c++) {
        const float moved = 0.25f;
        memcpy(&street->states[c].transform7, &moved, sizeof moved);
        street->states[c].flags |= c % 2 == 0 ? CROWD_PARTED : 0;
    }
    run(street);
    for (uint32_t p = 0; p < street->plan.poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(street->plan.tables, p);
        const LayoutCrowdSlot *records = (const LayoutCrowdSlot *)(street->arrays.frame + pool->records);
        for (uint32_t i = 0; i < street->arrays.frame[pool->counts + CROWD_SKINNED]; i++) {
            const LayoutCrowdSlot *record = &records[street->arrays.frame[pool->skinned + i]];
            const uint32_t who = street->arrays.frame[pool->characters + i];
            const bool turn = (1 + record->character) % 4 == 0;
            assert_int_equal((who & CROWD_SKINNED_REFRESHED) != 0, turn || record->character % 2 == 0);
            assert_int_equal((record->copies & 0xff) == record->copies >> 8, !turn);
            assert_int_equal(record->previous7, 0);
            assert_int_equal(street->states[record->character].flags & CROWD_PARTED, 0);
            waiting += !turn && record->character % 2 != 0;
        }
    }
    assert_true(waiting > COUNT / 8);
    freeStreet(street);
}
