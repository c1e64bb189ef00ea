#include <float.h>

#include "fuzz.h"
#include "guard_pages.h"
#include "interposer.h"
#include "meshes.h"

/* ---- Contexts ---- */

static uint64_t lentSeed; /* of the shape whose kernels are lent */

static uint32_t anyWorkgroup(Gpu *gpu, Random *random) {
    const VkPhysicalDeviceLimits *limits = &gpu->properties.limits;
    uint32_t most = limits->maxComputeWorkGroupInvocations < limits->maxComputeWorkGroupSize[0]
                        ? limits->maxComputeWorkGroupInvocations
                        : limits->maxComputeWorkGroupSize[0];
    const uint32_t sizes[] = {32, 64, 96, 128, 256, most / 32 * 32};
    return sizes[randomBelow(random, COUNT_OF(sizes))];
}

static FuzzWay anyWay(Random *random) {
    FuzzWay way;
    do {
        way = (FuzzWay){(VkskinMethod)randomBelow(random, VKSKIN_METHOD_COUNT),
                        (VkskinPaletteEncoding)randomBelow(random, VKSKIN_PALETTE_ENCODING_COUNT)};
    } while (!vkskinMethodReads(way.method, way.encoding) || way.encoding == VKSKIN_PALETTE_MAT2X3);
    return way;
}

static FuzzShape anyShape(Gpu *gpu, uint64_t kernelSeed, bool simple) {
    static const uint32_t perThread[] = {1, 4, 16, 64};
    Random random = {kernelSeed};
    FuzzShape shape = {.attributes = randomBelow(&random, 3), .instancesPerThread = perThread[randomBelow(&random, 4)]};
    shape.workgroupSize = anyWorkgroup(gpu, &random);
    shape.binding = kernelSeed % 3 == 0 ? VKSKIN_PALETTE_BINDING_STORAGE : VKSKIN_PALETTE_BINDING_TEXELS;
    for (uint32_t i = 0; i < FUZZ_WAYS; i++) {
        shape.ways[i] = simple && i > 0 ? shape.ways[0] : anyWay(&random);
    }
    if (simple) {
        shape.attributes = 0;
    } else {
        shape.morphs = kernelSeed % 2 == 1; /* in turn, so that a short run has each */
        shape.flat = kernelSeed % 4 >= 2;
        shape.format = (VkskinVertexFormat)randomBelow(&random, VKSKIN_VERTEX_FORMAT_COUNT);
        shape.normals = randomBelow(&random, 2) == 0 ? VKSKIN_NORMALS_CHEAP : VKSKIN_NORMALS_EXACT;
    }
    return shape;
}

void fuzzContextKernels(Gpu *gpu, const FuzzContext *context, VkskinMesh mesh) {
    VkskinPipelineDef def = kernelsOf(&mesh, 1);
    def.cache = gpu->cache;
    def.methods = 0;
    for (uint32_t i = 0; i < FUZZ_WAYS; i++) {
        def.methods |= VKSKIN_METHOD_BIT(context->shape.ways[i].method);
        def.encodings |= VKSKIN_PALETTE_BIT(context->shape.ways[i].encoding);
    }
    def.instancesPerThread = context->shape.instancesPerThread;
    def.workgroupSize = context->shape.workgroupSize;
    GPU_VKSKIN(gpu, vkskinCreatePipelines(context->context, &def));
}

/* One in sixteen is large: palettes of more bones than 16 bits can index. */
static void chooseSizes(Random *random, VkskinContextDef *def) {
    bool large = randomBelow(random, 16) == 0;
    def->pageSize = large ? 4u << 20 : (64u << 10) + 16 * randomBelow(random, 4096);
    def->paletteBytesPerFrame = large ? 70000u * 48u : 1000 + randomBelow(random, 200000);
    def->maxPaletteBytesPerFrame = 0; /* FuzzRing does not grow */
    def->maxInstances = 1 + randomBelow(random, randomBelow(random, 4) == 0 ? FUZZ_MAX_INSTANCES : 40);
    def->framesInFlight = 1 + randomBelow(random, 3);
    def->outputRegions = 1 + randomBelow(random, def->framesInFlight);
    def->paletteMemory = randomBelow(random, 3) == 0 ? VKSKIN_PALETTE_MEMORY_STAGED : VKSKIN_PALETTE_MEMORY_AUTO;
}

