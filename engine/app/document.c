#include "document.h"

#include <assert.h>
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
    if (name) {
        jsonAddText(document->json, name, text, &document->good);
    }
}

void fieldWord(Document *document, const char *label, const char *name, const char *word) {
    fieldLine(document, label, "%*s", document->valueWidth, word);
    fieldText(document, NULL, name, word);
}

void fieldCount(Document *document, const char *label, const char *name, uint64_t count, const char *unit) {
    char text[QUANTITY_SIZE];
    if (beginLine(document, label)) {
        quantityCount(text, count);
        fprintf(document->table, "%*s%s%s\n", document->valueWidth, text, unit[0] ? " " : "", unit);
    }
    if (name) {
        jsonAddCount(document->json, name, count, &document->good);
    }
}

void fieldRate(Document *document, const char *label, const char *name, double value, const char *unit) {
    char text[QUANTITY_SIZE] = "not measured";
    if (beginLine(document, label)) {
        if (value > 0.0) {
            quantityScaled(text, value, unit);
        }
        fprintf(document->table, "%*s\n", document->valueWidth, text);
    }
    if (name) {
        jsonAddNumber(document->json, name, value > 0.0 ? value : (double)NAN, &document->good);
    }
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
    if (name) {
        cJSON *step = jsonAddObject(document->json, name, &document->good);
        jsonAddNumber(step, "medianMilliseconds", any ? measured->median : (double)NAN, &document->good);
        jsonAddNumber(step, "spreadPercent", any ? measured->spread : (double)NAN, &document->good);
        jsonAddCount(step, "samples", measured->count, &document->good);
    }
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

void tableEnd(Document *document) {
    document->columns = NULL;
    document->rows = NULL;
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

void rowBegin(Document *document) {
    if (document->table && !document->headed) {
        writeHeadings(document);
    }
    document->headed = true;
    document->column = 0;
    document->last = NULL;
    if (document->rows) {
        document->aroundRow = document->json;
        document->json = jsonAddRow(document->rows, &document->good);
    }
}

void rowEnd(Document *document) {
    if (document->table && document->last) {
        fputs("  ", document->table);
        sayName(document->table, document->last);
    } else if (document->table) {
        fputc('\n', document->table);
    }
    document->json = document->rows ? document->aroundRow : document->json;
}

/* Writes a field into the table. Returns its name in the JSON; null: it is not there. */
static const char *nextCell(Document *document, const char *text) {
    assert(document->column < document->columnCount);
    const Column *column = &document->columns[document->column++];
    if (document->table && column->heading && column->width != 0) {
        writeCell(document, column, text);
    }
    return document->rows ? column->name : NULL;
}

void cellText(Document *document, const char *text) {
    const Column *column = &document->columns[document->column];
    if (column->heading && column->width == 0) {
        document->last = text ? text : "-";
    }
    const char *name = nextCell(document, text ? text : "-");
    if (name) {
        jsonAddText(document->json, name, text, &document->good);
    }
}

void cellCount(Document *document, uint64_t count) {
    char text[QUANTITY_SIZE];
    quantityCount(text, count);
    const char *name = nextCell(document, text);
    if (name) {
        jsonAddCount(document->json, name, count, &document->good);
    }
}

void cellBool(Document *document, bool value) {
    const char *name = nextCell(document, value ? "yes" : "no");
    if (name) {
        jsonAdd(document->json, name, cJSON_CreateBool(value), &document->good);
    }
}

void cellNumber(Document *document, double number, int decimals) {
    char text[NUMBER_SIZE] = "-";
    if (isfinite(number)) {
        snprintf(text, sizeof text, decimals < 0 ? "%.*g" : "%.*f", abs(decimals), number);
    }
    const char *name = nextCell(document, text);
    if (name) {
        jsonAddNumber(document->json, name, number, &document->good);
    }
}
