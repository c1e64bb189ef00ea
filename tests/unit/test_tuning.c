/*
 * Tunings: a stored tuning sets a context's settings; a tuning of another device, driver or version, or a damaged one, is
 * refused with a named error.
 */

#include "host_doubles.h"
#include "null_driver.h"

/* ---- Contexts ---- */

static LogMemory logMemory;

static VkskinResult makeContext(NullDriver *of, const VkskinTuning *tuning, VkskinPaletteBinding binding,
                                VkskinContext *context) {
    VkskinContextDef def = nullDriverContextDef(of);
    def.logger = rememberingLogger(&logMemory);
    def.memory.pageSize = 65536;
    def.memory.paletteBytesPerFrame = 4096;
    def.memory.maxInstances = 8;
    def.tuning = tuning;
    def.paletteBinding = binding;
    return vkskinCreateContext(&def, context);
}

/* What a context has that is made so. */
static VkskinTuning tuningOf(NullDriver *of, const VkskinTuning *tuning, VkskinPaletteBinding binding) {
    VkskinContext context = NULL;
    VkskinTuning got;
    memset(&got, 0xa5, sizeof got);
    OK(makeContext(of, tuning, binding, &context));
    OK(vkskinGetTuning(context, &got));
    vkskinDestroyContext(context);
    return got;
}

static NullDriver *driverOf(VkPhysicalDeviceType type) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.type = type;
    return nullDriverCreate(&settings);
}

static void endDriver(NullDriver *of) {
    assert_string_equal(nullDriverFirstFault(of), "");
    assert_int_equal(nullDriverDestroy(of), 0);
}

static NullDriver *driver; /* driver of a discrete GPU */
static VkskinTuning defaults;

static int setUp(__attribute__((unused)) void **state) {
    driver = driverOf(VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU);
    defaults = tuningOf(driver, NULL, VKSKIN_PALETTE_BINDING_AUTO);
    return 0;
}

static int tearDown(__attribute__((unused)) void **state) {
    endDriver(driver);
    return 0;
}

/* ---- Defaults ---- */

static PFN_vkCreateComputePipelines realCreatePipelines;
static uint32_t pipelines, specialised; /* created; of these with VkSpecializationInfo */

static VKAPI_ATTR VkResult VKAPI_CALL watchPipelines(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                     const VkComputePipelineCreateInfo *infos,
                                                     const VkAllocationCallbacks *allocator, VkPipeline *created) {
    for (uint32_t i = 0; i < count; i++) {
        const VkSpecializationInfo *info = infos[i].stage.pSpecializationInfo;
        pipelines++;
        specialised += info != NULL && info->mapEntryCount > 0;
    }
    return realCreatePipelines(device, cache, count, infos, allocator, created);
}

/* Creates kernels in a context of its own. Returns whether the driver specialises them. */
static bool driverSpecialises(NullDriver *of) {
    VkskinVulkanFunctions functions = *nullDriverFunctions();
    VkskinContextDef def = nullDriverContextDef(of);
    VkskinPipelineDef kernels = vkskinDefaultPipelineDef();
    VkskinContext context = NULL;
    realCreatePipelines = functions.vkCreateComputePipelines;
    functions.vkCreateComputePipelines = watchPipelines;
    def.functions = &functions;
    pipelines = specialised = 0;
    OK(vkskinCreateContext(&def, &context));
    OK(vkskinCreatePipelines(context, &kernels));
    vkskinDestroyContext(context);
    assert_true(pipelines > 0 && (specialised == 0 || specialised == pipelines));
    return specialised > 0;
}

#define THREAD VKSKIN_CROWD_POSING_THREAD
#define GROUP  VKSKIN_CROWD_POSING_GROUP

