/*
 * bench_case.h: a case of the bench, and the table of all cases.
 *
 * The harness (bench_run.h) treats all cases alike. It prepares a case, poisons its output, runs it once and compares the
 * output with the reference. Then it times the case in turn with the other cases of its group. A new case is a row in
 * device_cases.c, system_case.c, frame_cases.c, cpu_cases.c, spine_cases.c or call_cases.c. A new kind of work is a CaseFunctions.
 */
#ifndef BENCH_BENCH_CASE_H
#define BENCH_BENCH_CASE_H

#include <stdint.h>

#include "device_clock.h"
#include "engine_error.h"
#include "vkskin/vkskin_cpu.h"

typedef enum CaseKind {
    CASE_DEVICE, /* skinning on a Vulkan device */
    CASE_CPU,    /* skinning on the CPU: the library, or the loops that it is compared with */
    CASE_POSE,   /* sampling, hierarchy and palettes on the CPU */
    CASE_CALLS,  /* the host's calls of a frame */
    CASE_LIMIT   /* memory bandwidth: fill and copy */
} CaseKind;

/* The memory that bounds a case. The limit of a domain is the fastest median of its CASE_LIMIT cases, in bytes per
 * second. */
typedef enum LimitDomain {
    LIMIT_DEVICE,      /* the Vulkan device */
    LIMIT_CPU,         /* one thread, streaming stores */
    LIMIT_CPU_THREADS, /* all threads together */
    LIMIT_NONE,        /* memory does not bound the case */
    LIMIT_DOMAIN_COUNT
} LimitDomain;

/* The input of every case. */
typedef struct BenchEnvironment {
    Device *device;     /* null: no chosen case needs a device */
    DeviceClock *clock; /* clock of `device`; null without a device */
    bool quick;         /* few repetitions, and fewer instances on the CPU */
} BenchEnvironment;

/* The work and memory traffic of one run, computed from the formats. Cache hits count as traffic. */
typedef struct CaseTraffic {
    double vertices;  /* skinned vertices; bones for CASE_POSE, instances for CASE_CALLS; 0 for CASE_LIMIT */
    double bytesRead; /* bytes read: a source that is read once for K instances counts 1/K */
    double bytesWritten;
} CaseTraffic;

#define CASE_SETTINGS_SIZE 96

/* Plots of whole frames of crowds. */
typedef enum FramePlot {
    FRAME_PLOT_NONE,
    FRAME_PLOT_COUNT,  /* by number of characters */
    FRAME_PLOT_VISIBLE /* by visible percent */
} FramePlot;

typedef struct BenchCase BenchCase;

/*
 * The functions of a kind of work. All run on one thread. `state` is `stateSize` bytes of the harness, zero at first. A
 * function that fails sets *error to one line. The line need not name the case: the harness puts the name in front.
 */
typedef struct CaseFunctions {
    size_t stateSize;
    /* Creates everything that the case needs, so that `run` allocates nothing. */
    bool (*prepare)(void *state, const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error);
    /* Fills the output with a pattern that no correct result contains. */
    bool (*poison)(void *state, EngineError *error);
    /* One whole repetition. *time is zero at the call. */
    bool (*run)(void *state, RunTime *time, EngineError *error);
    /* Compares the output of the last run, which wrote into poisoned output, with the reference. False: it is wrong, and
     * *error says where. */
    bool (*check)(void *state, EngineError *error);
    CaseTraffic (*traffic)(const void *state);
    /* The settings that matter, such as "K 16, workgroup 64, storage buffer"; may be empty. */
    void (*describe)(const void *state, char settings[CASE_SETTINGS_SIZE]);
    void (*destroy)(void *state); /* also if `prepare` failed */
} CaseFunctions;

struct BenchCase {
    const char *name;    /* "crowd-mix-packed": lower case, unique */
    const char *summary; /* one line for --list, without a full stop */
    CaseKind kind;
    LimitDomain domain;
    bool quick;             /* measured with --quick */
    const char *backend;    /* what does the work: "compute", "vertex shader", "cpu", "transfer" */
    const char *baseline;   /* the case that the ratio refers to, in the same rounds. Its own name: it is a baseline.
                             * Null: none */
    const char *curve;      /* legend of its curve in the plot of cost over instances; null: not in the plot */
    uint32_t instances;     /* x on the curve */
    uint32_t passes;        /* passes in the plot of systems by characters that has its curve: 1 or 3; 0: in none */
    FramePlot framePlot;    /* that has its curve, with `instances` on its x axis */
    uint32_t step;          /* position in the plot of ratio by step, from 1; 0: not in the plot */
    const char *stepName;   /* label in that plot */
    VkskinCpuLevel level;   /* instructions that the case needs; a machine without them skips it. 0: any */
    const void *parameters; /* parameters of the functions */
    const CaseFunctions *functions;
};

/* The rows of one file. */
typedef struct CaseTable {
    const BenchCase *cases;
    uint32_t count;
} CaseTable;

/* The rows of device_cases.c, system_case.c, frame_cases.c, cpu_cases.c, spine_cases.c and call_cases.c, in the order of
 * --list. */
CaseTable deviceCases(void);
CaseTable systemCases(void);
CaseTable frameCases(void);
CaseTable cpuCases(void);
CaseTable spineCases(void);
CaseTable callCases(void);

/* All rows, in this order. */
uint32_t benchCaseCount(void);
const BenchCase *benchCaseAt(uint32_t index); /* null: index is too large */

/* Null: no case has this name. */
const BenchCase *benchCaseFind(const char *name);

/* Allocates the state and prepares it. Null on failure. */
void *benchCasePrepare(const BenchCase *benchCase, const BenchEnvironment *environment, EngineError *error);

/* Destroys and frees a state. */
void benchCaseDestroy(const BenchCase *benchCase, void *state);

/* Why this machine cannot run the case, or null. */
const char *benchCaseUnsupported(const BenchCase *benchCase);

/* The case's instructions and threads: all processors in LIMIT_CPU_THREADS, else the calling thread. */
VkskinCpuRun benchCaseCpuRun(const BenchCase *benchCase);

/* The bytes that are compared with the limit: on the device read and written ones, on the CPU written ones. */
double benchCaseLimitBytes(const BenchCase *benchCase, const CaseTraffic *traffic);

/* Whether the case needs a Vulkan device. */
bool benchCaseNeedsDevice(const BenchCase *benchCase);

#endif
