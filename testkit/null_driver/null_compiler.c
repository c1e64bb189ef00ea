/* The null driver with the compiler of a real device. */
#include "null_compiler.h"

#include <stdio.h>
#include <stdlib.h>

#include "null_state.h"

/* What the device does. */
#define COMPILER_FUNCTIONS(X)                                                                                          \
    X(CreateShaderModule)                                                                                              \
    X(DestroyShaderModule)                                                                                             \
    X(CreateDescriptorSetLayout)                                                                                       \
    X(DestroyDescriptorSetLayout)                                                                                      \
    X(CreatePipelineLayout)                                                                                            \
    X(DestroyPipelineLayout)                                                                                           \
    X(CreateComputePipelines)                                                                                          \
    X(CreateGraphicsPipelines)                                                                                         \
    X(DestroyPipeline)

#define SET_LAYOUTS_MAX 16

/* The null driver needs set layouts too: it checks the pools and sets made with them. */
typedef struct SetLayoutPair {
    VkDescriptorSetLayout null, real;
} SetLayoutPair;

static struct {
    NullCompilerDef def;
    VkskinVulkanFunctions functions;
    SetLayoutPair layouts[SET_LAYOUTS_MAX];
#define FUNCTION_FIELD(name) PFN_vk##name vk##name;
    COMPILER_FUNCTIONS(FUNCTION_FIELD)
#undef FUNCTION_FIELD
} compiler;

/* ---- Objects of the device ---- */

static VKAPI_ATTR VkResult VKAPI_CALL createModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator, VkShaderModule *module) {
    (void)device;
    return compiler.vkCreateShaderModule(compiler.def.device, info, allocator, module);
}

static VKAPI_ATTR void VKAPI_CALL destroyModule(VkDevice device, VkShaderModule module,
                                                const VkAllocationCallbacks *allocator) {
    (void)device;
    compiler.vkDestroyShaderModule(compiler.def.device, module, allocator);
}

/* The pair of a layout; of null: a free place. */
static SetLayoutPair *findPair(VkDescriptorSetLayout layout) {
    for (uint32_t i = 0; i < SET_LAYOUTS_MAX; i++) {
        if (compiler.layouts[i].null == layout) {
            return &compiler.layouts[i];
        }
    }
    fprintf(stderr, "null compiler: a set layout is unknown, or there are more than %d\n", SET_LAYOUTS_MAX);
    abort();
}

static VKAPI_ATTR VkResult VKAPI_CALL createSetLayout(VkDevice device, const VkDescriptorSetLayoutCreateInfo *info,
                                                      const VkAllocationCallbacks *allocator,
                                                      VkDescriptorSetLayout *layout) {
    VkDescriptorSetLayout real;
    VkResult result = compiler.vkCreateDescriptorSetLayout(compiler.def.device, info, allocator, &real);
    if (result == VK_SUCCESS) {
        result = nullCreateDescriptorSetLayout(device, info, allocator, layout);
        *findPair(VK_NULL_HANDLE) = (SetLayoutPair){*layout, real};
    }
    return result;
}

static VKAPI_ATTR void VKAPI_CALL destroySetLayout(VkDevice device, VkDescriptorSetLayout layout,
                                                   const VkAllocationCallbacks *allocator) {
    if (layout != VK_NULL_HANDLE) {
        SetLayoutPair *pair = findPair(layout);
        compiler.vkDestroyDescriptorSetLayout(compiler.def.device, pair->real, allocator);
        *pair = (SetLayoutPair){VK_NULL_HANDLE, VK_NULL_HANDLE};
        nullDestroyDescriptorSetLayout(device, layout, allocator);
    }
}

static VKAPI_ATTR VkResult VKAPI_CALL createLayout(VkDevice device, const VkPipelineLayoutCreateInfo *info,
                                                   const VkAllocationCallbacks *allocator, VkPipelineLayout *layout) {
    VkDescriptorSetLayout sets[SET_LAYOUTS_MAX];
    VkPipelineLayoutCreateInfo real = *info;
    (void)device;
    for (uint32_t i = 0; i < info->setLayoutCount; i++) {
        sets[i] = findPair(info->pSetLayouts[i])->real;
    }
    real.pSetLayouts = sets;
    return compiler.vkCreatePipelineLayout(compiler.def.device, &real, allocator, layout);
}

