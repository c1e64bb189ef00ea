#include "sequence.h"

#include <string.h>

#include "files.h"

#define LINE_SIZE 256

static char line[LINE_SIZE]; /* empty: nothing is kept */

bool sequenceFinished(const Arguments *arguments, uint32_t index, EngineError *error) {
    const OptionValue *value = optionsValue(arguments, "sequence");
    const OptionSeries *series = &value->series;
    const char *text = value->text;
    size_t length = 0;
    if (!optionsValue(arguments, "keep")->given) {
        return true;
    }
    if (!atomicFilesCommit(error)) {
        return false;
    }
    for (int colons = 0; text[length] && colons + (text[length] == ':') < 3; length++) { /* FROM:TO:FPS */
        colons += text[length] == ':';
    }
    line[0] = '\0';
    if (index + 1 < series->count) {
        snprintf(line, sizeof line, "vkskin %s: %u of %u files are kept; --sequence %.*s:%u makes the rest",
                 arguments->verb->name, index + 1, series->count, (int)length, text, series->first + index + 1);
    }
    interruptionSays(line);
    return true;
}

void sequenceFailed(void) {
    if (line[0]) {
        fprintf(stderr, "%s\n", line);
    }
    interruptionSays("");
}

bool sequenceWrite(const Arguments *arguments, Progress *progress, SequenceFileFn file, void *user,
                   EngineError *error) {
    const OptionSeries *series = &optionsValue(arguments, "sequence")->series;
    const char *path = optionsValue(arguments, "output")->text;
    bool good = series->count > 0 || file(user, 0.0, path, error);
    for (uint32_t i = 0; i < series->count && good; i++) {
        char name[PATH_MAX];
        atomicFileNumbered(name, path, series->first + i);
        good = file(user, series->from + i / series->perSecond, name, error) && sequenceFinished(arguments, i, error);
        progressShow(progress, i + 1);
    }
    progressErase(progress);
    good = good && atomicFilesCommit(error);
    if (!good) {
        sequenceFailed();
    }
    atomicFilesDrop();
    return good;
}
