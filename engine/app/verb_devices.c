/* verb_devices.c: vkskin devices: the Vulkan devices, what would run on which, and its limits, as a document. */
#include <string.h>

#include "document.h"
#include "skin_choice.h"
#include "skinning.h"
#include "terminal.h"
#include "verbs.h"

#define DEVICES_MAX  64
#define LAYERS_MAX   64
#define VERSION_SIZE 48

static void formatVersion(char text[VERSION_SIZE], uint32_t version) {
    snprintf(text, VERSION_SIZE, "%u.%u.%u", VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version),
             VK_API_VERSION_PATCH(version));
}

/* The limits that decide what the command can do. */
static const struct {
    const char *label, *name, *unit;
    uint64_t divisor; /* the table shows the value divided by it */
    size_t offset;    /* in VkPhysicalDeviceLimits, of a uint32_t */
} LIMITS[] = {
#define LIMIT(label, name, unit, divisor, member)                                                                      \
    { label, name, unit, divisor, offsetof(VkPhysicalDeviceLimits, member) }
    LIMIT("storage buffers", "maxStorageBufferRange", "MiB, each", 1 << 20, maxStorageBufferRange),
    LIMIT("texel buffers", "maxTexelBufferElements", "texels, each", 1, maxTexelBufferElements),
    LIMIT("uniform blocks", "maxUniformBufferRange", "KiB, each", 1 << 10, maxUniformBufferRange),
    LIMIT("pictures", "maxImageDimension2D", "pixels a side", 1, maxImageDimension2D),
    LIMIT("workgroups", "maxComputeWorkGroupInvocations", "invocations", 1, maxComputeWorkGroupInvocations),
};

static uint64_t limitOf(const DeviceInfo *info, size_t index) {
    uint32_t value;
    memcpy(&value, (const char *)&info->limits + LIMITS[index].offset, sizeof value);
    return value;
}

static void writeDevice(Document *document, uint32_t index, const DeviceInfo *info) {
    char version[VERSION_SIZE], more[2 * DEVICE_NAME_SIZE + ENGINE_ERROR_SIZE];
    formatVersion(version, info->apiVersion);
    snprintf(more, sizeof more, "%s%s%s%s%s%s", info->driverName, info->driverName[0] ? ", " : "", info->driverVersion,
             info->suitable ? "" : "  (not usable: ", info->suitable ? "" : info->reason, info->suitable ? "" : ")");
    cJSON *row = TABLE_ROW(document, cellCount(index), cellText(info->name), cellText(deviceTypeName(info->type)),
                           cellText(version), cellText(info->driverName), cellText(info->driverVersion),
                           cellFlag(info->suitable), cellText(info->suitable ? NULL : info->reason), cellText(more));
    JSON_ADD(row, &document->good, jsonCount("memory", info->memory), jsonFlag("timestamps", info->timestampsTrusted));
    cJSON *limits = jsonAddObject(row, "limits", &document->good);
    for (size_t i = 0; i < COUNT_OF(LIMITS); i++) {
        JSON_ADD(limits, &document->good, jsonCount(LIMITS[i].name, limitOf(info, i)));
    }
}

static void writeTable(Document *document, const DeviceInfo *infos, uint32_t shown) {
    Column columns[] = {{"index", "index", 5},    {"name", "name", -4}, {"type", "type", -10},
                        {"Vulkan", "vulkan", -8}, {NULL, "driver", 0},  {NULL, "driverVersion", 0},
                        {NULL, "usable", 0},      {NULL, "reason", 0},  {"driver", NULL, 0}};
    for (uint32_t i = 0; i < shown; i++) {
        const int width = (int)strlen(infos[i].name);
        columns[1].width = -width < columns[1].width ? -width : columns[1].width;
    }
    tableBegin(document, "devices", NULL, columns, COUNT_OF(columns));
    for (uint32_t i = 0; i < shown; i++) {
        writeDevice(document, i, &infos[i]);
    }
}

