/*
 * stage.h: what the scenarios share: contexts on the pretended driver, meshes whose skinned positions are known.
 */
#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H

#include "crew.h"
#include "instance_of.h"
#include "null_driver.h"

#define STAGE_BONES 3u

/* What a host counts of the library's calls back, on whatever thread they come. */
typedef struct StageCounts {
    _Atomic uint64_t messages;
    _Atomic uint64_t hostAllocations; /* alive */
} StageCounts;

/* A driver with memory of this layout, coherent or to be flushed; small heaps. */
NullDriver *stageDriver(NullDriverLayout layout, bool coherent);

/* Small pages, so that they end and are made while others are in use; two frames in flight; messages are
 * counted in *counts, which outlives the context. */
VkskinContextDef stageContextDef(NullDriver *driver, StageCounts *counts);

/* A context of the def with the kernels that the meshes below need, host memory counted in *counts; null after a failed check. */
VkskinContext stageContext(const VkskinContextDef *def, StageCounts *counts);

/* Device memory of the host's own. A context calls for it by one thread at a time, so the count needs no lock. */
typedef struct StageMemory {
    NullDriver *driver;
    uint32_t blocks; /* alive */
} StageMemory;

/* *memory outlives the context. */
VkskinMemoryCallbacks stageMemoryCallbacks(StageMemory *memory);

/* Destroys the driver; fails the test, which is the caller's thread's, unless no fault was found, nothing is alive and
 * no check has failed. */
void stageEnd(NullDriver *driver, const StageCounts *counts);

#define STAGE_MAX_SIZE 20u

/* Of a mesh of size 0 to STAGE_MAX_SIZE; output of the largest is a good part of a page. All have morph targets. */
uint32_t stageVertexCount(uint32_t size);
VkskinResult stageMesh(VkskinContext context, uint32_t size, VkskinMesh *mesh);

/* A palette for these meshes: bone b moves by (b, 10 b, shift). data: STAGE_BONES entries of 12 floats. */
void stageWritePalette(float shift, float *data);

/* Takes a palette, writes it, and gives the instance a command with it; where the shift is odd, a part of that comes by
 * morph targets, before the bones and after. */
VkskinResult stageSkin(VkskinContext context, VkskinInstance instance, float shift);

/* Whether the positions there are those that such a palette gives. */
bool stageCheck(NullDriver *driver, const VkskinOutput *output, float shift);

#endif
