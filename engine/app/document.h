/*
 * document.h: the result of a verb, from one list of fields: each call writes a field into the table for people and into the
 * JSON. A field has a label in the table and a name in the JSON; null leaves it out of one of them.
 *
 * A table with columns (tableBegin) is an array of objects in the JSON. One list has its columns, and the calls for a row
 * write the fields of the row in the order of the columns. For fields that only the JSON has, use the jsonAdd functions with
 * `json` and `good`.
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
    cJSON *json;          /* where fields go: the document, or the row of a table */
    bool good;            /* false: memory ran out */
    cJSON *top;           /* the document */
    int labelWidth, valueWidth;
    const Column *columns; /* those of the table that is written now */
    uint32_t columnCount, column;
    cJSON *rows, *aroundRow; /* aroundRow: where the fields after a row go */
    const char *title;
    bool begun;       /* the table for people has a line */
    bool headed;      /* the table has its headings */
    const char *last; /* name at the end of the row; null: none */
} Document;

/* kind: what the JSON says of itself. table: null for none. The widths: of labels, and of numbers outside of tables. */
Document documentBegin(const char *kind, FILE *table, int labelWidth, int valueWidth);

/* As documentBegin with standard output; no table if --json sends the JSON there. */
Document documentOf(const Arguments *arguments, const char *kind, int labelWidth, int valueWidth);

/* Ends the document. Text without a final line end, for cJSON_free; null: out of memory. */
char *documentText(Document *document);

/* Ends the document. Writes the JSON if --json asks for it. good: false: only ends it, and returns false. */
bool documentEnd(Document *document, const Arguments *arguments, bool good, EngineError *error);

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
void tableEnd(Document *document);

void rowBegin(Document *document);
void rowEnd(Document *document);

/*
 * Each writes the next column of the row. text: null: "-" in the table, null in the JSON. In a column of width 0 it must stay
 * until rowEnd, and is written as sayClean does.
 */
void cellText(Document *document, const char *text);
void cellCount(Document *document, uint64_t count);
void cellBool(Document *document, bool value);

/* decimals: of the number in the table; below 0: that many significant digits. NAN: "-", and null in the JSON. */
void cellNumber(Document *document, double number, int decimals);

#endif
