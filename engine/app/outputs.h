/*
 * json_add.h: members for JSON objects, for what may fail only because memory is out.
 *
 * *good becomes false where it is; nothing else happens then, so that a caller looks once, at the end.
 */
#ifndef APP_OUTPUTS_H
#define APP_OUTPUTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine_error.h"
#include "options.h"
#include "picture.h"

/* A JSON string of a text that may hold anything: bytes that are no UTF-8 become '?'. Null when memory is out. */
cJSON *jsonTextItem(const char *text);

/* Takes the item's memory, also when adding fails. item: null when memory was out. */
void jsonAdd(cJSON *object, const char *name, cJSON *item, bool *good);

void jsonAddText(cJSON *object, const char *name, const char *text, bool *good);
void jsonAddNumber(cJSON *object, const char *name, double number, bool *good);

/* A whole number with all its digits, which cJSON's own numbers may round. */
void jsonAddCount(cJSON *object, const char *name, uint64_t count, bool *good);

/* The object as text, for cJSON_free; null where it is not good or memory is out. The object is freed either way. */
char *jsonPrint(cJSON *object, bool good);

/* ---- * output_json.h: the option --json of verbs that measure: a report as JSON, in a file or on standard output. ---- */

#define JSON_OPTION                                                                                                    \
    {                                                                                                                  \
        .name = "json", .kind = OPTION_TEXT, .valueName = "FILE",                                                      \
        .help = "write the table as JSON too; '-': to standard output, in place of the table"                          \
    }

/* The file that the option names: null for none, where it was not given or is '-'. */
const char *outputJsonFile(const OptionValue *option);

/* Whether the report goes to standard output, so that the table does not. */
bool outputJsonIsStandard(const OptionValue *option);

/* EXIT_GOOD, or EXIT_FAILED after a line, where the file cannot be written. */
int outputJsonCheck(const char *verb, const OptionValue *option);

/* json: from cJSON, freed here; null: memory was out, a failure. */
bool outputJsonWrite(char *json, const OptionValue *option, EngineError *error);

/* ---- * output_picture.h: the pictures that the verbs write, such as -o FILE.png of those that draw. ---- */

/* The option --size as an entry of an Option table. what: the help's phrase. */
#define PICTURE_SIZE_OPTION(what)                                                                                      \
    {                                                                                                                  \
        .name = "size", .kind = OPTION_SIZE, .valueName = "WxH", .defaultValue = "1280x720", .minimum = 1,             \
        .maximum = 16384, .help = (what)                                                                               \
    }

/*
 * Before any work: whether `path`, the value of `option`, ends in .png and looks writable. Prints what is wrong;
 * returns EXIT_GOOD, EXIT_FAILED or EXIT_USAGE.
 */
int outputPictureCheck(const char *verb, const char *option, const char *path);

/* The picture as a PNG file, there whole or not at all. */
bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error);

/* ---- * output_apart.h: the files that a verb writes are none of those that it reads, and no two of them are one. ---- */

typedef struct OutputName {
    const char *option; /* as a user writes it: "-o" */
    const char *path;   /* null: the option was not given, or names no file */
} OutputName;

/*
 * EXIT_GOOD, or EXIT_USAGE after a line that names what clashes: two outputs, or an output and an operand, that are
 * one file (the same device and inode) or would become one (the same name in the same folder). Devices and pipes, in
 * which nothing is lost, may be named twice.
 */
int outputsCheckApart(const Arguments *arguments, const char *verb, const OutputName *outputs, uint32_t count);

#endif
