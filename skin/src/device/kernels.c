#include "kernels.h"

#include "cookie.h"
#include "names.h"
#include "specialise.h"

/* ---- Variants ---- */

/* Generated: an array per module. */
#include "kernel_code.inc"

#define PART(words)                                                                                                    \
    { (words), sizeof(words) }
#define CODE(name)                                                                                                     \
    {                                                                                                                  \
        [KERNEL_CODE_PLAIN] = PART(name##_plain), [KERNEL_CODE_MANY] = PART(name##_many),                              \
        [KERNEL_CODE_MORPHS] = PART(name##_morphs), [KERNEL_CODE_MANY | KERNEL_CODE_MORPHS] = PART(name##_many_morphs) \
    }

#define CODE_OF_KERNEL(name)        CODE(name)
#define PAIR_CODE(method, encoding) [PAIR_##method##_##encoding] = CODE_OF_KERNEL(KERNEL_##method##_##encoding),
const KernelCode sknKernelCodes[METHOD_PAIRS][KERNEL_CODES] = {VKSKIN_METHOD_ENCODINGS(PAIR_CODE)};

static bool isFlat(uint32_t pair) {
    return sknIsFlatEncoding(sknMethodPairs[pair].encoding);
}

uint32_t sknKernelIndex(KernelVariant variant) {
    bool positions = variant.attributes == KERNEL_POSITIONS;
    bool exact = sknMethodPairs[variant.pair].stretches && !positions && variant.normals == VKSKIN_NORMALS_EXACT;
    bool second = isFlat(variant.pair) ? variant.influencePositions : exact; /* flat meshes have no normals */
    uint32_t index = variant.pair;
    index = index * VKSKIN_VERTEX_FORMAT_COUNT + (positions ? 0 : (uint32_t)variant.format);
    index = index * KERNEL_ATTRIBUTES_COUNT + (uint32_t)variant.attributes;
    index = index * 2 + second;
    index = index * 2 + variant.morphs;
    index = index * 2 + variant.ownLayout;
    return sknKernelOf(index * KERNEL_INFLUENCES, variant.influences);
}

/* Removes and returns the last digit of a number in a base. */
static uint32_t takeDigit(uint32_t *number, uint32_t base) {
    uint32_t digit = *number % base;
    *number /= base;
    return digit;
}

KernelVariant sknKernelVariant(uint32_t index) {
    KernelVariant variant = {.influences = takeDigit(&index, KERNEL_INFLUENCES)};
    variant.ownLayout = takeDigit(&index, 2) != 0;
    variant.morphs = takeDigit(&index, 2) != 0;
    const uint32_t second = takeDigit(&index, 2);
    variant.attributes = (KernelAttributes)takeDigit(&index, KERNEL_ATTRIBUTES_COUNT);
    variant.format = (VkskinVertexFormat)takeDigit(&index, VKSKIN_VERTEX_FORMAT_COUNT);
    variant.pair = index;
    variant.influencePositions = isFlat(index) && second != 0;
    variant.normals = isFlat(index) ? VKSKIN_NORMALS_CHEAP : (VkskinNormals)second;
    return variant;
}

uint32_t sknVariantCode(KernelVariant variant) {
    return (variant.influences == LAYOUT_MANY ? KERNEL_CODE_MANY : 0) | (variant.morphs ? KERNEL_CODE_MORPHS : 0);
}

static bool pairIsAsked(const VkskinPipelineDef *def, const MethodPair *pair) {
    bool encoding = def->encodings == 0 ? pair->encoding == vkskinMethodEncoding(pair->method)
                                        : (def->encodings & VKSKIN_PALETTE_BIT(pair->encoding)) != 0;
    return encoding && (def->methods & VKSKIN_METHOD_BIT(pair->method)) != 0;
}

static void wantInfluences(KernelVariant variant, uint32_t counts, KernelSet *wanted) {
    for (uint32_t n = 0; n < KERNEL_INFLUENCES; n++) {
        if ((counts >> n & 1u) != 0) {
            variant.influences = n;
            wanted->has[sknKernelIndex(variant)] = true;
        }
    }
}

/* All sets of attributes, with the normal rules, morph targets and layouts of `features`. */
static void wantAttributes(KernelVariant variant, uint32_t counts, uint32_t features, KernelSet *wanted) {
    uint32_t most = isFlat(variant.pair) ? KERNEL_POSITIONS : KERNEL_TANGENTS;
    bool morphs = (features & VKSKIN_KERNEL_MORPHS_BIT) != 0;
    bool flat = isFlat(variant.pair);
    bool second = (features & (flat ? VKSKIN_KERNEL_INFLUENCE_POSITIONS_BIT : VKSKIN_KERNEL_EXACT_NORMALS_BIT)) != 0;
    bool layouts = (features & VKSKIN_KERNEL_LAYOUT_BIT) != 0;
    for (uint32_t i = 0; i < 8 * (most + 1); i++) {
        variant.attributes = (KernelAttributes)(i / 8);
        variant.morphs = (i & 1u) != 0;
        variant.influencePositions = flat && (i & 2u) != 0;
        variant.normals = !flat && (i & 2u) != 0 ? VKSKIN_NORMALS_EXACT : VKSKIN_NORMALS_CHEAP;
        variant.ownLayout = (i & 4u) != 0;
        if ((morphs || !variant.morphs) && (second || (i & 2u) == 0) && (layouts || !variant.ownLayout)) {
            wantInfluences(variant, counts, wanted);
        }
    }
}

bool sknAsksForPairs(const VkskinPipelineDef *def) {
    for (uint32_t pair = 0; pair < METHOD_PAIRS; pair++) {
        if (pairIsAsked(def, &sknMethodPairs[pair])) {
            return true;
        }
    }
    return false;
}

/* Bits 1u << n: the influence counts of meshes with bones. */
#define BONE_COUNTS (1u << 1 | 1u << 2 | 1u << 3 | 1u << 4 | 1u << LAYOUT_MANY)

static void wantFormat(const VkskinPipelineDef *def, VkskinVertexFormat format, KernelSet *wanted) {
    for (uint32_t pair = 0; pair < METHOD_PAIRS; pair++) {
        if (pairIsAsked(def, &sknMethodPairs[pair])) {
            wantAttributes((KernelVariant){.pair = pair, .format = format}, BONE_COUNTS, def->features, wanted);
        }
    }
    if ((def->features & VKSKIN_KERNEL_MORPHS_BIT) != 0) {
        for (uint32_t dimensions = 2; dimensions <= 3; dimensions++) {
            KernelVariant variant = {.pair = sknPlainPair(dimensions), .format = format};
            wantAttributes(variant, 1u, def->features & (VKSKIN_KERNEL_MORPHS_BIT | VKSKIN_KERNEL_LAYOUT_BIT), wanted);
        }
    }
}

void sknWantFormats(const VkskinPipelineDef *def, KernelSet *wanted) {
    for (uint32_t format = 0; format < VKSKIN_VERTEX_FORMAT_COUNT; format++) {
        if ((def->formats & VKSKIN_VERTEX_FORMAT_BIT(format)) != 0) {
            wantFormat(def, (VkskinVertexFormat)format, wanted);
        }
    }
}

static void wantPair(const MeshNeeds *needs, uint32_t pair, KernelSet *wanted) {
    KernelVariant variant = {.pair = pair,
                             .format = needs->format,
                             .attributes = needs->attributes,
                             .normals = needs->normals,
                             .ownLayout = needs->ownLayout,
                             .influencePositions = needs->influencePositions};
    wantInfluences(variant, needs->influences, wanted);
    if (needs->morphs) {
        variant.morphs = true;
        wantInfluences(variant, needs->influences, wanted);
    }
}

void sknWantMesh(const VkskinPipelineDef *def, const MeshNeeds *needs, KernelSet *wanted) {
    if (needs->influences == 1u || needs->dimensions == 2) {
        wantPair(needs, sknPlainPair(needs->dimensions), wanted);
        return;
    }
    for (uint32_t pair = 0; pair < METHOD_PAIRS; pair++) {
        const MethodPair *kernels = &sknMethodPairs[pair];
        if (!isFlat(pair) && pairIsAsked(def, kernels) &&
            sknMissingMethodData(kernels->method, needs->blendWeights, needs->centres) == NULL) {
            wantPair(needs, pair, wanted);
        }
    }
}

/* ---- Pipelines ---- */

VkskinPipelineDef vkskinDefaultPipelineDef(void) {
    return (VkskinPipelineDef){
        .cookie = VKSKIN_COOKIE_PIPELINE,
        .methods = VKSKIN_METHOD_LINEAR_BLEND_BIT,
        .formats = VKSKIN_VERTEX_PACKED_BIT,
    };
}

VkskinResult sknInitKernels(Gpu *gpu, const Descriptors *descriptors, KernelSettings settings, Kernels *kernels) {
    *kernels = (Kernels){.settings = settings};
    const VkDescriptorSetLayout sets[LAYOUT_SET_COUNT] = {
        [LAYOUT_SET_TABLE] = descriptors->layout,
        [LAYOUT_SET_MESH] = descriptors->layout,
        [LAYOUT_SET_PALETTE] = descriptors->paletteLayout,
        [LAYOUT_SET_OUTPUT] = descriptors->layout,
    };
    return sknMakeKernelLayout(gpu, sets, LAYOUT_SET_COUNT, sizeof(LayoutDispatch), "kernels", &kernels->layout);
}

/* Destroys the pipelines that `before` does not have. */
static void destroyPipelines(const Gpu *gpu, const Kernels *before, const Kernels *kernels) {
    for (uint32_t i = 0; i < KERNEL_COUNT; i++) {
        if (kernels->pipelines[i] != before->pipelines[i]) {
            gpu->vk.vkDestroyPipeline(gpu->device, kernels->pipelines[i], gpu->allocator);
        }
    }
}

void sknDestroyKernels(Gpu *gpu, Kernels *kernels) {
    destroyPipelines(gpu, &(Kernels){0}, kernels);
    if (kernels->layout != VK_NULL_HANDLE) {
        gpu->vk.vkDestroyPipelineLayout(gpu->device, kernels->layout, gpu->allocator);
    }
    *kernels = (Kernels){0};
}

/* All kernels share one size, which the first kernels fix. */
static VkskinResult checkSame(const Gpu *gpu, const Kernels *before, const char *field, uint32_t asked,
                              uint32_t chosen) {
    if (before->made && asked != 0 && asked != chosen) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: %s is %u, the kernels that exist have %u", field, asked, chosen);
    }
    return VKSKIN_SUCCESS;
}

static VkskinResult checkSizes(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def) {
    if (def->instancesPerThread > MAX_INSTANCES_PER_THREAD) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: instancesPerThread is %u, not in 0 to %u", def->instancesPerThread,
                         MAX_INSTANCES_PER_THREAD);
    }
    uint32_t most = sknMaxWorkgroupSize(gpu);
    if (def->workgroupSize % WORKGROUP_STEP != 0 || def->workgroupSize > most) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: workgroupSize is %u, not a multiple of %u up to %u",
                         def->workgroupSize, WORKGROUP_STEP, most);
    }
    const KernelSettings *chosen = &before->settings;
    VkskinResult result = checkSame(gpu, before, "workgroupSize", def->workgroupSize, chosen->workgroupSize);
    if (result < 0) {
        return result;
    }
    return checkSame(gpu, before, "instancesPerThread", def->instancesPerThread, chosen->instancesPerThread);
}

