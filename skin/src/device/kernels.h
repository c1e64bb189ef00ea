/*
 * kernels.h: the compute pipelines, one for each requested variant.
 */
#ifndef VKSKIN_KERNELS_H
#define VKSKIN_KERNELS_H

#include "buffer.h"
#include "kernels/layout.h"
#include "methods.h"
#include "tuning.h"

/* ---- Variants ---- */

typedef enum KernelAttributes {
    KERNEL_POSITIONS = 0,
    KERNEL_NORMALS = 1,
    KERNEL_TANGENTS = 2, /* and normals */
    KERNEL_ATTRIBUTES_COUNT = 3
} KernelAttributes;

/* Each kernel has one SPIR-V module per combination of these bits. All other choices are specialisation constants. */
#define KERNEL_CODE_PLAIN  0u
#define KERNEL_CODE_MANY   1u /* for more than four influences */
#define KERNEL_CODE_MORPHS 2u
#define KERNEL_CODES       4u

typedef struct KernelCode {
    const uint32_t *words;
    size_t bytes;
} KernelCode;

/* The modules of each method pair. */
extern const KernelCode sknKernelCodes[METHOD_PAIRS][KERNEL_CODES];

typedef struct KernelVariant {
    uint32_t pair; /* into sknMethodPairs */
    VkskinVertexFormat format;
    KernelAttributes attributes;
    VkskinNormals normals;
    bool morphs;
    bool ownLayout;
    bool influencePositions; /* influences are stored with positions; flat meshes only */
    uint32_t influences;     /* 0 to 4, or LAYOUT_MANY */
} KernelVariant;

#define KERNEL_INFLUENCES (LAYOUT_MANY + 1)
#define KERNEL_SHAPES     (VKSKIN_VERTEX_FORMAT_COUNT * KERNEL_ATTRIBUTES_COUNT * 2 * 2 * 2) /* normals, morphs, layout */
#define KERNEL_COUNT      (METHOD_PAIRS * KERNEL_SHAPES * KERNEL_INFLUENCES)

/* The index of a variant. Variants with the same code and constants share an index. */
uint32_t sknKernelIndex(KernelVariant variant);

/* The index of the variant with another influence count. `index` is of the variant with influence count 0. */
static inline uint32_t sknKernelOf(uint32_t index, uint32_t influences) {
    return index + influences;
}

/* The variant of an index; the first of those that share it. */
KernelVariant sknKernelVariant(uint32_t index);

/* KERNEL_CODE_ bits. */
uint32_t sknVariantCode(KernelVariant variant);

typedef struct KernelSet {
    bool has[KERNEL_COUNT];
} KernelSet;

/* The bits of all methods: 0u VKSKIN_METHODS(ANY_METHOD). */
#define ANY_METHOD(name, text) | VKSKIN_METHOD_##name##_BIT

/* Whether one of the def's methods reads one of its encodings. */
bool sknAsksForPairs(const VkskinPipelineDef *def);

/* Adds the kernels of a checked def without meshes. */
void sknWantFormats(const VkskinPipelineDef *def, KernelSet *wanted);

/* The properties of a mesh that select its kernels. */
typedef struct MeshNeeds {
    uint32_t dimensions;
    VkskinVertexFormat format;
    KernelAttributes attributes;
    VkskinNormals normals;
    bool morphs;
    bool ownLayout;
    bool influencePositions;
    bool blendWeights, centres; /* the mesh has them, so methods that need them may be used */
    uint32_t influences;        /* bits 1u << n: the mesh has a class of n; see KernelVariant.influences */
} MeshNeeds;

/* Adds the kernels that a mesh needs for the def's methods and encodings. */
void sknWantMesh(const VkskinPipelineDef *def, const MeshNeeds *needs, KernelSet *wanted);

/* ---- Pipelines ---- */

/* What a pipeline is made from. */
typedef struct KernelMaking {
    KernelCode code;
    VkPipelineLayout layout;
    const uint32_t *values; /* [valueCount]: by constant_id; constants that the code does not have are ignored */
    uint32_t valueCount;    /* at most LAYOUT_CONSTANT_COUNT */
    bool plainConstants;    /* see KernelSettings */
    VkPipelineCache cache;  /* may be null */
} KernelMaking;

/* On failure *pipeline is null. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, KERNEL_CODE, VULKAN. */
VkskinResult sknCompileKernel(const Gpu *gpu, const KernelMaking *making, VkPipeline *pipeline);

typedef struct Kernels {
    VkPipelineLayout layout;
    VkPipeline pipelines[KERNEL_COUNT]; /* by sknKernelIndex */
    bool made;                          /* some pipelines exist, so the settings are fixed */
    KernelSettings settings;
} Kernels;

/* On failure *kernels is empty. Errors: OUT_OF_HOST_MEMORY, OUT_OF_DEVICE_MEMORY, VULKAN. */
VkskinResult sknInitKernels(Gpu *gpu, const Descriptors *descriptors, KernelSettings settings, Kernels *kernels);
void sknDestroyKernels(Gpu *gpu, Kernels *kernels);

/* Checks the def, except its meshes. See vkskinCreatePipelines. */
VkskinResult sknCheckPipelineDef(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def);

/* *made receives `before` and the wanted kernels. On failure the new kernels are destroyed. */
VkskinResult sknMakeKernels(const Gpu *gpu, const Kernels *before, const VkskinPipelineDef *def,
                            const KernelSet *wanted, Kernels *made);

#endif
