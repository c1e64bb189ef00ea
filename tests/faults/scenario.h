/*
 * scenario.h: short lives of a context, from its making to its end, with at most one call into the driver failing.
 *
 * The library's call that meets the failure must say so as documented, leave its outputs null, and succeed when it
 * is made again; then all goes on and the output is right. A lost device ends the scenario at once.
 */
#ifndef TESTS_SCENARIO_H
#define TESTS_SCENARIO_H

#include "fault_shim.h"

typedef enum ScenarioKind {
    /* Three meshes, one of them with morph targets and centres of rotation, their instances, three frames with staged
     * palettes, timings, destroying and making anew. The making of kernels does not count. */
    SCENARIO_FRAMES,
    /* The same in memory of the host's own that must be flushed. */
    SCENARIO_HOST_MEMORY,
    /* Kernels of two methods for a mesh, and one frame with each; only their making counts. */
    SCENARIO_KERNELS,
    /* Names of objects: of all that the two kinds above and below make. A name that cannot be given is told, and the
     * call that made the object succeeds. */
    SCENARIO_NAMES,
    /* As the first kind, with kernels of two methods, a context of two queue families and so many meshes and pages
     * that tables grow: only allocations from the host's heap count. */
    SCENARIO_HEAP,
    /* As the first kind with the CPU backend, in memory of the host's own that must be flushed: all counts. */
    SCENARIO_CPU,
    SCENARIO_COUNT
} ScenarioKind;

/* Runs one with the shim as it was reset. *stats: what the context held before its end; zero for a lost device. */
void scenarioRun(Gpu *gpu, ScenarioKind kind, VkskinStats *stats);

#endif
