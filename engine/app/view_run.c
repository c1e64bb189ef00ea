#include "view_run.h"

#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "outputs.h"

static const ViewContent *const CONTENTS[CONTENT_COUNT] = {
    [CONTENT_MODEL] = &modelViewContent, [CONTENT_SPINE] = &spineViewContent};

/* ---- A file that the user opens ---- */

/* Options that name parts of one model: a file that is opened is shown without them. */
static const char *const NAMING_OPTIONS[] = {"clip",   "blend-clip", "add-clip",   "reach",    "look",
                                             "spring", "machine",    "parameters", "optional", "count"};

/* The arguments with another operand, which must outlive them. */
static void openedArguments(Arguments *arguments, char **operand) {
    for (uint32_t i = 0; optionsAt(arguments->verb, i); i++) {
        for (size_t k = 0; k < COUNT_OF(NAMING_OPTIONS); k++) {
            if (strcmp(optionsAt(arguments->verb, i)->name, NAMING_OPTIONS[k]) == 0) {
                arguments->values[i] = (OptionValue){0};
            }
        }
    }
    arguments->fileCount = arguments->nameCount = arguments->chainCount = arguments->settingCount = 0;
    arguments->operands = operand;
    arguments->operandCount = 1;
}

/* Reads the file and forgets it: a broken one leaves what is shown as it is. */
static bool canOpen(const void *user, const char *path, EngineError *error) {
    Arguments arguments = *(const Arguments *)user;
    char text[VIEW_PATH_SIZE], *operand = text;
    snprintf(text, sizeof text, "%s", path);
    openedArguments(&arguments, &operand);
    Model *model = modelLoad(&arguments, path, MODEL_OR_SPINE, NULL, error);
    modelFree(model);
    return model != NULL;
}

/* ---- The run ---- */

bool viewOpen(ViewPlace *place, Session *session, EngineError *error) {
    static const char *const deviceExtensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    const OptionValue *size = optionsValue(session->arguments, "size");
    DeviceOptions options = {
        .deviceExtensions = deviceExtensions, .deviceExtensionCount = 1, .presents = windowPresents};
    place->window = place->window ? place->window : windowCreate(size->width, size->height, "vkskin", error);
    if (!place->window) {
        return false;
    }
    options.instanceExtensions = windowInstanceExtensions(&options.instanceExtensionCount, error);
    return options.instanceExtensions && sessionOpenDevice(session, &options, error);
}

bool viewShow(const Session *session, const ViewPlace *place, const ViewScene *scene, void *user, EngineError *error) {
    const Arguments *arguments = session->arguments;
    const char *output = optionsValue(arguments, "output")->text;
    const ViewLoopDef def = {.window = place->window,
                             .device = session->device,
                             .scene = scene,
                             .user = user,
                             .state = place->state,
                             .frames = (uint64_t)optionsValue(arguments, "frames")->integer,
                             .paused = optionsValue(arguments, "paused")->given,
                             .capture = output != NULL};
    Picture picture;
    const bool good =
        viewLoopRun(&def, &picture, error) && (!picture.pixels || outputPictureWrite(&picture, output, error));
    pictureFree(&picture);
    return good;
}

/* Returns the exit status. */
static int showContent(ViewPlace *place, const Arguments *arguments, const ViewContent *content) {
    Session session;
    EngineError error;
    int status = sessionRead(&session, arguments);
    if (status != EXIT_GOOD) {
        return status;
    }
    place->state->openUser = arguments;
    const bool good = content->run(&session, place, &error);
    status = sessionEnd(&session, good, &error);
    place->state->openUser = NULL;
    return status;
}

/* The words of a script are those of the first operand's kind. */
static bool readScript(ViewState *state, const Arguments *arguments, const ViewContent *content) {
    const char *path = optionsValue(arguments, "script")->text;
    ActionTable table = {0};
    EngineError error;
    viewLoopActions(&table, content->scene, NULL, NULL);
    const bool good = !path || scriptRead(path, &table, &state->script, &error);
    if (!good) {
        sayFailure(arguments->verb->name, "%s", error.message);
    }
    return good;
}

/* Shows files until none is opened. One that cannot be shown costs a line, and the one before is shown again. */
static int showAll(ViewPlace *place, const Arguments *first) {
    ViewState *state = place->state;
    Arguments now = *first, before = *first;
    char texts[2][VIEW_PATH_SIZE], *operands[2] = {texts[0], texts[1]};
    int status = EXIT_GOOD;
    uint32_t slot = 0;
    for (bool isBack = false;;) {
        ContentKind kind;
        state->opened[0] = '\0';
        state->isShown = false;
        status = contentCheck(&now, &kind) ? showContent(place, &now, CONTENTS[kind]) : EXIT_FAILED;
        if (status == EXIT_GOOD && state->opened[0]) {
            slot = 1 - slot;
            memcpy(texts[slot], state->opened, sizeof state->opened);
            before = now;
            openedArguments(&now, &operands[slot]);
            isBack = false;
        } else if (status != EXIT_GOOD && !state->isShown && now.operands != before.operands && !isBack) {
            now = before;
            isBack = true;
        } else {
            return status;
        }
    }
}

int contentView(const Arguments *arguments) {
    ViewState state = {
        .force = optionsValue(arguments, "force")->given, .canOpen = canOpen, .write = outputPictureWrite};
    ViewPlace place = {.state = &state};
    ContentKind kind;
    int status = EXIT_FAILED;
    viewMessagesHear(&state.messages);
    if (contentCheck(arguments, &kind) && readScript(&state, arguments, CONTENTS[kind])) {
        status = showAll(&place, arguments);
    }
    viewMessagesHear(NULL);
    scriptFree(&state.script);
    windowDestroy(place.window);
    return status;
}
