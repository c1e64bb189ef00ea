/*
 * planted_compile.c: a bench whose kernel of linear blending, up to four influences, has the fault that the environment
 * variable PLANTED names: see planted_kernel.comp.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels.h"
#include "null_compiler.h"

static const uint32_t scratch[] =
#include "scratch/planted_kernel.comp.inc"
    ;
static const uint32_t registers[] =
#include "registers/planted_kernel.comp.inc"
    ;
static const uint32_t divergent[] =
#include "divergent/planted_kernel.comp.inc"
    ;

static const struct {
    const char *name;
    KernelCode code;
} PLANTS[] = {{"scratch", {scratch, sizeof scratch}},
              {"registers", {registers, sizeof registers}},
              {"divergent", {divergent, sizeof divergent}}};

VkskinContextDef __real_nullCompilerContextDef(NullDriver *driver);
VkskinContextDef __wrap_nullCompilerContextDef(NullDriver *driver);

static VkskinVulkanFunctions functions;
static PFN_vkCreateShaderModule createModule;

static VKAPI_ATTR VkResult VKAPI_CALL createPlanted(VkDevice device, const VkShaderModuleCreateInfo *info,
                                                    const VkAllocationCallbacks *allocator, VkShaderModule *module) {
    const KernelCode *code = &sknKernelCodes[PAIR_LINEAR_BLEND_MAT3X4][KERNEL_CODE_PLAIN];
    const char *planted = getenv("PLANTED");
    VkShaderModuleCreateInfo changed = *info;
    for (size_t i = 0; planted && i < sizeof PLANTS / sizeof PLANTS[0]; i++) {
        if (info->pCode == code->words && strcmp(planted, PLANTS[i].name) == 0) {
            changed.pCode = PLANTS[i].code.words;
            changed.codeSize = PLANTS[i].code.bytes;
        }
    }
    return createModule(device, &changed, allocator, module);
}

VkskinContextDef __wrap_nullCompilerContextDef(NullDriver *driver) {
    VkskinContextDef def = __real_nullCompilerContextDef(driver);
    functions = *def.functions;
    createModule = functions.vkCreateShaderModule;
    functions.vkCreateShaderModule = createPlanted;
    def.functions = &functions;
    return def;
}
