#include "shader_compiler.h"

#include <errno.h>
#include <shaderc/shaderc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE     4096
#define FILE_LIMIT    (1u << 20) /* bytes; shaders are far smaller */
#define INCLUDE_LIMIT 256        /* per shader; libshaderc does not stop recursive includes */

struct ShaderCompiler {
    shaderc_compiler_t shaderc;
    shaderc_compile_options_t options;
    char *includeRoot;
    ShaderBinary *binary; /* the current result; includes are added to its list */
    uint32_t includeCount;
    shaderc_include_result outOfMemory; /* libshaderc does not accept null */
};

/* ---- Files ---- */

/* Returns the text of a file and its length. Null on failure, with errno set. */
static char *readText(const char *path, size_t *length) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    char *text = malloc(FILE_LIMIT);
    *length = text ? fread(text, 1, FILE_LIMIT, file) : 0;
    bool whole = text && !ferror(file) && feof(file);
    int reason = !text ? ENOMEM : ferror(file) ? errno : EFBIG;
    fclose(file);
    if (!whole) {
        free(text);
        errno = reason;
        return NULL;
    }
    return text;
}

/* If out of memory, the file is not listed. The only effect is that its changes are not detected. */
static void noteFile(ShaderBinary *binary, const char *path) {
    for (uint32_t i = 0; i < binary->fileCount; i++) {
        if (strcmp(binary->files[i], path) == 0) {
            return;
        }
    }
    char **files = realloc(binary->files, (binary->fileCount + 1) * sizeof *files);
    if (!files) {
        return;
    }
    binary->files = files;
    files[binary->fileCount] = strdup(path);
    binary->fileCount += files[binary->fileCount] ? 1 : 0;
}

/* ---- Includes ---- */

typedef struct Include {
    shaderc_include_result result;
    char name[PATH_SIZE];
    char *text; /* null if result.content is a literal */
} Include;

static bool tryInclude(ShaderCompiler *compiler, Include *include) {
    noteFile(compiler->binary, include->name);
    size_t length = 0;
    include->text = readText(include->name, &length);
    if (!include->text) {
        return false;
    }
    include->result.source_name = include->name;
    include->result.source_name_length = strlen(include->name);
    include->result.content = include->text;
    include->result.content_length = length;
    return true;
}

static bool nameBeside(Include *include, const char *requesting, const char *requested) {
    const char *slash = strrchr(requesting, '/');
    int folder = slash ? (int)(slash - requesting) + 1 : 0;
    int length = snprintf(include->name, sizeof include->name, "%.*s%s", folder, requesting, requested);
    return length > 0 && (size_t)length < sizeof include->name;
}

static bool nameBelowRoot(Include *include, const char *root, const char *requested) {
    int length = snprintf(include->name, sizeof include->name, "%s/%s", root, requested);
    return length > 0 && (size_t)length < sizeof include->name;
}

/* An empty source name makes libshaderc fail with the content as the message. */
static void refuseInclude(Include *include, const char *reason) {
    include->result.source_name = "";
    include->result.content = reason;
    include->result.content_length = strlen(reason);
}

static shaderc_include_result *resolveInclude(void *user, const char *requested, int type, const char *requesting,
                                              size_t depth) {
    (void)depth;
    ShaderCompiler *compiler = user;
    Include *include = calloc(1, sizeof *include);
    if (!include) {
        return &compiler->outOfMemory;
    }
    include->result.user_data = include;
    if (++compiler->includeCount > INCLUDE_LIMIT) {
        refuseInclude(include, "too many files: does one include itself?");
        return &include->result;
    }
    bool beside = type == shaderc_include_type_relative && nameBeside(include, requesting, requested) &&
                  tryInclude(compiler, include);
    bool found = beside || (nameBelowRoot(include, compiler->includeRoot, requested) && tryInclude(compiler, include));
    if (!found) {
        refuseInclude(include, "no such file beside it or in the shader folder");
    }
    return &include->result;
}

static void releaseInclude(void *user, shaderc_include_result *result) {
    (void)user;
    Include *include = result->user_data;
    if (include != NULL) {
        free(include->text);
        free(include);
    }
}

/* ---- Compiling ---- */

