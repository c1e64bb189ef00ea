#include "crash_watch.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "count_of.h"

static const int SIGNALS[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};

/* A handler may run on a thread of the driver while a line changes: it reads the one that was complete. */
static char lines[2][CRASH_WATCH_SIZE];
static const char *volatile shown;
static bool watched[COUNT_OF(SIGNALS)];

static void handle(int number) {
    const char *line = shown;
    if (line) {
        ssize_t written = write(STDERR_FILENO, line, strlen(line));
        (void)written; /* the program ends anyway */
    }
    signal(number, SIG_DFL);
    raise(number);
}

void crashWatchBegin(const char *line) {
    char *free = shown == lines[0] ? lines[1] : lines[0];
    /* A progress line may stand on the terminal. */
    snprintf(free, CRASH_WATCH_SIZE, "%s%.*s\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", CRASH_WATCH_SIZE - 8, line);
    shown = free;
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        struct sigaction former, action = {.sa_handler = handle};
        sigemptyset(&action.sa_mask);
        if (!watched[i] && sigaction(SIGNALS[i], NULL, &former) == 0 && former.sa_handler == SIG_DFL) {
            watched[i] = sigaction(SIGNALS[i], &action, NULL) == 0;
        }
    }
}

void crashWatchEnd(void) {
    for (size_t i = 0; i < COUNT_OF(SIGNALS); i++) {
        if (watched[i]) {
            signal(SIGNALS[i], SIG_DFL);
            watched[i] = false;
        }
    }
}
