#include "build_model.h"

#include "skinned_model.h"
#include "fuzz_target.h"
#include "null_driver.h"

#include <string.h>

#define INSTANCES_MAX 64u
#define MORPHS_MAX    1024u

/* ---- The engine's device functions that the engine's character calls, without a device ---- */

/* Reads every byte, so that the sanitizer reports missing ones. */
static void readAll(const void *data, size_t size) {
    const uint8_t *bytes = data;
    volatile uint8_t sum = 0;
    for (size_t i = 0; i < size; i++) {
        sum = (uint8_t)(sum + bytes[i]);
    }
}

bool bufferCreateFilled(Device *device, const void *data, VkDeviceSize size, VkBufferUsageFlags usage, const char *name,
                        Buffer *buffer, EngineError *error) {
    (void)device;
    (void)usage;
    (void)name;
    (void)error;
    FUZZ_CHECK(size > 0);
    readAll(data, size);
    *buffer = (Buffer){.size = size};
    return true;
}

void bufferDestroy(Device *device, Buffer *buffer) {
    (void)device;
    *buffer = (Buffer){0};
}

bool imageCreateTexture(Device *device, const uint8_t *pixels, uint32_t width, uint32_t height, bool srgb,
                        const char *name, Image *image, EngineError *error) {
    (void)device;
    (void)srgb;
    (void)name;
    (void)error;
    FUZZ_CHECK(width > 0 && height > 0);
    readAll(pixels, (size_t)width * height * 4);
    *image = (Image){.width = width, .height = height};
    return true;
}

void imageDestroy(Device *device, Image *image) {
    (void)device;
    *image = (Image){0};
}

bool skinningFail(Skinning *skinning, EngineError *error, const char *what, VkskinResult result) {
    FUZZ_CHECK(skinning->lastMessage[0] != '\0');
    return engineVkskin(error, what, result, skinning->lastMessage);
}

/* ---- The run ---- */

/* A character's pose at a time. */
typedef struct Moment {
    VkskinAffine *world; /* [nodeCount] */
    float *morphWeights; /* [morphCount of the character], at least one */
} Moment;

static void keepMessage(void *user, VkskinResult result, const char *message) {
    Skinning *skinning = user;
    if (result < 0) {
        FUZZ_CHECK(message[0] != '\0' && !strchr(message, '\n'));
        snprintf(skinning->lastMessage, sizeof skinning->lastMessage, "%s", message);
    }
}

static VkskinContext createContext(NullDriver *driver, VkskinLogger logger) {
    VkskinContextDef def = nullDriverContextDef(driver);
    VkskinPipelineDef pipelines = vkskinDefaultPipelineDef();
    VkskinContext context;
    def.logger = logger;
    def.memory.pageSize = 1 << 16;
    def.memory.paletteBytesPerFrame = 1 << 16;
    def.memory.maxInstances = INSTANCES_MAX;
    def.memory.maxMorphWeights = MORPHS_MAX;
    pipelines.methods = VKSKIN_METHOD_BIT(VKSKIN_METHOD_COUNT) - VKSKIN_METHOD_BIT(0);
    pipelines.encodings = VKSKIN_PALETTE_BIT(VKSKIN_PALETTE_ENCODING_COUNT) - VKSKIN_PALETTE_BIT(0);
    pipelines.features = VKSKIN_KERNEL_EXACT_NORMALS_BIT | VKSKIN_KERNEL_MORPHS_BIT | VKSKIN_KERNEL_LAYOUT_BIT;
    pipelines.formats = VKSKIN_VERTEX_FORMAT_BIT(VKSKIN_VERTEX_FORMAT_COUNT) - VKSKIN_VERTEX_FORMAT_BIT(0);
    FUZZ_CHECK(vkskinCreateContext(&def, &context) == VKSKIN_SUCCESS);
    FUZZ_CHECK(vkskinCreatePipelines(context, &pipelines) == VKSKIN_SUCCESS);
    return context;
}

/* A spline between finite keys may leave the range of float, and a file may have more morphs than fit. */
static void skinInstance(VkskinContext context, const VkskinSkinCommand *command) {
    VkskinResult result = vkskinSkinInstances(context, command, 1, NULL);
    FUZZ_CHECK(result == VKSKIN_SUCCESS ||
               (command->morphWeightCount > 0 &&
                (result == VKSKIN_ERROR_WEIGHT_NOT_FINITE || result == VKSKIN_ERROR_TOO_MANY_MORPHS)));
}

