/*
 * The conformance table on the device that the environment names. Without arguments: rows with every pair of choices.
 *
 *   --all            every row
 *   --report FILE    writes the worst errors, for scripts/conformance.sh
 *   --fuzz SECONDS   instead: random rows with bones and weights of any kind, for that time; 0: one
 *   --seed N         the first seed, counted up from; default: from the clock
 *   --cpu            instead: the rows on the CPU, at each level of instructions that this machine has; then random ones
 */
#include <inttypes.h>
#include <time.h>

#include "guarded_output.h"
#include "judge.h"
#include "output_spans.h"
#include "vkskin/vkskin_cpu.h"

#define TABLE_SEED 20u /* plus a row's number: the same scenes in every run */

#define QUICK_STEP     4u   /* with VKSKIN_TEST_QUICK every so many rows */
#define ROWS_A_LINE    500u /* rows per line of progress: all rows take minutes */
#define FAR_SCENES     4u
#define FAR_INFLUENCES 3    /* the choice of 4 */
#define WILD_SCENES    150u /* on the CPU, from a seed of its own for each level */
#define SCENES_A_ROW   16u  /* in fuzzing: a row's kernels take longer than a scene */

typedef struct Arguments {
    bool all, fuzz, cpu;
    long seconds;
    uint64_t seed;
    const char *report;
} Arguments;

static Arguments arguments;

static uint32_t rowStep(void) {
    return getenv("VKSKIN_TEST_QUICK") != NULL ? QUICK_STEP : 1;
}

static RowResult runOne(Gpu *gpu, const Row *row, SceneKind kind, uint64_t seed) {
    RowResult result = runRow(gpu, row, kind, seed);
    if (!result.good) {
        char text[256];
        rowText(row, text, sizeof text);
        print_error("%s (seed %" PRIu64 "): %s\n", text, seed, result.why);
    }
    return result;
}

/* Each method and palette far from the origin, in an otherwise simple row. */
static uint32_t runFar(Gpu *gpu, Report *report) {
    uint32_t bad = 0;
    for (uint32_t i = 0; i < ROW_READINGS * FAR_SCENES; i++) {
        Row row = {{0}};
        row.choices[ROW_READING] = (uint8_t)(i / FAR_SCENES);
        row.choices[ROW_INFLUENCES] = FAR_INFLUENCES;
        if (rowExists(&row)) {
            RowResult result = runOne(gpu, &row, SCENE_FAR, TABLE_SEED + i);
            reportAddFar(report, &row, result.units);
            bad += !result.good;
        }
    }
    return bad;
}

/* Each method and palette with mirrored bones of three sizes: exact normals, with and without tangents, in both formats. */
#define MIRRORED_ROWS (ROW_READINGS * 12u)
#define MIRRORED_STEP 5u /* on a device; no divisor of the count, so that all choices come */

static bool mirroredRow(uint32_t number, Row *row) {
    *row = (Row){{0}};
    row->choices[ROW_READING] = (uint8_t)(number / 12);
    row->choices[ROW_INFLUENCES] = (uint8_t)(number / 3 % 4);
    row->choices[ROW_FORMAT] = (uint8_t)(number / 3 % 2);
    row->choices[ROW_ATTRIBUTES] = number / 6 % 2 == 0 ? 2 : 4;
    return rowExists(row);
}

static uint32_t runMirrored(Gpu *gpu) {
    uint32_t bad = 0;
    Row row;
    for (uint32_t i = 0; i < MIRRORED_ROWS; i += MIRRORED_STEP) {
        bad += mirroredRow(i, &row) && !runOne(gpu, &row, SCENE_MIRRORED, i).good;
    }
    return bad;
}

GPU_TEST(theTable) {
    static Report report;
    uint32_t count, bad = 0;
    Row *rows = arguments.all ? newAllRows(&count) : newPairCover(&count);
    for (uint32_t i = 0; i < count; i += rowStep()) {
        RowResult result = runOne(gpu, &rows[i], SCENE_TAME, TABLE_SEED + i);
        reportAdd(&report, &rows[i], &result.worst);
        bad += !result.good;
        if ((i + 1) % ROWS_A_LINE == 0) {
            fprintf(stderr, "%u of %u rows\n", i + 1, count);
        }
    }
    free(rows);
    bad += runMirrored(gpu);
    bad += arguments.report != NULL ? runFar(gpu, &report) : 0; /* otherwise the fuzzing covers it */
    print_message("%u rows, %u of them wrong\n", (count + rowStep() - 1) / rowStep(), bad);
    assert_int_equal(bad, 0);
    assert_true(arguments.report == NULL || reportWrite(&report, arguments.report));
}

GPU_TEST(fuzzedAgreement) {
    time_t end = time(NULL) + arguments.seconds;
    uint64_t seed = arguments.seed;
    do {
        Row row = randomRow(seed / SCENES_A_ROW);
        if (!runOne(gpu, &row, SCENE_WILD, seed).good) {
            fail_msg("to repeat: --fuzz 0 --seed %" PRIu64, seed);
        }
        seed++;
    } while (time(NULL) < end);
    print_message("%" PRIu64 " scenes from seed %" PRIu64 "\n", seed - arguments.seed, arguments.seed);
}

