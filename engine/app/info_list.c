#include "info_list.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "builtin_model.h"
#include "content.h"
#include "count_of.h"
#include "document.h"
#include "import.h"
#include "model_faults.h"
#include "model_load.h"
#include "terminal.h"

/* ---- The files ---- */

typedef struct Files {
    char **paths; /* [count]; owned */
    uint32_t count;
    bool good;
} Files;

static void addFile(Files *files, const char *path) {
    char **longer = files->good ? reallocarray(files->paths, files->count + 1, sizeof *longer) : NULL;
    if (!longer) {
        files->good = false;
        return;
    }
    files->paths = longer;
    files->paths[files->count] = strdup(path);
    files->good = files->good && files->paths[files->count];
    files->count += files->good;
}

/* A .json file may hold anything: an export of Spine begins with its skeleton. */
static bool beginsAsSpine(const char *path) {
    char head[64] = "";
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(head, 1, sizeof head - 1, file) : 0;
    if (file) {
        fclose(file);
    }
    head[size] = '\0';
    return strstr(head, "\"skeleton\"") != NULL;
}

/* Whether a file of a folder is a model, by its name. */
static bool isModel(const char *path) {
    return importIsNamed(path) && (!contentIsFlatName(path) || beginsAsSpine(path));
}

/* All models of a folder and those below, by name. Links to folders are not followed: they may form circles. */
static void addFolder(Files *files, const char *folder) {
    struct dirent **entries = NULL;
    const int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[PATH_MAX];
        struct stat status;
        const int length = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && length < PATH_MAX && lstat(path, &status) == 0) {
            if (S_ISDIR(status.st_mode)) {
                addFolder(files, path);
            } else if (isModel(path)) {
                addFile(files, path);
            }
        }
        free(entries[i]);
    }
    free(entries);
}

static bool isFolder(const char *path) {
    struct stat status;
    return !builtinIsNamed(path) && stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool infoIsList(const Arguments *arguments) {
    return arguments->operandCount > 1 || isFolder(arguments->operands[0]);
}

/* A folder without models stays in the list, as a file that cannot be read. */
static bool listFiles(const Arguments *arguments, Files *files, EngineError *error) {
    static const char *const OF_ONE[] = {"max-bones", "max-error"};
    for (size_t i = 0; i < COUNT_OF(OF_ONE); i++) {
        if (optionsValue(arguments, OF_ONE[i])->given) {
            return engineFail(error, "--%s is for one file", OF_ONE[i]);
        }
    }
    for (uint32_t i = 0; i < arguments->operandCount; i++) {
        const uint32_t before = files->count;
        if (isFolder(arguments->operands[i])) {
            addFolder(files, arguments->operands[i]);
        }
        if (files->count == before) {
            addFile(files, arguments->operands[i]);
        }
    }
    return files->good || engineFail(error, "out of memory");
}

/* ---- The list ---- */

/* reason: null: the file was read. faults: NAN: not looked for. */
static void addRow(Document *document, const char *path, const ContentCounts *counts, double faults,
                   const char *reason) {
    const bool read = !reason;
    TABLE_ROW(document, cellNumber(numberIf(read, counts->vertices), 0),
              cellNumber(numberIf(read, counts->triangles), 0), cellNumber(numberIf(read, counts->nodes), 0),
              cellNumber(numberIf(read, counts->clips), 0), cellNumber(numberIf(read, counts->seconds), 2),
              cellNumber(numberIf(read, counts->warnings), 0), cellText(path), cellNumber(faults, 0), cellText(reason));
}

/* NAN: none were looked for. */
static bool countFaults(const Arguments *arguments, const Model *model, double *count, EngineError *error) {
    *count = (double)NAN;
    if (!optionsValue(arguments, "check")->given || contentIsFlat(model)) {
        return true;
    }
    ModelFaults faults;
    const bool good = modelFindFaults(model, &faults, error);
    *count = (double)faults.total;
    modelFreeFaults(model, &faults);
    return good;
}

/* One bad file is a line on standard error, and a row. Returns an exit status. */
static int listFile(const Arguments *arguments, const char *path, Document *document) {
    EngineError error = {.message = ""};
    const bool empty = isFolder(path) && !engineFail(&error, "%s: no models in this folder", path);
    Model *model = empty ? NULL : modelLoad(arguments, path, MODEL_OR_CLIPS, NULL, &error);
    const ContentCounts counts = model ? contentCounts(model) : (ContentCounts){0};
    double faults = (double)NAN;
    const bool good = model && countFaults(arguments, model, &faults, &error);
    addRow(document, path, &counts, faults, good ? NULL : error.message);
    fflush(stdout);
    modelFree(model);
    if (!good) {
        return sayFailure(arguments->verb->name, "%s", error.message);
    }
    return faults > 0.0 ? EXIT_FAULTS : EXIT_GOOD;
}

int infoList(const Arguments *arguments) {
    const bool checks = optionsValue(arguments, "check")->given;
    const Column columns[] = {{"vertices", "vertices", 10},
                              {"triangles", "triangles", 11},
                              {"nodes", "nodes", 7},
                              {"clips", "clips", 7},
                              {"seconds", "seconds", 10},
                              {"warnings", "warnings", 10},
                              {"file", "file", 0},
                              {checks ? "faults" : NULL, "faults", 8},
                              {NULL, "error", 0}};
    EngineError error = {.message = ""};
    Files files = {.good = true};
    bool good = listFiles(arguments, &files, &error);
    int worst = EXIT_GOOD; /* files that are not read are worse than faults */
    Document document = documentOf(arguments, "infolist", 0, 0);
    tableBegin(&document, "models", NULL, columns, COUNT_OF(columns));
    for (uint32_t i = 0; i < files.count && good; i++) {
        const int status = listFile(arguments, files.paths[i], &document);
        worst = status == EXIT_GOOD || worst == EXIT_FAILED ? worst : status;
    }
    good = documentEnd(&document, arguments, good, &error);
    for (uint32_t i = 0; i < files.count; i++) {
        free(files.paths[i]);
    }
    free(files.paths);
    const int status = sayEnd(arguments->verb->name, good, &error);
    return status == EXIT_GOOD ? worst : status;
}
