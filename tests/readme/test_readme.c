/*
 * Runs the steps of README.md and of the pages that continue it: bends the strip by a known angle, reads its vertices back.
 */
#include "gpu.h"
#include "test.h"

#include <unistd.h>

#include "steps.h"

/* Bone 1 rotates by 90 degrees about the x axis through (0, 1, 0): (x, y, z) moves to (x, 1 - z, y - 1). */
static const float bentColumns[2][16] = {
    {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
    {1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, -1, 1},
};

/* The same in rows. */
static const float bent[2][3][4] = {
    {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
    {{1, 0, 0, 0}, {0, 0, -1, 1}, {0, 1, 0, -1}},
};

/* The lower end stays. The middle is on the axis. The upper end moves to height 1 and one unit towards z. */
static const float expected[6][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0, 1, 1}, {1, 1, 1}};

/* The steps' def with the test's logger, and output that can be read back. */
static VkskinContextDef stepsDef(Gpu *gpu) {
    VkskinContextDef def =
        skinnerDef(gpu->instance, gpu->physicalDevice, gpu->device, gpu->family, vkGetInstanceProcAddr);
    def.logger = gpuContextDef(gpu).logger;
    allowReadback(&def);
    return def;
}

static Skinner openSkinnerBy(Gpu *gpu, const VkskinContextDef *def) {
    Skinner skinner;
    GPU_VKSKIN(gpu, skinnerOpen(&skinner, def));
    return skinner;
}

static Skinner openSkinner(Gpu *gpu) {
    VkskinContextDef def = stepsDef(gpu);
    return openSkinnerBy(gpu, &def);
}

static void skinTheStrip(Gpu *gpu, Skinner *skinner) {
    GpuBuffer target = gpuBuffer(gpu, 6 * 12, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    for (uint32_t frame = 0; frame < 5; frame++) {
        memset(target.mapped, 0xff, target.size);
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        VkskinOutput output;
        GPU_VKSKIN(gpu, skinnerFrame(skinner, frame % 2, commandBuffer, bentColumns, &output));
        assert_int_equal(output.vertexCount, 6);
        assert_int_equal(output.attributeStride, 4);
        readBack(commandBuffer, &output, target.buffer);
        gpuSubmitAndWait(gpu, commandBuffer);
        const float *skinned = target.mapped;
        for (int i = 0; i < 18; i++) {
            assert_float_equal(skinned[i], expected[i / 3][i % 3], 1e-6f);
        }
    }
    gpuFreeBuffer(gpu, &target);
}

GPU_TEST(stepsSkinTheStrip) {
    Skinner skinner = openSkinner(gpu);
    skinTheStrip(gpu, &skinner);
    skinnerClose(&skinner);
}

/* Two instances, both bent. */
GPU_TEST(matricesSkinACrowd) {
    Skinner skinner = openSkinner(gpu);
    VkskinInstance instances[2] = {skinner.instance};
    float bones[2][2][16];
    VkskinMatrices matrices[2];
    GpuBuffer target = gpuBuffer(gpu, 6 * 12, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    memcpy(bones[0], bentColumns, sizeof bones[0]);
    memcpy(bones[1], bentColumns, sizeof bones[1]);
    GPU_VKSKIN(gpu, vkskinCreateInstances(skinner.context, skinner.mesh, 1, &instances[1]));
    GPU_VKSKIN(gpu, vkskinBeginFrame(skinner.context, 0));
    GPU_VKSKIN(gpu, skinCrowd(skinner.context, instances, 2, bones[0][0], 2, matrices));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    VkskinOutput output;
    GPU_VKSKIN(gpu, vkskinRecordSkinning(skinner.context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinGetOutput(skinner.context, instances[1], &output));
    readBack(commandBuffer, &output, target.buffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    for (int i = 0; i < 18; i++) {
        assert_float_equal(((const float *)target.mapped)[i], expected[i / 3][i % 3], 1e-6f);
    }
    gpuFreeBuffer(gpu, &target);
    skinnerClose(&skinner);
}

static VkskinStats statsOf(Gpu *gpu, VkskinContext context) {
    VkskinStats stats;
    GPU_VKSKIN(gpu, vkskinGetStats(context, &stats));
    return stats;
}

/* Both drivers report the device type CPU. */
GPU_TEST(stepsSkinTheStripByTheCpu) {
    VkskinContextDef def = stepsDef(gpu);
    skinByTheCpuWhereTheDeviceIsOne(&def, NULL, NULL);
    Skinner skinner = openSkinnerBy(gpu, &def);
    assert_int_equal(statsOf(gpu, skinner.context).backend, VKSKIN_BACKEND_CPU);
    skinTheStrip(gpu, &skinner);
    skinnerClose(&skinner);
}

/* As the README says, staging included. */
GPU_TEST(theStripTakesLittleMemory) {
    Skinner skinner = openSkinner(gpu);
    assert_true(statsOf(gpu, skinner.context).deviceBytes < 4 << 20);
    skinTheStrip(gpu, &skinner);
    assert_true(statsOf(gpu, skinner.context).deviceBytes < 4 << 20);
    skinnerClose(&skinner);
}

/* The puppet is skinned only if it is seen and its time, in tenths of a second, has changed. */
GPU_TEST(puppetRestsBetweenItsPoses) {
    static const struct {
        double seconds;
        bool seen;
        uint32_t skinned, unchanged, culled;
    } frames[] = {{0.31, true, 1, 0, 0}, {0.35, true, 0, 1, 0}, {0.41, false, 0, 0, 1}, {0.45, true, 1, 0, 0}};
    Skinner skinner = openSkinner(gpu);
    Puppet puppet;
    GPU_VKSKIN(gpu, puppetLoad(&puppet));
    for (uint32_t i = 0; i < COUNT_OF(frames); i++) {
        VkCommandBuffer commandBuffer = gpuBegin(gpu);
        GPU_VKSKIN(gpu, vkskinBeginFrame(skinner.context, i % 2));
        GPU_VKSKIN(gpu, puppetSkin(&puppet, skinner.context, skinner.instance, frames[i].seen, frames[i].seconds));
        GPU_VKSKIN(gpu, vkskinRecordSkinning(skinner.context, commandBuffer));
        gpuSubmitAndWait(gpu, commandBuffer);
        VkskinStats stats = statsOf(gpu, skinner.context);
        assert_int_equal(stats.instancesSkinned, frames[i].skinned);
        assert_int_equal(stats.instancesUnchanged, frames[i].unchanged);
        assert_int_equal(stats.instancesCulled, frames[i].culled);
    }
    puppetUnload(&puppet);
    skinnerClose(&skinner);
}

/* All device memory comes from the page's functions for VMA, and goes back to it. */
GPU_TEST(memoryOfVma) {
    VmaAllocatorCreateInfo info = {0, gpu->physicalDevice, gpu->device, gpu->instance, VK_API_VERSION_1_1};
    VkskinContextDef def = stepsDef(gpu);
    VkskinMemoryCallbacks callbacks;
    VmaAllocator allocator;
    GPU_CHECK(vmaCreateAllocator(&info, &allocator));
    useVma(&def, &callbacks, allocator);
    Skinner skinner = openSkinnerBy(gpu, &def);
    skinTheStrip(gpu, &skinner);
    skinnerClose(&skinner);
    vmaDestroyAllocator(allocator);
}

static void recordNothing(void *recorded, VkCommandBuffer commandBuffer) {
    assert_non_null(commandBuffer);
    ++*(uint32_t *)recorded;
}

/* The page's run function works, and a stored tuning of this device is accepted without another run. */
GPU_TEST(tuningIsGivenBack) {
    VkskinContextDef def = stepsDef(gpu);
    TuneQueue queue = {gpu->device, gpu->queue, gpu->pool};
    uint32_t recorded = 0;
    double milliseconds = 0;
    GPU_CHECK(tuneRun(&queue, recordNothing, &recorded, &milliseconds));
    assert_int_equal(recorded, 1);
    assert_true(milliseconds > 0);

    VkskinTuning stored, used;
    Skinner skinner = openSkinner(gpu);
    GPU_VKSKIN(gpu, vkskinGetTuning(skinner.context, &stored));
    skinnerClose(&skinner);
    stored.instancesPerThread = 3; /* neither a default nor a value that tuning tries */
    GPU_VKSKIN(gpu, skinnerOpenTuned(&skinner, &def, &queue, &stored));
    GPU_VKSKIN(gpu, vkskinGetTuning(skinner.context, &used));
    assert_memory_equal(&used, &stored, sizeof used);
    skinTheStrip(gpu, &skinner);
    skinnerClose(&skinner);
}

/* The steps' logger prints one line with the result's name and the library's message. */
GPU_TEST(loggerPrintsTheMistake) {
    VkskinContextDef def =
        skinnerDef(gpu->instance, gpu->physicalDevice, gpu->device, gpu->family, vkGetInstanceProcAddr);
    def.memory.initialInstances = 0;
    FILE *printed = tmpfile();
    int before = dup(STDERR_FILENO);
    assert_true(printed != NULL && before >= 0 && dup2(fileno(printed), STDERR_FILENO) >= 0);
    Skinner skinner;
    VkskinResult result = skinnerOpen(&skinner, &def);
    assert_true(dup2(before, STDERR_FILENO) >= 0);
    close(before);
    assert_int_equal(result, VKSKIN_ERROR_INVALID_VALUE);
    char line[300];
    rewind(printed);
    assert_non_null(fgets(line, sizeof line, printed));
    assert_non_null(
        strstr(line, "vkskin: VKSKIN_ERROR_INVALID_VALUE: vkskinCreateContext: memory.initialInstances is 0"));
    assert_null(fgets(line, sizeof line, printed));
    fclose(printed);
}

static void assertBones(const float (*written)[3][4], const float (*wanted)[3][4]) {
    for (int i = 0; i < 24; i++) {
        assert_float_equal(written[i / 12][i / 4 % 3][i % 4], wanted[i / 12][i / 4 % 3][i % 4], 1e-6f);
    }
}

GPU_TEST(puppetBendsTheStrip) {
    static const float straight[2][3][4] = {
        {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
        {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}},
    };
    Puppet puppet;
    float bones[2][3][4];
    GPU_VKSKIN(gpu, puppetLoad(&puppet));
    GPU_VKSKIN(gpu, puppetWrite(&puppet, 0.0, bones, 2));
    assertBones(bones, straight);
    GPU_VKSKIN(gpu, puppetWrite(&puppet, 1.0, bones, 2));
    assertBones(bones, bent);
    puppetUnload(&puppet);
}

GPU_TEST(puppetsBendAsOneDoes) {
    Puppet puppet;
    Puppets puppets;
    VkskinPoseBatchCharacter characters[2];
    float both[2][2][3][4];
    float one[2][3][4];
    void *const palettes[2] = {both[0], both[1]};
    GPU_VKSKIN(gpu, puppetLoad(&puppet));
    puppets.characters = characters;
    GPU_VKSKIN(gpu, puppetsLoad(&puppet, 2, &puppets));
    GPU_VKSKIN(gpu, puppetsWrite(&puppets, 0.5, palettes, 2));
    for (int i = 0; i < 2; i++) {
        GPU_VKSKIN(gpu, puppetWrite(&puppet, 0.5 + 0.1 * i, one, 2));
        assertBones(both[i], (const float(*)[3][4])one);
    }
    vkskinDestroyPoseBatch(puppets.batch);
    puppetUnload(&puppet);
}

static VkskinMeshDef stripDef(void) {
    VkskinMeshDef strip = meshDefOf(6, 2, 2, positions[0], joints, weights[0]);
    strip.normals = normals[0];
    strip.jointFormat = VKSKIN_JOINTS_U8;
    return strip;
}

/* Bends the README's strip on the CPU, as the page says. */
GPU_TEST(theCpuBendsTheStrip) {
    const VkskinMeshDef strip = stripDef();
    VkskinCpuMesh mesh;
    float bentPositions[6][3];
    uint32_t bentNormals[6];
    assert_int_equal(makeOnCpu(&strip, &mesh), VKSKIN_SUCCESS);
    assert_int_equal(skinOnCpu(mesh, bent, 2, bentPositions[0], bentNormals), VKSKIN_SUCCESS);
    for (int i = 0; i < 18; i++) {
        assert_float_equal(bentPositions[i / 3][i % 3], expected[i / 3][i % 3], 1e-6f);
    }
    assert_int_equal(bentNormals[0], 0); /* z axis: the middle of the octahedral square */
    vkskinDestroyCpuMesh(mesh);
    static const uint32_t corners[6] = {0, 1, 2, 2, 3, 5};
    VkskinMeshDef face = strip;
    VkskinHitMesh hits;
    VkskinHit hit;
    void *pose;
    face.indices = corners;
    face.indexCount = 6;
    assert_int_equal(makeHits(&face, &hits, &pose), VKSKIN_SUCCESS);
    assert_int_equal(shoot(hits, pose, bentPositions[0], (float[3]){0.25f, 0.25f, 3}, (float[3]){0, 0, -2}, &hit),
                     VKSKIN_SUCCESS);
    assert_int_equal(hit.triangle, 0);
    assert_int_equal(hit.bone, 0);
    assert_float_equal(hit.distance, 1.5f, 1e-6f);
    vkskinDestroyHitMesh(hits);
    free(pose);
}

/* The same into the vertices of "Draw like any other mesh". */
GPU_TEST(theCpuWritesWholeVertices) {
    static const float uvs[6][2] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}};
    static const uint8_t colours[6][4] = {{1}, {2}, {3}, {4}, {5}, {6}};
    const VkskinOutputLayout layout = vertexLayout();
    VkskinMeshDef strip = stripDef();
    strip.layout = &layout;
    strip.passThrough = (VkskinPassThroughData[2]){{uvs, 0}, {colours, 0}};
    VkskinCpuMesh mesh;
    Vertex vertices[6];
    memset(vertices, 0xcc, sizeof vertices);
    assert_int_equal(makeOnCpu(&strip, &mesh), VKSKIN_SUCCESS);
    assert_int_equal(startOnCpu(mesh, vertices), VKSKIN_SUCCESS);
    assert_int_equal(skinOnCpu(mesh, bent, 2, vertices[0].position, NULL), VKSKIN_SUCCESS);
    for (int v = 0; v < 6; v++) {
        for (int i = 0; i < 3; i++) {
            assert_float_equal(vertices[v].position[i], expected[v][i], 1e-6f);
        }
        assert_memory_equal(vertices[v].uv, uvs[v], sizeof uvs[v]);
        assert_memory_equal(vertices[v].colour, colours[v], sizeof colours[v]);
        assert_int_equal(vertices[v].tangent, 0xcccccccc); /* the strip has none */
    }
    vkskinDestroyCpuMesh(mesh);
}

/* The strip in the fastest vertex order, with its arrays reordered as the page says. */
typedef struct Face {
    uint32_t order[6], places[6];
    float positions[6][3], weights[6][2];
    uint8_t joints[6][2];
    uint32_t indices[12];
    unsigned char centres[32 + 6 * 12];
    VkskinMorphTarget smile; /* lifts old vertex 4 by one unit along z */
    VkskinMesh mesh;
    VkskinInstance instance;
} Face;

static const float lift[3] = {0, 0, 1};

static VkskinMeshDef faceDef(Face *face) {
    VkskinMeshDef def = meshDefOf(6, 2, 2, face->positions[0], face->joints, face->weights[0]);
    def.jointFormat = VKSKIN_JOINTS_U8;
    addSmile(&def, &face->places[4], lift, 1, &face->smile);
    return def;
}

static void orderFace(Gpu *gpu, Face *face) {
    static const uint32_t triangles[12] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 5};
    static const uint32_t wanted[6] = {0, 1, 4, 5, 2, 3}; /* vertices of bone 0, of bone 1, of both */
    memcpy(face->positions, positions, sizeof positions);
    memcpy(face->joints, joints, sizeof joints);
    memcpy(face->weights, weights, sizeof weights);
    VkskinMeshDef def = faceDef(face);
    GPU_VKSKIN(gpu, orderVertices(&def, face->order, face->places));
    assert_memory_equal(face->order, wanted, sizeof wanted);
    for (uint32_t i = 0; i < 6; i++) {
        memcpy(face->positions[i], positions[face->order[i]], sizeof positions[0]);
        memcpy(face->joints[i], joints[face->order[i]], sizeof joints[0]);
        memcpy(face->weights[i], weights[face->order[i]], sizeof weights[0]);
    }
    for (uint32_t i = 0; i < 12; i++) {
        face->indices[i] = face->places[triangles[i]];
    }
}

static void makeFace(Gpu *gpu, VkskinContext context, Face *face) {
    VkskinMeshInfo info;
    orderFace(gpu, face);
    VkskinMeshDef def = faceDef(face);
    assert_int_equal(vkskinCentresSize(6), sizeof face->centres);
    GPU_VKSKIN(gpu, addCentres(&def, face->indices, 12, face->centres));
    GPU_VKSKIN(gpu, vkskinCreateMesh(context, &def, &face->mesh));
    GPU_VKSKIN(gpu, vkskinGetMeshInfo(context, face->mesh, &info));
    assert_true(info.sorted && info.hasCentres && info.morphTargetCount == 1);
    GPU_VKSKIN(gpu, makeKernels(context, VKSKIN_METHOD_CENTRES_OF_ROTATION, &face->mesh, 1));
    VkskinInstanceDef one = vkskinDefaultInstanceDef();
    one.mesh = face->mesh;
    GPU_VKSKIN(gpu, vkskinCreateInstance(context, &one, &face->instance));
}

/* Half a smile is added before skinning. The bones then rotate its lift from z to down. */
GPU_TEST(faceSmilesAboutItsCentres) {
    Skinner skinner = openSkinner(gpu);
    Face face;
    Puppet puppet;
    VkskinTransform pose[2];
    VkskinAffine world[2];
    VkskinOutput output;
    makeFace(gpu, skinner.context, &face);
    GPU_VKSKIN(gpu, puppetLoad(&puppet));
    GPU_VKSKIN(gpu, vkskinSampleClip(puppet.skeleton, puppet.clip, 1.0, VKSKIN_WRAP_CLAMP, pose));
    GPU_VKSKIN(gpu, vkskinComposePose(puppet.skeleton, pose, world));
    GpuBuffer target = gpuBuffer(gpu, 6 * 12, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinBeginFrame(skinner.context, 0));
    GPU_VKSKIN(gpu, skinFace(skinner.context, face.instance, puppet.skin, world, 2, 0.5f));
    GPU_VKSKIN(gpu, vkskinRecordSkinning(skinner.context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinGetOutput(skinner.context, face.instance, &output));
    readBack(commandBuffer, &output, target.buffer);
    gpuSubmitAndWait(gpu, commandBuffer);
    for (int i = 0; i < 18; i++) {
        uint32_t old = face.order[i / 3];
        float smiled = old == 4 && i % 3 == 1 ? 0.5f : 0.0f;
        assert_float_equal(((float *)target.mapped)[i], expected[old][i % 3] - smiled, 1e-6f);
    }
    gpuFreeBuffer(gpu, &target);
    puppetUnload(&puppet);
    skinnerClose(&skinner);
}

/* Bone 1 turns the upper end by 90 degrees about (0, 1), in the plane. */
GPU_TEST(flatMeshBendsInItsPlane) {
    static const float corners[4][2] = {{0, 0}, {1, 0}, {0, 2}, {1, 2}};
    static const float turned[4][2] = {{0, 0}, {1, 0}, {-1, 1}, {-1, 2}};
    static const uint16_t ends[4][4] = {{0}, {0}, {1}, {1}};
    static const float whole[4][4] = {{1}, {1}, {1}, {1}};
    static const float columns[2][16] = {
        {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1},
        {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 1, 1, 0, 1},
    };
    Skinner skinner = openSkinner(gpu);
    VkskinMatrices matrices;
    VkskinMesh flat;
    VkskinInstance instance;
    VkskinOutput output;
    GpuBuffer target = gpuBuffer(gpu, sizeof turned, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    GPU_VKSKIN(gpu, createFlat(skinner.context, corners, ends, whole, 4, 2, &flat));
    GPU_VKSKIN(gpu, vkskinCreateInstances(skinner.context, flat, 1, &instance));
    GPU_VKSKIN(gpu, vkskinBeginFrame(skinner.context, 0));
    GPU_VKSKIN(gpu, skinCrowd(skinner.context, &instance, 1, columns[0], 2, &matrices));
    VkCommandBuffer commandBuffer = gpuBegin(gpu);
    GPU_VKSKIN(gpu, vkskinRecordSkinning(skinner.context, commandBuffer));
    GPU_VKSKIN(gpu, vkskinGetOutput(skinner.context, instance, &output));
    assert_int_equal(output.positionStride, sizeof turned[0]);
    const VkBufferCopy copy = {output.positionOffset, 0, sizeof turned};
    vkCmdCopyBuffer(commandBuffer, output.buffer, target.buffer, 1, &copy);
    gpuSubmitAndWait(gpu, commandBuffer);
    for (int i = 0; i < 8; i++) {
        assert_float_equal(((const float *)target.mapped)[i], turned[i / 2][i % 2], 1e-6f);
    }
    gpuFreeBuffer(gpu, &target);
    skinnerClose(&skinner);
}
