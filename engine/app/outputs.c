#include "outputs.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "files.h"
#include "options.h"
#include "target.h"
#include "terminal.h"

cJSON *jsonTextItem(const char *text) {
    char *copy = strdup(text);
    if (copy) {
        utf8Mend(copy);
    }
    cJSON *item = copy ? cJSON_CreateString(copy) : NULL;
    free(copy);
    return item;
}

void jsonAdd(cJSON *object, const char *name, cJSON *item, bool *good) {
    if (!item || !cJSON_AddItemToObject(object, name, item)) {
        cJSON_Delete(item);
        *good = false;
    }
}

void jsonAddText(cJSON *object, const char *name, const char *text, bool *good) {
    jsonAdd(object, name, jsonTextItem(text), good);
}

void jsonAddNumber(cJSON *object, const char *name, double number, bool *good) {
    jsonAdd(object, name, cJSON_CreateNumber(number), good);
}

void jsonAddCount(cJSON *object, const char *name, uint64_t count, bool *good) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    jsonAdd(object, name, cJSON_CreateRaw(text), good);
}

char *jsonPrint(cJSON *object, bool good) {
    char *text = good ? cJSON_Print(object) : NULL;
    cJSON_Delete(object);
    return text;
}

bool outputJsonIsStandard(const OptionValue *option) {
    return option->text && strcmp(option->text, "-") == 0;
}

const char *outputJsonFile(const OptionValue *option) {
    return outputJsonIsStandard(option) ? NULL : option->text;
}

int outputJsonCheck(const char *verb, const OptionValue *option) {
    EngineError error;
    const char *path = outputJsonFile(option);
    return path && !atomicFileCheck(path, &error) ? sayFailure(verb, "%s", error.message) : EXIT_GOOD;
}

static bool writeFile(const char *json, const char *path, EngineError *error) {
    AtomicFile file;
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    fprintf(file.stream, "%s\n", json);
    return atomicFileCommit(&file, error);
}

bool outputJsonWrite(char *json, const OptionValue *option, EngineError *error) {
    bool good = true;
    if (!json) {
        return engineFail(error, "out of memory");
    }
    if (outputJsonIsStandard(option)) {
        puts(json);
    } else {
        good = writeFile(json, option->text, error);
    }
    cJSON_free(json);
    return good;
}

int outputPictureCheck(const char *verb, const char *option, const char *path) {
    EngineError error;
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    if (!dot || strcasecmp(dot, ".png") != 0) {
        sayFailure(verb, "%s needs a name that ends in .png, not '%s'", option, path);
        return EXIT_USAGE;
    }
    return atomicFileCheck(path, &error) ? EXIT_GOOD : sayFailure(verb, "%s", error.message);
}

static void writeBytes(void *user, const void *bytes, size_t size) {
    fwrite(bytes, 1, size, user); /* the stream keeps a failure until the commit */
}

bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error) {
    AtomicFile file;
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    if (!pngEncode(picture->width, picture->height, picture->pixels, writeBytes, file.stream)) {
        atomicFileDrop(&file);
        return engineFail(error, "%.300s: cannot be written: out of memory", path);
    }
    return atomicFileCommit(&file, error);
}

static bool sameInode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *baseName(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* For two names that do not exist yet. */
static bool wouldBeSame(const char *a, const char *b) {
    char folderA[PATH_MAX], folderB[PATH_MAX];
    struct stat infoA, infoB;
    atomicFileFolder(a, folderA, sizeof folderA);
    atomicFileFolder(b, folderB, sizeof folderB);
    return strcmp(baseName(a), baseName(b)) == 0 && stat(folderA, &infoA) == 0 && stat(folderB, &infoB) == 0 &&
           sameInode(&infoA, &infoB);
}

static bool sameFile(const char *a, const char *b) {
    struct stat infoA, infoB;
    bool thereA = stat(a, &infoA) == 0;
    bool thereB = stat(b, &infoB) == 0;
    if (thereA && thereB) {
        return S_ISREG(infoA.st_mode) && sameInode(&infoA, &infoB);
    }
    return !thereA && !thereB && (strcmp(a, b) == 0 || wouldBeSame(a, b));
}

int outputsCheckApart(const Arguments *arguments, const char *verb, const OutputName *outputs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const OutputName *output = &outputs[i];
        for (uint32_t j = 0; output->path && j < i; j++) {
            if (outputs[j].path && sameFile(output->path, outputs[j].path)) {
                sayFailure(verb, "%s and %s name the same file, '%s'; use two files", outputs[j].option, output->option,
                           output->path);
                return EXIT_USAGE;
            }
        }
        for (uint32_t j = 0; output->path && j < arguments->operandCount; j++) {
            if (sameFile(output->path, arguments->operands[j])) {
                sayFailure(verb, "%s would overwrite the input file '%s'", output->option, output->path);
                return EXIT_USAGE;
            }
        }
    }
    return EXIT_GOOD;
}
