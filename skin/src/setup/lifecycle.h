/*
 * lifecycle.h: how a context is checked, made and destroyed.
 */
#ifndef VKSKIN_LIFECYCLE_H
#define VKSKIN_LIFECYCLE_H

#include "context.h"

/* Checks a def as vkskinCreateContext does. DEF_NOT_INITIALISED is not logged: such a def has no valid logger. */
VkskinResult sknCheckContextDef(const VkskinContextDef *def);

#endif
