/*
 * report.h: the results of a crowd run, as a table and as JSON with the same content.
 */
#ifndef COMMAND_REPORT_H
#define COMMAND_REPORT_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "crowd_run.h"
#include "geometry.h"

/* A run and its settings. */
typedef struct Report {
    const CrowdResult *result;
    const SkinChoice *skin;    /* settings of all characters */
    VkskinVertexFormat format; /* vertex format of all characters */
    char *const *models;       /* [modelCount]: paths as given */
    uint32_t modelCount;
    uint64_t seed;
    uint32_t width, height;
    const char *picture;  /* the written file, or null */
    const char *fallback; /* why the system is not the default one; empty: it is, or the user chose it */
} Report;

#define REPORT_MISSING_SIZE 384

/* Whether visible characters of a crowd have no slot: a line that says how many, and what to change. */
bool reportMissing(const CrowdResult *result, char text[REPORT_MISSING_SIZE]);

void reportPrint(FILE *file, const Report *report);

/*
 * JSON text without a final line end, for cJSON_free; null: out of memory. Times are in milliseconds, sizes in bytes,
 * spreads in percent of the median (interquartile range). skinningClock is "host" with the CPU backend. Bytes of a name
 * that are not UTF-8 become '?'.
 */
char *reportJson(const Report *report);

/* Lines that several tables have: a text; a count with its unit or ""; a quantity per second, 0: not measured; the device and
 * its driver; a step, which did not run in any frame if it has no samples. */
void reportText(FILE *file, const char *name, const char *text);
void reportCount(FILE *file, const char *name, uint64_t count, const char *unit);
void reportRate(FILE *file, const char *name, double value, const char *unit);
void reportDevice(FILE *file, const DeviceInfo *device);
void reportStep(FILE *file, const char *name, const Measured *measured);

/* Members that several documents have: method, encoding, blend, normals and weights; metresPerUnit; packed clips;
 * a box. */
void jsonAddSkin(cJSON *object, const SkinChoice *skin, bool *good);
void jsonAddMetres(cJSON *object, float metres, bool *good);
void jsonAddPacked(cJSON *object, const ModelPackTotals *packed, bool *good); /* packed: null for none */
void jsonAddBounds(cJSON *object, const char *name, const Bounds *bounds, bool *good);

/* A file of vertices in an array of files, with its bounds. time: seconds of the clip. */
cJSON *jsonAddBaked(cJSON *files, const char *name, double time, const Geometry *geometry, bool *good);

/* device, driver, driverVersion; a step: its median, spread and samples. */
void jsonAddDevice(cJSON *object, const DeviceInfo *device, bool *good);
void jsonAddStep(cJSON *object, const char *name, const Measured *measured, bool *good);

/* The object `system`, and the objects of the steps: pose, upload, skinning, draw. */
void jsonAddSystem(cJSON *object, const CrowdResult *result, bool *good);
void jsonAddSteps(cJSON *object, const CrowdResult *result, bool *good);

/* "x", "y" and "z" by ModelUp. */
extern const char *const MODEL_UP_NAMES[];

#endif
