/* import_fixture.h: models for the tests of import, from the fixtures beside them and from assimp-testmodels. */
#ifndef TEST_IMPORT_FIXTURE_H
#define TEST_IMPORT_FIXTURE_H

#include "import.h"

#include <limits.h>

/* The path of a fixture, of a real model. `path` holds PATH_MAX bytes. */
void fixturePath(const char *name, char *path);
void realModelPath(const char *name, char *path);

/* The imported model, never null: a file that cannot be read fails the test with import's message. */
Model *importFixture(const char *name);
Model *importRealModel(const char *name);

/* Fails the test unless importing `path` fails with exactly "PATH: reason". */
void expectRefusal(const char *path, const char *reason);

#endif
