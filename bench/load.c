/*
 * load.c: vkskin-bench-load: the time to load packed models (.vkm) beside the time to import their sources.
 *
 * Each round imports the source, then loads the packed file, through the function of the engine that all verbs call. The
 * files are in the page cache after the first round, which is not counted. A program of its own, because the bench has
 * no import.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "import.h"
#include "measure.h"

#define ROUNDS_MOST 10000

enum { SOURCE, PACKED, SIDES };

/* What a load of one side took, in milliseconds. */
typedef struct LoadTime {
    double wall, cpu; /* cpu: of this process and the parser's */
} LoadTime;

static double seconds(struct timeval time) {
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

/* Processor time in milliseconds, with that of children that have ended. */
static double processorNow(void) {
    struct rusage own, children;
    getrusage(RUSAGE_SELF, &own);
    getrusage(RUSAGE_CHILDREN, &children);
    return 1e3 *
           (seconds(own.ru_utime) + seconds(own.ru_stime) + seconds(children.ru_utime) + seconds(children.ru_stime));
}

/* Null on failure. */
static Model *load(const char *path, LoadTime *time, EngineError *error) {
    const double wall = measureNow(), cpu = processorNow();
    Model *model = importModel(path, NULL, error);
    *time = (LoadTime){.wall = measureNow() - wall, .cpu = processorNow() - cpu};
    return model;
}

static uint64_t countCorners(const Model *model) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < model->meshCount; i++) {
        count += model->meshes[i].indexCount;
    }
    return count;
}

/* The packed file must be of this source, with its pictures. */
static bool isOfSource(Model *const models[SIDES], const char *path, EngineError *error) {
    const Model *source = models[SOURCE], *packed = models[PACKED];
    return (source->meshCount == packed->meshCount && source->nodeCount == packed->nodeCount &&
            source->clipCount == packed->clipCount && source->textureCount == packed->textureCount &&
            source->materialCount == packed->materialCount && countCorners(source) == countCorners(packed)) ||
           engineFail(error, "%s: has other meshes, nodes, clips, textures or materials than the source", path);
}

static bool runRound(char *const paths[SIDES], LoadTime times[SIDES], EngineError *error) {
    Model *models[SIDES] = {NULL};
    bool good = true;
    for (int side = 0; side < SIDES && good; side++) {
        models[side] = load(paths[side], &times[side], error);
        good = models[side] != NULL;
    }
    good = good && isOfSource(models, paths[PACKED], error);
    for (int side = 0; side < SIDES; side++) {
        modelFree(models[side]);
    }
    return good;
}

/* The samples of a pair of files. */
typedef struct PairSamples {
    Samples wall[SIDES], ratio, cpuSums[SIDES];
} PairSamples;

static bool addRound(PairSamples *samples, const LoadTime times[SIDES], EngineError *error) {
    bool good = samplesAdd(&samples->ratio, times[SOURCE].wall / times[PACKED].wall, error);
    for (int side = 0; side < SIDES && good; side++) {
        good = samplesAdd(&samples->wall[side], times[side].wall, error) &&
               samplesAdd(&samples->cpuSums[side], times[side].cpu, error);
    }
    return good;
}

/* The clock of processor time is too coarse for one load: sums are compared. */
static double sum(const Samples *samples) {
    double total = 0.0;
    for (size_t i = 0; i < samples->count; i++) {
        total += samples->values[i];
    }
    return total;
}

static void printPair(const char *path, PairSamples *samples) {
    const Measured ratio = samplesMeasure(&samples->ratio);
    const Measured source = samplesMeasure(&samples->wall[SOURCE]), packed = samplesMeasure(&samples->wall[PACKED]);
    const double cpu = sum(&samples->cpuSums[PACKED]);
    printf("%9.3f %6.0f %%%10.3f %6.0f %%   x%-7.3g%5.0f %%   x%-7.3g  %s\n", source.median, source.spread,
           packed.median, packed.spread, ratio.median, ratio.spread,
           cpu > 0.0 ? sum(&samples->cpuSums[SOURCE]) / cpu : 0.0, path);
}

static bool runPair(char *const paths[SIDES], int rounds, EngineError *error) {
    PairSamples samples = {0};
    LoadTime times[SIDES];
    bool good = runRound(paths, times, error);
    for (int i = 0; i < rounds && good; i++) {
        good = runRound(paths, times, error) && addRound(&samples, times, error);
    }
    if (good) {
        printPair(paths[PACKED], &samples);
    }
    samplesFree(&samples.ratio);
    for (int side = 0; side < SIDES; side++) {
        samplesFree(&samples.wall[side]);
        samplesFree(&samples.cpuSums[side]);
    }
    return good;
}

int main(int count, char **texts) {
    char *end = NULL;
    const long rounds = count > 1 ? strtol(texts[1], &end, 10) : 0;
    if (count < 4 || count % SIDES != 0 || *end != '\0' || rounds < 1 || rounds > ROUNDS_MOST) {
        fputs("usage: vkskin-bench-load ROUNDS SOURCE PACKED [SOURCE PACKED]...\n"
              "Times import of each SOURCE and load of its PACKED file (vkskin pack) in turn. ROUNDS: 1 to 10000.\n",
              stderr);
        return 2;
    }
    puts("import ms  spread   load ms  spread   ratio   spread   by CPU    file");
    for (int i = 2; i < count; i += SIDES) {
        EngineError error;
        if (!runPair(texts + i, (int)rounds, &error)) {
            fprintf(stderr, "vkskin-bench-load: %s\n", error.message);
            return 1;
        }
    }
    return 0;
}