ShaderCompiler *shaderCompilerCreate(const char *includeRoot) {
    static const char outOfMemory[] = "out of memory";
    ShaderCompiler *compiler = calloc(1, sizeof *compiler);
    if (!compiler) {
        return NULL;
    }
    compiler->outOfMemory =
        (shaderc_include_result){.source_name = "", .content = outOfMemory, .content_length = sizeof outOfMemory - 1};
    compiler->includeRoot = strdup(includeRoot);
    compiler->shaderc = shaderc_compiler_initialize();
    compiler->options = shaderc_compile_options_initialize();
    if (!compiler->includeRoot || !compiler->shaderc || !compiler->options) {
        shaderCompilerDestroy(compiler);
        return NULL;
    }
    shaderc_compile_options_t options = compiler->options;
    shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
    shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_performance);
    shaderc_compile_options_set_include_callbacks(options, resolveInclude, releaseInclude, compiler);
    return compiler;
}

void shaderCompilerDestroy(ShaderCompiler *compiler) {
    if (!compiler) {
        return;
    }
    shaderc_compile_options_release(compiler->options);
    shaderc_compiler_release(compiler->shaderc);
    free(compiler->includeRoot);
    free(compiler);
}

static bool fail(ShaderBinary *binary, const char *path, const char *reason) {
    if (asprintf(&binary->message, "%s: error: %s", path, reason) < 0) {
        binary->message = NULL;
    }
    return false;
}

static bool shaderKind(const char *path, shaderc_shader_kind *kind) {
    const char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".vert") == 0) {
        *kind = shaderc_vertex_shader;
        return true;
    }
    if (dot && strcmp(dot, ".frag") == 0) {
        *kind = shaderc_fragment_shader;
        return true;
    }
    return false;
}

/* Copies the words, or the message without its final line end. */
static bool takeResult(shaderc_compilation_result_t result, const char *path, bool wordsWanted, ShaderBinary *binary) {
    if (shaderc_result_get_compilation_status(result) != shaderc_compilation_status_success) {
        const char *text = result ? shaderc_result_get_error_message(result) : "";
        size_t length = strlen(text);
        while (length > 0 && text[length - 1] == '\n') {
            --length;
        }
        binary->message = length > 0 ? strndup(text, length) : NULL;
        return binary->message ? false : fail(binary, path, "the compiler gave no reason");
    }
    if (!wordsWanted) {
        return true;
    }
    size_t bytes = shaderc_result_get_length(result);
    binary->words = malloc(bytes);
    if (!binary->words) {
        return fail(binary, path, strerror(ENOMEM));
    }
    memcpy(binary->words, shaderc_result_get_bytes(result), bytes);
    binary->wordCount = bytes / sizeof(uint32_t);
    return true;
}

static bool process(ShaderCompiler *compiler, const char *path, bool wordsWanted, ShaderBinary *binary) {
    *binary = (ShaderBinary){0};
    noteFile(binary, path);
    shaderc_shader_kind kind;
    if (!shaderKind(path, &kind)) {
        return fail(binary, path, "not a .vert or .frag file");
    }
    size_t length = 0;
    char *text = readText(path, &length);
    if (!text) {
        return fail(binary, path, strerror(errno));
    }
    compiler->binary = binary;
    compiler->includeCount = 0;
    shaderc_compilation_result_t result =
        wordsWanted ? shaderc_compile_into_spv(compiler->shaderc, text, length, kind, path, "main", compiler->options)
                    : shaderc_compile_into_preprocessed_text(compiler->shaderc, text, length, kind, path, "main",
                                                             compiler->options);
    compiler->binary = NULL;
    free(text);
    bool good = takeResult(result, path, wordsWanted, binary);
    shaderc_result_release(result);
    return good;
}

bool shaderCompile(ShaderCompiler *compiler, const char *path, ShaderBinary *binary) {
    return process(compiler, path, true, binary);
}

bool shaderListFiles(ShaderCompiler *compiler, const char *path, ShaderBinary *binary) {
    return process(compiler, path, false, binary);
}

void shaderBinaryFree(ShaderBinary *binary) {
    free(binary->words);
    free(binary->message);
    for (uint32_t i = 0; i < binary->fileCount; i++) {
        free(binary->files[i]);
    }
    free(binary->files);
    *binary = (ShaderBinary){0};
}
