/* cover.h: which rows of the table are run. */
#ifndef TESTS_COVER_H
#define TESTS_COVER_H

#include "row.h"

/*
 * Few rows that hold every pair of choices of two axes that exists in any row; the same in every run. Rows of one
 * backend and its settings follow one another. [*count], freed by free().
 */
Row *newPairCover(uint32_t *count);

/*
 * Every row that exists up to ROW_ATTRIBUTES; the other axes take turns, since their full product would be hundreds of
 * times as long: morphs, orders and backends from row to row, settings from kernel to kernel. Likewise.
 */
Row *newAllRows(uint32_t *count);

/* One of all that exist. */
Row randomRow(uint64_t seed);

#endif
