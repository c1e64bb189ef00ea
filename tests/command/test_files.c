/*
 * test_files.c: output files are there whole or not at all, and hold what was written.
 */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "place.h"
#include "geometry.h"
#include "test.h"
#include "scratch.h"

/* Writes `text`; true when it was committed. */
static bool writeText(const char *path, const char *text, EngineError *error) {
    AtomicFile file;
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    fputs(text, file.stream);
    return atomicFileCommit(&file, error);
}

/* Takes the place of the C library's fsync, which is called for files alone. */
static uint32_t syncs;
static int syncFailure; /* errno of the next calls, or 0 */
static const char *syncPath;
static off_t sizeAtSync; /* size of the file at syncPath, -1: none */
static off_t syncedSize;

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): the C library's name is reserved */
int fsync(int descriptor) {
    struct stat info;
    syncs++;
    sizeAtSync = syncPath != NULL && stat(syncPath, &info) == 0 ? info.st_size : -1;
    syncedSize = fstat(descriptor, &info) == 0 ? info.st_size : -1;
    errno = syncFailure;
    return syncFailure != 0 ? -1 : 0;
}

/* The data is on the disk before the name is: after a power cut, a name without data is not found. */
AT_PLACE(dataIsSyncedBeforeTheName) {
    Place *place = *state;
    EngineError error;
    syncs = 0;
    syncPath = place->text;
    assert_true(writeText(place->text, "whole", &error));
    assert_int_equal(syncs, 1);
    assert_int_equal(sizeAtSync, -1);
    assert_int_equal(syncedSize, 5);
    syncFailure = EIO;
    assert_false(writeText(place->text, "lost", &error));
    syncFailure = 0;
    syncPath = NULL;
    expectFile(place->text, "whole");
    assert_int_equal(countEntries(place->folder), 1);
}

AT_PLACE(olderFileStaysUntilTheEnd) {
    Place *place = *state;
    AtomicFile file;
    EngineError error;
    writeWhole(place->text, "old");
    assert_true(atomicFileBegin(&file, place->text, &error));
    fputs("new", file.stream);
    fflush(file.stream);
    expectFile(place->text, "old");
    assert_true(atomicFileCommit(&file, &error));
    expectFile(place->text, "new");
    assert_int_equal(countEntries(place->folder), 1);
}

AT_PLACE(droppedFileLeavesNothing) {
    Place *place = *state;
    AtomicFile file;
    EngineError error;
    assert_true(atomicFileBegin(&file, place->text, &error));
    fputs("half", file.stream);
    atomicFileDrop(&file);
    assert_int_equal(countEntries(place->folder), 0);
}

static mode_t modeOf(const char *path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return info.st_mode;
}

AT_PLACE(permissionsFollowTheOlderFile) {
    Place *place = *state;
    EngineError error;
    mode_t mask = umask(027);
    assert_true(writeText(place->text, "a", &error));
    umask(mask);
    assert_int_equal(modeOf(place->text) & 0777, 0640);
    assert_int_equal(chmod(place->text, 0604), 0);
    assert_true(writeText(place->text, "b", &error));
    assert_int_equal(modeOf(place->text) & 0777, 0604);
}

static void expectLink(const char *path) {
    struct stat info;
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
}

AT_PLACE(linksStayLinks) {
    Place *place = *state;
    EngineError error;
    char linked[96];
    snprintf(linked, sizeof linked, "%s/link", place->folder);
    writeWhole(place->text, "old");
    assert_int_equal(symlink("out.txt", linked), 0);
    assert_true(writeText(linked, "new", &error));
    expectLink(linked);
    expectFile(place->text, "new");
}

/* A link to a link, by way of another folder, to what is not there yet. */
AT_PLACE(linksToNothingStayLinks) {
    Place *place = *state;
    EngineError error;
    char first[96], second[96], lost[96], expected[512];
    snprintf(first, sizeof first, "%s/first", place->folder);
    snprintf(second, sizeof second, "%s/second", place->inputs);
    assert_int_equal(symlink(second, first), 0);
    snprintf(expected, sizeof expected, "../%s/out.txt", strrchr(place->folder, '/') + 1);
    assert_int_equal(symlink(expected, second), 0);
    assert_true(atomicFileCheck(first, false, &error));
    assert_true(writeText(first, "new", &error));
    expectLink(first);
    expectLink(second);
    expectFile(place->text, "new");
    assert_int_equal(countEntries(place->folder), 2);
    assert_int_equal(countEntries(place->inputs), 1);

    snprintf(lost, sizeof lost, "%s/lost", place->folder);
    assert_int_equal(symlink("none/out.txt", lost), 0);
    snprintf(expected, sizeof expected, "%s: cannot be written: no folder '%s/none'", lost, place->folder);
    assert_false(writeText(lost, "new", &error));
    assert_string_equal(error.message, expected);
}

static void expectUnwritable(const char *path, const char *reason) {
    EngineError error;
    char expected[512];
    snprintf(expected, sizeof expected, "%s: cannot be written: %s", path, reason);
    assert_false(atomicFileCheck(path, false, &error));
    assert_string_equal(error.message, expected);
}

