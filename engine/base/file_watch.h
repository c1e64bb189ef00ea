/*
 * file_watch.h: whether a file has changed since its content was read.
 *
 * A file has changed if its modification time, size or inode differs. Read it when two polls in a row find it unchanged:
 * then no editor is writing it.
 */
#ifndef ENGINE_FILE_WATCH_H
#define ENGINE_FILE_WATCH_H

#include <stdbool.h>
#include <sys/stat.h>

/* Zero: the file does not exist. */
typedef struct FileStamp {
    struct timespec modified;
    off_t size;
    ino_t inode;
} FileStamp;

typedef struct FileWatch {
    FileStamp used; /* when its content was read */
    FileStamp seen; /* at the last poll */
    bool changed;   /* `seen` differs from `used` */
    bool settled;   /* the last two polls found the same file */
} FileWatch;

/* Now is the first poll, and when its content is read. */
FileWatch fileWatchFrom(const char *path);

void fileWatchPoll(FileWatch *watch, const char *path);

/* The content that the last poll saw is read. Call it before you read the file, so that later changes are found. */
void fileWatchUse(FileWatch *watch);

#endif