/* What the verbs do without --device and --backend, and why. chosen null: nothing can run. */
static void writeChoice(Document *document, const DeviceInfo *infos, const DeviceInfo *chosen) {
    if (!chosen) {
        JSON_FIELDS(document, jsonText("chosen", NULL), jsonText("backend", NULL));
        return;
    }
    const Device device = {.info = *chosen};
    const VkskinBackend backend = skinningBackend(&device, VKSKIN_BACKEND_AUTOMATIC);
    const char *why = backend == VKSKIN_BACKEND_CPU ? "this device is a CPU" : "this device is no CPU";
    char memory[QUANTITY_SIZE];
    documentNote(document, "\n");
    fieldLine(document, "chosen", "%u, the first that is usable: discrete before integrated, virtual and CPU",
              (uint32_t)(chosen - infos));
    fieldLine(document, "backend", "%s: %s; --backend chooses", SKIN_BACKEND_NAMES[backend], why);
    fieldLine(document, "memory", "%s in the largest heap", quantityScaled(memory, (double)chosen->memory, "B"));
    for (size_t i = 0; i < COUNT_OF(LIMITS); i++) {
        fieldLine(document, LIMITS[i].label, "%s %s", QUANTITY(limitOf(chosen, i) / LIMITS[i].divisor), LIMITS[i].unit);
    }
    fieldLine(document, "times", "%s", chosen->timestampsTrusted ? "timestamps of the device" : "wall clock");
    JSON_FIELDS(document, jsonCount("chosen", (uint64_t)(chosen - infos)),
                jsonText("backend", SKIN_BACKEND_NAMES[backend]));
}

static bool writeLoader(Document *document, EngineError *error) {
    DeviceLayer layers[LAYERS_MAX];
    uint32_t count = LAYERS_MAX, version;
    char text[VERSION_SIZE];
    if (!deviceLayers(layers, &count, &version, error)) {
        return false;
    }
    formatVersion(text, version);
    fieldLine(document, "vkskin", "%s", PROGRAM_VERSION);
    fieldText(document, "loader", "loader", text);
    cJSON *array = jsonAddArray(document->json, "layers", &document->good);
    for (uint32_t i = 0; i < count && i < LAYERS_MAX; i++) {
        formatVersion(text, layers[i].version);
        fieldLine(document, i == 0 ? "layers" : "", "%s %s", layers[i].name, text);
        JSON_ROW(array, &document->good, jsonText("name", layers[i].name), jsonText("vulkan", text));
    }
    return true;
}

static bool writeDevices(const Arguments *arguments, const DeviceInfo *infos, uint32_t shown, uint32_t count,
                         EngineError *error) {
    const DeviceInfo *chosen = NULL;
    Document document = documentOf(arguments, "devices", 16, 0);
    for (uint32_t i = 0; i < shown; i++) {
        chosen = infos[i].chosen ? &infos[i] : chosen;
    }
    JSON_FIELDS(&document, jsonCount("count", count));
    writeTable(&document, infos, shown);
    if (shown < count) {
        documentLine(&document, "and %u more", count - shown);
    }
    writeChoice(&document, infos, chosen);
    const bool good = writeLoader(&document, error);
    return documentEnd(&document, arguments, good, error) &&
           (chosen || engineFail(error, "no Vulkan device can be used"));
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
    .summary = "lists Vulkan devices, which one the verbs use, and its limits",
    .usage = "[--json FILE]",
    .details =
        "The other verbs take the index or a part of the name as --device. The limits are those of the device that "
        "is chosen without it; the JSON has those of all. The exit status is 1 if no device can be used.\n\n"
        "To choose a driver, set the environment variable VK_DRIVER_FILES=FILE.json of the Vulkan loader.\n",
    OPTIONS_OF(DEVICES_OPTIONS),
    .run = runDevices,
    .examples = {"", "--json devices.json"},
};
