#include "document.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "terminal.h"

#define NUMBER_SIZE 64

Document documentBegin(const char *kind, FILE *table, int labelWidth, int valueWidth) {
    Document document = {
        .table = table, .people = table, .good = true, .labelWidth = labelWidth, .valueWidth = valueWidth};
    document.json = document.top = jsonBegin(kind, &document.good);
    return document;
}

Document documentOf(const Arguments *arguments, const char *kind, int labelWidth, int valueWidth) {
    const bool standard = outputJsonIsStandard(optionsValue(arguments, "json"));
    return documentBegin(kind, standard ? NULL : stdout, labelWidth, valueWidth);
}

char *documentText(Document *document) {
    return jsonPrint(document->top, document->good);
}

bool documentEnd(Document *document, const Arguments *arguments, bool good, EngineError *error) {
    const OptionValue *json = optionsValue(arguments, "json");
    if (good && json->text) {
        return outputJsonWrite(documentText(document), json, error);
    }
    cJSON_Delete(document->top);
    return good;
}

/* ---- Fields ---- */

/* Whether the table has a line with this label, which is then written. */
static bool beginLine(Document *document, const char *label) {
    if (!document->table || !label) {
        return false;
    }
    document->begun = true;
    fprintf(document->table, "%-*s", document->labelWidth, label);
    return true;
}

void fieldText(Document *document, const char *label, const char *name, const char *text) {
    if (text && beginLine(document, label)) {
        sayClean(document->table, text);
        fputc('\n', document->table);
    }
    JSON_FIELDS(document, jsonText(name, text));
}

void fieldWord(Document *document, const char *label, const char *name, const char *word) {
    fieldLine(document, label, "%*s", document->valueWidth, word);
    JSON_FIELDS(document, jsonText(name, word));
}

void fieldCount(Document *document, const char *label, const char *name, uint64_t count, const char *unit) {
    if (beginLine(document, label)) {
        fprintf(document->table, "%*s%s%s\n", document->valueWidth, QUANTITY(count), unit[0] ? " " : "", unit);
    }
    JSON_FIELDS(document, jsonCount(name, count));
}

void fieldRate(Document *document, const char *label, const char *name, double value, const char *unit) {
    char text[QUANTITY_SIZE] = "not measured";
    if (beginLine(document, label)) {
        if (value > 0.0) {
            quantityScaled(text, value, unit);
        }
        fprintf(document->table, "%*s\n", document->valueWidth, text);
    }
    JSON_FIELDS(document, jsonNumber(name, numberIf(value > 0.0, value)));
}

void fieldStep(Document *document, const char *label, const char *name, const Measured *measured) {
    const bool any = measured->count > 0;
    if (beginLine(document, label)) {
        if (any) {
            fprintf(document->table, "%*.3f ms%8.1f %%\n", document->valueWidth - 3, measured->median,
                    measured->spread);
        } else {
            fprintf(document->table, "%*s\n", document->valueWidth, "none");
        }
    }
    JSON_FIELDS(document, JSON_OBJECT(name, jsonNumber("medianMilliseconds", numberIf(any, measured->median)),
                                      jsonNumber("spreadPercent", numberIf(any, measured->spread)),
                                      jsonCount("samples", measured->count)));
}

/* A line, or its rest. */
static void writeLine(Document *document, const char *format, va_list values) {
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (file) {
        vfprintf(file, format, values);
    }
    if (file && fclose(file) == 0) {
        sayClean(document->table, text);
    } else {
        document->good = false;
    }
    fputc('\n', document->table);
    free(text);
}

void fieldLine(Document *document, const char *label, const char *format, ...) {
    va_list values;
    if (beginLine(document, label)) {
        va_start(values, format);
        writeLine(document, format, values);
        va_end(values);
    }
}

void documentLine(Document *document, const char *format, ...) {
    va_list values;
    if (document->table) {
        document->begun = true;
        va_start(values, format);
        writeLine(document, format, values);
        va_end(values);
    }
}

void documentShow(Document *document, bool shown) {
    document->table = shown ? document->people : NULL;
}

void documentNote(Document *document, const char *text) {
    if (document->table) {
        document->begun = true;
        fputs(text, document->table);
    }
}

void objectBegin(Document *document, const char *name) {
    document->json = jsonAddObject(document->top, name, &document->good);
}

void objectEnd(Document *document) {
    document->json = document->top;
}

/* ---- Tables ---- */

void tableBegin(Document *document, const char *name, const char *title, const Column *columns, uint32_t columnCount) {
    document->columns = columns;
    document->columnCount = columnCount;
    document->title = title;
    document->headed = false;
    document->rows = name ? jsonAddArray(document->json, name, &document->good) : NULL;
}

/* A field of a column, or its heading. */
static void writeCell(const Document *document, const Column *column, const char *text) {
    if (column->width < 0) {
        fprintf(document->table, "%s%-*s", column == document->columns ? "" : "  ", -column->width, text);
    } else {
        fprintf(document->table, "%*s", column->width, text);
    }
}

static void writeHeadings(Document *document) {
    fprintf(document->table, "%s%s", document->begun ? "\n" : "", document->title ? document->title : "");
    document->begun = true;
    const char *last = NULL;
    for (uint32_t i = 0; i < document->columnCount; i++) {
        const Column *column = &document->columns[i];
        if (column->heading && column->width != 0) {
            writeCell(document, column, column->heading);
        } else if (column->heading) {
            last = column->heading;
        }
    }
    fprintf(document->table, "%s%s\n", last ? "  " : "", last ? last : "");
}

/* What the table shows of a cell. */
static const char *textOf(const Cell *cell, char text[NUMBER_SIZE]) {
    const JsonValue *value = &cell->value;
    switch (value->kind) {
    case JSON_TEXT:
        return value->text ? value->text : "-";
    case JSON_FLAG:
        return value->count ? "yes" : "no";
    case JSON_COUNT:
        return quantityCount(text, value->count);
    default:
        snprintf(text, NUMBER_SIZE, cell->decimals < 0 ? "%.*g" : "%.*f", abs(cell->decimals), value->number);
        return isfinite(value->number) ? text : "-";
    }
}

static void writeRow(Document *document, const Cell *cells) {
    const char *last = NULL;
    if (!document->headed) {
        writeHeadings(document);
    }
    for (uint32_t i = 0; i < document->columnCount; i++) {
        const Column *column = &document->columns[i];
        char text[NUMBER_SIZE];
        if (column->heading && column->width != 0) {
            writeCell(document, column, textOf(&cells[i], text));
        } else if (column->heading) {
            last = cells[i].value.text ? cells[i].value.text : "-";
        }
    }
    fputs(last ? "  " : "\n", document->table);
    if (last) {
        sayName(document->table, last);
    }
    document->headed = true;
}

cJSON *tableRow(Document *document, const Cell *cells) {
    cJSON *row = document->rows ? jsonAddRow(document->rows, &document->good) : NULL;
    if (document->table) {
        writeRow(document, cells);
    }
    for (uint32_t i = 0; i < document->columnCount && row; i++) {
        JsonValue value = cells[i].value;
        value.name = document->columns[i].name;
        JSON_ADD(row, &document->good, value);
    }
    return row;
}
