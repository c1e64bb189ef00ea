#include "file_bytes.h"

#include "child_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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
            break; /* the file has shrunk meanwhile */
        }
        file->size += (size_t)got;
    }
    return FILE_READ_OK;
}

FileRead fileOpen(const char *path, size_t most, int *descriptor, size_t *size) {
    struct stat status;
    *descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not make it wait */
    if (*descriptor < 0) {
        return FILE_READ_FAILED;
    }
    FileRead result = FILE_READ_OK;
    if (fstat(*descriptor, &status) != 0) {
        result = FILE_READ_FAILED;
    } else if (!S_ISREG(status.st_mode)) {
        result = FILE_READ_NOT_REGULAR;
    } else if ((uint64_t)status.st_size > most) {
        result = FILE_READ_TOO_LARGE;
    }
    if (result != FILE_READ_OK) {
        close(*descriptor);
        return result;
    }
    *size = (size_t)status.st_size;
    return FILE_READ_OK;
}

FileRead fileRead(const char *path, size_t most, FileBytes *file) {
    *file = (FileBytes){0};
    int descriptor;
    size_t size;
    FileRead result = fileOpen(path, most, &descriptor, &size);
    if (result != FILE_READ_OK) {
        return result;
    }
    result = readAll(descriptor, size, file);
    close(descriptor);
    return result;
}
