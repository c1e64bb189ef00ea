/*
 * options.h: parses command lines from tables of options, and prints help.
 *
 * Forms: --name VALUE, --name=VALUE, -x VALUE, -xVALUE, -x=VALUE; "--" ends the options. If an option is given several
 * times, the last one counts; settings and files are collected. Options and operands may mix.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "count_of.h"
#include "near_names.h"
#include "option.h"

#define OPTIONS_MAX         64
#define OPTION_FILES_MAX    64
#define OPTION_SETTINGS_MAX 256

typedef struct Verb Verb;

/* The parsed command line. */
typedef struct Arguments {
    const Verb *verb;
    OptionValue values[OPTIONS_MAX + 1]; /* indices as for optionsAt; the last one is never given */
    OptionSetting settings[OPTION_SETTINGS_MAX];
    uint32_t settingCount;
    const char *files[OPTION_FILES_MAX]; /* values of OPTION_FILES */
    uint32_t fileCount;
    const char *names[OPTION_FILES_MAX]; /* values of OPTION_NAMES */
    uint32_t nameCount;
    const char *chains[OPTION_FILES_MAX]; /* values of OPTION_CHAINS */
    uint32_t chainCount;
    char **operands; /* [operandCount], pointers into the parsed texts */
    uint32_t operandCount;
} Arguments;

struct Verb {
    const char *name;        /* the user types "vkskin NAME"; "-NAME": a program of its own, "vkskin-NAME" */
    const char *summary;     /* phrase for the list of verbs */
    const char *usage;       /* the rest of the usage line */
    const char *details;     /* paragraphs for the help, with a final line end; null: none */
    const Option *options;   /* [optionCount]; null: only the common ones */
    uint32_t optionCount;    /* with the common ones at most OPTIONS_MAX */
    const char *operandName; /* null: the verb takes no operands */
    uint32_t operandsMin, operandsMax;
    bool takesDevice;                       /* the common options --device (text) and --validate (flag) */
    int (*run)(const Arguments *arguments); /* returns an exit status */
    const char *operandHelp;                /* phrase, like Option.help; null: none */
    const char *examples[3];                /* what follows the verb, for the help; null: none */
};

/* The members of a Verb with an array of options. */
#define OPTIONS_OF(list) .options = (list), .optionCount = COUNT_OF(list)

/* What stands between "vkskin" and a verb's name. */
const char *verbJoint(const char *name);

/* Exit statuses of the command. */
/* EXIT_FAULTS: `info --check` has written what it found. */
enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_FAULTS = 3 };

typedef enum OptionsOutcome {
    OPTIONS_RUN,  /* run the verb with *arguments */
    OPTIONS_HELP, /* print help */
    OPTIONS_WRONG /* print *message */
} OptionsOutcome;

#define OPTIONS_MESSAGE_SIZE 512

/*
 * Parses the texts after the verb. texts: [count]; it moves operands to the front and cuts settings at their last '='.
 * Values point into the texts. message: OPTIONS_MESSAGE_SIZE bytes; receives one line without a line end.
 */
OptionsOutcome optionsParse(const Verb *verb, int count, char **texts, Arguments *arguments, char *message);

/* The options of a verb: its own, then the common ones. Null: the verb has no more. */
const Option *optionsAt(const Verb *verb, uint32_t index);

/* The value of an option by its long name. A verb that has no such option gets a value that is not given. */
const OptionValue *optionsValue(const Arguments *arguments, const char *name);

/* "-o", or "--output" for an option without a letter. */
void optionsFormatName(char *text, size_t size, const Option *option);

/* Prints summary, usage, options with ranges and defaults, details, and examples. */
void optionsPrintHelp(FILE *file, const Verb *verb);

#endif
