#include "machine.h"

#include <stdio.h>
#include <string.h>

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

/* The first "model name" of /proc/cpuinfo; "unknown" where there is none. */
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

void machineDescribe(BenchRun *run) {
    if (run->environment.device) {
        run->deviceInfo = run->environment.device->info;
    }
    readCpuName(run->cpuName, sizeof run->cpuName);
    snprintf(run->build, sizeof run->build, "%s, %s", BENCH_BUILD_TYPE, COMPILER);
}