/* The bits of a list's enumerators. */
#define ANY_ENCODING(name, bytes, text) | VKSKIN_PALETTE_##name##_BIT
#define ANY_FORMAT(name, text)          | VKSKIN_VERTEX_##name##_BIT

/* known: the bits that the field may have. needed: it may not be 0. */
static VkskinResult checkBits(const Gpu *gpu, const char *field, uint32_t value, const char *bits, uint32_t known,
                              bool needed) {
    if (needed && value == 0) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE, "vkskinCreatePipelines: %s is 0; combine %s values",
                         field, bits);
    }
    if ((value & ~known) != 0) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: %s is 0x%x; combine %s values: 0x%x is unknown", field, value, bits,
                         value & ~known);
    }
    return VKSKIN_SUCCESS;
}

/* Checks the fields that are used without meshes. */
static VkskinResult checkKinds(const Gpu *gpu, const VkskinPipelineDef *def) {
    VkskinResult result =
        checkBits(gpu, "formats", def->formats, "VKSKIN_VERTEX_..._BIT", 0u VKSKIN_VERTEX_FORMATS(ANY_FORMAT), true);
    return result < 0 ? result
                      : checkBits(gpu, "features", def->features, "VKSKIN_KERNEL_..._BIT",
                                  VKSKIN_KERNEL_EXACT_NORMALS_BIT | VKSKIN_KERNEL_MORPHS_BIT |
                                      VKSKIN_KERNEL_LAYOUT_BIT | VKSKIN_KERNEL_INFLUENCE_POSITIONS_BIT,
                                  false);
}

