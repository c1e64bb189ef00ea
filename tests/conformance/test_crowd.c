/*
 * A crowd of one model, skinned by one record: the outputs' hashes are equal where clip and time are, and distinct
 * where they are not. Takes the model's path as its argument.
 */
#include <stdlib.h>
#include <string.h>

#include "import.h"
#include "gpu.h"
#include "model_objects.h"

#define TIMES  12 /* of each clip, all within it */
#define COPIES 3  /* of each pair of clip and time */

static Model *model;

typedef struct Member {
    int32_t clip;
    uint32_t time;
    VkskinInstance instance;
    uint64_t hash;
} Member;

/* FNV-1a, 64 bits. */
static uint64_t hashBytes(const unsigned char *bytes, size_t size) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    }
    return hash;
}

/* Clips that move: a pose looks the same at all times. */
static uint32_t listMembers(Member *members) {
    uint32_t count = 0;
    for (uint32_t copy = 0; copy < COPIES; copy++) {
        for (uint32_t clip = 0; clip < model->clipCount; clip++) {
            for (uint32_t time = 0; time < TIMES && model->clips[clip].duration > 0.0f; time++) {
                members[count++] = (Member){.clip = (int32_t)clip, .time = time};
            }
        }
    }
    return count;
}

static void skinMember(Gpu *gpu, VkskinContext context, ModelObjects *objects, Member *member) {
    VkskinSkinCommand command = {.instance = member->instance};
    uint32_t bones = vkskinGetSkinBoneCount(objects->skins[0]);
    void *data;
    double time = (member->time + 0.5) / (TIMES + 1) * model->clips[member->clip].duration;
    GPU_VKSKIN(gpu, vkskinAllocatePalette(context, VKSKIN_PALETTE_MAT3X4, bones, &command.palette, &data));
    modelObjectsPose(objects, member->clip, time, VKSKIN_WRAP_LOOP);
    assert_true(modelObjectsPalette(objects, 0, VKSKIN_PALETTE_MAT3X4, data, bones) >= 0);
    GPU_VKSKIN(gpu, vkskinSkinInstances(context, &command, 1));
}

static void hashMembers(Gpu *gpu, VkskinContext context, Member *members, uint32_t count) {
    for (uint32_t page = 0; page < vkskinGetOutputPageCount(context); page++) {
        GpuBuffer copy = gpuReadPage(gpu, context, page);
        for (uint32_t i = 0; i < count; i++) {
            VkskinOutput output;
            GPU_VKSKIN(gpu, vkskinGetOutput(context, members[i].instance, &output));
            if (output.page == page) {
                const unsigned char *bytes = copy.mapped;
                members[i].hash =
                    hashBytes(bytes + output.positionOffset, (size_t)output.vertexCount * 12) ^
                    3 * hashBytes(bytes + output.attributeOffset, (size_t)output.vertexCount * output.attributeStride);
            }
        }
        gpuFreeBuffer(gpu, &copy);
    }
}

static void equalPairsEqualHashes(void **state) {
    Gpu *gpu = *state;
    ModelObjects objects = modelObjects(model);
    Member *members = calloc((size_t)COPIES * model->clipCount * TIMES, sizeof *members);
    assert_non_null(members);
    uint32_t count = listMembers(members);
    assert_true(count >= COPIES * TIMES);
    VkskinContextDef def = gpuContextDef(gpu);
    def.framesInFlight = 1;
    VkskinContext context = gpuContext(gpu, &def);
    VkskinMeshDef meshDef = modelMeshDef(&model->meshes[model->parts[0].mesh]);
    VkskinMesh mesh;
    assert_true(vkskinCreateMesh(context, &meshDef, &mesh) >= 0);
    gpuMeshKernels(gpu, context, mesh, GPU_LINEAR_BLEND);
    GPU_VKSKIN(gpu, vkskinBeginFrame(context, 0));
    for (uint32_t i = 0; i < count; i++) {
        GPU_VKSKIN(gpu, instanceOf(context, mesh, &members[i].instance));
        skinMember(gpu, context, &objects, &members[i]);
    }
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(context, commandBuffer));
    gpuSubmitAndWait(gpu, commandBuffer);
    hashMembers(gpu, context, members, count);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            bool same = members[i].clip == members[j].clip && members[i].time == members[j].time;
            assert_true((members[i].hash == members[j].hash) == same);
        }
    }
    print_message("%u members, %u pairs of clip and time\n", count, count / COPIES);
    vkskinDestroyContext(context);
    modelObjectsFree(&objects);
    free(members);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {GPU_TEST(equalPairsEqualHashes)};
    EngineError error = {"no model named"};
    model = argc > 1 ? importModel(argv[1], NULL, &error) : NULL; /* it forks: before the device */
    if (model == NULL) {
        print_error("%s\n", error.message);
        return 1;
    }
    int failed = gpuRunTests("crowd", tests, sizeof tests / sizeof tests[0], NULL);
    modelFree(model);
    return failed;
}
