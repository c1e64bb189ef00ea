/*
 * chart.h: a picture of the tubes: a column a method, a row a pose.
 */
#ifndef TESTS_CHART_H
#define TESTS_CHART_H

#include "study.h"

/* Draws all of the study and writes it as a PNG file. */
bool chartWrite(Study *study, const char *path, EngineError *error);

#endif
