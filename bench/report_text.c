#include "report.h"

#include "outputs.h"

static void printHead(FILE *file, const BenchRun *run) {
    const DeviceInfo *device = &run->deviceInfo;
    if (device->name[0]) {
        fprintf(file, "device    %s (%s), %s %s\n", device->name, deviceTypeName(device->type), device->driverName,
                device->driverVersion);
    }
    fprintf(file, "processor %s\nbuild     %s\n\n", run->cpuName, run->build);
    fprintf(file, "%-24s %10s %7s %10s %8s %8s %7s %16s %8s  %s\n", "case", "median ms", "spread", "Mvertex/s",
            "B/vertex", "GB/s", "limit", "ratio   spread", "by CPU", "settings");
}

static void printRatio(FILE *file, const CaseResult *result) {
    if (result->ratio.count > 0) {
        fprintf(file, "x%7.2f %6.1f%% ", result->ratio.median, result->ratio.spread);
    } else {
        fprintf(file, "%16s ", "-");
    }
    if (result->cpuRatio.count > 0) {
        fprintf(file, "x%7.2f", result->cpuRatio.median);
    } else {
        fprintf(file, "%8s", "-");
    }
}

static void printNoTime(FILE *file, const CaseResult *result) {
    static const char *const WHY[] = {
        [OUTCOME_WRONG] = "WRONG OUTPUT", [OUTCOME_LEFT_OUT] = "left out", [OUTCOME_FAILED] = "FAILED"};
    fprintf(file, "%s: %s\n", WHY[result->outcome], result->message);
}

static void printResult(FILE *file, const CaseResult *result) {
    fprintf(file, "%-24s ", result->benchCase->name);
    if (result->outcome != OUTCOME_TIMED) {
        printNoTime(file, result);
        return;
    }
    fprintf(file, "%10.3f %6.1f%% ", result->time.median, result->time.spread);
    if (result->traffic.vertices > 0.0) {
        fprintf(file, "%10.1f %8.1f ", result->verticesPerSecond * 1e-6, result->bytesPerVertex);
    } else {
        fprintf(file, "%10s %8s ", "-", "-");
    }
    fprintf(file, "%8.2f %6.1f%% ", result->bytesPerSecond * 1e-9, result->percentOfLimit);
    printRatio(file, result);
    fprintf(file, "%s%s\n", result->unsure ? "! " : "  ", result->settings);
}

/* Explains clocks, bytes and limits. */
static void printNotes(FILE *file, const BenchRun *run) {
    const DeviceClock *clock = run->environment.clock;
    fputc('\n', file);
    if (clock) {
        fprintf(file, "The clock of the device: %s.\n",
                clock->timestamps ? "timestamps" : "wall clock, from submission to fence");
    }
    fprintf(
        file,
        "Median and spread (interquartile range) over interleaved rounds. Ratio: how many times faster a vertex is "
        "than\n"
        "in the baseline of the same round (median and spread). By CPU: the same with CPU time, which other programs\n"
        "disturb less. B/vertex: bytes read and written, computed from the formats; a source that is read once for K\n"
        "instances counts 1/K. Limit: percent of the fastest fill or copy of the same round. !: the spread is above\n"
        "%.0f %%, too wide for a conclusion.\n",
        SPREAD_TOO_WIDE);
}

void printTable(FILE *file, const BenchRun *run) {
    printHead(file, run);
    for (uint32_t i = 0; i < run->resultCount; i++) {
        printResult(file, &run->results[i]);
    }
    printNotes(file, run);
}

void printList(FILE *file) {
    for (uint32_t i = 0; i < benchCaseCount(); i++) {
        const BenchCase *benchCase = benchCaseAt(i);
        fprintf(file, "%-24s %s %s\n", benchCase->name, benchCase->quick ? "*" : " ", benchCase->summary);
    }
    fputs("\n* measured by --quick\n", file);
}

/* Foreign text must not end a line or a table cell. */
static void writeClean(FILE *file, const char *text) {
    for (; *text; text++) {
        const unsigned char letter = (unsigned char)*text;
        fputc(letter < ' ' || letter == 0x7f ? '?' : letter == '|' ? '/' : letter, file);
    }
}

/* ---- What was measured on ---- */

static void writeRow(FILE *file, const char *name, const char *text) {
    fprintf(file, "| %s | ", name);
    writeClean(file, text);
    fputs(" |\n", file);
}

static void writeLimit(FILE *file, const BenchRun *run, LimitDomain domain, const char *name) {
    if (run->limit[domain] > 0.0) {
        fprintf(file, "| %s | %.2f GB/s |\n", name, run->limit[domain] * 1e-9);
    }
}

