/*
 * fuzz_command.c: an input is the command line of `vkskin`, one argument per line. The command runs until it opens a
 * device or a window, which fails here. The files that it writes without one, such as lists and .glb files, are whole.
 *
 * Paths lead into a temporary folder. Every model is the same fixture, so that clips have known names.
 */
#include "device.h"
#include "fuzz_target.h"
#include "readers.h"
#include "import.h"
#include "options.h"
#include "window.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXTS_MAX 80
#define MODEL     "model.gltf"
#define FOLDER    "sub"

/* main() of main.c, renamed. */
int commandMain(int count, char **texts);

/* ---- Replaced functions ---- */

Model *__wrap_importModel(const char *path, const ImportOptions *options, EngineError *error);
Device *__wrap_deviceCreate(const DeviceOptions *options, EngineError *error);
bool __wrap_deviceList(DeviceInfo *infos, uint32_t *count, EngineError *error);
Window *__wrap_windowCreate(uint32_t width, uint32_t height, const char *title, EngineError *error);

Model *__wrap_importModel(const char *path, const ImportOptions *options, EngineError *error) {
    (void)options;
    if (access(path, R_OK) != 0) {
        engineFail(error, "%.400s: not there", path);
        return NULL;
    }
    return gltfParse(FUZZ_FIXTURES "step_cubic.gltf", error);
}

Device *__wrap_deviceCreate(const DeviceOptions *options, EngineError *error) {
    (void)options;
    engineFail(error, "no device");
    return NULL;
}

bool __wrap_deviceList(DeviceInfo *infos, uint32_t *count, EngineError *error) {
    (void)infos;
    (void)count;
    return engineFail(error, "no device");
}

Window *__wrap_windowCreate(uint32_t width, uint32_t height, const char *title, EngineError *error) {
    (void)title;
    FUZZ_CHECK(width > 0 && height > 0);
    engineFail(error, "no display");
    return NULL;
}

/* ---- The folder ---- */

static char folder[4096];

static void removeFolder(void) {
    FUZZ_CHECK(unlink(MODEL) == 0 && rmdir(FOLDER) == 0); /* fails if anything is left there */
    FUZZ_CHECK(chdir("/") == 0 && rmdir(folder) == 0);
}

int LLVMFuzzerInitialize(int *count, char ***texts) {
    const char *base = getenv("TMPDIR");
    (void)count;
    (void)texts;
    snprintf(folder, sizeof folder, "%s/vkskin_fuzz.XXXXXX", base ? base : "/tmp");
    FUZZ_CHECK(mkdtemp(folder) && chdir(folder) == 0 && mkdir(FOLDER, 0700) == 0);
    FILE *file = fopen(MODEL, "w");
    FUZZ_CHECK(file && fclose(file) == 0);
    atexit(removeFolder);
    return 0;
}

/* A document in JSON, or a .glb file. */
static bool isWhole(const char *path) {
    unsigned char head[12] = {0}, tail[2] = {0};
    FILE *file = fopen(path, "rb");
    bool good = file && fread(head, 1, sizeof head, file) == sizeof head && fseek(file, -2, SEEK_END) == 0 &&
                fread(tail, 1, sizeof tail, file) == sizeof tail;
    const long size = file ? ftell(file) : 0;
    const long stated = head[8] | head[9] << 8 | head[10] << 16;
    good = good && (head[0] == '{' ? memcmp(tail, "}\n", 2) == 0 : memcmp(head, "glTF", 4) == 0 && stated == size);
    return (!file || fclose(file) == 0) && good;
}

/* Removes what a run has written into a folder. */
static void removeFiles(const char *place) {
    DIR *files = opendir(place);
    FUZZ_CHECK(files);
    for (const struct dirent *entry = readdir(files); entry; entry = readdir(files)) {
        char path[512];
        snprintf(path, sizeof path, "%s/%s", place, entry->d_name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 && strcmp(entry->d_name, FOLDER) != 0 &&
            strcmp(entry->d_name, MODEL) != 0) {
            FUZZ_CHECK(isWhole(path) && unlink(path) == 0);
        }
    }
    closedir(files);
}

/* Keeps a slash only behind the name of the existing folder. */
static void keepInside(char *text) {
    size_t length = strlen(FOLDER);
    for (char *slash = strchr(text, '/'); slash; slash = strchr(slash + 1, '/')) {
        if ((size_t)(slash - text) < length || memcmp(slash - length, FOLDER, length) != 0) {
            *slash = '_';
        }
    }
}

/* ---- The run ---- */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    char *texts[TEXTS_MAX + 2] = {strdup("vkskin")};
    char *given[TEXTS_MAX + 2];
    int count = 1;
    for (size_t at = 0; at < size && count <= TEXTS_MAX; count++) {
        const uint8_t *end = memchr(bytes + at, '\n', size - at);
        size_t length = end ? (size_t)(end - bytes) - at : size - at;
        texts[count] = strndup((const char *)bytes + at, length);
        keepInside(texts[count]);
        at += length + 1;
    }
    memcpy(given, texts, sizeof given); /* the command reorders them */
    int status = commandMain(count, given);
    FUZZ_CHECK(status >= EXIT_GOOD && status <= EXIT_FAULTS);
    removeFiles(".");
    removeFiles(FOLDER);
    for (int i = 0; i < count; i++) {
        free(texts[i]);
    }
    return 0;
}
