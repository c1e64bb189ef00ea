/*
 * test_draw.c FOLDER: the made characters on the device that the environment names, and on the CPU: skinned vertices are
 * those of the evaluation, within 0.0001 of the skeleton's size, also of two animations mixed, and draw calls are few.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>

#include "import.h"
#include "spine_draw.h"
#include "spine_list.h"
#include "test.h"
#include "vkskin/vkskin_cpu.h"

#define TIMES     20
#define MIXED     4 /* further ones, with the next animation mixed in */
#define TOLERANCE 1e-4

static const char *folder;

typedef struct Scene {
    Model *model;
    SpineMesh mesh;
    SpinePose *pose;
    VkskinCpuMesh cpu;
    VkskinMesh handle;
    VkskinInstance instance;
    float *palette, *weights, *skinned; /* [boneCount][6], [morphCount], [vertexCount][2] */
    uint32_t compared;
} Scene;

static Device *device;
static Skinning *skinning;
static Frames frames;

#define GOOD(call) TEST_GOOD(call, error)

static void openScene(const char *name, Scene *scene) {
    char path[512];
    EngineError error;
    *scene = (Scene){0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    GOOD(scene->model = importModel(path, NULL, &error));
    GOOD(spineMeshCreate(scene->model->spines, &scene->mesh, &error));
    const uint32_t skins[] = {0, 1}; /* all skins of a face that exclude each other are other vertices */
    const uint32_t skinCount = scene->model->spines->skinCount > 2 ? 2 : 0;
    GOOD(scene->pose = spinePoseCreate(scene->model->spines, skins, skinCount, &error));
    const VkskinMeshDef def = spineMeshDef(&scene->mesh);
    VkskinCpuMeshDef cpu = vkskinDefaultCpuMeshDef();
    cpu.mesh = &def;
    assert_true(vkskinCreateCpuMesh(&cpu, &scene->cpu) >= 0);
    assert_true(vkskinCreateMesh(skinning->context, &def, &scene->handle) >= 0);
    GOOD(skinningMakeKernels(skinning, VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3, &scene->handle, &error));
    assert_int_equal(vkskinCreateInstances(skinning->context, scene->handle, 1, &scene->instance), VKSKIN_SUCCESS);
    scene->palette = calloc(def.boneCount, 6 * sizeof(float));
    scene->weights = calloc(def.morphTargetCount + 1, sizeof(float));
    scene->skinned = calloc(def.vertexCount, 2 * sizeof(float));
}

static void closeScene(Scene *scene) {
    vkskinDestroyCpuMesh(scene->cpu);
    assert_int_equal(vkskinDestroyInstance(skinning->context, scene->instance), VKSKIN_SUCCESS);
    assert_int_equal(vkskinDestroyMesh(skinning->context, scene->handle), VKSKIN_SUCCESS);
    spinePoseFree(scene->pose);
    spineMeshFree(&scene->mesh);
    modelFree(scene->model);
    free(scene->palette);
    free(scene->weights);
    free(scene->skinned);
}

static void skinOnCpu(Scene *scene) {
    const VkskinCpuCommand command = {
        .palette = scene->palette,
        .encoding = VKSKIN_PALETTE_MAT2X3,
        .boneCount = scene->mesh.spine->boneCount,
        .method = VKSKIN_METHOD_LINEAR_BLEND,
        .morphWeights = scene->weights,
        .morphWeightCount = scene->mesh.morphCount,
        .streams = {scene->skinned},
    };
    assert_int_equal(vkskinSkinOnCpu(scene->cpu, &command, 1, NULL), VKSKIN_SUCCESS);
}

static void skinOnDevice(Scene *scene) {
    EngineError error;
    Frame frame;
    Buffer buffer;
    VkskinOutput output;
    void *palette;
    const size_t bytes = scene->mesh.vertexCount * 2 * sizeof(float);
    VkskinSkinCommand command = {.instance = scene->instance,
                                 .method = VKSKIN_METHOD_LINEAR_BLEND,
                                 .morphWeights = scene->weights,
                                 .morphWeightCount = scene->mesh.morphCount};
    GOOD(bufferCreateReadback(device, bytes, "skinned", &buffer, &error));
    GOOD(framesBegin(&frames, &frame, &error));
    assert_int_equal(vkskinBeginFrame(skinning->context, frame.slot), VKSKIN_SUCCESS);
    assert_int_equal(vkskinAllocatePalette(skinning->context, VKSKIN_PALETTE_MAT2X3, scene->mesh.spine->boneCount,
                                           &command.palette, &palette),
                     VKSKIN_SUCCESS);
    memcpy(palette, scene->palette, scene->mesh.spine->boneCount * 6 * sizeof(float));
    assert_int_equal(vkskinSkinInstances(skinning->context, &command, 1, NULL), VKSKIN_SUCCESS);
    assert_int_equal(vkskinRecordSkinning(skinning->context, frame.commandBuffer), VKSKIN_SUCCESS);
    assert_int_equal(vkskinGetOutput(skinning->context, scene->instance, &output), VKSKIN_SUCCESS);
    memoryBarrier(frame.commandBuffer, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_WRITE_BIT,
                  VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT);
    const VkBufferCopy region = {output.positionOffset, 0, bytes};
    vkCmdCopyBuffer(frame.commandBuffer, output.buffer, buffer.handle, 1, &region);
    copyToHostBarrier(frame.commandBuffer);
    GOOD(framesEnd(&frames, &frame, NULL, &error));
    GOOD(deviceWait(device, &error));
    memcpy(scene->skinned, buffer.mapped, bytes);
    bufferDestroy(device, &buffer);
}

static double sizeOf(const SpineModel *spine) {
    return fmax(hypot((double)spine->bounds[2], (double)spine->bounds[3]), 1.0);
}

/* The vertices that slots show. */
static void compare(Scene *scene, const char *name, const char *where) {
    const SpineModel *spine = scene->mesh.spine;
    for (uint32_t s = 0; s < spine->slotCount; s++) {
        const SpineSlotState *state = &scene->pose->slots[s];
        const SpineRange shown = spineMeshShown(&scene->mesh, scene->pose, s);
        if (shown.count == 0) {
            continue;
        }
        const SpineAttachment *attachment = &spine->attachments[state->attachment];
        double *expected = calloc(attachment->vertexCount, 2 * sizeof *expected);
        spinePoseVertices(scene->pose, s, expected);
        const uint32_t picture = attachment->frameCount > 0 ? state->frame : 0;
        const uint32_t first = scene->mesh.firstVertex[state->attachment] + picture * attachment->vertexCount;
        for (uint32_t i = 0; i < attachment->vertexCount; i++) {
            const float *found = scene->skinned + 2 * (size_t)(first + i);
            const double off =
                hypot((double)found[0] - expected[2 * (size_t)i], (double)found[1] - expected[2 * (size_t)i + 1]);
            if (!(off <= TOLERANCE * sizeOf(spine))) {
                fail_msg("%s, slot %s at %g s, vertex %u %s: (%g, %g), not (%g, %g)", name, spine->slots[s].name,
                         scene->pose->time.seconds, i, where, (double)found[0], (double)found[1],
                         expected[2 * (size_t)i], expected[2 * (size_t)i + 1]);
            }
            scene->compared++;
        }
        free(expected);
    }
}

/* Every triangle that a slot shows is in the list once, in draw order, and neighbours that may be one draw are one. */
static void checkList(const Scene *scene) {
    SpineList list = {.indices = NULL};
    spineListFill(&scene->mesh, scene->pose, &list); /* only counts */
    uint64_t most;
    EngineError error;
    GOOD(spineListIndexMax(&scene->mesh, &most, &error));
    assert_true(list.indexCount <= most);
    list.indices = calloc(list.indexCount + 1, sizeof *list.indices);
    list.batches = calloc(list.batchCount + 1, sizeof *list.batches);
    spineListFill(&scene->mesh, scene->pose, &list);
    uint32_t clips = 0, next = 0;
    for (uint32_t i = 0; i < list.batchCount; i++) {
        const SpineBatch *batch = &list.batches[i], *last = i > 0 ? batch - 1 : NULL;
        clips += batch->clips;
        assert_int_equal(batch->range.first, next);
        next += batch->range.count;
        assert_true(batch->clips || !batch->clipped || clips % 2 == 1);
        assert_true(!last || batch->clips || last->clips || last->page != batch->page || last->blend != batch->blend ||
                    last->clipped != batch->clipped);
    }
    assert_int_equal(next, list.indexCount);
    assert_int_equal(clips % 2, 0);
    free(list.indices);
    free(list.batches);
}

static void runSpine(const char *name) {
    Scene scene;
    openScene(name, &scene);
    const SpineModel *spine = scene.mesh.spine;
    for (int32_t a = -1; a < (int32_t)spine->animationCount; a++) {
        const double duration = a >= 0 ? (double)spine->animations[a].duration : 0.0;
        for (int t = 0; t < (a >= 0 ? TIMES + MIXED : 1); t++) {
            const double time = duration * 1.05 * (t % TIMES + 0.37) / TIMES;
            const int32_t next = (a + 1) % (int32_t)(spine->animationCount + 1) - 1;
            const SpinePlay plays[] = {{a, time, 1.0}, {next, time, 0.3}};
            spinePoseMix(scene.pose, plays, t < TIMES ? 1 : 2, NULL, 0);
            spineMeshPose(&scene.mesh, scene.pose, &SPINE_UNPLACED, scene.palette, scene.weights);
            skinOnCpu(&scene);
            compare(&scene, name, "on the CPU");
            skinOnDevice(&scene);
            compare(&scene, name, "on the device");
            checkList(&scene);
        }
    }
    print_message("%s: %u vertices in %u places of influences, %u morph targets, %u compared\n", name,
                  scene.mesh.vertexCount, scene.mesh.influences, scene.mesh.morphCount, scene.compared);
    assert_true(scene.compared > 0);
    closeScene(&scene);
}

TEST(skinnedVerticesAreTheEvaluated) {
    static const char *const names[] = {"arm.json",  "flag.json",  "train.json",
                                        "face.json", "scene.json", "tentacle.json"};
    EngineError error;
    VkskinContextDef def = vkskinDefaultContextDef();
    def.framesInFlight = FRAMES_IN_FLIGHT;
    def.outputUsage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    def.consumerStages |= VK_PIPELINE_STAGE_TRANSFER_BIT;
    GOOD(device = deviceCreate(&(DeviceOptions){.validation = true}, &error));
    GOOD(skinning = skinningCreate(device, &def, &error));
    GOOD(framesCreate(device, &frames, &error));
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        runSpine(names[i]);
    }
    framesDestroy(&frames);
    skinningDestroy(skinning);
    assert_int_equal(device->validationMessages, 0);
    /* The device stays: the leak checker knows the memory of a driver only while that is loaded. */
}

int main(int count, char **texts) {
    folder = count > 1 ? texts[1] : ".";
    return testRunGroup("2D models drawn", NULL, NULL, NULL);
}
