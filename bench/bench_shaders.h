/* bench_shaders.h: the bench's own shaders, compiled when it was built. */
#ifndef BENCH_SHADERS_H
#define BENCH_SHADERS_H

#include <stddef.h>
#include <stdint.h>

typedef struct BenchShader {
    const char *name;
    const uint32_t *code; /* SPIR-V */
    size_t size;          /* bytes */
} BenchShader;

/* name: of a file in shaders/, such as "baseline.comp". One that is not there has no code. */
BenchShader benchShader(const char *name);

#endif
