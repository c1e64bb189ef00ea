/*
 * document.h: the result of a verb, from one list of fields: each call writes a field into the table for people and into the
 * JSON. A field has a label in the table and a name in the JSON; null leaves it out of one of them.
 *
 * A table with columns (tableBegin) is an array of objects in the JSON. One list has its columns, and TABLE_ROW writes the
 * cells of a row in the order of the columns. Fields that only the JSON has: JSON_FIELDS, and the
 * jsonAdd functions with `json` and `good`.
 */
#ifndef APP_DOCUMENT_H
#define APP_DOCUMENT_H

#include <stdio.h>

#include "measure.h"
#include "outputs.h"

/* A column of a table. */
typedef struct Column {
    const char *heading; /* null: JSON only */
    const char *name;    /* in the JSON; null: table only */
    int width; /* characters of the heading and of each field; below 0: aligned to the left, after two spaces; 0: names,
                  which end the line, wherever this column is in the list */
} Column;

typedef struct Document {
    FILE *table, *people; /* null: none; people: the table while documentShow does not hide it */
    cJSON *json;          /* where fields go: the document, or an object in it */
    bool good;            /* false: memory ran out */
    cJSON *top;           /* the document */
    int labelWidth, valueWidth;
    const Column *columns; /* those of the last tableBegin */
    uint32_t columnCount;
    cJSON *rows;
    const char *title;
    bool begun;  /* the table for people has a line */
    bool headed; /* the table has its headings */
} Document;

/* kind: what the JSON says of itself. table: null for none. The widths: of labels, and of numbers outside of tables. */
Document documentBegin(const char *kind, FILE *table, int labelWidth, int valueWidth);

/* As documentBegin with standard output; no table if --json sends the JSON there. */
Document documentOf(const Arguments *arguments, const char *kind, int labelWidth, int valueWidth);

/* Ends the document. Text without a final line end, for cJSON_free; null: out of memory. */
char *documentText(Document *document);

/* Ends the document. Writes the JSON if --json asks for it. good: false: only ends it, and returns false. */
bool documentEnd(Document *document, const Arguments *arguments, bool good, EngineError *error);

/* JSON_FIELDS(document, jsonText(...), ...): fields that only the JSON has. */
#define JSON_FIELDS(document, ...) JSON_ADD((document)->json, &(document)->good, __VA_ARGS__)

/* ---- Fields ---- */

/* text: null: no line, and the null of JSON. */
void fieldText(Document *document, const char *label, const char *name, const char *text);

/* A short text, aligned to the right as numbers are. */
void fieldWord(Document *document, const char *label, const char *name, const char *word);

/* unit: "" for none. */
void fieldCount(Document *document, const char *label, const char *name, uint64_t count, const char *unit);

/* Per second; 0: not measured. */
void fieldRate(Document *document, const char *label, const char *name, double value, const char *unit);

/* Median, spread and number of samples; "none" in the table if there are none. */
void fieldStep(Document *document, const char *label, const char *name, const Measured *measured);

/* A line of the table alone, as sayClean writes it: after a label, which is "" if the line goes on, or without one. */
__attribute__((format(printf, 3, 4))) void fieldLine(Document *document, const char *label, const char *format, ...);

__attribute__((format(printf, 2, 3))) void documentLine(Document *document, const char *format, ...);

/* Whether what follows is in the table too: at first all is. */
void documentShow(Document *document, bool shown);

/* Text of the table alone: no foreign text, because it is written as it is. It ends its lines itself. */
void documentNote(Document *document, const char *text);

/* The fields up to objectEnd belong to an object of the document in the JSON. It may contain a table, but no object. */
void objectBegin(Document *document, const char *name);
void objectEnd(Document *document);

/* ---- Tables ---- */

/* The headings appear with the first row. name: of the array in the JSON; null: the rows are not in the JSON. title: a line
 * before the headings, or null. */
void tableBegin(Document *document, const char *name, const char *title, const Column *columns, uint32_t columnCount);

/* A cell: a value with the name of its column. text: null: "-" in the table. In a column of width 0: as sayName writes it. */
typedef struct Cell {
    JsonValue value;
    int decimals;
} Cell;

static inline Cell cellText(const char *text) {
    return (Cell){.value = jsonText(NULL, text)};
}

static inline Cell cellCount(uint64_t count) {
    return (Cell){.value = jsonCount(NULL, count)};
}

static inline Cell cellFlag(bool flag) {
    return (Cell){.value = jsonFlag(NULL, flag)};
}

/* decimals: of the number in the table; below 0: that many significant digits. NAN: "-", and null in the JSON. */
static inline Cell cellNumber(double number, int decimals) {
    return (Cell){.value = jsonNumber(NULL, number), .decimals = decimals};
}

/* TABLE_ROW(document, cell, ...): a cell for each column; more are left out. Returns the object in the JSON, or null. */
#define TABLE_ROW(document, ...) tableRow(document, (const Cell[]){__VA_ARGS__})
cJSON *tableRow(Document *document, const Cell *cells);

#endif
