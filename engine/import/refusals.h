/* refusals.h: why assimp does not read a file, as far as the file's first bytes show it. For the parser's process. */
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

#ifdef __cplusplus
}
#endif

#endif