AT_PLACE(unwritablePlacesAreNamed) {
    Place *place = *state;
    EngineError error, checked;
    char path[128], reason[128];
    AtomicFile file;
    snprintf(path, sizeof path, "%s/none/out.txt", place->folder);
    snprintf(reason, sizeof reason, "no folder '%s/none'", place->folder);
    expectUnwritable(path, reason);
    assert_false(atomicFileBegin(&file, path, &error));
    assert_false(atomicFileCheck(path, false, &checked));
    assert_string_equal(error.message, checked.message);
    expectUnwritable(place->folder, "it is a folder");
    expectUnwritable("", "the name is empty");
    writeWhole(place->text, "");
    snprintf(path, sizeof path, "%s/out.txt/below", place->folder);
    expectUnwritable(path, strerror(ENOTDIR));

    /* The folder is there, but takes no files from anybody. */
    assert_false(atomicFileBegin(&file, "/proc/vkskin.obj", &error));
    assert_true(geteuid() != 0 || strcmp(error.message, "/proc/vkskin.obj: cannot be written: "
                                                        "no file can be created in the folder '/proc'") == 0);
    assert_true(atomicFileCheck(place->text, false, &error));
    assert_int_equal(countEntries(place->folder), 1);
}

/* Root may write everywhere, so a child with another user tries. */
AT_PLACE(missingPermissionIsNamed) {
    Place *place = *state;
    int status;
    assert_int_equal(chmod(place->folder, 0555), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        EngineError error;
        if (geteuid() == 0 && seteuid(65534) != 0) {
            _exit(2);
        }
        bool good = atomicFileCheck(place->text, false, &error);
        /* access() asks for the real user: the file itself says it at the latest. */
        AtomicFile file;
        good = good && atomicFileBegin(&file, place->text, &error);
        _exit(good || !strstr(error.message, ": cannot be written: Permission denied") ? 1 : 0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(chmod(place->folder, 0755), 0);
    assert_int_equal(countEntries(place->folder), 0);
}

/* The file has another owner and group, where this user may give files away, and a mode that no mask gives. */
AT_PLACE(rightsAreKept) {
    Place *place = *state;
    EngineError error;
    struct stat before, after;
    writeWhole(place->text, "# vkskin bake");
    assert_true(geteuid() != 0 || chown(place->text, 65534, 12345) == 0);
    assert_int_equal(chmod(place->text, 0642), 0);
    assert_int_equal(stat(place->text, &before), 0);
    assert_true(writeText(place->text, "new", &error));
    assert_int_equal(stat(place->text, &after), 0);
    assert_int_equal(after.st_uid, before.st_uid);
    assert_int_equal(after.st_gid, before.st_gid);
    assert_int_equal(after.st_mode, before.st_mode);
    assert_int_not_equal(after.st_ino, before.st_ino); /* and it was replaced */
}

/* A picture with one chunk of text. */
static void writePicture(const char *path, const char *chunk, size_t size) {
    char bytes[64] = "";
    memcpy(bytes + 37, chunk, size);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, sizeof bytes, 1, file), 1);
    assert_int_equal(fclose(file), 0);
}

/* What vkskin did not write is replaced only by force; the other checks stay. */
AT_PLACE(foreignFilesAreRefused) {
    static const struct {
        const char *text;
        bool ours;
    } files[] = {
        {"", true},
        {"# vkskin bake", true},
        {"vkskin tuning 1\n", true},
        {"{\n\t\"vkskin\":\t\"0.9\"", true},
        {"# Blender", false},
        {"x", false},
        {"vkskin tunin", false},
        {"{\"vkskin\": 1}", false},
    };
    Place *place = *state;
    for (size_t i = 0; i < COUNT_OF(files); i++) {
        EngineError error;
        writeWhole(place->text, files[i].text);
        assert_int_equal(atomicFileCheck(place->text, false, &error), files[i].ours);
        assert_true(atomicFileCheck(place->text, true, &error));
    }
    EngineError error;
    static const char texture[] = "tEXtSoftware\0Adobe", ours[] = "tEXtSoftware\0vkskin";
    writePicture(place->text, texture, sizeof texture);
    assert_false(atomicFileCheck(place->text, false, &error));
    writePicture(place->text, ours, sizeof ours);
    assert_true(atomicFileCheck(place->text, false, &error));
    assert_false(atomicFileCheck(place->folder, true, &error));
}

