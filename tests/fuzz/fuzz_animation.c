/*
 * fuzz_animation.c: an input is a block of vkskin_anim.h. If vkskinCheckAnimation accepts it, everything in it is read: by
 * the calls for one character, and by a pose batch at every instruction level. Copies are of exactly the size of the
 * input, so that the sanitizers see reads behind it.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz_bytes.h"
#include "fuzz_target.h"
#include "vkskin/vkskin_anim.h"

#define NODES_MAX  64u /* larger skeletons are only checked */
#define CHARACTERS 5u
#define TIMES      4u

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
        VkskinSkinDef def = vkskinDefaultSkinDef();
        VkskinSkin skin;
        for (uint32_t i = 0; i < nodeCount; i++) {
            nodes[i] = i;
        }
        def.nodeCount = def.boneCount = nodeCount;
        def.boneNodes = nodes;
        FUZZ_CHECK(vkskinCreateSkin(&def, &skin) == VKSKIN_SUCCESS);
        sampleAll(block, skeleton);
        poseAll(block, size, skin);
        vkskinDestroySkin(skin);
    }
    vkskinDestroySkeleton(skeleton);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    uint32_t *block = fuzzExactly(size);
    memcpy(block, bytes, size);
    /* An input need not know its own size, which a mutation changes. */
    if (size >= sizeof(VkskinAnimationHeader) && size <= VKSKIN_ANIMATION_MAX_BYTES && (block[3] & 1) != 0) {
        block[2] = (uint32_t)(size / 16 * 16);
    }
    if (vkskinCheckAnimation(block, size, NULL) == VKSKIN_SUCCESS) {
        readBlock(block, size);
    }
    free(block);
    return 0;
}
