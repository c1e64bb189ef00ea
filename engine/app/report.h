/*
 * report.h: the results of a crowd run as a document, and what several documents have.
 */
#ifndef COMMAND_REPORT_H
#define COMMAND_REPORT_H

#include "document.h"
#include "geometry.h"
#include "import.h"
#include "run_loop.h"

/* A run and its settings. */
typedef struct Report {
    const RunResult *result;
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
bool reportMissing(const RunResult *result, char text[REPORT_MISSING_SIZE]);

/* The widths of a report for documentBegin. */
#define REPORT_LABEL_WIDTH 14
#define REPORT_VALUE_WIDTH 15

/*
 * Writes the run. Times are in milliseconds, sizes in bytes, spreads in percent of the median (interquartile range).
 * skinningClock is "host" with the CPU backend. Bytes of a name that are not UTF-8 become '?'.
 */
void reportWrite(Document *document, const Report *report);

/* ---- Fields of several documents ---- */

void reportDevice(Document *document, const DeviceInfo *device);

/* text: what the table says about the clock of a run. */
void reportClock(Document *document, RunClock clock, const char *text);

/* The heading of the steps in the table, the steps of a run, and width, height and number of its frames. more: null,
 * or the last line of the note about them in the table. */
void reportStepHeading(Document *document);
void reportSteps(Document *document, const RunResult *result, bool inTable);
void reportFrames(Document *document, const char *more, uint32_t frames, uint32_t width, uint32_t height);

/* In the table alone. path: null: none. */
void reportPicture(Document *document, const char *path);

/* packed: null: no clips are packed. */
void reportPacked(Document *document, const ModelPackTotals *packed);

/* The widths of what `info` writes. */
#define INFO_LABEL_WIDTH 12
#define INFO_VALUE_WIDTH 12

/* Warnings of the import, and the sandbox of the process that read the file. */
void reportReading(Document *document, const Model *model, const ImportSandbox *sandbox);

/* In JSON alone. Method, encoding, blend, normals and weights; metresPerUnit; packed clips; a box. */
void jsonAddSkin(cJSON *object, const SkinChoice *skin, bool *good);
void jsonAddMetres(cJSON *object, float metres, bool *good);
void jsonAddPacked(cJSON *object, const ModelPackTotals *packed, bool *good); /* packed: null for none */
void jsonAddBounds(cJSON *object, const char *name, const Bounds *bounds, bool *good);

/* A file of vertices in an array of files, with its bounds. time: seconds of the clip. */
cJSON *jsonAddBaked(cJSON *files, const char *name, double time, const Geometry *geometry, bool *good);

/* The object `system` of a run. */
void jsonAddSystem(cJSON *object, const RunResult *result, bool *good);

/* "x", "y" and "z" by ModelUp. */
extern const char *const MODEL_UP_NAMES[];

#endif
