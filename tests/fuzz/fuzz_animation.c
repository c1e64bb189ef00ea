/*
 * fuzz_animation.c: an input is a block of vkskin_pack.h. If vkskinCheckAnimation accepts it, everything in it is read: by
 * the calls for one character, by a pose batch at every instruction level, and by a crowd of the CPU backend. Copies are
 * of exactly the size of the input, so that the sanitizers see reads behind it. Time and memory of an input are limited.
 */
#include <string.h>
#include <time.h>

#include "defs.h"
#include "fuzz_bytes.h"
#include "fuzz_target.h"
#include "host_memory.h"
#include "mesh_builder.h"
#include "null_driver.h"
#include "vkskin/vkskin_crowd.h"

#define NODES_MAX  64u /* larger skeletons are not sampled */
#define CHARACTERS 5u
#define TIMES      4u
#define GROWTH_MAX 5000u
#define TABLE_MAX  65536u /* nodes x clips; larger ones are only checked */

static void sampleAll(const void *block, VkskinSkeleton skeleton) {
    VkskinTransform pose[NODES_MAX];
    VkskinAffine world[NODES_MAX];
    const uint32_t clipCount = vkskinGetAnimationClipCount(block);
    for (uint32_t clip = 0; clip < clipCount && clip < 64; clip++) {
        const double duration = (double)vkskinGetAnimationDuration(block, clip);
        for (uint32_t i = 0; i <= TIMES; i++) {
            FUZZ_CHECK(vkskinSampleAnimation(block, clip, duration * i / TIMES, VKSKIN_WRAP_CLAMP, pose) ==
                       VKSKIN_SUCCESS);
            FUZZ_CHECK(vkskinComposePose(skeleton, pose, world) == VKSKIN_SUCCESS);
        }
    }
    FUZZ_CHECK(vkskinSampleAnimation(block, clipCount, 0.0, VKSKIN_WRAP_CLAMP, pose) == VKSKIN_ERROR_INVALID_VALUE);
}

static void poseAll(const void *block, size_t size, VkskinSkin skin) {
    static VkskinAffine palettes[CHARACTERS][NODES_MAX];
    const uint32_t clipCount = vkskinGetAnimationClipCount(block);
    VkskinPoseBatchCharacter characters[CHARACTERS];
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    VkskinPoseBatch batch;
    def.animation = block;
    def.animationSize = size;
    def.skin = skin;
    def.slotCount = CHARACTERS;
    def.blending = true;
    FUZZ_CHECK(vkskinCreatePoseBatch(&def, &batch) == VKSKIN_SUCCESS);
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        characters[i] = (VkskinPoseBatchCharacter){.clip = clipCount > 0 && i > 0 ? i % clipCount : VKSKIN_REST_POSE,
                                                   .wrap = VKSKIN_WRAP_LOOP,
                                                   .time = 0.37 * i,
                                                   .slot = i,
                                                   .palette = palettes[i],
                                                   .blendWeight = 0.5f * (float)(i % 3),
                                                   .blendClip = clipCount > i ? i : VKSKIN_REST_POSE,
                                                   .blendTime = 0.23 * i};
    }
    for (uint32_t level = VKSKIN_CPU_PORTABLE; level <= (uint32_t)vkskinGetCpuLevel(); level++) {
        const VkskinCpuRun run = {.level = (VkskinCpuLevel)level};
        const VkskinResult result =
            vkskinPoseBatch(batch, characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, NODES_MAX, &run);
        /* Finite numbers may still overflow. */
        FUZZ_CHECK(result == VKSKIN_SUCCESS || result == VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    }
    vkskinDestroyPoseBatch(batch);
}

static void readBlock(const void *block, size_t size) {
    VkskinSkeleton skeleton;
    FUZZ_CHECK(vkskinCreateAnimationSkeleton(block, NULL, NULL, &skeleton) == VKSKIN_SUCCESS);
    const uint32_t nodeCount = vkskinGetSkeletonNodeCount(skeleton);
    if (nodeCount <= NODES_MAX) {
        uint32_t nodes[NODES_MAX];
        VkskinSkin skin;
        for (uint32_t i = 0; i < nodeCount; i++) {
            nodes[i] = i;
        }
        VkskinSkinDef def = skinDefOf(nodeCount, nodeCount, nodes, NULL);
        FUZZ_CHECK(vkskinCreateSkin(&def, &skin) == VKSKIN_SUCCESS);
        sampleAll(block, skeleton);
        poseAll(block, size, skin);
        vkskinDestroySkin(skin);
    }
    vkskinDestroySkeleton(skeleton);
}

/* ---- A crowd ---- */