static VkDeviceSize palettePageSize(const Gpu *gpu, const VkskinContextDef *def) {
    VkDeviceSize texels = gpu->properties.limits.maxTexelBufferElements * (VkDeviceSize)16;
    bool cut = def->paletteBinding == VKSKIN_PALETTE_BINDING_TEXELS && texels < def->pageSize;
    return cut ? texels : def->pageSize / 16 * 16;
}

/* The bytes of the largest palette: one page. */
static VkDeviceSize mostPaletteBytes(const FuzzContext *context) {
    VkDeviceSize all = context->def.paletteBytesPerFrame / 16 * 16;
    return all < context->palettePageSize ? all : context->palettePageSize;
}

FuzzContext fuzzContextCreate(Gpu *gpu, Random *random, uint64_t kernelSeed, bool simple) {
    VkskinVulkanFunctions functions = guardFunctions();
    VkskinMemoryCallbacks memory = guardMemory();
    FuzzContext made = {.def = gpuContextDef(gpu)};
    interposerLendKernels(&functions);
    made.def.functions = &functions;
    made.def.memory = &memory;
    chooseSizes(random, &made.def);
    made.shape = anyShape(gpu, kernelSeed, simple);
    made.def.paletteBinding = made.shape.binding;
    made.palettePageSize = palettePageSize(gpu, &made.def);
    VkDeviceSize most = mostPaletteBytes(&made);
    for (uint32_t i = 0; i < FUZZ_WAYS; i++) {
        uint32_t bones = (uint32_t)(most / vkskinPaletteStride(made.shape.ways[i].encoding));
        made.maxBones = i == 0 || bones < made.maxBones ? bones : made.maxBones;
    }
    if (kernelSeed != lentSeed) {
        interposerFreeKernels();
        lentSeed = kernelSeed;
    }
    GPU_VKSKIN(gpu, vkskinCreateContext(&made.def, &made.context));
    return made;
}

/* ---- Palettes ---- */

#define ALIGNMENT 16u

static float wildFloat(Random *random) {
    static const float values[] = {NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e30f, 1e-30f, 1e-41f, 0.0f, -0.0f};
    uint32_t choice = randomBelow(random, COUNT_OF(values) + 2);
    if (choice < COUNT_OF(values)) {
        return values[choice];
    }
    uint32_t word = randomWord(random);
    float any;
    memcpy(&any, &word, sizeof any);
    return any;
}

static void writeWild(Random *random, float *entry, uint32_t floats) {
    float same = wildFloat(random);
    bool alike = randomBelow(random, 2) == 0;
    for (uint32_t i = 0; i < floats; i++) {
        entry[i] = alike ? same : wildFloat(random);
    }
}

/* In the plane if the encoding is flat. */
static ReferenceMatrix anyBone(Random *random, VkskinPaletteEncoding encoding) {
    VkskinAffine affine = randomBone(random, 1.0f, true);
    ReferenceMatrix bone = referenceFromAffine(&affine);
    if (encoding == VKSKIN_PALETTE_MAT2X3) {
        const ReferenceMatrix flat = {{{bone.m[0][0], bone.m[0][1], 0, bone.m[0][3]},
                                       {bone.m[1][0], bone.m[1][1], 0, bone.m[1][3]},
                                       {0, 0, 1, 0}}};
        return flat;
    }
    return bone;
}

#define DISTINCT 61u /* bones of a palette: computing all bones of a large one takes long. Prime. */

