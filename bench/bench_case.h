/*
 * bench_case.h: what a case of the bench is, and the one table of all of them.
 *
 * The harness (bench_run.h) treats every case alike: it prepares it, poisons its output, runs it once, holds the output
 * against the reference, and only then times it, in turn with all other cases of its group. A new case is a row in
 * device_cases.c or cpu_cases.c; a new kind of work is a CaseFunctions.
 */
#ifndef BENCH_BENCH_CASE_H
#define BENCH_BENCH_CASE_H

#include <stdint.h>

#include "device_clock.h"
#include "engine_error.h"

typedef enum CaseKind {
    CASE_DEVICE, /* skinning by a Vulkan device */
    CASE_CPU,    /* skinning by the CPU backend, or by loops that it is compared with */
    CASE_POSE,   /* sampling, hierarchy and palettes on the CPU */
    CASE_LIMIT   /* what the memory can do: fill and copy */
} CaseKind;

/* Whose memory a case is bound by. A domain's limit is the fastest median of its cases of kind CASE_LIMIT, in bytes a
 * second. */
typedef enum LimitDomain {
    LIMIT_DEVICE,      /* the Vulkan device's */
    LIMIT_CPU,         /* one thread's, by streaming stores */
    LIMIT_CPU_THREADS, /* all threads' together */
    LIMIT_DOMAIN_COUNT
} LimitDomain;

/* What all cases are made from. */
typedef struct BenchEnvironment {
    Device *device;     /* null where no chosen case needs one */
    DeviceClock *clock; /* of `device`; null without one */
    bool quick;         /* few repetitions, and fewer instances on the CPU */
} BenchEnvironment;

/* What one run does and moves, counted from the formats. Caches are not looked into. */
typedef struct CaseTraffic {
    double vertices;     /* skinned; for CASE_POSE bones; for CASE_LIMIT 0 */
    double bytesRead;    /* as often as the way reads them: a source that is read once for K instances counts 1/K */
    double bytesWritten; /* by all */
    double limitBytes;   /* what is held against the domain's limit: for the device both, for the CPU those written */
} CaseTraffic;

#define CASE_SETTINGS_SIZE 96

typedef struct BenchCase BenchCase;

/*
 * How a kind of work is done. All are called on one thread. `state` is what prepare returned. A function that fails
 * writes one line; what it names need not be the case, which the harness puts before it.
 */
typedef struct CaseFunctions {
    /* Why this machine cannot run the case, which is then left out and no failure; null: it can. May be null itself. */
    const char *(*unsupported)(const BenchCase *benchCase, const BenchEnvironment *environment);
    /* Makes all that the case needs, so that `run` allocates nothing. Null on failure, with nothing left over. */
    void *(*prepare)(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error);
    /* Fills the output with a pattern that no right result holds. */
    bool (*poison)(void *state, EngineError *error);
    /* One repetition, whole. *time is zero when it comes. */
    bool (*run)(void *state, RunTime *time, EngineError *error);
    /* Holds the output of the last run, into poisoned output, against the reference. False: it is wrong; the line says
     * where. */
    bool (*check)(void *state, EngineError *error);
    CaseTraffic (*traffic)(const void *state);
    /* "K 16, workgroup 64, storage buffer": the settings that count, may be empty. */
    void (*describe)(const void *state, char settings[CASE_SETTINGS_SIZE]);
    void (*destroy)(void *state); /* null is not given */
} CaseFunctions;

struct BenchCase {
    const char *name;    /* "crowd-mix-packed": lower case, unique */
    const char *summary; /* one line for --list, no full stop */
    CaseKind kind;
    LimitDomain domain;
    bool quick;             /* among those of --quick */
    const char *backend;    /* "compute", "vertex shader", "cpu", "transfer": what does the work */
    const char *clock;      /* "wall" where it is always that; null: the device's, see device_clock.h */
    const char *baseline;   /* the case that its ratio is to, measured in the same rounds; its own name: it is one;
                              * null: none */
    const char *curve;      /* in the plot of cost against instances: the legend of its curve; null: not in it */
    uint32_t instances;     /* its place on the curve */
    uint32_t step;          /* in the plot of ratio by step: its place, 1 up; 0: not in it */
    const char *stepName;   /* the label there */
    const void *parameters; /* of the functions: what to do, how much of it */
    const CaseFunctions *functions;
};

/* Rows of one file. */
typedef struct CaseTable {
    const BenchCase *cases;
    uint32_t count;
} CaseTable;

/* device_cases.c and cpu_cases.c: their rows, in the order in which they are listed. */
CaseTable deviceCases(void);
CaseTable cpuCases(void);

/* All rows: limits, device, CPU, poses, in the order of the tables. */
uint32_t benchCaseCount(void);
const BenchCase *benchCaseAt(uint32_t index); /* null beyond the last */

/* Null where there is none of that name. */
const BenchCase *benchCaseFind(const char *name);

/* Whether the case needs a Vulkan device. */
bool benchCaseNeedsDevice(const BenchCase *benchCase);

#endif
