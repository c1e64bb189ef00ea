#include "view_run.h"

#include "content.h"

static bool openWindowDevice(Session *session, EngineError *error) {
    static const char *const deviceExtensions[] = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
    DeviceOptions options = {
        .deviceExtensions = deviceExtensions, .deviceExtensionCount = 1, .presents = windowPresents};
    options.instanceExtensions = windowInstanceExtensions(&options.instanceExtensionCount, error);
    return options.instanceExtensions && sessionOpenDevice(session, &options, error);
}

int viewRun(const Arguments *arguments, const ViewContent *content) {
    const OptionValue *size = optionsValue(arguments, "size");
    Window *window = NULL;
    Session session;
    EngineError error;
    int status = sessionRead(&session, arguments);
    if (status != EXIT_GOOD) {
        return status;
    }
    bool good = content->load(&session, content->user, &error);
    if (good) {
        window = windowCreate(size->width, size->height, "vkskin", &error);
        good = window && openWindowDevice(&session, &error) && content->show(&session, window, content->user, &error);
    }
    status = sessionEnd(&session, good, &error);
    windowDestroy(window);
    return status;
}

int contentView(const Arguments *arguments) {
    static const ContentRun runs[CONTENT_COUNT] = {[CONTENT_MODEL] = modelView, [CONTENT_SPINE] = spineView};
    return contentRun(arguments, runs);
}
