/*
 * nearest.h: which known word did a user mean.
 */
#ifndef APP_OPTIONS_H
#define APP_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Single edits (insert, remove, replace, swap of neighbours) that lead from `a` to `b`, upper and lower case taken
 * as the same. Only the first 63 bytes of each count.
 */
size_t nearestDistance(const char *a, const char *b);

/*
 * The index of the word nearest to `word`, or -1 where none is near: nearer than a third of its length, or 2 edits,
 * whichever is more; a word that begins with `word` is near whatever its length. Of equals the first.
 */
int nearestWord(const char *word, const char *const *words, size_t count);

/* ---- * options.h: command lines described by tables: what the options of a verb are, and what a user gave.
 *
 * Forms: --name VALUE, --name=VALUE, -x VALUE, -xVALUE, -x=VALUE; "--" ends the options. Of an option given several
 * times the last counts, save that settings are collected. Options and operands may mix. ---- */

/* What an option's value is, and so which member of OptionValue receives it. */
typedef enum OptionKind {
    OPTION_FLAG,    /* no value: `given` says it all */
    OPTION_INTEGER, /* `integer` */
    OPTION_NUMBER,  /* `number`, finite */
    OPTION_TEXT,    /* `text`, not empty */
    OPTION_CHOICE,  /* `choice`: index into `choices` */
    OPTION_SIZE,    /* WIDTHxHEIGHT: `width` and `height` */
    OPTION_OPERAND, /* each time one more of the operands, as if it stood without the option */
    OPTION_SETTING  /* NAME=NUMBER, each time one: Arguments.settings; at most one option of a verb is of this kind */
} OptionKind;

typedef struct Option {
    const char *name; /* without the dashes */
    char letter;      /* of the short form; 0: none */
    OptionKind kind;
    const char *valueName;      /* as the help shows it; null for a flag */
    const char *help;           /* a phrase, no full stop; range and default are added to it */
    const char *defaultValue;   /* as a user would write it; null: none */
    double minimum, maximum;    /* both included; of INTEGER, NUMBER, and of both sides of SIZE; INFINITY: no bound */
    const char *const *choices; /* of CHOICE, ended by null */
    bool required;
} Option;

typedef struct OptionValue {
    bool given; /* by the user; a default is not given but its value is there */
    int64_t integer;
    double number;
    const char *text;
    uint32_t choice;
    uint32_t width, height;
} OptionValue;

/* One value of an OPTION_SETTING. */
typedef struct OptionSetting {
    const char *name; /* not empty; may hold '=' */
    double number;    /* finite, also as a float */
} OptionSetting;

#define OPTIONS_MAX         24
#define OPTION_SETTINGS_MAX 256

/* The options that all verbs share, in Arguments.common; those after COMMON_HELP only where Verb.takesDevice. */
typedef enum CommonOption {
    COMMON_HELP,     /* flag, answered before a verb runs */
    COMMON_DEVICE,   /* text */
    COMMON_VALIDATE, /* flag */
    COMMON_OPTION_COUNT
} CommonOption;

/* What a user gave. `values` goes by the index of the verb's own table. */
typedef struct Arguments {
    OptionValue values[OPTIONS_MAX];
    OptionValue common[COMMON_OPTION_COUNT];
    OptionSetting settings[OPTION_SETTINGS_MAX];
    uint32_t settingCount;
    char **operands; /* [operandCount], into the texts that were parsed */
    uint32_t operandCount;
} Arguments;

typedef struct Verb {
    const char *name;
    bool isProgram;          /* what a user types is "vkskin-NAME", not "vkskin NAME" */
    const char *summary;     /* a phrase for the list of verbs */
    const char *usage;       /* what follows its name in the usage line */
    const char *details;     /* paragraphs for the verb's help, ended by a line end; null: none */
    const Option *options;   /* [optionCount]; null: none but the common ones */
    uint32_t optionCount;    /* at most OPTIONS_MAX */
    const char *operandName; /* null: the verb takes no operands */
    uint32_t operandsMin, operandsMax;
    bool takesDevice;                       /* --device and --validate */
    int (*run)(const Arguments *arguments); /* returns the exit status: EXIT_GOOD or EXIT_FAILED */
    const char *operandHelp;                /* a phrase as Option.help; null: none */
} Verb;

/* Exit statuses of the command. */
enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

typedef enum OptionsOutcome {
    OPTIONS_RUN,  /* *arguments is filled */
    OPTIONS_HELP, /* help was asked for */
    OPTIONS_WRONG /* *message says what is wrong */
} OptionsOutcome;

#define OPTIONS_MESSAGE_SIZE 512

/*
 * Reads what follows the verb. texts: [count], reordered so that the operands come first, settings cut at their last
 * '='; values point into them.
 * message: OPTIONS_MESSAGE_SIZE bytes, one line without a line end.
 */
OptionsOutcome optionsParse(const Verb *verb, int count, char **texts, Arguments *arguments, char *message);

/* All options that a verb takes: its own, then the common ones. index: below optionsCount. */
uint32_t optionsCount(const Verb *verb);
const Option *optionsAt(const Verb *verb, uint32_t index);

/* ' ' or '-', between "vkskin" and the verb's name. */
char optionsJoint(const Verb *verb);

/* Prints a verb's help: summary, usage, options with ranges and defaults, details. */
void optionsPrintHelp(FILE *file, const Verb *verb);

#endif
