#include "program.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "files.h"
#include "terminal.h"

bool outputJsonIsStandard(const OptionValue *option) {
    return option->text && strcmp(option->text, "-") == 0;
}

const char *outputJsonFile(const OptionValue *option) {
    return outputJsonIsStandard(option) ? NULL : option->text;
}

/* ---- Outputs ---- */

static bool sameInode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *baseName(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* For two names that do not exist yet, or are links to nothing. */
static bool wouldBeSame(const char *first, const char *second) {
    char a[PATH_MAX], b[PATH_MAX], folderA[PATH_MAX], folderB[PATH_MAX];
    struct stat infoA, infoB;
    snprintf(a, sizeof a, "%s", first);
    snprintf(b, sizeof b, "%s", second);
    if (!atomicFileFollow(a) || !atomicFileFollow(b)) {
        return false;
    }
    atomicFileFolder(a, folderA, sizeof folderA);
    atomicFileFolder(b, folderB, sizeof folderB);
    return strcmp(baseName(a), baseName(b)) == 0 && stat(folderA, &infoA) == 0 && stat(folderB, &infoB) == 0 &&
           sameInode(&infoA, &infoB);
}

static bool sameFile(const char *a, const char *b) {
    struct stat infoA, infoB;
    bool thereA = stat(a, &infoA) == 0;
    bool thereB = stat(b, &infoB) == 0;
    if (thereA && thereB) {
        return S_ISREG(infoA.st_mode) && sameInode(&infoA, &infoB);
    }
    return !thereA && !thereB && (strcmp(a, b) == 0 || wouldBeSame(a, b));
}

/* The file that option `index` writes; null: it writes none, or is not given. */
static const char *fileOf(const Arguments *arguments, uint32_t index) {
    const OptionValue *value = &arguments->values[index];
    OptionKind kind = optionsAt(arguments->verb, index)->kind;
    if (kind == OPTION_REPORT) {
        return outputJsonFile(value);
    }
    return kind == OPTION_OUTPUT || kind == OPTION_UPDATED ? value->text : NULL;
}

/* The files to read that the user names, by numbers from 0. "": this option is not one. Null: there are no more. */
static const char *inputAt(const Arguments *arguments, uint32_t number) {
    if (number < arguments->operandCount) {
        return arguments->operands[number];
    }
    number -= arguments->operandCount;
    if (number < arguments->fileCount) {
        return arguments->files[number];
    }
    number -= arguments->fileCount;
    const Option *option = optionsAt(arguments->verb, number);
    const char *text = option && option->kind == OPTION_INPUT ? arguments->values[number].text : NULL;
    return !option ? NULL : text ? text : "";
}

static bool checkApart(const Arguments *arguments, uint32_t index, const char *path) {
    const char *verb = arguments->verb->name;
    char name[48], other[48];
    optionsFormatName(name, sizeof name, optionsAt(arguments->verb, index));
    for (uint32_t i = 0; i < index; i++) {
        const char *earlier = fileOf(arguments, i);
        if (earlier && sameFile(path, earlier)) {
            optionsFormatName(other, sizeof other, optionsAt(arguments->verb, i));
            sayFailure(verb, "%s and %s name the same file, '%s'; use two files", other, name, path);
            return false;
        }
    }
    const char *input;
    for (uint32_t i = 0; (input = inputAt(arguments, i)); i++) {
        if (input[0] != '\0' && sameFile(path, input)) {
            sayFailure(verb, "%s would overwrite the input file '%s'", name, path);
            return false;
        }
    }
    return true;
}

/* A file that option `index` writes. */
static int checkOutput(const Arguments *arguments, uint32_t index, const char *path, void *user) {
    EngineError error;
    (void)user;
    if (!checkApart(arguments, index, path)) {
        return EXIT_USAGE;
    }
    if (optionsAt(arguments->verb, index)->kind != OPTION_UPDATED &&
        !atomicFileCheck(path, optionsValue(arguments, "force")->given, &error)) {
        return sayFailure(arguments->verb->name, "%s", error.message);
    }
    return EXIT_GOOD;
}

bool holdsSequence(const char *path) {
    const size_t length = path ? strlen(path) : 0, ending = sizeof ANIMATED_ENDING - 1;
    return length > ending && strcasecmp(path + length - ending, ANIMATED_ENDING) == 0;
}

/* Calls `check` for each file that the options write, each of a sequence too, up to the first status that is not good. */
static int checkOutputs(const Arguments *arguments, int (*check)(const Arguments *, uint32_t, const char *, void *),
                        void *user) {
    const OptionSeries *series = &optionsValue(arguments, "sequence")->series;
    int status = EXIT_GOOD;
    for (uint32_t i = 0; optionsAt(arguments->verb, i) && status == EXIT_GOOD; i++) {
        const char *path = fileOf(arguments, i);
        bool numbered =
            optionsAt(arguments->verb, i)->kind == OPTION_OUTPUT && series->count > 0 && path && !holdsSequence(path);
        const bool standard =
            path && atomicFileIsStandard(path) && optionsAt(arguments->verb, i)->kind == OPTION_OUTPUT;
        if (standard && (numbered || outputJsonIsStandard(optionsValue(arguments, "json")))) {
            sayFailure(arguments->verb->name, "standard output takes one file: name the other ones");
            return EXIT_USAGE;
        }
        for (uint32_t k = 0; numbered && k < series->count && status == EXIT_GOOD; k++) {
            char name[PATH_MAX];
            atomicFileNumbered(name, path, series->first + k);
            status = check(arguments, i, name, user);
        }
        if (path && !numbered) {
            status = check(arguments, i, path, user);
        }
    }
    return status;
}

/* ---- Outputs and the files of a model ---- */

typedef struct Reading {
    const Model *model;
    const char *path;
    EngineError *error;
} Reading;

static int checkReading(const Arguments *arguments, uint32_t index, const char *path, void *user) {
    const Reading *reading = user;
    char name[48];
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return EXIT_GOOD;
    }
    for (uint32_t i = 0; i < reading->model->fileCount; i++) {
        const ModelFile *file = &reading->model->files[i];
        if (file->device == info.st_dev && file->inode == info.st_ino) {
            optionsFormatName(name, sizeof name, optionsAt(arguments->verb, index));
            engineFail(reading->error, "%s would overwrite '%.200s', which is read with '%.200s'", name, path,
                       reading->path);
            return EXIT_FAILED;
        }
    }
    return EXIT_GOOD;
}

