/*
 * animation.c: a state machine that a script drives, without window and device. A figure stands, walks, runs and bows;
 * its foot stays above the ground, its head looks at a lamp. An argument replaces the script.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vkskin/vkskin_ik.h>
#include <vkskin/vkskin_machine.h>

enum { PELVIS, THIGH, CALF, FOOT, SPINE, HEAD, NODES };
enum { STAND, WALK, RUN, BOW, CLIPS };
enum { SPEED, BOWING };
#define CHECK(call) ((call) < 0 ? (fprintf(stderr, "fails: %s\n", #call), exit(1)) : (void)0)
static const char script[] = "0.5 speed 1.4\n1.5 speed 4\n2.0 bowing 1\n2.8 speed 2.5\n3.5 speed 0\n4.4 bowing 0\n";
static const int32_t parents[NODES] = {-1, PELVIS, THIGH, CALF, PELVIS, SPINE};
static const float heights[NODES] = {1, 0, -0.5f, -0.45f, 0.2f, 0.4f}; /* above the parent */
static const char *const names[CLIPS] = {"stand", "walk", "run", "bow"};
static const float durations[CLIPS] = {2, 1.03f, 0.73f, 1}, metres[CLIPS] = {0, 1.4f, 2.8f, 0};
static const float swings[CLIPS] = {0, 0.45f, 0.9f, 0}, bows[CLIPS] = {0.1f, 0, 0, 0.6f}; /* radians */
static const float lamp[3] = {3, 2, 4.07f}, lowest = 0.12f; /* lowest: height of a foot on the ground */

typedef struct Figure {
    VkskinSkeleton skeleton;
    VkskinClip clips[CLIPS];
    VkskinRootDef roots[CLIPS];
    VkskinMachine machine;
    VkskinMachineRun run;
    float parameters[2];
    VkskinTransform rest[NODES], bow[NODES], pose[NODES];
    VkskinAffine world[NODES], place; /* world: nodes in the figure; place: the figure in the world */
} Figure;

/* A leg that swings, a spine that bows, and a root that goes forward: three keys each. */
static VkskinClip makeClip(int clip) {
    const float times[3] = {0, durations[clip] / 2, durations[clip]}, swing = swings[clip] / 2;
    const float path[3][3] = {{0, 1, 0}, {0, 1, metres[clip] / 2}, {0, 1, metres[clip]}}; /* translations of the root */
    const float halves[2][3] = {{-swing, swing, -swing}, {0, bows[clip] / 2, 0}};         /* half angles about x */
    float turns[2][3][4] = {{{0}}};
    VkskinTrack tracks[3] = {{.channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 3, .times = times, .values = path[0]}};
    VkskinClipDef def = vkskinDefaultClipDef();
    VkskinClip made;
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            turns[i][k][0] = sinf(halves[i][k]);
            turns[i][k][3] = cosf(halves[i][k]);
        }
        tracks[i + 1] = (VkskinTrack){i == 0 ? THIGH : SPINE, VKSKIN_CHANNEL_ROTATION, 0, 3, times, turns[i][0], 0};
    }
    def.nodeCount = NODES;
    def.trackCount = 3;
    def.tracks = tracks;
    CHECK(vkskinCreateClip(&def, &made));
    return made;
}

/* Standing, and a blend of walk (1.4 m/s) and run (4 m/s). */
static VkskinMachine makeMachine(void) {
    const VkskinParameter parameters[2] = {{"speed", 0, false}, {"bowing", 0, false}};
    const VkskinStatePoint stand = {STAND, 0}, move[2] = {{WALK, 1.4f}, {RUN, 4}};
    const VkskinState states[2] = {{"stand", 1, &stand, 0, 1, VKSKIN_PLAY_LOOP},
                                   {"move", 2, move, SPEED, 1, VKSKIN_PLAY_LOOP}};
    const VkskinCondition moves = {SPEED, VKSKIN_COMPARE_GREATER, 0.5f}, stands = {SPEED, VKSKIN_COMPARE_LESS, 0.5f};
    const VkskinTransition transitions[2] = {{0, 1, 0.3f, VKSKIN_FADE_SMOOTH, 0, false, 1, &moves},
                                             {1, 0, 0.4f, VKSKIN_FADE_SMOOTH, 0, false, 1, &stands}};
    VkskinMachineDef def = vkskinDefaultMachineDef();
    VkskinMachine machine;
    def.clipCount = CLIPS;
    def.clipDurations = durations;
    def.parameterCount = def.stateCount = def.transitionCount = 2;
    def.parameters = parameters;
    def.states = states;
    def.transitions = transitions;
    CHECK(vkskinCreateMachine(&def, &machine));
    return machine;
}

static void load(Figure *figure) {
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    for (int i = 0; i < NODES; i++) {
        figure->rest[i] = vkskinIdentityTransform();
        figure->rest[i].translation[1] = heights[i];
    }
    def.nodeCount = NODES;
    def.parents = parents;
    def.restPose = figure->rest;
    CHECK(vkskinCreateSkeleton(&def, &figure->skeleton));
    for (int i = 0; i < CLIPS; i++) {
        figure->clips[i] = makeClip(i);
        figure->roots[i] = vkskinDefaultRootDef();
        figure->roots[i].last.translation[2] = metres[i];
    }
    /* The additive pose: the middle of the bow against its start. */
    CHECK(vkskinSampleClip(figure->skeleton, figure->clips[BOW], 0, VKSKIN_WRAP_CLAMP, figure->pose));
    CHECK(vkskinSampleClip(figure->skeleton, figure->clips[BOW], 0.5, VKSKIN_WRAP_CLAMP, figure->bow));
    CHECK(vkskinMakeAdditive(NODES, figure->pose, figure->bow, figure->bow));
    figure->machine = makeMachine();
    CHECK(vkskinStartMachine(figure->machine, &figure->run, figure->parameters));
    figure->place = vkskinIdentityAffine();
}

