#include "table.h"

#include <limits.h>

#include "meshes.h"

/* ---- The axes ---- */

#define COUNT(list) (uint32_t) COUNT_OF(list)

#define READING(method, encoding) {#method, #encoding, VKSKIN_METHOD_##method, VKSKIN_PALETTE_##encoding, false},
static const RowReading readings[ROW_READINGS] = {
    VKSKIN_METHOD_ENCODINGS(READING){"morph targets", "none", VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4, true},
};

/*
 * A half has 11 bits, so a component is off by 2^-11 of itself, and so is the quaternion; the rotation's error is twice
 * its quaternion's. A snorm16 is off by 0.5 / 32,767, and four of them by twice that.
 */
static RowEncoding encodingOf(VkskinPaletteEncoding encoding) {
    switch (encoding) {
    case VKSKIN_PALETTE_MAT3X4:
        return (RowEncoding){.bones = ROW_BONES_SHEARED, .texels = true};
    case VKSKIN_PALETTE_MAT2X3:
        return (RowEncoding){.bones = ROW_BONES_FLAT, .texels = false};
    case VKSKIN_PALETTE_DUAL_QUATERNION:
        return (RowEncoding){.bones = ROW_BONES_RIGID, .texels = true};
    case VKSKIN_PALETTE_SCALED_DUAL_QUATERNION:
        return (RowEncoding){.bones = ROW_BONES_SHEARED, .texels = true};
    case VKSKIN_PALETTE_QUATERNION:
        return (RowEncoding){.bones = ROW_BONES_UNIFORM, .texels = true};
    case VKSKIN_PALETTE_QUATERNION_HALF:
        return (RowEncoding){ROW_BONES_UNIFORM, .turn = 0x1p-10, .size = 0x1p-11, .move = 0x1p-11};
    case VKSKIN_PALETTE_QUATERNION_SNORM16:
        return (RowEncoding){ROW_BONES_UNIFORM, .turn = 2.0 / 32767.0};
    }
    return (RowEncoding){0};
}

static const uint32_t influences[] = {1, 2, 3, 4, 5, 8, 17, 255};

static const char *const weightNames[] = {"float", "16 bits", "8 bits"};

/* The device keeps joints in as few bytes as the bones need: 1, 2 and 4 here. */
static const RowJoints joints[] = {
    {"200 bones by 8 bits", 200, VKSKIN_JOINTS_U8},   {"200 bones by 16 bits", 200, VKSKIN_JOINTS_U16},
    {"200 bones by 32 bits", 200, VKSKIN_JOINTS_U32}, {"300 bones by 16 bits", 300, VKSKIN_JOINTS_U16},
    {"300 bones by 32 bits", 300, VKSKIN_JOINTS_U32}, {"70,000 bones by 32 bits", 70000, VKSKIN_JOINTS_U32},
};

#define FORMAT_NAME(name, text) text,
static const char *const formatNames[] = {VKSKIN_VERTEX_FORMATS(FORMAT_NAME)};

static const RowAttributes attributes[] = {
    {"positions", false, false, VKSKIN_NORMALS_CHEAP, false},
    {"cheap normals", true, false, VKSKIN_NORMALS_CHEAP, false},
    {"exact normals", true, false, VKSKIN_NORMALS_EXACT, false},
    {"cheap normals and tangents", true, true, VKSKIN_NORMALS_CHEAP, false},
    {"exact normals and tangents", true, true, VKSKIN_NORMALS_EXACT, false},
    {"positions per influence", false, false, VKSKIN_NORMALS_CHEAP, true},
};

static const RowMorphs morphs[] = {
    {"no morphs", false, false},
    {"morphs before", true, false},
    {"morphs after", false, true},
    {"morphs before and after", true, true},
};

static const char *const orderNames[] = {"uniform", "sorted", "unsorted"};

static const char *const layoutNames[] = {"two streams", "random layout"};

static const char *const placeNames[] = {"in pages", "in a buffer of the host"};

static const VkskinBackend backends[] = {VKSKIN_BACKEND_COMPUTE, VKSKIN_BACKEND_CPU};

static const VkskinPaletteBinding bindings[] = {VKSKIN_PALETTE_BINDING_STORAGE, VKSKIN_PALETTE_BINDING_TEXELS};

static const uint32_t perThread[] = {1, 4, 16, 64};

static const uint32_t workgroups[] = {32, 64, 128, 256};