bool outputsSpareModel(const Arguments *arguments, const Model *model, const char *path, EngineError *error) {
    return checkOutputs(arguments, checkReading, &(Reading){model, path, error}) == EXIT_GOOD;
}

/* ---- Running ---- */

static bool readsStandard(const Arguments *arguments) {
    const char *input;
    uint32_t i = 0;
    while ((input = inputAt(arguments, i)) && strcmp(input, "-") != 0) {
        i++;
    }
    return input != NULL;
}

/* Options that mean nothing without another one. */
static bool checkPartners(const Arguments *arguments) {
    const bool files =
        optionsValue(arguments, "sequence")->given && !holdsSequence(optionsValue(arguments, "output")->text);
    if (optionsValue(arguments, "keep")->given && !files) {
        sayFailure(arguments->verb->name,
                   "--keep is for the numbered files of --sequence, which an animated .webp is not");
        return false;
    }
    if (optionsValue(arguments, "format")->given && !readsStandard(arguments)) {
        sayFailure(arguments->verb->name, "--format is for MODEL '-': the name of a file states its format");
        return false;
    }
    return true;
}

int verbRun(const Verb *verb, int count, char **texts) {
    Arguments arguments;
    char message[OPTIONS_MESSAGE_SIZE];
    int status;
    switch (optionsParse(verb, count, texts, &arguments, message)) {
    case OPTIONS_HELP:
        optionsPrintHelp(stdout, verb);
        return EXIT_GOOD;
    case OPTIONS_WRONG:
        sayFailure(verb->name, "%s", message);
        return EXIT_USAGE;
    default:
        if (!checkPartners(&arguments)) {
            return EXIT_USAGE;
        }
        status = checkOutputs(&arguments, checkOutput, NULL);
        return status == EXIT_GOOD ? verb->run(&arguments) : status;
    }
}

int programMain(const Verb *verb, int count, char **texts) {
    terminalOpenStandard();
    signal(SIGXFSZ, SIG_IGN); /* writing beyond the file size limit then returns an error */
    int status = verbRun(verb, count - (count > 0), texts + (count > 0));
    if (fflush(stdout) != 0 || ferror(stdout)) {
        sayFailure(verb->name, "standard output cannot be written: %s", strerror(errno));
        return status == EXIT_GOOD ? EXIT_FAILED : status;
    }
    return status;
}
