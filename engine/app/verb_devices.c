/*
 * verb_devices.c: vkskin devices: the Vulkan devices, as a document.
 */
#include <string.h>

#include "document.h"
#include "terminal.h"
#include "verbs.h"

#define DEVICES_MAX 64

static void writeDevice(Document *document, uint32_t index, const DeviceInfo *info) {
    char version[48], more[2 * DEVICE_NAME_SIZE + ENGINE_ERROR_SIZE];
    snprintf(version, sizeof version, "%u.%u.%u", VK_API_VERSION_MAJOR(info->apiVersion),
             VK_API_VERSION_MINOR(info->apiVersion), VK_API_VERSION_PATCH(info->apiVersion));
    snprintf(more, sizeof more, "%s%s%s%s%s%s", info->driverName, info->driverName[0] ? ", " : "", info->driverVersion,
             info->suitable ? "" : "  (not usable: ", info->suitable ? "" : info->reason, info->suitable ? "" : ")");
    rowBegin(document);
    cellCount(document, index);
    cellText(document, info->name);
    cellText(document, deviceTypeName(info->type));
    cellText(document, version);
    cellText(document, info->driverName);
    cellText(document, info->driverVersion);
    cellBool(document, info->suitable);
    cellText(document, info->suitable ? NULL : info->reason);
    cellText(document, more);
    rowEnd(document);
}

static bool writeDevices(const Arguments *arguments, const DeviceInfo *infos, uint32_t shown, uint32_t count,
                         EngineError *error) {
    Column columns[] = {{"index", "index", 5},    {"name", "name", -4}, {"type", "type", -10},
                        {"Vulkan", "vulkan", -8}, {NULL, "driver", 0},  {NULL, "driverVersion", 0},
                        {NULL, "usable", 0},      {NULL, "reason", 0},  {"driver", NULL, 0}};
    Document document = documentOf(arguments, "devices", 0, 0);
    for (uint32_t i = 0; i < shown; i++) {
        const int width = (int)strlen(infos[i].name);
        columns[1].width = -width < columns[1].width ? -width : columns[1].width;
    }
    fieldCount(&document, NULL, "count", count, "");
    tableBegin(&document, "devices", NULL, columns, COUNT_OF(columns));
    for (uint32_t i = 0; i < shown; i++) {
        writeDevice(&document, i, &infos[i]);
    }
    tableEnd(&document);
    if (count == 0) {
        documentNote(&document, "no device\n");
    }
    if (shown < count) {
        documentLine(&document, "and %u more", count - shown);
    }
    return documentEnd(&document, arguments, true, error);
}

static int runDevices(const Arguments *arguments) {
    DeviceInfo infos[DEVICES_MAX];
    uint32_t count = DEVICES_MAX;
    EngineError error;
    const bool listed = deviceList(infos, &count, &error);
    const bool good =
        listed && writeDevices(arguments, infos, count < DEVICES_MAX ? count : DEVICES_MAX, count, &error);
    return sayEnd(verbDevices.name, good, &error);
}

static const Option DEVICES_OPTIONS[] = {
    JSON_OPTION,
    FORCE_OPTION,
};

const Verb verbDevices = {
    .name = "devices",
    .summary = "lists Vulkan devices",
    .usage = "[--json FILE]",
    .details = "The other verbs take the index or a part of the name as --device.\n"
               "To choose a driver, set the environment variable VK_DRIVER_FILES=FILE.json of the Vulkan loader.\n",
    .options = DEVICES_OPTIONS,
    .optionCount = COUNT_OF(DEVICES_OPTIONS),
    .run = runDevices,
    .examples = {"", "--json devices.json"},
};
