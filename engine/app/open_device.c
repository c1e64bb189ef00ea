#include "open_device.h"

#include <stdio.h>
#include <stdlib.h>

static void tellMessage(void *user, const char *message) {
    OpenDevice *open = user;
    if (open->progress) {
        progressErase(open->progress);
    }
    open->messages++;
    fprintf(stderr, "vkskin %s: validation: %s\n", open->verb, message);
}

bool openDevice(const char *verb, const Arguments *arguments, const DeviceOptions *base, OpenDevice *open,
                EngineError *error) {
    DeviceOptions options = base ? *base : (DeviceOptions){0};
    *open = (OpenDevice){.verb = verb};
    options.select = arguments->common[COMMON_DEVICE].text;
    options.validation = arguments->common[COMMON_VALIDATE].given;
    options.onMessage = tellMessage;
    options.user = open;
    if (options.validation) {
        /* The layer checks hazards between submissions only when told so here. A user's own setting stays. */
        setenv("VK_LAYER_ENABLES", "VALIDATION_CHECK_ENABLE_SYNCHRONIZATION_VALIDATION_QUEUE_SUBMIT", 0);
    }
    open->device = deviceCreate(&options, error);
    return open->device != NULL;
}

int closeDevice(OpenDevice *open, int status) {
    deviceDestroy(open->device);
    open->device = NULL;
    return open->messages > 0 ? EXIT_FAILED : status;
}
