#include "write_json.h"

#include "cpu_percent.h"

/* Names of devices and drivers are others' texts: what JSON does not allow as it is becomes '?'. */
static void writeText(FILE *file, const char *text) {
    fputc('"', file);
    for (; *text; text++) {
        unsigned char letter = (unsigned char)*text;
        if (letter == '"' || letter == '\\') {
            fputc('\\', file);
        }
        fputc(letter < 0x20 || letter >= 0x7f ? '?' : letter, file);
    }
    fputc('"', file);
}

static void writeMember(FILE *file, const char *indent, const char *name, const char *text) {
    fprintf(file, "%s\"%s\": ", indent, name);
    writeText(file, text);
}

static void writeNumber(FILE *file, const char *name, double number, bool there) {
    fprintf(file, ",\n      \"%s\": ", name);
    if (there) {
        fprintf(file, "%.9g", number);
    } else {
        fputs("null", file);
    }
}

static void writeResult(FILE *file, const BenchRun *run, const CaseResult *result) {
    bool timed = result->outcome == OUTCOME_TIMED;
    bool vertices = timed && result->traffic.vertices > 0.0;
    fputs("    {\n", file);
    writeMember(file, "      ", "case", result->benchCase->name);
    writeMember(file, ",\n      ", "backend", result->benchCase->backend);
    writeMember(file, ",\n      ", "settings", result->settings);
    writeMember(file, ",\n      ", "clock", result->clock);
    writeNumber(file, "repetitions", (double)result->time.count, timed);
    writeNumber(file, "median_ms", result->time.median, timed);
    writeNumber(file, "minimum_ms", result->minimum, timed);
    writeNumber(file, "spread", result->time.spread, timed);
    writeNumber(file, "cpu_ms", result->cpu.median, timed && result->cpu.median > 0.0);
    writeNumber(file, "host_ms", result->host.median, timed && result->host.median > 0.0);
    writeNumber(file, "compute_invocations", (double)result->invocations.compute, result->invocations.compute > 0);
    writeNumber(file, "vertex_invocations", (double)result->invocations.vertex, result->invocations.vertex > 0);
    writeNumber(file, "mvertices_per_s", result->verticesPerSecond * 1e-6, vertices);
    writeNumber(file, "gb_per_s", result->bytesPerSecond * 1e-9, timed);
    writeNumber(file, "bytes_per_vertex", result->bytesPerVertex, vertices);
    writeNumber(file, "percent_of_limit", result->percentOfLimit, timed);
    writeNumber(file, "cpu_percent_of_limit", cpuPercentOfLimit(run, result), cpuPercentOfLimit(run, result) > 0.0);
    writeNumber(file, "ratio_to_baseline", result->ratio.median, timed && result->ratio.count > 0);
    writeNumber(file, "ratio_spread", result->ratio.spread, timed && result->ratio.count > 0);
    writeNumber(file, "cpu_ratio_to_baseline", result->cpuRatio.median, timed && result->cpuRatio.count > 0);
    if (result->benchCase->baseline) {
        writeMember(file, ",\n      ", "baseline", result->benchCase->baseline);
    }
    fprintf(file, ",\n      \"unsure\": %s", result->unsure ? "true" : "false");
    if (!timed) {
        writeMember(file, ",\n      ", "error", result->message);
    }
    fputs("\n    }", file);
}

void writeJson(FILE *file, const BenchRun *run) {
    const DeviceInfo *device = &run->deviceInfo;
    fputs("{\n", file);
    writeMember(file, "  ", "device", device->name);
    writeMember(file, ",\n  ", "device_type", device->name[0] ? deviceTypeName(device->type) : "");
    writeMember(file, ",\n  ", "driver", device->driverName);
    writeMember(file, ",\n  ", "driver_version", device->driverVersion);
    writeMember(file, ",\n  ", "processor", run->cpuName);
    writeMember(file, ",\n  ", "build", run->build);
    writeMember(file, ",\n  ", "backend", "compute");
    fprintf(file, ",\n  \"device_limit_gb_per_s\": %.6g,\n  \"cpu_limit_gb_per_s\": %.6g",
            run->limit[LIMIT_DEVICE] * 1e-9, run->limit[LIMIT_CPU] * 1e-9);
    fputs(",\n  \"results\": [\n", file);
    for (uint32_t i = 0; i < run->resultCount; i++) {
        writeResult(file, run, &run->results[i]);
        fputs(i + 1 < run->resultCount ? ",\n" : "\n", file);
    }
    fputs("  ]\n}\n", file);
}
