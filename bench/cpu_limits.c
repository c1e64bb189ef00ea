#include "cpu_limits.h"

#include <stdio.h>
#include <stdlib.h>

#include "cpu_stream.h"
#include "measure.h"
#include "parallel.h"

/* Several times the last cache of a large processor; as much as what the skinning cases write. */
#define LIMIT_BYTES       ((size_t)240 << 20)
#define QUICK_LIMIT_BYTES ((size_t)80 << 20)

#define WORD   0x3f800000u
#define POISON 0xffc0ffeeu

typedef struct LimitState {
    const CpuLimit *limit;
    size_t size;
    uint32_t *to;
    uint32_t *from; /* null without a copy */
} LimitState;

static VkskinParallelFn threadsOf(const LimitState *state) {
    return state->limit->threads ? parallelFor : NULL;
}

static void destroy(void *data) {
    LimitState *state = data;
    free(state->to);
    free(state->from);
    free(state);
}

static void *prepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    LimitState *state = calloc(1, sizeof *state);
    if (!state) {
        engineFail(error, "out of memory");
        return NULL;
    }
    state->limit = benchCase->parameters;
    state->size = environment->quick ? QUICK_LIMIT_BYTES : LIMIT_BYTES;
    state->to = aligned_alloc(64, state->size);
    state->from = state->limit->copy ? aligned_alloc(64, state->size) : NULL;
    if (!state->to || (state->limit->copy && !state->from)) {
        engineFail(error, "out of memory");
        destroy(state);
        return NULL;
    }
    if (state->from) {
        cpuStreamFill(state->from, state->size, WORD, NULL);
    }
    return state;
}

static bool poison(void *data, EngineError *error) {
    (void)error;
    const LimitState *state = data;
    cpuStreamFill(state->to, state->size, POISON, NULL);
    return true;
}

static bool run(void *data, RunTime *time, EngineError *error) {
    (void)error;
    const LimitState *state = data;
    const double start = measureNow(), busy = processNow();
    if (state->from) {
        cpuStreamCopy(state->to, state->from, state->size, threadsOf(state));
    } else {
        cpuStreamFill(state->to, state->size, WORD, threadsOf(state));
    }
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return true;
}

static bool check(void *data, EngineError *error) {
    const LimitState *state = data;
    for (size_t i = 0; i < state->size / sizeof(uint32_t); i++) {
        if (state->to[i] != WORD) {
            return engineFail(error, "word %zu was not written", i);
        }
    }
    return true;
}

static CaseTraffic traffic(const void *data) {
    const LimitState *state = data;
    const double size = (double)state->size;
    return (CaseTraffic){.bytesRead = state->from ? size : 0.0, .bytesWritten = size, .limitBytes = size};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const LimitState *state = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%s, %s", cpuStreamName(),
             state->limit->threads ? "all processors" : "one thread");
}

const CaseFunctions cpuLimitFunctions = {
    .prepare = prepare,
    .poison = poison,
    .run = run,
    .check = check,
    .traffic = traffic,
    .describe = describe,
    .destroy = destroy,
};
