#include "pose_batch_scenes.h"

#include "random.h"
#include "vkskin/vkskin_blend.h"

#define KEYS_MAX 12u

static void anyRotation(float q[4]) {
    const double axis[3] = {randomFraction(), randomFraction(), 1.5};
    turnAbout(axis, 150.0 * randomFraction(), q);
}

static VkskinTransform anyTransform(const SceneShape *shape) {
    VkskinTransform transform = vkskinIdentityTransform();
    anyRotation(transform.rotation);
    for (int i = 0; i < 3; ++i) {
        transform.translation[i] = 0.5f * randomFraction();
        transform.scale[i] = shape->anyScale ? 1.2f * randomFraction() : 1.0f;
    }
    if (shape->anyScale && randomFraction() > 0.8f) {
        transform.scale[1] = 0.0f;
    }
    return transform;
}

static VkskinAffine anyAffine(void) {
    VkskinTransform transform = vkskinIdentityTransform();
    anyRotation(transform.rotation);
    transform.translation[1] = randomFraction();
    VkskinAffine affine = vkskinAffineFromTransform(&transform);
    affine.m[0][1] += 0.2f * randomFraction(); /* shear */
    return affine;
}

static int32_t parentOf(SceneTree tree, uint32_t count, uint32_t node) {
    if (tree == SCENE_BACKWARDS) {
        return node + 1 < count ? (int32_t)node + 1 : -1;
    }
    if (node == 0 || (tree == SCENE_FOREST && node % 7 == 3)) {
        return -1;
    }
    return tree == SCENE_CHAIN ? (int32_t)node - 1 : (int32_t)(node - 1 - (uint32_t)rand() % (node < 5 ? node : 5));
}

static void makeSkeleton(BatchScene *scene) {
    const uint32_t count = scene->shape.nodeCount;
    scene->parents = ownZeros(count, sizeof *scene->parents);
    scene->rest = ownZeros(count, sizeof *scene->rest);
    scene->preTransforms = scene->shape.preTransforms ? ownZeros(count, sizeof *scene->preTransforms) : NULL;
    for (uint32_t node = 0; node < count; ++node) {
        scene->parents[node] = parentOf(scene->shape.tree, count, node);
        scene->rest[node] = anyTransform(&scene->shape);
        if (scene->preTransforms != NULL) {
            scene->preTransforms[node] = node % 3 == 0 ? vkskinIdentityAffine() : anyAffine();
        }
    }
    scene->rest[count / 2].rotation[3] *= 3.0f; /* read as if it were of unit length, by all */
    scene->skeleton =
        ownSkeleton(count, scene->parents, scene->rest, scene->preTransforms, (VkskinLogger){.log = NULL});
}

static void makeSkin(BatchScene *scene) {
    const uint32_t count = scene->shape.boneCount;
    scene->boneNodes = ownZeros(count, sizeof *scene->boneNodes);
    scene->inverseBinds = ownZeros(count, sizeof *scene->inverseBinds);
    for (uint32_t bone = 0; bone < count; ++bone) {
        scene->boneNodes[bone] = scene->shape.mixedBones ? (uint32_t)rand() % scene->shape.nodeCount : bone;
        scene->inverseBinds[bone] = anyAffine();
    }
    const VkskinAffine meshToModel = scene->shape.meshToModel ? anyAffine() : vkskinIdentityAffine();
    OK(vkskinInvertAffine(&meshToModel, &scene->modelToMesh));
    scene->skin = ownSkin(scene->shape.nodeCount, count, scene->boneNodes, scene->inverseBinds, &meshToModel);
}

/* Keys at times of their own, from before 0 or after it; now and then two at once. */
static VkskinTrack anyTrack(uint32_t node, VkskinChannel channel, VkskinInterpolation interpolation) {
    const uint32_t keyCount = 1 + (uint32_t)rand() % KEYS_MAX;
    const uint32_t width = channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    const uint32_t parts = vkskinInterpolationParts(interpolation);
    float *times = newZeroed(keyCount, sizeof *times);
    float *values = newZeroed((size_t)keyCount * parts * width, sizeof *values);
    float time = 0.2f * randomFraction();
    for (uint32_t key = 0; key < keyCount; ++key) {
        times[key] = time;
        time += rand() % 5 == 0 ? 0.0f : 0.15f + 0.1f * randomFraction();
        for (uint32_t part = 0; part < parts; ++part) {
            const bool handle = parts == 5 && part != 2;
            float value[4];
            anyRotation(value);
            for (int i = 0; i < 4 && handle; ++i) {
                value[i] *= 0.1f; /* shorter than most segments; rotations keep a length, and so a limited speed */
            }
            value[0] += channel == VKSKIN_CHANNEL_SCALE ? 1.0f : 0.0f;
            memcpy(values + ((size_t)key * parts + part) * width, value, width * sizeof *value);
        }
    }
    return (VkskinTrack){.node = node,
                         .channel = channel,
                         .interpolation = interpolation,
                         .keyCount = keyCount,
                         .times = times,
                         .values = values};
}

