/*
 * output_json.h: the option --json of verbs that measure: a report as JSON, in a file or on standard output.
 */
#ifndef COMMAND_OUTPUT_JSON_H
#define COMMAND_OUTPUT_JSON_H

#include "engine_error.h"
#include "options.h"

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

#endif
