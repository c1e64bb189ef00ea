/*
 * palette_checks.h: VkskinContextDef.checkPalettes: finds mistakes in palettes that the host wrote.
 */
#ifndef VKSKIN_PALETTE_CHECKS_H
#define VKSKIN_PALETTE_CHECKS_H

#include "context.h"

/* Logs WARNING_NORMALS_CHEAP once per mesh, for the commands that are being recorded. With the lock. */
void sknCheckPalettes(VkskinContext context);

#endif