static bool hasTrack(uint32_t clip, uint32_t node, VkskinChannel channel) {
    return clip >= 2 ? rand() % 3 != 0 : channel == VKSKIN_CHANNEL_ROTATION || node % 5 == clip;
}

static VkskinInterpolation interpolationOf(uint32_t clip) {
    return clip < 2 ? (VkskinInterpolation)clip : (VkskinInterpolation)(rand() % 4);
}

static void makeClip(BatchScene *scene, uint32_t clip) {
    const uint32_t nodes = scene->shape.nodeCount;
    VkskinTrack *tracks = newZeroed((size_t)nodes * 3 + 1, sizeof *tracks);
    uint32_t count = 0;
    for (uint32_t node = 0; node < nodes; ++node) {
        for (uint32_t channel = 0; channel < 3; ++channel) {
            if (hasTrack(clip, node, (VkskinChannel)channel)) {
                tracks[count++] = anyTrack(node, (VkskinChannel)channel, interpolationOf(clip));
            }
        }
    }
    tracks[count++] = anyTrack(0, VKSKIN_CHANNEL_ROTATION, VKSKIN_INTERPOLATION_LINEAR); /* the last one counts */
    scene->clips[clip] = ownClip(nodes, tracks, count, clip == 3 ? 0.0f : 1.5f);
    for (uint32_t i = 0; i < count; ++i) {
        free((void *)tracks[i].times);
        free((void *)tracks[i].values);
    }
    free(tracks);
}

BatchScene batchScene(const SceneShape *shape) {
    BatchScene scene = {.shape = *shape};
    srand(shape->nodeCount * 31 + shape->boneCount);
    makeSkeleton(&scene);
    makeSkin(&scene);
    for (uint32_t clip = 0; clip < SCENE_CLIPS; ++clip) {
        makeClip(&scene, clip);
    }
    return scene;
}

VkskinPoseBatchDef batchSceneDef(const BatchScene *scene, uint32_t slotCount) {
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    def.skeleton = scene->skeleton;
    def.skin = scene->skin;
    def.clipCount = SCENE_CLIPS;
    def.clips = scene->clips;
    def.slotCount = slotCount;
    return def;
}

/* Upper bounds for a matrix or a product of them: how far it stretches a length, and how far it moves a point. */
typedef struct Magnitude {
    double stretch;
    double move;
    uint32_t depth;
} Magnitude;

static double lengthOf(double x, double y, double z) {
    return sqrt(x * x + y * y + z * z);
}

static Magnitude magnitudeOf(const VkskinAffine *affine) {
    double squares = 0.0;
    for (int i = 0; i < 9; ++i) {
        squares += (double)affine->m[i / 3][i % 3] * affine->m[i / 3][i % 3];
    }
    return (Magnitude){sqrt(squares), lengthOf(affine->m[0][3], affine->m[1][3], affine->m[2][3]), 0};
}

static Magnitude magnitudeOfTransform(const VkskinTransform *t) {
    const double stretch = fmax(fmax(fabs(t->scale[0]), fabs(t->scale[1])), fabs(t->scale[2]));
    return (Magnitude){stretch, lengthOf(t->translation[0], t->translation[1], t->translation[2]), 0};
}

static Magnitude composeMagnitudes(Magnitude a, Magnitude b) {
    return (Magnitude){a.stretch * b.stretch, a.move + a.stretch * b.move, a.depth};
}

static Magnitude magnitudeOfBlend(const VkskinTransform *a, const VkskinTransform *b, double weight) {
    const Magnitude from = magnitudeOfTransform(a);
    const Magnitude to = magnitudeOfTransform(b);
    return (Magnitude){(1.0 - weight) * from.stretch + weight * to.stretch,
                       (1.0 - weight) * from.move + weight * to.move, 0};
}