static const char *const constantNames[] = {"plain constants", "driver constants"};

static const uint32_t counts[ROW_AXIS_COUNT] = {
    COUNT(readings),   COUNT(influences), COUNT(weightNames), COUNT(joints),      COUNT(formatNames),
    COUNT(attributes), COUNT(morphs),     COUNT(orderNames),  COUNT(layoutNames), COUNT(placeNames),
    COUNT(backends),   COUNT(bindings),   COUNT(perThread),   COUNT(workgroups),  COUNT(constantNames),
};

/* The choices of an axis are 0 to this - 1. */
static uint32_t rowChoiceCount(RowAxis axis) {
    return counts[axis];
}

static const RowReading *rowReading(uint32_t choice) {
    return &readings[choice];
}

static const char *rowWeightsName(VkskinWeightFormat format) {
    return weightNames[format];
}

RowView rowView(const Row *row) {
    const uint8_t *choices = row->choices;
    const RowReading *reading = &readings[choices[ROW_READING]];
    return (RowView){
        .reading = reading,
        .encoding = encodingOf(reading->encoding),
        .influences = influences[choices[ROW_INFLUENCES]],
        .otherInfluences = influences[choices[ROW_INFLUENCES]] == 1 ? 2 : 1,
        .weights = (VkskinWeightFormat)choices[ROW_WEIGHTS],
        .joints = &joints[choices[ROW_JOINTS]],
        .format = (VkskinVertexFormat)choices[ROW_FORMAT],
        .attributes = &attributes[choices[ROW_ATTRIBUTES]],
        .morphs = &morphs[choices[ROW_MORPHS]],
        .order = (RowOrder)choices[ROW_ORDER],
        .ownLayout = choices[ROW_LAYOUT] != 0,
        .settings = {.backend = backends[choices[ROW_BACKEND]],
                     .binding = bindings[choices[ROW_BINDING]],
                     .instancesPerThread = perThread[choices[ROW_INSTANCES]],
                     .workgroupSize = workgroups[choices[ROW_WORKGROUP]],
                     .driverConstants = choices[ROW_CONSTANTS] != 0,
                     .hostOutput = choices[ROW_PLACE] != 0},
    };
}

/* A kernel can read the palettes as texels, and a view of 65,536 texels can show them. */
static bool hasTexels(const RowView *view) {
    return !view->reading->boneless && view->encoding.texels &&
           view->joints->boneCount * vkskinPaletteStride(view->reading->encoding) <= 65536 * 16;
}

static bool settingsExist(const Row *row, const RowView *view) {
    const uint8_t *choices = row->choices;
    bool plain = choices[ROW_BINDING] + choices[ROW_INSTANCES] + choices[ROW_WORKGROUP] + choices[ROW_CONSTANTS] == 0;
    return view->settings.backend == VKSKIN_BACKEND_CPU ? plain : choices[ROW_BINDING] == 0 || hasTexels(view);
}

bool rowExists(const Row *row) {
    const uint8_t *choices = row->choices;
    const RowView view = rowView(row);
    if (!view.attributes->normals && choices[ROW_FORMAT] != 0) {
        return false; /* positions have one format */
    }
    const bool flat = view.encoding.bones == ROW_BONES_FLAT;
    if (flat ? view.attributes->normals : view.attributes->each) {
        return false;
    }
    bool still = choices[ROW_MORPHS] == 0;
    bool shaped = choices[ROW_INFLUENCES] + choices[ROW_WEIGHTS] + choices[ROW_JOINTS] + choices[ROW_ORDER] > 0;
    return settingsExist(row, &view) && (!view.reading->boneless || (!still && !shaped));
}

#define ROW_SETTINGS_BITS 8

static uint32_t kernelOf(const Row *row, uint32_t influenceCount) {
    const uint32_t parts[] = {row->choices[ROW_READING], influenceCount < 5 ? influenceCount : 5,
                              row->choices[ROW_FORMAT], row->choices[ROW_ATTRIBUTES], row->choices[ROW_MORPHS] > 0};
    uint32_t number = 0;
    for (uint32_t i = 0; i < COUNT(parts); i++) {
        number = number * 16 + parts[i];
    }
    return number << ROW_SETTINGS_BITS | (uint32_t)row->choices[ROW_CONSTANTS] << 5 |
           (uint32_t)row->choices[ROW_BINDING] << 4 | (uint32_t)row->choices[ROW_INSTANCES] << 2 |
           row->choices[ROW_WORKGROUP];
}

