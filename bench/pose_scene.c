#include "pose_scene.h"

#include <math.h>
#include <stdlib.h>

#include "random.h"

#define CHAINS      5u /* limbs and head, which grow from the first bones of the spine */
#define KEYS_SECOND 30.0f
#define BONE_LENGTH 0.15f
#define SWING       0.6f /* radians that a bone turns either way */

static void *newArray(size_t count, size_t size, bool *good) {
    void *array = calloc(count, size);
    *good = *good && array;
    return array;
}

static VkskinTransform restOf(Random *random) {
    VkskinTransform rest = vkskinIdentityTransform();
    rest.translation[1] = BONE_LENGTH;
    randomRotation(random, 0.3f, rest.rotation);
    return rest;
}

static void fillNodes(Random *random, Model *model, bool *good) {
    for (uint32_t n = 0; n < model->nodeCount; n++) {
        ModelNode *node = &model->nodes[n];
        node->name = newArray(1, 1, good);
        node->parent = n == 0 ? -1 : n <= CHAINS ? 0 : (int32_t)(n - CHAINS);
        node->rest = restOf(random);
        node->preTransform = vkskinIdentityAffine();
    }
}

static void fillSkin(Random *random, ModelSkin *skin) {
    for (uint32_t b = 0; b < skin->boneCount; b++) {
        const VkskinTransform bind = restOf(random);
        skin->boneNodes[b] = b;
        skin->inverseBinds[b] = vkskinAffineFromTransform(&bind);
    }
}

/* A bone swings about an axis of its own, at a pace of its own, in whole turns of the clip. */
static void rotationKey(const float axis[3], float phase, float pace, float *value) {
    const float half = 0.5f * SWING * sinf(phase * pace);
    for (int i = 0; i < 3; i++) {
        value[i] = axis[i] * sinf(half);
    }
    value[3] = cosf(half);
}

static VkskinTrack newTrack(Random *random, uint32_t node, VkskinChannel channel, bool *good) {
    const uint32_t width = channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    float *times = newArray(POSE_KEYS, sizeof *times, good);
    float *values = newArray((size_t)POSE_KEYS * width, sizeof *values, good);
    const float pace = (float)(1 + randomBelow(random, 4));
    float axis[3];
    randomDirection(random, axis);
    for (uint32_t k = 0; *good && k < POSE_KEYS; k++) {
        const float phase = 6.2831853f * (float)k / (float)(POSE_KEYS - 1);
        float *value = values + (size_t)k * width;
        times[k] = (float)k / KEYS_SECOND;
        if (channel == VKSKIN_CHANNEL_ROTATION) {
            rotationKey(axis, phase, pace, value);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            const float rest = channel == VKSKIN_CHANNEL_SCALE ? 1.0f : i == 1 ? BONE_LENGTH : 0.0f;
            value[i] = rest + 0.02f * axis[i] * sinf(phase * pace);
        }
    }
    return (VkskinTrack){.node = node, .channel = channel, .keyCount = POSE_KEYS, .times = times, .values = values};
}

static void fillClip(Random *random, bool allTracks, ModelClip *clip, bool *good) {
    for (uint32_t n = 0; n < POSE_BONES; n++) {
        for (uint32_t c = 0; c < 3; c++) {
            if (allTracks || c == VKSKIN_CHANNEL_ROTATION || (n == 0 && c == VKSKIN_CHANNEL_TRANSLATION)) {
                clip->tracks[clip->trackCount++] = newTrack(random, n, (VkskinChannel)c, good);
            }
        }
    }
    clip->duration = (float)(POSE_KEYS - 1) / KEYS_SECOND;
}

static bool fillModel(Random *random, bool allTracks, Model *model) {
    bool good = true;
    model->nodes = newArray(POSE_BONES, sizeof *model->nodes, &good);
    model->skins = newArray(1, sizeof *model->skins, &good);
    model->parts = newArray(1, sizeof *model->parts, &good);
    model->clips = newArray(1, sizeof *model->clips, &good);
    if (!good) {
        return false;
    }
    model->nodeCount = model->skins->boneCount = POSE_BONES;
    model->skinCount = model->partCount = model->clipCount = 1;
    model->skins->boneNodes = newArray(POSE_BONES, sizeof(uint32_t), &good);
    model->skins->inverseBinds = newArray(POSE_BONES, sizeof(VkskinAffine), &good);
    model->clips->tracks = newArray((size_t)3 * POSE_BONES, sizeof(VkskinTrack), &good);
    if (good) {
        fillNodes(random, model, &good);
        fillSkin(random, model->skins);
        fillClip(random, allTracks, model->clips, &good);
    }
    return good;
}

static VkskinResult createSkeleton(const Model *model, VkskinSkeleton *skeleton) {
    int32_t parents[POSE_BONES];
    VkskinTransform rest[POSE_BONES];
    for (uint32_t n = 0; n < POSE_BONES; n++) {
        parents[n] = model->nodes[n].parent;
        rest[n] = model->nodes[n].rest;
    }
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    def.nodeCount = POSE_BONES;
    def.parents = parents;
    def.restPose = rest;
    return vkskinCreateSkeleton(&def, skeleton);
}

static VkskinResult createClip(const ModelClip *source, VkskinClip *clip) {
    VkskinClipDef def = vkskinDefaultClipDef();
    def.nodeCount = POSE_BONES;
    def.duration = source->duration;
    def.trackCount = source->trackCount;
    def.tracks = source->tracks;
    return vkskinCreateClip(&def, clip);
}

/* The part's node 0 carries the mesh: its world at rest is what palettes are relative to. */
static VkskinResult createSkin(const Model *model, VkskinSkin *skin) {
    VkskinSkinDef def = vkskinDefaultSkinDef();
    def.nodeCount = POSE_BONES;
    def.boneCount = model->skins->boneCount;
    def.boneNodes = model->skins->boneNodes;
    def.inverseBinds = model->skins->inverseBinds;
    def.meshToModel = vkskinAffineFromTransform(&model->nodes[0].rest);
    return vkskinCreateSkin(&def, skin);
}

bool poseSceneCreate(bool allTracks, PoseScene *scene, EngineError *error) {
    Random random = {.state = 64};
    *scene = (PoseScene){.model = calloc(1, sizeof(Model))};
    if (!scene->model || !fillModel(&random, allTracks, scene->model)) {
        poseSceneDestroy(scene);
        return engineFail(error, "out of memory");
    }
    VkskinResult result = createSkeleton(scene->model, &scene->skeleton);
    if (result == VKSKIN_SUCCESS) {
        result = createClip(scene->model->clips, &scene->clip);
    }
    if (result == VKSKIN_SUCCESS) {
        result = createSkin(scene->model, &scene->skin);
    }
    if (result != VKSKIN_SUCCESS) {
        poseSceneDestroy(scene);
        return engineFail(error, "the skeleton could not be made: %s", vkskinResultName(result));
    }
    return true;
}

void poseSceneDestroy(PoseScene *scene) {
    vkskinDestroySkin(scene->skin);
    vkskinDestroyClip(scene->clip);
    vkskinDestroySkeleton(scene->skeleton);
    modelFree(scene->model);
    *scene = (PoseScene){0};
}
