/* vkm_write.h: writes a model as a packed file (vkm_layout.h). */
#ifndef ENGINE_VKM_WRITE_H
#define ENGINE_VKM_WRITE_H

#include <stdio.h>

#include "engine_error.h"
#include "model.h"

typedef struct VkmWriteDef {
    /* The clips are the packed ones. For fast drawing, the vertices are in the library's order: modelSortVertices. */
    const Model *model;
    const PackedModel *packed; /* packed animation of the model; may be null if the model has no clips */
    /* [textureCount]: the path of a texture below the folder of the new file; null: the file of its picture is written, or
     * its pixels where that is not known. Null: the same for all. */
    const char *const *paths;
} VkmWriteDef;

/*
 * Writes the whole file. The same model gives the same bytes. A failed write stays in the stream: ask ferror.
 * sizes: [VKM_CHUNK_COUNT]: receives the bytes of each chunk's payload, 0 for one that is not there.
 * bytes: receives those of the file. False: out of memory.
 */
bool vkmWrite(FILE *file, const VkmWriteDef *def, uint64_t *sizes, uint64_t *bytes, EngineError *error);

#endif
