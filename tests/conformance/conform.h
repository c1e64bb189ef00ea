/*
 * conform.h: skins instances of one mesh on the GPU and holds every vertex against the reference.
 *
 * The output is poisoned first. Each checked instance has neighbours that are never skinned; after the run every
 * word of the checked ones must have been written, and all other words of all pages must still be poison.
 */
#ifndef TESTS_CONFORM_H
#define TESTS_CONFORM_H

#include "gpu.h"
#include "model.h"
#include "reference.h"

typedef struct ConformMesh {
    const ModelMesh *mesh;
    bool normals, tangents; /* which of the mesh's own to take along */
    VkskinVertexFormat format;
    uint32_t maxInfluences;
} ConformMesh;

typedef struct ConformInstance {
    VkskinMethod method;
    const void *palette; /* entries for the mesh's bones, as the method reads them */
    ReferenceVertex *expected;
} ConformInstance;

/* One context serves all calls of a process: SwiftShader takes long to make all kernels. Prints the largest errors
 * under `label`. */
void conformCheck(Gpu *gpu, const char *label, const ConformMesh *mesh, const ConformInstance *instances,
                  uint32_t count);

#endif
