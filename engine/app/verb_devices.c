/*
 * verb_devices.c: vkskin devices.
 */
#include "device.h"
#include "terminal.h"
#include "verbs.h"

#define DEVICES_MAX 64

static void printDevice(uint32_t index, const DeviceInfo *info, int nameWidth) {
    printf("%5u  %-*s  %-10s  %u.%u.%-4u  %s%s%s", index, nameWidth, info->name, deviceTypeName(info->type),
           VK_API_VERSION_MAJOR(info->apiVersion), VK_API_VERSION_MINOR(info->apiVersion),
           VK_API_VERSION_PATCH(info->apiVersion), info->driverName, info->driverName[0] ? ", " : "",
           info->driverVersion);
    if (!info->suitable) {
        printf("  (not usable: %s)", info->reason);
    }
    putchar('\n');
}

static int runDevices(const Arguments *arguments) {
    DeviceInfo infos[DEVICES_MAX];
    uint32_t count = DEVICES_MAX;
    EngineError error;
    int nameWidth = 4;
    (void)arguments;
    if (!deviceList(infos, &count, &error)) {
        return sayFailure(verbDevices.name, "%s", error.message);
    }
    uint32_t shown = count < DEVICES_MAX ? count : DEVICES_MAX;
    for (uint32_t i = 0; i < shown; i++) {
        int width = snprintf(NULL, 0, "%s", infos[i].name);
        nameWidth = width > nameWidth ? width : nameWidth;
    }
    printf("index  %-*s  type        Vulkan    driver\n", nameWidth, "name");
    for (uint32_t i = 0; i < shown; i++) {
        printDevice(i, &infos[i], nameWidth);
    }
    if (shown < count) {
        printf("and %u more\n", count - shown);
    }
    return EXIT_GOOD;
}

const Verb verbDevices = {
    .name = "devices",
    .summary = "lists Vulkan devices",
    .usage = "",
    .details = "The other verbs take the index or a part of the name as --device.\n"
               "To choose a driver, set the environment variable VK_DRIVER_FILES=FILE.json of the Vulkan loader.\n",
    .run = runDevices,
};
