#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_error.h"
#include "files.h"
#include "report_plots.h"
#include "report_text.h"

#define NOT_THERE 127 /* exit status of the child if the program cannot be started */

/* Runs in the child. Only async-signal-safe calls, because the drivers have threads. */
static void become(const char *folder, const char *variable, const char *script, int output) {
    const int nothing = open("/dev/null", O_RDONLY);
    if (nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
        dup2(output, STDERR_FILENO) >= 0 && chdir(folder) == 0) {
        execlp("gnuplot", "gnuplot", "-e", variable, script, (char *)NULL);
    }
    _exit(NOT_THERE);
}

/* Keeps the line with the error: the last one that names a line of the script, else the first. Closes `output`. */
static void keepLine(int output, char *line, size_t size) {
    char text[256];
    FILE *stream = fdopen(output, "r");
    snprintf(line, size, "it printed nothing");
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

/* The exit status; -1: ended by a signal. */
static int waitFor(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* True: the script ran to its end. */
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
        return engineFail(error, "gnuplot is not installed (package gnuplot-nox)");
    }
    return status == 0 || engineFail(error, "gnuplot %s: %.200s", script, line);
}

/*
 * Runs `gnuplot NAME.gp` in the folder. The script draws into the file named by its variable `picture`, which is then
 * renamed to NAME.png. On failure an older NAME.png is removed, because it would not show the new data.
 */
static bool gnuplotRun(const char *folder, const char *name, EngineError *error) {
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

/* The input of the functions that write files. */
typedef struct Content {
    const BenchRun *run;
    bool drawn[PLOT_COUNT];
    Plot plot;    /* for its data and its script */
    bool missing; /* a plot could not be drawn, and a line said so */
} Content;

static bool fileName(char path[PATH_MAX], const char *folder, const char *name, const char *ending,
                     EngineError *error) {
    return snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) < PATH_MAX ||
           engineFail(error, "%.200s: the name is too long", folder);
}

bool reportCheck(const char *folder, EngineError *error) {
    struct stat info;
    char path[PATH_MAX];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return engineFail(error, "%.200s: the folder cannot be made: %s", folder, strerror(errno));
    }
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return engineFail(error, "%.200s: is no folder", folder);
    }
    return fileName(path, folder, "report", ".md", error) && atomicFileCheck(path, error);
}

/* ---- Files ---- */

static void writeText(FILE *stream, const Content *content) {
    reportText(stream, content->run, content->drawn);
}

static void writeNumbers(FILE *stream, const Content *content) {
    writeJson(stream, content->run);
}

static void writeData(FILE *stream, const Content *content) {
    plotData(stream, content->plot, content->run);
}

static void writeScript(FILE *stream, const Content *content) {
    plotScript(stream, content->plot, content->run);
}

typedef void (*WriteFn)(FILE *stream, const Content *content);

static bool writeFile(const char *folder, const char *name, const char *ending, WriteFn write, const Content *content,
                      EngineError *error) {
    char path[PATH_MAX];
    AtomicFile file;
    if (!fileName(path, folder, name, ending, error) || !atomicFileBegin(&file, path, error)) {
        return false;
    }
    write(file.stream, content);
    return atomicFileCommit(&file, error);
}

/* ---- The report ---- */

static bool removeFile(const char *folder, const char *name, const char *ending, EngineError *error) {
    char path[PATH_MAX];
    return fileName(path, folder, name, ending, error) &&
           (unlink(path) == 0 || errno == ENOENT || engineFail(error, "%.200s: %s", path, strerror(errno)));
}

/* Removes the files of an earlier report. */
static bool removePlot(const char *folder, const char *name, EngineError *error) {
    return removeFile(folder, name, ".dat", error) && removeFile(folder, name, ".gp", error) &&
           removeFile(folder, name, ".png", error);
}

static bool writePlot(const char *folder, Content *content, EngineError *error) {
    const char *name = plotName(content->plot);
    EngineError why = {{0}};
    if (!plotHasData(content->plot, content->run)) {
        return removePlot(folder, name, error);
    }
    if (!writeFile(folder, name, ".dat", writeData, content, error) ||
        !writeFile(folder, name, ".gp", writeScript, content, error)) {
        return false;
    }
    content->drawn[content->plot] = gnuplotRun(folder, name, &why);
    if (!content->drawn[content->plot] && !content->missing) {
        fprintf(stderr, "vkskin-bench: %s: no plots, only their data: %s\n", folder, why.message);
        content->missing = true;
    }
    return true;
}

static bool writeAll(const BenchRun *run, const char *folder, EngineError *error) {
    Content content = {.run = run};
    bool good = true;
    for (Plot plot = 0; good && plot < PLOT_COUNT; plot++) {
        content.plot = plot;
        good = writePlot(folder, &content, error);
    }
    return good && writeFile(folder, "report", ".json", writeNumbers, &content, error) &&
           writeFile(folder, "report", ".md", writeText, &content, error);
}

bool reportWrite(const BenchRun *run, const char *folder, EngineError *error) {
    return reportCheck(folder, error) && writeAll(run, folder, error);
}
