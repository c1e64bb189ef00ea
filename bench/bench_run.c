#include "bench_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The rounds of a group: the minimum, then more until the time is over. */
typedef struct Effort {
    uint32_t least, most;
    double milliseconds; /* minimum time for a group */
} Effort;

static const Effort FULL = {7, 101, 6000.0};
static const Effort QUICK = {5, 15, 1000.0};

/* What is sampled in each round: milliseconds of RunTime, ratios to the baseline of the same round, and percent of the
 * fastest limit of the same round. */
typedef enum Sampled { WORK, CPU, HOST, RATIO, CPU_RATIO, LIMIT, SAMPLED_COUNT } Sampled;

/* A case while it is measured. */
typedef struct Runner {
    const BenchCase *benchCase;
    CaseResult *result;
    void *state; /* null: not prepared, or failed */
    RunTime last;
    Samples samples[SAMPLED_COUNT];
    struct Runner *baseline; /* null: none */
    bool takesPart;          /* in the rounds of the group that is measured now */
} Runner;

typedef struct Bench {
    BenchRun *run;
    Runner *runners; /* [run->resultCount] */
    Effort effort;
} Bench;

/* ---- One case ---- */

static void giveUp(Runner *runner, CaseOutcome outcome, const EngineError *error) {
    runner->result->outcome = outcome;
    snprintf(runner->result->message, sizeof runner->result->message, "%s", error->message);
    if (runner->state) {
        benchCaseDestroy(runner->benchCase, runner->state);
        runner->state = NULL;
    }
}

/* Runs a case once while the device counts shader invocations. */
static bool runCounted(Runner *runner, DeviceClock *clock, EngineError *error) {
    bool counts = clock && benchCaseNeedsDevice(runner->benchCase);
    if (counts) {
        clock->counts = true;
        clock->invocations = (Invocations){0};
    }
    bool good = runner->benchCase->functions->run(runner->state, &runner->last, error);
    if (counts) {
        clock->counts = false;
        runner->result->invocations = clock->invocations;
    }
    return good;
}

/* Runs the case once into poisoned output and compares that with the reference. Called before and after timing, because
 * a case might do its work only the first time. */
static void prove(Runner *runner, DeviceClock *clock) {
    const CaseFunctions *functions = runner->benchCase->functions;
    EngineError error = {.message = ""};
    if (!functions->poison(runner->state, &error) || !runCounted(runner, clock, &error)) {
        giveUp(runner, OUTCOME_FAILED, &error);
    } else if (!functions->check(runner->state, &error)) {
        giveUp(runner, OUTCOME_WRONG, &error);
    }
}

static void begin(Runner *runner, const BenchEnvironment *environment) {
    const CaseFunctions *functions = runner->benchCase->functions;
    EngineError error = {.message = ""};
    const char *why = benchCaseUnsupported(runner->benchCase);
    if (why) {
        engineFail(&error, "%s", why);
        giveUp(runner, OUTCOME_LEFT_OUT, &error);
        return;
    }
    runner->state = benchCasePrepare(runner->benchCase, environment, &error);
    if (!runner->state) {
        giveUp(runner, OUTCOME_FAILED, &error);
        return;
    }
    prove(runner, environment->clock);
    if (runner->state) {
        runner->result->traffic = functions->traffic(runner->state);
        functions->describe(runner->state, runner->result->settings);
    }
}

/* False: the harness itself is out of memory. */
static bool runOnce(Runner *runner, EngineError *error) {
    EngineError failure = {.message = ""};
    runner->last = (RunTime){0};
    if (!runner->state) {
        return true;
    }
    if (!runner->benchCase->functions->run(runner->state, &runner->last, &failure)) {
        giveUp(runner, OUTCOME_FAILED, &failure);
        return true;
    }
    return samplesAdd(&runner->samples[WORK], runner->last.work, error) &&
           samplesAdd(&runner->samples[CPU], runner->last.cpu, error) &&
           samplesAdd(&runner->samples[HOST], runner->last.host, error);
}

