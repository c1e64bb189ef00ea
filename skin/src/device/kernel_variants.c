#include "kernel_variants.h"

/* An array for each kernel and code, generated. */
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
    uint32_t index = variant.pair;
    index = index * VKSKIN_VERTEX_FORMAT_COUNT + (positions ? 0 : (uint32_t)variant.format);
    index = index * KERNEL_ATTRIBUTES_COUNT + (uint32_t)variant.attributes;
    index = index * 2 + exact;
    index = index * 2 + variant.morphs;
    return sknKernelOf(index * KERNEL_INFLUENCES, variant.influences);
}

/* The last digit of a number of this base; the rest stays. */
static uint32_t takeDigit(uint32_t *number, uint32_t base) {
    uint32_t digit = *number % base;
    *number /= base;
    return digit;
}

KernelVariant sknKernelVariant(uint32_t index) {
    KernelVariant variant = {.influences = takeDigit(&index, KERNEL_INFLUENCES)};
    variant.morphs = takeDigit(&index, 2) != 0;
    variant.normals = (VkskinNormals)takeDigit(&index, 2);
    variant.attributes = (KernelAttributes)takeDigit(&index, KERNEL_ATTRIBUTES_COUNT);
    variant.format = (VkskinVertexFormat)takeDigit(&index, VKSKIN_VERTEX_FORMAT_COUNT);
    variant.pair = index;
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

/* All sets of attributes; with both rules for normals, with morph targets and without, where those are asked for. */
static void wantAttributes(KernelVariant variant, uint32_t counts, uint32_t features, KernelSet *wanted) {
    uint32_t most = isFlat(variant.pair) ? KERNEL_POSITIONS : KERNEL_TANGENTS;
    bool morphs = (features & VKSKIN_KERNEL_MORPHS_BIT) != 0;
    bool exact = (features & VKSKIN_KERNEL_EXACT_NORMALS_BIT) != 0;
    for (uint32_t i = 0; i < 4 * (most + 1); i++) {
        variant.attributes = (KernelAttributes)(i / 4);
        variant.morphs = (i & 1u) != 0;
        variant.normals = (i & 2u) != 0 ? VKSKIN_NORMALS_EXACT : VKSKIN_NORMALS_CHEAP;
        if ((morphs || !variant.morphs) && (exact || variant.normals == VKSKIN_NORMALS_CHEAP)) {
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

/* 1u << n: meshes with bones have vertices of these. */
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
            wantAttributes(variant, 1u, VKSKIN_KERNEL_MORPHS_BIT, wanted);
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
    KernelVariant variant = {
        .pair = pair, .format = needs->format, .attributes = needs->attributes, .normals = needs->normals};
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
