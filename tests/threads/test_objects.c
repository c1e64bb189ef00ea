/*
 * Objects without a context, used by several threads at once while others are made and destroyed.
 */
#include "stage.h"

#include "vkskin/vkskin_cpu.h"
#include "vkskin/vkskin_pose.h"

/* ---- poses: a skeleton, clip and skin that all threads read ---- */

#define NODES       12u
#define TIMES       16u
#define MORPHS      4u
#define POSE_ROUNDS 60u /* rounds over all times, per thread */

/* The results at one time. */
typedef struct Posed {
    unsigned char palettes[VKSKIN_PALETTE_ENCODING_COUNT][NODES * 64];
    float weights[MORPHS];
} Posed;

typedef struct Rig {
    VkskinSkeleton skeleton;
    VkskinClip clip;
    VkskinSkin skin;
} Rig;

typedef struct Actors {
    Rig rig;
    Posed expected[TIMES]; /* computed on one thread */
} Actors;

static Rig makeRig(void) {
    Rig rig = {0};
    int32_t parents[NODES];
    uint32_t nodes[NODES];
    VkskinTransform rest[NODES];
    VkskinTrack tracks[NODES + 1];
    static const float times[2] = {0.0f, 1.0f};
    static const float turns[8] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.6f, 0.0f, 0.8f};
    for (uint32_t i = 0; i < NODES; i++) {
        parents[i] = (int32_t)i - 1;
        nodes[i] = i;
        rest[i] = vkskinIdentityTransform();
        rest[i].translation[0] = 1.0f;
        tracks[i] = (VkskinTrack){
            .node = i, .channel = VKSKIN_CHANNEL_ROTATION, .keyCount = 2, .times = times, .values = turns};
    }
    tracks[NODES] = (VkskinTrack){.node = 0,
                                  .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                                  .keyCount = 2,
                                  .times = times,
                                  .values = turns,
                                  .weightCount = MORPHS};
    VkskinSkeletonDef skeleton = vkskinDefaultSkeletonDef();
    skeleton.nodeCount = NODES;
    skeleton.parents = parents;
    skeleton.restPose = rest;
    VkskinClipDef clip = vkskinDefaultClipDef();
    clip.nodeCount = NODES;
    clip.trackCount = NODES + 1;
    clip.tracks = tracks;
    VkskinSkinDef skin = skinDefOf(NODES, NODES, nodes, NULL);
    CHECK(vkskinCreateSkeleton(&skeleton, &rig.skeleton) == VKSKIN_SUCCESS);
    CHECK(vkskinCreateClip(&clip, &rig.clip) == VKSKIN_SUCCESS);
    CHECK(vkskinCreateSkin(&skin, &rig.skin) == VKSKIN_SUCCESS);
    return rig;
}

static void destroyRig(Rig rig) {
    vkskinDestroySkin(rig.skin);
    vkskinDestroyClip(rig.clip);
    vkskinDestroySkeleton(rig.skeleton);
}

static void pose(Rig rig, uint32_t time, Posed *posed) {
    VkskinTransform local[NODES];
    VkskinAffine world[NODES];
    double seconds = 0.3 * time + 0.05; /* never a whole second, where the bones are in their plane */
    CHECK(vkskinSampleClip(rig.skeleton, rig.clip, seconds, VKSKIN_WRAP_LOOP, local) == VKSKIN_SUCCESS);
    CHECK(vkskinComposePose(rig.skeleton, local, world) == VKSKIN_SUCCESS);
    memset(posed, 0, sizeof *posed);
    for (uint32_t i = 0; i < VKSKIN_PALETTE_ENCODING_COUNT; i++) {
        CHECK(vkskinWritePalette(rig.skin, world, NODES, (VkskinPaletteEncoding)i, posed->palettes[i], NODES) ==
              (i == VKSKIN_PALETTE_MAT2X3 ? VKSKIN_WARNING_DEPTH_LOST : VKSKIN_SUCCESS));
    }
    CHECK(vkskinSampleMorphWeights(rig.clip, 0, seconds, VKSKIN_WRAP_LOOP, posed->weights, MORPHS) == VKSKIN_SUCCESS);
}

