/*
 * bench_run.h: measures cases side by side and keeps the results.
 *
 * Cases that share a baseline are a group. A group is prepared together and runs in turn, round after round, with the
 * limits of its domain among them: what disturbs the machine disturbs all of them alike. Groups follow one another.
 * A time is the median over the rounds. A ratio is the median of the ratios of the rounds.
 */
#ifndef BENCH_BENCH_RUN_H
#define BENCH_BENCH_RUN_H

#include "bench_case.h"
#include "measure.h"

/* A result with a larger spread of its times or ratios, in percent of the median, is marked as unsure. */
#define SPREAD_TOO_WIDE 25.0

typedef enum CaseOutcome {
    OUTCOME_TIMED,    /* it has a time */
    OUTCOME_WRONG,    /* the output differs from the reference: no time */
    OUTCOME_LEFT_OUT, /* this machine cannot run it, `message` says why: no time, no failure */
    OUTCOME_FAILED    /* it could not be prepared or run, for example out of memory: no time */
} CaseOutcome;

typedef struct CaseResult {
    const BenchCase *benchCase;
    CaseOutcome outcome;
    char message[ENGINE_ERROR_SIZE]; /* why there is no time; empty otherwise */
    char settings[CASE_SETTINGS_SIZE];
    const char *clock; /* "wall" or "timestamps" */
    Measured time;     /* milliseconds; spread: interquartile range in percent of the median (measure.h) */
    Measured ratio;    /* how many times faster a vertex is than in the baseline; count 0: no baseline */
    Measured cpuRatio; /* the same from RunTime.cpu */
    Measured cpu;      /* milliseconds of RunTime.cpu */
    Measured host;     /* milliseconds of RunTime.host */
    double minimum;    /* milliseconds of the fastest round */
    CaseTraffic traffic;
    Invocations invocations;  /* invocations of shaders in one run, counted by the device; 0: not supported */
    double verticesPerSecond; /* bones for poses; 0 for limits */
    double bytesPerSecond;    /* read and written */
    double bytesPerVertex;    /* read and written; 0 for limits */
    double percentOfLimit;    /* benchCaseLimitBytes per second in percent of the domain's limit, the median of the
                               * rounds; 0: not measured */
    bool unsure;              /* the spread is too wide to conclude */
} CaseResult;

typedef struct BenchRun {
    BenchEnvironment environment;
    DeviceInfo deviceInfo;            /* zero without a device */
    char cpuName[128];                /* name of the machine's CPU */
    char build[128];                  /* build type, compiler and its version */
    double limit[LIMIT_DOMAIN_COUNT]; /* bytes a second; 0: not measured */
    uint32_t resultCount;
    CaseResult *results; /* [resultCount], in the order of the table */
} BenchRun;

/*
 * Runs the chosen cases, their baselines and the limits of their domains. chosen: [count], in any order. A case that fails
 * gets a message. Returns false only if host memory runs out; *run is then zero. The caller keeps the device.
 */
bool benchRun(const BenchCase *const *chosen, uint32_t count, const BenchEnvironment *environment, BenchRun *run,
              EngineError *error);

/*
 * The same as CaseResult.percentOfLimit, but with the processor's time (RunTime.cpu) on both sides: other programs
 * disturb it less. 0: the domain is not LIMIT_CPU, or no limit was measured.
 */
double cpuPercentOfLimit(const BenchRun *run, const CaseResult *result);

/* True: every case has a time or was skipped. */
bool benchRunIsGood(const BenchRun *run);

/* A zero run is allowed. */
void benchRunFree(BenchRun *run);

#endif