AT_PLACE(fullDiskLeavesNothing) {
    Place *place = *state;
    EngineError error;
    struct rlimit before, limit;
    char *large = malloc(100001);
    assert_non_null(large);
    memset(large, 'x', 100000);
    large[100000] = '\0';
    writeWhole(place->text, "old");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 5000, .rlim_max = before.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    bool good = writeText(place->text, large, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    free(large);
    assert_false(good);
    assert_non_null(strstr(error.message, "out.txt: cannot be written: File too large"));
    expectFile(place->text, "old");
    assert_int_equal(countEntries(place->folder), 1);
}

TEST(devicesAreWrittenStraight) {
    EngineError error;
    assert_false(writeText("/dev/full", "text", &error));
    assert_string_equal(error.message, "/dev/full: cannot be written: No space left on device");
    assert_true(writeText("/dev/null", "text", &error));
    assert_true(S_ISCHR(modeOf("/dev/full")) && S_ISCHR(modeOf("/dev/null")));
}

/* ---- Geometry ---- */

/* Two parts, numbers that need all nine digits, a name that would break a line. */
static void fillGeometry(Geometry *geometry, bool texcoords) {
    static ModelMaterial red = {.name = (char *)"red\n"}, none = {.name = (char *)""};
    const GeometrySize counts = {.vertices = 4, .indices = 6, .parts = 2, .texcoords = texcoords};
    assert_true(geometryCreate(&counts, geometry));
    for (int i = 0; i < 12; i++) {
        geometry->positions[i] = (float)(i - 5) / 3.0f;
        geometry->normals[i] = i % 3 == 2 ? 1.0f : 0.0f;
    }
    for (int i = 0; i < 8 && texcoords; i++) {
        geometry->texcoords[i] = 0.125f * (float)i;
    }
    const uint32_t indices[6] = {0, 1, 2, 2, 1, 3};
    memcpy(geometry->indices, indices, sizeof indices);
    geometry->parts[0] = (GeometryPart){.name = "first\npart", .material = &red, .indexCount = 3};
    geometry->parts[1] = (GeometryPart){.name = "second", .material = &none, .firstIndex = 3, .indexCount = 3};
}

/* The whole file, to be freed, with a geometry that was filled. */
static char *newFile(const Place *place, GeometryFormat format, bool texcoords, Geometry *geometry, size_t *size) {
    EngineError error;
    fillGeometry(geometry, texcoords);
    assert_true(geometryFinish(geometry, format, NULL, place->text, "a\ncomment", &error));
    assert_true(atomicFilesCommit(&error));
    return readWhole(place->text, size);
}

AT_PLACE(objHoldsEveryDigit) {
    Geometry geometry;
    char *text = newFile(*state, GEOMETRY_OBJ, false, &geometry, NULL);
    char *line = text;
    assert_true(strncmp(line, "# a?comment\n", 12) == 0);
    line += 12;
    for (int i = 0; i < 12; i += 3) {
        float x, y, z;
        assert_int_equal(sscanf(line, "v %f %f %f", &x, &y, &z), 3);
        assert_true(x == geometry.positions[i] && y == geometry.positions[i + 1] && z == geometry.positions[i + 2]);
        line = strchr(line, '\n') + 1;
    }
    assert_string_equal(line, "vn 0 0 1\nvn 0 0 1\nvn 0 0 1\nvn 0 0 1\n"
                              "o first?part\nusemtl red?\nf 1//1 2//2 3//3\no second\nusemtl none\nf 3//3 2//2 4//4\n");
    free(text);
    geometryFree(&geometry);
}

AT_PLACE(objTexcoordsStartBelow) {
    Geometry geometry;
    char *text = newFile(*state, GEOMETRY_OBJ, true, &geometry, NULL);
    assert_non_null(strstr(text, "\nvt 0 0.875\nvt 0.25 0.625\n"));
    assert_non_null(strstr(text, "\nf 1/1/1 2/2/2 3/3/3\n"));
    free(text);
    geometryFree(&geometry);
}

AT_PLACE(plyHoldsEveryBit) {
    Geometry geometry;
    size_t size;
    char *text = newFile(*state, GEOMETRY_PLY, true, &geometry, &size);
    static const char HEAD[] = "ply\nformat binary_little_endian 1.0\ncomment a?comment\nelement vertex 4\n"
                               "property float x\nproperty float y\nproperty float z\n"
                               "property float nx\nproperty float ny\nproperty float nz\n"
                               "property float s\nproperty float t\n"
                               "element face 2\nproperty list uchar int vertex_indices\nend_header\n";
    assert_true(size == sizeof HEAD - 1 + 4 * 8 * sizeof(float) + 2 * (1 + 3 * sizeof(uint32_t)));
    assert_memory_equal(text, HEAD, sizeof HEAD - 1);
    const char *at = text + sizeof HEAD - 1;
    for (int i = 0; i < 4; i++) {
        float vertex[8];
        memcpy(vertex, at, sizeof vertex);
        assert_memory_equal(vertex, geometry.positions + i * 3, 3 * sizeof(float));
        assert_memory_equal(vertex + 3, geometry.normals + i * 3, 3 * sizeof(float));
        assert_true(vertex[6] == geometry.texcoords[i * 2] && vertex[7] == 1.0f - geometry.texcoords[i * 2 + 1]);
        at += sizeof vertex;
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(at[0], 3);
        assert_memory_equal(at + 1, geometry.indices + i * 3, 3 * sizeof(uint32_t));
        at += 1 + 3 * sizeof(uint32_t);
    }
    free(text);
    geometryFree(&geometry);
}
