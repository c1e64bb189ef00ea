#include "files.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "animation.h"
#include "count_of.h"

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

/* Restores the former action. The signal comes again after the handler returns. */
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

/* ---- Output files ---- */

#define LINKS_MAX 40 /* the limit of Linux */

/* A temporary file. */
typedef struct Pending {
    char *temporary, *target;
    char *path; /* path of the target, as the user gave it */
} Pending;

/* Those to remove on a signal. The list and its count are written while signals are held. */
static Pending **pending;
static volatile sig_atomic_t pendingCount;
static int pendingRoom;

static bool fail(const char *path, const char *why, EngineError *error) {
    return engineFail(error, "%.300s: cannot be written: %.150s", path, why);
}

void atomicFileFolder(const char *path, char *folder, size_t size) {
    const char *slash = strrchr(path, '/');
    if (!slash) {
        snprintf(folder, size, ".");
    } else {
        snprintf(folder, size, "%.*s", slash == path ? 1 : (int)(slash - path), path);
    }
}

static bool checkFolder(const char *target, const char *path, EngineError *error) {
    char folder[PATH_MAX];
    struct stat info;
    atomicFileFolder(target, folder, sizeof folder);
    if (stat(folder, &info) != 0 && errno == ENOENT) {
        char why[160];
        snprintf(why, sizeof why, "no folder '%.120s'", folder);
        return fail(path, why, error);
    }
    if (stat(folder, &info) != 0 || access(folder, W_OK | X_OK) != 0) {
        return fail(path, strerror(errno), error);
    }
    return true;
}

