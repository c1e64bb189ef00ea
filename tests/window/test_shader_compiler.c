/*
 * Shaders compiled at run time: words, includes, and errors that name file and line.
 */

#include "folder.h"
#include "pipelines.h"
#include "shader_compiler.h"
#include "scratch.h"
#include "test.h"

#define SPIRV_MAGIC 0x07230203u

typedef struct Bench {
    Folder folder;
    ShaderCompiler *compiler;
    ShaderBinary binary;
} Bench;

static int setUp(void **state) {
    Bench *bench = calloc(1, sizeof *bench);
    assert_non_null(bench);
    bench->folder = folderCreate();
    bench->compiler = shaderCompilerCreate(bench->folder.path);
    assert_non_null(bench->compiler);
    *state = bench;
    return 0;
}

static int tearDown(void **state) {
    Bench *bench = *state;
    shaderBinaryFree(&bench->binary);
    shaderCompilerDestroy(bench->compiler);
    removeFolder(bench->folder.path);
    free(bench);
    return 0;
}

/* Writes the text as raster/NAME and compiles it. */
static bool compileText(Bench *bench, const char *name, const char *text) {
    char file[64];
    snprintf(file, sizeof file, "raster/%s", name);
    folderWrite(&bench->folder, file, text);
    shaderBinaryFree(&bench->binary);
    return shaderCompile(bench->compiler, folderFile(&bench->folder, file), &bench->binary);
}

/* The message must begin with FOLDER/start, and not end in a line end. */
static void assertMessage(const Bench *bench, const char *start) {
    const char *wanted = folderFile(&bench->folder, start);
    assert_null(bench->binary.words);
    assert_int_equal(bench->binary.wordCount, 0);
    assert_non_null(bench->binary.message);
    if (strncmp(bench->binary.message, wanted, strlen(wanted)) != 0) {
        fail_msg("the message is \"%s\" and does not begin with \"%s\"", bench->binary.message, wanted);
    }
    assert_true(bench->binary.message[strlen(bench->binary.message) - 1] != '\n');
}

static bool listed(const Bench *bench, const char *name) {
    for (uint32_t i = 0; i < bench->binary.fileCount; i++) {
        if (strcmp(bench->binary.files[i], folderFile(&bench->folder, name)) == 0) {
            return true;
        }
    }
    return false;
}

FIXTURE_TEST(compiles) {
    Bench *bench = *state;
    assert_true(compileText(bench, "a.vert", "#version 450\nvoid main() { gl_Position = vec4(0.0); }\n"));
    assert_true(bench->binary.wordCount > 5);
    assert_int_equal(bench->binary.words[0], SPIRV_MAGIC);
    assert_null(bench->binary.message);
    assert_int_equal(bench->binary.fileCount, 1);
    assert_true(listed(bench, "raster/a.vert"));
}

FIXTURE_TEST(namesTheLine) {
    Bench *bench = *state;
    assert_false(compileText(bench, "lit.frag", "#version 450\nvoid main() {\n    float x = missing;\n}\n"));
    assertMessage(bench, "raster/lit.frag:3: error: 'missing'");
}

FIXTURE_TEST(namesTheLineOfAnInclude) {
    Bench *bench = *state;
    folderWrite(&bench->folder, "raster/part.glsl", "float part() {\n    return;\n}\n");
    assert_false(compileText(bench, "a.frag",
                             "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
                             "#include \"part.glsl\"\nvoid main() {}\n"));
    assertMessage(bench, "raster/part.glsl:2: error: ");
    assert_true(listed(bench, "raster/part.glsl"));
}

