#include "terminal.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "measure.h"
#include "options.h"

#define LINE_SIZE 1024

void terminalOpenStandard(void) {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        if (fcntl(descriptor, F_GETFD) < 0) {
            (void)!open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY); /* gets this number */
        }
    }
}

static void (*listener)(void *user, const char *text);
static void *listening;

void sayHear(void (*hear)(void *user, const char *text), void *user) {
    listener = hear;
    listening = user;
}

static void pass(const char *text) {
    if (listener) {
        listener(listening, text);
    }
}

void sayClean(FILE *file, const char *text) {
    while (*text) {
        size_t length = utf8Length(text);
        if (length == 0) {
            fputc('?', file);
            length = 1;
        } else {
            fwrite(text, 1, length, file);
        }
        text += length;
    }
}

void sayName(FILE *file, const char *name) {
    sayClean(file, name[0] ? name : "(no name)");
    fputc('\n', file);
}

void sayLines(FILE *file, const char *text) {
    if (file == stderr) {
        pass(text);
    }
    while (*text) {
        char line[LINE_SIZE];
        size_t length = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), text);
        sayClean(file, line);
        fputc('\n', file);
        text += length + (text[length] == '\n');
    }
    fflush(file); /* readers of a pipe must not wait until the window closes */
}

void sayReloaded(const char *path) {
    sayClean(stdout, path);
    puts(": reloaded");
    fflush(stdout);
}

/* kind: "" or "warning: ". */
static void sayLine(const char *verb, const char *kind, const char *text) {
    fprintf(stderr, "vkskin%s%s: %s", verbJoint(verb), verb, kind);
    sayClean(stderr, text);
    fputc('\n', stderr);
}

static char firstFailure[LINE_SIZE];

const char *saidFailure(void) {
    return firstFailure;
}

int sayFailure(const char *verb, const char *format, ...) {
    char line[LINE_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    if (firstFailure[0] == '\0') {
        snprintf(firstFailure, sizeof firstFailure, "%s", line);
    }
    sayLine(verb, "", line);
    return EXIT_FAILED;
}

int sayEnd(const char *verb, bool good, const EngineError *error) {
    return good ? EXIT_GOOD : sayFailure(verb, "%s", error->message);
}

void sayWarning(const char *verb, const char *format, ...) {
    char line[LINE_SIZE];
    va_list values;
    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    pass(line);
    sayLine(verb, "warning: ", line);
}

void sayFiles(const char *verb, const char *what, const char *path, uint32_t from, uint32_t count) {
    char first[PATH_MAX], last[PATH_MAX], line[LINE_SIZE];
    if (count == 0) {
        return;
    }
    atomicFileNumbered(first, path, from);
    atomicFileNumbered(last, path, from + count - 1);
    if (count == 1) {
        snprintf(line, sizeof line, "1 %s: %.300s", what, first);
    } else {
        snprintf(line, sizeof line, "%u %ss: %.300s to %.300s", count, what, first, last);
    }
    sayLine(verb, "", line);
}

const char *quantityCount(char text[QUANTITY_SIZE], uint64_t count) {
    char digits[24];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
    size_t used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            text[used++] = ',';
        }
        text[used++] = digits[i];
    }
    text[used] = '\0';
    return text;
}

const char *quantityScaled(char text[QUANTITY_SIZE], double value, const char *unit) {
    static const char *const PREFIXES[] = {"", "k", "M", "G", "T"};
    size_t prefix = 0;
    while (value >= 999.95 && prefix + 1 < sizeof PREFIXES / sizeof PREFIXES[0]) {
        value /= 1000.0;
        prefix++;
    }
    int decimals = value >= 99.95 || value == 0.0 ? 0 : value >= 9.995 ? 1 : 2;
    const char *space = PREFIXES[prefix][0] || unit[0] ? " " : "";
    snprintf(text, QUANTITY_SIZE, "%.*f%s%s%s", decimals, value, space, PREFIXES[prefix], unit);
    return text;
}

