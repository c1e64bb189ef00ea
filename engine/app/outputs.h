/*
 * outputs.h: the outputs of the verbs: JSON and pictures.
 *
 * The jsonAdd functions fail only if memory runs out. *good then becomes false; check it once, at the end.
 */
#ifndef APP_OUTPUTS_H
#define APP_OUTPUTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine_error.h"
#include "program.h"
#include "target.h"

/* An object with the versions of library and schema. document: its kind. Null, with *good false: out of memory. */
cJSON *jsonBegin(const char *document, bool *good);

/* Takes ownership of `item`, also on failure. item null: out of memory. */
void jsonAdd(cJSON *object, const char *name, cJSON *item, bool *good);

/* text: null, and number: NAN or infinite, become the null of JSON: not measured, or there is none. */
void jsonAddText(cJSON *object, const char *name, const char *text, bool *good);
void jsonAddNumber(cJSON *object, const char *name, double number, bool *good);

/* An integer with all its digits; cJSON's own numbers may round it. */
void jsonAddCount(cJSON *object, const char *name, uint64_t count, bool *good);

void jsonAddNull(cJSON *object, const char *name, bool *good);

/* An array of texts. */
void jsonAddTexts(cJSON *object, const char *name, char *const *texts, uint32_t count, bool *good);

/* An empty array or object as a member, and an object at the end of an array. Null: out of memory. */
cJSON *jsonAddArray(cJSON *object, const char *name, bool *good);
cJSON *jsonAddObject(cJSON *object, const char *name, bool *good);
cJSON *jsonAddRow(cJSON *array, bool *good);

/* A text at the end of an array; bytes that are not UTF-8 become '?'. */
void jsonAddItem(cJSON *array, const char *text, bool *good);

/* The object as text, for cJSON_free; null: not good, or out of memory. Always frees the object. */
char *jsonPrint(cJSON *object, bool good);

#define JSON_OPTION                                                                                                    \
    {                                                                                                                  \
        "json", OPTION_REPORT, "FILE",                                                                                 \
            .help = "also write the table as JSON; '-': to standard output instead of the table",                      \
            .content = OPTION_FOR_ALL                                                                                  \
    }

/* Every verb that writes a file has it. */
#define FORCE_OPTION                                                                                                   \
    { "force", OPTION_FLAG, .help = "replace files that vkskin did not write, too", .content = OPTION_FOR_ALL }

/* json: from cJSON; the call frees it. Null: out of memory, a failure. */
bool outputJsonWrite(char *json, const OptionValue *option, EngineError *error);

/* Writes the document `error` to standard output, unless a document is there: a reader finds exactly one. */
void outputJsonFailure(const char *verb, const char *reason);

/* Writes a PNG file, complete or not at all. */
bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error);

/* A PNG file of a sequence: as atomicFileFinish. */
bool outputPictureFinish(const Picture *picture, const char *path, EngineError *error);

#endif