FIXTURE_TEST(findsIncludesBesideAndBelowTheRoot) {
    Bench *bench = *state;
    folderWrite(&bench->folder, "raster/beside.glsl", "float beside() { return 1.0; }\n");
    folderWrite(&bench->folder, "vkskin/below.glsl", "#include \"other.glsl\"\nfloat below() { return other(); }\n");
    folderWrite(&bench->folder, "vkskin/other.glsl", "float other() { return 2.0; }\n");
    assert_true(compileText(bench, "a.frag",
                            "#version 450\n#extension GL_GOOGLE_include_directive : require\n"
                            "#include \"beside.glsl\"\n#include <vkskin/below.glsl>\n"
                            "layout(location = 0) out vec4 colour;\n"
                            "void main() { colour = vec4(beside(), below(), 0.0, 1.0); }\n"));
    assert_true(listed(bench, "raster/beside.glsl"));
    assert_true(listed(bench, "vkskin/below.glsl"));
    assert_true(listed(bench, "vkskin/other.glsl"));
}

/* Both places where the file could be are watched, so that it is noticed when it comes. */
FIXTURE_TEST(saysWhichIncludeIsMissing) {
    Bench *bench = *state;
    assert_false(compileText(bench, "a.frag", "#version 450\n#include \"none.glsl\"\nvoid main() {}\n"));
    assertMessage(bench, "raster/a.frag:2: error: '#include' : no such file");
    assert_non_null(strstr(bench->binary.message, "none.glsl"));
    assert_true(listed(bench, "raster/none.glsl"));
    assert_true(listed(bench, "none.glsl"));
}

FIXTURE_TEST(endsIncludesThatGoInCircles) {
    Bench *bench = *state;
    folderWrite(&bench->folder, "raster/loop.glsl", "#include \"loop.glsl\"\n");
    assert_false(compileText(bench, "a.frag", "#version 450\n#include \"loop.glsl\"\nvoid main() {}\n"));
    assertMessage(bench, "raster/loop.glsl:1: error: '#include' : too many files");
}

FIXTURE_TEST(refusesWhatIsNoShader) {
    Bench *bench = *state;
    assert_false(compileText(bench, "a.txt", "#version 450\nvoid main() {}\n"));
    assertMessage(bench, "raster/a.txt: error: not a .vert or .frag file");
    shaderBinaryFree(&bench->binary);
    assert_false(shaderCompile(bench->compiler, folderFile(&bench->folder, "raster/gone.vert"), &bench->binary));
    assertMessage(bench, "raster/gone.vert: error: No such file or directory");
    shaderBinaryFree(&bench->binary);
    assert_false(shaderCompile(bench->compiler, folderFile(&bench->folder, "raster"), &bench->binary));
    assertMessage(bench, "raster: error: not a .vert or .frag file");
    assert_false(compileText(bench, "empty.vert", ""));
    assert_non_null(strstr(bench->binary.message, "empty.vert"));
}

FIXTURE_TEST(listsWithoutCompiling) {
    Bench *bench = *state;
    folderWrite(&bench->folder, "raster/part.glsl", "float x = wrong;\n");
    folderWrite(&bench->folder, "raster/a.frag", "#version 450\n#include \"part.glsl\"\nvoid main() {}\n");
    assert_true(shaderListFiles(bench->compiler, folderFile(&bench->folder, "raster/a.frag"), &bench->binary));
    assert_null(bench->binary.words);
    assert_int_equal(bench->binary.fileCount, 2);
    assert_true(listed(bench, "raster/part.glsl"));
}

/* The engine's own shaders come out as the build made them: what is reloaded without a change changes nothing. */
TEST(makesWhatTheBuildMade) {
    ShaderCompiler *compiler = shaderCompilerCreate(WINDOW_SHADERS);
    uint32_t count;
    const ShaderCode *shaders = rasterShaders(&count);
    assert_non_null(compiler);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++) {
        char path[512];
        ShaderBinary binary;
        snprintf(path, sizeof path, WINDOW_SHADERS "/raster/%s", shaders[i].name);
        if (!shaderCompile(compiler, path, &binary)) {
            fail_msg("%s", binary.message);
        }
        assert_int_equal(binary.wordCount * sizeof(uint32_t), shaders[i].byteCount);
        assert_memory_equal(binary.words, shaders[i].words, shaders[i].byteCount);
        shaderBinaryFree(&binary);
    }
    shaderCompilerDestroy(compiler);
}
