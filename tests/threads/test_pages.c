/*
 * One thread makes instances until their output takes many pages; one asks for each as it comes, one counts them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>

#include "stage.h"

#define PAGES     40u
#define PAGE_SIZE 65536u

typedef struct Growth {
    NullDriver *driver;
    VkskinContext context;
    StageCounts counts;
    VkskinMesh mesh;
} Growth;

static void makeInstances(void *argument) {
    Growth *growth = argument;
    while (vkskinGetOutputPageCount(growth->context) < PAGES) {
        VkskinInstance instance;
        if (!CREW_CHECK(instanceOf(growth->context, growth->mesh, &instance) == VKSKIN_SUCCESS)) {
            return;
        }
    }
}

/* Until its last page is there: pages come and stay, and nothing but these calls tells of them. */
static void askForPages(void *argument) {
    Growth *growth = argument;
    VkskinOutputPage pages[PAGES] = {0};
    for (uint32_t seen = 0; seen < PAGES && crewRead(&growth->counts.messages) == 0; sched_yield()) {
        if (vkskinGetOutputPageCount(growth->context) > seen) {
            CREW_CHECK(vkskinGetOutputPage(growth->context, seen, &pages[seen]) == VKSKIN_SUCCESS);
            CREW_CHECK(pages[seen].buffer != VK_NULL_HANDLE && pages[seen].size == PAGE_SIZE);
            seen++;
        }
    }
    for (uint32_t i = 0; i < PAGES; i++) {
        VkskinOutputPage again;
        CREW_CHECK(vkskinGetOutputPage(growth->context, i, &again) == VKSKIN_SUCCESS);
        CREW_CHECK(again.buffer == pages[i].buffer);
    }
}

static void countPages(void *argument) {
    Growth *growth = argument;
    for (uint32_t seen = 0; seen < PAGES && crewRead(&growth->counts.messages) == 0; sched_yield()) {
        uint32_t count = vkskinGetOutputPageCount(growth->context);
        CREW_CHECK(count >= seen && count <= PAGES);
        seen = count;
    }
}

static void pagesComeWhileOthersAsk(void **state) {
    static const CrewWork works[] = {makeInstances, askForPages, countPages};
    (void)state;
    Growth growth = {.driver = stageDriver(NULL_DRIVER_UNIFIED, true)};
    VkskinContextDef def = stageContextDef(growth.driver, &growth.counts);
    growth.context = stageContext(&def, &growth.counts);
    assert_non_null(growth.context);
    assert_int_equal(stageMesh(growth.context, STAGE_MAX_SIZE, &growth.mesh), VKSKIN_SUCCESS);
    crewRun(works, sizeof works / sizeof works[0], &growth);
    assert_int_equal(crewRead(&growth.counts.messages), 0);
    vkskinDestroyContext(growth.context);
    stageEnd(growth.driver, &growth.counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(pagesComeWhileOthersAsk)};
    return cmocka_run_group_tests_name("threads: pages", tests, NULL, NULL);
}
