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
        .name = "json", .kind = OPTION_TEXT, .valueName = "FILE",                                                      \
        .help = "also write the table as JSON; '-': to standard output instead of the table"                           \
    }

/* The file of the option; null: not given, or '-'. */
const char *outputJsonFile(const OptionValue *option);

/* Whether JSON goes to standard output instead of the table. */
bool outputJsonIsStandard(const OptionValue *option);

/* EXIT_GOOD, or EXIT_FAILED and a line: the file cannot be written. */
int outputJsonCheck(const char *verb, const OptionValue *option);

/* json: from cJSON; the call frees it. Null: out of memory, a failure. */
bool outputJsonWrite(char *json, const OptionValue *option, EngineError *error);

/* The option --size as an entry of an Option table. what: its help. */
#define PICTURE_SIZE_OPTION(what)                                                                                      \
    {                                                                                                                  \
        .name = "size", .kind = OPTION_SIZE, .valueName = "WxH", .defaultValue = "1280x720", .minimum = 1,             \
        .maximum = 16384, .help = (what)                                                                               \
    }

/*
 * Call it before any work: checks that `path`, the value of `option`, ends in .png and looks writable. Prints a line and
 * returns EXIT_FAILED or EXIT_USAGE if not; else EXIT_GOOD.
 */
int outputPictureCheck(const char *verb, const char *option, const char *path);

/* Writes a PNG file, complete or not at all. */
bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error);

typedef struct OutputName {
    const char *option; /* as the user writes it: "-o" */
    const char *path;   /* null: not given, or no file */
} OutputName;

/*
 * Checks that no two outputs, and no output and operand, are the same file: the same device and inode, or the same name
 * in the same folder. Devices and pipes may be named twice. EXIT_GOOD, or EXIT_USAGE after a line that names both.
 */
int outputsCheckApart(const Arguments *arguments, const char *verb, const OutputName *outputs, uint32_t count);

#endif
