#include "file_watch.h"

static FileStamp stampOf(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) {
        return (FileStamp){0};
    }
    return (FileStamp){.modified = status.st_mtim, .size = status.st_size, .inode = status.st_ino};
}

static bool sameStamp(const FileStamp *a, const FileStamp *b) {
    return a->modified.tv_sec == b->modified.tv_sec && a->modified.tv_nsec == b->modified.tv_nsec &&
           a->size == b->size && a->inode == b->inode;
}

FileWatch fileWatchFrom(const char *path) {
    FileStamp now = stampOf(path);
    return (FileWatch){.used = now, .seen = now};
}

void fileWatchPoll(FileWatch *watch, const char *path) {
    FileStamp now = stampOf(path);
    watch->changed = !sameStamp(&now, &watch->used);
    watch->settled = sameStamp(&now, &watch->seen);
    watch->seen = now;
}

void fileWatchUse(FileWatch *watch) {
    watch->used = watch->seen;
    watch->changed = false;
}
