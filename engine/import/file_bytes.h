/* file_bytes.h: a whole file in memory. */
#ifndef ENGINE_FILE_BYTES_H
#define ENGINE_FILE_BYTES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FileBytes {
    uint8_t *bytes; /* free() it */
    size_t size;
} FileBytes;

typedef enum FileRead {
    FILE_READ_OK = 0,
    FILE_READ_FAILED,      /* errno says why */
    FILE_READ_NOT_REGULAR, /* a folder, a pipe, a device */
    FILE_READ_TOO_LARGE    /* more than `most` bytes */
} FileRead;

/* Opens a regular file of at most `most` bytes for reading; close() *descriptor. *size: its bytes at this moment. */
FileRead fileOpen(const char *path, size_t most, int *descriptor, size_t *size);

/* Reads a regular file of at most `most` bytes, in a child process only (child_memory.h). *file is empty on failure. */
FileRead fileRead(const char *path, size_t most, FileBytes *file);

#ifdef __cplusplus
}
#endif

#endif
