#include <stdlib.h>

#include "compile.h"
#include "files.h"
#include "first_use.h"
#include "near_names.h"
#include "outputs.h"
#include "report.h"
#include "terminal.h"

/* The index into Arguments.values. Operands are names of cases. */
typedef enum BenchOption {
    BENCH_CASE, /* values are operands */
    BENCH_LIST,
    BENCH_QUICK,
    BENCH_JSON,
    BENCH_REPORT,
    BENCH_FORCE,
    BENCH_FIRST_USE,
    BENCH_COMPILE,
    BENCH_DUMP,
    BENCH_OPTION_COUNT
} BenchOption;

#define CASES_MAX 256

static const Option OPTIONS[BENCH_OPTION_COUNT] = {
    [BENCH_CASE] = {.name = "case",
                    .kind = OPTION_OPERAND,
                    .valueName = "NAME...",
                    .help = "measure these cases and their baselines; default: all cases, with --quick the main ones"},
    [BENCH_LIST] = {.name = "list", .kind = OPTION_FLAG, .help = "list the cases, one per line, and exit"},
    [BENCH_QUICK] = {.name = "quick",
                     .kind = OPTION_FLAG,
                     .help = "few repetitions, and by default only the main cases: a check that everything works"},
    [BENCH_JSON] = JSON_OPTION,
    [BENCH_REPORT] = {.name = "report",
                      .kind = OPTION_TEXT,
                      .valueName = "DIR",
                      .help = "write a report into this folder: Markdown, JSON, and plots if gnuplot is installed"},
    [BENCH_FORCE] = FORCE_OPTION,
    [BENCH_FIRST_USE] = {.name = "first-use",
                         .kind = OPTION_FLAG,
                         .help = "measure instead how long sets of kernels take to create and to dispatch first"},
    [BENCH_COMPILE] = {.name = "compile",
                       .kind = OPTION_FLAG,
                       .help =
                           "instead compile all kernels: registers, instructions and operations. NAMEs are families of "
                           "AMD GPUs for Mesa's RADV, which needs no GPU; default: five families. With --device: "
                           "that device"},
    [BENCH_DUMP] = {.name = "dump",
                    .kind = OPTION_TEXT,
                    .valueName = "FILE",
                    .help = "with --compile: write the assembly of all kernels into this file"},
};

#define NAME "-bench"

/* ---- Choosing ---- */

typedef struct Choice {
    const BenchCase **cases; /* [count] */
    uint32_t count;
    bool needsDevice;
} Choice;

static void choose(Choice *choice, const BenchCase *benchCase) {
    choice->cases[choice->count++] = benchCase;
    choice->needsDevice = choice->needsDevice || benchCaseNeedsDevice(benchCase);
}

static int refuseName(const char *name) {
    char message[ENGINE_ERROR_SIZE];
    const char **names = calloc(benchCaseCount(), sizeof *names);
    int nearest = -1;
    for (uint32_t i = 0; names && i < benchCaseCount(); i++) {
        names[i] = benchCaseAt(i)->name;
    }
    if (names) {
        nearest = nearestWord(name, names, benchCaseCount());
    }
    snprintf(message, sizeof message, "no case '%.100s'; %s%s%s", name, nearest >= 0 ? "did you mean '" : "",
             nearest >= 0 ? names[nearest] : "see 'vkskin-bench --list'", nearest >= 0 ? "'?" : "");
    free(names);
    sayFailure(NAME, "%s", message);
    return EXIT_USAGE;
}

static int chooseCases(const Arguments *arguments, Choice *choice) {
    bool quick = arguments->values[BENCH_QUICK].given;
    choice->cases = calloc(benchCaseCount() + arguments->operandCount, sizeof *choice->cases);
    if (!choice->cases) {
        return sayFailure(NAME, "out of memory");
    }
    for (uint32_t i = 0; i < arguments->operandCount; i++) {
        const BenchCase *benchCase = benchCaseFind(arguments->operands[i]);
        if (!benchCase) {
            return refuseName(arguments->operands[i]);
        }
        choose(choice, benchCase);
    }
    for (uint32_t i = 0; arguments->operandCount == 0 && i < benchCaseCount(); i++) {
        if (!quick || benchCaseAt(i)->quick) {
            choose(choice, benchCaseAt(i));
        }
    }
    return EXIT_GOOD;
}

/* ---- Writing ---- */

static int writeOutputs(const Arguments *arguments, const BenchRun *run) {
    EngineError error = {.message = ""};
    const OptionValue *json = &arguments->values[BENCH_JSON];
    const char *folder = arguments->values[BENCH_REPORT].text;
    if (!outputJsonIsStandard(json)) {
        printTable(stdout, run);
    }
    const bool good = (!json->given || outputJsonWrite(benchJson(run), json, &error)) &&
                      (!folder || reportWrite(run, folder, &error));
    return sayEnd(NAME, good, &error);
}

/* ---- Running ---- */

static void tellValidation(void *user, const char *message) {
    uint32_t *count = user;
    ++*count;
    fprintf(stderr, "vkskin-bench: validation: %s\n", message);
}

