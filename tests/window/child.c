#include "child.h"

#include "test.h"

#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

double childNow(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static _Noreturn void become(const char *const *arguments, int output) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (dup2(output, STDOUT_FILENO) >= 0 && dup2(output, STDERR_FILENO) >= 0) {
        execvp(arguments[0], (char *const *)arguments);
        fprintf(stderr, "%s cannot be started\n", arguments[0]);
    }
    _exit(127);
}

void childStart(Child *child, const char *const *arguments) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    *child = (Child){.output = ends[0]};
    fflush(stdout);
    child->pid = fork();
    assert_true(child->pid >= 0);
    if (child->pid == 0) {
        close(ends[0]);
        become(arguments, ends[1]);
    }
    close(ends[1]);
}

void childKill(Child *child) {
    if (child->pid > 0) {
        kill(child->pid, SIGKILL);
        waitpid(child->pid, NULL, 0);
        close(child->output);
    }
    child->pid = 0;
}

static _Noreturn void failWith(Child *child, const char *what, const char *text) {
    char output[CHILD_OUTPUT_SIZE];
    memcpy(output, child->text, sizeof output);
    childKill(child);
    print_error("%s %s; the program printed:\n%s\n", what, text, output);
    fail();
    abort(); /* fail() does not return, but is not declared so */
}

/* Reads what comes within `seconds`. False at the end of the output. */
static bool readSome(Child *child, double seconds) {
    struct pollfd wait = {.fd = child->output, .events = POLLIN};
    int ready = poll(&wait, 1, seconds > 0.0 ? (int)(1000.0 * seconds) + 1 : 0);
    if (ready <= 0) {
        return true;
    }
    size_t room = sizeof child->text - 1 - child->length;
    if (room == 0) {
        failWith(child, "too much output:", "");
    }
    ssize_t count = read(child->output, child->text + child->length, room);
    if (count <= 0) {
        return false;
    }
    child->length += (size_t)count;
    child->text[child->length] = '\0';
    return true;
}

void childExpect(Child *child, const char *text, double seconds) {
    double end = childNow() + seconds;
    while (!strstr(child->text, text)) {
        if (childNow() > end) {
            failWith(child, "in time it did not print", text);
        }
        if (!readSome(child, 0.05)) {
            failWith(child, "it ended without printing", text);
        }
    }
}

void childLetRun(Child *child, double seconds) {
    double end = childNow() + seconds;
    while (childNow() < end) {
        if (!readSome(child, end - childNow())) {
            failWith(child, "it ended", "early");
        }
    }
}

int childWait(Child *child, double seconds) {
    double end = childNow() + seconds;
    while (readSome(child, 0.05)) {
        if (childNow() > end) {
            failWith(child, "it did not end", "in time");
        }
    }
    int status = 0;
    assert_int_equal(waitpid(child->pid, &status, 0), child->pid);
    close(child->output);
    child->pid = 0;
    if (!WIFEXITED(status)) {
        failWith(child, "a signal ended it:", strsignal(WTERMSIG(status)));
    }
    return WEXITSTATUS(status);
}

void childForget(Child *child) {
    child->length = 0;
    child->text[0] = '\0';
}

int childCount(const Child *child, const char *text) {
    int count = 0;
    for (const char *place = strstr(child->text, text); place; place = strstr(place + 1, text)) {
        count++;
    }
    return count;
}

double childProcessorTime(const Child *child) {
    char path[64], text[1024] = "";
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)child->pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    const char *fields = strrchr(text, ')'); /* the program's name before it may hold anything */
    assert_non_null(fields);
    assert_int_equal(sscanf(fields + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system), 2);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}
