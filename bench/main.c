#include <stdio.h>
#include <string.h>

#include "print_table.h"
#include "write_json.h"

int main(int count, char **texts) {
    EngineError error = {{0}};
    BenchRun run;
    const BenchCase *chosen[256];
    uint32_t chosenCount = 0;
    bool quick = false;
    const char *json = NULL;
    for (int i = 1; i < count; i++) {
        if (!strcmp(texts[i], "--list")) {
            printList(stdout);
            return 0;
        } else if (!strcmp(texts[i], "--quick"))
            quick = true;
        else if (!strcmp(texts[i], "--json"))
            json = texts[++i];
        else {
            const BenchCase *c = benchCaseFind(texts[i]);
            if (!c) {
                printf("no %s\n", texts[i]);
                return 2;
            }
            chosen[chosenCount++] = c;
        }
    }
    if (!chosenCount)
        for (uint32_t i = 0; i < benchCaseCount(); i++)
            if (!quick || benchCaseAt(i)->quick)
                chosen[chosenCount++] = benchCaseAt(i);
    Device *device = deviceCreate(NULL, &error);
    DeviceClock clock;
    if (!device || !deviceClockCreate(device, &clock, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    BenchEnvironment environment = {device, &clock, quick};
    bool good = benchRun(chosen, chosenCount, &environment, &run, &error);
    if (good) {
        printTable(stdout, &run);
        if (json) {
            FILE *f = fopen(json, "w");
            writeJson(f, &run);
            fclose(f);
        }
    }
    good = good && benchRunIsGood(&run);
    benchRunFree(&run);
    deviceClockDestroy(&clock);
    deviceDestroy(device);
    return !good;
}
