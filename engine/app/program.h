/*
 * program.h: from the command line to the exit status: options, a check of the outputs, the run of a verb.
 *
 * The check covers options of kind OUTPUT, REPORT and UPDATED that are given, and each file of a sequence. It comes before
 * any work. No two of them may be the same file: the same device and inode, or the same name in the same folder. None of
 * them may be a file to read: an operand, or an option of kind FILES or INPUT. All but those of kind UPDATED must pass
 * atomicFileCheck. Devices and pipes may be named twice. A second check follows when a model has been read.
 */
#ifndef APP_PROGRAM_H
#define APP_PROGRAM_H

#include "engine_error.h"
#include "model.h"
#include "options.h"
#include "vkskin/vkskin_base.h"

#define PROGRAM_TEXT_OF(number) #number
#define PROGRAM_DOTTED(a, b, c) PROGRAM_TEXT_OF(a) "." PROGRAM_TEXT_OF(b) "." PROGRAM_TEXT_OF(c)

/* The version of library and programs as text, such as "0.1.0". */
#define PROGRAM_VERSION PROGRAM_DOTTED(VKSKIN_VERSION_MAJOR, VKSKIN_VERSION_MINOR, VKSKIN_VERSION_PATCH)

/*
 * The version of the JSON documents, which docs/vkskin.schema.json describes. It grows when a field gets another name or
 * meaning, or is removed; not for new fields.
 */
#define JSON_SCHEMA 1

/* The ending of animated pictures: all pictures of a sequence are in one file. */
#define ANIMATED_ENDING ".webp"

/* Whether the file holds all pictures of a sequence. Null is allowed. */
bool holdsSequence(const char *path);

/* The file of the option; null: not given, or '-'. */
const char *outputJsonFile(const OptionValue *option);

/* Whether JSON goes to standard output instead of the table. */
bool outputJsonIsStandard(const OptionValue *option);

/* False, *error says which: an output is one of the files that `model` was read from, `path` or one that it names. */
bool outputsSpareModel(const Arguments *arguments, const Model *model, const char *path, EngineError *error);

/* Parses the texts after the verb, prints help or what is wrong, else checks the outputs and runs the verb. Returns the
 * exit status. */
int verbRun(const Verb *verb, int count, char **texts);

/* The main function of a program with one verb. */
int programMain(const Verb *verb, int count, char **texts);

#endif