/* The kernels that a row needs, 0 to 2, as numbers: equal numbers, equal kernels. The settings are the last 8 bits. */
static uint32_t rowKernels(const Row *row, uint32_t kernels[2]) {
    const RowView view = rowView(row);
    if (view.settings.backend == VKSKIN_BACKEND_CPU) {
        return 0;
    }
    kernels[0] = kernelOf(row, view.influences);
    kernels[1] = kernelOf(row, view.otherInfluences);
    return view.order == ROW_UNIFORM ? 1 : 2;
}

void rowText(const Row *row, char *text, size_t size) {
    const RowView view = rowView(row);
    const ConformSettings *settings = &view.settings;
    char how[80] = "CPU backend";
    if (settings->backend == VKSKIN_BACKEND_COMPUTE) {
        snprintf(how, sizeof how, "%u instances per thread, workgroups of %u, %s, %s", settings->instancesPerThread,
                 settings->workgroupSize,
                 settings->binding == VKSKIN_PALETTE_BINDING_TEXELS ? "texels" : "storage buffer",
                 constantNames[row->choices[ROW_CONSTANTS]]);
    }
    snprintf(text, size, "%s of %s, %u influences, weights of %s, %s, %s, %s, %s, %s, %s %s; %s", view.reading->method,
             view.reading->palette, view.influences, weightNames[view.weights], view.joints->name,
             formatNames[view.format], view.attributes->name, view.morphs->name, orderNames[view.order],
             layoutNames[row->choices[ROW_LAYOUT]], placeNames[row->choices[ROW_PLACE]], how);
}

/* ---- Which rows are run ---- */

#define MAX_CHOICES  10u
#define TRIES        200u /* rows tried for each one that is chosen */
#define MAX_ROWS     20000u
#define BACKEND_STEP 3u /* every third of all rows is the CPU's; no divisor of the axes' sizes */
#define KERNEL_COST  3  /* pairs that a new kernel must be worth: kernels take long to make */

_Static_assert(ROW_READINGS <= MAX_CHOICES, "pairs are kept in a table of so many choices");

typedef struct Cover {
    Row *rows;
    uint32_t count;
    bool covered[ROW_AXIS_COUNT][MAX_CHOICES][ROW_AXIS_COUNT][MAX_CHOICES]; /* axes in ascending order */
    uint32_t left;                                                          /* pairs that are not */
} Cover;

static void addRow(Row *rows, uint32_t *count, const Row *row) {
    assert_true(*count < MAX_ROWS);
    rows[(*count)++] = *row;
}

static void chooseAxis(Random *random, Row *row, RowAxis axis) {
    row->choices[axis] = (uint8_t)randomBelow(random, rowChoiceCount(axis));
}

static void chooseRow(Random *random, Row *row) {
    for (RowAxis a = 0; a < ROW_AXIS_COUNT; a++) {
        chooseAxis(random, row, a);
    }
}

Row randomRow(uint64_t seed) {
    Random random = {seed};
    Row row;
    do {
        chooseRow(&random, &row);
    } while (!rowExists(&row));
    return row;
}

/* ---- Pairs ---- */

/* How many pairs of a row are not covered; with `take` they are from here on. Kernels must cover all pairs: of a row of
 * the CPU, only pairs with its backend count. */
static uint32_t newPairs(Cover *cover, const Row *row, bool take) {
    uint32_t found = 0;
    bool onCpu = rowView(row).settings.backend == VKSKIN_BACKEND_CPU;
    for (RowAxis a = 0; a < ROW_AXIS_COUNT; a++) {
        for (RowAxis b = a + 1; b < ROW_AXIS_COUNT; b++) {
            bool *covered = &cover->covered[a][row->choices[a]][b][row->choices[b]];
            if (onCpu && a != ROW_BACKEND && b != ROW_BACKEND) {
                continue;
            }
            found += !*covered;
            *covered = *covered || take;
        }
    }
    cover->left -= take ? found : 0;
    return found;
}

