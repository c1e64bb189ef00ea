/* Files that cannot be read, each with the exact line that says why, and files outside the model's folder. */
#include "import_support.h"
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

/* A file in a folder, both removed at the end of the test. */
typedef struct Scratch {
    char folder[PATH_MAX - 64];
    char path[PATH_MAX];
} Scratch;

static void pathIn(const Scratch *scratch, const char *name, char *path) {
    snprintf(path, PATH_MAX, "%s/%s", scratch->folder, name);
}

static Scratch makeScratch(const char *name) {
    Scratch scratch;
    const char *root = getenv("TMPDIR");
    snprintf(scratch.folder, sizeof scratch.folder, "%s/vkskin_import_XXXXXX", root ? root : "/tmp");
    assert_non_null(mkdtemp(scratch.folder));
    pathIn(&scratch, name, scratch.path);
    return scratch;
}

static void removeScratch(const Scratch *scratch) {
    unlink(scratch->path);
    rmdir(scratch->folder);
}

static void writeBytes(const char *path, const char *bytes, size_t size) {
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(bytes, 1, size, to), size);
    assert_int_equal(fclose(to), 0);
}

/* The first `size` bytes of a model, or all of it where it is shorter. */
static void copyHead(const char *path, const char *model, size_t size) {
    char *bytes = malloc(size), source[PATH_MAX];
    modelPath(model, source);
    FILE *from = fopen(source, "rb");
    assert_non_null(from);
    size = fread(bytes, 1, size, from);
    fclose(from);
    writeBytes(path, bytes, size);
    free(bytes);
}

/* ---- Refused files ---- */

TEST(testFixtures) {
    static const struct {
        const char *name, *reason;
    } cases[] = {
        {"", "not a file"},
        {"nowhere.x", "No such file or directory"},
        {"letter.txt", "unknown kind of file; known: .x, .fbx, .dae, .md5mesh, .gltf, .glb"},
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
        {"X/anim_test.x", "bone 'joint3' of mesh 'pCylinder1' has no node"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char path[PATH_MAX];
        modelPath(cases[i].name, path);
        expectRefusal(path, cases[i].reason);
    }
}

/* Models that are cut off, and texts. Where an untested format is read, the line names it. */
TEST(testCutOffAndTexts) {
    static const struct {
        const char *name, *text, *model, *reason;
        size_t size;
    } cases[] = {
        {"empty.x", "", NULL, "the file is empty", 0},
        {"cut.x", NULL, "three_bones.x",
         "not readable as Direct3D XFile: Line 19: Separator character (';' or ',') expected.", 900},
        {"cut.gltf", NULL, "external.gltf",
         "not readable as glTF: parse error at line 48, column 3: syntax error while parsing object key - unexpected "
         "end of input; expected string literal",
         700},
        {"cut.fbx", NULL, "FBX/spider.fbx",
         "not readable as Autodesk FBX: FBX-Tokenize (offset 0x4fd8) block offset is out of range", 30000},
        {"cut.glb", NULL, "glTF2/BoxTextured-glTF-Binary/BoxTextured.glb", "not readable as glTF: Invalid glTF binary.",
         3000},
        {"words.glb", "these are words", NULL, "not a glTF binary (it does not begin with 'glTF')", 0},
        {"words.GLB", "{\"asset\": {}}", NULL, "not a glTF binary (it does not begin with 'glTF')", 0},
        {"words.obj", "words", NULL, "not readable as Wavefront Object: OBJ-file is too small.", 0},
        /* Bytes that are not UTF-8 become question marks. */
        {"bytes.gltf", "{\"a\": \"\xff\xfe\"", NULL,
         "not readable as glTF: parse error at line 1, column 8: syntax error while parsing value - invalid string: "
         "ill-formed UTF-8 byte; last read: '\"?'",
         0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        Scratch scratch = makeScratch(cases[i].name);
        if (cases[i].model) {
            copyHead(scratch.path, cases[i].model, cases[i].size);
        } else {
            writeBytes(scratch.path, cases[i].text, strlen(cases[i].text));
        }
        expectRefusal(scratch.path, cases[i].reason);
        removeScratch(&scratch);
    }
}

/* ---- Files that a model names ---- */

/* Whether the first part's material is the red one of colours.mtl, which the model names. */
static bool isRed(const Model *model) {
    const float *color = model->materials[model->meshes[model->parts[0].mesh].material].baseColor;
    return color[0] == 1.0f && color[1] == 0.0f && color[2] == 0.0f;
}

static void expectRed(const char *path, bool red) {
    const ImportOptions options = {.timeoutSeconds = 5};
    EngineError error;
    Model *model = importModel(path, &options, &error);
    if (!model) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(isRed(model), red);
    modelFree(model);
}

/* A material file beside the model is read; one above its folder counts as missing. */
TEST(testMaterialAboveFolder) {
    char path[PATH_MAX];
    modelPath("below/beside.obj", path);
    expectRed(path, true);
    modelPath("below/above.obj", path);
    expectRed(path, false);
}

/*
 * The material file beside the model is a link out of the folder (not read), a link inside it (read), or a pipe that is
 * never written (not read, and not waited for).
 */
TEST(testMaterialIsLinkOrPipe) {
    char outside[PATH_MAX], link[PATH_MAX], inside[PATH_MAX];
    Scratch scratch = makeScratch("beside.obj");
    copyHead(scratch.path, "below/beside.obj", 4096);
    modelPath("below/colours.mtl", outside);
    pathIn(&scratch, "colours.mtl", link);
    pathIn(&scratch, "kept.mtl", inside);
    copyHead(inside, "below/colours.mtl", 4096);
    assert_int_equal(symlink(outside, link), 0);
    expectRed(scratch.path, false);
    unlink(link);
    assert_int_equal(symlink("kept.mtl", link), 0);
    expectRed(scratch.path, true);
    unlink(link);
    assert_int_equal(mkfifo(link, 0600), 0);
    expectRed(scratch.path, false);
    unlink(link);
    unlink(inside);
    removeScratch(&scratch);
}

/* A buffer cannot be missing: a link out of the folder is refused. */
TEST(testBufferIsLink) {
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":4,\"uri\":\"data.bin\"}]}";
    char outside[PATH_MAX], link[PATH_MAX], reason[ENGINE_ERROR_SIZE];
    Scratch scratch = makeScratch("linked.gltf");
    modelPath("below/colours.mtl", outside);
    writeBytes(scratch.path, text, strlen(text));
    pathIn(&scratch, "data.bin", link);
    assert_int_equal(symlink(outside, link), 0);
    snprintf(reason, sizeof reason, "not readable as glTF: File read error : %.400s : not below the model's folder",
             link);
    expectRefusal(scratch.path, reason);
    unlink(link);
    removeScratch(&scratch);
}
