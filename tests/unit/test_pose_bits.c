/*
 * The same inputs give the same bits on any number of threads: a pipeline of state machine, packed sampling, blending and
 * IK with one task for each character, the same pipeline on four threads at once, and pose batches of packed clips at each
 * instruction level.
 */
#include <sched.h>
#include <stdatomic.h>

#include "pose_batch_scenes.h"
#include "vkskin/vkskin_pack.h"
#include "vkskin/vkskin_ik.h"
#include "vkskin/vkskin_machine.h"

enum { CHARACTERS = 67, FRAMES = 12, NODES = 24, THREADS = 4, REPEATS = 6 };

static const SceneShape shape = {.name = "bits", .nodeCount = NODES, .boneCount = NODES, .tree = SCENE_CHAIN};

typedef struct Pipeline {
    BatchScene scene;
    void *block;
    size_t size;
    VkskinMachine machine;
    float mask[NODES];
    VkskinMachineRun runs[CHARACTERS];
    float parameters[CHARACTERS];
    VkskinTransform blended[CHARACTERS][NODES];
    VkskinAffine worlds[CHARACTERS][NODES];
} Pipeline;

static void makeMachine(Pipeline *pipeline) {
    const float durations[2] = {vkskinGetAnimationDuration(pipeline->block, 0),
                                vkskinGetAnimationDuration(pipeline->block, 2)};
    const VkskinParameter speed = {"speed", 0.0f, false};
    const VkskinStatePoint still = {0, 0.0f}, both[2] = {{0, 0.0f}, {1, 1.0f}};
    const VkskinState states[2] = {{"still", 1, &still, 0, 1.0f, VKSKIN_PLAY_LOOP},
                                   {"moves", 2, both, 0, 1.3f, VKSKIN_PLAY_LOOP}};
    const VkskinCondition fast = {0, VKSKIN_COMPARE_GREATER, 0.5f}, slow = {0, VKSKIN_COMPARE_LESS, 0.5f};
    const VkskinTransition transitions[2] = {{0, 1, 0.1f, VKSKIN_FADE_SMOOTH, 0.0f, false, 1, &fast},
                                             {1, 0, 0.2f, VKSKIN_FADE_LINEAR, 0.0f, false, 1, &slow}};
    VkskinMachineDef def = vkskinDefaultMachineDef();
    def.clipCount = 2;
    def.clipDurations = durations;
    def.parameterCount = 1;
    def.parameters = &speed;
    def.stateCount = 2;
    def.states = states;
    def.transitionCount = 2;
    def.transitions = transitions;
    OK(vkskinCreateMachine(&def, &pipeline->machine));
    own(pipeline->machine, destroyMachine);
}

static void startMachines(Pipeline *pipeline) {
    for (uint32_t i = 0; i < CHARACTERS; ++i) {
        OK(vkskinStartMachine(pipeline->machine, &pipeline->runs[i], &pipeline->parameters[i]));
    }
}

static Pipeline *makePipeline(void) {
    Pipeline *pipeline = ownZeros(1, sizeof *pipeline);
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    srand(9);
    pipeline->scene = batchScene(&shape);
    def.skeleton = pipeline->scene.skeleton;
    def.clipCount = SCENE_CLIPS;
    def.clips = pipeline->scene.clips;
    def.maxError = 0.5f;
    OK(vkskinPackAnimation(&def, &pipeline->block, &pipeline->size, NULL));
    own(pipeline->block, freeBlock);
    makeMachine(pipeline);
    for (uint32_t node = 0; node < NODES; ++node) {
        pipeline->mask[node] = (float)node / NODES;
    }
    startMachines(pipeline);
    return pipeline;
}

/* Characters at the start, with the scene, the block and the machine of another pipeline: packing takes seconds. */
static Pipeline *startAgain(const Pipeline *pipeline) {
    Pipeline *other = ownZeros(1, sizeof *other);
    *other = *pipeline;
    memset(other->blended, 0, sizeof other->blended);
    memset(other->worlds, 0, sizeof other->worlds);
    startMachines(other);
    return other;
}

static void solve(const Pipeline *pipeline, uint32_t character, VkskinTransform *pose, VkskinAffine *world) {
    VkskinTwoBoneDef reach = vkskinDefaultTwoBoneDef();
    VkskinAimDef look = vkskinDefaultAimDef();
    reach.start = 3;
    reach.mid = 4;
    reach.end = 5;
    reach.target[0] = 0.1f * (float)character;
    reach.pole[1] = 1.0f;
    look.node = 10;
    look.target[1] = 1.0f + (float)character;
    OK(vkskinComposePose(pipeline->scene.skeleton, pose, world));
    OK(vkskinSolveTwoBone(pipeline->scene.skeleton, &reach, pose, world, NULL));
    OK(vkskinSolveAim(pipeline->scene.skeleton, &look, pose, world, NULL));
}