/* A row with the pair, or false if none exists: a mesh without bones leaves few choices. */
static bool rowOfPair(Random *random, RowAxis a, uint32_t choiceA, RowAxis b, uint32_t choiceB, Row *row) {
    for (uint32_t i = 0; i < 20 * TRIES; i++) {
        if (i % 2 == 0) {
            chooseRow(random, row);
        } else {
            memset(row, 0, sizeof *row); /* the first choices exist in more combinations */
            chooseAxis(random, row, ROW_MORPHS);
            chooseAxis(random, row, ROW_ATTRIBUTES);
        }
        row->choices[ROW_BACKEND] = 0; /* kernels */
        row->choices[a] = (uint8_t)choiceA;
        row->choices[b] = (uint8_t)choiceB;
        if (rowExists(row)) {
            return true;
        }
    }
    return false;
}

/* Pairs that exist in no row count as covered. */
static void startCover(Random *random, Cover *cover) {
    Row row;
    cover->rows = newZeros(MAX_ROWS, sizeof *cover->rows);
    for (RowAxis a = 0; a < ROW_AXIS_COUNT; a++) {
        for (RowAxis b = a + 1; b < ROW_AXIS_COUNT; b++) {
            for (uint32_t e = 0; e < rowChoiceCount(a) * rowChoiceCount(b); e++) {
                uint32_t i = e / rowChoiceCount(b), j = e % rowChoiceCount(b);
                cover->covered[a][i][b][j] = !rowOfPair(random, a, i, b, j, &row);
                cover->left += !cover->covered[a][i][b][j];
            }
        }
    }
}

static bool hasKernel(const Cover *cover, uint32_t kernel) {
    for (uint32_t i = 0; i < cover->count; i++) {
        uint32_t kernels[2];
        uint32_t count = rowKernels(&cover->rows[i], kernels);
        if ((count > 0 && kernels[0] == kernel) || (count == 2 && kernels[1] == kernel)) {
            return true;
        }
    }
    return false;
}

static int worthOf(Cover *cover, const Row *row) {
    uint32_t kernels[2];
    uint32_t count = rowKernels(row, kernels);
    int worth = (int)newPairs(cover, row, false);
    for (uint32_t i = 0; i < count; i++) {
        worth -= hasKernel(cover, kernels[i]) ? 0 : KERNEL_COST;
    }
    return worth;
}

/* Among random rows with a pair that exists, returns the one of the highest worth. */
static Row bestOfPair(Random *random, Cover *cover, RowAxis a, uint32_t choiceA, RowAxis b, uint32_t choiceB) {
    Row best = {{0}}, row;
    int most = INT_MIN;
    for (uint32_t t = 0; t < TRIES; t++) {
        int worth = rowOfPair(random, a, choiceA, b, choiceB, &row) ? worthOf(cover, &row) : INT_MIN;
        best = worth > most ? row : best;
        most = worth > most ? worth : most;
    }
    return best;
}

/* By backend and settings, since each needs a context; then by the other axes, so that every run has the same order. */
static int compareRows(const void *a, const void *b) {
    const Row *first = a, *second = b;
    int order = memcmp(&first->choices[ROW_BACKEND], &second->choices[ROW_BACKEND], ROW_AXIS_COUNT - ROW_BACKEND);
    return order != 0 ? order : memcmp(first->choices, second->choices, ROW_BACKEND);
}

static void sortBySettings(Row *rows, uint32_t count) {
    qsort(rows, count, sizeof *rows, compareRows);
}

Row *newPairCover(uint32_t *count) {
    static Cover cover;
    Random random = {1};
    memset(&cover, 0, sizeof cover);
    startCover(&random, &cover);
    for (RowAxis a = 0; a < ROW_AXIS_COUNT; a++) {
        for (RowAxis b = a + 1; b < ROW_AXIS_COUNT; b++) {
            for (uint32_t e = 0; e < rowChoiceCount(a) * rowChoiceCount(b); e++) {
                uint32_t i = e / rowChoiceCount(b), j = e % rowChoiceCount(b);
                if (!cover.covered[a][i][b][j]) {
                    Row row = bestOfPair(&random, &cover, a, i, b, j);
                    newPairs(&cover, &row, true);
                    addRow(cover.rows, &cover.count, &row);
                }
            }
        }
    }
    assert_int_equal(cover.left, 0);
    *count = cover.count;
    sortBySettings(cover.rows, cover.count);
    return cover.rows;
}

/* ---- All ---- */

/* The next row; the axis before morphs changes fastest. False after the last one. */
static bool advance(Row *row) {
    for (int a = ROW_MORPHS - 1; a >= 0; a--) {
        if (++row->choices[a] < rowChoiceCount((RowAxis)a)) {
            return true;
        }
        row->choices[a] = 0;
    }
    return false;
}