/* The rows of the library's device table, and a GPU with the vendor of a CPU driver. */
FIXTURE_TEST(defaultsDependOnTheDevice) {
    static const struct {
        VkPhysicalDeviceType type;
        uint32_t vendorID;
        VkskinPaletteBinding binding;
        uint32_t instancesPerThread;
        bool driverSpecialises;
        VkskinCrowdPosing posing;
    } rows[] = {
        {VK_PHYSICAL_DEVICE_TYPE_CPU, 0x1ae0, VKSKIN_PALETTE_BINDING_TEXELS, 32, false, THREAD}, /* SwiftShader */
        {VK_PHYSICAL_DEVICE_TYPE_CPU, 0x10005, VKSKIN_PALETTE_BINDING_TEXELS, 8, false, THREAD}, /* lavapipe */
        {VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, 0x8086, VKSKIN_PALETTE_BINDING_STORAGE, 4, true, GROUP},
        {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, 0x1ae0, VKSKIN_PALETTE_BINDING_STORAGE, 4, true, GROUP},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        NullDriverSettings settings = nullDriverDefaultSettings();
        settings.type = rows[i].type;
        settings.vendorID = rows[i].vendorID;
        NullDriver *another = nullDriverCreate(&settings);
        VkskinTuning tuning = tuningOf(another, NULL, VKSKIN_PALETTE_BINDING_AUTO);
        assert_int_equal(tuning.version, vkskinVersion());
        assert_int_equal(tuning.vendorID, settings.vendorID);
        assert_int_equal(tuning.deviceID, settings.deviceID);
        assert_int_equal(tuning.driverVersion, settings.driverVersion);
        assert_memory_equal(tuning.pipelineCacheUUID, settings.pipelineCacheUUID, VK_UUID_SIZE);
        assert_int_equal(tuning.paletteBinding, rows[i].binding);
        assert_int_equal(tuning.instancesPerThread, rows[i].instancesPerThread);
        assert_int_equal(tuning.workgroupSize, 64);
        assert_int_equal(tuning.crowdPosing, rows[i].posing);
        assert_int_equal(driverSpecialises(another), rows[i].driverSpecialises);
        endDriver(another);
    }
}

FIXTURE_TEST(whatWasStoredIsGivenBack) {
    /* The edges of what may be stored; the device takes workgroups of 128. */
    static const struct {
        uint32_t binding, instances, workgroup, posing;
    } stored[] = {
        {VKSKIN_PALETTE_BINDING_STORAGE, 1, 32, THREAD},
        {VKSKIN_PALETTE_BINDING_TEXELS, 64, 128, GROUP},
        {VKSKIN_PALETTE_BINDING_TEXELS, 7, 96, THREAD},
    };
    for (size_t i = 0; i < COUNT_OF(stored); i++) {
        VkskinTuning tuning = defaults;
        tuning.paletteBinding = stored[i].binding;
        tuning.instancesPerThread = stored[i].instances;
        tuning.workgroupSize = stored[i].workgroup;
        tuning.crowdPosing = stored[i].posing;
        NullDriver *another = driverOf(VK_PHYSICAL_DEVICE_TYPE_CPU); /* whose defaults are others */
        VkskinTuning got = tuningOf(another, &tuning, VKSKIN_PALETTE_BINDING_AUTO);
        assert_memory_equal(&got, &tuning, sizeof got);
        /* What the def says of the binding goes before what was stored. */
        got = tuningOf(another, &tuning, VKSKIN_PALETTE_BINDING_STORAGE);
        assert_int_equal(got.paletteBinding, VKSKIN_PALETTE_BINDING_STORAGE);
        endDriver(another);
    }
}

/* The first kernels fix the sizes of a context: the sizes of their def override the tuning. */
FIXTURE_TEST(kernelsGoBeforeTheTuning) {
    VkskinTuning tuning = defaults;
    VkskinContext context = NULL;
    VkskinTuning got;
    VkskinPipelineDef kernels = vkskinDefaultPipelineDef();
    tuning.workgroupSize = 96;
    tuning.instancesPerThread = 5;
    kernels.instancesPerThread = 9;
    OK(makeContext(driver, &tuning, VKSKIN_PALETTE_BINDING_AUTO, &context));
    OK(vkskinCreatePipelines(context, &kernels));
    OK(vkskinGetTuning(context, &got));
    assert_int_equal(got.instancesPerThread, 9);
    assert_int_equal(got.workgroupSize, 96);
    kernels.instancesPerThread = 5;
    assertRefused(&logMemory, vkskinCreatePipelines(context, &kernels), VKSKIN_ERROR_INVALID_VALUE,
                  "vkskinCreatePipelines: instancesPerThread is 5, the kernels that exist have 9");
    vkskinDestroyContext(context);
}