/* A frame of one character. */
static void poseCharacter(void *data, uint32_t i) {
    Pipeline *pipeline = data;
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    VkskinPoseLayer layers[VKSKIN_MACHINE_SAMPLES_MAX];
    VkskinTransform poses[VKSKIN_MACHINE_SAMPLES_MAX][NODES], rest[NODES], added[NODES];
    VkskinBlendDef def = vkskinDefaultBlendDef();
    OK(vkskinStepMachine(pipeline->machine, &pipeline->runs[i], &pipeline->parameters[i], 0.013 + 0.001 * i, samples,
                         &def.layerCount));
    for (uint32_t k = 0; k < def.layerCount; ++k) {
        OK(vkskinSampleAnimation(pipeline->block, 2 * samples[k].clip, samples[k].step.to, VKSKIN_WRAP_CLAMP,
                                 poses[k]));
        layers[k] = (VkskinPoseLayer){poses[k], samples[k].weight, k == 1 ? pipeline->mask : NULL};
    }
    OK(vkskinSampleAnimation(pipeline->block, VKSKIN_REST_POSE, 0.0, VKSKIN_WRAP_CLAMP, rest));
    OK(vkskinMakeAdditive(NODES, rest, poses[0], added));
    const VkskinPoseLayer additive = {added, 0.3f, pipeline->mask};
    def.nodeCount = NODES;
    def.layers = layers;
    def.rest = rest;
    def.additiveCount = 1;
    def.additives = &additive;
    OK(vkskinBlendLayers(&def, poses[0]));
    memcpy(pipeline->blended[i], poses[0], sizeof poses[0]);
    for (uint32_t node = 0; node < NODES; ++node) { /* the scales of the scene may be 0, which solvers refuse */
        memcpy(poses[0][node].scale, (const float[]){1, 1, 1}, sizeof poses[0][node].scale);
    }
    solve(pipeline, i, poses[0], pipeline->worlds[i]);
}

/* Parameters change over time, so that fades begin and end. crew: null for this thread. */
static void playFrames(Pipeline *pipeline, Crew *crew) {
    for (uint32_t frame = 0; frame < FRAMES; ++frame) {
        for (uint32_t i = 0; i < CHARACTERS; ++i) {
            pipeline->parameters[i] = (frame + i) % 9 < 5 ? 1.0f : 0.0f;
        }
        for (uint32_t i = 0; crew == NULL && i < CHARACTERS; ++i) {
            poseCharacter(pipeline, i);
        }
        if (crew != NULL) {
            lendCrew(crew, CHARACTERS, poseCharacter, pipeline);
        }
    }
}

OWNING_TEST(pipelinesAreTheSame) {
    Pipeline *alone = makePipeline();
    playFrames(alone, NULL);
    for (uint32_t threads = 1; threads <= 4; threads *= 2) {
        Pipeline *other = startAgain(alone);
        Crew crew = {.threads = threads, .seed = 7 + threads};
        playFrames(other, &crew);
        assert_memory_equal(other->blended, alone->blended, sizeof alone->blended);
        assert_memory_equal(other->worlds, alone->worlds, sizeof alone->worlds);
        assert_memory_equal(other->runs, alone->runs, sizeof alone->runs);
    }
    assert_true(memcmp(alone->worlds[0], alone->worlds[1], sizeof alone->worlds[0]) != 0);
}

/* ---- Threads that overlap: a short task on a thread of its own often ends before the next thread begins ---- */

typedef struct Together {
    const Pipeline *expected;
    Pipeline *pipelines[THREADS];
    atomic_uint ready, different;
} Together;

/* Waits until each thread has a task, then plays a pipeline of its own several times. */
static void playTogether(void *data, uint32_t i) {
    Together *together = data;
    Pipeline *pipeline = together->pipelines[i];
    for (atomic_fetch_add(&together->ready, 1); atomic_load(&together->ready) < THREADS;) {
        (void)sched_yield();
    }
    for (uint32_t repeat = 0; repeat < REPEATS; ++repeat) {
        startMachines(pipeline);
        playFrames(pipeline, NULL);
        if (memcmp(pipeline->blended, together->expected->blended, sizeof pipeline->blended) != 0 ||
            memcmp(pipeline->worlds, together->expected->worlds, sizeof pipeline->worlds) != 0) {
            atomic_fetch_add(&together->different, 1);
        }
    }
}

OWNING_TEST(overlappingThreadsShareNothing) {
    Pipeline *alone = makePipeline();
    Together together = {.expected = alone};
    Crew crew = {.threads = THREADS, .seed = 3};
    playFrames(alone, NULL);
    for (uint32_t i = 0; i < THREADS; ++i) {
        together.pipelines[i] = startAgain(alone);
    }
    lendCrew(&crew, THREADS, playTogether, &together);
    assert_int_equal(atomic_load(&together.different), 0);
}

OWNING_TEST(packedBatchesAreTheSame) {
    Pipeline *pipeline = makePipeline();
    VkskinPoseBatchDef def = vkskinDefaultPoseBatchDef();
    def.animation = pipeline->block;
    def.animationSize = pipeline->size;
    def.skin = pipeline->scene.skin;
    def.slotCount = CHARACTERS;
    def.blending = true;
    for (VkskinCpuLevel level = VKSKIN_CPU_PORTABLE; level <= vkskinGetCpuLevel(); ++level) {
        VkskinAffine(*palettes)[CHARACTERS][NODES] = ownLines(4 * sizeof *palettes);
        for (uint32_t round = 0; round < 4; ++round) { /* this thread; then 1, 2 and 4 */
            VkskinPoseBatchCharacter characters[CHARACTERS];
            Crew crew = {.threads = round == 0 ? 1 : 1u << (round - 1), .seed = round};
            const VkskinCpuRun run = {.level = level, .parallel = round > 0 ? lendCrew : NULL, .parallelUser = &crew};
            srand(4);
            batchSceneCast(characters, CHARACTERS);
            batchSceneBlend(characters, CHARACTERS);
            for (uint32_t i = 0; i < CHARACTERS; ++i) {
                characters[i].palette = palettes[round][i];
            }
            OK(vkskinPoseBatch(ownPoseBatch(&def), characters, CHARACTERS, VKSKIN_PALETTE_MAT3X4, NODES, &run));
            assert_memory_equal(palettes[round], palettes[0], sizeof palettes[0]);
        }
    }
}