static void act(void *argument) {
    const Actors *actors = argument;
    for (uint32_t round = 0; round < POSE_ROUNDS; round++) {
        for (uint32_t time = 0; time < TIMES; time++) {
            Posed posed;
            pose(actors->rig, time, &posed);
            CHECK(memcmp(&posed, &actors->expected[time], sizeof posed) == 0);
        }
        CHECK(vkskinGetSkeletonNodeCount(actors->rig.skeleton) == NODES);
        CHECK(vkskinGetClipDuration(actors->rig.clip) == 1.0f);
        CHECK(vkskinGetSkinBoneCount(actors->rig.skin) == NODES);
    }
}

static void makeRigs(void *argument) {
    (void)argument;
    for (uint32_t round = 0; round < POSE_ROUNDS; round++) {
        Posed posed;
        Rig rig = makeRig();
        pose(rig, round % TIMES, &posed);
        destroyRig(rig);
    }
}

TEST(posesOfOneRig) {
    static const ThreadWork works[] = {act, act, act, makeRigs};
    (void)state;
    static Actors actors;
    actors.rig = makeRig();
    for (uint32_t time = 0; time < TIMES; time++) {
        pose(actors.rig, time, &actors.expected[time]);
    }
    runThreads(works, COUNT_OF(works), &actors);
    destroyRig(actors.rig);
    assert_int_equal(failedChecks(), 0);
}

/* ---- skinning: a mesh on the CPU, skinned by several threads; one call on lent threads ---- */

#define VERTICES    700u /* vertices with one or two influences: the output must be reordered */
#define BONES       6u
#define INSTANCES   40u /* more than a call handles without an allocation */
#define SKIN_ROUNDS 6u

typedef struct Output {
    float positions[INSTANCES][VERTICES][3];
    uint32_t attributes[INSTANCES][VERTICES];
} Output;

typedef struct Scene {
    TestMesh *built;
    float palettes[INSTANCES][BONES][3][4];
    VkskinCpuMesh mesh;
    Output expected; /* computed on one thread */
} Scene;

static VkskinCpuMesh makeMesh(const Scene *scene) {
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &scene->built->def;
    VkskinCpuMesh made = NULL;
    CHECK(vkskinCreateCpuMesh(&def, &made) == VKSKIN_SUCCESS);
    return made;
}

static void fillScene(Scene *scene) {
    scene->built = meshBuild((MeshSpec){VERTICES, BONES, 2, MESH_NORMALS, .values = MESH_RANDOM});
    float *entries = scene->palettes[0][0][0];
    for (uint32_t i = 0; i < INSTANCES * BONES * 12; i++) {
        entries[i] = (float)(i * 7 % 31) / 16.0f - 1.0f;
    }
}

static void skin(const Scene *scene, const VkskinCpuRun *run, Output *output) {
    VkskinCpuCommand commands[INSTANCES];
    for (uint32_t i = 0; i < INSTANCES; i++) {
        commands[i] = (VkskinCpuCommand){.palette = scene->palettes[i],
                                         .boneCount = BONES,
                                         .streams = {output->positions[i][0], output->attributes[i]}};
    }
    CHECK(vkskinSkinOnCpu(scene->mesh, commands, INSTANCES, run) == VKSKIN_SUCCESS);
}

static void skinAndCompare(const Scene *scene, const VkskinCpuRun *run) {
    Output *output = calloc(1, sizeof *output);
    if (CHECK(output != NULL)) {
        skin(scene, run, output);
        CHECK(memcmp(output, &scene->expected, sizeof *output) == 0);
    }
    free(output);
}

static void skinAlone(void *argument) {
    for (uint32_t round = 0; round < SKIN_ROUNDS; round++) {
        skinAndCompare(argument, NULL);
    }
}

static void skinOnLentThreads(void *argument) {
    const VkskinCpuRun run = {.parallel = lendThreads};
    for (uint32_t round = 0; round < SKIN_ROUNDS; round++) {
        skinAndCompare(argument, &run);
    }
}

static void makeMeshes(void *argument) {
    for (uint32_t round = 0; round < SKIN_ROUNDS; round++) {
        vkskinDestroyCpuMesh(makeMesh(argument));
    }
}

TEST(skinningOfOneMesh) {
    static const ThreadWork works[] = {skinAlone, skinAlone, skinOnLentThreads, makeMeshes};
    (void)state;
    static Scene scene;
    fillScene(&scene);
    scene.mesh = makeMesh(&scene);
    skin(&scene, NULL, &scene.expected);
    runThreads(works, COUNT_OF(works), &scene);
    vkskinDestroyCpuMesh(scene.mesh);
    meshFree(scene.built);
    assert_int_equal(failedChecks(), 0);
}
