#include "assimp_files.h"

#include "child_memory.h"
#include "file_bytes.h"
#include "path_below.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* assimp's stream; UserData is the FILE. */

static size_t readItems(struct aiFile *file, char *to, size_t size, size_t count) {
    return fread(to, size, count, (FILE *)file->UserData);
}

/* Nothing that parsers do may write. */
static size_t writeNothing(struct aiFile *file, const char *from, size_t size, size_t count) {
    (void)file;
    (void)from;
    (void)size;
    (void)count;
    return 0;
}

static size_t tell(struct aiFile *file) {
    off_t at = ftello((FILE *)file->UserData);
    return at < 0 ? 0 : (size_t)at;
}

static enum aiReturn seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
    int whence = origin == aiOrigin_SET ? SEEK_SET : origin == aiOrigin_CUR ? SEEK_CUR : SEEK_END;
    return fseeko((FILE *)file->UserData, (off_t)offset, whence) == 0 ? aiReturn_SUCCESS : aiReturn_FAILURE;
}

static size_t sizeOf(struct aiFile *file) {
    size_t at = tell(file);
    seek(file, 0, aiOrigin_END);
    size_t size = tell(file);
    seek(file, at, aiOrigin_SET);
    return size;
}

static void flushNothing(struct aiFile *file) {
    (void)file;
}

/* The model's own file may be a link: the user named it. */
static bool mayOpen(const AssimpFiles *files, const char *name) {
    return strcmp(name, files->model) == 0 || (pathIsBelow(name, files->folder) && pathLeadsBelow(name, files->folder));
}

static struct aiFile *openBelow(struct aiFileIO *files, const char *name, const char *mode) {
    int descriptor;
    size_t size;
    if (mode[0] != 'r' || strchr(mode, '+') || !mayOpen((const AssimpFiles *)files->UserData, name) ||
        fileOpen(name, SIZE_MAX, &descriptor, &size) != FILE_READ_OK) {
        return NULL;
    }
    FILE *stream = fdopen(descriptor, "rb");
    if (!stream) {
        close(descriptor);
        return NULL;
    }
    struct aiFile *file = childAllocate(1, sizeof *file);
    *file = (struct aiFile){
        .ReadProc = readItems,
        .WriteProc = writeNothing,
        .TellProc = tell,
        .FileSizeProc = sizeOf,
        .SeekProc = seek,
        .FlushProc = flushNothing,
        .UserData = (aiUserData)stream,
    };
    return file;
}

static void closeFile(struct aiFileIO *files, struct aiFile *file) {
    (void)files;
    fclose((FILE *)file->UserData);
    free(file);
}

struct aiFileIO assimpFilesBelow(AssimpFiles *files) {
    return (struct aiFileIO){.OpenProc = openBelow, .CloseProc = closeFile, .UserData = (aiUserData)files};
}
