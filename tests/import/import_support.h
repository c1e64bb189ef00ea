/*
 * import_support.h: models for the tests of import, and the positions of their vertices in a pose.
 *
 * Includes cmocka and its headers.
 */
#ifndef TEST_IMPORT_SUPPORT_H
#define TEST_IMPORT_SUPPORT_H

#include "fbx_writer.h"
#include "import.h"
#include "test.h"

#include <limits.h>

/*
 * The path of a file in fixtures/; if there is none and the name has a slash, of a model of the package
 * assimp-testmodels. `path` holds PATH_MAX bytes.
 */
void modelPath(const char *name, char *path);

/* The imported model, never null. A file that cannot be read fails the test with import's message. */
Model *importOrFail(const char *name);

/*
 * The same for an .fbx description in one form: the name of a text file in fixtures/, or the text itself. The file is
 * written to a folder of its own, which is removed.
 */
Model *importForm(const char *description, FbxForm form);

/* Compares with `expected`, within 1e-6. */
void expectFloats(const float *values, const float *expected, size_t count);

#define REST_POSE UINT32_MAX

typedef struct Moment {
    uint32_t part, clip; /* clip: an index, or REST_POSE */
    double time;         /* seconds */
    float bind[3];       /* the vertex: its position in the file */
    float expected[3];   /* in model space */
} Moment;

/* Checks each vertex at each moment within 1e-5: the library's poses, skinned by the reference. */
void expectMoments(const Model *model, const Moment *moments, size_t count);

#endif