/* One frame: skins every part with a palette of its own, in the character's pose, with its morphs. */
static void skinParts(const SkinnedModel *skinned, NullDriver *driver, const Moment *moment, uint32_t frame,
                      const VkskinInstance *instances) {
    VkskinContext context = skinned->skinning->context;
    SkinMode mode = (SkinMode)(frame % SKIN_MODE_COUNT);
    VkskinPaletteEncoding encoding = skinModeEncoding(mode);
    VkCommandBuffer commands = nullDriverBegin(driver);
    FUZZ_CHECK(vkskinBeginFrame(context, frame % 2) >= 0);
    for (uint32_t i = 0; i < skinned->partCount && i < INSTANCES_MAX; i++) {
        const SkinnedPart *part = &skinned->parts[i];
        const SkinnedPalette *palette = &skinned->palettes[part->palette];
        VkskinSkinCommand command = {.instance = instances[i],
                                     .method = skinModeMethod(mode),
                                     .morphWeights = moment->morphWeights + part->firstMorph,
                                     .morphWeightCount = part->morphCount};
        void *data;
        if (vkskinAllocatePalette(context, encoding, palette->boneCount, &command.palette, &data) < 0) {
            continue; /* more bones than fit in the ring */
        }
        /* The call refuses a bone that is not finite. The kernels then read unwritten entries. */
        (void)vkskinWritePalette(palette->skin, moment->world, skinned->model->nodeCount, encoding, data,
                                 palette->boneCount);
        if (!VKSKIN_IS_NULL(instances[i])) {
            skinInstance(context, &command);
        }
    }
    FUZZ_CHECK(vkskinRecordSkinning(context, commands) == VKSKIN_SUCCESS);
    nullDriverRun(commands);
}

static void poseAndSkin(const SkinnedModel *skinned, NullDriver *driver, const Moment *moment) {
    static const double moments[] = {0.0, 0.4, 1e30, -3.0};
    VkskinInstance instances[INSTANCES_MAX] = {{0}};
    EngineError error;
    Bounds bounds;
    uint32_t frame = 0;
    for (uint32_t i = 0; i < skinned->partCount && i < INSTANCES_MAX; i++) {
        /* May fail: the output of one instance may exceed what the device can bind. */
        (void)vkskinCreateInstances(skinned->skinning->context, skinned->parts[i].mesh, 1, &instances[i]);
    }
    for (uint32_t clip = 0; clip <= skinned->clipCount; clip++) {
        for (size_t m = 0; m < COUNT_OF(moments); m++) {
            VkskinWrap wrap = m % 2 ? VKSKIN_WRAP_LOOP : VKSKIN_WRAP_CLAMP;
            FUZZ_CHECK(skinnedModelPose(skinned, clip, moments[m], wrap, NULL, moment->world, &error));
            FUZZ_CHECK(skinnedModelMorphWeights(skinned, clip, moments[m], wrap, moment->morphWeights, &error));
            FUZZ_CHECK(skinnedModelBounds(skinned, clip, moments[m], wrap, &bounds, &error));
            if (m < 2) {
                skinParts(skinned, driver, moment, frame++, instances);
            }
        }
    }
    for (uint32_t i = 0; i < INSTANCES_MAX; i++) {
        FUZZ_CHECK(VKSKIN_IS_NULL(instances[i]) ||
                   vkskinDestroyInstance(skinned->skinning->context, instances[i]) == VKSKIN_SUCCESS);
    }
}

/* The library may refuse a checked model only for its size: too many bones or bytes. */
static void checkRefusal(const EngineError *error) {
    static const VkskinResult sizes[] = {VKSKIN_ERROR_INVALID_VALUE, VKSKIN_ERROR_MESH_TOO_LARGE,
                                         VKSKIN_ERROR_OUT_OF_HOST_MEMORY, VKSKIN_ERROR_OUT_OF_DEVICE_MEMORY};
    bool known = false;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        known = known || strstr(error->message, vkskinResultName(sizes[i]));
    }
    FUZZ_CHECK(known);
}

static void buildCharacter(const Model *model, Skinning *skinning, NullDriver *driver, VkskinVertexFormat format) {
    EngineError error = {.message = ""};
    SkinnedModelDef def = {.model = model, .format = format, .modes = (1u << SKIN_MODE_COUNT) - 1};
    SkinnedModel *skinned = skinnedModelCreate(skinning, &def, &error);
    if (!skinned) {
        checkRefusal(&error);
        return;
    }
    Moment moment = {.world = malloc(model->nodeCount * sizeof *moment.world),
                     .morphWeights = malloc(((size_t)skinned->morphCount + 1) * sizeof *moment.morphWeights)};
    FUZZ_CHECK(moment.world && moment.morphWeights);
    poseAndSkin(skinned, driver, &moment);
    free(moment.world);
    free(moment.morphWeights);
    skinnedModelDestroy(skinned);
}

void buildModel(const Model *model) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.aborts = true; /* at the fault, so that the stack shows its cause */
    for (VkskinVertexFormat format = 0; format < VKSKIN_VERTEX_FORMAT_COUNT; format++) {
        NullDriver *driver = nullDriverCreate(&settings);
        Skinning skinning = {0};
        skinning.logger = (VkskinLogger){keepMessage, &skinning};
        skinning.context = createContext(driver, skinning.logger);
        buildCharacter(model, &skinning, driver, format);
        vkskinDestroyContext(skinning.context);
        FUZZ_CHECK(nullDriverDestroy(driver) == 0);
    }
}