static int measure(const Arguments *arguments, const Choice *choice, const BenchEnvironment *environment) {
    EngineError error = {.message = ""};
    BenchRun run;
    if (!benchRun(choice->cases, choice->count, environment, &run, &error)) {
        return sayFailure(NAME, "%s", error.message);
    }
    int status = writeOutputs(arguments, &run);
    if (!benchRunIsGood(&run)) {
        status = sayFailure(NAME, "some cases have no time: see the table");
    }
    benchRunFree(&run);
    return status;
}

static int measureFirstUse(const BenchEnvironment *environment) {
    EngineError error = {.message = ""};
    return sayEnd(NAME, firstUsePrint(stdout, environment, &error), &error);
}

static int measureOnDevice(const Arguments *arguments, const Choice *choice) {
    EngineError error = {.message = ""};
    uint32_t messages = 0;
    DeviceClock clock;
    DeviceOptions options = {.select = optionsValue(arguments, "device")->text,
                             .validation = optionsValue(arguments, "validate")->given,
                             .onMessage = tellValidation,
                             .user = &messages};
    Device *device = deviceCreate(&options, &error);
    if (!device || !deviceClockCreate(device, &clock, &error)) {
        deviceDestroy(device);
        return sayFailure(NAME, "%s", error.message);
    }
    BenchEnvironment environment = {.device = device, .clock = &clock, .quick = arguments->values[BENCH_QUICK].given};
    int status = arguments->values[BENCH_FIRST_USE].given ? measureFirstUse(&environment)
                                                          : measure(arguments, choice, &environment);
    deviceClockDestroy(&clock);
    deviceDestroy(device);
    return messages > 0 ? EXIT_FAILED : status;
}

/* ---- Compiling ---- */

static int writeCompiled(const OptionValue *json, const CompileRun *run) {
    EngineError error = {.message = ""};
    if (!outputJsonIsStandard(json)) {
        compilePrint(stdout, run);
    }
    return sayEnd(NAME, !json->given || outputJsonWrite(compileJson(run), json, &error), &error);
}

static int compileInto(const Arguments *arguments, FILE *dump) {
    EngineError error = {.message = ""};
    CompileRun run;
    const CompileChoice choice = {.families = arguments->operands,
                                  .familyCount = arguments->operandCount,
                                  .select = optionsValue(arguments, "device")->text,
                                  .quick = arguments->values[BENCH_QUICK].given,
                                  .dump = dump};
    if (!compileAll(&choice, &run, &error)) {
        return sayFailure(NAME, "%s", error.message);
    }
    int status = writeCompiled(&arguments->values[BENCH_JSON], &run);
    free(run.devices);
    return status;
}

static int compile(const Arguments *arguments) {
    const char *path = arguments->values[BENCH_DUMP].text;
    EngineError error = {.message = ""};
    AtomicFile file = {.stream = NULL};
    if (path && !atomicFileBegin(&file, path, &error)) {
        return sayFailure(NAME, "%s", error.message);
    }
    int status = compileInto(arguments, file.stream);
    if (path && !atomicFileCommit(&file, &error)) {
        return sayFailure(NAME, "%s", error.message);
    }
    return status;
}

/* Before the measurement, so that no time is lost on a report that cannot be written. */
static int checkReport(const Arguments *arguments) {
    EngineError error = {.message = ""};
    const char *folder = arguments->values[BENCH_REPORT].text;
    bool good = !folder || reportCheck(folder, arguments->values[BENCH_FORCE].given, &error);
    return sayEnd(NAME, good, &error);
}

static int run(const Arguments *arguments) {
    Choice choice = {0};
    if (arguments->values[BENCH_LIST].given) {
        printList(stdout);
        return EXIT_GOOD;
    }
    if (arguments->values[BENCH_COMPILE].given) {
        return compile(arguments);
    }
    if (arguments->values[BENCH_FIRST_USE].given) {
        return measureOnDevice(arguments, &choice);
    }
    int status = chooseCases(arguments, &choice);
    if (status == EXIT_GOOD) {
        status = checkReport(arguments);
    }
    if (status == EXIT_GOOD) {
        BenchEnvironment none = {.quick = arguments->values[BENCH_QUICK].given};
        status = choice.needsDevice ? measureOnDevice(arguments, &choice) : measure(arguments, &choice, &none);
    }
    free(choice.cases);
    return status;
}

static const Verb BENCH_PROGRAM = {
    .name = NAME,
    .summary = "measures skinning and compares it with baselines in the same run",
    .usage = "[options]",
    .details =
        "The bench compares each output with a reference before and after timing. A case with wrong output gets no\n"
        "time, and the exit status is 1. Cases with the same baseline run in turn, round by round, together with "
        "fills\n"
        "and copies of the memory. Exit status: 0 done, 1 failed, 2 wrong usage.\n",
    .options = OPTIONS,
    .optionCount = BENCH_OPTION_COUNT,
    .operandName = "NAME",
    .operandHelp = "a case of --list, the same as with --case",
    .operandsMax = CASES_MAX,
    .takesDevice = true,
    .run = run,
    .examples = {"crowd-16 --quick --report bench", "cpu-mix-packed --quick --json bench.json"},
};

int main(int count, char **texts) {
    return programMain(&BENCH_PROGRAM, count, texts);
}
