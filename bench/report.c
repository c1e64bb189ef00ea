#include "report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "atomic_file.h"
#include "gnuplot.h"
#include "report_plots.h"
#include "report_text.h"
#include "write_json.h"

/* What a file of the report is written from. */
typedef struct Content {
    const BenchRun *run;
    bool drawn[PLOT_COUNT];
    Plot plot;    /* of its data and its script */
    bool missing; /* a plot could not be drawn, which was told */
} Content;

static bool fileName(char path[PATH_MAX], const char *folder, const char *name, const char *ending,
                     EngineError *error) {
    return snprintf(path, PATH_MAX, "%s/%s%s", folder, name, ending) < PATH_MAX ||
           engineFail(error, "%.200s: the name is too long", folder);
}

bool reportCheck(const char *folder, EngineError *error) {
    struct stat info;
    char path[PATH_MAX], message[ATOMIC_FILE_MESSAGE_SIZE];
    if (mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return engineFail(error, "%.200s: the folder cannot be made: %s", folder, strerror(errno));
    }
    if (stat(folder, &info) != 0 || !S_ISDIR(info.st_mode)) {
        return engineFail(error, "%.200s: is no folder", folder);
    }
    return fileName(path, folder, "report", ".md", error) &&
           (atomicFileCheck(path, message) || engineFail(error, "%s", message));
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
    char path[PATH_MAX], message[ATOMIC_FILE_MESSAGE_SIZE];
    AtomicFile file;
    if (!fileName(path, folder, name, ending, error)) {
        return false;
    }
    if (!atomicFileBegin(&file, path, message)) {
        return engineFail(error, "%s", message);
    }
    write(file.stream, content);
    return atomicFileCommit(&file, message) || engineFail(error, "%s", message);
}

/* ---- The report ---- */

static bool removeFile(const char *folder, const char *name, const char *ending, EngineError *error) {
    char path[PATH_MAX];
    return fileName(path, folder, name, ending, error) &&
           (unlink(path) == 0 || errno == ENOENT || engineFail(error, "%.200s: %s", path, strerror(errno)));
}

/* Of a former report, which had something to show there. */
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
        fprintf(stderr, "vkskin-bench: %s: plots are missing, their data are there: %s\n", folder, why.message);
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
