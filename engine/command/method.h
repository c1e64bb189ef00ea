/*
 * method.h: the skinning methods as users write them, and the options of all verbs that skin, as entries of an Option
 * table.
 */
#ifndef COMMAND_METHOD_H
#define COMMAND_METHOD_H

#include "options.h"

/* By VkskinMethod, ended by null: an OptionValue.choice among them is the method. */
extern const char *const METHOD_NAMES[];

#define METHOD_OPTION                                                                                                  \
    {                                                                                                                  \
        .name = "method", .kind = OPTION_CHOICE, .valueName = "lbs|dqs", .defaultValue = "lbs",                        \
        .choices = METHOD_NAMES, .help = "how bones blend: lbs, linear, or dqs, dual quaternions"                      \
    }

#define MAX_INFLUENCES_OPTION                                                                                          \
    {                                                                                                                  \
        .name = "max-influences", .kind = OPTION_INTEGER, .valueName = "N", .defaultValue = "4", .minimum = 1,         \
        .maximum = 4, .help = "bones that a vertex keeps, the weightiest"                                              \
    }

#endif