VkskinResult sknCheckPipelineDef(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def) {
    if (def->cookie != VKSKIN_COOKIE_PIPELINE) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_DEF_NOT_INITIALISED,
                         "vkskinCreatePipelines: the def was not made by vkskinDefaultPipelineDef");
    }
    VkskinResult result =
        checkBits(gpu, "methods", def->methods, "VKSKIN_METHOD_..._BIT", 0u VKSKIN_METHODS(ANY_METHOD), true);
    if (result >= 0) {
        result = checkBits(gpu, "encodings", def->encodings, "VKSKIN_PALETTE_..._BIT",
                           0u VKSKIN_PALETTE_ENCODINGS(ANY_ENCODING), false);
    }
    if (result < 0) {
        return result;
    }
    if (!sknAsksForPairs(def)) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_INVALID_VALUE,
                         "vkskinCreatePipelines: none of methods 0x%x reads any of encodings 0x%x", def->methods,
                         def->encodings);
    }
    if (def->meshCount > 0 && def->meshes == NULL) {
        return sknReport(&gpu->logger, VKSKIN_ERROR_NULL_ARGUMENT, "vkskinCreatePipelines: meshes is null");
    }
    result = def->meshCount == 0 ? checkKinds(gpu, def) : VKSKIN_SUCCESS;
    return result < 0 ? result : checkSizes(gpu, before, def);
}

