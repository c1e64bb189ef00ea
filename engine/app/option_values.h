/*
 * option_values.h: the values of options as a user types them, and as messages and help describe them.
 */
#ifndef APP_OPTION_VALUES_H
#define APP_OPTION_VALUES_H

#include "option.h"

/* Reads a value into the member of *value that the option's kind names. False: it is none. */
bool optionValueParse(const Option *option, const char *text, OptionValue *value);

/* A finite number. unit: what may follow it, or null; after "s" also "ms", a thousandth. */
bool optionNumberParse(const char *text, const char *unit, double *number);

/* "1 to 10", "0 and up", or nothing. */
void optionFormatRange(char *text, size_t size, const Option *option);

/* What the option takes: "a whole number, 1 to 10"; for OPTION_OUTPUT its endings. */
void optionFormatWanted(char *text, size_t size, const Option *option);

/* The words that the option takes: choices, names of colours or views. Null-terminated; null: it takes others. */
const char *const *optionWords(const Option *option);

#endif
