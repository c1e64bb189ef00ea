#include "cpu_limits.h"

#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "parallel.h"

#if defined(__x86_64__)
#endif

#define LINE  64
#define SHARE ((size_t)1 << 20) /* bytes per task */

/*
 * One loop for each width, without a branch around a store: a compiler merged both sides of `stream or store` into a
 * plain store. The test bench.streaming_stores checks the machine code.
 */
typedef struct Stream {
    const char *name;
    void (*fill)(char *bytes, size_t size, uint32_t word);
    void (*copy)(char *to, const char *from, size_t size);
} Stream;

#if defined(__x86_64__)

static void fill16(char *bytes, size_t size, uint32_t word) {
    const __m128i words = _mm_set1_epi32((int)word);
    for (size_t i = 0; i < size; i += LINE) {
        for (size_t j = 0; j < LINE; j += 16) {
            _mm_stream_si128((__m128i *)(bytes + i + j), words);
        }
    }
    _mm_sfence();
}

static void copy16(char *to, const char *from, size_t size) {
    for (size_t i = 0; i < size; i += LINE) {
        for (size_t j = 0; j < LINE; j += 16) {
            _mm_stream_si128((__m128i *)(to + i + j), _mm_load_si128((const __m128i *)(from + i + j)));
        }
    }
    _mm_sfence();
}

__attribute__((target("avx2"))) static void fill32(char *bytes, size_t size, uint32_t word) {
    const __m256i words = _mm256_set1_epi32((int)word);
    for (size_t i = 0; i < size; i += LINE) {
        _mm256_stream_si256((__m256i *)(bytes + i), words);
        _mm256_stream_si256((__m256i *)(bytes + i + 32), words);
    }
    _mm_sfence();
}

__attribute__((target("avx2"))) static void copy32(char *to, const char *from, size_t size) {
    for (size_t i = 0; i < size; i += LINE) {
        _mm256_stream_si256((__m256i *)(to + i), _mm256_load_si256((const __m256i *)(from + i)));
        _mm256_stream_si256((__m256i *)(to + i + 32), _mm256_load_si256((const __m256i *)(from + i + 32)));
    }
    _mm_sfence();
}

__attribute__((target("avx512f"))) static void fill64(char *bytes, size_t size, uint32_t word) {
    const __m512i words = _mm512_set1_epi32((int)word);
    for (size_t i = 0; i < size; i += LINE) {
        _mm512_stream_si512((__m512i *)(bytes + i), words);
    }
    _mm_sfence();
}

__attribute__((target("avx512f"))) static void copy64(char *to, const char *from, size_t size) {
    for (size_t i = 0; i < size; i += LINE) {
        _mm512_stream_si512((__m512i *)(to + i), _mm512_load_si512(from + i));
    }
    _mm_sfence();
}

static const Stream *stream(void) {
    static const Stream streams[] = {
        {"streaming stores of 16 bytes", fill16, copy16},
        {"streaming stores of 32 bytes", fill32, copy32},
        {"streaming stores of 64 bytes", fill64, copy64},
    };
    const VkskinCpuLevel level = vkskinGetCpuLevel();
    return &streams[level == VKSKIN_CPU_AVX512 ? 2 : level == VKSKIN_CPU_AVX2 ? 1 : 0];
}

#else

static void fillPlain(char *bytes, size_t size, uint32_t word) {
    for (size_t i = 0; i < size; i += sizeof word) {
        memcpy(bytes + i, &word, sizeof word);
    }
}

static void copyPlain(char *to, const char *from, size_t size) {
    memcpy(to, from, size);
}

static const Stream *stream(void) {
    static const Stream plain = {"plain stores", fillPlain, copyPlain};
    return &plain;
}

#endif

const char *cpuStreamName(void) {
    return stream()->name;
}

typedef struct Work {
    const Stream *stream;
    char *to;
    const char *from; /* null: filled with the word */
    size_t size;
    uint32_t word;
} Work;

static void doShare(void *data, uint32_t i) {
    const Work *work = data;
    const size_t begin = i * SHARE;
    const size_t size = work->size - begin < SHARE ? work->size - begin : SHARE;
    if (work->from) {
        work->stream->copy(work->to + begin, work->from + begin, size);
    } else {
        work->stream->fill(work->to + begin, size, work->word);
    }
}

static void doWork(Work *work, VkskinParallelFn parallel) {
    const uint32_t shares = (uint32_t)((work->size + SHARE - 1) / SHARE);
    if (parallel && shares > 0) {
        parallel(NULL, shares, doShare, work);
        return;
    }
    for (uint32_t i = 0; i < shares; i++) {
        doShare(work, i);
    }
}

void cpuStreamFill(void *bytes, size_t size, uint32_t word, VkskinParallelFn parallel) {
    doWork(&(Work){.stream = stream(), .to = bytes, .size = size, .word = word}, parallel);
}

void cpuStreamCopy(void *to, const void *from, size_t size, VkskinParallelFn parallel) {
    doWork(&(Work){.stream = stream(), .to = to, .from = from, .size = size}, parallel);
}

/* Several times the last-level cache of a large processor; as much as the skinning cases write. */
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
