/*
 * outputs.h: the outputs of the verbs: JSON, pictures, and the check that no two of them are the same file.
 *
 * The jsonAdd functions fail only if memory runs out. *good then becomes false; check it once, at the end.
 */
#ifndef APP_OUTPUTS_H
#define APP_OUTPUTS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine_error.h"
#include "options.h"
#include "target.h"

/* An object with the version of the library. Null, with *good false: out of memory. */
cJSON *jsonBegin(bool *good);

/* A JSON string; bytes that are not UTF-8 become '?'. Null: out of memory. */
cJSON *jsonTextItem(const char *text);

/* Takes ownership of `item`, also on failure. item null: out of memory. */
void jsonAdd(cJSON *object, const char *name, cJSON *item, bool *good);

void jsonAddText(cJSON *object, const char *name, const char *text, bool *good);
void jsonAddNumber(cJSON *object, const char *name, double number, bool *good);

/* An integer with all its digits; cJSON's own numbers may round it. */
void jsonAddCount(cJSON *object, const char *name, uint64_t count, bool *good);

/* The object as text, for cJSON_free; null: not good, or out of memory. Always frees the object. */
char *jsonPrint(cJSON *object, bool good);

#define JSON_OPTION                                                                                                    \
    {                                                                                                                  \
        "json", OPTION_REPORT, "FILE",                                                                                 \
            .help = "also write the table as JSON; '-': to standard output instead of the table"                       \
    }

/* Every verb that writes a file has it. */
#define FORCE_OPTION                                                                                                   \
    { "force", OPTION_FLAG, .help = "replace files that vkskin did not write, too" }

/* The file of the option; null: not given, or '-'. */
const char *outputJsonFile(const OptionValue *option);

/* Whether JSON goes to standard output instead of the table. */
bool outputJsonIsStandard(const OptionValue *option);

/* json: from cJSON; the call frees it. Null: out of memory, a failure. */
bool outputJsonWrite(char *json, const OptionValue *option, EngineError *error);

/* Writes a PNG file, complete or not at all. */
bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error);

/*
 * Call it before any work, for the options of kind OUTPUT, REPORT and UPDATED that are given. No two of them, and none of
 * them and an operand, may be the same file: the same device and inode, or the same name in the same folder. Devices and
 * pipes may be named twice. All but those of kind UPDATED must pass atomicFileCheck. EXIT_GOOD; else EXIT_USAGE or EXIT_FAILED
 * after a line.
 */
int outputsCheck(const Arguments *arguments);

#endif
