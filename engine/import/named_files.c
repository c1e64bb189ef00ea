#include "named_files.h"

#include "child.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static FileRead readAll(int descriptor, size_t size, FileBytes *file) {
    file->bytes = childAllocate(size, 1);
    while (file->size < size) {
        ssize_t got = read(descriptor, file->bytes + file->size, size - file->size);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            free(file->bytes);
            *file = (FileBytes){0};
            return FILE_READ_FAILED;
        }
        if (got == 0) {
            break; /* the file was truncated meanwhile */
        }
        file->size += (size_t)got;
    }
    return FILE_READ_OK;
}

FileRead fileOpen(const char *path, size_t maximum, int *descriptor, size_t *size) {
    struct stat status;
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe must not block */
    if (*descriptor < 0) {
        return FILE_READ_FAILED;
    }
    FileRead result = FILE_READ_OK;
    if (fstat(*descriptor, &status) != 0) {
        result = FILE_READ_FAILED;
    } else if (!S_ISREG(status.st_mode)) {
        result = FILE_READ_NOT_REGULAR;
    } else if ((uint64_t)status.st_size > maximum) {
        result = FILE_READ_TOO_LARGE;
    }
    if (result != FILE_READ_OK) {
        close(*descriptor);
        return result;
    }
    *size = (size_t)status.st_size;
    return FILE_READ_OK;
}

FileRead fileRead(const char *path, size_t maximum, FileBytes *file) {
    *file = (FileBytes){0};
    int descriptor;
    size_t size;
    FileRead result = fileOpen(path, maximum, &descriptor, &size);
    if (result != FILE_READ_OK) {
        return result;
    }
    result = readAll(descriptor, size, file);
    close(descriptor);
    return result;
}