/* Both ran in this round. Compares the time per vertex, because the shapes may differ. */
static bool compareOnce(Runner *runner, EngineError *error) {
    const Runner *baseline = runner->baseline;
    if (!baseline || !baseline->state || !runner->state) {
        return true;
    }
    double shapes = runner->result->traffic.vertices / baseline->result->traffic.vertices;
    bool hasCpu = runner->last.cpu > 0.0;
    return samplesAdd(&runner->samples[RATIO], baseline->last.work / runner->last.work * shapes, error) &&
           (!hasCpu || samplesAdd(&runner->samples[CPU_RATIO], baseline->last.cpu / runner->last.cpu * shapes, error));
}

static double limitBytes(const CaseResult *result) {
    return benchCaseLimitBytes(result->benchCase, &result->traffic);
}

/* Rate of the last round, in bytes per second; 0: it did not run. */
static double limitRate(const Runner *runner) {
    return runner->state && runner->last.work > 0.0 ? limitBytes(runner->result) / runner->last.work * 1e3 : 0.0;
}

static void finish(Runner *runner, DeviceClock *clock) {
    CaseResult *result = runner->result;
    if (runner->state) {
        prove(runner, clock);
    }
    if (!runner->state) {
        return;
    }
    result->time = samplesMeasure(&runner->samples[WORK]); /* sorts */
    result->minimum = runner->samples[WORK].values[0];
    result->cpu = samplesMeasure(&runner->samples[CPU]);
    result->host = samplesMeasure(&runner->samples[HOST]);
    result->ratio = samplesMeasure(&runner->samples[RATIO]);
    result->cpuRatio = samplesMeasure(&runner->samples[CPU_RATIO]);
    result->percentOfLimit = samplesMeasure(&runner->samples[LIMIT]).median;
    result->unsure = result->time.spread > SPREAD_TOO_WIDE || result->ratio.spread > SPREAD_TOO_WIDE;
    double seconds = result->time.median * 1e-3;
    const CaseTraffic *traffic = &result->traffic;
    double bytes = traffic->bytesRead + traffic->bytesWritten;
    result->bytesPerSecond = bytes / seconds;
    result->verticesPerSecond = traffic->vertices / seconds;
    result->bytesPerVertex = traffic->vertices > 0.0 ? bytes / traffic->vertices : 0.0;
    benchCaseDestroy(runner->benchCase, runner->state);
    runner->state = NULL;
}

/* ---- A group: a baseline and what is compared with it, with the limits of their domains ---- */

static bool isLimit(const Runner *runner) {
    return runner->benchCase->kind == CASE_LIMIT;
}

static bool sameGroup(const Runner *a, const Runner *b) {
    const char *left = a->benchCase->baseline, *right = b->benchCase->baseline;
    return a == b || (left && right && strcmp(left, right) == 0);
}

/* Selects the group of `first`: its members and the limits of their domains. first null: all limits. */
static void gatherGroup(Bench *bench, const Runner *first) {
    bool needed[LIMIT_DOMAIN_COUNT] = {false};
    for (uint32_t i = 0; i < bench->run->resultCount; i++) {
        Runner *runner = &bench->runners[i];
        runner->takesPart = first && !isLimit(runner) && sameGroup(runner, first);
        needed[runner->benchCase->domain] |= runner->takesPart;
    }
    for (uint32_t i = 0; i < bench->run->resultCount; i++) {
        Runner *runner = &bench->runners[i];
        runner->takesPart |= isLimit(runner) && (!first || needed[runner->benchCase->domain]);
    }
}

static bool holdAgainstLimits(Bench *bench, EngineError *error) {
    double fastest[LIMIT_DOMAIN_COUNT] = {0.0};
    bool good = true;
    for (uint32_t i = 0; i < bench->run->resultCount; i++) {
        const Runner *runner = &bench->runners[i];
        double *limit = &fastest[runner->benchCase->domain];
        if (runner->takesPart && isLimit(runner) && limitRate(runner) > *limit) {
            *limit = limitRate(runner);
        }
    }
    for (uint32_t i = 0; good && i < bench->run->resultCount; i++) {
        Runner *runner = &bench->runners[i];
        double limit = fastest[runner->benchCase->domain];
        if (runner->takesPart && runner->state && limit > 0.0) {
            good = samplesAdd(&runner->samples[LIMIT], limitRate(runner) / limit * 100.0, error);
        }
    }
    return good;
}

