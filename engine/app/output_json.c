#include "output_json.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "atomic_file.h"
#include "say.h"

bool outputJsonIsStandard(const OptionValue *option) {
    return option->text && strcmp(option->text, "-") == 0;
}

const char *outputJsonFile(const OptionValue *option) {
    return outputJsonIsStandard(option) ? NULL : option->text;
}

int outputJsonCheck(const char *verb, const OptionValue *option) {
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    const char *path = outputJsonFile(option);
    return path && !atomicFileCheck(path, message) ? sayFailure(verb, "%s", message) : EXIT_GOOD;
}

static bool writeFile(const char *json, const char *path, EngineError *error) {
    AtomicFile file;
    char message[ATOMIC_FILE_MESSAGE_SIZE];
    bool good = atomicFileBegin(&file, path, message);
    if (good) {
        fprintf(file.stream, "%s\n", json);
        good = atomicFileCommit(&file, message);
    }
    return good || engineFail(error, "%s", message);
}

bool outputJsonWrite(char *json, const OptionValue *option, EngineError *error) {
    bool good = true;
    if (!json) {
        return engineFail(error, "out of memory");
    }
    if (outputJsonIsStandard(option)) {
        puts(json);
    } else {
        good = writeFile(json, option->text, error);
    }
    cJSON_free(json);
    return good;
}
