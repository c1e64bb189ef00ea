/* refusals.h: why a file is not read, as far as its name or its first bytes show it. For the parser's process. */
#ifndef ENGINE_REFUSALS_H
#define ENGINE_REFUSALS_H

#include "engine_error.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * For a file that was refused. Returns true if its first bytes give a reason, and writes it: an encoding or a version that
 * is not supported, or a damaged head. assimp's own reason is then about something that follows from it.
 */
bool refusalFromHead(const char *path, EngineError *error);

/* For an extension that no reader has. Returns true if it is that of a known format, and writes why it is not read. */
bool refusalFromName(const char *path, EngineError *error);

#ifdef __cplusplus
}
#endif

#endif
