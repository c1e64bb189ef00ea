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

/* Files that were opened. */
static ModelFile *opened;
static uint32_t openedCount, openedRoom;

static void noteOpened(const struct stat *status) {
    if (openedCount == openedRoom) {
        openedRoom = 2 * openedRoom + 16;
        opened = realloc(opened, openedRoom * sizeof *opened);
        if (!opened) {
            childOutOfMemory();
        }
    }
    opened[openedCount++] = (ModelFile){status->st_dev, status->st_ino};
}

void filesList(Model *model) {
    model->files = childAllocate(openedCount, sizeof *model->files);
    model->fileCount = openedCount;
    if (openedCount > 0) {
        memcpy(model->files, opened, openedCount * sizeof *opened);
    }
}

FILE *fileOpen(const char *path, size_t *size) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* opening a pipe must not block */
    bool known = descriptor >= 0 && fstat(descriptor, &status) == 0;
    bool regular = known && S_ISREG(status.st_mode);
    FILE *file = regular ? fdopen(descriptor, "rb") : NULL;
    if (file) {
        noteOpened(&status);
    }
    if (!file && descriptor >= 0) {
        close(descriptor);
    }
    errno = known && !regular ? 0 : errno;
    *size = file ? (size_t)status.st_size : 0;
    return file;
}

bool fileRead(const char *path, size_t maximum, FileBytes *file) {
    size_t size;
    *file = (FileBytes){0};
    FILE *stream = fileOpen(path, &size);
    if (!stream) {
        return false;
    }
    bool fits = size <= maximum;
    if (fits) {
        file->bytes = childAllocate(size, 1);
        file->size = fread(file->bytes, 1, size, stream); /* less where the file was truncated meanwhile */
    }
    bool good = fits && !ferror(stream);
    int reason = fits ? errno : EFBIG;
    fclose(stream);
    if (!good) {
        free(file->bytes);
        *file = (FileBytes){0};
        errno = reason;
    }
    return good;
}
