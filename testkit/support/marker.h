/*
 * marker.h: meshes and palettes whose output says which vertex, which instance and which frame it is.
 *
 * Vertex v of a marker mesh lies at (v, 0, 0) and hangs on one bone with weight 1; a marker palette moves it to
 * (v, y, z). All are whole numbers below 2^24, so outputs are exact on every driver.
 */
#ifndef TESTS_MARKER_H
#define TESTS_MARKER_H

#include "gpu.h"

/* Positions alone, and the kernels for them. previousPositions as in VkskinMeshDef. */
VkskinMesh markerMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount, bool previousPositions);

/* The same where it may fail, and without kernels. */
VkskinResult markerTryMesh(VkskinContext context, uint32_t vertexCount, bool previousPositions, VkskinMesh *mesh);

/* An instance of a mesh, and where its output lies in this frame; what fails fails the test. */
VkskinInstance markerInstance(Gpu *gpu, VkskinContext context, VkskinMesh mesh);
VkskinOutput markerOutput(Gpu *gpu, VkskinContext context, VkskinInstance instance);

/* A VkskinAffine at `palette` that moves by (0, y, z). */
void markerWrite(void *palette, float y, float z);

/* A palette of one bone in this frame, written. */
VkskinPalette markerPalette(Gpu *gpu, VkskinContext context, float y, float z);

/* Gives `instance` a palette of its own that moves by (0, y, z), and skins it in this frame. */
void markerSkin(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z);

/* The same on two bones with half the weight each, for another kernel; its palettes hold the bone twice. */
VkskinMesh markerTwoBoneMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount);
void markerSkinTwoBones(Gpu *gpu, VkskinContext context, VkskinInstance instance, float y, float z);

/*
 * A marker mesh with two morph targets: the first moves every vertex by (0, 1, 0) before the bone, the second by
 * (0, 0, 1) after it. Without the bone it needs no palette.
 */
#define MARKER_MORPHS 2
VkskinMesh markerMorphMesh(Gpu *gpu, VkskinContext context, uint32_t vertexCount, bool bone);

/* How many of the positions at `bytes` (tightly packed, of a marker mesh) are not (v, y, z). */
uint32_t markerMismatches(const void *bytes, uint32_t vertexCount, float y, float z);

#endif
