/*
 * option_value.h: the value of one option: what it may be, in words, and whether a text is one.
 */
#ifndef CONSOLE_OPTION_VALUE_H
#define CONSOLE_OPTION_VALUE_H

#include "options.h"

/* As a user would write the option: "-o" for those who have a letter, else "--name". */
void optionFormatName(char *text, size_t size, const Option *option);

/* "1 to 10", "0 and up", or nothing where there is no bound. */
void optionFormatRange(char *text, size_t size, const Option *option);

/* Whether `text` is of the option's kind and range; if so it is in *value, which points to it. */
bool optionParseValue(const Option *option, const char *text, OptionValue *value);

/* Whether `text` is a finite number and nothing else. */
bool optionParseNumber(const char *text, double *number);

/* Says that `text` is not, what is, and the nearest of the choices. message: OPTIONS_MESSAGE_SIZE bytes. */
void optionSayWrong(const Option *option, const char *text, char *message);

#endif
