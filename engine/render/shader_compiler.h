/*
 * shader_compiler.h: compiles a GLSL file to SPIR-V at run time, with libshaderc. Uses no window and no Vulkan device.
 *
 * #include "name" is searched beside the including file, then below the include root; #include <name> only below the
 * root. Target: Vulkan 1.3, optimised. Warnings are not errors.
 */
#ifndef ENGINE_SHADER_COMPILER_H
#define ENGINE_SHADER_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ShaderCompiler ShaderCompiler;

/*
 * includeRoot: the folder of shared shader files; copied. Null if memory is out or libshaderc fails. Use a compiler on
 * one thread at a time.
 */
ShaderCompiler *shaderCompilerCreate(const char *includeRoot);
void shaderCompilerDestroy(ShaderCompiler *compiler); /* null allowed */

/* The result of a file. Owns its pointers. */
typedef struct ShaderBinary {
    uint32_t *words; /* SPIR-V; null on failure */
    size_t wordCount;
    char *message; /* on failure: lines of "PATH:LINE: error: ...", no final line end; else null */
    char **files;  /* files read or not found, without duplicates; the file itself first */
    uint32_t fileCount;
} ShaderBinary;

/*
 * Compiles the file at `path`: .vert is a vertex shader, .frag a fragment shader; other names are refused. PATH in
 * messages is the given path, or the path of an included file. True on success. *binary is always written completely;
 * free it with shaderBinaryFree.
 */
bool shaderCompile(ShaderCompiler *compiler, const char *path, ShaderBinary *binary);

/*
 * Only lists the files and does not compile: binary->words stays null. False with a message if the file or one of its
 * includes cannot be read.
 */
bool shaderListFiles(ShaderCompiler *compiler, const char *path, ShaderBinary *binary);

/* Frees the content and leaves an empty struct, which may be freed again. */
void shaderBinaryFree(ShaderBinary *binary);

#endif
