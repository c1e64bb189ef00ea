#include "json_add.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine_error.h"

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
