/*
 * place.h: a fixture, a place of its own for each test's files, which is gone afterwards.
 */
#ifndef TEST_PLACE_H
#define TEST_PLACE_H

#include "test.h"

typedef struct Place {
    char folder[64]; /* empty at first, for what is written */
    char inputs[64]; /* empty at first; apart, so that `folder` counts the outputs alone */
    char text[96];   /* FOLDER/out.txt, which is not there yet */
} Place;

void expectFile(const char *path, const char *text);

/* For cmocka: *state is the Place. */
int enterPlace(void **state);
int leavePlace(void **state);

#define AT_PLACE(name) TEST_WITH(name, enterPlace, leavePlace)

#endif
