/*
 * table.h: the conformance table: its axes, which rows are run, and the report.
 *
 * A row is one choice on each axis: method and palette encoding, influence count, format of weights and joints, output
 * format and attributes, morph targets, vertex order; and what skins it: kernels with which settings, or the CPU. The
 * driver is one more axis, which ctest adds.
 */
#ifndef TESTS_TABLE_H
#define TESTS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conform.h"

typedef enum RowAxis {
    ROW_READING,    /* method and an encoding that it reads; or no bones */
    ROW_INFLUENCES, /* influences per vertex */
    ROW_WEIGHTS,
    ROW_JOINTS, /* how many bones there are, and how the joints come in */
    ROW_FORMAT,
    ROW_ATTRIBUTES,
    ROW_MORPHS,
    ROW_ORDER,
    ROW_LAYOUT, /* layout of the output */
    ROW_PLACE,  /* place of the output: pages of the library, or a buffer of the host */
    ROW_BACKEND,
    ROW_BINDING,
    ROW_INSTANCES, /* instances per thread */
    ROW_WORKGROUP,
    ROW_CONSTANTS, /* specialised by the library or by the driver */
    ROW_AXIS_COUNT
} RowAxis;

typedef struct Row {
    uint8_t choices[ROW_AXIS_COUNT];
} Row;

typedef struct RowReading {
    const char *method, *palette; /* for messages */
    VkskinMethod blend;
    VkskinPaletteEncoding encoding;
    bool boneless;
} RowReading;

/* The bones that a palette encoding can represent. Flat ones lie in the plane: its meshes have two dimensions. */
typedef enum RowBones { ROW_BONES_SHEARED, ROW_BONES_UNIFORM, ROW_BONES_RIGID, ROW_BONES_FLAT } RowBones;

/*
 * turn, size, move: the maximum error of a bone in an entry: the rotation in radians, the scale and the translation as
 * fractions of themselves. All zero: as exact as floats are.
 */
typedef struct RowEncoding {
    RowBones bones;
    bool texels; /* kernels can read the palette as texels */
    double turn, size, move;
} RowEncoding;

typedef struct RowJoints {
    const char *name;
    uint32_t boneCount;
    VkskinJointFormat format;
} RowJoints;

typedef struct RowAttributes {
    const char *name;
    bool normals, tangents;
    VkskinNormals rule;
    bool each; /* positions per influence, of flat meshes */
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

/* What the choices of a row mean. */
typedef struct RowView {
    const RowReading *reading;
    RowEncoding encoding;
    uint32_t influences, otherInfluences; /* the other vertices' if there are two counts: another kernel skins them */
    VkskinWeightFormat weights;
    const RowJoints *joints;
    VkskinVertexFormat format;
    const RowAttributes *attributes;
    const RowMorphs *morphs;
    RowOrder order;
    bool ownLayout; /* the mesh has a layout, a random one */
    ConformSettings settings;
} RowView;

RowView rowView(const Row *row);

/* If choices change nothing in combination with another one (the joints of a mesh without bones), only the first one
 * exists. */
bool rowExists(const Row *row);

/* The choices by name, for messages. */
void rowText(const Row *row, char *text, size_t size);

/* ---- Which rows are run ---- */

/*
 * Few rows that contain every pair of choices of two axes that exists in any row; the same in every run. Rows of one
 * backend and its settings are consecutive. [*count], freed with free().
 */
Row *newPairCover(uint32_t *count);

/*
 * Every row that exists up to ROW_ATTRIBUTES. The other axes rotate, since their full product would be hundreds of times
 * as long: morphs, orders, layouts, places and backends from row to row, settings from kernel to kernel. Likewise.
 */
Row *newAllRows(uint32_t *count);

/* Any row that exists. */
Row randomRow(uint64_t seed);

/* ---- The report: the worst errors by method, palette and weights ---- */

#define REPORT_WEIGHTS 3u

typedef struct Report {
    uint32_t rows[ROW_READINGS][REPORT_WEIGHTS];
    ConformWorst worst[ROW_READINGS][REPORT_WEIGHTS];
    double farUnits[ROW_READINGS];                   /* far from the origin, by float weights */
    VertexError formats[VKSKIN_VERTEX_FORMAT_COUNT]; /* by float weights and exact palettes */
} Report;

void reportAdd(Report *report, const Row *row, const ConformWorst *worst);

void reportAddFar(Report *report, const Row *row, double units);

/*
 * Writes a line for each method, palette and weights that was run. Its fields, separated by tabs: the three names, rows,
 * vertices, the worst position as a fraction of the bounds' diagonal, the worst normal and tangent in degrees without
 * those of snorm10, which would hide all others, the worst position far from the origin in the mesh's unit. Then a line
 * for each format: "format", its name, the worst normal and tangent. False if the file could not be written.
 */
bool reportWrite(const Report *report, const char *path);

#endif
