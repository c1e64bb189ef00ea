/*
 * The sandbox of the parser's process, from inside: each act that a taken-over parser may try fails, with the sandbox and
 * in its absence on kernels without one of its layers.
 */
#include "child.h"
#include "import_support.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROLE "vkskin-act"

/* ---- Acts of the child; each returns -1 and sets errno where it fails. The current folder is the model's. ---- */

#define ACT(name, ...)                                                                                                 \
    static long name(void) {                                                                                           \
        return __VA_ARGS__;                                                                                            \
    }

static _Alignas(4096) char page[4096];
static const struct iovec here = {page, 1};

static long closeAfter(int descriptor) {
    return descriptor < 0 ? -1 : close(descriptor);
}

/* The kernel's limit of processes may also make fork fail. */
static long becomeTwo(long child) {
    if (child == 0) {
        _exit(0);
    }
    return child;
}

static long startProgram(void) {
    char *texts[] = {"true", NULL}, *none[] = {NULL};
    return execve("/bin/true", texts, none);
}

static long makeExecutable(void) {
    char *code = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return code == MAP_FAILED ? -1 : mprotect(code, 4096, PROT_READ | PROT_EXEC);
}

/* Memory where null pointers lead. LOW: where some kernels let every user place it. */
#define LOW ((void *)0x8000)
static long mapAt(void *place, int flags) {
    return mmap(place, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0) == MAP_FAILED ? -1 : 0;
}

static long moveLow(void) {
    char *high = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return mremap(high, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, LOW) == MAP_FAILED ? -1 : 0;
}

/* For root: whether any set is not empty. Other users have none, and cannot shrink the bounding set. */
static long keepCapabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {0}, none[_LINUX_CAPABILITY_U32S_3] = {0};
    bool kept = syscall(SYS_capget, &header, sets) == 0 && memcmp(sets, none, sizeof sets) != 0;
    for (unsigned long i = 0; i < 64 && getuid() == 0; i++) {
        kept =
            kept || prctl(PR_CAPBSET_READ, i, 0, 0, 0) > 0 || prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_IS_SET, i, 0, 0) > 0;
    }
    errno = EPERM;
    return kept ? 0 : -1;
}

static long sendTo(void) {
    struct sockaddr_storage address = {.ss_family = AF_UNIX};
    return sendto(CHILD_OUTPUT, page, 1, 0, (const struct sockaddr *)&address, sizeof address);
}