#define FIRST_AFTER (1000.0 / 3.0) /* milliseconds */
#define AGAIN_AFTER 100.0
#define BAR_WIDTH   24 /* characters */

static bool standsOnTerminal(void) {
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

/* Whether the line is visible, for the signal handler. */
static volatile sig_atomic_t lineStands;

static void eraseOnSignal(void) {
    static const char ERASE[] = "\r\033[K";
    if (lineStands) {
        ssize_t written = write(STDERR_FILENO, ERASE, sizeof ERASE - 1);
        (void)written; /* the program ends anyway */
    }
}

/* Two, so that a signal finds one that is complete. */
static char sayings[2][256];
static const char *volatile saying;

static void sayOnSignal(void) {
    if (saying) {
        eraseOnSignal();
        ssize_t written = write(STDERR_FILENO, saying, strlen(saying));
        (void)written; /* the program ends anyway */
    }
}

void interruptionSays(const char *line) {
    char *free = saying == sayings[0] ? sayings[1] : sayings[0];
    snprintf(free, sizeof sayings[0], "%.*s\n", (int)sizeof sayings[0] - 2, line);
    saying = line[0] ? free : NULL;
    onSignalAdd(sayOnSignal);
}

void progressBegin(Progress *progress, const char *what, uint64_t total) {
    *progress = (Progress){.what = what, .total = total, .live = standsOnTerminal()};
    progress->begun = progress->since = measureNow();
    progress->counted = what;
}

/* "40 s", "3 min" or "2.5 h". */
static void formatSpan(char text[QUANTITY_SIZE], double milliseconds) {
    const double seconds = ceil(milliseconds / 1000.0);
    if (seconds < 100.0) {
        snprintf(text, QUANTITY_SIZE, "%.0f s", seconds);
    } else if (seconds < 6000.0) {
        snprintf(text, QUANTITY_SIZE, "%.0f min", seconds / 60.0);
    } else {
        snprintf(text, QUANTITY_SIZE, "%.1f h", seconds / 3600.0);
    }
}

static void showCounted(const Progress *progress, uint64_t done, double time) {
    char bar[BAR_WIDTH + 1], span[QUANTITY_SIZE];
    const uint64_t filled = done < progress->total ? done * BAR_WIDTH / progress->total : BAR_WIDTH;
    memset(bar, '-', BAR_WIDTH);
    memset(bar, '#', (size_t)filled);
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r%s: [%s] %" PRIu64 " of %" PRIu64 " (%" PRIu64 " %%)", progress->what, bar, done,
            progress->total, done * 100 / progress->total);
    if (done > progress->from && done < progress->total) {
        formatSpan(span, (time - progress->since) / (double)(done - progress->from) * (double)(progress->total - done));
        fprintf(stderr, ", %s left", span);
    }
    fputs("\033[K", stderr);
}

void progressShow(Progress *progress, uint64_t done) {
    if (!progress->live) {
        return;
    }
    double time = measureNow();
    if (progress->counted != progress->what) { /* another part of the work */
        progress->counted = progress->what;
        progress->since = time;
        progress->from = done;
    }
    bool due = progress->shown > 0.0 ? time - progress->shown >= AGAIN_AFTER : time - progress->begun >= FIRST_AFTER;
    if (!due) {
        return;
    }
    if (progress->shown == 0.0) {
        onSignalAdd(eraseOnSignal);
    }
    progress->shown = time;
    lineStands = 1;
    if (progress->total > 0) {
        showCounted(progress, done, time);
    } else {
        char span[QUANTITY_SIZE];
        formatSpan(span, time - progress->begun);
        fprintf(stderr, "\r%s, %s\033[K", progress->what, span);
    }
    fflush(stderr);
}

void progressErase(Progress *progress) {
    if (progress->shown > 0.0) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->shown = 0.0;
        lineStands = 0;
    }
}
