/* name_list.h: names for a message, each once. */
#ifndef APP_NAME_LIST_H
#define APP_NAME_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct NameList {
    const char **names; /* [count], owned by others; free() the array */
    size_t count;
} NameList;

/* Adds the name where the list does not have it. False: out of memory. */
bool nameListAdd(NameList *list, const char *name);

/* Writes "'a', 'b' and 3 more", as many as fit. */
void nameListFormat(char *text, size_t size, const NameList *list);

#endif
