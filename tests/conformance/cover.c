#include "cover.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random.h"

#define MAX_CHOICES  10u
#define TRIES        200u /* rows looked at for each one that is taken */
#define MAX_ROWS     20000u
#define BACKEND_TURN 3u /* of all rows every third is the CPU's; no divisor of what the axes have */
#define KERNEL_COST  3  /* in pairs that a row without a new kernel may cover less: kernels take long to make */

_Static_assert(ROW_READINGS <= MAX_CHOICES, "pairs are kept in a table of so many choices");

typedef struct Cover {
    Row *rows;
    uint32_t count;
    bool covered[ROW_AXIS_COUNT][MAX_CHOICES][ROW_AXIS_COUNT][MAX_CHOICES]; /* axes in ascending order */
    uint32_t left;                                                          /* pairs that are not */
} Cover;

static Row *newRows(void) {
    Row *rows = calloc(MAX_ROWS, sizeof *rows);
    if (rows == NULL) {
        abort();
    }
    return rows;
}

static void addRow(Row *rows, uint32_t *count, const Row *row) {
    if (*count == MAX_ROWS) {
        abort();
    }
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

/* How many pairs of a row are not covered yet; with `take` they are from here on. All are to be seen in kernels: of a row
 * of the CPU's those with its backend alone count. */
static uint32_t newPairs(Cover *cover, const Row *row, bool take) {
    uint32_t found = 0;
    for (RowAxis a = 0; a < ROW_AXIS_COUNT; a++) {
        for (RowAxis b = a + 1; b < ROW_AXIS_COUNT; b++) {
            bool *covered = &cover->covered[a][row->choices[a]][b][row->choices[b]];
            if (rowSettings(row).backend == VKSKIN_BACKEND_CPU && a != ROW_BACKEND && b != ROW_BACKEND) {
                continue;
            }
            found += !*covered;
            *covered = *covered || take;
        }
    }
    cover->left -= take ? found : 0;
    return found;
}

/* A row that holds the pair, or false where none exists: of a mesh without bones little else may be chosen. */
static bool rowOfPair(Random *random, RowAxis a, uint32_t choiceA, RowAxis b, uint32_t choiceB, Row *row) {
    for (uint32_t i = 0; i < 20 * TRIES; i++) {
        if (i % 2 == 0) {
            chooseRow(random, row);
        } else {
            memset(row, 0, sizeof *row); /* the first choices exist beside more */
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
    cover->rows = newRows();
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

/* Of random rows that hold a pair, the one that is worth most; the pair exists. */
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

/* By backend and settings: a context is made for each. Else as they came, so that all goes alike in every run. */
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

/* The next row as an odometer counts, the axis before morphs turning fastest; false after the last one. */
static bool advance(Row *row) {
    for (int a = ROW_MORPHS - 1; a >= 0; a--) {
        if (++row->choices[a] < rowChoiceCount((RowAxis)a)) {
            return true;
        }
        row->choices[a] = 0;
    }
    return false;
}

/* By the kernel, so that each is made once: settings of any kind where `row` is one of kernels. */
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
    Row *rows = newRows();
    Row row = {{0}};
    uint32_t turn = 0, turns = rowChoiceCount(ROW_MORPHS) * rowChoiceCount(ROW_ORDER);
    *count = 0;
    do {
        for (uint32_t t = 0; t < turns; t++) { /* the first that exists, from where the turn is */
            uint32_t at = (turn + t) % turns;
            row.choices[ROW_MORPHS] = (uint8_t)(at % rowChoiceCount(ROW_MORPHS));
            row.choices[ROW_ORDER] = (uint8_t)(at / rowChoiceCount(ROW_MORPHS));
            row.choices[ROW_BACKEND] = *count % BACKEND_TURN == 0;
            memset(&row.choices[ROW_BINDING], 0, ROW_AXIS_COUNT - ROW_BINDING);
            if (rowExists(&row)) {
                chooseSettings(&row);
                addRow(rows, count, &row);
                break;
            }
        }
        turn += 5; /* no divisor of the turns: all come */
    } while (advance(&row));
    sortBySettings(rows, *count);
    return rows;
}
