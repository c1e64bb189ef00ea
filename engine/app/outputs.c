#include "outputs.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
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

void jsonPush(cJSON *array, cJSON *item, bool *good) {
    if (!item || !cJSON_AddItemToArray(array, item)) {
        cJSON_Delete(item);
        *good = false;
    }
}

static cJSON *itemOf(const JsonValue *value, bool *good) {
    char digits[24];
    switch (value->kind) {
    case JSON_TEXT:
        return value->text ? jsonTextItem(value->text) : cJSON_CreateNull();
    case JSON_NUMBER:
        return isfinite(value->number) ? cJSON_CreateNumber(value->number) : cJSON_CreateNull();
    case JSON_FLAG:
        return cJSON_CreateBool(value->count != 0);
    case JSON_FLOATS:
        return value->floats ? cJSON_CreateFloatArray(value->floats, (int)value->count) : cJSON_CreateNull();
    case JSON_MEMBERS:
        return value->members ? jsonAddValues(cJSON_CreateObject(), good, value->members) : cJSON_CreateNull();
    default:
        snprintf(digits, sizeof digits, "%" PRIu64, value->count);
        return cJSON_CreateRaw(digits);
    }
}

cJSON *jsonAddValues(cJSON *object, bool *good, const JsonValue *values) {
    for (; values->kind != JSON_END; values++) {
        if (values->name) {
            jsonAdd(object, values->name, itemOf(values, good), good);
        }
    }
    return object;
}

cJSON *jsonBegin(const char *document, bool *good) {
    cJSON *object = cJSON_CreateObject();
    JSON_ADD(object, good, jsonText("vkskin", PROGRAM_VERSION), jsonCount("schema", JSON_SCHEMA),
             jsonText("document", document));
    return object;
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
    jsonPush(array, row, good);
    return *good ? row : NULL;
}

void jsonAddItem(cJSON *array, const char *text, bool *good) {
    jsonPush(array, jsonTextItem(text), good);
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
    JSON_ADD(object, &good, jsonText("verb", verb), jsonText("error", reason));
    outputJsonWrite(jsonPrint(object, good), &(OptionValue){.text = "-"}, &error);
}

bool outputPictureFinish(const Picture *picture, const char *path, EngineError *error) {
    AtomicFile file;
    char comment[PNG_COMMENT_MAX];
    if (!atomicFileBegin(&file, path, error)) {
        return false;
    }
    snprintf(comment, sizeof comment, "at %g s", picture->seconds);
    if (!pngWrite(picture->width, picture->height, picture->pixels, picture->timed ? comment : NULL, file.stream)) {
        atomicFileDrop(&file);
        return engineFail(error, "%.300s: cannot be written: out of memory", path);
    }
    return atomicFileFinish(&file, error);
}

bool outputPictureWrite(const Picture *picture, const char *path, EngineError *error) {
    return outputPictureFinish(picture, path, error) && atomicFilesCommit(error);
}
