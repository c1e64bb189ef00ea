/*
 * hot_reload.h: watches shader files and their includes, and compiles changed shaders again. Uses no window and no
 * Vulkan device.
 *
 * A file has changed if its modification time, size or inode differs from the last compilation. It is compiled when two
 * polls in a row find it unchanged. So a file is not read while an editor writes it.
 */
#ifndef ENGINE_HOT_RELOAD_H
#define ENGINE_HOT_RELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine_error.h"

typedef struct HotReload HotReload;

/* A compiled shader. All pointers are valid until the next call. */
typedef struct HotReloadEvent {
    const char *name;      /* as given to hotReloadCreate */
    const char *path;      /* path of the shader's file, as in messages */
    const uint32_t *words; /* SPIR-V; null on failure */
    size_t byteCount;
    bool changed;        /* some file changed; false for the first compilation with compileAll */
    const char *message; /* on failure: lines of "PATH:LINE: error: ...", no final line end; else null */
} HotReloadEvent;

/*
 * Watches folder/raster/NAME for each name; includes are looked for in `folder`. names: [nameCount], copied.
 * compileAll: the first hotReloadNext calls compile every shader; else only shaders that change later are compiled.
 * Null if folder/raster is not a folder or memory is out. A missing file is not a failure: it is compiled when it
 * appears.
 */
HotReload *hotReloadCreate(const char *folder, const char *const *names, uint32_t nameCount, bool compileAll,
                           EngineError *error);
/* The folder shaders/ of the source tree of this build; it may no longer exist. Static. */
const char *hotReloadSourceFolder(void);

void hotReloadDestroy(HotReload *reload); /* null allowed */

/* Checks the files (one stat each). Call it at intervals of at least 50 ms. */
void hotReloadPoll(HotReload *reload);

/*
 * Compiles the next changed shader and describes the result. False if no shader has changed. Each change is reported
 * once.
 */
bool hotReloadNext(HotReload *reload, HotReloadEvent *event);

#endif
