#include "print_table.h"

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

/* How to read it: clocks, bytes, limits. */
static void printNotes(FILE *file, const BenchRun *run) {
    const DeviceClock *clock = run->environment.clock;
    fputc('\n', file);
    if (clock) {
        fprintf(file, "Times of the device are by %s.\n",
                clock->timestamps ? "its timestamps" : "the wall clock, from submission to fence");
    }
    fprintf(
        file,
        "Median and spread (interquartile range) over interleaved rounds. Ratio: times faster a vertex than the\n"
        "baseline of the same round, the median over rounds, and its spread; by CPU: of the processors' time, which\n"
        "other programs disturb less. B/vertex: read and written, by the formats; a source that is read once for K\n"
        "instances counts 1/K. Limit: of the fastest fill or copy of the same round. !: a spread above %.0f %%, too\n"
        "wide to conclude.\n",
        SPREAD_TOO_WIDE);
}

void printTable(FILE *file, const BenchRun *run) {
    printHead(file, run);
    for (uint32_t i = 0; i < run->resultCount; i++) {
        printResult(file, &run->results[i]);
    }
    printNotes(file, run);
}
