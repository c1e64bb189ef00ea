/* cover.h: which rows of the table are run. */
#ifndef TESTS_COVER_H
#define TESTS_COVER_H

#include "row.h"

/*
 * Few rows that hold every pair of choices of two axes that exists in any row; the same in every run. [*count], freed
 * by free().
 */
Row *newPairCover(uint32_t *count);

/*
 * Every row that exists, but for the two last axes: morphs and orders take turns from row to row, since their full
 * product would be twelve times as long. Likewise.
 */
Row *newAllRows(uint32_t *count);

/* One of all that exist. */
Row randomRow(uint64_t seed);

#endif
