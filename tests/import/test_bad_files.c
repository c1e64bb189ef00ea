/* Files that cannot be read: each with the exact line that says why. */
#include "import_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* A file of the test's own in a folder of the test's own; both go when the test ends. */
typedef struct Scratch {
    char folder[PATH_MAX - 64];
    char path[PATH_MAX];
} Scratch;

static Scratch makeScratch(const char *name) {
    Scratch scratch;
    const char *root = getenv("TMPDIR");
    snprintf(scratch.folder, sizeof scratch.folder, "%s/vkskin_import_XXXXXX", root ? root : "/tmp");
    assert_non_null(mkdtemp(scratch.folder));
    snprintf(scratch.path, sizeof scratch.path, "%s/%s", scratch.folder, name);
    return scratch;
}

static void removeScratch(const Scratch *scratch) {
    unlink(scratch->path);
    rmdir(scratch->folder);
}

/* The first `size` bytes of `source`, or all of it where it is shorter. */
static void writeHead(const char *path, const char *source, size_t size) {
    char *bytes = malloc(size ? size : 1);
    FILE *from = fopen(source, "rb");
    assert_non_null(from);
    size = fread(bytes, 1, size, from);
    fclose(from);
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, size, to), size);
    assert_int_equal(fclose(to), 0);
    free(bytes);
}

static void testNoFile(void **state) {
    (void)state;
    expectRefusal("/nowhere/beast.x", "No such file or directory");
}

static void testFolder(void **state) {
    (void)state;
    char path[PATH_MAX];
    fixturePath("", path);
    expectRefusal(path, "not a file");
}

static void testEmptyFile(void **state) {
    (void)state;
    Scratch scratch = makeScratch("empty.x");
    char source[PATH_MAX];
    fixturePath("three_bones.x", source);
    writeHead(scratch.path, source, 0);
    expectRefusal(scratch.path, "the file is empty");
    removeScratch(&scratch);
}

