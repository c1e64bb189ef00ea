#include "output_apart.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "atomic_file.h"
#include "say.h"

static bool sameInode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *baseName(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Two names of which neither is there yet. */
static bool wouldBeSame(const char *a, const char *b) {
    char folderA[PATH_MAX], folderB[PATH_MAX];
    struct stat infoA, infoB;
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

int outputsCheckApart(const Arguments *arguments, const char *verb, const OutputName *outputs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        const OutputName *output = &outputs[i];
        for (uint32_t j = 0; output->path && j < i; j++) {
            if (outputs[j].path && sameFile(output->path, outputs[j].path)) {
                sayFailure(verb, "%s and %s name one file, '%s': each needs its own", outputs[j].option, output->option,
                           output->path);
                return EXIT_USAGE;
            }
        }
        for (uint32_t j = 0; output->path && j < arguments->operandCount; j++) {
            if (sameFile(output->path, arguments->operands[j])) {
                sayFailure(verb, "%s names a file that is read, '%s': it would be overwritten", output->option,
                           output->path);
                return EXIT_USAGE;
            }
        }
    }
    return EXIT_GOOD;
}
