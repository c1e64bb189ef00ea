#include "files.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SIGNAL_COUNT 4

static const int SIGNALS[SIGNAL_COUNT] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static struct sigaction former[SIGNAL_COUNT];
static OnSignalFn cleanUps[ON_SIGNAL_MAX];
static volatile sig_atomic_t cleanUpCount;
static pthread_t owner;

static void fillSet(sigset_t *set) {
    sigemptyset(set);
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        sigaddset(set, SIGNALS[i]);
    }
}

/* The signal comes again, to its former action, when the handler that calls this has returned. */
static void passOn(int number) {
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        if (SIGNALS[i] == number) {
            sigaction(number, &former[i], NULL);
        }
    }
    raise(number);
}

static void handle(int number) {
    int reason = errno;
    if (pthread_equal(pthread_self(), owner)) {
        for (int i = 0; i < cleanUpCount; i++) {
            cleanUps[i]();
        }
        passOn(number);
    } else {
        pthread_kill(owner, number);
    }
    errno = reason;
}

static void install(void) {
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    fillSet(&action.sa_mask);
    owner = pthread_self();
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        if (sigaction(SIGNALS[i], NULL, &former[i]) == 0 && former[i].sa_handler != SIG_IGN) {
            sigaction(SIGNALS[i], &action, NULL);
        }
    }
}

void onSignalAdd(OnSignalFn cleanUp) {
    for (int i = 0; i < cleanUpCount; i++) {
        if (cleanUps[i] == cleanUp) {
            return;
        }
    }
    assert(cleanUpCount < ON_SIGNAL_MAX);
    cleanUps[cleanUpCount] = cleanUp;
    if (cleanUpCount++ == 0) {
        install();
    }
}

void onSignalHold(sigset_t *before) {
    sigset_t held;
    fillSet(&held);
    pthread_sigmask(SIG_BLOCK, &held, before);
}

