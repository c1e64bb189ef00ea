/*
 * lifecycle.h: how a context is checked, made and destroyed.
 */
#ifndef VKSKIN_LIFECYCLE_H
#define VKSKIN_LIFECYCLE_H

#include "context.h"

/* As vkskinCreateContext does. DEF_NOT_INITIALISED is not told to the def's logger, which cannot be trusted then. */
VkskinResult sknCheckContextDef(const VkskinContextDef *def);

#endif
