#include "spool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "files.h"

static const Spool *current; /* what a signal removes */

void spoolEnd(void) {
    if (current) {
        unlink(current->path);
        rmdir(current->folder);
        current = NULL;
    }
}

/* Returns an errno value. */
static int copyInput(const char *path) {
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

bool spoolBegin(Spool *spool, const char *ending, EngineError *error) {
    const char *place = getenv("TMPDIR");
    if (isatty(STDIN_FILENO)) {
        return engineFail(error, "-: standard input is a terminal");
    }
    const int length =
        snprintf(spool->folder, sizeof spool->folder, "%s/vkskin-XXXXXX", place && place[0] ? place : "/tmp");
    if (length < 0 || (size_t)length >= sizeof spool->folder || !mkdtemp(spool->folder)) {
        return engineFail(error, "-: no folder for standard input in '%.200s': %s", place ? place : "/tmp",
                          strerror(errno));
    }
    snprintf(spool->path, sizeof spool->path, "%s/input.%s", spool->folder, ending);
    current = spool;
    onSignalAdd(spoolEnd);
    const int reason = copyInput(spool->path);
    if (reason != 0) {
        spoolEnd();
        return engineFail(error, "-: standard input: %s", strerror(reason));
    }
    return true;
}
