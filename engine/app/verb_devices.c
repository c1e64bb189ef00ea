/*
 * verb_devices.c: vkskin devices: the Vulkan devices, as a table and as JSON with the same content.
 */
#include "outputs.h"
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

static void printTable(const DeviceInfo *infos, uint32_t shown, uint32_t count) {
    int nameWidth = 4;
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
}

/* Text for cJSON_free; null: out of memory. */
static char *devicesJson(const DeviceInfo *infos, uint32_t shown, uint32_t count) {
    bool good = true;
    cJSON *object = jsonBegin("devices", &good);
    jsonAddCount(object, "count", count, &good);
    cJSON *devices = jsonAddArray(object, "devices", &good);
    for (uint32_t i = 0; i < shown; i++) {
        const DeviceInfo *info = &infos[i];
        char version[48];
        snprintf(version, sizeof version, "%u.%u.%u", VK_API_VERSION_MAJOR(info->apiVersion),
                 VK_API_VERSION_MINOR(info->apiVersion), VK_API_VERSION_PATCH(info->apiVersion));
        cJSON *row = jsonAddRow(devices, &good);
        jsonAddCount(row, "index", i, &good);
        jsonAddText(row, "name", info->name, &good);
        jsonAddText(row, "type", deviceTypeName(info->type), &good);
        jsonAddText(row, "vulkan", version, &good);
        jsonAddText(row, "driver", info->driverName, &good);
        jsonAddText(row, "driverVersion", info->driverVersion, &good);
        jsonAdd(row, "usable", cJSON_CreateBool(info->suitable), &good);
        jsonAddText(row, "reason", info->suitable ? NULL : info->reason, &good);
    }
    return jsonPrint(object, good);
}

static int runDevices(const Arguments *arguments) {
    const OptionValue *json = optionsValue(arguments, "json");
    DeviceInfo infos[DEVICES_MAX];
    uint32_t count = DEVICES_MAX;
    EngineError error;
    bool good = deviceList(infos, &count, &error);
    uint32_t shown = count < DEVICES_MAX ? count : DEVICES_MAX;
    if (good && !outputJsonIsStandard(json)) {
        printTable(infos, shown, count);
    }
    good = good && (!json->text || outputJsonWrite(devicesJson(infos, shown, count), json, &error));
    return good ? EXIT_GOOD : sayFailure(verbDevices.name, "%s", error.message);
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
