#include "spool.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

static char folder[PATH_MAX / 2], path[PATH_MAX]; /* what a signal removes; folder empty: nothing */

void spoolEnd(void) {
    if (folder[0] != '\0') {
        unlink(path);
        rmdir(folder);
        folder[0] = '\0';
    }
}

/* Returns an errno value. */
static int copyInput(void) {
    char bytes[65536];
    FILE *file = fopen(path, "wbx");
    int reason = file ? 0 : errno;
    size_t size;
    while (reason == 0 && (size = fread(bytes, 1, sizeof bytes, stdin)) > 0) {
        errno = 0;
        reason = fwrite(bytes, 1, size, file) == size ? 0 : errno ? errno : EIO;
    }
    if (file && fclose(file) != 0 && reason == 0) {
        reason = errno;
    }
    return reason == 0 && ferror(stdin) ? EIO : reason;
}

const char *spoolBegin(const char *ending, EngineError *error) {
    const char *place = getenv("TMPDIR");
    char made[sizeof folder];
    if (isatty(STDIN_FILENO)) {
        engineFail(error, "-: standard input is a terminal");
        return NULL;
    }
    const int length = snprintf(made, sizeof made, "%s/vkskin-XXXXXX", place && place[0] ? place : "/tmp");
    if (length < 0 || (size_t)length >= sizeof made || !mkdtemp(made)) {
        engineFail(error, "-: no folder for standard input in '%.200s': %s", place ? place : "/tmp", strerror(errno));
        return NULL;
    }
    snprintf(path, sizeof path, "%s/input.%s", made, ending);
    memcpy(folder, made, sizeof made);
    onSignalAdd(spoolEnd);
    const int reason = copyInput();
    if (reason != 0) {
        spoolEnd();
        engineFail(error, "-: standard input: %s", strerror(reason));
    }
    return reason == 0 ? path : NULL;
}