/* ---- On the CPU ---- */

/* One instance's streams, each in memory of its own. */
typedef struct Output {
    GuardedOutput streams[VKSKIN_MAX_OUTPUT_STREAMS];
} Output;

static Output makeOutput(const VkskinMeshInfo *info, unsigned char fill) {
    Output output;
    for (uint32_t s = 0; s < VKSKIN_MAX_OUTPUT_STREAMS; s++) {
        bool used = s < info->layout.streamCount;
        output.streams[s] = guardedOutput(used ? (size_t)info->vertexCount * info->layout.strides[s] : 0, fill);
    }
    return output;
}

static void freeOutput(Output *output) {
    for (uint32_t s = 0; s < VKSKIN_MAX_OUTPUT_STREAMS; s++) {
        guardedOutputFree(&output->streams[s]);
    }
}

static void skinScene(VkskinCpuMesh mesh, const Scene *scene, VkskinCpuLevel level, const Output *outputs) {
    const RowReading *reading = scene->view.reading;
    VkskinCpuCommand commands[SCENE_INSTANCES];
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        commands[i] = (VkskinCpuCommand){
            .palette = scene->instances[i].palette,
            .encoding = reading->encoding,
            .boneCount = scene->mesh.boneCount,
            .method = reading->blend,
            .morphWeights = scene->instances[i].morphWeights,
            .morphWeightCount = scene->instances[i].morphWeightCount,
        };
        for (uint32_t s = 0; s < VKSKIN_MAX_OUTPUT_STREAMS; s++) {
            commands[i].streams[s] = outputs[i].streams[s].size > 0 ? outputs[i].streams[s].bytes : NULL;
        }
    }
    VkskinCpuRun run = {.level = level};
    assert_int_equal(vkskinSkinOnCpu(mesh, commands, SCENE_INSTANCES, &run), VKSKIN_SUCCESS);
}

static void passThrough(VkskinCpuMesh mesh, const Output *outputs) {
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        void *streams[VKSKIN_MAX_OUTPUT_STREAMS];
        for (uint32_t s = 0; s < VKSKIN_MAX_OUTPUT_STREAMS; s++) {
            streams[s] = outputs[i].streams[s].bytes;
        }
        assert_int_equal(vkskinWritePassThrough(mesh, streams), VKSKIN_SUCCESS);
    }
}

/* The streams as one region of an instance on the device; freed with free(). */
static unsigned char *newRegion(const Output *output, const VkskinMeshInfo *info) {
    unsigned char *bytes = newZeros(1, info->outputBytes);
    for (uint32_t s = 0; s < info->layout.streamCount; s++) {
        memcpy(bytes + info->streamOffsets[s], output->streams[s].bytes, output->streams[s].size);
    }
    return bytes;
}

static void readOutput(const unsigned char *region, const VkskinMeshInfo *info, ReadVertex *vertices) {
    OutputSpan spans[MAX_OUTPUT_SPANS] = {{0}};
    (void)outputSpans(info, spans);
    const VkskinOutput output = {
        .positionOffset = spans[0].offset,
        .positionStride = spans[0].stride,
        .attributeOffset = spans[1].offset,
        .attributeStride = spans[1].stride,
    };
    for (uint32_t v = 0; v < info->vertexCount; v++) {
        vertices[v] = readVertex(region, 0, &output, info, v);
    }
}

/* The pass-through attributes; the bytes become their fill. */
static void takePassThrough(const Output *output, const VkskinMeshInfo *info) {
    OutputSpan spans[VKSKIN_MAX_PASS_THROUGH];
    uint32_t count = passThroughSpans(info, spans);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t v = 0; v < info->vertexCount; v++) {
            unsigned char *at =
                output->streams[spans[i].stream].bytes + spans[i].inStream + (size_t)v * spans[i].stride;
            for (uint32_t w = 0; w < spans[i].bytes / 4; w++) {
                const uint32_t word = passThroughWord(i, v, w);
                assert_memory_equal(at + (size_t)4 * w, &word, 4);
            }
            memset(at, output->streams[0].fill, spans[i].bytes);
        }
    }
}

/* Fails the test unless the written bytes of both are equal and all others have their fill. */
static void compareOutputs(const Output *first, const Output *second, const VkskinMeshInfo *info) {
    OutputSpan spans[MAX_OUTPUT_SPANS];
    uint32_t count = outputSpans(info, spans);
    takePassThrough(first, info);
    takePassThrough(second, info);
    for (uint32_t i = 0; i < count; i++) {
        const OutputSpan *span = &spans[i];
        for (uint32_t v = 0; v < info->vertexCount; v++) {
            unsigned char *a = first->streams[span->stream].bytes + span->inStream + (size_t)v * span->stride;
            unsigned char *b = second->streams[span->stream].bytes + span->inStream + (size_t)v * span->stride;
            assert_memory_equal(a, b, span->bytes);
            memset(a, first->streams[0].fill, span->bytes);
            memset(b, second->streams[0].fill, span->bytes);
        }
    }
    for (uint32_t s = 0; s < info->layout.streamCount; s++) {
        for (size_t at = 0; at < first->streams[s].size; at++) {
            assert_int_equal(first->streams[s].bytes[at], first->streams[s].fill);
            assert_int_equal(second->streams[s].bytes[at], second->streams[s].fill);
        }
    }
}

