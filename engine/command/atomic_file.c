#include "atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const char *path, const char *why, char *message) {
    snprintf(message, ATOMIC_FILE_MESSAGE_SIZE, "%.300s: cannot be written: %.150s", path, why);
    return false;
}

/* The folder of a path: "." for a bare name. */
static void folderOf(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    if (!slash) {
        snprintf(folder, size, ".");
    } else {
        snprintf(folder, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    }
}

static bool checkFolder(const char *target, const char *path, char *message) {
    char folder[PATH_MAX];
    struct stat info;
    folderOf(target, folder, sizeof folder);
    if (stat(folder, &info) != 0 && errno == ENOENT) {
        char why[ATOMIC_FILE_MESSAGE_SIZE];
        snprintf(why, sizeof why, "there is no folder '%.120s'", folder);
        return fail(path, why, message);
    }
    if (stat(folder, &info) != 0 || access(folder, W_OK | X_OK) != 0) {
        return fail(path, strerror(errno), message);
    }
    return true;
}

/*
 * Follows links, so that the file they lead to is replaced and not the link. *straight says that the target is there
 * and no regular file.
 */
static bool resolve(const char *path, char *target, bool *straight, char *message) {
    struct stat info;
    *straight = false;
    if (path[0] == '\0' || strlen(path) >= PATH_MAX) {
        return fail(path, path[0] ? "the name is too long" : "the name is empty", message);
    }
    snprintf(target, PATH_MAX, "%s", path);
    if (stat(path, &info) != 0) {
        if (errno != ENOENT) {
            return fail(path, strerror(errno), message);
        }
        return checkFolder(target, path, message);
    }
    if (S_ISDIR(info.st_mode)) {
        return fail(path, "it is a folder", message);
    }
    if (access(path, W_OK) != 0) {
        return fail(path, strerror(errno), message);
    }
    *straight = !S_ISREG(info.st_mode);
    if (*straight) {
        return true;
    }
    if (!realpath(path, target)) {
        return fail(path, strerror(errno), message);
    }
    return checkFolder(target, path, message);
}

bool atomicFileCheck(const char *path, char *message) {
    char target[PATH_MAX];
    bool straight;
    return resolve(path, target, &straight, message);
}

static void blockSignals(sigset_t *before) {
    sigset_t interrupting;
    sigemptyset(&interrupting);
    sigaddset(&interrupting, SIGINT);
    sigaddset(&interrupting, SIGTERM);
    sigaddset(&interrupting, SIGHUP);
    sigprocmask(SIG_BLOCK, &interrupting, before);
}

/* A new file beside the target, with the target's permissions where that exists. Returns its descriptor or -1. */
static int openTemporary(AtomicFile *file) {
    char folder[PATH_MAX];
    struct stat info;
    folderOf(file->target, folder, sizeof folder);
    int written = snprintf(file->temporary, sizeof file->temporary, "%s/.vkskin-%ld.part", folder, (long)getpid());
    if (written < 0 || (size_t)written >= sizeof file->temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0 && stat(file->target, &info) == 0 && fchmod(descriptor, info.st_mode & 07777) != 0) {
        int reason = errno;
        close(descriptor);
        unlink(file->temporary);
        errno = reason;
        return -1;
    }
    return descriptor;
}

bool atomicFileBegin(AtomicFile *file, const char *path, char *message) {
    bool straight;
    *file = (AtomicFile){.path = path};
    if (!resolve(path, file->target, &straight, message)) {
        return false;
    }
    blockSignals(&file->signals);
    int descriptor = straight ? open(file->target, O_WRONLY | O_CLOEXEC) : openTemporary(file);
    if (descriptor >= 0) {
        file->stream = fdopen(descriptor, "wb");
    }
    if (!file->stream) {
        fail(path, strerror(errno), message);
        if (descriptor >= 0) {
            close(descriptor);
            atomicFileDrop(file);
        } else {
            sigprocmask(SIG_SETMASK, &file->signals, NULL);
        }
        return false;
    }
    return true;
}

/* Brings all to the disk; sets errno on failure. A device has no disk to reach. */
static bool flush(AtomicFile *file) {
    bool failedBefore = ferror(file->stream);
    errno = EIO; /* where an earlier write failed and this one has nothing left to say why */
    return fflush(file->stream) == 0 && !failedBefore &&
           (file->temporary[0] == '\0' || fsync(fileno(file->stream)) == 0);
}

bool atomicFileCommit(AtomicFile *file, char *message) {
    bool good = flush(file);
    int reason = errno;
    if (fclose(file->stream) != 0 && good) {
        good = false;
        reason = errno;
    }
    file->stream = NULL;
    if (good && file->temporary[0] && rename(file->temporary, file->target) != 0) {
        good = false;
        reason = errno;
    }
    if (!good) {
        fail(file->path, strerror(reason), message);
        atomicFileDrop(file);
        return false;
    }
    sigprocmask(SIG_SETMASK, &file->signals, NULL);
    return true;
}

void atomicFileDrop(AtomicFile *file) {
    if (file->stream) {
        fclose(file->stream);
        file->stream = NULL;
    }
    if (file->temporary[0]) {
        unlink(file->temporary);
    }
    sigprocmask(SIG_SETMASK, &file->signals, NULL);
}