static void writeHead(FILE *file, const BenchRun *run) {
    const DeviceInfo *device = &run->deviceInfo;
    fputs("# Bench of vkskin " PROGRAM_VERSION "\n\n| | |\n|---|---|\n", file);
    if (device->name[0]) {
        writeRow(file, "device", device->name);
        writeRow(file, "driver", device->driverName);
        writeRow(file, "driver version", device->driverVersion);
        writeRow(file, "clock of the device",
                 device->timestampsTrusted ? "timestamps" : "wall clock, from submission to the fence");
    }
    writeRow(file, "processor", run->cpuName);
    writeRow(file, "build", run->build);
    writeRow(file, "repetitions", run->environment.quick ? "few (--quick)" : "full");
    writeLimit(file, run, LIMIT_DEVICE, "limit of the device: fastest fill or copy");
    writeLimit(file, run, LIMIT_CPU, "limit of one thread: streaming stores");
    writeLimit(file, run, LIMIT_CPU_THREADS, "limit of all processors: streaming stores");
}

/* ---- Tables ---- */

typedef struct Table {
    CaseKind kind;
    const char *title;
    const char *columns; /* after case, median and spread */
} Table;

static const Table TABLES[] = {
    {CASE_DEVICE, "The device",
     "Mvertices/s | B per vertex | GB/s | % of limit | by CPU time | x baseline | spread % | by CPU time"},
    {CASE_CPU, "The processor",
     "Mvertices/s | B per vertex | GB/s | % of limit | by CPU time | x baseline | spread % | by CPU time"},
    {CASE_POSE, "Poses",
     "Mbones/s | ns per bone | GB/s | % of limit | by CPU time | x baseline | spread % | by CPU time"},
    {CASE_CALLS, "Calls", "Minstances/s | ns per instance | - | - | - | x baseline | spread % | by CPU time"},
    {CASE_LIMIT, "Limits", "- | - | GB/s | % of limit | by CPU time | - | - | -"},
};
#define TABLE_COUNT (sizeof TABLES / sizeof *TABLES)

static void writeNumber(FILE *file, const char *format, double number) {
    if (number > 0.0) {
        fprintf(file, format, number);
    } else {
        fputs(" |", file);
    }
}

static void writeResult(FILE *file, const BenchRun *run, const CaseResult *result) {
    const double rate = result->verticesPerSecond;
    const CaseKind kind = result->benchCase->kind;
    const bool timed = kind == CASE_POSE || kind == CASE_CALLS;
    fprintf(file, "| `%s` | %.3f | %.1f |", result->benchCase->name, result->time.median, result->time.spread);
    writeNumber(file, " %.1f |", rate * 1e-6);
    writeNumber(file, " %.2f |", timed && rate > 0.0 ? 1e9 / rate : result->bytesPerVertex);
    writeNumber(file, " %.2f |", result->bytesPerSecond * 1e-9);
    writeNumber(file, " %.1f |", result->percentOfLimit);
    writeNumber(file, " %.1f |", cpuPercentOfLimit(run, result));
    writeNumber(file, " %.2f |", result->ratio.median);
    writeNumber(file, " %.1f |", result->ratio.spread);
    writeNumber(file, " %.2f |", result->cpuRatio.median);
    fprintf(file, " %s |\n", result->settings);
}

static void writeTable(FILE *file, const BenchRun *run, const Table *table) {
    bool begun = false;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        const CaseResult *result = &run->results[i];
        if (result->benchCase->kind != table->kind || result->outcome != OUTCOME_TIMED) {
            continue;
        }
        if (!begun) {
            fprintf(file,
                    "\n## %s\n\n| case | median ms | spread %% | %s | settings |\n"
                    "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n",
                    table->title, table->columns);
            begun = true;
        }
        writeResult(file, run, result);
    }
}

/* ---- Warnings ---- */

static void writeWarning(FILE *file, const CaseResult *result, bool *begun) {
    static const char *const WHY[] = {
        [OUTCOME_WRONG] = "wrong output, no time",
        [OUTCOME_LEFT_OUT] = "left out",
        [OUTCOME_FAILED] = "no time",
    };
    const bool timed = result->outcome == OUTCOME_TIMED;
    if (timed && !result->unsure) {
        return;
    }
    fputs(*begun ? "" : "\n## Warnings\n\n", file);
    *begun = true;
    fprintf(file, "- `%s`: ", result->benchCase->name);
    if (timed) {
        fprintf(file, "the spread is too wide for a conclusion: %.0f %% of the times, %.0f %% of the ratios",
                result->time.spread, result->ratio.spread);
    } else {
        fprintf(file, "%s: ", WHY[result->outcome]);
        writeClean(file, result->message);
    }
    fputc('\n', file);
}

static void writeWarnings(FILE *file, const BenchRun *run) {
    bool begun = false;
    for (uint32_t i = 0; i < run->resultCount; i++) {
        writeWarning(file, &run->results[i], &begun);
    }
}

/* ---- The whole ---- */

