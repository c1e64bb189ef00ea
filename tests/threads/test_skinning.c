/*
 * Skinning on the CPU: one mesh skinned by several threads at once, one call's tasks on several threads, and meshes that
 * are made and destroyed meanwhile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>
#include <string.h>

#include "crew.h"
#include "vkskin/vkskin_cpu.h"

#define VERTICES  700u /* mixed classes at the end: output that is put in order */
#define BONES     6u
#define INSTANCES 40u /* more than a call needs no memory for */
#define TURNS     6u

typedef struct Output {
    float positions[INSTANCES][VERTICES][3];
    uint32_t attributes[INSTANCES][VERTICES];
} Output;

typedef struct Scene {
    float positions[VERTICES][3];
    uint8_t joints[VERTICES][2];
    float weights[VERTICES][2];
    float palettes[INSTANCES][BONES][3][4];
    VkskinCpuMesh mesh;
    Output expected; /* as one thread alone gets it */
} Scene;

static VkskinCpuMesh makeMesh(const Scene *scene) {
    VkskinMeshDef mesh = vkskinDefaultMeshDef();
    mesh.vertexCount = VERTICES;
    mesh.boneCount = BONES;
    mesh.positions = scene->positions[0];
    mesh.normals = scene->positions[0];
    mesh.influencesPerVertex = 2;
    mesh.jointFormat = VKSKIN_JOINTS_U8;
    mesh.joints = scene->joints;
    mesh.weights = scene->weights[0];
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &mesh;
    VkskinCpuMesh made = NULL;
    CREW_CHECK(vkskinCreateCpuMesh(&def, &made) == VKSKIN_SUCCESS);
    return made;
}

static void fill(Scene *scene) {
    for (uint32_t v = 0; v < VERTICES; v++) {
        bool two = v >= 300 && v % 2 == 0;
        for (uint32_t i = 0; i < 3; i++) {
            scene->positions[v][i] = 1.0f + (float)(v * (i + 3) % 17);
        }
        scene->joints[v][0] = (uint8_t)(v % BONES);
        scene->joints[v][1] = (uint8_t)((v + 1) % BONES);
        scene->weights[v][0] = two ? 0.75f : 1.0f;
        scene->weights[v][1] = two ? 0.25f : 0.0f;
    }
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
                                         .positions = output->positions[i][0],
                                         .attributes = output->attributes[i]};
    }
    CREW_CHECK(vkskinSkinOnCpu(scene->mesh, commands, INSTANCES, run) == VKSKIN_SUCCESS);
}

/* The tasks of a call, every fourth by the same thread. */
typedef struct Loan {
    _Atomic uint64_t members;
    uint32_t count;
    void (*task)(void *taskData, uint32_t i);
    void *taskData;
} Loan;

static void runShare(void *argument) {
    Loan *loan = argument;
    uint32_t own = (uint32_t)atomic_fetch_add_explicit(&loan->members, 1, memory_order_relaxed);
    for (uint32_t i = own; i < loan->count; i += 4) {
        loan->task(loan->taskData, i);
    }
}

static void lend(void *user, uint32_t count, void (*task)(void *taskData, uint32_t i), void *taskData) {
    static const CrewWork works[] = {runShare, runShare, runShare, runShare};
    (void)user;
    Loan loan = {.count = count, .task = task, .taskData = taskData};
    crewRun(works, 4, &loan);
}

static void skinAndCompare(const Scene *scene, const VkskinCpuRun *run) {
    Output *output = calloc(1, sizeof *output);
    if (CREW_CHECK(output != NULL)) {
        skin(scene, run, output);
        CREW_CHECK(memcmp(output, &scene->expected, sizeof *output) == 0);
    }
    free(output);
}

static void skinAlone(void *argument) {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        skinAndCompare(argument, NULL);
    }
}

static void skinWithOthers(void *argument) {
    const VkskinCpuRun run = {.parallel = lend};
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        skinAndCompare(argument, &run);
    }
}

static void makeOthers(void *argument) {
    for (uint32_t turn = 0; turn < TURNS; turn++) {
        vkskinDestroyCpuMesh(makeMesh(argument));
    }
}

static void meshIsSkinnedByAll(void **state) {
    static const CrewWork works[] = {skinAlone, skinAlone, skinWithOthers, makeOthers};
    (void)state;
    static Scene scene;
    fill(&scene);
    scene.mesh = makeMesh(&scene);
    skin(&scene, NULL, &scene.expected);
    crewRun(works, sizeof works / sizeof works[0], &scene);
    vkskinDestroyCpuMesh(scene.mesh);
    assert_int_equal(crewFailures(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(meshIsSkinnedByAll)};
    return cmocka_run_group_tests_name("threads: skinning on the CPU", tests, NULL, NULL);
}
