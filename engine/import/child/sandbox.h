/* sandbox.h: what the parser's process gives up before it reads a byte of the file: see import.h. */
#ifndef ENGINE_SANDBOX_H
#define ENGINE_SANDBOX_H

#include "import_options.h"

/*
 * From now on this process can read files in the folder of `path` and below, and `path` itself, where that leads out;
 * write to the descriptor `output`; compute; and end. *active: the layers that the kernel has. False, *error says why:
 * it has a layer, but the layer failed. There must be one thread.
 */
bool sandboxEnter(const char *path, int output, ImportSandbox *active, EngineError *error);

#endif
