#include "name_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool nameListAdd(NameList *list, const char *name) {
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->names[i], name) == 0) {
            return true;
        }
    }
    const char **longer = reallocarray(list->names, list->count + 1, sizeof *longer);
    if (longer) {
        list->names = longer;
        list->names[list->count++] = name;
    }
    return longer != NULL;
}

void nameListFormat(char *text, size_t size, const NameList *list) {
    const size_t rest = sizeof " and 4294967295 more";
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->names[i][0] ? list->names[i] : "(no name)";
        if (used + strlen(name) + sizeof ", ''" + rest > size) {
            snprintf(text + used, size - used, " and %zu more", list->count - i);
            return;
        }
        used += (size_t)snprintf(text + used, size - used, "%s'%s'", i > 0 ? ", " : "", name);
    }
}