static void testTruncated(void **state) {
    (void)state;
    static const struct {
        const char *name, *source, *reason;
        size_t size;
    } cases[] = {
        {"cut.x", "three_bones.x",
         "not readable as Direct3D XFile: Line 19: Separator character (';' or ',') expected.", 900},
        {"cut.gltf", "external.gltf",
         "not readable as glTF: parse error at line 48, column 3: syntax error while parsing object key - unexpected "
         "end of input; expected string literal",
         700},
        {"cut.fbx", "FBX/spider.fbx",
         "not readable as Autodesk FBX: FBX-Tokenize (offset 0x4fd8) block offset is out of range", 30000},
        {"cut.glb", "glTF2/BoxTextured-glTF-Binary/BoxTextured.glb", "not readable as glTF: Invalid glTF binary.",
         3000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Scratch scratch = makeScratch(cases[i].name);
        char source[PATH_MAX];
        if (strchr(cases[i].source, '/')) {
            realModelPath(cases[i].source, source);
        } else {
            fixturePath(cases[i].source, source);
        }
        writeHead(scratch.path, source, cases[i].size);
        expectRefusal(scratch.path, cases[i].reason);
        removeScratch(&scratch);
    }
}

static void testBrokenFixtures(void **state) {
    (void)state;
    static const struct {
        const char *name, *reason;
    } cases[] = {
        {"letter.txt", "no importer knows this kind of file; .x, .fbx, .dae, .md5mesh, .gltf and .glb are known"},
        {"not_a_model.x", "not readable as Direct3D XFile: Header mismatch, file is not an XFile."},
        {"not_a_model.gltf",
         "not readable as glTF: parse error at line 1, column 1: syntax error while parsing value - invalid literal; "
         "last read: 'T'"},
        {"no_meshes.x", "no meshes"},
        {"no_meshes.gltf", "no meshes"},
        {"bad_accessor.gltf", "POSITION of mesh 'body' reads past the end of buffer view 0"},
        {"bad_circle.gltf", "the nodes form a circle"},
        {"bad_count.gltf", "WEIGHTS_0 of mesh 'body' has 4 elements for 3 vertices"},
        {"bad_extension.gltf", "needs the extension EXT_of_tomorrow, which is not read"},
        {"bad_material_extension.gltf", "needs the extension KHR_materials_of_tomorrow, which is not read"},
        {"bad_folder.gltf", "not readable as glTF: File not found : ../fixtures/beside.bin"},
        {"bad_index.gltf", "index 2 of mesh 'body' names vertex 7, but there are 3"},
        {"bad_joint.gltf", "mesh 'body' names joint 5, but skin 0 has 1"},
        {"bad_nan.gltf", "vertex 1 of mesh 'body' is not finite"},
        {"bad_skin.gltf", "skin 0 names node 12, but there are 2"},
        {"bad_times.gltf", "animation 'back' has key times that do not ascend"},
        {"bad_view.gltf", "buffer view 2 reaches past the 102 bytes of its buffer"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[PATH_MAX];
        fixturePath(cases[i].name, path);
        expectRefusal(path, cases[i].reason);
    }
}

static void writeText(const Scratch *scratch, const char *text) {
    FILE *file = fopen(scratch->path, "wb");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Formats that nobody asked for are read as they come; what fails says what the file was taken for. */
static void testWords(void **state) {
    (void)state;
    static const struct {
        const char *name, *text, *reason;
    } cases[] = {
        {"words.glb", "these are words", "not a glTF binary (it does not begin with 'glTF')"},
        {"words.GLB", "{\"asset\": {}}", "not a glTF binary (it does not begin with 'glTF')"},
        {"words.obj", "words", "not readable as Wavefront Object: OBJ-file is too small."},
        /* What is no UTF-8 comes back as question marks. */
        {"bytes.gltf", "{\"a\": \"\xff\xfe\"",
         "not readable as glTF: parse error at line 1, column 8: syntax error while parsing value - invalid string: "
         "ill-formed UTF-8 byte; last read: '\"?'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Scratch scratch = makeScratch(cases[i].name);
        writeText(&scratch, cases[i].text);
        expectRefusal(scratch.path, cases[i].reason);
        removeScratch(&scratch);
    }
}

/* Whether the first part's material is the red of the file that the model names. */
static bool isRed(const Model *model) {
    const float *color = model->materials[model->meshes[model->parts[0].mesh].material].baseColor;
    return color[0] == 1.0f && color[1] == 0.0f && color[2] == 0.0f;
}

/* A material beside the model is read, one above its folder is not there. */
static void testMaterialAboveFolder(void **state) {
    (void)state;
    Model *beside = importFixture("below/beside.obj");
    assert_true(isRed(beside));
    modelFree(beside);
    Model *above = importFixture("below/above.obj");
    assert_false(isRed(above));
    modelFree(above);
}

/* The material beside the model is a link, to a file outside of the folder or inside: only the latter is read. */
static void testMaterialIsLink(void **state) {
    (void)state;
    char model[PATH_MAX], colours[PATH_MAX], link[PATH_MAX], inside[PATH_MAX], message[IMPORT_MESSAGE_SIZE];
    Scratch scratch = makeScratch("beside.obj");
    fixturePath("below/beside.obj", model);
    fixturePath("below/colours.mtl", colours);
    writeHead(scratch.path, model, 4096);
    snprintf(link, sizeof link, "%s/colours.mtl", scratch.folder);
    snprintf(inside, sizeof inside, "%s/kept.mtl", scratch.folder);
    writeHead(inside, colours, 4096);
    const char *const targets[2] = {colours, "kept.mtl"};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(symlink(targets[i], link), 0);
        Model *read = importModel(scratch.path, NULL, message);
        unlink(link);
        assert_non_null(read);
        assert_int_equal(isRed(read), i == 1);
        modelFree(read);
    }
    unlink(inside);
    removeScratch(&scratch);
}

/* A buffer cannot be missing: one that a link takes from elsewhere is refused. */
static void testBufferIsLink(void **state) {
    (void)state;
    char elsewhere[PATH_MAX], link[PATH_MAX], reason[IMPORT_MESSAGE_SIZE];
    Scratch scratch = makeScratch("linked.gltf");
    fixturePath("below/colours.mtl", elsewhere);
    writeText(&scratch, "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"data.bin\"}]}");
    snprintf(link, sizeof link, "%s/data.bin", scratch.folder);
    assert_int_equal(symlink(elsewhere, link), 0);
    snprintf(reason, sizeof reason, "not readable as glTF: File read error : %.400s : not below the model's folder",
             link);
    expectRefusal(scratch.path, reason);
    unlink(link);
    removeScratch(&scratch);
}

/* A pipe that nobody writes: not a file, and nothing to wait for. */
static void testMaterialIsPipe(void **state) {
    (void)state;
    const ImportOptions options = {.timeoutSeconds = 5};
    char source[PATH_MAX], pipe[PATH_MAX], message[IMPORT_MESSAGE_SIZE];
    Scratch scratch = makeScratch("beside.obj");
    fixturePath("below/beside.obj", source);
    writeHead(scratch.path, source, 4096);
    snprintf(pipe, sizeof pipe, "%s/colours.mtl", scratch.folder);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    Model *model = importModel(scratch.path, &options, message);
    unlink(pipe);
    removeScratch(&scratch);
    if (!model) {
        fail_msg("%s", message);
    }
    assert_false(isRed(model));
    modelFree(model);
}

static void testBonesWithoutFrames(void **state) {
    (void)state;
    char path[PATH_MAX];
    realModelPath("X/anim_test.x", path);
    expectRefusal(path, "bone 'joint3' of mesh 'pCylinder1' has no node");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(testNoFile),
        cmocka_unit_test(testFolder),
        cmocka_unit_test(testEmptyFile),
        cmocka_unit_test(testTruncated),
        cmocka_unit_test(testBrokenFixtures),
        cmocka_unit_test(testBonesWithoutFrames),
        cmocka_unit_test(testMaterialAboveFolder),
        cmocka_unit_test(testMaterialIsLink),
        cmocka_unit_test(testBufferIsLink),
        cmocka_unit_test(testMaterialIsPipe),
        cmocka_unit_test(testWords),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
