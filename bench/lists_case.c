#include <stdio.h>

#include "case_kinds.h"
#include "crowd_lists.h"
#include "measure.h"

#define BYTES 72.0 /* bytes per character: its state, its key and its slot */

typedef struct ListsState {
    const ListsDef *def;
    VkskinCpuRun run;
    CrowdLists *lists;
    uint32_t frame;
} ListsState;

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    ListsState *state = data;
    (void)environment;
    (void)error;
    state->def = benchCase->parameters;
    state->run = benchCaseCpuRun(benchCase);
    state->run.level = state->run.level == VKSKIN_CPU_AUTO ? vkskinGetCpuLevel() : state->run.level;
    state->lists = newCrowdLists(
        &(CrowdListsDef){.characters = state->def->characters, .slots = state->def->characters / 4, .visible = 0.14f});
    return true;
}

static void destroy(void *data) {
    freeCrowdLists(((ListsState *)data)->lists);
}

static bool poison(void *data, EngineError *error) {
    ListsState *state = data;
    (void)error;
    crowdListsPoison(state->lists, state->def->loop);
    return true;
}

static void runSide(ListsState *state, bool loop) {
    if (loop) {
        crowdListsLoop(state->lists, state->frame);
    } else {
        crowdListsRun(state->lists, state->run.level, state->run.parallel, state->run.parallelUser, state->frame);
    }
}

/* The other side has the same frames, outside of the time: the check compares the two. */
static bool run(void *data, RunTime *time, EngineError *error) {
    ListsState *state = data;
    (void)error;
    const double begun = measureNow();
    const double begunCpu = processNow();
    runSide(state, state->def->loop);
    time->work = measureNow() - begun;
    time->cpu = processNow() - begunCpu;
    runSide(state, !state->def->loop);
    state->frame++;
    return true;
}

static bool check(void *data, EngineError *error) {
    const ListsState *state = data;
    const char *difference = crowdListsDifference(state->lists);
    return !difference || engineFail(error, "the %s are not those of the loop", difference);
}

static CaseTraffic traffic(const void *data) {
    const ListsState *state = data;
    return (CaseTraffic){.vertices = state->def->characters, .bytesRead = BYTES * state->def->characters};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const ListsState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%u of %u characters visible, %s", crowdListsListed(state->lists),
             state->def->characters, state->run.parallel ? "all processors" : "one thread");
}

const CaseFunctions LISTS = {sizeof(ListsState), prepare, poison, run, check, traffic, describe, destroy};
