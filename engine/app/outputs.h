/*
 * outputs.h: the outputs of the verbs: JSON and pictures.
 *
 * The functions that add to JSON fail only if memory runs out. *good then becomes false; check it once, at the end.
 */
#ifndef APP_OUTPUTS_H
#define APP_OUTPUTS_H

#include <cjson/cJSON.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine_error.h"
#include "program.h"
#include "target.h"

/* A member of a JSON object. */
typedef struct JsonValue {
    const char *name; /* null: left out */
    enum { JSON_END = 0, JSON_TEXT, JSON_COUNT, JSON_NUMBER, JSON_FLAG, JSON_FLOATS, JSON_MEMBERS } kind;
    const char *text;
    uint64_t count;
    double number;
    const float *floats;
    const struct JsonValue *members;
} JsonValue;

/* text: null, and number: NAN or infinite, become the null of JSON: not measured, or there is none. */
static inline JsonValue jsonText(const char *name, const char *text) {
    return (JsonValue){.name = name, .kind = JSON_TEXT, .text = text};
}

static inline JsonValue jsonNumber(const char *name, double number) {
    return (JsonValue){.name = name, .kind = JSON_NUMBER, .number = number};
}

/* An integer with all its digits; cJSON's own numbers may round it. */
static inline JsonValue jsonCount(const char *name, uint64_t count) {
    return (JsonValue){.name = name, .kind = JSON_COUNT, .count = count};
}

static inline JsonValue jsonFlag(const char *name, bool flag) {
    return (JsonValue){.name = name, .kind = JSON_FLAG, .count = flag};
}

/* An array of `count` numbers. floats: null: the null of JSON. */
static inline JsonValue jsonFloats(const char *name, const float *floats, size_t count) {
    return (JsonValue){.name = name, .kind = JSON_FLOATS, .floats = floats, .count = count};
}

/* A number that is NAN where there is none. */
static inline double numberIf(bool any, double number) {
    return any ? number : (double)NAN;
}

/*
 * JSON_ADD(object, good, jsonText(...), ...): new members of an object. JSON_OBJECT(name, jsonText(...), ...): a member that is
 * an object; JSON_OBJECT_IF: null without `any`. JSON_ROW(array, good, jsonText(...), ...): a new object at the end of an array; null: out of memory.
 */
#define JSON_VALUES(...)            ((const JsonValue[]){__VA_ARGS__, {.kind = JSON_END}})
#define JSON_ADD(object, good, ...) jsonAddValues(object, good, JSON_VALUES(__VA_ARGS__))
#define JSON_OBJECT(title, ...)                                                                                        \
    ((JsonValue){.name = (title), .kind = JSON_MEMBERS, .members = JSON_VALUES(__VA_ARGS__)})
#define JSON_OBJECT_IF(any, title, ...)                                                                                \
    ((JsonValue){.name = (title), .kind = JSON_MEMBERS, .members = (any) ? JSON_VALUES(__VA_ARGS__) : NULL})
#define JSON_ROW(array, good, ...) jsonAddValues(jsonAddRow(array, good), good, JSON_VALUES(__VA_ARGS__))

/* Returns the object. */
cJSON *jsonAddValues(cJSON *object, bool *good, const JsonValue *values);

/* An object with the versions of library and schema. document: its kind. Null, with *good false: out of memory. */
cJSON *jsonBegin(const char *document, bool *good);

/* Takes ownership of `item`, also on failure. item null: out of memory. */
void jsonAdd(cJSON *object, const char *name, cJSON *item, bool *good);

/* An array of texts. */
void jsonAddTexts(cJSON *object, const char *name, char *const *texts, uint32_t count, bool *good);

/* An empty array or object as a member, and an object at the end of an array. Null: out of memory. */
cJSON *jsonAddArray(cJSON *object, const char *name, bool *good);
cJSON *jsonAddObject(cJSON *object, const char *name, bool *good);
cJSON *jsonAddRow(cJSON *array, bool *good);

/* At the end of an array. In the text, bytes that are not UTF-8 become '?'. */
void jsonAddItem(cJSON *array, const char *text, bool *good);
void jsonPush(cJSON *array, cJSON *item, bool *good); /* takes ownership, as jsonAdd */

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