/* Blends the samples into the pose, and moves the figure by the mean of the paths of their roots. */
static void blend(Figure *figure, const VkskinMachineSample *samples, uint32_t count) {
    static VkskinTransform poses[VKSKIN_MACHINE_SAMPLES_MAX][NODES], moves[VKSKIN_MACHINE_SAMPLES_MAX], from[NODES];
    VkskinPoseLayer layers[VKSKIN_MACHINE_SAMPLES_MAX] = {{0}}, paths[VKSKIN_MACHINE_SAMPLES_MAX] = {{0}};
    const VkskinPoseLayer bow = {figure->bow, figure->parameters[BOWING], NULL};
    VkskinTransform move = vkskinIdentityTransform();
    VkskinBlendDef def = vkskinDefaultBlendDef();
    for (uint32_t i = 0; i < count; i++) {
        const VkskinPlayStep *step = &samples[i].step;
        VkskinClip clip = figure->clips[samples[i].clip];
        CHECK(vkskinSampleClip(figure->skeleton, clip, step->from, VKSKIN_WRAP_CLAMP, from));
        CHECK(vkskinSampleClip(figure->skeleton, clip, step->to, VKSKIN_WRAP_CLAMP, poses[i]));
        CHECK(
            vkskinRootDelta(&figure->roots[samples[i].clip], &from[PELVIS], &poses[i][PELVIS], step->loops, &moves[i]));
        CHECK(vkskinTakeRootPath(&figure->roots[samples[i].clip], &poses[i][PELVIS]));
        layers[i].pose = poses[i];
        paths[i].pose = &moves[i];
        layers[i].weight = paths[i].weight = samples[i].weight;
    }
    def.nodeCount = 1;
    def.layerCount = count;
    def.rest = &move;
    def.layers = paths;
    CHECK(vkskinBlendLayers(&def, &move));
    const VkskinAffine step = vkskinAffineFromTransform(&move);
    figure->place = vkskinMultiplyAffine(&figure->place, &step);
    def.nodeCount = NODES;
    def.rest = figure->rest;
    def.layers = layers;
    def.additiveCount = 1;
    def.additives = &bow;
    CHECK(vkskinBlendLayers(&def, figure->pose));
}

/* The foot stays above the ground, and the head looks at the lamp. */
static void solve(Figure *figure) {
    VkskinTwoBoneDef leg = vkskinDefaultTwoBoneDef();
    VkskinAimDef look = vkskinDefaultAimDef();
    VkskinAffine inverse;
    CHECK(vkskinComposePose(figure->skeleton, figure->pose, figure->world));
    CHECK(vkskinInvertAffine(&figure->place, &inverse));
    for (int i = 0; i < 3; i++) {
        leg.target[i] = figure->world[FOOT].m[i][3];
        look.target[i] =
            inverse.m[i][0] * lamp[0] + inverse.m[i][1] * lamp[1] + inverse.m[i][2] * lamp[2] + inverse.m[i][3];
    }
    leg.start = THIGH;
    leg.mid = CALF;
    leg.end = FOOT;
    leg.pole[2] = 1;
    leg.target[1] = leg.target[1] < lowest ? lowest : leg.target[1];
    CHECK(vkskinSolveTwoBone(figure->skeleton, &leg, figure->pose, figure->world, NULL));
    look.node = HEAD;
    look.maxAngle = 1.7f;
    CHECK(vkskinSolveAim(figure->skeleton, &look, figure->pose, figure->world, NULL));
}

static void playFrame(Figure *figure, double seconds) {
    VkskinMachineSample samples[VKSKIN_MACHINE_SAMPLES_MAX];
    uint32_t count;
    CHECK(vkskinStepMachine(figure->machine, &figure->run, figure->parameters, 0.1, samples, &count));
    blend(figure, samples, count);
    solve(figure);
    VkskinAffine head = vkskinMultiplyAffine(&figure->place, &figure->world[HEAD]);
    printf("%.1f s: %s, at %.2f m, foot %.2f m high, looks (%.2f %.2f %.2f):", seconds,
           vkskinGetMachineStateName(figure->machine, samples[count - 1].state), (double)figure->place.m[2][3],
           (double)figure->world[FOOT].m[1][3], (double)head.m[0][2], (double)head.m[1][2], (double)head.m[2][2]);
    for (uint32_t i = 0; i < count; i++) {
        printf(" %s %.2f at %.2f%s", names[samples[i].clip], (double)samples[i].weight, samples[i].step.to,
               i + 1 < count ? "" : "\n");
    }
}

int main(int count, char **arguments) {
    static Figure figure;
    const char *next = count > 1 ? arguments[1] : script;
    char name[16];
    float until, value;
    load(&figure);
    /* NOLINTNEXTLINE(cert-err34-c): numbers out of range are infinite, and refused */
    for (int frame = 1, at = 0; sscanf(next, "%f %15s %f%n", &until, name, &value, &at) == 3 && until < 1e4f;
         next += at) {
        const uint32_t parameter = vkskinFindMachineParameter(figure.machine, name);
        if (parameter == VKSKIN_NO_NAME) {
            return fprintf(stderr, "no parameter is called %s\n", name), 1;
        }
        for (; 0.1 * frame < (double)until + 0.01; frame++) {
            playFrame(&figure, 0.1 * frame);
        }
        figure.parameters[parameter] = value;
    }
    vkskinDestroyMachine(figure.machine);
    for (int i = 0; i < CLIPS; i++) {
        vkskinDestroyClip(figure.clips[i]);
    }
    vkskinDestroySkeleton(figure.skeleton);
    return 0;
}
