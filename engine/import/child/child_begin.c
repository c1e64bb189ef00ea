/* The child's side of child.h. */
#include "child.h"

#include "blob.h"
#include "sandbox.h"

#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* What the parent orders. */
typedef struct Order {
    int parent;
    unsigned seconds;
    unsigned long long bytes;
    int locks;
} Order;

void childOutOfMemory(void) {
    _exit(CHILD_EXIT_NO_MEMORY);
}

void *childAllocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory) {
        childOutOfMemory();
    }
    return memory;
}

char *childCopyText(const char *text) {
    char *copy = strdup(text ? text : "");
    if (!copy) {
        childOutOfMemory();
    }
    return copy;
}

void childWarn(Model *model, const char *format, ...) {
    char text[512];
    va_list values;
    va_start(values, format);
    vsnprintf(text, sizeof text, format, values);
    va_end(values);
    if (!modelWarn(model, "%s", text)) {
        childOutOfMemory();
    }
}

/* Bytes of address space in use. The limit is added to it: libraries and sanitizers map far more than they touch. */
static uint64_t addressSpaceInUse(void) {
    char line[128] = "";
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (!fgets(line, sizeof line, file)) {
            line[0] = '\0';
        }
        fclose(file);
    }
    return (uint64_t)strtoull(line, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Limits that are already lower stay. */
static void setLimit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) == 0) {
        limit.rlim_max = hard < limit.rlim_max ? hard : limit.rlim_max;
        limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
        setrlimit(resource, &limit);
    }
}

static void setLimits(const Order *order) {
    rlim_t space = addressSpaceInUse() + order->bytes;
    setLimit(RLIMIT_AS, space, space);
    setLimit(RLIMIT_CPU, order->seconds, (rlim_t)order->seconds + 1); /* at the hard limit SIGKILL follows SIGXCPU */
    setLimit(RLIMIT_CORE, 0, 0);
    setLimit(RLIMIT_FSIZE, 0, 0);
    setLimit(RLIMIT_NPROC, 0, 0);
    /* A core pattern that is a pipe ignores the limit of 0. A process that is not dumpable leaves no core at all. */
    prctl(PR_SET_DUMPABLE, 0);
}

/* What the host ignores or blocks would stay so. Handlers of a sanitizer would hide how the child ends. */
static void resetSignals(void) {
    sigset_t none;
    for (int number = 1; number < NSIG; number++) {
        signal(number, SIG_DFL);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The kernel ends this process with its parent. The parent may have ended before the kernel knew. */
static void dieWithParent(const Order *order) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != order->parent) {
        _exit(EXIT_FAILURE);
    }
}

/* Answers with the active layers, then, where one failed, with the reason. Nothing of the file has been read yet. */
static void lock(const char *path, bool wanted) {
    ImportSandbox active = {0};
    EngineError error;
    bool good = !wanted || sandboxEnter(path, CHILD_OUTPUT, &active, &error);
    if (write(CHILD_OUTPUT, &active, sizeof active) != (ssize_t)sizeof active) {
        _exit(EXIT_FAILURE);
    }
    if (!good) {
        FILE *file = fdopen(CHILD_OUTPUT, "wb");
        _exit(file && blobWrite(file, NULL, &error) ? EXIT_SUCCESS : EXIT_FAILURE);
    }
}

static bool readOrder(const char *text, Order *order) {
    /* NOLINTNEXTLINE(cert-err34-c): the parent has written the numbers */
    return sscanf(text, CHILD_ORDER, &order->parent, &order->seconds, &order->bytes, &order->locks) == 4;
}

void childBegin(const char *role, int count, char **texts, ImportWork work) {
    Order order;
    if (count != 3 || strcmp(texts[0], role) != 0 || !readOrder(texts[1], &order)) {
        return;
    }
    dieWithParent(&order);
    resetSignals();
    setLimits(&order);
    lock(texts[2], order.locks);
    _exit(work(texts[2], CHILD_OUTPUT));
}
