/*
 * compare.h: one scene by every skinning system: how alike the pictures are, and what each system costs. The kinds of content
 * draw the rows; table, JSON and sheet are here.
 */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "likeness.h"
#include "run_loop.h"
#include "session.h"

/* The two rows that others are compared with. */
enum { COMPARE_MATRICES, COMPARE_QUATERNIONS };

/*
 * What is compared. A row is compared with the row `reference`: kernels with the same rule (linear blending, at most four
 * influences; with quaternions, entries that become matrices first), in floats.
 */
typedef struct CompareEntry {
    const char *name;
    uint32_t reference; /* COMPARE_MATRICES or COMPARE_QUATERNIONS */
    SkinChoice skin;    /* only what the system adds to the choice of all rows */
} CompareEntry;

typedef struct CompareRow {
    const CompareEntry *entry;
    char refusal[ENGINE_ERROR_SIZE]; /* why the system does not draw the models; empty: it does */
    Picture picture;                 /* transparent where nothing is drawn */
    Likeness likeness;
    RunResult result;
} CompareRow;

/* Draws the scene with the row's system: `picture` and `result`, or `refusal`. False only for errors that end the command. */
typedef bool (*CompareDraw)(void *user, Session *session, CompareRow *row, EngineError *error);

/* All rows, then table, sheet and JSON. The device is open. */
bool compareAll(Session *session, CompareDraw draw, void *user, EngineError *error);

#endif