static bool runRound(Bench *bench, EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; good && i < bench->run->resultCount; i++) {
        good = !bench->runners[i].takesPart || runOnce(&bench->runners[i], error);
    }
    for (uint32_t i = 0; good && i < bench->run->resultCount; i++) {
        good = !bench->runners[i].takesPart || compareOnce(&bench->runners[i], error);
    }
    return good && holdAgainstLimits(bench, error);
}

static bool runRounds(Bench *bench, EngineError *error) {
    double end = measureNow() + bench->effort.milliseconds;
    bool good = true;
    for (uint32_t round = 0; good && round < bench->effort.most; round++) {
        if (round >= bench->effort.least && measureNow() > end) {
            break;
        }
        good = runRound(bench, error);
    }
    return good;
}

static bool runGroup(Bench *bench, const Runner *first, EngineError *error) {
    gatherGroup(bench, first);
    for (uint32_t i = 0; i < bench->run->resultCount; i++) {
        if (bench->runners[i].takesPart && !isLimit(&bench->runners[i])) {
            begin(&bench->runners[i], &bench->run->environment);
        }
    }
    bool good = runRounds(bench, error);
    for (uint32_t i = 0; i < bench->run->resultCount; i++) {
        if (bench->runners[i].takesPart && !isLimit(&bench->runners[i])) {
            finish(&bench->runners[i], bench->run->environment.clock);
        }
    }
    return good;
}

static bool isFirstOfGroup(const Bench *bench, uint32_t index) {
    for (uint32_t i = 0; i < index; i++) {
        if (!isLimit(&bench->runners[i]) && sameGroup(&bench->runners[i], &bench->runners[index])) {
            return false;
        }
    }
    return !isLimit(&bench->runners[index]);
}

static bool runGroups(Bench *bench, EngineError *error) {
    bool good = true;
    bool any = false;
    for (uint32_t i = 0; good && i < bench->run->resultCount; i++) {
        if (isFirstOfGroup(bench, i)) {
            any = true;
            /* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): benchRun frees the runners, whatever comes back */
            good = runGroup(bench, &bench->runners[i], error);
        }
    }
    return good && (any || runGroup(bench, NULL, error));
}

static void finishLimits(Bench *bench) {
    BenchRun *run = bench->run;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        CaseResult *result = &run->results[i];
        double *limit = &run->limit[result->benchCase->domain];
        if (isLimit(&bench->runners[i])) {
            finish(&bench->runners[i], bench->run->environment.clock);
        }
        if (isLimit(&bench->runners[i]) && result->outcome == OUTCOME_TIMED) {
            double rate = limitBytes(result) / result->time.median * 1e3;
            *limit = rate > *limit ? rate : *limit;
        }
    }
}

/* ---- The whole ---- */

static bool isChosen(const BenchCase *const *chosen, uint32_t count, const BenchCase *benchCase) {
    for (uint32_t i = 0; i < count; i++) {
        const BenchCase *other = chosen[i];
        bool limits = benchCase->kind == CASE_LIMIT && benchCase->domain == other->domain;
        bool compared = other->baseline && strcmp(other->baseline, benchCase->name) == 0;
        if (other == benchCase || compared || limits) {
            return true;
        }
    }
    return false;
}

static bool makeRunners(Bench *bench, const BenchCase *const *chosen, uint32_t count, EngineError *error) {
    BenchRun *run = bench->run;
    run->results = calloc(benchCaseCount(), sizeof *run->results);
    bench->runners = calloc(benchCaseCount(), sizeof *bench->runners);
    if (!run->results || !bench->runners) {
        return engineFail(error, "out of memory");
    }
    for (uint32_t i = 0; i < benchCaseCount(); i++) {
        const BenchCase *benchCase = benchCaseAt(i);
        if (benchCase && isChosen(chosen, count, benchCase)) {
            CaseResult *result = &run->results[run->resultCount];
            bool timesDevice = benchCaseNeedsDevice(benchCase) && run->environment.clock;
            *result = (CaseResult){.benchCase = benchCase};
            result->clock = timesDevice ? deviceClockName(run->environment.clock) : "wall";
            bench->runners[run->resultCount++] = (Runner){.benchCase = benchCase, .result = result};
        }
    }
    return true;
}

