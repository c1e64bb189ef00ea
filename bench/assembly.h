/*
 * assembly.h: counts the operations of a kernel from the text of its disassembly, in the notation of AMD GPUs.
 *
 * Blocks begin with "BB1:". A loop goes from a block to the last branch back to it. The longest loop is the kernel's: in a
 * skinning kernel, that over instances. Loops in it are counted apart: their operations run several times for each time
 * around.
 */
#ifndef BENCH_ASSEMBLY_H
#define BENCH_ASSEMBLY_H

#include <stdint.h>

typedef enum OperationKind {
    OPERATION_VECTOR,        /* arithmetic of all lanes: v_... */
    OPERATION_SCALAR,        /* arithmetic once per wave, and branches: s_... */
    OPERATION_MEMORY,        /* loads, stores and atomics of all lanes */
    OPERATION_SCALAR_MEMORY, /* loads once per wave */
    OPERATION_SHARED,        /* shared memory: ds_... */
    OPERATION_WAIT,          /* waits and hints, which do not compute */
    OPERATION_KIND_COUNT
} OperationKind;

typedef struct OperationCounts {
    uint32_t of[OPERATION_KIND_COUNT];
} OperationCounts;

typedef struct AssemblyCounts {
    OperationCounts outside; /* operations outside of the kernel's loop, other loops counted once */
    OperationCounts loop;    /* in the loop, without the loops in it */
    OperationCounts inner;   /* in loops in the loop, each counted once */
    uint32_t loops;          /* number of loops of the whole kernel */
} AssemblyCounts;

/* text: with a zero at the end. A text in another notation has no operations. */
AssemblyCounts assemblyCount(const char *text);

#endif
