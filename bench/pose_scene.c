#include "pose_scene.h"

#include <math.h>

#include "random.h"

#define CHAINS      5u /* limbs and head; they start at the first bones of the spine */
#define KEYS_SECOND 30.0f
#define BONE_LENGTH 0.15f
#define SWING       0.6f /* radians to either side */

static VkskinTransform restOf(Random *random) {
    VkskinTransform rest = vkskinIdentityTransform();
    rest.translation[1] = BONE_LENGTH;
    randomRotation(random, 0.3f, rest.rotation);
    return rest;
}

static void fillNodes(Random *random, PoseScene *scene) {
    static char noName[1];
    for (uint32_t n = 0; n < POSE_BONES; n++) {
        scene->nodes[n] = (ModelNode){.name = noName,
                                      .parent = n == 0        ? -1
                                                : n <= CHAINS ? 0
                                                              : (int32_t)(n - CHAINS),
                                      .rest = restOf(random),
                                      .preTransform = vkskinIdentityAffine()};
    }
}

static void fillSkin(Random *random, PoseScene *scene) {
    for (uint32_t b = 0; b < POSE_BONES; b++) {
        const VkskinTransform bind = restOf(random);
        scene->boneNodes[b] = b;
        scene->inverseBinds[b] = vkskinAffineFromTransform(&bind);
    }
}

/* Each bone swings about its own axis at its own rate, a whole number of times per clip. */
static void rotationKey(const float axis[3], float phase, float pace, float *value) {
    const float half = 0.5f * SWING * sinf(phase * pace);
    for (int i = 0; i < 3; i++) {
        value[i] = axis[i] * sinf(half);
    }
    value[3] = cosf(half);
}

static void addTrack(Random *random, uint32_t node, VkskinChannel channel, PoseScene *scene, uint32_t clip) {
    const uint32_t width = channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    PoseClip *keys = &scene->keys[clip];
    float *values = keys->values[scene->clips[clip].trackCount];
    const float pace = (float)(1 + randomBelow(random, 4));
    float axis[3];
    randomDirection(random, axis);
    for (uint32_t k = 0; k < POSE_KEYS; k++) {
        const float phase = 6.2831853f * (float)k / (float)(POSE_KEYS - 1);
        float *value = values + (size_t)k * width;
        scene->times[k] = (float)k / KEYS_SECOND;
        if (channel == VKSKIN_CHANNEL_ROTATION) {
            rotationKey(axis, phase, pace, value);
            continue;
        }
        for (int i = 0; i < 3; i++) {
            const float rest = channel == VKSKIN_CHANNEL_SCALE ? 1.0f : i == 1 ? BONE_LENGTH : 0.0f;
            value[i] = rest + 0.02f * axis[i] * sinf(phase * pace);
        }
    }
    keys->tracks[scene->clips[clip].trackCount++] =
        (VkskinTrack){.node = node, .channel = channel, .keyCount = POSE_KEYS, .times = scene->times, .values = values};
}

static void fillClip(Random *random, bool allTracks, uint32_t clip, PoseScene *scene) {
    scene->clips[clip] =
        (ModelClip){.duration = (float)(POSE_KEYS - 1) / KEYS_SECOND, .tracks = scene->keys[clip].tracks};
    for (uint32_t i = 0; i < 3 * POSE_BONES; i++) {
        const uint32_t node = i / 3;
        const VkskinChannel channel = (VkskinChannel)(i % 3);
        if (allTracks || channel == VKSKIN_CHANNEL_ROTATION || (node == 0 && channel == VKSKIN_CHANNEL_TRANSLATION)) {
            addTrack(random, node, channel, scene, clip);
        }
    }
}

void poseSceneFill(uint32_t clipCount, bool allTracks, PoseScene *scene) {
    Random random = {.state = 64};
    fillNodes(&random, scene);
    fillSkin(&random, scene);
    for (uint32_t clip = 0; clip < clipCount; clip++) {
        fillClip(&random, allTracks, clip, scene);
    }
    scene->skin =
        (ModelSkin){.boneCount = POSE_BONES, .boneNodes = scene->boneNodes, .inverseBinds = scene->inverseBinds};
    scene->model = (Model){.nodeCount = POSE_BONES,
                           .nodes = scene->nodes,
                           .skinCount = 1,
                           .skins = &scene->skin,
                           .partCount = 1,
                           .parts = &scene->part,
                           .clipCount = clipCount,
                           .clips = scene->clips};
}