static VkskinResult createModule(const Gpu *gpu, const uint32_t *words, size_t bytes, VkShaderModule *module) {
    VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = bytes,
        .pCode = words,
    };
    return sknCheck(gpu, gpu->vk.vkCreateShaderModule(gpu->device, &info, gpu->allocator, module),
                    "vkCreateShaderModule");
}

/* The code with its specialisation constants as plain constants: see specialise.h. */
static VkskinResult createPlainModule(const Gpu *gpu, const KernelMaking *making, VkShaderModule *module) {
    Host host = sknHostOf(gpu);
    SpecialisedCode plain;
    VkskinResult result = sknSpecialise(&host, making->code.words, making->code.bytes / sizeof *making->code.words,
                                        making->values, making->valueCount, &plain);
    if (result >= 0) {
        result = createModule(gpu, plain.words, plain.count * sizeof *plain.words, module);
        sknHostFree(gpu->hostAllocator, plain.words);
    }
    return result;
}

static VkskinResult createPipeline(const Gpu *gpu, const KernelMaking *making, VkShaderModule module,
                                   const VkSpecializationInfo *constants, VkPipeline *pipeline) {
    VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = constants},
        .layout = making->layout,
    };
    VkskinResult result =
        sknCheck(gpu, gpu->vk.vkCreateComputePipelines(gpu->device, making->cache, 1, &info, gpu->allocator, pipeline),
                 "vkCreateComputePipelines");
    if (result < 0) {
        *pipeline = VK_NULL_HANDLE;
    }
    return result;
}

