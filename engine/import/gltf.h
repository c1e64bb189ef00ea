/* gltf.h: .gltf and .glb files. For the parser's process. */
#ifndef ENGINE_GLTF_H
#define ENGINE_GLTF_H

#include "engine_error.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a file. Null: *error is written. */
Model *gltfParse(const char *path, EngineError *error);

/*
 * Reads a file's bytes, binary (.glb) or text. path: its name says which. Buffers and pictures beside the file are read
 * from `folder` (ends with a slash, or is empty) and below, nowhere else. zerosMax: the most elements that accessors
 * without a buffer view may have together: they take memory, but no bytes of the file. Null: *error is written.
 */
Model *gltfParseBytes(const uint8_t *bytes, size_t size, const char *folder, const char *path, size_t zerosMax,
                      EngineError *error);

/* From now on a failed allocation in C++ code ends the process: see childOutOfMemory. */
void gltfGuardMemory(void);

#ifdef __cplusplus
}
#endif

#endif
