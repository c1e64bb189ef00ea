#include "bench_shaders.h"

#include <string.h>

#include "shader_table.inc" /* made by CMake: TABLE */

BenchShader benchShader(const char *name) {
    for (size_t i = 0; i < sizeof TABLE / sizeof TABLE[0]; i++) {
        if (strcmp(TABLE[i].name, name) == 0) {
            return TABLE[i];
        }
    }
    return (BenchShader){.name = name};
}