/*
 * All vertices, [SCENE_INSTANCES][vertexCount], freed with free(). Fails the test if the output depends on earlier
 * contents of its memory, or if bytes outside it are written.
 */
static ReadVertex *newCpuOutput(const Scene *scene, VkskinCpuLevel level, VkskinMeshInfo *info) {
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    VkskinCpuMesh mesh;
    def.mesh = &scene->input.def;
    assert_true(vkskinCreateCpuMesh(&def, &mesh) >= 0);
    assert_int_equal(vkskinGetCpuMeshInfo(mesh, info), VKSKIN_SUCCESS);
    Output first[SCENE_INSTANCES], second[SCENE_INSTANCES];
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        first[i] = makeOutput(info, 0x00);
        second[i] = makeOutput(info, 0xff);
    }
    passThrough(mesh, first);
    skinScene(mesh, scene, level, first);
    skinScene(mesh, scene, level, second);
    passThrough(mesh, second); /* before or after skinning */
    vkskinDestroyCpuMesh(mesh);
    ReadVertex *vertices = newZeros((size_t)SCENE_INSTANCES * info->vertexCount, sizeof *vertices);
    for (uint32_t i = 0; i < SCENE_INSTANCES; i++) {
        unsigned char *region = newRegion(&first[i], info);
        readOutput(region, info, vertices + (size_t)i * info->vertexCount);
        free(region);
        compareOutputs(&first[i], &second[i], info);
        freeOutput(&first[i]);
        freeOutput(&second[i]);
    }
    return vertices;
}

static bool isGoodOnCpu(const Row *row, SceneKind kind, uint64_t seed, VkskinCpuLevel level) {
    Scene scene;
    VkskinMeshInfo info;
    makeScene(&scene, row, kind, seed);
    ReadVertex *vertices = newCpuOutput(&scene, level, &info);
    RowResult result = judgeScene(&scene, kind, vertices, &info);
    if (!result.good) {
        char text[256];
        rowText(row, text, sizeof text);
        print_error("level %d, %s (seed %" PRIu64 "): %s\n", (int)level, text, seed, result.why);
    }
    free(vertices);
    freeScene(&scene);
    return result.good;
}

TEST(theTableOnTheCpu) {
    uint32_t count, bad = 0;
    Row *rows = arguments.all ? newAllRows(&count) : newPairCover(&count);
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); level++) {
        for (uint32_t i = 0; i < count; i += rowStep()) {
            bad += !isGoodOnCpu(&rows[i], SCENE_TAME, TABLE_SEED + i, level);
        }
    }
    free(rows);
    print_message("%u rows to level %d, %u of them wrong\n", count, (int)vkskinGetCpuLevel(), bad);
    assert_int_equal(bad, 0);
}

TEST(mirroredScenesOnTheCpu) {
    uint32_t bad = 0;
    Row row;
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); level++) {
        for (uint32_t i = 0; i < MIRRORED_ROWS; i++) {
            bad += mirroredRow(i, &row) && !isGoodOnCpu(&row, SCENE_MIRRORED, i, level);
        }
    }
    assert_int_equal(bad, 0);
}

TEST(wildScenesOnTheCpu) {
    uint32_t bad = 0;
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); level++) {
        for (uint64_t i = 0; i < WILD_SCENES; i += rowStep()) {
            uint64_t seed = 1000 * (uint64_t)level + i;
            Row row = randomRow(seed);
            bad += !isGoodOnCpu(&row, SCENE_WILD, seed, level);
        }
    }
    assert_int_equal(bad, 0);
}

/* ---- Running ---- */

static bool parseArguments(int argc, char **argv) {
    arguments.seed = (uint64_t)time(NULL);
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--all") == 0 || strcmp(argv[i], "--cpu") == 0) {
            arguments.all = arguments.all || argv[i][2] == 'a';
            arguments.cpu = arguments.cpu || argv[i][2] == 'c';
            continue;
        }
        if (value == NULL) {
            return false;
        }
        i++;
        if (strcmp(argv[i - 1], "--report") == 0) {
            arguments.report = value;
        } else if (strcmp(argv[i - 1], "--fuzz") == 0) {
            arguments.fuzz = true;
            arguments.seconds = strtol(value, NULL, 10);
        } else if (strcmp(argv[i - 1], "--seed") == 0) {
            arguments.seed = strtoull(value, NULL, 10);
        } else {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    if (!parseArguments(argc, argv)) {
        print_error("usage: %s [--all] [--report FILE] | --fuzz SECONDS [--seed N] | --cpu [--all]\n", argv[0]);
        return 1;
    }
    return testRunGroup("conformance",
                        arguments.cpu    ? "*OnTheCpu"
                        : arguments.fuzz ? "fuzzedAgreement"
                                         : "theTable",
                        NULL, NULL);
}
