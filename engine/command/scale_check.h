/*
 * scale_check.h: tells users of dual quaternions that a model's bones carry scale, which these cannot hold.
 */
#ifndef COMMAND_SCALE_CHECK_H
#define COMMAND_SCALE_CHECK_H

#include "character.h"

/* Whether any palette of the character at that moment has VKSKIN_WARNING_SCALE_LOST. clip: null for rest. */
bool scaleIsLost(const Character *character, VkskinClip clip, double time, bool *lost, EngineError *error);

/* The same at the start, the middle and the end of every clip; the rest pose where there is none. */
bool scaleIsLostAnywhere(const Character *character, bool *lost, EngineError *error);

/* Prints the warning, with the library's name for it. */
void scaleWarn(const char *verb, const char *path);

#endif