/* Settings that depend on the kernel, so that each kernel is made once. */
static void chooseSettings(Row *row) {
    uint32_t kernels[2];
    memset(&row->choices[ROW_BINDING], 0, ROW_AXIS_COUNT - ROW_BINDING);
    if (rowKernels(row, kernels) == 0) {
        return;
    }
    Random random = {kernels[0] >> ROW_SETTINGS_BITS};
    do {
        for (RowAxis a = ROW_BINDING; a < ROW_AXIS_COUNT; a++) {
            chooseAxis(&random, row, a);
        }
    } while (!rowExists(row));
}

Row *newAllRows(uint32_t *count) {
    Row *rows = newZeros(MAX_ROWS, sizeof *rows);
    Row row = {{0}};
    uint32_t next = 0, orders = rowChoiceCount(ROW_MORPHS) * rowChoiceCount(ROW_ORDER);
    uint32_t combinations = orders * rowChoiceCount(ROW_LAYOUT);
    *count = 0;
    do {
        for (uint32_t t = 0; t < combinations; t++) { /* the first that exists, from `next` on */
            uint32_t at = (next + t) % combinations;
            row.choices[ROW_MORPHS] = (uint8_t)(at % rowChoiceCount(ROW_MORPHS));
            row.choices[ROW_ORDER] = (uint8_t)(at % orders / rowChoiceCount(ROW_MORPHS));
            row.choices[ROW_LAYOUT] = (uint8_t)(at / orders);
            row.choices[ROW_PLACE] = (uint8_t)(*count / BACKEND_STEP % rowChoiceCount(ROW_PLACE));
            row.choices[ROW_BACKEND] = *count % BACKEND_STEP == 0;
            memset(&row.choices[ROW_BINDING], 0, ROW_AXIS_COUNT - ROW_BINDING);
            if (rowExists(&row)) {
                chooseSettings(&row);
                addRow(rows, count, &row);
                break;
            }
        }
        next += 5; /* no divisor of the count: all come */
    } while (advance(&row));
    sortBySettings(rows, *count);
    return rows;
}

/* ---- The report ---- */

void reportAdd(Report *report, const Row *row, const ConformWorst *worst) {
    uint32_t reading = row->choices[ROW_READING], weights = row->choices[ROW_WEIGHTS];
    ConformWorst *sum = &report->worst[reading][weights];
    report->rows[reading][weights]++;
    sum->compared += worst->compared;
    sum->leftOut += worst->leftOut;
    const RowView view = rowView(row);
    VertexError error = worst->error;
    if (view.weights == VKSKIN_WEIGHTS_FLOAT && view.encoding.turn == 0.0) {
        vertexErrorKeepWorst(&report->formats[view.format], &error);
    }
    if (view.format == VKSKIN_VERTEX_SNORM10) {
        error.normal = error.tangent = 0.0;
    }
    vertexErrorKeepWorst(&sum->error, &error);
}

void reportAddFar(Report *report, const Row *row, double units) {
    double *worst = &report->farUnits[row->choices[ROW_READING]];
    *worst = fmax(*worst, units);
}

static void writeLine(FILE *file, const Report *report, uint32_t reading, uint32_t weights) {
    const ConformWorst *worst = &report->worst[reading][weights];
    if (report->rows[reading][weights] > 0) {
        fprintf(file, "%s\t%s\t%s\t%u\t%u\t%.3g\t%.3g\t%.3g\t%.3g\n", rowReading(reading)->method,
                rowReading(reading)->palette, rowWeightsName((VkskinWeightFormat)weights),
                report->rows[reading][weights], worst->compared - worst->leftOut, worst->error.position,
                worst->error.normal, worst->error.tangent, report->farUnits[reading]);
    }
}

bool reportWrite(const Report *report, const char *path) {
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        return false;
    }
    for (uint32_t r = 0; r < ROW_READINGS; r++) {
        for (uint32_t w = 0; w < REPORT_WEIGHTS; w++) {
            writeLine(file, report, r, w);
        }
    }
    for (uint32_t f = 0; f < VKSKIN_VERTEX_FORMAT_COUNT; f++) {
        fprintf(file, "format\t%s\t%.3g\t%.3g\n", formatNames[f], report->formats[f].normal,
                report->formats[f].tangent);
    }
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written;
}
