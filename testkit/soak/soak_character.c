#include "soak_character.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool fail(EngineError *error, const char *call, VkskinResult result) {
    return engineFail(error, "%s: %s", call, vkskinResultName(result));
}

static double diagonalOf(const ModelMesh *mesh) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) {
        float low = mesh->positions[i], high = mesh->positions[i];
        for (uint32_t v = 1; v < mesh->vertexCount; v++) {
            low = fminf(low, mesh->positions[3 * v + (uint32_t)i]);
            high = fmaxf(high, mesh->positions[3 * v + (uint32_t)i]);
        }
        square += ((double)high - low) * ((double)high - low);
    }
    return fmax(sqrt(square), 1.0); /* a mesh of one vertex still lies in the cube */
}

static bool createSkeleton(SoakCharacter *character, const VkskinHostAllocator *allocator, EngineError *error) {
    const Model *model = character->model;
    int32_t *parents = calloc(model->nodeCount, sizeof *parents);
    VkskinTransform *rest = calloc(model->nodeCount, sizeof *rest);
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    VkskinResult result = VKSKIN_ERROR_OUT_OF_HOST_MEMORY;
    if (parents != NULL && rest != NULL) {
        for (uint32_t n = 0; n < model->nodeCount; n++) {
            parents[n] = model->nodes[n].parent;
            rest[n] = model->nodes[n].rest;
        }
        def.nodeCount = model->nodeCount;
        def.parents = parents;
        def.restPose = rest;
        def.allocator = allocator;
        result = vkskinCreateSkeleton(&def, &character->skeleton);
    }
    free(parents);
    free(rest);
    return result >= 0 || fail(error, "vkskinCreateSkeleton", result);
}

static bool createClips(SoakCharacter *character, const VkskinHostAllocator *allocator, EngineError *error) {
    const Model *model = character->model;
    for (uint32_t i = 0; i < model->clipCount; i++) {
        VkskinClipDef def = vkskinDefaultClipDef();
        def.duration = model->clips[i].duration;
        def.nodeCount = model->nodeCount;
        def.trackCount = model->clips[i].trackCount;
        def.tracks = model->clips[i].tracks;
        def.allocator = allocator;
        VkskinResult result = vkskinCreateClip(&def, &character->clips[i]);
        if (result < 0) {
            return fail(error, "vkskinCreateClip", result);
        }
    }
    return true;
}

static bool createSkin(SoakCharacter *character, const VkskinHostAllocator *allocator, EngineError *error) {
    const ModelSkin *skin = &character->model->skins[0];
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = character->model->nodeCount;
    def.boneCount = skin->boneCount;
    def.boneNodes = skin->boneNodes;
    def.inverseBinds = skin->inverseBinds;
    def.meshToModel = vkskinAffineFromTransform(&character->model->nodes[0].rest);
    def.allocator = allocator;
    VkskinResult result = vkskinCreateSkin(&def, &character->skin);
    return result >= 0 || fail(error, "vkskinCreateSkin", result);
}

bool soakCharacterCreate(Random *random, SoakMemory *memory, SoakCharacter *character, EngineError *error) {
    VkskinHostAllocator allocator = soakMemoryAllocator(memory);
    *character = (SoakCharacter){.rigid = randomBelow(random, 3) > 0};
    character->model = newSoakModel(random, character->rigid);
    character->diagonal = diagonalOf(&character->model->meshes[0]);
    character->pose = calloc(character->model->nodeCount, sizeof *character->pose);
    character->world = calloc(character->model->nodeCount, sizeof *character->world);
    bool good = (character->pose != NULL && character->world != NULL) || engineFail(error, "out of memory");
    good = good && createSkeleton(character, &allocator, error) && createClips(character, &allocator, error) &&
           createSkin(character, &allocator, error);
    if (!good) {
        soakCharacterDestroy(character);
    }
    return good;
}

void soakCharacterDestroy(SoakCharacter *character) {
    vkskinDestroySkin(character->skin);
    for (uint32_t i = 0; i < SOAK_MAX_CLIPS; i++) {
        vkskinDestroyClip(character->clips[i]);
    }
    vkskinDestroySkeleton(character->skeleton);
    modelFree(character->model);
    free(character->pose);
    free(character->world);
    *character = (SoakCharacter){0};
}

static VkskinMethod randomMethod(const SoakCharacter *character, uint32_t methods, Random *random) {
    VkskinMethod method = (VkskinMethod)randomBelow(random, VKSKIN_METHOD_COUNT);
    bool held = character->rigid || method != VKSKIN_METHOD_DUAL_QUATERNION;
    return held && (methods & VKSKIN_METHOD_BIT(method)) != 0 ? method : VKSKIN_METHOD_LINEAR_BLEND;
}

SoakPose soakCharacterPose(const SoakCharacter *character, const SoakWays *ways, Random *random) {
    SoakPose pose = {
        .clip = (int32_t)randomBelow(random, character->model->clipCount + 1) - 1,
        .time = randomFloat(random, -2.0f, 6.0f),
        .method = randomMethod(character, ways->methods, random),
    };
    pose.encoding = vkskinMethodEncoding(pose.method);
    if (pose.method == VKSKIN_METHOD_LINEAR_BLEND && ways->quaternions && character->rigid) {
        pose.encoding = VKSKIN_PALETTE_QUATERNION;
    }
    for (uint32_t i = 0; ways->morphs && i < SOAK_MORPHS; i++) {
        pose.morphWeights[i] = randomBelow(random, 2) == 0 ? 0.0f : randomFloat(random, -1.0f, 1.0f);
    }
    return pose;
}

bool soakCharacterPalette(SoakCharacter *character, const SoakPose *pose, void *palette, uint32_t boneCount,
                          EngineError *error) {
    VkskinClip clip = pose->clip < 0 ? NULL : character->clips[pose->clip];
    VkskinResult result = vkskinSampleClip(character->skeleton, clip, pose->time, VKSKIN_WRAP_LOOP, character->pose);
    if (result >= 0) {
        result = vkskinComposePose(character->skeleton, character->pose, character->world);
    }
    if (result >= 0) {
        result = vkskinWritePalette(character->skin, character->world, character->model->nodeCount, pose->encoding,
                                    palette, boneCount);
    }
    /* Warnings too: a rigid character has no scale to lose. */
    return result == VKSKIN_SUCCESS || fail(error, "vkskinWritePalette", result);
}
