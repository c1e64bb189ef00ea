/*
 * stage.h: what the scenarios share: contexts on the pretended driver, meshes whose skinned positions are known.
 */
#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H

#include "crew.h"
#include "null_driver.h"

#define STAGE_BONES 3u

/* What a host counts of the library's calls back, on whatever thread they come. */
typedef struct StageCounts {
    _Atomic uint64_t messages;
    _Atomic uint64_t hostAllocations; /* alive */
} StageCounts;

/* A driver with memory of this layout; small heaps. */
NullDriver *stageDriver(NullDriverLayout layout);

/* Small pages, so that they end and are made while others are in use; two frames in flight; messages and host memory
 * are counted in *counts, which outlives the context. */
VkskinContextDef stageContextDef(NullDriver *driver, StageCounts *counts);

/* The context of such a def with the default kernels; null after a failed check. */
VkskinContext stageContext(NullDriver *driver, StageCounts *counts);

/* Destroys the driver; fails the test, which is the caller's thread's, unless no fault was found, nothing is alive and
 * no check has failed. */
void stageEnd(NullDriver *driver, const StageCounts *counts);

/* 30 vertices and 10 more a size. */
uint32_t stageVertexCount(uint32_t size);
VkskinResult stageMesh(VkskinContext context, uint32_t size, VkskinMesh *mesh);

/* A palette for these meshes: bone b moves by (b, 10 b, shift). data: STAGE_BONES entries of 12 floats. */
void stageWritePalette(float shift, float *data);

/* Takes a palette, writes it, and gives the instance a command with it. */
VkskinResult stageSkin(VkskinContext context, VkskinInstance instance, float shift);

/* Whether the positions there are those that such a palette gives. */
bool stageCheck(NullDriver *driver, const VkskinOutput *output, float shift);

#endif