void onSignalRelease(const sigset_t *before) {
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

#define STREAM_BUFFER 65536
#define LINKS_MAX     40 /* as many as Linux follows */

/* The temporary that is there, for a signal that ends the program. Both are set while signals are held. */
static char unfinished[PATH_MAX];
static volatile sig_atomic_t hasUnfinished;

static bool fail(const char *path, const char *why, char *message) {
    snprintf(message, ATOMIC_FILE_MESSAGE_SIZE, "%.300s: cannot be written: %.150s", path, why);
    return false;
}

void atomicFileFolder(const char *path, char *folder, size_t size) {
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
    atomicFileFolder(target, folder, sizeof folder);
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
 * Follows the links of a path at whose end nothing is yet. realpath() would not name that. False, with errno: the name
 * would be too long, or the links were changed into a circle meanwhile.
 */
static bool followLinks(char *target) {
    char link[PATH_MAX], folder[PATH_MAX];
    for (int i = 0; i < LINKS_MAX; i++) {
        ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0) {
            return errno == ENOENT || errno == EINVAL;
        }
        link[length] = '\0';
        atomicFileFolder(target, folder, sizeof folder);
        int written =
            link[0] == '/' ? snprintf(target, PATH_MAX, "%s", link) : snprintf(target, PATH_MAX, "%s/%s", folder, link);
        if (written >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
    }
    errno = ELOOP;
    return false;
}

/*
 * Follows links, so that the file they lead to is replaced or made and not the link. *straight says that the target is
 * there and no regular file.
 */
static bool resolve(const char *path, char *target, bool *straight, char *message) {
    struct stat info;
    *straight = false;
    if (path[0] == '\0' || strlen(path) >= PATH_MAX) {
        return fail(path, path[0] ? "the name is too long" : "the name is empty", message);
    }
    snprintf(target, PATH_MAX, "%s", path);
    if (stat(path, &info) != 0) {
        if (errno != ENOENT || !followLinks(target)) {
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

static void unlinkUnfinished(void) {
    if (hasUnfinished) {
        unlink(unfinished);
    }
}

/* What a new file may be by the user's wish; the older file's permissions where there is one. */
static mode_t wantedMode(const char *target) {
    struct stat info;
    if (stat(target, &info) == 0) {
        return info.st_mode & 07777;
    }
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

/* As mkostemp does it. A signal comes before there is a file or when its name is known. */
static int createUnfinished(char *name) {
    sigset_t before;
    onSignalAdd(unlinkUnfinished);
    onSignalHold(&before);
    int descriptor = mkostemp(name, O_CLOEXEC);
    if (descriptor >= 0) {
        memcpy(unfinished, name, sizeof unfinished);
        hasUnfinished = 1;
    }
    onSignalRelease(&before);
    return descriptor;
}

static void removeUnfinished(void) {
    unlinkUnfinished();
    hasUnfinished = 0;
}

/* A new file beside the target. Returns its descriptor or -1. */
static int openTemporary(AtomicFile *file) {
    char folder[PATH_MAX];
    atomicFileFolder(file->target, folder, sizeof folder);
    int written = snprintf(file->temporary, sizeof file->temporary, "%s/.vkskin-XXXXXX", folder);
    if (written < 0 || (size_t)written >= sizeof file->temporary) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int descriptor = createUnfinished(file->temporary);
    if (descriptor >= 0 && fchmod(descriptor, wantedMode(file->target)) != 0) {
        int reason = errno;
        close(descriptor);
        removeUnfinished();
        errno = reason;
        return -1;
    }
    return descriptor;
}

/* Writes all, or keeps why not: stdio itself forgets the reason of a failed write. */
static ssize_t writeThrough(void *cookie, const char *bytes, size_t size) {
    AtomicFile *file = cookie;
    size_t done = 0;
    while (done < size && file->failure == 0) {
        ssize_t written = write(file->descriptor, bytes + done, size - done);
        if (written >= 0) {
            done += (size_t)written;
        } else if (errno != EINTR) {
            file->failure = errno;
        }
    }
    return done == size ? (ssize_t)size : 0;
}

/* A stream that writes to the descriptor through writeThrough. */
static bool openStream(AtomicFile *file) {
    file->stream = fopencookie(file, "w", (cookie_io_functions_t){.write = writeThrough});
    if (!file->stream) {
        file->failure = errno;
        return false;
    }
    if (setvbuf(file->stream, NULL, _IOFBF, STREAM_BUFFER) != 0) {
        file->failure = ENOMEM;
    }
    return file->failure == 0;
}

/* The folder is there, so that it is the folder which has no place for a file when that is what the system misses. */
static bool failOpen(const AtomicFile *file, bool straight, int reason, char *message) {
    char folder[PATH_MAX], why[ATOMIC_FILE_MESSAGE_SIZE];
    if (straight || reason != ENOENT) {
        return fail(file->path, strerror(reason), message);
    }
    atomicFileFolder(file->target, folder, sizeof folder);
    snprintf(why, sizeof why, "no file can be made in the folder '%.100s'", folder);
    return fail(file->path, why, message);
}

bool atomicFileBegin(AtomicFile *file, const char *path, char *message) {
    bool straight;
    *file = (AtomicFile){.path = path, .descriptor = -1};
    if (!resolve(path, file->target, &straight, message)) {
        return false;
    }
    file->descriptor = straight ? open(file->target, O_WRONLY | O_CLOEXEC) : openTemporary(file);
    if (file->descriptor < 0) {
        return failOpen(file, straight, errno, message);
    }
    if (!openStream(file)) {
        fail(path, strerror(file->failure), message);
        atomicFileDrop(file);
        return false;
    }
    return true;
}

/* Keeps errno as the reason, unless there is one already. */
static void keepFailure(AtomicFile *file, bool failed) {
    if (failed && file->failure == 0) {
        file->failure = errno ? errno : EIO;
    }
}

bool atomicFileCommit(AtomicFile *file, char *message) {
    bool straight = file->temporary[0] == '\0';
    keepFailure(file, fclose(file->stream) != 0);
    file->stream = NULL;
    keepFailure(file, !straight && fsync(file->descriptor) != 0); /* a device has no disk to reach */
    keepFailure(file, close(file->descriptor) != 0);
    file->descriptor = -1;
    keepFailure(file, !straight && file->failure == 0 && rename(file->temporary, file->target) != 0);
    if (file->failure != 0) {
        fail(file->path, strerror(file->failure), message);
        atomicFileDrop(file);
        return false;
    }
    hasUnfinished = 0;
    return true;
}

void atomicFileDrop(AtomicFile *file) {
    if (file->stream) {
        fclose(file->stream);
        file->stream = NULL;
    }
    if (file->descriptor >= 0) {
        close(file->descriptor);
        file->descriptor = -1;
    }
    removeUnfinished();
}
