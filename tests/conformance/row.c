#include "row.h"

#include <stdio.h>

#define COUNT(list) (uint32_t)(sizeof(list) / sizeof(list)[0])

#define READING(method, encoding) {#method, #encoding, VKSKIN_METHOD_##method, VKSKIN_PALETTE_##encoding, false},
static const RowReading readings[ROW_READINGS] = {
    VKSKIN_METHOD_ENCODINGS(READING){"morph targets", "none", VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4, true},
};

static const uint32_t influences[] = {1, 2, 3, 4, 5, 8, 17, 255};

static const char *const weightNames[] = {"float", "16 bits", "8 bits"};

/* The device keeps joints in as few bytes as the bones need: 1, 2 and 4 here. */
static const RowJoints joints[] = {
    {"200 bones by 8 bits", 200, VKSKIN_JOINTS_U8},   {"200 bones by 16 bits", 200, VKSKIN_JOINTS_U16},
    {"200 bones by 32 bits", 200, VKSKIN_JOINTS_U32}, {"300 bones by 16 bits", 300, VKSKIN_JOINTS_U16},
    {"300 bones by 32 bits", 300, VKSKIN_JOINTS_U32}, {"70,000 bones by 32 bits", 70000, VKSKIN_JOINTS_U32},
};

static const char *const formatNames[] = {"packed", "float"};

static const RowAttributes attributes[] = {
    {"positions", false, false, VKSKIN_NORMALS_CHEAP},
    {"cheap normals", true, false, VKSKIN_NORMALS_CHEAP},
    {"exact normals", true, false, VKSKIN_NORMALS_EXACT},
    {"cheap normals and tangents", true, true, VKSKIN_NORMALS_CHEAP},
    {"exact normals and tangents", true, true, VKSKIN_NORMALS_EXACT},
};

static const RowMorphs morphs[] = {
    {"no morphs", false, false},
    {"morphs before", true, false},
    {"morphs after", false, true},
    {"morphs before and after", true, true},
};

static const char *const orderNames[] = {"uniform", "sorted", "unsorted"};

static const VkskinBackend backends[] = {VKSKIN_BACKEND_COMPUTE, VKSKIN_BACKEND_CPU};

static const VkskinPaletteBinding bindings[] = {VKSKIN_PALETTE_BINDING_STORAGE, VKSKIN_PALETTE_BINDING_TEXELS};

static const uint32_t perThread[] = {1, 4, 16, 64};

static const uint32_t workgroups[] = {32, 64, 128, 256};

static const char *const constantNames[] = {"plain constants", "driver constants"};

static const uint32_t counts[ROW_AXIS_COUNT] = {
    COUNT(readings),   COUNT(influences), COUNT(weightNames),   COUNT(joints),   COUNT(formatNames),
    COUNT(attributes), COUNT(morphs),     COUNT(orderNames),    COUNT(backends), COUNT(bindings),
    COUNT(perThread),  COUNT(workgroups), COUNT(constantNames),
};

uint32_t rowChoiceCount(RowAxis axis) {
    return counts[axis];
}

const RowReading *rowReading(uint32_t choice) {
    return &readings[choice];
}

const RowReading *rowReadingOf(const Row *row) {
    return &readings[row->choices[ROW_READING]];
}

uint32_t rowInfluences(const Row *row) {
    return influences[row->choices[ROW_INFLUENCES]];
}

VkskinWeightFormat rowWeights(const Row *row) {
    return (VkskinWeightFormat)row->choices[ROW_WEIGHTS];
}

const char *rowWeightsName(VkskinWeightFormat format) {
    return weightNames[format];
}

const RowJoints *rowJoints(const Row *row) {
    return &joints[row->choices[ROW_JOINTS]];
}

VkskinVertexFormat rowFormat(const Row *row) {
    return (VkskinVertexFormat)row->choices[ROW_FORMAT];
}

const RowAttributes *rowAttributes(const Row *row) {
    return &attributes[row->choices[ROW_ATTRIBUTES]];
}

