/*
 * show_options.h: the options --paint and --show of `render`, `crowd` and `view`, for models and 2D characters.
 */
#ifndef APP_SHOW_OPTIONS_H
#define APP_SHOW_OPTIONS_H

#include "paint.h"
#include "options.h"

/* A group: --paint and --show. */
extern const Option SHOW_OPTIONS[];

/* The words of --show, null-terminated: bit i of `shows` is word i, as DRAW_SHOW_... and SPINE_SHOW_... count. */
extern const char *const SHOW_WORDS[];

/* Reads both options. An unknown bone is refused with the nearest names, and a paint that 2D characters do not have.
 * paint->bone points into the arguments. shows: receives the bits. For verbs without the options: 0 and no paint. */
bool showOptionsRead(const Arguments *arguments, const Model *const *models, uint32_t *shows, Paint *paint,
                     EngineError *error);

#endif