static const char MEANING[] =
    "\n## What the numbers mean\n\n"
    "Cases with the same baseline run in turn, round after round, together with fills and copies of the memory. A\n"
    "time is the median over the rounds. Its spread is the interquartile range in percent of the median. The output "
    "is\n"
    "compared with a double-precision reference before and after timing, a picture with that of another system.\n\n"
    "- **x baseline**: how many times faster a vertex is than in the baseline of the same round; the median over the\n"
    "  rounds. On the device the baseline is one dispatch per instance, one thread per vertex, four influences "
    "always,\n"
    "  48 bytes read and 40 written. On the processor it is a scalar loop in plain C with the same compiler and "
    "flags.\n"
    "  For poses it is three calls per character, for calls of a frame a call per instance, for systems `compute` "
    "with\n"
    "  the same characters and passes.\n"
    "- **B per vertex, GB/s**: bytes read and written, computed from the formats; cache hits count too. A source that\n"
    "  is read once for K instances counts 1/K.\n"
    "- **% of limit**: all bytes on the device, written bytes on the processor, in percent of the fastest fill or "
    "copy\n"
    "  of the same rounds.\n"
    "- **by CPU time**: the number to its left, computed from CPU time instead of wall time. Other programs disturb "
    "it\n"
    "  less.\n";

void reportText(FILE *file, const BenchRun *run, const bool drawn[PLOT_COUNT]) {
    writeHead(file, run);
    for (uint32_t i = 0; i < TABLE_COUNT; i++) {
        writeTable(file, run, &TABLES[i]);
    }
    for (Plot plot = 0; plot < PLOT_COUNT; plot++) {
        if (drawn[plot]) {
            fprintf(file, "\n![%s](%s.png)\n", plotTitle(plot), plotName(plot));
        }
    }
    writeWarnings(file, run);
    fputs(MEANING, file);
}

/* ---- JSON ---- */

static void addResult(cJSON *results, const BenchRun *run, const CaseResult *result, bool *good) {
    const bool timed = result->outcome == OUTCOME_TIMED, vertices = timed && result->traffic.vertices > 0.0;
    const bool ratio = timed && result->ratio.count > 0, cpuRatio = timed && result->cpuRatio.count > 0;
    const double compute = (double)result->invocations.compute, vertex = (double)result->invocations.vertex;
    const double cpuPercent = cpuPercentOfLimit(run, result);
    JSON_ROW(results, good, jsonText("case", result->benchCase->name), jsonText("backend", result->benchCase->backend),
             jsonText("settings", result->settings), jsonText("clock", result->clock),
             jsonNumber("repetitions", numberIf(timed, (double)result->time.count)),
             jsonNumber("median_ms", numberIf(timed, result->time.median)),
             jsonNumber("minimum_ms", numberIf(timed, result->minimum)),
             jsonNumber("spread", numberIf(timed, result->time.spread)),
             jsonNumber("cpu_ms", numberIf(timed && result->cpu.median > 0.0, result->cpu.median)),
             jsonNumber("host_ms", numberIf(timed && result->host.median > 0.0, result->host.median)),
             jsonNumber("compute_invocations", numberIf(compute > 0.0, compute)),
             jsonNumber("vertex_invocations", numberIf(vertex > 0.0, vertex)),
             jsonNumber("mvertices_per_s", numberIf(vertices, result->verticesPerSecond * 1e-6)),
             jsonNumber("gb_per_s", numberIf(timed, result->bytesPerSecond * 1e-9)),
             jsonNumber("bytes_per_vertex", numberIf(vertices, result->bytesPerVertex)),
             jsonNumber("percent_of_limit", numberIf(timed, result->percentOfLimit)),
             jsonNumber("cpu_percent_of_limit", numberIf(cpuPercent > 0.0, cpuPercent)),
             jsonNumber("ratio_to_baseline", numberIf(ratio, result->ratio.median)),
             jsonNumber("ratio_spread", numberIf(ratio, result->ratio.spread)),
             jsonNumber("cpu_ratio_to_baseline", numberIf(cpuRatio, result->cpuRatio.median)),
             jsonText("baseline", result->benchCase->baseline), jsonFlag("unsure", result->unsure),
             jsonText("error", timed ? NULL : result->message));
}

char *benchJson(const BenchRun *run) {
    const DeviceInfo *device = &run->deviceInfo;
    const double *limit = run->limit;
    bool good = true;
    cJSON *object = jsonBegin("bench", &good);
    JSON_ADD(object, &good, jsonText("device", device->name),
             jsonText("device_type", device->name[0] ? deviceTypeName(device->type) : ""),
             jsonText("driver", device->driverName), jsonText("driver_version", device->driverVersion),
             jsonText("processor", run->cpuName), jsonText("build", run->build), jsonText("backend", "compute"),
             jsonNumber("device_limit_gb_per_s", numberIf(limit[LIMIT_DEVICE] > 0.0, limit[LIMIT_DEVICE] * 1e-9)),
             jsonNumber("cpu_limit_gb_per_s", numberIf(limit[LIMIT_CPU] > 0.0, limit[LIMIT_CPU] * 1e-9)));
    cJSON *results = jsonAddArray(object, "results", &good);
    for (uint32_t i = 0; i < run->resultCount; i++) {
        addResult(results, run, &run->results[i], &good);
    }
    return jsonPrint(object, good);
}