static void findBaseline(const Bench *bench, Runner *runner) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): makeRunners set every one */
    const char *baseline = runner->benchCase->baseline;
    for (uint32_t i = 0; baseline && i < bench->run->resultCount; i++) {
        if (strcmp(bench->runners[i].benchCase->name, baseline) == 0) {
            runner->baseline = &bench->runners[i];
        }
    }
}

static void freeRunners(Bench *bench) {
    for (uint32_t i = 0; bench->runners && i < bench->run->resultCount; i++) {
        Runner *runner = &bench->runners[i];
        if (runner->state) {
            benchCaseDestroy(runner->benchCase, runner->state);
        }
        for (int sampled = 0; sampled < SAMPLED_COUNT; sampled++) {
            samplesFree(&runner->samples[sampled]);
        }
    }
    free(bench->runners);
}

/* ---- The machine ---- */

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The first "model name" of /proc/cpuinfo, or "unknown". */
static void readCpuName(char *name, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(name, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *value = strchr(line, ':');
        if (value && strncmp(line, "model name", 10) == 0) {
            snprintf(name, size, "%s", value + 1 + strspn(value + 1, " "));
            name[strcspn(name, "\n")] = '\0';
            break;
        }
    }
    if (file) {
        fclose(file);
    }
}

static void machineDescribe(BenchRun *run) {
    if (run->environment.device) {
        run->deviceInfo = run->environment.device->info;
    }
    readCpuName(run->cpuName, sizeof run->cpuName);
    snprintf(run->build, sizeof run->build, "%s, %s", BENCH_BUILD_TYPE, COMPILER);
}

bool benchRun(const BenchCase *const *chosen, uint32_t count, const BenchEnvironment *environment, BenchRun *run,
              EngineError *error) {
    Bench bench = {.run = run, .effort = environment->quick ? QUICK : FULL};
    *run = (BenchRun){.environment = *environment};
    machineDescribe(run);
    bool good = makeRunners(&bench, chosen, count, error);
    if (good) {
        for (uint32_t i = 0; i < run->resultCount; i++) {
            findBaseline(&bench, &bench.runners[i]);
            if (isLimit(&bench.runners[i])) {
                begin(&bench.runners[i], environment);
            }
        }
        good = runGroups(&bench, error);
        finishLimits(&bench);
    }
    freeRunners(&bench);
    if (!good) {
        benchRunFree(run);
    }
    return good;
}

bool benchRunIsGood(const BenchRun *run) {
    bool good = true;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        CaseOutcome outcome = run->results[i].outcome;
        good = good && (outcome == OUTCOME_TIMED || outcome == OUTCOME_LEFT_OUT);
    }
    return good;
}

void benchRunFree(BenchRun *run) {
    free(run->results);
    *run = (BenchRun){0};
}

/* Bytes per millisecond of CPU time; 0: no time. */
static double cpuRate(const CaseResult *result) {
    const bool timed = result->outcome == OUTCOME_TIMED && result->cpu.median > 0.0;
    return timed ? limitBytes(result) / result->cpu.median : 0.0;
}

double cpuPercentOfLimit(const BenchRun *run, const CaseResult *result) {
    double fastest = 0.0;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        const BenchCase *other = run->results[i].benchCase;
        if (other->kind == CASE_LIMIT && other->domain == LIMIT_CPU && cpuRate(&run->results[i]) > fastest) {
            fastest = cpuRate(&run->results[i]);
        }
    }
    return result->benchCase->domain == LIMIT_CPU && fastest > 0.0 ? cpuRate(result) / fastest * 100.0 : 0.0;
}
