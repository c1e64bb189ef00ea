#include "import_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void fixturePath(const char *name, char *path) {
    snprintf(path, PATH_MAX, "%s%s", IMPORT_FIXTURES, name);
}

void realModelPath(const char *name, char *path) {
    snprintf(path, PATH_MAX, "%s%s", IMPORT_MODELS, name);
}

static Model *importOrFail(const char *path) {
    char message[IMPORT_MESSAGE_SIZE];
    Model *model = importModel(path, NULL, message);
    if (!model) {
        fail_msg("%s", message);
    }
    return model;
}

Model *importFixture(const char *name) {
    char path[PATH_MAX];
    fixturePath(name, path);
    return importOrFail(path);
}

Model *importRealModel(const char *name) {
    char path[PATH_MAX];
    realModelPath(name, path);
    return importOrFail(path);
}

void expectRefusal(const char *path, const char *reason) {
    char message[IMPORT_MESSAGE_SIZE] = "";
    char expected[PATH_MAX + IMPORT_MESSAGE_SIZE];
    Model *model = importModel(path, NULL, message);
    snprintf(expected, sizeof expected, "%s: %s", path, reason);
    bool refused = model == NULL;
    modelFree(model);
    assert_true(refused);
    assert_string_equal(message, expected);
}
