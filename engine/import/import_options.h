/* import_options.h: limits of an import, and what the kernel withholds from the parser's process (import.h). */
#ifndef ENGINE_IMPORT_OPTIONS_H
#define ENGINE_IMPORT_OPTIONS_H

#include "engine_error.h"
#include "model.h"

/* All file name extensions that are read, for messages. */
#define IMPORT_FORMATS ".x, .fbx, .dae, .md5mesh, .md5anim, .gltf, .glb, .json, .vkm"

/* The default of the limit below: 512 MiB, and as much as textures may take. */
#define IMPORT_ANSWER_BYTES (((size_t)512 << 20) + MODEL_TEXTURE_BYTES)

/* What the kernel withholds from the parser's process. */
typedef struct ImportSandbox {
    uint32_t landlock; /* version of the interface; 0: not there */
    bool seccomp;
    bool notNeeded; /* no process was started: a packed file without pictures in other files */
} ImportSandbox;

typedef struct ImportOptions {
    uint32_t timeoutSeconds;     /* wall clock and processor time; 0: the default, 60 */
    uint64_t memoryBytes;        /* that the parser may use; 0: the default, 4 GiB */
    uint64_t answerBytes;        /* that a model may take in this process; 0: the default, IMPORT_ANSWER_BYTES */
    bool sandboxOff;             /* neither landlock nor seccomp: to debug a parser */
    ImportSandbox *sandbox;      /* receives what was active; or null */
    void (*waiting)(void *user); /* called about ten times a second while the child works, to show progress; or null */
    void *user;
} ImportOptions;

#endif
