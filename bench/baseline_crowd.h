/*
 * baseline_crowd.h: the way that engines commonly skin a crowd today, for the library to be compared with: one after the
 * other, each instance binds its own source, palette and output (a set with dynamic offsets) and has a dispatch; a thread
 * for each vertex, four influences always, 48 bytes of source and 40 of output a vertex, matrices of 3x4 floats in a
 * storage buffer. Workgroups of 64. No barrier between the instances.
 */
#ifndef BENCH_BASELINE_CROWD_H
#define BENCH_BASELINE_CROWD_H

#include "bench_case.h"
#include "crowd_scene.h"

/* BenchCase.parameters: a CrowdShape of at most 4 influences and 256 bones. */
extern const CaseFunctions BASELINE_CROWD;

#endif