ACT(readModel, closeAfter(open("readModel", O_RDONLY)))
ACT(readBeside, closeAfter(open("below/beside", O_RDONLY)))
ACT(readSecret, closeAfter(open("../secret", O_RDONLY)))
ACT(readLink, closeAfter(open("link", O_RDONLY)))
ACT(readSystem, closeAfter(open("/etc/passwd", O_RDONLY)))
ACT(readParent, closeAfter(open("../parent", O_RDONLY))) /* link to its environment */
ACT(readFolder, closeAfter(open("..", O_RDONLY | O_DIRECTORY)))
ACT(writeModel, closeAfter(open("writeModel", O_WRONLY)))
ACT(appendModel, closeAfter(open("appendModel", O_RDWR | O_APPEND)))
ACT(truncateModel, truncate("truncateModel", 0))
ACT(createFile, closeAfter(open("created", O_RDONLY | O_CREAT, 0600)))
ACT(createHidden, closeAfter(open(".", O_RDWR | O_TMPFILE, 0600)))
ACT(openPath, closeAfter(open("../secret", O_PATH)))
ACT(removeFile, unlink("removeFile"))
ACT(renameFile, rename("renameFile", "renamed"))
ACT(makeLink, link("makeLink", "linked"))
ACT(makeSymbolic, symlink("makeSymbolic", "symbolic"))
ACT(makeDirectory, mkdir("made", 0700))
ACT(makePipe, mknod("pipe", S_IFIFO | 0600, 0))
ACT(changeMode, chmod("changeMode", 0777))
ACT(changeTimes, utimensat(AT_FDCWD, "changeTimes", NULL, 0))
ACT(openSocket, closeAfter(socket(AF_INET, SOCK_STREAM, 0)))
ACT(openUnixSocket, closeAfter(socket(AF_UNIX, SOCK_STREAM, 0)))
ACT(openNetlink, closeAfter(socket(AF_NETLINK, SOCK_RAW, 0)))
ACT(connectAnything, connect(CHILD_OUTPUT, (const struct sockaddr *)page, sizeof(struct sockaddr)))
ACT(doFork, becomeTwo(syscall(SYS_fork)))
ACT(doClone, becomeTwo(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)))
ACT(doThread, syscall(SYS_clone, CLONE_VM | CLONE_THREAD | CLONE_SIGHAND, 0, 0, 0, 0))
ACT(doClone3, syscall(SYS_clone3, page, 64))
ACT(traceParent, ptrace(PTRACE_SEIZE, getppid(), 0, 0))
ACT(traceSelf, ptrace(PTRACE_TRACEME, 0, 0, 0))
ACT(readProcess, process_vm_readv(getppid(), &here, 1, &here, 1, 0))
ACT(writeProcess, process_vm_writev(getppid(), &here, 1, &here, 1, 0))
ACT(killParent, kill(getppid(), 0))
ACT(signalParent, syscall(SYS_tgkill, getppid(), getppid(), 0))
ACT(openProcess, closeAfter((int)syscall(SYS_pidfd_open, getppid(), 0)))
ACT(mapExecutable, (long)mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
ACT(mapZero, mapAt(NULL, MAP_FIXED))
ACT(mapLow, mapAt(LOW, MAP_FIXED))
ACT(mapLowNew, mapAt(LOW, MAP_FIXED_NOREPLACE))
ACT(mapAnywhere, mapAt(LOW, 0))
ACT(freePage, madvise(page, sizeof page, MADV_DONTNEED))
ACT(freeLater, madvise(page, sizeof page, MADV_FREE) == -1 && errno == EPERM ? -1 : 0) /* EINVAL for a file's page */
ACT(adviseHuge, madvise(page, sizeof page, MADV_HUGEPAGE) == -1 && errno == EPERM ? -1 : 0)
ACT(poisonPage, madvise(page, 0, 100 /* MADV_HWPOISON */)) /* no page: the machine would lose it */
ACT(retirePage, madvise(page, 0, 101 /* MADV_SOFT_OFFLINE */))
ACT(adviseFork, madvise(page, sizeof page, MADV_DONTFORK))
ACT(changeOwner, chown("changeOwner", 65534, 65534))
ACT(memoryFile, closeAfter((int)syscall(SYS_memfd_create, "x", 0)))
ACT(writeElsewhere, write(STDERR_FILENO, page, 1))
ACT(raiseLimit, syscall(SYS_prlimit64, 0, 4, page, NULL))
ACT(leaveGroup, setsid())
ACT(becomeUser, setuid(65534))
ACT(unshareAll, unshare(CLONE_NEWUSER))
ACT(changeRoot, chroot("."))
ACT(changeProcess, prctl(PR_SET_PDEATHSIG, 0))
ACT(setTimer, syscall(SYS_timer_create, 0, NULL, page))
ACT(bpfLoad, syscall(SYS_bpf, 0, page, 64))
ACT(ioRing, syscall(SYS_io_uring_setup, 1, page))
ACT(keyRing, syscall(SYS_keyctl, 0, -3, 1))
ACT(perfEvent, syscall(SYS_perf_event_open, page, 0, -1, -1, 0))

/* What an act needs to fail. */
typedef enum Layers {
    NEVER = 0, /* it works, or there is nothing it could do */
    LANDLOCK = 1,
    SECCOMP = 2,
    BOTH = 3,  /* either one */
    ALWAYS = 4 /* capabilities, which every kernel drops */
} Layers;

/* name, the layers that refuse it, whether it works without a sandbox for every user */
#define ACTS(X)                                                                                                        \
    X(readModel, NEVER, 1)                                                                                             \
    X(readBeside, NEVER, 1)                                                                                            \
    X(readSecret, LANDLOCK, 1)                                                                                         \
    X(readLink, LANDLOCK, 1)                                                                                           \
    X(readSystem, LANDLOCK, 1)                                                                                         \
    X(readParent, LANDLOCK, 0)                                                                                         \
    X(readFolder, LANDLOCK, 1)                                                                                         \
    X(writeModel, BOTH, 1)                                                                                             \
    X(appendModel, BOTH, 1)                                                                                            \
    X(truncateModel, BOTH, 1)                                                                                          \
    X(createFile, BOTH, 1)                                                                                             \
    X(createHidden, BOTH, 0)                                                                                           \
    X(openPath, SECCOMP, 1)                                                                                            \
    X(removeFile, BOTH, 1)                                                                                             \
    X(renameFile, BOTH, 1)                                                                                             \
    X(makeLink, BOTH, 1)                                                                                               \
    X(makeSymbolic, BOTH, 1)                                                                                           \
    X(makeDirectory, BOTH, 1)                                                                                          \
    X(makePipe, BOTH, 1)                                                                                               \
    X(changeMode, SECCOMP, 1)                                                                                          \
    X(changeTimes, SECCOMP, 1)                                                                                         \
    X(openSocket, SECCOMP, 1)                                                                                          \
    X(openUnixSocket, SECCOMP, 1)                                                                                      \
    X(openNetlink, SECCOMP, 1)                                                                                         \
    X(connectAnything, SECCOMP, 0)                                                                                     \
    X(sendTo, SECCOMP, 0)                                                                                              \
    X(startProgram, BOTH, 0)                                                                                           \
    X(doFork, SECCOMP, 0)                                                                                              \
    X(doClone, SECCOMP, 0)                                                                                             \
    X(doThread, SECCOMP, 0)                                                                                            \
    X(doClone3, SECCOMP, 0)                                                                                            \
    X(traceParent, BOTH, 0)                                                                                            \
    X(traceSelf, SECCOMP, 0)                                                                                           \
    X(readProcess, BOTH, 0)                                                                                            \
    X(writeProcess, BOTH, 0)                                                                                           \
    X(killParent, BOTH, 1)                                                                                             \
    X(signalParent, BOTH, 1)                                                                                           \
    X(openProcess, SECCOMP, 1)                                                                                         \
    X(mapExecutable, SECCOMP, 1)                                                                                       \
    X(makeExecutable, SECCOMP, 1)                                                                                      \
    X(mapZero, SECCOMP, 0)                                                                                             \
    X(mapLow, SECCOMP, 0)                                                                                              \
    X(mapLowNew, SECCOMP, 0)                                                                                           \
    X(mapAnywhere, NEVER, 1)                                                                                           \
    X(moveLow, SECCOMP, 0)                                                                                             \
    X(freePage, NEVER, 1)                                                                                              \
    X(freeLater, NEVER, 1)                                                                                             \
    X(adviseHuge, NEVER, 1)                                                                                            \
    X(poisonPage, SECCOMP, 0)                                                                                          \
    X(retirePage, SECCOMP, 0)                                                                                          \
    X(adviseFork, SECCOMP, 1)                                                                                          \
    X(changeOwner, ALWAYS, 0)                                                                                          \
    X(keepCapabilities, ALWAYS, 0)                                                                                     \
    X(memoryFile, SECCOMP, 1)                                                                                          \
    X(writeElsewhere, SECCOMP, 1)                                                                                      \
    X(raiseLimit, SECCOMP, 0)                                                                                          \
    X(leaveGroup, SECCOMP, 1)                                                                                          \
    X(becomeUser, SECCOMP, 0)                                                                                          \
    X(unshareAll, SECCOMP, 0)                                                                                          \
    X(changeRoot, SECCOMP, 0)                                                                                          \
    X(changeProcess, SECCOMP, 1)                                                                                       \
    X(setTimer, SECCOMP, 1)                                                                                            \
    X(bpfLoad, SECCOMP, 0)                                                                                             \
    X(ioRing, SECCOMP, 0)                                                                                              \
    X(keyRing, SECCOMP, 0)                                                                                             \
    X(perfEvent, SECCOMP, 0)

static const struct {
    const char *name;
    long (*act)(void);
    Layers refusedBy;
    bool works;
} acts[] = {
#define ACT_ROW(name, layers, works) {#name, name, layers, works},
    ACTS(ACT_ROW)
#undef ACT_ROW
};

enum { DONE = 100 };

/* The exit status is DONE, or the error of the act that the file's name names. */
static int doAct(const char *path, int output) {
    (void)output;
    for (size_t i = 0; i < COUNT_OF(acts); i++) {
        if (strcmp(acts[i].name, path) == 0) {
            errno = 0;
            return acts[i].act() == -1 ? errno : DONE;
        }
    }
    return 0;
}

__attribute__((constructor)) static void beginAct(int count, char **texts) {
    childBegin(ROLE, count, texts, doAct);
}

/* ---- The test's side: DIRECTORY/secret, and DIRECTORY/model, the current folder ---- */

static char folder[64];

static int setUp(void **state) {
    (void)state;
    char parent[64];
    makeFolder(folder);
    snprintf(parent, sizeof parent, "/proc/%d/environ", (int)getpid());
    assert_int_equal(chdir(folder), 0);
    writeWhole("secret", "the user's");
    assert_int_equal(symlink(parent, "parent"), 0);
    assert_int_equal(mkdir("model", 0700), 0);
    assert_int_equal(chdir("model"), 0);
    assert_int_equal(mkdir("below", 0700), 0);
    writeWhole("below/beside", "buffer");
    assert_int_equal(symlink("../secret", "link"), 0);
    return 0;
}

static int tearDown(void **state) {
    (void)state;
    assert_int_equal(chdir("/"), 0);
    removeFolder(folder);
    return 0;
}

/* DONE, or the error of the act. */
static int tryAct(const char *name, bool off, ImportSandbox *active) {
    EngineError error = {.message = ""};
    const ImportOptions options = {.sandboxOff = off, .sandbox = active};
    int status = -1;
    writeWhole(name, "model");
    assert_null(childRun(ROLE, name, &options, &error));
    const char *number = strstr(error.message, "ended with status ");
    if (!number || sscanf(number, "ended with status %d", &status) != 1) {
        fail_msg("%s", error.message);
    }
    return status;
}

/* Tries each act. The user's file and the model's folder stay as they are where seccomp is active. */
FIXTURE_TEST(testActs) {
    /* On a kernel without one of the layers: see old_kernel.c. */
    const char *missing = getenv("VKSKIN_TEST_MISSING");
    const Layers layers = !missing ? BOTH : strcmp(missing, "landlock") == 0 ? SECCOMP : LANDLOCK;
    for (size_t i = 0; i < COUNT_OF(acts); i++) {
        ImportSandbox active;
        int status = tryAct(acts[i].name, false, &active);
        assert_int_equal(active.landlock > 0, (layers & LANDLOCK) != 0);
        assert_int_equal(active.seccomp, (layers & SECCOMP) != 0);
        bool refused = acts[i].refusedBy & (layers | ALWAYS);
        bool good = refused ? status == EPERM || status == EACCES : acts[i].refusedBy || status == DONE;
        if (!good) {
            fail_msg("%s: %s", acts[i].name, status == DONE ? "works" : strerror(status));
        }
        remove(acts[i].name);
    }
    assert_true(countEntries(".") == 2 || !(layers & SECCOMP));
    char *secret = readWhole("../secret", NULL);
    assert_string_equal(secret, "the user's");
    free(secret);
}

/* Without a sandbox they work, so the test above can fail. */
FIXTURE_TEST(testActsUnlocked) {
    ImportSandbox active;
    for (size_t i = 0; i < COUNT_OF(acts); i++) {
        int status = acts[i].works ? tryAct(acts[i].name, true, &active) : DONE;
        if (status != DONE) {
            fail_msg("%s: %s", acts[i].name, strerror(status));
        }
    }
    assert_false(active.landlock || active.seccomp);
}

/* The model itself may be a link out of its folder; nothing beside its target is read. */
FIXTURE_TEST(testModelIsLink) {
    assert_int_equal(symlink("../secret", "readModel"), 0);
    assert_int_equal(tryAct("readModel", false, NULL), DONE);
    char *secret = readWhole("../secret", NULL);
    assert_string_equal(secret, "model"); /* tryAct wrote it */
    free(secret);
}

/* Without its capabilities, root reads what others may read. */
FIXTURE_TEST(testRootReads) {
    EngineError error = {.message = ""};
    writeWhole("readModel", "model");
    if (getuid() == 0) {
        assert_int_equal(chown("readModel", 65534, 65534), 0);
        assert_int_equal(chmod("readModel", 0600), 0);
        assert_null(childRun(ROLE, "readModel", NULL, &error));
        assert_string_equal(error.message, "readModel: the parser's sandbox failed: without root's capabilities the "
                                           "file cannot be read: Permission denied");
        assert_int_equal(chmod("readModel", 0644), 0);
    }
    assert_int_equal(tryAct("readModel", false, NULL), DONE);
}
