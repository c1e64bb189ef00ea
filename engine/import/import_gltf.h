/* import_gltf.h: .gltf and .glb. Runs in a child process only: see isolate.h. */
#ifndef ENGINE_IMPORT_GLTF_H
#define ENGINE_IMPORT_GLTF_H

#include "gltf_document.h"
#include "model.h"

/* Null: `message` (IMPORT_MESSAGE_SIZE bytes) says "PATH: why". */
Model *gltfParse(const char *path, char *message);

/* The second half of it: a document that was read, of a file of this path, as a model. */
Model *gltfConvert(const GltfDocument *document, const char *path, char *message);

#endif
