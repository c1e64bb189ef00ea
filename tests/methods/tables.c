#include "tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NUMBERS_APART 0.15 /* numbers are written to a tenth: rounded apart, and a little more */

static void writeHead(FILE *file, const char *title) {
    fprintf(file, "\n| %s |", title);
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        fprintf(file, " %s |", studyMethods[method].name);
    }
    fprintf(file, "\n| --- |");
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        fprintf(file, " ---: |");
    }
    fprintf(file, "\n");
}

typedef enum Quantity { QUANTITY_VOLUME, QUANTITY_SURFACE, QUANTITY_THICKNESS } Quantity;

static void writeCell(FILE *file, Quantity quantity, const Shape *shape, const Shape *ideal) {
    switch (quantity) {
    case QUANTITY_VOLUME:
        fprintf(file, " %.1f |", 100.0 * shape->volume / ideal->volume);
        break;
    case QUANTITY_SURFACE:
        fprintf(file, " %.1f |", 100.0 * shape->surface / ideal->surface);
        break;
    case QUANTITY_THICKNESS:
        fprintf(file, " %.1f to %.1f |", 100.0 * shape->thinnest, 100.0 * shape->thickest);
        break;
    }
}

void tablesWriteShapes(FILE *file, const TubePose *poses, uint32_t poseCount, Shape (*shapes)[STUDY_METHODS],
                       const Shape *ideals) {
    const struct {
        Quantity quantity;
        const char *title;
    } tables[] = {{QUANTITY_VOLUME, "volume, % of the ideal"},
                  {QUANTITY_SURFACE, "surface, % of the ideal"},
                  {QUANTITY_THICKNESS, "thickness, % of the radius"}};
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++) {
        writeHead(file, tables[t].title);
        for (uint32_t pose = 0; pose < poseCount; pose++) {
            fprintf(file, "| %s |", poses[pose].name);
            for (uint32_t method = 0; method < STUDY_METHODS; method++) {
                writeCell(file, tables[t].quantity, &shapes[pose][method], &ideals[pose]);
            }
            fprintf(file, "\n");
        }
    }
}

static void writeNormalRow(FILE *file, const char *pose, const char *rule, const Shape shapes[STUDY_METHODS]) {
    fprintf(file, "| %s, %s |", pose, rule);
    for (uint32_t method = 0; method < STUDY_METHODS; method++) {
        fprintf(file, " %.1f, %.1f |", shapes[method].normalsOff, shapes[method].normalsWorst);
    }
    fprintf(file, "\n");
}

void tablesWriteNormals(FILE *file, const TubePose *poses, uint32_t poseCount, Shape (*cheap)[STUDY_METHODS],
                        Shape (*exact)[STUDY_METHODS]) {
    writeHead(file, "normals off, degrees: mean, worst");
    for (uint32_t pose = 0; pose < poseCount; pose++) {
        writeNormalRow(file, poses[pose].name, "cheap", cheap[pose]);
        writeNormalRow(file, poses[pose].name, "exact", exact[pose]);
    }
}

/* ---- Against the page ---- */

/* The next word of the text, which moves on past it; its length is 0 at the end. */
static size_t nextWord(const char **text, const char **word) {
    *word = *text + strspn(*text, " \n,");
    size_t length = strcspn(*word, " \n,");
    *text = *word + length;
    return length;
}

static bool wordsAgree(const char *a, size_t aLength, const char *b, size_t bLength) {
    char *aEnd, *bEnd;
    double aNumber = strtod(a, &aEnd), bNumber = strtod(b, &bEnd);
    if (aLength > 0 && aEnd == a + aLength && bEnd == b + bLength) {
        return fabs(aNumber - bNumber) <= NUMBERS_APART;
    }
    return aLength == bLength && strncmp(a, b, aLength) == 0;
}

bool tablesAgree(const char *page, const char *tables) {
    const char *begin = strstr(page, TABLES_BEGIN);
    const char *end = begin ? strstr(begin, TABLES_END) : NULL;
    const char *stored, *measured;
    if (!end) {
        fprintf(stderr, "the page has no tables\n");
        return false;
    }
    begin += strlen(TABLES_BEGIN);
    for (;;) {
        size_t storedLength = nextWord(&begin, &stored), measuredLength = nextWord(&tables, &measured);
        bool storedEnds = stored >= end, measuredEnds = measuredLength == 0;
        if (storedEnds && measuredEnds) {
            return true;
        }
        if (storedEnds || measuredEnds || !wordsAgree(stored, storedLength, measured, measuredLength)) {
            fprintf(stderr, "the page says '%.30s', measured was '%.30s'\n", stored, measured);
            return false;
        }
    }
}
