#include "sandbox.h"

#include "count_of.h"
#include "named_files.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

static bool fail(EngineError *error, const char *what) {
    return engineFail(error, "the parser's sandbox failed: %s: %s", what, strerror(errno));
}

/* ---- Capabilities ---- */

/* Root gives up what it may do beyond other users, so that file modes hold for it, too. The bounding set first: changing
 * it takes a capability. Without that capability it stays, and is of no use: no_new_privs. The ambient set needs no call:
 * it is a part of the permitted one. */
static bool dropCapabilities(const char *path, EngineError *error) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {0};
    for (unsigned long i = 0; prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++) {
        (void)prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
    }
    if (syscall(SYS_capset, &header, none) != 0) {
        return fail(error, "capabilities");
    }
    return access(path, R_OK) == 0 || errno != EACCES ||
           fail(error, "without root's capabilities the file cannot be read");
}

/* ---- Landlock: files, connections, signals ---- */

/* As in newer headers of the kernel. */
typedef struct LandlockRules {
    uint64_t files, network, scopes;
} LandlockRules;

/* All rights that a version of the interface can withhold. *size: how much of the struct that version knows. */
static LandlockRules rulesOf(uint32_t version, size_t *size) {
    static const uint8_t fileRights[] = {13, 14, 15, 15, 16}; /* number of rights of versions 1 to 5 */
    const size_t last = sizeof fileRights - 1;
    LandlockRules rules = {.files = (1ull << fileRights[version > last ? last : version - 1]) - 1};
    *size = offsetof(LandlockRules, network);
    if (version >= 4) {
        rules.network = 3; /* bind and connect with TCP */
        *size = offsetof(LandlockRules, scopes);
    }
    if (version >= 6) {
        rules.scopes = 3; /* abstract sockets and signals of other processes */
        *size = sizeof rules;
    }
    return rules;
}

/* Files below `path`, or the file `path`, stay readable. */
static bool allowReading(int rules, const char *path) {
    struct landlock_path_beneath_attr below = {.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE};
    below.parent_fd = open(path, O_PATH | O_CLOEXEC);
    bool good =
        below.parent_fd >= 0 && syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &below, 0) == 0;
    int reason = errno;
    if (below.parent_fd >= 0) {
        close(below.parent_fd);
    }
    errno = reason;
    return good;
}

static bool enterLandlock(const char *path, uint32_t version, EngineError *error) {
    size_t size;
    LandlockRules withheld = rulesOf(version, &size);
    int rules = (int)syscall(SYS_landlock_create_ruleset, &withheld, size, 0);
    char *folder = pathFolder(path);
    bool good = rules >= 0 && allowReading(rules, folder[0] ? folder : ".") && allowReading(rules, path) &&
                syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    if (!good) {
        fail(error, "landlock");
    }
    if (rules >= 0) {
        close(rules);
    }
    free(folder);
    return good;
}

/* ---- seccomp: system calls ---- */

/* With any arguments. They read, compute, or end the process. */
static const int CALLS[] = {
    /* memory */
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(futex),
    /* reading, where landlock allows it */
    SCMP_SYS(read),
    SCMP_SYS(pread64),
    SCMP_SYS(lseek),
    SCMP_SYS(close),
    SCMP_SYS(fstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(stat),
    SCMP_SYS(lstat),
    SCMP_SYS(statx),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    /* clocks and identity */
    SCMP_SYS(clock_gettime),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(getrandom),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    /* abort() and the end */
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
#ifdef SANITIZED
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(sched_yield),
    /* whether memory can be read is tried by writing it to a pipe */
    SCMP_SYS(pipe),
    SCMP_SYS(pipe2),
#endif
};

/* Flags of open. Each opens for reading only. */
#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_DIRECTORY | O_NOCTTY | 0100000 /* O_LARGEFILE */)

#ifdef SANITIZED
#define WRITES_TO SCMP_CMP_GE
#else
#define WRITES_TO SCMP_CMP_EQ
#endif

/* No memory is placed below it, where null pointers lead. */
#define LOWEST_ADDRESS 65536

/* Calls that are allowed with some arguments: each rule by itself, if its conditions hold. */
static int allowArguments(scmp_filter_ctx filter, int output) {
    const uint32_t writes = ~(uint32_t)OPEN_FLAGS;
    const struct scmp_arg_cmp plain = SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0);
    const struct {
        int call;
        struct scmp_arg_cmp conditions[2]; /* the second one may be zero */
    } rules[] = {
        {SCMP_SYS(open), {SCMP_A1(SCMP_CMP_MASKED_EQ, writes, 0)}},
        {SCMP_SYS(openat), {SCMP_A2(SCMP_CMP_MASKED_EQ, writes, 0)}},
        {SCMP_SYS(mmap), {plain, SCMP_A0(SCMP_CMP_GE, LOWEST_ADDRESS)}},
        {SCMP_SYS(mmap), {plain, SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_FIXED | MAP_FIXED_NOREPLACE, 0)}},
        {SCMP_SYS(mremap), {SCMP_A3(SCMP_CMP_MASKED_EQ, MREMAP_FIXED, 0)}},
        {SCMP_SYS(mprotect), {plain}},
        {SCMP_SYS(madvise), {SCMP_A2(SCMP_CMP_EQ, MADV_DONTNEED)}},
        {SCMP_SYS(madvise), {SCMP_A2(SCMP_CMP_EQ, MADV_FREE)}},
        {SCMP_SYS(madvise), {SCMP_A2(SCMP_CMP_EQ, MADV_HUGEPAGE)}},
#ifdef SANITIZED
        {SCMP_SYS(madvise), {SCMP_A2(SCMP_CMP_EQ, MADV_NOHUGEPAGE)}},
        {SCMP_SYS(madvise), {SCMP_A2(SCMP_CMP_EQ, MADV_DONTDUMP)}},
#endif
        {SCMP_SYS(write), {SCMP_A0(WRITES_TO, (scmp_datum_t)output)}},
        {SCMP_SYS(writev), {SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)output)}},
        {SCMP_SYS(fcntl), {SCMP_A1(SCMP_CMP_EQ, F_GETFL)}},
        {SCMP_SYS(tgkill), {SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid())}},
    };
    int result = 0;
    for (size_t i = 0; result == 0 && i < COUNT_OF(rules); i++) {
        const unsigned count = rules[i].conditions[1].op != _SCMP_CMP_MIN ? 2 : 1;
        result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, rules[i].call, count, rules[i].conditions);
    }
    return result;
}

/* Every other call gives EPERM. */
static bool enterSeccomp(int output, EngineError *error) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    int result = filter ? allowArguments(filter, output) : -ENOMEM;
    for (size_t i = 0; result == 0 && i < COUNT_OF(CALLS); i++) {
        result = seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, CALLS[i], 0, NULL);
    }
    result = result == 0 ? seccomp_load(filter) : result;
    seccomp_release(filter);
    errno = -result;
    return result == 0 || fail(error, "seccomp");
}

/* ---- All ---- */

bool sandboxEnter(const char *path, int output, ImportSandbox *active, EngineError *error) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    active->landlock = version > 0 ? (uint32_t)version : 0;
    active->seccomp = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return fail(error, "no_new_privs");
    }
    return dropCapabilities(path, error) && (active->landlock == 0 || enterLandlock(path, active->landlock, error)) &&
           (!active->seccomp || enterSeccomp(output, error));
}
