/*
 * json_add.h: members for JSON objects, for what may fail only because memory is out.
 *
 * *good becomes false where it is; nothing else happens then, so that a caller looks once, at the end.
 */
#ifndef COMMAND_JSON_ADD_H
#define COMMAND_JSON_ADD_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdint.h>

/* A JSON string of a text that may hold anything: bytes that are no UTF-8 become '?'. Null when memory is out. */
cJSON *jsonTextItem(const char *text);

/* Takes the item's memory, also when adding fails. item: null when memory was out. */
void jsonAdd(cJSON *object, const char *name, cJSON *item, bool *good);

void jsonAddText(cJSON *object, const char *name, const char *text, bool *good);
void jsonAddNumber(cJSON *object, const char *name, double number, bool *good);

/* A whole number with all its digits, which cJSON's own numbers may round. */
void jsonAddCount(cJSON *object, const char *name, uint64_t count, bool *good);

/* The object as text, for cJSON_free; null where it is not good or memory is out. The object is freed either way. */
char *jsonPrint(cJSON *object, bool good);

#endif