/* poses: of the two clips. */
static void expectBounds(const BatchScene *scene, VkskinTransform *const poses[2], double weight,
                         VkskinAffine *bounds) {
    const uint32_t count = scene->shape.nodeCount;
    Magnitude *magnitudes = ownZeros(count, sizeof *magnitudes);
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t node = scene->shape.tree == SCENE_BACKWARDS ? count - 1 - i : i;
        const int32_t parent = scene->parents[node];
        Magnitude magnitude = parent < 0 ? magnitudeOf(&scene->modelToMesh) : magnitudes[parent];
        magnitude.depth = parent < 0 ? 0 : magnitude.depth + 1;
        if (scene->preTransforms != NULL) {
            const Magnitude pre = magnitudeOf(&scene->preTransforms[node]);
            magnitude = composeMagnitudes(magnitude, pre);
        }
        magnitudes[node] = composeMagnitudes(magnitude, magnitudeOfBlend(&poses[0][node], &poses[1][node], weight));
    }
    for (uint32_t bone = 0; bone < scene->shape.boneCount; ++bone) {
        const Magnitude magnitude =
            composeMagnitudes(magnitudes[scene->boneNodes[bone]], magnitudeOf(&scene->inverseBinds[bone]));
        const double share = (magnitude.depth + 2) / 1e6;
        for (int i = 0; i < 12; ++i) {
            bounds[bone].m[i / 4][i % 4] = (float)(share * (i % 4 == 3 ? magnitude.move : magnitude.stretch));
        }
    }
}

static void samplePose(const BatchScene *scene, const void *block, uint32_t clip, double time, VkskinWrap wrap,
                       VkskinTransform *pose) {
    if (block != NULL) {
        OK(vkskinSampleAnimation(block, clip, time, wrap, pose));
    } else {
        OK(vkskinSampleClip(scene->skeleton, clip == VKSKIN_REST_POSE ? NULL : scene->clips[clip], time, wrap, pose));
    }
}

void batchSceneExpect(const BatchScene *scene, const void *block, const VkskinPoseBatchCharacter *character,
                      VkskinAffine *expected, VkskinAffine *bounds) {
    const uint32_t nodes = scene->shape.nodeCount;
    const float weight = character->blendWeight;
    const size_t before = countOwned();
    VkskinTransform *poses[2] = {ownZeros(nodes, sizeof **poses), ownZeros(nodes, sizeof **poses)};
    VkskinTransform *pose = poses[0];
    VkskinAffine *world = ownZeros(nodes, sizeof *world);
    samplePose(scene, block, character->clip, character->time, character->wrap, poses[0]);
    if (weight != 0.0f) {
        const VkskinPoseLayer layers[2] = {{poses[0], 1.0f - weight, NULL}, {poses[1], weight, NULL}};
        VkskinBlendDef def = vkskinDefaultBlendDef();
        samplePose(scene, block, character->blendClip, character->blendTime, character->blendWrap, poses[1]);
        pose = ownZeros(nodes, sizeof *pose);
        def.nodeCount = nodes;
        def.layerCount = 2;
        def.layers = layers;
        def.rest = scene->rest;
        OK(vkskinBlendLayers(&def, pose));
    }
    OK(vkskinComposePose(scene->skeleton, pose, world));
    OK(vkskinWritePalette(scene->skin, world, nodes, VKSKIN_PALETTE_MAT3X4, expected, scene->shape.boneCount));
    expectBounds(scene, poses, (double)weight, bounds);
    destroyOwned(before);
}

void batchSceneCast(VkskinPoseBatchCharacter *characters, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t clip = (uint32_t)rand() % (SCENE_CLIPS + 1);
        characters[i] = (VkskinPoseBatchCharacter){.clip = clip < SCENE_CLIPS ? clip : VKSKIN_REST_POSE,
                                                   .wrap = rand() % 2 == 0 ? VKSKIN_WRAP_LOOP : VKSKIN_WRAP_CLAMP,
                                                   .time = 2.5 * (double)randomFraction(),
                                                   .slot = count - 1 - i};
    }
}

void batchSceneBlend(VkskinPoseBatchCharacter *characters, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        const uint32_t clip = (uint32_t)rand() % (SCENE_CLIPS + 1);
        characters[i].blendClip = clip < SCENE_CLIPS ? clip : VKSKIN_REST_POSE;
        characters[i].blendWrap = rand() % 2 == 0 ? VKSKIN_WRAP_LOOP : VKSKIN_WRAP_CLAMP;
        characters[i].blendTime = 2.5 * (double)randomFraction();
        characters[i].blendWeight = i % 3 == 0 ? 0.0f : i % 7 == 1 ? 1.0f : 0.5001f + 0.4999f * randomFraction();
    }
}
