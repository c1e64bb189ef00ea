/* cpu_output.h: the instances of a scene, skinned by the CPU into guarded memory. */
#ifndef TESTS_CPU_OUTPUT_H
#define TESTS_CPU_OUTPUT_H

#include "scene.h"
#include "vertex_error.h"
#include "vkskin/vkskin_cpu.h"

/*
 * All vertices, [SCENE_INSTANCES][vertexCount], freed by free(). Fails the running test where the output depends on what
 * lay there before, or bytes outside it are written.
 */
ReadVertex *newCpuOutput(const Scene *scene, VkskinCpuLevel level, VkskinMeshInfo *info);

#endif
