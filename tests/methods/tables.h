/*
 * tables.h: what the tubes measured, as docs/methods.md shows it.
 */
#ifndef TESTS_TABLES_H
#define TESTS_TABLES_H

#include <stdio.h>

#include "study.h"

/* The lines of the page between which the tables stand. */
#define TABLES_BEGIN "<!-- measured by tests/methods: begin -->"
#define TABLES_END   "<!-- measured by tests/methods: end -->"

/* Volume, surface and thickness. shapes: [poseCount][STUDY_METHODS]; ideals: [poseCount]. */
void tablesWriteShapes(FILE *file, const TubePose *poses, uint32_t poseCount, Shape (*shapes)[STUDY_METHODS],
                       const Shape *ideals);

/* Of one rule and of the other, of the same poses. */
void tablesWriteNormals(FILE *file, const TubePose *poses, uint32_t poseCount, Shape (*cheap)[STUDY_METHODS],
                        Shape (*exact)[STUDY_METHODS]);

/*
 * Whether the page holds these tables: the same words, and numbers that differ by no more than the drivers do. Prints
 * the first difference.
 */
bool tablesAgree(const char *page, const char *tables);

#endif
