/*
 * shader_compiler.h: compiles a GLSL file to SPIR-V at run time, with libshaderc. Uses no window and no Vulkan device.
 *
 * #include "name" is looked for beside the file that asks, then below the include root; #include <name> below the
 * root alone. Vulkan 1.3, optimised, warnings are not errors.
 */
#ifndef ENGINE_SHADER_COMPILER_H
#define ENGINE_SHADER_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ShaderCompiler ShaderCompiler;

/*
 * includeRoot: the folder that holds shared shader text; copied. Null when memory is short or libshaderc fails.
 * One thread at a time.
 */
ShaderCompiler *shaderCompilerCreate(const char *includeRoot);
void shaderCompilerDestroy(ShaderCompiler *compiler); /* null allowed */

/* The result of a file. Owns its pointers. */
typedef struct ShaderBinary {
    uint32_t *words; /* SPIR-V; null on failure */
    size_t wordCount;
    char *message; /* failed: why, "PATH:LINE: error: ..." a line, no line end after the last; else null */
    char **files;  /* files read or not found, without duplicates; the file itself first */
    uint32_t fileCount;
} ShaderBinary;

/*
 * Compiles the file at `path`, a vertex shader when it ends in .vert, a fragment shader in .frag; nothing else is
 * taken. PATH in messages is the path as given, or of the file that it includes. True when there are words.
 * *binary is written whole either way; free it with shaderBinaryFree.
 */
bool shaderCompile(ShaderCompiler *compiler, const char *path, ShaderBinary *binary);

/*
 * The list of files alone, without compiling: binary->words stays null. False with a message when the file or an
 * include of it cannot be read.
 */
bool shaderListFiles(ShaderCompiler *compiler, const char *path, ShaderBinary *binary);

/* Leaves an empty one; freeing that again is allowed. */
void shaderBinaryFree(ShaderBinary *binary);

#endif
