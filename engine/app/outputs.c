#include "outputs.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files.h"
#include "terminal.h"

/* A JSON string; bytes that are not UTF-8 become '?'. Null: out of memory. */
static cJSON *jsonTextItem(const char *text) {
    char *copy = strdup(text);
    uint32_t code;
    for (char *at = copy; at && *at;) {
        const size_t length = utf8Code(at, &code);
        if (length == 0) {
            *at = '?';
        }
        at += length > 0 ? length : 1;
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

cJSON *jsonBegin(const char *document, bool *good) {
    cJSON *object = cJSON_CreateObject();
    jsonAddText(object, "vkskin", PROGRAM_VERSION, good);
    jsonAddCount(object, "schema", JSON_SCHEMA, good);
    jsonAddText(object, "document", document, good);
    return object;
}

void jsonAddText(cJSON *object, const char *name, const char *text, bool *good) {
    jsonAdd(object, name, text ? jsonTextItem(text) : cJSON_CreateNull(), good);
}

void jsonAddNumber(cJSON *object, const char *name, double number, bool *good) {
    jsonAdd(object, name, isfinite(number) ? cJSON_CreateNumber(number) : cJSON_CreateNull(), good);
}

void jsonAddCount(cJSON *object, const char *name, uint64_t count, bool *good) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, count);
    jsonAdd(object, name, cJSON_CreateRaw(text), good);
}

void jsonAddNull(cJSON *object, const char *name, bool *good) {
    jsonAdd(object, name, cJSON_CreateNull(), good);
}

void jsonAddTexts(cJSON *object, const char *name, char *const *texts, uint32_t count, bool *good) {
    cJSON *array = jsonAddArray(object, name, good);
    for (uint32_t i = 0; i < count; i++) {
        jsonAddItem(array, texts[i], good);
    }
}

cJSON *jsonAddArray(cJSON *object, const char *name, bool *good) {
    cJSON *array = cJSON_AddArrayToObject(object, name);
    *good = *good && array;
    return array;
}

cJSON *jsonAddObject(cJSON *object, const char *name, bool *good) {
    cJSON *member = cJSON_AddObjectToObject(object, name);
    *good = *good && member;
    return member;
}

cJSON *jsonAddRow(cJSON *array, bool *good) {
    cJSON *row = cJSON_CreateObject();
    if (!row || !cJSON_AddItemToArray(array, row)) {
        cJSON_Delete(row);
        *good = false;
        return NULL;
    }
    return row;
}

void jsonAddItem(cJSON *array, const char *text, bool *good) {
    cJSON *item = jsonTextItem(text);
    if (!item || !cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        *good = false;
    }
}

/* Writes hidden characters (utf8Length) as \uXXXX: a document may go to a terminal, too. cJSON does so only below U+0020;
 * the ones that it lays lines out with stay. */
static bool writeEscaped(FILE *file, const char *text) {
    uint32_t code;
    for (size_t length; *text; text += length) {
        length = utf8Code(text, &code);
        if (length == 0) {
            fputc('?', file);
            length = 1;
        } else if (code >= 0x20 && utf8Length(text) == 0) {
            fprintf(file, "\\u%04x", (unsigned)code);
        } else {
            fwrite(text, 1, length, file);
        }
    }
    return fclose(file) == 0;
}

char *jsonPrint(cJSON *object, bool good) {
    char *text = good ? cJSON_Print(object) : NULL, *escaped = NULL;
    size_t size = 0;
    FILE *file = text ? open_memstream(&escaped, &size) : NULL;
    if (!file || !writeEscaped(file, text)) {
        free(escaped);
        escaped = NULL;
    }
    cJSON_free(text);
    cJSON_Delete(object);
    return escaped;
}

static bool writeFile(const char *json, const char *path, EngineError *error) {
    AtomicFile file;
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    fprintf(file.stream, "%s\n", json);
    return atomicFileCommit(&file, error);
}

static bool standardWritten;

bool outputJsonWrite(char *json, const OptionValue *option, EngineError *error) {
    bool good = true;
    if (!json) {
        return engineFail(error, "out of memory");
    }
    if (outputJsonIsStandard(option)) {
        puts(json);
        standardWritten = true;
    } else {
        good = writeFile(json, option->text, error);
    }
    cJSON_free(json);
    return good;
}

void outputJsonFailure(const char *verb, const char *reason) {
    EngineError error;
    bool good = true;
    if (standardWritten) {
        return;
    }
    cJSON *object = jsonBegin("error", &good);
    jsonAddText(object, "verb", verb, &good);
    jsonAddText(object, "error", reason, &good);
    outputJsonWrite(jsonPrint(object, good), &(OptionValue){.text = "-"}, &error);
}

static void writeBytes(void *user, const void *bytes, size_t size) {
    fwrite(bytes, 1, size, user); /* the stream keeps a failure until the commit */
}

bool outputPictureFinish(const Picture *picture, const char *path, EngineError *error) {
    AtomicFile file;
    char comment[PNG_COMMENT_MAX];
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    snprintf(comment, sizeof comment, "at %g s", picture->seconds);
    if (!pngEncode(picture->width, picture->height, picture->pixels, picture->timed ? comment : NULL, writeBytes,
                   file.stream)) {
        atomicFileDrop(&file);
        return engineFail(error, "%.300s: cannot be written: out of memory", path);
    }
    return atomicFileFinish(&file, error);
}

bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error) {
    return outputPictureFinish(picture, path, error) && atomicFilesCommit(error);
}