const RowMorphs *rowMorphs(const Row *row) {
    return &morphs[row->choices[ROW_MORPHS]];
}

RowOrder rowOrder(const Row *row) {
    return (RowOrder)row->choices[ROW_ORDER];
}

ConformSettings rowSettings(const Row *row) {
    return (ConformSettings){
        .backend = backends[row->choices[ROW_BACKEND]],
        .binding = bindings[row->choices[ROW_BINDING]],
        .instancesPerThread = perThread[row->choices[ROW_INSTANCES]],
        .workgroupSize = workgroups[row->choices[ROW_WORKGROUP]],
        .driverConstants = row->choices[ROW_CONSTANTS] != 0,
    };
}

/* Whether a kernel reads palettes as texels where it is told to, and a view of 65,536 can show them. */
static bool hasTexels(const Row *row) {
    const RowReading *reading = rowReadingOf(row);
    return !reading->boneless && vkskinPaletteStride(reading->encoding) % 16 == 0 &&
           reading->encoding != VKSKIN_PALETTE_QUATERNION_HALF &&
           rowJoints(row)->boneCount * vkskinPaletteStride(reading->encoding) <= 65536 * 16;
}

static bool settingsExist(const Row *row) {
    const uint8_t *choices = row->choices;
    bool plain = choices[ROW_BINDING] + choices[ROW_INSTANCES] + choices[ROW_WORKGROUP] + choices[ROW_CONSTANTS] == 0;
    return backends[choices[ROW_BACKEND]] == VKSKIN_BACKEND_CPU ? plain : choices[ROW_BINDING] == 0 || hasTexels(row);
}

bool rowExists(const Row *row) {
    const uint8_t *choices = row->choices;
    const RowReading *reading = rowReadingOf(row);
    if (choices[ROW_ATTRIBUTES] == 0 && choices[ROW_FORMAT] != 0) {
        return false; /* positions have one format */
    }
    if (reading->encoding == VKSKIN_PALETTE_MAT2X3 && choices[ROW_ATTRIBUTES] != 0) {
        return false;
    }
    bool still = choices[ROW_MORPHS] == 0;
    bool shaped = choices[ROW_INFLUENCES] + choices[ROW_WEIGHTS] + choices[ROW_JOINTS] + choices[ROW_ORDER] > 0;
    return settingsExist(row) && (!reading->boneless || (!still && !shaped));
}

uint32_t rowOtherInfluences(const Row *row) {
    return rowInfluences(row) == 1 ? 2 : 1;
}

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

uint32_t rowKernels(const Row *row, uint32_t kernels[2]) {
    if (backends[row->choices[ROW_BACKEND]] == VKSKIN_BACKEND_CPU) {
        return 0;
    }
    kernels[0] = kernelOf(row, rowInfluences(row));
    kernels[1] = kernelOf(row, rowOtherInfluences(row));
    return rowOrder(row) == ROW_UNIFORM ? 1 : 2;
}

void rowText(const Row *row, char *text, size_t size) {
    const RowReading *reading = rowReadingOf(row);
    ConformSettings settings = rowSettings(row);
    char how[80] = "CPU backend";
    if (settings.backend == VKSKIN_BACKEND_COMPUTE) {
        snprintf(how, sizeof how, "%u instances per thread, workgroups of %u, %s, %s", settings.instancesPerThread,
                 settings.workgroupSize,
                 settings.binding == VKSKIN_PALETTE_BINDING_TEXELS ? "texels" : "storage buffer",
                 constantNames[row->choices[ROW_CONSTANTS]]);
    }
    snprintf(text, size, "%s of %s, %u influences, weights of %s, %s, %s, %s, %s, %s; %s", reading->method,
             reading->palette, rowInfluences(row), weightNames[row->choices[ROW_WEIGHTS]], rowJoints(row)->name,
             formatNames[row->choices[ROW_FORMAT]], rowAttributes(row)->name, rowMorphs(row)->name,
             orderNames[row->choices[ROW_ORDER]], how);
}