VkskinResult sknCompileKernel(const Gpu *gpu, const KernelMaking *making, VkPipeline *pipeline) {
    VkSpecializationMapEntry entries[LAYOUT_CONSTANT_COUNT];
    for (uint32_t i = 0; i < making->valueCount; i++) {
        entries[i] = (VkSpecializationMapEntry){i, i * (uint32_t)sizeof *making->values, sizeof *making->values};
    }
    VkSpecializationInfo constants = {making->valueCount, entries, making->valueCount * sizeof *making->values,
                                      making->values};
    const bool has = making->valueCount > 0;
    VkShaderModule module = VK_NULL_HANDLE;
    VkskinResult result = making->plainConstants && has
                              ? createPlainModule(gpu, making, &module)
                              : createModule(gpu, making->code.words, making->code.bytes, &module);
    if (result >= 0) {
        result = createPipeline(gpu, making, module, making->plainConstants || !has ? NULL : &constants, pipeline);
        gpu->vk.vkDestroyShaderModule(gpu->device, module, gpu->allocator);
    }
    return result;
}

static void namePipeline(const Gpu *gpu, KernelVariant variant, VkPipeline pipeline) {
    static const char *const attributes[] = {"positions", "normals", "tangents"};
    const MethodPair *pair = &sknMethodPairs[variant.pair];
    sknNameObject(gpu, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline, "vkskin %s of %s, %s %s%s%s%s%s, %s%u influences",
                  sknMethodName(pair->method), sknEncodingName(pair->encoding), sknFormatName(variant.format),
                  attributes[variant.attributes], variant.normals == VKSKIN_NORMALS_EXACT ? " exact" : "",
                  variant.influencePositions ? " per influence" : "", variant.morphs ? ", morphs" : "",
                  variant.ownLayout ? ", layout" : "", variant.influences == LAYOUT_MANY ? "from " : "",
                  variant.influences);
}

static VkskinResult makeKernel(const Gpu *gpu, Kernels *kernels, VkPipelineCache cache, uint32_t index) {
    KernelVariant variant = sknKernelVariant(index);
    const KernelSettings *settings = &kernels->settings;
    const uint32_t values[LAYOUT_CONSTANT_COUNT] = {
        [LAYOUT_CONSTANT_WORKGROUP_SIZE] = settings->workgroupSize,
        [LAYOUT_CONSTANT_INFLUENCES] = variant.influences,
        [LAYOUT_CONSTANT_FORMAT] = (uint32_t)variant.format,
        [LAYOUT_CONSTANT_ATTRIBUTES] = (uint32_t)variant.attributes,
        [LAYOUT_CONSTANT_INSTANCES_PER_THREAD] = settings->instancesPerThread,
        [LAYOUT_CONSTANT_EXACT_NORMALS] = (uint32_t)variant.normals,
        [LAYOUT_CONSTANT_PALETTE_TEXELS] = settings->texels,
        [LAYOUT_CONSTANT_OWN_LAYOUT] = variant.ownLayout,
        [LAYOUT_CONSTANT_INFLUENCE_POSITIONS] = variant.influencePositions,
    };
    const KernelMaking making = {
        .code = sknKernelCodes[variant.pair][sknVariantCode(variant)],
        .layout = kernels->layout,
        .values = values,
        .valueCount = LAYOUT_CONSTANT_COUNT,
        .plainConstants = settings->plainConstants,
        .cache = cache,
    };
    VkskinResult result = sknCompileKernel(gpu, &making, &kernels->pipelines[index]);
    if (result >= 0) {
        namePipeline(gpu, variant, kernels->pipelines[index]);
    }
    return result;
}

VkskinResult sknMakeKernels(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def,
                            const KernelSet *wanted, Kernels *made) {
    *made = *before;
    KernelSettings *settings = &made->settings;
    made->made = true;
    settings->workgroupSize = def->workgroupSize != 0 ? def->workgroupSize : settings->workgroupSize;
    settings->instancesPerThread =
        def->instancesPerThread != 0 ? def->instancesPerThread : settings->instancesPerThread;
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t i = 0; result >= 0 && i < KERNEL_COUNT; i++) {
        if (wanted->has[i] && made->pipelines[i] == VK_NULL_HANDLE) {
            result = makeKernel(gpu, made, def->cache, i);
        }
    }
    if (result < 0) {
        destroyPipelines(gpu, before, made);
    }
    return result;
}
