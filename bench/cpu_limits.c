#include "case_kinds.h"

#include <immintrin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

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

/* ---- The cases ---- */

/* Several times the last-level cache of a large processor; as much as the skinning cases write. */
#define LIMIT_BYTES       ((size_t)240 << 20)
#define QUICK_LIMIT_BYTES ((size_t)80 << 20)

#define WORD   0x3f800000u
#define POISON 0xffc0ffeeu

typedef struct CpuLimit {
    VkskinParallelFn parallel; /* null: the calling thread only */
    size_t size;
    uint32_t *to;
    uint32_t *from; /* null without a copy */
} CpuLimit;

static void destroy(void *data) {
    CpuLimit *limit = data;
    free(limit->to);
    free(limit->from);
}

static bool prepare(void *data, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error) {
    CpuLimit *limit = data;
    const CpuLimitDef *def = benchCase->parameters;
    limit->parallel = benchCaseCpuRun(benchCase).parallel;
    limit->size = environment->quick ? QUICK_LIMIT_BYTES : LIMIT_BYTES;
    limit->to = aligned_alloc(LINE, limit->size);
    limit->from = def->copies ? aligned_alloc(LINE, limit->size) : NULL;
    if (!limit->to || (def->copies && !limit->from)) {
        return engineFail(error, "out of memory");
    }
    if (limit->from) {
        cpuStreamFill(limit->from, limit->size, WORD, NULL);
    }
    return true;
}

static bool poison(void *data, EngineError *error) {
    (void)error;
    const CpuLimit *limit = data;
    cpuStreamFill(limit->to, limit->size, POISON, NULL);
    return true;
}

static bool run(void *data, RunTime *time, EngineError *error) {
    (void)error;
    const CpuLimit *limit = data;
    Work work = {.stream = stream(),
                 .to = (char *)limit->to,
                 .from = (const char *)limit->from,
                 .size = limit->size,
                 .word = WORD};
    const double start = measureNow(), busy = processNow();
    doWork(&work, limit->parallel);
    time->work = measureNow() - start;
    time->cpu = processNow() - busy;
    return true;
}

static bool check(void *data, EngineError *error) {
    const CpuLimit *limit = data;
    for (size_t i = 0; i < limit->size / sizeof(uint32_t); i++) {
        if (limit->to[i] != WORD) {
            return engineFail(error, "word %zu was not written", i);
        }
    }
    return true;
}

static CaseTraffic traffic(const void *data) {
    const CpuLimit *limit = data;
    const double size = (double)limit->size;
    return (CaseTraffic){.bytesRead = limit->from ? size : 0.0, .bytesWritten = size};
}

static void describe(const void *data, char settings[CASE_SETTINGS_SIZE]) {
    const CpuLimit *limit = data;
    snprintf(settings, CASE_SETTINGS_SIZE, "%s, %s", stream()->name, limit->parallel ? "all processors" : "one thread");
}

const CaseFunctions CPU_LIMIT = {sizeof(CpuLimit), prepare, poison, run, check, traffic, describe, destroy};
