/*
 * hot_reload.h: watches shader files and what they include, and compiles again what changed. No window, no Vulkan
 * device: whoever asks does what is right with the words.
 *
 * A file has changed when its time of modification, size or inode differ from when it was last compiled, and has
 * settled when two polls in a row find it the same: a file that an editor is still writing is left alone.
 */
#ifndef ENGINE_HOT_RELOAD_H
#define ENGINE_HOT_RELOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine_error.h"

typedef struct HotReload HotReload;

/* A shader that was compiled, again or for the first time. All pointers are valid until the next call. */
typedef struct HotReloadEvent {
    const char *name;      /* as given to hotReloadCreate */
    const char *path;      /* of its file, as messages name it */
    const uint32_t *words; /* SPIR-V; null: it failed */
    size_t byteCount;
    bool changed;        /* a file changed; else this is the first compilation, as compileAll asks for it */
    const char *message; /* failed: lines of "PATH:LINE: error: ...", the last without a line end; else null */
} HotReloadEvent;

/*
 * Watches folder/raster/NAME for each name; includes are looked for in `folder`. names: [nameCount], copied.
 * compileAll: the first hotReloadNext calls compile every shader; else only what changes from now on.
 * Null when folder/raster is no folder, or memory is short. A single file that is missing is no failure: it is
 * compiled when it appears.
 */
HotReload *hotReloadCreate(const char *folder, const char *const *names, uint32_t nameCount, bool compileAll,
                           EngineError *error);
/* The folder shaders/ of the source tree that this was built from; it need not exist any more. Static. */
const char *hotReloadSourceFolder(void);

void hotReloadDestroy(HotReload *reload); /* null allowed */

/* Looks at the files. Cheap (a stat each), but to be called with a pause of 50 ms or more, for files to settle. */
void hotReloadPoll(HotReload *reload);

/*
 * Compiles the next shader that changed, and says what became of it. False when there is none: each change is told
 * once.
 */
bool hotReloadNext(HotReload *reload, HotReloadEvent *event);

#endif
