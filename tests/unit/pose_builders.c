#include "pose_builders.h"
#include "vkskin/vkskin_pack.h"
#include "vkskin/vkskin_machine.h"

/* ---- Objects ---- */

static void destroySkeleton(void *skeleton) {
    vkskinDestroySkeleton(skeleton);
}

static void destroyClip(void *clip) {
    vkskinDestroyClip(clip);
}

static void destroySkin(void *skin) {
    vkskinDestroySkin(skin);
}

void destroyPoseBatch(void *batch) {
    vkskinDestroyPoseBatch(batch);
}

void destroyMachine(void *machine) {
    vkskinDestroyMachine(machine);
}

void freeBlock(void *block) {
    vkskinFreeAnimation(block, NULL);
}

VkskinSkeleton ownSkeleton(uint32_t nodeCount, const int32_t *parents, const VkskinTransform *rest,
                           const VkskinAffine *preTransforms, VkskinLogger logger) {
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    VkskinSkeleton skeleton = NULL;
    def.nodeCount = nodeCount;
    def.parents = parents;
    def.restPose = rest;
    def.preTransforms = preTransforms;
    def.logger = logger;
    OK(vkskinCreateSkeleton(&def, &skeleton));
    return own(skeleton, destroySkeleton);
}

VkskinClip ownClip(uint32_t nodeCount, const VkskinTrack *tracks, uint32_t trackCount, float duration) {
    VkskinClipDef def = vkskinDefaultClipDef();
    VkskinClip clip = NULL;
    def.nodeCount = nodeCount;
    def.trackCount = trackCount;
    def.tracks = tracks;
    def.duration = duration;
    OK(vkskinCreateClip(&def, &clip));
    return own(clip, destroyClip);
}

VkskinSkin ownSkin(uint32_t nodeCount, uint32_t boneCount, const uint32_t *boneNodes, const VkskinAffine *inverseBinds,
                   const VkskinAffine *meshToModel) {
    VkskinSkin skin = NULL;
    VkskinSkinDef def = skinDefOf(nodeCount, boneCount, boneNodes, inverseBinds);
    def.meshToModel = meshToModel != NULL ? *meshToModel : def.meshToModel;
    OK(vkskinCreateSkin(&def, &skin));
    return own(skin, destroySkin);
}

VkskinPoseBatch ownPoseBatch(const VkskinPoseBatchDef *def) {
    VkskinPoseBatch batch = NULL;
    OK(vkskinCreatePoseBatch(def, &batch));
    return own(batch, destroyPoseBatch);
}

/* ---- Values ---- */

void turnAbout(const double axis[3], double degrees, float q[4]) {
    const double half = degrees * 3.14159265358979323846 / 360.0;
    const double k = sin(half) / sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int i = 0; i < 3; ++i) {
        q[i] = (float)(k * axis[i]);
    }
    q[3] = (float)cos(half);
}

void assertRows(const VkskinAffine *actual, const float expected[3][4], float tolerance) {
    for (int i = 0; i < 12; ++i) {
        assert_float_equal(actual->m[i / 4][i % 4], expected[i / 4][i % 4], tolerance);
    }
}

float randomFraction(void) {
    return (float)rand() / (float)RAND_MAX * 2.0f - 1.0f;
}
