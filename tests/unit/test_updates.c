/* The last updates of an instance: regions in turn, history, and updates that are taken back from under a later one. */

#include "host_doubles.h"
#include "updates.h"

#define REGIONS 3u

static const Update *add(Updates *updates, uint64_t frame, bool teleport) {
    const UpdateDef def = {
        .frame = frame, .slotSerial = frame, .poseVersion = 10 * frame, .regions = REGIONS, .teleport = teleport};
    assert_true(sknClaimUpdate(updates, frame));
    assert_false(sknClaimUpdate(updates, frame));
    return sknAddUpdate(updates, &def);
}

static void checkRegions(const Update *update, uint32_t region, uint32_t previous) {
    assert_int_equal(update->region, region);
    assert_int_equal(update->previousRegion, previous);
}

TEST(regionsRotate) {
    Updates updates = {0};
    assert_int_equal(sknUpdateOf(&updates, 7)->frame, 0);
    assert_null(sknUpdateIn(&updates, 0));
    checkRegions(add(&updates, 4, false), 1, 1); /* the first: by its frame */
    checkRegions(add(&updates, 5, false), 2, 1);
    checkRegions(add(&updates, 9, true), 0, 0);
    checkRegions(add(&updates, 10, false), 1, 0);
}

/* A frame that is recorded sees its own update, not that of the frame that is prepared. */
TEST(olderFramesSeeTheirOwn) {
    Updates updates = {0};
    add(&updates, 4, false);
    add(&updates, 6, false);
    assert_int_equal(sknUpdateOf(&updates, 5)->frame, 4);
    assert_int_equal(sknUpdateOf(&updates, 6)->frame, 6);
    assert_int_equal(sknUpdateOf(&updates, 9)->frame, 6);
    assert_null(sknUpdateIn(&updates, 5));
    assert_int_equal(sknUpdateIn(&updates, 4)->poseVersion, 40);
}

TEST(claimsWithoutAnUpdateEnd) {
    Updates updates = {0};
    add(&updates, 4, false);
    assert_true(sknClaimUpdate(&updates, 5));
    sknUnclaimUpdate(&updates);
    assert_true(sknClaimUpdate(&updates, 5));
    sknUnclaimUpdate(&updates);
    assert_false(sknClaimUpdate(&updates, 4));
}

TEST(framesAreTakenBackTogether) {
    Updates updates = {0};
    add(&updates, 4, false);
    add(&updates, 5, false);
    add(&updates, 6, false);
    sknTakeBackUpdates(&updates, 5);
    assert_int_equal(sknNewestUpdate(&updates)->frame, 4);
    checkRegions(add(&updates, 7, false), 2, 1);
    sknTakeBackUpdates(&updates, 8);
    assert_int_equal(sknNewestUpdate(&updates)->frame, 7);
}

/* The later update is as if the one under it had not been: its region, its history. */
TEST(updatesAreTakenBackFromUnderOthers) {
    for (int teleport = 0; teleport < 2; teleport++) {
        Updates updates = {0};
        add(&updates, 4, false);
        add(&updates, 5, false);
        checkRegions(add(&updates, 6, teleport != 0), 0, teleport != 0 ? 0 : 2);
        const Update *later = sknTakeBackUpdate(&updates, 5, REGIONS, 6);
        assert_ptr_equal(later, sknNewestUpdate(&updates));
        assert_int_equal(later->poseVersion, 60);
        checkRegions(later, 2, teleport != 0 ? 2 : 1);
        assert_int_equal(sknUpdateOf(&updates, 5)->frame, 4);
        assert_false(sknClaimUpdate(&updates, 6));
    }
}

TEST(theFirstUpdateIsTakenBackFromUnderOthers) {
    Updates updates = {0};
    add(&updates, 5, false);
    add(&updates, 6, false);
    checkRegions(sknTakeBackUpdate(&updates, 5, REGIONS, 6), 0, 0);
    assert_null(sknTakeBackUpdate(&updates, 6, REGIONS, 6));
    assert_int_equal(sknNewestUpdate(&updates)->frame, 0);
    assert_true(sknClaimUpdate(&updates, 6));
}
