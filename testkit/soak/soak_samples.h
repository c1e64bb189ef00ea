/*
 * soak_samples.h: what the device makes of some instances of a frame, held against the reference.
 *
 * A sample's vertices are copied in the frame's own command buffer. What they must be is worked out when the frame is
 * recorded, as mesh, skeleton and clip may be gone when the device is done with it.
 */
#ifndef ENGINE_SOAK_SAMPLES_H
#define ENGINE_SOAK_SAMPLES_H

#include "soak_frames.h"
#include "soak_world.h"
#include "vertex_error.h"

#define SOAK_MAX_SAMPLES     2u
#define SOAK_SAMPLE_VERTICES 128u

typedef struct SoakSample {
    VkskinInstance instance;
    VkskinMeshInfo info;
    double diagonal;
    uint32_t firstVertex, vertexCount; /* a window of the mesh */
    VkskinOutput copy;                 /* the window in the readback buffer: offsets there */
    ReferenceVertex expected[SOAK_SAMPLE_VERTICES];
    ReferenceVertex before[SOAK_SAMPLE_VERTICES]; /* whose positions the previous ones must be */
} SoakSample;

/* Those of one frame. */
typedef struct SoakSamples {
    uint32_t count;
    uint64_t frame;    /* of the soak, as a failure names it */
    VkDeviceSize used; /* bytes of the readback buffer */
    SoakSample samples[SOAK_MAX_SAMPLES];
} SoakSamples;

/* What the checks came to. */
typedef struct SoakVerdict {
    VertexError packed, floats; /* the worst of each format */
    uint64_t digest;            /* FNV-1a of all bytes that were checked */
} SoakVerdict;

/* Works out what an instance that has an output must look like in this frame, and records the copy of it. */
bool soakSamplesRecord(SoakSamples *samples, SoakWorld *world, const SoakInstance *instance, SoakSlot *slot,
                       EngineError *error);

/* Ends the recording: copies become readable by the host. */
void soakSamplesEnd(const SoakSamples *samples, VkCommandBuffer commandBuffer);

/* Compares, once the frame is done, and empties the list. A mismatch names frame, instance, vertex and both values. */
bool soakSamplesCheck(SoakSamples *samples, const SoakSlot *slot, SoakCounts *counts, SoakVerdict *verdict,
                      EngineError *error);

#endif