static void writeSane(Random *random, FuzzPalette *palette, uint32_t bone, char *data) {
    VkskinPaletteEncoding encoding = palette->handle.encoding;
    uint32_t stride = vkskinPaletteStride(encoding);
    char *entry = data + (size_t)bone * stride;
    if (bone >= DISTINCT && !palette->wild[bone % DISTINCT]) {
        palette->bones[bone] = palette->bones[bone % DISTINCT];
        memcpy(entry, data + (size_t)(bone % DISTINCT) * stride, stride);
        return;
    }
    ReferenceMatrix made = anyBone(random, encoding);
    paletteEntry(encoding, &made, randomBelow(random, 2) == 0, entry);
    palette->bones[bone] = paletteEntryMatrix(encoding, entry);
}

/* Fills a copy first: the library's memory is only written. */
static void fillPalette(Random *random, FuzzPalette *palette, void *data) {
    uint32_t stride = vkskinPaletteStride(palette->handle.encoding);
    uint32_t wildOfTen = (const uint32_t[]){0, 0, 3, 3, 10}[randomBelow(random, 5)];
    char *entries = newZeros(palette->handle.boneCount, stride);
    palette->bones = newZeros(palette->handle.boneCount, sizeof *palette->bones);
    palette->wild = newZeros(palette->handle.boneCount, sizeof *palette->wild);
    for (uint32_t b = 0; b < palette->handle.boneCount; b++) {
        palette->wild[b] = randomBelow(random, 10) < wildOfTen;
        if (palette->wild[b]) {
            writeWild(random, (float *)(void *)(entries + (size_t)b * stride), stride / sizeof(float));
        } else {
            writeSane(random, palette, b, entries);
        }
    }
    memcpy(data, entries, (size_t)palette->handle.boneCount * stride);
    free(entries);
}

/* ---- Places in the ring ---- */

static void noteTaken(FuzzRing *ring, const VkskinPalette *palette) {
    VkDeviceSize size = (VkDeviceSize)vkskinPaletteStride(palette->encoding) * palette->boneCount;
    ring->page = palette->page;
    ring->used = palette->offset + (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static VkDeviceSize roomOfPage(const FuzzRing *ring) {
    VkDeviceSize before = ring->page * ring->pageSize;
    VkDeviceSize size = ring->size - before < ring->pageSize ? ring->size - before : ring->pageSize;
    return (size - ring->used) / ALIGNMENT * ALIGNMENT;
}

/* A palette of 16 bytes per bone fills any gap before one of `size` bytes. */
static void skipToEnd(Gpu *gpu, VkskinContext context, FuzzRing *ring, VkDeviceSize size) {
    VkDeviceSize room = roomOfPage(ring);
    VkDeviceSize taken = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    VkskinPalette palette;
    void *data;
    if (room > taken) {
        uint32_t bones = (uint32_t)((room - taken) / vkskinPaletteStride(VKSKIN_PALETTE_QUATERNION_HALF));
        GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_QUATERNION_HALF, bones, &palette, &data));
        noteTaken(ring, &palette);
    }
}

bool fuzzPaletteTake(Gpu *gpu, VkskinContext context, Random *random, FuzzRing *ring, FuzzWay way, uint32_t bones,
                     FuzzPalette *palette) {
    bool atEnd = randomBelow(random, 3) == 0;
    uint32_t count = bones + (atEnd ? 0 : randomBelow(random, 3));
    void *data = NULL;
    *palette = (FuzzPalette){.method = way.method};
    if (atEnd) {
        skipToEnd(gpu, context, ring, (VkDeviceSize)vkskinPaletteStride(way.encoding) * count);
    }
    VkskinResult result = vkskinAllocatePalette(context, way.encoding, count, &palette->handle, &data);
    if (result == VKSKIN_ERROR_PALETTE_RING_FULL) {
        return false;
    }
    GPU_VKSKIN(gpu, result);
    noteTaken(ring, &palette->handle);
    fillPalette(random, palette, data);
    return true;
}

void fuzzPaletteFree(FuzzPalette *palette) {
    free(palette->bones);
    free(palette->wild);
    *palette = (FuzzPalette){0};
}
