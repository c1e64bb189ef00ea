/*
 * vkm_read.h: reads a packed file (vkm_layout.h).
 *
 * The file is copied into memory of this process and never mapped: no other process can change it after the check. Each offset,
 * count, index and number is checked there, whether or not checksums are. Then the model uses arrays and texts in place
 * (Model.image). No process of its own is needed, except for pictures in files.
 *
 * A refusal is one line with the name of the chunk: "chunk MESH: positions of row 2 are outside of the chunk".
 */
#ifndef ENGINE_VKM_READ_H
#define ENGINE_VKM_READ_H

#include "engine_error.h"
#include "model.h"

/* The file's version and the size of each chunk, for reports. */
typedef struct VkmContent {
    uint32_t major, minor;
    uint64_t bytes;               /* bytes of the file */
    uint32_t chunkCount, skipped; /* all; those of unknown type */
    uint64_t sizes[9];            /* VKM_CHUNK_COUNT: bytes of payloads; 0: not there */
} VkmContent;

typedef struct VkmReadOptions {
    uint64_t limit;    /* maximum bytes of the file; 0: 2 GiB */
    bool checksumsOff; /* for tests and fuzzing */
} VkmReadOptions;

/* True for a path with the ending of packed files, in any case. */
bool vkmIsNamed(const char *path);

/*
 * Reads a regular file. Textures that are files have one white texel, and ModelTexture.path or .source: importModel decodes
 * them in a process of its own. options: null for the defaults. Null on failure; *error does not name the path.
 */
Model *vkmRead(const char *path, const VkmReadOptions *options, EngineError *error);

/*
 * The same from memory. image: [size] from malloc, aligned to 16; the call takes it over, also on failure. It may change.
 */
Model *vkmParse(void *image, size_t size, const VkmReadOptions *options, EngineError *error);

/* The file that a model was read from. False: the model is not of a packed file. */
bool vkmContent(const Model *model, VkmContent *content);

#endif
