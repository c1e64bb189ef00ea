/*
 * surfaces.h: meshes for the tests of vkskin_mesh.h, and the progress of a call.
 */
#ifndef TESTS_SURFACES_H
#define TESTS_SURFACES_H

#include "host_doubles.h"
#include "vkskin/vkskin_mesh.h"

/* A mesh, and a run whose logger is `log`'s. */
typedef struct TestSurface {
    TestMesh *mesh;
    VkskinMeshDef def; /* def of the mesh; tests change it */
    VkskinPrepareRun run;
    LogMemory log;
} TestSurface;

/* An object of the test. All values are zero. */
TestSurface *makeSurface(uint32_t vertexCount, uint32_t boneCount, uint32_t influences, uint32_t triangleCount);

/*
 * An open tube of radius 1 along x, a ring of `segments` vertices wherever x is a multiple of 1 / `rings`. Bone b turns
 * at x = b, and weights go over from each bone to the next in a straight line. Two influences a vertex; those that lie
 * at a bone have one.
 */
TestSurface *tubeSurface(uint32_t bones, uint32_t rings, uint32_t segments);

/* Triangles of neighbouring numbers, moved by bones of neighbouring numbers, 0 to `influences` of them; some twice. */
TestSurface *randomSurface(uint32_t seed, uint32_t vertexCount, uint32_t boneCount, uint32_t influences);

/* What a VkskinProgressFn saw. Fails the test where it is called on another thread or `done` falls. */
typedef struct ProgressMemory {
    uint32_t calls;
    uint32_t stopAt; /* the how-manieth call says stop, 1 up; 0: none */
    float first, last;
} ProgressMemory;

/* Makes the run report to *memory, which must live as long as the run is used. */
void watchProgress(TestSurface *surface, ProgressMemory *memory);

/* Makes a good call, which must report progress from 0 to 1, then cancels it at each of its reports, the last one too.
 * Each time it must say so and leave nothing allocated. Returns the number of reports. */
uint32_t cancelEverywhere(TestSurface *surface, VkskinResult (*call)(TestSurface *surface));

#endif
