/*
 * readback.h: copies an instance's skinned vertices to the host, decoded to floats.
 */
#ifndef ENGINE_READBACK_H
#define ENGINE_READBACK_H

#include "resources.h"
#include "skinning.h"

typedef struct SkinnedVertices {
    uint32_t count;
    float *positions; /* [count][3], in the mesh's own space */
    float *normals;   /* [count][3], or null where the mesh has none */
    float *tangents;  /* [count][4], w the handedness, or null */
} SkinnedVertices;

/*
 * Waits for the device and copies the instance's current output. SkinningDef.readback must have been set, and the
 * command buffers of the frame submitted. Both vertex formats. On failure *vertices is zero.
 */
bool readbackInstance(Skinning *skinning, VkskinInstance instance, SkinnedVertices *vertices, EngineError *error);

/* A zero one is allowed. */
void skinnedVerticesFree(SkinnedVertices *vertices);

#endif
