#include "print_table.h"

#include <inttypes.h>

static void printHead(FILE *file, const BenchRun *run) {
    const DeviceInfo *device = &run->deviceInfo;
    if (device->name[0]) {
        fprintf(file, "device    %s (%s), %s %s\n", device->name, deviceTypeName(device->type), device->driverName,
                device->driverVersion);
    }
    fprintf(file, "processor %s\nbuild     %s\n\n", run->cpuName, run->build);
    fprintf(file, "%-24s %10s %7s %10s %8s %8s %7s %7s  %s\n", "case", "median ms", "spread", "Mvertex/s", "B/vertex",
            "GB/s", "limit", "ratio", "settings");
}

/* Spread and limit are percentages. */
static void printResult(FILE *file, const CaseResult *result) {
    fprintf(file, "%-24s ", result->benchCase->name);
    if (result->outcome != OUTCOME_TIMED) {
        fprintf(file, "%s: %s\n", result->outcome == OUTCOME_WRONG ? "WRONG OUTPUT" : "FAILED", result->message);
        return;
    }
    fprintf(file, "%10.3f %6.1f%% ", result->time.median, result->time.spread);
    if (result->traffic.vertices > 0.0) {
        fprintf(file, "%10.1f %8.1f ", result->verticesPerSecond * 1e-6, result->bytesPerVertex);
    } else {
        fprintf(file, "%10s %8s ", "-", "-");
    }
    fprintf(file, "%8.2f %6.1f%% ", result->bytesPerSecond * 1e-9, result->percentOfLimit);
    if (result->ratio.count > 0) {
        fprintf(file, "x%6.2f  ", result->ratio.median);
    } else {
        fprintf(file, "%7s  ", "-");
    }
    fprintf(file, "%s%s\n", result->settings, result->unsure ? "; SPREAD TOO WIDE TO CONCLUDE" : "");
}

/* How to read it: clocks, bytes, limits. */
static void printNotes(FILE *file, const BenchRun *run) {
    const DeviceClock *clock = run->environment.clock;
    if (clock) {
        fprintf(file, "\nTimes of the device are by %s.\n",
                clock->timestamps ? "its timestamps" : "the wall clock, from submission to fence");
    }
    fputs(
        "Median and spread (interquartile range, percent) over interleaved rounds. Ratio: times faster a vertex than\n"
        "the baseline of the same round, the median over rounds. B/vertex: read and written, by the formats; a source\n"
        "that is read once for K instances counts 1/K. Limit: percent of the fastest fill or copy of this run.\n",
        file);
}

void printTable(FILE *file, const BenchRun *run) {
    printHead(file, run);
    for (uint32_t i = 0; i < run->resultCount; i++) {
        printResult(file, &run->results[i]);
    }
    printNotes(file, run);
}
