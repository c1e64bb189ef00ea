/*
 * method.h: the skinning methods as users write them, for the option --method.
 */
#ifndef COMMAND_METHOD_H
#define COMMAND_METHOD_H

#include "options.h"

/* By VkskinMethod, ended by null: an OptionValue.choice among them is the method. */
extern const char *const METHOD_NAMES[];

/* What a user reads of the choices. */
#define METHOD_HELP "how bones blend: lbs, linear, or dqs, dual quaternions"

#endif
