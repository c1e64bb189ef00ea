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

/* Above this spread of a case's times or ratios, in percent of their median, a result is marked: no conclusion. */
#define SPREAD_TOO_WIDE 25.0

typedef enum CaseOutcome {
    OUTCOME_TIMED,    /* all numbers are there */
    OUTCOME_WRONG,    /* the output was not the reference's: no time */
    OUTCOME_LEFT_OUT, /* this machine cannot, `message` says why: no time, and no failure */
    OUTCOME_FAILED    /* it could not be made or run, for want of memory for example: no time */
} CaseOutcome;

typedef struct CaseResult {
    const BenchCase *benchCase;
    CaseOutcome outcome;
    char message[ENGINE_ERROR_SIZE]; /* why there is no time; empty otherwise */
    char settings[CASE_SETTINGS_SIZE];
    const char *clock; /* "wall" or "timestamps" */
    Measured time;     /* milliseconds; spread: interquartile range in percent of the median (measure.h) */
    Measured ratio; /* how many times faster than the baseline a vertex is: above 1 is faster; count 0: no baseline */
    Measured cpuRatio; /* likewise by RunTime.cpu */
    Measured cpu;      /* milliseconds of RunTime.cpu */
    Measured host;     /* milliseconds of RunTime.host */
    double minimum;    /* milliseconds of the fastest round */
    CaseTraffic traffic;
    Invocations invocations;  /* of shaders in a run, counted by the device; 0 where it cannot */
    double verticesPerSecond; /* bones for poses; 0 for limits */
    double bytesPerSecond;    /* read and written */
    double bytesPerVertex;    /* read and written; 0 for limits */
    double percentOfLimit;    /* of the fastest limit of its domain: limitBytes a second, the median of the rounds' own
                               * percentages; 0 where none was measured */
    bool unsure;              /* the spread is too wide to conclude */
} CaseResult;

typedef struct BenchRun {
    BenchEnvironment environment;
    DeviceInfo deviceInfo;            /* zero without a device */
    char cpuName[128];                /* of the machine */
    char build[128];                  /* build type, compiler and its version */
    double limit[LIMIT_DOMAIN_COUNT]; /* bytes a second; 0: not measured */
    uint32_t resultCount;
    CaseResult *results; /* [resultCount], in the order of the table */
} BenchRun;

/*
 * Runs the chosen cases and what they are compared with: their baselines, and the limits of their domains. chosen:
 * [count], in any order. A case that fails has its message; false only where host memory is out, and *run is zero then.
 * The device stays the caller's.
 */
bool benchRun(const BenchCase *const *chosen, uint32_t count, const BenchEnvironment *environment, BenchRun *run,
              EngineError *error);

/*
 * The same as CaseResult.percentOfLimit, but with the processor's time (RunTime.cpu) on both sides: other programs
 * disturb it less. 0: the domain is not LIMIT_CPU, or no limit was measured.
 */
double cpuPercentOfLimit(const BenchRun *run, const CaseResult *result);

/* True where every case has its time or was left out. */
bool benchRunIsGood(const BenchRun *run);

/* A zero run is allowed. */
void benchRunFree(BenchRun *run);

#endif