static VKAPI_ATTR void VKAPI_CALL destroyLayout(VkDevice device, VkPipelineLayout layout,
                                                const VkAllocationCallbacks *allocator) {
    (void)device;
    compiler.vkDestroyPipelineLayout(compiler.def.device, layout, allocator);
}

static VKAPI_ATTR void VKAPI_CALL destroyPipeline(VkDevice device, VkPipeline pipeline,
                                                  const VkAllocationCallbacks *allocator) {
    (void)device;
    compiler.vkDestroyPipeline(compiler.def.device, pipeline, allocator);
}

/* ---- Pipelines ---- */

#define CAPTURE                                                                                                        \
    (VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR | VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR)

VKAPI_ATTR VkResult VKAPI_CALL nullCompileCompute(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                  const VkComputePipelineCreateInfo *infos,
                                                  const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    VkResult result = VK_SUCCESS;
    (void)device;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        VkComputePipelineCreateInfo info = infos[i];
        info.flags |= CAPTURE;
        result = compiler.vkCreateComputePipelines(compiler.def.device, cache, 1, &info, allocator, &pipelines[i]);
    }
    return result;
}

VKAPI_ATTR VkResult VKAPI_CALL nullCompileGraphics(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                   const VkGraphicsPipelineCreateInfo *infos,
                                                   const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
    VkResult result = VK_SUCCESS;
    (void)device;
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) {
        VkGraphicsPipelineCreateInfo info = infos[i];
        info.flags |= CAPTURE;
        result = compiler.vkCreateGraphicsPipelines(compiler.def.device, cache, 1, &info, allocator, &pipelines[i]);
    }
    return result;
}

static VKAPI_ATTR VkResult VKAPI_CALL nameObject(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info) {
    (void)device;
    if (info->objectType == VK_OBJECT_TYPE_PIPELINE) {
        compiler.def.compiled(compiler.def.user, info->pObjectName, (VkPipeline)info->objectHandle);
    }
    return VK_SUCCESS;
}

/* ---- Creating ---- */

static void loadFunctions(void) {
#define LOAD_FUNCTION(name)                                                                                            \
    compiler.vk##name = (PFN_vk##name)compiler.def.getDeviceProcAddr(compiler.def.device, "vk" #name);
    COMPILER_FUNCTIONS(LOAD_FUNCTION)
#undef LOAD_FUNCTION
    compiler.functions = *nullDriverFunctions();
    compiler.functions.vkCreateShaderModule = createModule;
    compiler.functions.vkDestroyShaderModule = destroyModule;
    compiler.functions.vkCreateDescriptorSetLayout = createSetLayout;
    compiler.functions.vkDestroyDescriptorSetLayout = destroySetLayout;
    compiler.functions.vkCreatePipelineLayout = createLayout;
    compiler.functions.vkDestroyPipelineLayout = destroyLayout;
    compiler.functions.vkCreateComputePipelines = nullCompileCompute;
    compiler.functions.vkDestroyPipeline = destroyPipeline;
    compiler.functions.vkSetDebugUtilsObjectNameEXT = nameObject;
}

NullDriver *nullCompilerCreate(const NullCompilerDef *def) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    VkPhysicalDeviceProperties properties;
    PFN_vkGetPhysicalDeviceProperties getProperties =
        (PFN_vkGetPhysicalDeviceProperties)def->getInstanceProcAddr(def->instance, "vkGetPhysicalDeviceProperties");
    compiler.def = *def;
    loadFunctions();
    getProperties(def->physicalDevice, &properties);
    settings.type = properties.deviceType;
    settings.vendorID = properties.vendorID;
    settings.deviceID = properties.deviceID;
    settings.driverVersion = properties.driverVersion;
    settings.limits = properties.limits;
    settings.memory = nullDriverMemory(NULL_DRIVER_ALL_TYPES, true, UINT64_C(1) << 30);
    return nullDriverCreate(&settings);
}

VkskinContextDef nullCompilerContextDef(NullDriver *driver) {
    VkskinContextDef def = nullDriverContextDef(driver);
    def.functions = &compiler.functions;
    def.debugUtils = true;
    return def;
}