/* The largest sum of blocks on the host that a crowd of a set may take. */
static uint64_t mostBytes(const VkskinAnimationHeader *header) {
    return ((uint64_t)64 << 20) + 64 * (uint64_t)header->bytes + (uint64_t)1024 * header->nodeCount * header->clipCount;
}

/* Processor time, whatever else the machine does. A fade between each two of 64 clips is bounded for each node. */
static double mostSeconds(const VkskinAnimationHeader *header) {
    const double nodeClips = (double)header->nodeCount * header->clipCount;
    const double pairs = header->clipCount <= 64 ? nodeClips * header->clipCount : 0.0;
    return 8.0 + 40e-6 * header->bytes + 40e-6 * nodeClips + 4e-6 * pairs;
}

typedef struct MemoryLimit {
    HostMemory memory;
    uint64_t most;
} MemoryLimit;

static bool isLimited(void *user, size_t size, size_t alignment) {
    const MemoryLimit *limit = user;
    (void)alignment;
    FUZZ_CHECK(limit->memory.bytes + size <= limit->most);
    return false;
}

/* A triangle; each corner has a bone of its own. */
static VkskinMesh makeMesh(VkskinContext context) {
    VkskinMesh mesh;
    FUZZ_CHECK(meshCreate(context, (MeshSpec){3, .bones = 3}, &mesh) == VKSKIN_SUCCESS);
    return mesh;
}

static void playFrame(VkskinContext context, VkskinCrowd crowd, uint32_t clipCount, NullDriver *driver) {
    const VkskinCrowdView view = {.kind = VKSKIN_CROWD_COLOUR};
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    VkskinCharacter characters[CHARACTERS];
    for (uint32_t i = 0; i < CHARACTERS; i++) {
        VkskinCharacterDef def = vkskinDefaultCharacterDef();
        def.play.clip = i % clipCount;
        def.play.start = 0.25f * (float)i;
        def.play.once = true;
        FUZZ_CHECK(vkskinAddCharacters(context, crowd, &def, 0, 1, &characters[i]) == VKSKIN_SUCCESS);
    }
    frame.viewCount = 1;
    frame.views = &view;
    for (uint32_t slot = 0; slot < 2; slot++) {
        VkskinCrowdPlay play = vkskinDefaultCrowdPlay();
        VkCommandBuffer commands = nullDriverBegin(driver);
        play.clip = clipCount - 1;
        play.speed = -0.5f;
        play.fade = 1.0f;
        FUZZ_CHECK(vkskinBeginFrame(context, slot) == VKSKIN_SUCCESS);
        frame.tick = 300 * slot;
        FUZZ_CHECK(vkskinRecordCrowd(context, commands, crowd, &frame) == VKSKIN_SUCCESS);
        FUZZ_CHECK(vkskinPlayCharacters(context, crowd, characters, CHARACTERS, &play, 0) == VKSKIN_SUCCESS);
        nullDriverRun(commands);
    }
}

static void makeCrowd(VkskinContext context, const VkskinAnimationHeader *header, NullDriver *driver) {
    const uint32_t nodes[3] = {0, header->nodeCount / 2, header->nodeCount - 1};
    VkskinCrowdPart part = vkskinDefaultCrowdPart();
    VkskinAnimationBox *boxes = fuzzExactly(header->nodeCount * sizeof *boxes);
    VkskinCrowdModel model = vkskinDefaultCrowdModel();
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    VkskinCrowd crowd;
    for (uint32_t i = 0; i < header->nodeCount; i++) {
        boxes[i] = (VkskinAnimationBox){{-1, -1, -1}, {1, 1, 1}};
    }
    VkskinSkinDef skinDef = skinDefOf(header->nodeCount, 3, nodes, NULL);
    FUZZ_CHECK(vkskinCreateSkin(&skinDef, &model.skin) == VKSKIN_SUCCESS);
    FUZZ_CHECK(vkskinCreateClipSet(context, header, header->bytes, &def.clipSet) == VKSKIN_SUCCESS);
    part.mesh = makeMesh(context);
    part.indexCount = 3;
    model.parts = &part;
    model.partCount = 1;
    model.slots = CHARACTERS;
    model.boxes = boxes;
    def.models = &model;
    def.modelCount = 1;
    def.capacity = CHARACTERS;
    const VkskinResult result = vkskinCreateCrowd(context, &def, &crowd, NULL);
    /* Finite numbers may still overflow. */
    FUZZ_CHECK(result == VKSKIN_SUCCESS || result == VKSKIN_ERROR_TRANSFORM_NOT_FINITE);
    if (result == VKSKIN_SUCCESS) {
        playFrame(context, crowd, header->clipCount, driver);
    }
    vkskinDestroySkin(model.skin);
    free(boxes);
}

