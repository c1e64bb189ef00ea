#include "path_below.h"

#include "child_memory.h"

#include <stdlib.h>
#include <string.h>

bool pathStaysBelow(const char *path) {
    if (path[0] == '/' || path[0] == '\0') {
        return false;
    }
    for (const char *step = path; step; step = strchr(step, '/')) {
        step += *step == '/';
        if (strncmp(step, "..", 2) == 0 && (step[2] == '/' || step[2] == '\0')) {
            return false;
        }
    }
    return true;
}

bool pathIsBelow(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && pathStaysBelow(path + length);
}

bool pathLeadsBelow(const char *path, const char *folder) {
    char *file = realpath(path, NULL);
    char *top = realpath(folder[0] == '\0' ? "." : folder, NULL);
    bool below = false;
    if (file && top) {
        size_t length = strlen(top);
        below = strncmp(file, top, length) == 0 && (file[length] == '/' || top[length - 1] == '/');
    }
    free(file);
    free(top);
    return below;
}

char *pathFolder(const char *path) {
    char *folder = childCopyText(path);
    char *slash = strrchr(folder, '/');
    folder[slash ? slash - folder + 1 : 0] = '\0';
    return folder;
}
