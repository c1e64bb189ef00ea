#include "outputs.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files.h"
#include "options.h"
#include "target.h"
#include "terminal.h"
#include "vkskin/vkskin_base.h"

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

cJSON *jsonBegin(bool *good) {
    char version[32];
    cJSON *object = cJSON_CreateObject();
    snprintf(version, sizeof version, "%d.%d.%d", VKSKIN_VERSION_MAJOR, VKSKIN_VERSION_MINOR, VKSKIN_VERSION_PATCH);
    jsonAddText(object, "vkskin", version, good);
    return object;
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

/* The file that option `index` writes; null: it writes none, or is not given. */
static const char *fileOf(const Arguments *arguments, uint32_t index) {
    const OptionValue *value = &arguments->values[index];
    OptionKind kind = optionsAt(arguments->verb, index)->kind;
    if (kind == OPTION_REPORT) {
        return outputJsonFile(value);
    }
    return kind == OPTION_OUTPUT || kind == OPTION_UPDATED ? value->text : NULL;
}

static bool checkApart(const Arguments *arguments, uint32_t index, const char *path) {
    const char *verb = arguments->verb->name;
    char name[48], other[48];
    optionsFormatName(name, sizeof name, optionsAt(arguments->verb, index));
    for (uint32_t i = 0; i < index; i++) {
        const char *earlier = fileOf(arguments, i);
        if (earlier && sameFile(path, earlier)) {
            optionsFormatName(other, sizeof other, optionsAt(arguments->verb, i));
            sayFailure(verb, "%s and %s name the same file, '%s'; use two files", other, name, path);
            return false;
        }
    }
    for (uint32_t i = 0; i < arguments->operandCount; i++) {
        if (sameFile(path, arguments->operands[i])) {
            sayFailure(verb, "%s would overwrite the input file '%s'", name, path);
            return false;
        }
    }
    return true;
}

int outputsCheck(const Arguments *arguments) {
    EngineError error;
    for (uint32_t i = 0; optionsAt(arguments->verb, i); i++) {
        const char *path = fileOf(arguments, i);
        if (path && !checkApart(arguments, i, path)) {
            return EXIT_USAGE;
        }
        if (path && optionsAt(arguments->verb, i)->kind != OPTION_UPDATED &&
            !atomicFileCheck(path, optionsValue(arguments, "force")->given, &error)) {
            return sayFailure(arguments->verb->name, "%s", error.message);
        }
    }
    return EXIT_GOOD;
}
