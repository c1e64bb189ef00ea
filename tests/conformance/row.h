/*
 * row.h: the one list that the conformance table is made of.
 *
 * A row is one choice on each axis: what is blended from which palette, how many influences, how weights and joints are
 * stored, what comes out, which morph targets there are, in which order the vertices come; and what skins it: kernels of
 * which settings, or the CPU. The driver is the axis that ctest adds.
 */
#ifndef TESTS_ROW_H
#define TESTS_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conform_settings.h"

typedef enum RowAxis {
    ROW_READING,    /* a method and an encoding that it reads; or no bones at all */
    ROW_INFLUENCES, /* a vertex */
    ROW_WEIGHTS,
    ROW_JOINTS, /* how many bones there are, and how the joints come in */
    ROW_FORMAT,
    ROW_ATTRIBUTES,
    ROW_MORPHS,
    ROW_ORDER,
    ROW_BACKEND,
    ROW_BINDING,
    ROW_INSTANCES, /* a thread */
    ROW_WORKGROUP,
    ROW_CONSTANTS, /* specialised by the library or by the driver */
    ROW_AXIS_COUNT
} RowAxis;

typedef struct Row {
    uint8_t choices[ROW_AXIS_COUNT];
} Row;

typedef struct RowReading {
    const char *method, *palette; /* for people */
    VkskinMethod blend;
    VkskinPaletteEncoding encoding;
    bool boneless;
} RowReading;

typedef struct RowJoints {
    const char *name;
    uint32_t boneCount;
    VkskinJointFormat format;
} RowJoints;

typedef struct RowAttributes {
    const char *name;
    bool normals, tangents;
    VkskinNormals rule;
} RowAttributes;

typedef struct RowMorphs {
    const char *name;
    bool before, after;
} RowMorphs;

typedef enum RowOrder {
    ROW_UNIFORM,  /* all vertices have as many influences */
    ROW_SORTED,   /* two kinds, the fewer first */
    ROW_UNSORTED, /* two kinds, mixed */
    ROW_ORDER_COUNT
} RowOrder;

/* The pairs of method and encoding, then meshes without bones. */
#define ROW_COUNT_PAIR(method, encoding) 1u +
#define ROW_READINGS                     (VKSKIN_METHOD_ENCODINGS(ROW_COUNT_PAIR) 1u)

/* Below it lie the choices of an axis. */
uint32_t rowChoiceCount(RowAxis axis);

const RowReading *rowReading(uint32_t choice);
const RowReading *rowReadingOf(const Row *row);
uint32_t rowInfluences(const Row *row);
VkskinWeightFormat rowWeights(const Row *row);
const char *rowWeightsName(VkskinWeightFormat format);
const RowJoints *rowJoints(const Row *row);
VkskinVertexFormat rowFormat(const Row *row);
const RowAttributes *rowAttributes(const Row *row);
const RowMorphs *rowMorphs(const Row *row);
RowOrder rowOrder(const Row *row);
ConformSettings rowSettings(const Row *row);

/* Of choices that change nothing beside another one (the joints of a mesh without bones), the first alone exists. */
bool rowExists(const Row *row);

/* How many influences the other vertices have where there are two kinds: of another class. */
uint32_t rowOtherInfluences(const Row *row);

/* The kernels that a row takes, 0 to 2, as numbers that differ where kernels do: the settings are the last 8 bits. */
uint32_t rowKernels(const Row *row, uint32_t kernels[2]);
#define ROW_SETTINGS_BITS 8

/* The choices by name, for messages. */
void rowText(const Row *row, char *text, size_t size);

#endif