static void readByCrowd(const VkskinAnimationHeader *header) {
    NullDriverSettings settings = nullDriverDefaultSettings();
    settings.aborts = true;
    NullDriver *driver = nullDriverCreate(&settings);
    MemoryLimit limit = {.memory = {.refuses = isLimited, .user = &limit}, .most = mostBytes(header)};
    const VkAllocationCallbacks callbacks = hostMemoryCallbacks(&limit.memory);
    VkskinContextDef def = nullDriverContextDef(driver);
    VkskinContext context;
    def.backend = VKSKIN_BACKEND_CPU;
    def.allocator = &callbacks;
    FUZZ_CHECK(vkskinCreateContext(&def, &context) == VKSKIN_SUCCESS);
    makeCrowd(context, header, driver);
    vkskinDestroyContext(context);
    FUZZ_CHECK(nullDriverDestroy(driver) == 0 && limit.memory.blocks == 0);
}

/* ---- Inputs ---- */

/* Appends `nodes` nodes as a chain and `clips` empty clips: few bytes of input for large tables. */
static uint32_t *grow(const uint32_t *block, uint32_t nodes, uint32_t clips, size_t *size) {
    const VkskinAnimationHeader *old = (const VkskinAnimationHeader *)block;
    VkskinAnimationHeader header = *old;
    header.nodeCount += nodes;
    header.clipCount += clips;
    header.parentsAt = old->bytes / 4;
    header.orderAt = header.parentsAt + header.nodeCount;
    header.restAt = header.orderAt + header.nodeCount;
    header.preAt = 0;
    header.clipsAt = header.restAt + 10 * header.nodeCount;
    header.bytes = (header.clipsAt + 16 * header.clipCount + 7) / 4 * 16;
    uint32_t *grown = fuzzExactly(*size = header.bytes);
    const VkskinTransform rest = vkskinIdentityTransform();
    const VkskinAnimationClip clip = {.keyCount = 1, .keysAt = 16};
    memset(grown, 0, *size);
    memcpy(grown, block, old->bytes);
    memcpy(grown, &header, sizeof header);
    memcpy(grown + header.parentsAt, block + old->parentsAt, 4 * (size_t)old->nodeCount);
    memcpy(grown + header.orderAt, block + old->orderAt, 4 * (size_t)old->nodeCount);
    memcpy(grown + header.restAt, block + old->restAt, sizeof rest * old->nodeCount);
    memcpy(grown + header.clipsAt, block + old->clipsAt, sizeof clip * old->clipCount);
    for (uint32_t i = old->nodeCount; i < header.nodeCount; i++) {
        grown[header.parentsAt + i] = i - 1;
        grown[header.orderAt + i] = i;
        memcpy(grown + header.restAt + (size_t)10 * i, &rest, sizeof rest);
    }
    for (uint32_t i = old->clipCount; i < header.clipCount; i++) {
        memcpy(grown + header.clipsAt + (size_t)16 * i, &clip, sizeof clip);
    }
    return grown;
}

static void readAll(const uint32_t *block, size_t size) {
    const VkskinAnimationHeader *header = (const VkskinAnimationHeader *)block;
    const clock_t start = clock();
    readBlock(block, size);
    if (header->clipCount > 0) {
        readByCrowd(header);
    }
    FUZZ_CHECK((double)(clock() - start) / CLOCKS_PER_SEC < mostSeconds(header));
}

/* The first two of the header's reserved words are numbers of nodes and clips to append. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    uint32_t *block = fuzzExactly(size);
    const VkskinAnimationHeader *header = (const VkskinAnimationHeader *)block;
    memcpy(block, bytes, size);
    /* An input need not know its own size, which a mutation changes. */
    if (size >= sizeof *header && size <= VKSKIN_ANIMATION_MAX_BYTES && (block[3] & 1) != 0) {
        block[2] = (uint32_t)(size / 16 * 16);
    }
    if (vkskinCheckAnimation(block, size, NULL) == VKSKIN_SUCCESS) {
        const uint32_t nodes = header->reserved[0] % GROWTH_MAX, clips = header->reserved[1] % GROWTH_MAX;
        if (nodes + clips > 0) {
            uint32_t *grown = grow(block, nodes, clips, &size);
            free(block);
            block = grown;
        }
        header = (const VkskinAnimationHeader *)block;
        const uint64_t nodeClips = (uint64_t)header->nodeCount * header->clipCount;
        const bool good = vkskinCheckAnimation(block, size, NULL) == VKSKIN_SUCCESS;
        FUZZ_CHECK(good == (nodeClips <= VKSKIN_ANIMATION_MAX_NODE_CLIPS));
        if (good && nodeClips <= TABLE_MAX) {
            readAll(block, size);
        }
    }
    free(block);
    return 0;
}
