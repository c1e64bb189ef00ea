#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "count_of.h"
#include "files.h"
#include "outputs.h"

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

/* Starts gnuplot in the folder, with its output in `output`. Returns 0 or an error number. */
static int start(const char *folder, const char *variable, const char *script, int output, pid_t *child) {
    char *arguments[] = {(char[]){"gnuplot"}, (char[]){"-e"}, (char *)variable, (char *)script, NULL};
    posix_spawn_file_actions_t actions;
    int result = posix_spawn_file_actions_init(&actions);
    if (result != 0) {
        return result;
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, folder);
    result = posix_spawnp(child, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}

/* True: the script ran to its end. */
static bool runScript(const char *folder, const char *variable, const char *script, EngineError *error) {
    int ends[2];
    pid_t child;
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return engineFail(error, "gnuplot: %s", strerror(errno));
    }
    const int started = start(folder, variable, script, ends[1], &child);
    close(ends[1]);
    if (started != 0) {
        close(ends[0]);
        return engineFail(error, "gnuplot %s",
                          started == ENOENT ? "is not installed (package gnuplot-nox)" : strerror(started));
    }
    char line[256];
    keepLine(ends[0], line, sizeof line);
    return waitFor(child) == 0 || engineFail(error, "gnuplot %s: %.200s", script, line);
}

static bool fileName(char path[PATH_MAX], const char *folder, const char *name, const char *ending,
                     EngineError *error) {
    return snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) < PATH_MAX ||
           engineFail(error, "%.200s: the name is too long", folder);
}

/*
 * Runs `gnuplot NAME.gp` in the folder. The script draws into the file named by its variable `picture`, which is then
 * renamed to NAME.png. On failure an older NAME.png is removed, because it would not show the new data.
 */
static bool gnuplotRun(const char *folder, const char *name, EngineError *error) {
    char variable[128], script[64], unfinished[PATH_MAX], picture[PATH_MAX];
    snprintf(variable, sizeof variable, "picture='%s.png.part'", name);
    snprintf(script, sizeof script, "%s.gp", name);
    if (!fileName(unfinished, folder, name, ".png.part", error) || !fileName(picture, folder, name, ".png", error)) {
        return false;
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
    Plot plot;    /* for its script */
    bool missing; /* some plot could not be drawn, and a line said so */
} Content;

static const char *const PLOT_ENDINGS[] = {".gp", ".png"};
#define PLOT_ENDING_COUNT COUNT_OF(PLOT_ENDINGS)

/* Without a report, files with the names of plots are somebody else's. */
static bool hasNoPlot(const char *folder, EngineError *error) {
    char path[PATH_MAX];
    for (size_t i = 0; i < PLOT_COUNT * PLOT_ENDING_COUNT; i++) {
        const char *name = plotName((Plot)(i / PLOT_ENDING_COUNT));
        if (!fileName(path, folder, name, PLOT_ENDINGS[i % PLOT_ENDING_COUNT], error)) {
            return false;
        }
        if (access(path, F_OK) == 0) {
            return engineFail(error, "%.200s: belongs to no report; name another folder, or add --force", path);
        }
    }
    return true;
}

bool reportCheck(const char *folder, bool force, EngineError *error) {
    struct stat info;
    char path[PATH_MAX];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return engineFail(error, "%.200s: the folder cannot be made: %s", folder, strerror(errno));
    }
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return engineFail(error, "%.200s: is no folder", folder);
    }
    return fileName(path, folder, "report", ".md", error) && atomicFileCheck(path, force, error) &&
           fileName(path, folder, "report", ".json", error) && atomicFileCheck(path, force, error) &&
           (force || access(path, F_OK) == 0 || hasNoPlot(folder, error));
}

/* ---- Files ---- */

/* ending: chooses what is written. */
static void writeContent(FILE *stream, const char *ending, const Content *content) {
    if (strcmp(ending, ".md") == 0) {
        reportText(stream, content->run, content->drawn);
    } else {
        plotScript(stream, content->plot, content->run);
    }
}

static bool writeFile(const char *folder, const char *name, const char *ending, const Content *content,
                      EngineError *error) {
    char path[PATH_MAX];
    AtomicFile file;
    if (!fileName(path, folder, name, ending, error) || !atomicFileBegin(&file, path, error)) {
        return false;
    }
    writeContent(file.stream, ending, content);
    return atomicFileCommit(&file, error);
}

/* ---- The report ---- */

/* Removes the files of an earlier report. */
static bool removePlot(const char *folder, const char *name, EngineError *error) {
    char path[PATH_MAX];
    bool good = true;
    for (size_t i = 0; good && i < PLOT_ENDING_COUNT; i++) {
        good = fileName(path, folder, name, PLOT_ENDINGS[i], error) &&
               (unlink(path) == 0 || errno == ENOENT || engineFail(error, "%.200s: %s", path, strerror(errno)));
    }
    return good;
}

static bool writePlot(const char *folder, Content *content, EngineError *error) {
    const char *name = plotName(content->plot);
    EngineError why = {.message = ""};
    if (!plotHasData(content->plot, content->run)) {
        return removePlot(folder, name, error);
    }
    char script[PATH_MAX];
    if (!writeFile(folder, name, ".gp", content, error) || !fileName(script, folder, name, ".gp", error)) {
        return false;
    }
    content->drawn[content->plot] = gnuplotRun(folder, name, &why);
    if (content->drawn[content->plot]) {
        unlink(script);
    } else if (!content->missing) {
        fprintf(stderr, "vkskin-bench: %s: no plots, only their scripts: %s\n", folder, why.message);
        content->missing = true;
    }
    return true;
}

bool reportWrite(const BenchRun *run, const char *folder, EngineError *error) {
    Content content = {.run = run};
    char path[PATH_MAX];
    bool good = reportCheck(folder, true, error);
    for (Plot plot = 0; good && plot < PLOT_COUNT; plot++) {
        content.plot = plot;
        good = writePlot(folder, &content, error);
    }
    return good && fileName(path, folder, "report", ".json", error) &&
           outputJsonWrite(benchJson(run), &(OptionValue){.text = path}, error) &&
           writeFile(folder, "report", ".md", &content, error);
}
