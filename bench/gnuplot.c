#include "gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_THERE 127 /* the child's status where the program could not be started */

/* In the child, from here to the program's start: async-signal-safe calls alone, the drivers have threads. */
static void become(const char *folder, const char *variable, const char *script, int output) {
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0 && chdir(folder) == 0) {
        execlp("gnuplot", "gnuplot", "-e", variable, script, (char *)NULL);
    }
    _exit(NOT_THERE);
}

/* What went wrong is in the last line that names a line of the script, else in the first one. Closes the descriptor. */
static void keepLine(int output, char *line, size_t size) {
    char text[256];
    FILE *stream = fdopen(output, "r");
    snprintf(line, size, "it told nothing");
    for (bool first = true; stream && fgets(text, sizeof text, stream); first = false) {
        text[strcspn(text, "\r\n")] = '\0';
        if (first || strstr(text, "line ")) {
            snprintf(line, size, "%s", text);
        }
    }
    if (stream) {
        fclose(stream);
    } else {
        close(output);
    }
}

/* The exit status; -1 where a signal ended it. */
static int waitFor(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* True where the script ran to its end. */
static bool runScript(const char *folder, const char *variable, const char *script, EngineError *error) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return engineFail(error, "gnuplot: %s", strerror(errno));
    }
    const pid_t child = fork();
    if (child == 0) {
        become(folder, variable, script, ends[1]);
    }
    close(ends[1]);
    if (child < 0) {
        close(ends[0]);
        return engineFail(error, "gnuplot: %s", strerror(errno));
    }
    char line[256];
    keepLine(ends[0], line, sizeof line);
    const int status = waitFor(child);
    if (status == NOT_THERE) {
        return engineFail(error, "gnuplot is not there (package gnuplot-nox)");
    }
    return status == 0 || engineFail(error, "gnuplot %s: %.200s", script, line);
}

bool gnuplotRun(const char *folder, const char *name, EngineError *error) {
    char variable[128], script[64], unfinished[PATH_MAX], picture[PATH_MAX];
    snprintf(variable, sizeof variable, "picture='%s.png.part'", name);
    snprintf(script, sizeof script, "%s.gp", name);
    if (snprintf(unfinished, sizeof unfinished, "%s/%s.png.part", folder, name) >= PATH_MAX ||
        snprintf(picture, sizeof picture, "%s/%s.png", folder, name) >= PATH_MAX) {
        return engineFail(error, "%.200s: the name is too long", folder);
    }
    bool good = runScript(folder, variable, script, error);
    if (good && rename(unfinished, picture) != 0) {
        good = engineFail(error, "%.200s: %s", picture, strerror(errno));
    }
    if (!good) {
        unlink(unfinished);
        unlink(picture);
    }
    return good;
}