bool atomicFileFollow(char target[PATH_MAX]) {
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

/* Follows links, so that the file is replaced and not the link. *direct: the target exists and is no regular file. */
static bool resolve(const char *path, char *target, bool *direct, EngineError *error) {
    struct stat info;
    *direct = false;
    if (path[0] == '\0' || strlen(path) >= PATH_MAX) {
        return fail(path, path[0] ? "the name is too long" : "the name is empty", error);
    }
    snprintf(target, PATH_MAX, "%s", path);
    if (stat(path, &info) != 0) {
        if (errno != ENOENT || !atomicFileFollow(target)) {
            return fail(path, strerror(errno), error);
        }
        return checkFolder(target, path, error);
    }
    if (S_ISDIR(info.st_mode) || S_ISBLK(info.st_mode)) {
        return fail(path, S_ISDIR(info.st_mode) ? "it is a folder" : "it is a block device", error);
    }
    *direct = !S_ISREG(info.st_mode);
    if (access(path, W_OK) != 0 || (!*direct && !realpath(path, target))) {
        return fail(path, strerror(errno), error);
    }
    return *direct || checkFolder(target, path, error);
}

/* How the files begin that this program writes: tuning, JSON, OBJ, PLY, GLB, packed models, PNG (`PNG_SIGN` of target.c),
 * report. A WebP file ends with ANIMATION_SIGN. */
#define BEGINS_WITH(text)                                                                                              \
    { 0, text, sizeof(text) - 1 }

static const struct {
    size_t offset;
    const char *text;
    size_t size;
} BEGINNINGS[] = {BEGINS_WITH("vkskin tuning "),
                  BEGINS_WITH("{\n\t\"vkskin\":"),
                  BEGINS_WITH("{\n  \"vkskin\":"),
                  BEGINS_WITH("# vkskin bake"),
                  BEGINS_WITH("# Bench of vkskin"),
                  BEGINS_WITH("ply\nformat binary_little_endian 1.0\ncomment vkskin bake"),
                  BEGINS_WITH("ply\nformat binary_big_endian 1.0\ncomment vkskin bake"),
                  BEGINS_WITH("\x89VKM\r\n\x1a\n"),
                  {20, "{\"asset\":{\"generator\":\"vkskin bake", 34},
                  {37, "tEXtSoftware\0vkskin", 19}};

/* A file that is missing or empty holds nothing that could be lost. One that cannot be read may hold anything. */
static bool isForeign(const char *target) {
    char bytes[128] = "";
    FILE *file = fopen(target, "rb");
    if (!file) {
        return errno != ENOENT;
    }
    size_t size = fread(bytes, 1, sizeof bytes - 1, file);
    bool foreign = size > 0 || ferror(file);
    if (foreign && fseek(file, -ANIMATION_SIGN_SIZE, SEEK_END) == 0) {
        char end[ANIMATION_SIGN_SIZE] = "";
        foreign = fread(end, 1, sizeof end, file) < sizeof end || memcmp(end, ANIMATION_SIGN, sizeof end) != 0;
    }
    for (size_t i = 0; i < COUNT_OF(BEGINNINGS); i++) {
        foreign = foreign && memcmp(bytes + BEGINNINGS[i].offset, BEGINNINGS[i].text, BEGINNINGS[i].size) != 0;
    }
    fclose(file);
    return foreign;
}

bool atomicFileIsStandard(const char *path) {
    return path[0] == '-' && (path[1] == '\0' || path[1] == '.') && !strchr(path, '/');
}

bool atomicFileCheck(const char *path, bool force, EngineError *error) {
    char target[PATH_MAX];
    bool direct;
    if (atomicFileIsStandard(path)) {
        return !isatty(STDOUT_FILENO) || fail(path, "standard output is a terminal", error);
    }
    if (!resolve(path, target, &direct, error)) {
        return false;
    }
    return force || direct || !isForeign(target) ||
           fail(path, "vkskin did not write the file of this name; name another file, or add --force", error);
}

static void unlinkPending(void) {
    for (int i = 0; i < pendingCount; i++) {
        unlink(pending[i]->temporary);
    }
}

static void freePending(Pending *entry) {
    if (entry) {
        free(entry->temporary);
        free(entry->target);
        free(entry->path);
        free(entry);
    }
}

/* Takes entries off the end of the list; unlinks their files. */
static void removePending(int count) {
    sigset_t before;
    onSignalHold(&before);
    for (; count > 0; count--) {
        pendingCount--;
        unlink(pending[pendingCount]->temporary);
        freePending(pending[pendingCount]);
    }
    onSignalRelease(&before);
}

/* An entry with the names of the file, not in the list yet, and room for it there. Null, with errno set: no memory. */
static Pending *preparePending(const AtomicFile *file) {
    sigset_t before;
    Pending *entry = calloc(1, sizeof *entry);
    onSignalAdd(unlinkPending);
    if (entry && pendingCount == pendingRoom) {
        onSignalHold(&before);
        Pending **list = realloc(pending, ((size_t)pendingRoom * 2 + 1) * sizeof(Pending *));
        pending = list ? list : pending;
        pendingRoom = list ? pendingRoom * 2 + 1 : pendingRoom;
        onSignalRelease(&before);
    }
    if (entry) {
        entry->temporary = strdup(file->temporary); /* the name to come has the same length */
        entry->target = strdup(file->target);
        entry->path = strdup(file->path);
    }
    if (!entry || !entry->temporary || !entry->target || !entry->path || pendingCount == pendingRoom) {
        freePending(entry);
        errno = ENOMEM;
        return NULL;
    }
    return entry;
}

/* Gives the new file the owner, group and mode of the older one, or the mode that the user's mask allows. */
static bool copyRights(int descriptor, const char *target) {
    struct stat old, own;
    if (stat(target, &old) != 0) {
        mode_t mask = umask(0);
        umask(mask);
        return fchmod(descriptor, 0666 & ~mask) == 0;
    }
    if (fstat(descriptor, &own) != 0) {
        return false;
    }
    bool same = own.st_uid == old.st_uid && own.st_gid == old.st_gid;
    return (same || fchown(descriptor, old.st_uid, old.st_gid) == 0) && fchmod(descriptor, old.st_mode & 07777) == 0;
}

/* As mkostemp for file->temporary. A signal comes before the file exists or after its name is in the list. */
static int createPending(AtomicFile *file) {
    sigset_t before;
    Pending *entry = preparePending(file);
    if (!entry) {
        return -1;
    }
    onSignalHold(&before);
    int descriptor = mkostemp(file->temporary, O_CLOEXEC);
    int reason = errno;
    if (descriptor >= 0) {
        memcpy(entry->temporary, file->temporary, strlen(entry->temporary));
        pending[pendingCount] = entry;
        pendingCount++;
    } else {
        freePending(entry);
    }
    onSignalRelease(&before);
    errno = reason;
    return descriptor;
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
    int descriptor = createPending(file);
    if (descriptor >= 0 && !copyRights(descriptor, file->target)) {
        int reason = errno;
        close(descriptor);
        removePending(1);
        errno = reason;
        return -1;
    }
    return descriptor;
}

/* Writes all bytes, or keeps errno: stdio forgets the reason of a failed write. */
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

/* A stream that writes through writeThrough. */
static bool openStream(AtomicFile *file) {
    file->stream = fopencookie(file, "w", (cookie_io_functions_t){.write = writeThrough});
    file->failure = file->stream ? 0 : errno;
    return file->stream != NULL;
}

/* ENOENT: the folder exists (resolve checked that) but accepts no new file. */
static bool failOpen(const AtomicFile *file, bool direct, int reason, EngineError *error) {
    char folder[PATH_MAX], why[160];
    if (direct || reason != ENOENT) {
        return fail(file->path, strerror(reason), error);
    }
    atomicFileFolder(file->target, folder, sizeof folder);
    snprintf(why, sizeof why, "no file can be created in the folder '%.100s'", folder);
    return fail(file->path, why, error);
}

bool atomicFileBegin(AtomicFile *file, const char *path, EngineError *error) {
    bool direct = true;
    *file = (AtomicFile){.path = path, .descriptor = -1};
    const bool standard = atomicFileIsStandard(path);
    if (!standard && !resolve(path, file->target, &direct, error)) {
        return false;
    }
    file->descriptor = standard ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                       : direct ? open(file->target, O_WRONLY | O_CLOEXEC)
                                : openTemporary(file);
    if (file->descriptor < 0) {
        return failOpen(file, direct, errno, error);
    }
    if (!openStream(file)) {
        fail(path, strerror(file->failure), error);
        atomicFileDrop(file);
        return false;
    }
    return true;
}

/* Keeps errno as the reason, unless one is already set. */
static void keepFailure(AtomicFile *file, bool failed) {
    if (failed && file->failure == 0) {
        file->failure = errno ? errno : EIO;
    }
}

bool atomicFileFinish(AtomicFile *file, EngineError *error) {
    bool direct = file->temporary[0] == '\0';
    keepFailure(file, fclose(file->stream) != 0);
    file->stream = NULL;
    keepFailure(file, !direct && fsync(file->descriptor) != 0); /* fsync fails on devices */
    keepFailure(file, close(file->descriptor) != 0);
    file->descriptor = -1;
    if (file->failure != 0) {
        fail(file->path, strerror(file->failure), error);
        atomicFileDrop(file);
        return false;
    }
    return true;
}

bool atomicFilesCommit(EngineError *error) {
    sigset_t before;
    bool good = true;
    onSignalHold(&before); /* signals are handled before the first target is replaced, or after the last one */
    for (int i = 0; i < pendingCount && good; i++) {
        good = rename(pending[i]->temporary, pending[i]->target) == 0 || fail(pending[i]->path, strerror(errno), error);
    }
    removePending(pendingCount); /* the temporary names of replaced targets no longer exist */
    onSignalRelease(&before);
    return good;
}

void atomicFilesDrop(void) {
    removePending(pendingCount);
}

bool atomicFileCommit(AtomicFile *file, EngineError *error) {
    return atomicFileFinish(file, error) && atomicFilesCommit(error);
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
    if (file->temporary[0] != '\0') {
        removePending(1);
        file->temporary[0] = '\0';
    }
}

void atomicFileNumbered(char name[PATH_MAX], const char *path, uint32_t index) {
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    stem = stem < PATH_MAX ? stem : PATH_MAX - 1;
    snprintf(name, PATH_MAX, "%.*s-%04u%s", (int)stem, path, index % 10000u, path + stem);
}
