/* readers.h: the readers of model files, one for each kind of file. For the parser's process. */
#ifndef ENGINE_READERS_H
#define ENGINE_READERS_H

#include "engine_error.h"
#include "model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Each reads a file. Null: *error is written. */
Model *assimpParse(const char *path, EngineError *error);
Model *fbxParse(const char *path, EngineError *error);
Model *gltfParse(const char *path, EngineError *error);
Model *spineParse(const char *path, EngineError *error);

/* Only the pictures that a packed file names, as a model without meshes: see vkm_pictures.h. */
Model *vkmParsePictures(const char *path, EngineError *error);

/* The reader for each file name extension (IMPORT_FORMATS), as X(extension, reader). There are no others. */
#define READERS(X)                                                                                                     \
    X(".x", assimpParse)                                                                                               \
    X(".fbx", fbxParse)                                                                                                \
    X(".dae", assimpParse)                                                                                             \
    X(".md5mesh", assimpParse)                                                                                         \
    X(".md5anim", assimpParse)                                                                                         \
    X(".gltf", gltfParse)                                                                                              \
    X(".glb", gltfParse)                                                                                               \
    X(".json", spineParse)                                                                                             \
    X(".vkm", vkmParsePictures)

/*
 * Reads a file's bytes, binary (.glb) or text. path: its name says which. Buffers and pictures beside the file are read
 * from `folder` (ends with a slash, or is empty) and below, nowhere else. zerosMax: the most elements that accessors
 * without a buffer view may have together: they take memory, but no bytes of the file. Null: *error is written.
 */
Model *gltfParseBytes(const uint8_t *bytes, size_t size, const char *folder, const char *path, size_t zerosMax,
                      EngineError *error);

/* Reads the bytes of an .fbx file. path: its pictures are read from its folder and below. Null: *error is written. */
Model *fbxParseBytes(const uint8_t *bytes, size_t size, const char *path, EngineError *error);

/* From now on a failed allocation in C++ code ends the process: see childOutOfMemory. */
void gltfGuardMemory(void);

#ifdef __cplusplus
}
#endif

#endif