/* ---- What is refused ---- */

#define ANOTHER_VERSION "vkskinCreateContext: the tuning is of another version of the library: tune anew"
#define ANOTHER_DEVICE  "vkskinCreateContext: the tuning is of another device: tune anew"
#define ANOTHER_DRIVER  "vkskinCreateContext: the tuning is of another driver: tune anew"
#define DAMAGED         "vkskinCreateContext: the tuning is damaged: a setting is out of range: tune anew"

FIXTURE_TEST(othersAreRefused) {
    static const struct {
        size_t offset; /* offset of the word in the tuning that is set to `value` */
        uint32_t value;
        const char *text;
    } refusals[] = {
        {offsetof(VkskinTuning, version), 0, ANOTHER_VERSION},
        {offsetof(VkskinTuning, version), UINT32_MAX, ANOTHER_VERSION},
        {offsetof(VkskinTuning, vendorID), 0x10de, ANOTHER_DEVICE},
        {offsetof(VkskinTuning, deviceID), 2, ANOTHER_DEVICE},
        {offsetof(VkskinTuning, driverVersion), 0, ANOTHER_DRIVER},
        {offsetof(VkskinTuning, driverVersion), 2, ANOTHER_DRIVER},
        {offsetof(VkskinTuning, pipelineCacheUUID), 2, ANOTHER_DRIVER},
        {offsetof(VkskinTuning, pipelineCacheUUID) + 12, 1u << 31, ANOTHER_DRIVER},
        {offsetof(VkskinTuning, paletteBinding), VKSKIN_PALETTE_BINDING_AUTO, DAMAGED},
        {offsetof(VkskinTuning, paletteBinding), 3, DAMAGED},
        {offsetof(VkskinTuning, instancesPerThread), 0, DAMAGED},
        {offsetof(VkskinTuning, instancesPerThread), 65, DAMAGED},
        {offsetof(VkskinTuning, workgroupSize), 0, DAMAGED},
        {offsetof(VkskinTuning, workgroupSize), 33, DAMAGED},
        {offsetof(VkskinTuning, workgroupSize), 160, DAMAGED}, /* more than the device takes */
        {offsetof(VkskinTuning, workgroupSize), UINT32_MAX - 31, DAMAGED},
        {offsetof(VkskinTuning, crowdPosing), 0, DAMAGED},
        {offsetof(VkskinTuning, crowdPosing), 3, DAMAGED},
    };
    for (size_t i = 0; i < COUNT_OF(refusals); i++) {
        VkskinTuning tuning = defaults;
        VkskinContext context = (VkskinContext)(uintptr_t)1;
        memcpy((char *)&tuning + refusals[i].offset, &refusals[i].value, sizeof refusals[i].value);
        /* Also where the def says the binding itself. */
        VkskinPaletteBinding binding = i % 2 == 0 ? VKSKIN_PALETTE_BINDING_AUTO : VKSKIN_PALETTE_BINDING_STORAGE;
        assertRefused(&logMemory, makeContext(driver, &tuning, binding, &context), VKSKIN_ERROR_TUNING_MISMATCH,
                      refusals[i].text);
        assert_null(context);
        assert_int_equal(nullDriverAlive(driver), 0);
    }
}

FIXTURE_TEST(argumentsAreNeeded) {
    VkskinContext context = NULL;
    VkskinTuning tuning;
    RETURNS(VKSKIN_ERROR_NULL_ARGUMENT, vkskinGetTuning(NULL, &tuning));
    OK(makeContext(driver, NULL, VKSKIN_PALETTE_BINDING_AUTO, &context));
    assertRefused(&logMemory, vkskinGetTuning(context, NULL), VKSKIN_ERROR_NULL_ARGUMENT,
                  "vkskinGetTuning: tuning is null");
    vkskinDestroyContext(context);
}
