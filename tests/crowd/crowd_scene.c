#include "crowd_scene.h"

#include "interposer.h"

/* ---- Objects ---- */

/* What createReadable calls: the functions have no user pointer. */
static PFN_vkCreateBuffer nextCreateBuffer;

static VKAPI_ATTR VkResult VKAPI_CALL createReadable(VkDevice device, const VkBufferCreateInfo *info,
                                                     const VkAllocationCallbacks *allocator, VkBuffer *buffer) {
    VkBufferCreateInfo readable = *info;
    readable.usage |= VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    return nextCreateBuffer(device, &readable, allocator, buffer);
}

/* Transfers can read every buffer; several contexts of a process use the same kernels. */
static VkskinVulkanFunctions sceneFunctions(Gpu *gpu, const VkskinVulkanFunctions *functions) {
    VkskinVulkanFunctions made = functions != NULL ? *functions : (VkskinVulkanFunctions){0};
    if (interposer.gpu == NULL) {
        interposerBegin(gpu);
    }
    interposerLendKernels(&made);
    nextCreateBuffer = made.vkCreateBuffer != NULL ? made.vkCreateBuffer : vkCreateBuffer;
    made.vkCreateBuffer = createReadable;
    return made;
}

/* The device's settings, but a workgroup poses a character. */
VkskinTuning sceneGroupTuning(Gpu *gpu) {
    const VkskinContextDef def = gpuContextDef(gpu);
    VkskinContext context = gpuContext(gpu, &def);
    VkskinTuning tuning;
    GPU_VKSKIN(gpu, vkskinGetTuning(context, &tuning));
    gpuDestroyContext(gpu, context);
    tuning.crowdPosing = VKSKIN_CROWD_POSING_GROUP;
    return tuning;
}

static VkskinContext makeContext(Gpu *gpu, const SceneDef *def) {
    VkskinContextDef context = def->context != NULL ? *def->context : gpuContextDef(gpu);
    const bool group = def->context == NULL && getenv("VKSKIN_TEST_POSING") != NULL;
    const VkskinTuning tuning = group ? sceneGroupTuning(gpu) : (VkskinTuning){0};
    const VkskinVulkanFunctions functions = sceneFunctions(gpu, def->functions);
    context.tuning = group ? &tuning : context.tuning;
    context.backend = def->backend;
    context.barriers = def->barriers;
    context.framesInFlight = SCENE_FRAMES_IN_FLIGHT;
    context.functions = &functions;
    return gpuContext(gpu, &context);
}

void sceneDescribe(const CrowdScene *scene, CastCrowdDef *made) {
    castDescribe(&scene->cast, &scene->def.cast, made);
}

static VkskinCrowd makeCrowd(CrowdScene *scene) {
    CastCrowdDef made = {.parts = {{.indexCount = 0}}};
    VkskinCrowd crowd = VKSKIN_NULL_CROWD;
    sceneDescribe(scene, &made);
    GPU_VKSKIN(scene->gpu, vkskinCreateCrowd(scene->context, &made.def, &crowd, &scene->memory));
    return crowd;
}

CrowdScene sceneMake(Gpu *gpu, const SceneDef *def) {
    CrowdScene scene = {.gpu = gpu, .def = *def, .random = {def->seed}};
    scene.context = makeContext(gpu, def);
    GPU_VKSKIN(gpu, castMake(scene.context, &def->cast, &scene.random, &scene.cast));
    scene.crowd = makeCrowd(&scene);
    scene.characters = newZeroed(def->cast.capacity, sizeof *scene.characters);
    sceneTurn(&scene);
    return scene;
}

CrowdScene sceneAnother(CrowdScene *scene, uint64_t seed) {
    CrowdScene another = *scene;
    another.random = (Random){seed};
    another.count = 0;
    another.crowd = makeCrowd(&another);
    another.characters = newZeroed(scene->def.cast.capacity, sizeof *scene->characters);
    return another;
}

void sceneFreeAnother(CrowdScene *scene) {
    GPU_VKSKIN(scene->gpu, vkskinDestroyCrowd(scene->context, scene->crowd));
    free(scene->characters);
}

void sceneFree(CrowdScene *scene) {
    gpuDestroyContext(scene->gpu, scene->context);
    castFree(&scene->cast);
    free(scene->characters);
}

/* ---- Characters ---- */

void sceneAdd(CrowdScene *scene, uint32_t count) {
    const uint32_t room = sceneInside(scene).changes->freeCount;
    count = count < room ? count : room;
    for (uint32_t i = 0; i < count; i++) {
        const VkskinCharacterDef def = castCharacter(&scene->random);
        GPU_VKSKIN(scene->gpu, vkskinAddCharacters(scene->context, scene->crowd, &def, sizeof def, 1,
                                                   &scene->characters[scene->count++]));
    }
}

static void removeSome(CrowdScene *scene, uint32_t count) {
    for (uint32_t i = 0; i < count && scene->count > 0; i++) {
        const uint32_t index = randomBelow(&scene->random, scene->count);
        GPU_VKSKIN(scene->gpu, vkskinRemoveCharacters(scene->context, scene->crowd, &scene->characters[index], 1));
        scene->characters[index] = scene->characters[--scene->count];
    }
}

void sceneChangeSome(CrowdScene *scene) {
    for (uint32_t i = 0; scene->count > 0 && i < 40; i++) {
        const VkskinCharacter *who = &scene->characters[randomBelow(&scene->random, scene->count)];
        GPU_VKSKIN(scene->gpu, castChange(scene->context, scene->crowd, who, &scene->random, NULL));
    }
}

void sceneChange(CrowdScene *scene) {
    removeSome(scene, randomBelow(&scene->random, 6));
    sceneAdd(scene, randomBelow(&scene->random, 8));
    sceneChangeSome(scene);
}

/* ---- Frames ---- */

/* column-major: turned about y by `angle`, then a perspective of 90 degrees from 0.5 to 40 */
static void cameraOf(float angle, float matrix[16]) {
    const float near = 0.5f;
    const float far = 40.0f;
    const float c = cosf(angle);
    const float s = sinf(angle);
    const float depth = far / (near - far);
    /* rows: x' = c x - s z; y' = y; z' = s x + c z looked along -z */
    const float rows[4][4] = {{c, 0, -s, 0}, {0, 1, 0, 0}, {depth * s, 0, depth * c, near * depth}, {-s, 0, -c, 0}};
    for (int r = 0; r < 4; r++) {
        for (int k = 0; k < 4; k++) {
            matrix[4 * k + r] = rows[r][k];
        }
    }
}

uint32_t sceneViewCount(const CrowdScene *scene) {
    return scene->def.views != 0 ? scene->def.views : 2;
}

void sceneTurn(CrowdScene *scene) {
    float matrix[16];
    cameraOf((float)(scene->tick % 100000) * 0.0007f, matrix);
    scene->views[0] = vkskinCrowdViewFromMatrix(matrix, VKSKIN_CROWD_COLOUR);
    scene->views[0].pixelsPerUnit = 20.0f;
    scene->views[1] = (VkskinCrowdView){.kind = VKSKIN_CROWD_SHADOW, .planeCount = 2};
    const float slab[2][4] = {{1, 0, 0.3f, 9}, {-1, 0, -0.3f, 6}};
    memcpy(scene->views[1].planes, slab, sizeof slab);
    scene->views[2] = (VkskinCrowdView){.kind = VKSKIN_CROWD_COLOUR,
                                        .planeCount = 1,
                                        .planes = {{0.6f, 0, 0.8f, 2}},
                                        .pixelsPerUnit = 2.0f,
                                        .orthographic = true};
    scene->views[3] = (VkskinCrowdView){.kind = VKSKIN_CROWD_SHADOW};
}

void sceneRecord(CrowdScene *scene, VkCommandBuffer commandBuffer) {
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    frame.tick = scene->tick;
    frame.views = scene->views;
    frame.viewCount = sceneViewCount(scene);
    frame.maxVertices = scene->def.maxVertices;
    GPU_VKSKIN(scene->gpu, vkskinRecordCrowd(scene->context, commandBuffer, scene->crowd, &frame));
}

static VkCommandBuffer record(CrowdScene *scene) {
    GPU_VKSKIN(scene->gpu, vkskinBeginFrame(scene->context, scene->slot));
    VkCommandBuffer commandBuffer = gpuBegin(scene->gpu);
    if (scene->def.barriers == VKSKIN_BARRIERS_HOST) {
        GPU_VKSKIN(scene->gpu, vkskinRecordUploads(scene->context, commandBuffer));
        gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT);
    }
    sceneRecord(scene, commandBuffer);
    return commandBuffer;
}

void sceneGoOn(CrowdScene *scene) {
    scene->slot = (scene->slot + 1) % SCENE_FRAMES_IN_FLIGHT;
    scene->tick += 17;
    sceneTurn(scene);
}

void sceneRun(CrowdScene *scene) {
    gpuSubmitAndWait(scene->gpu, record(scene));
    sceneGoOn(scene);
}

void sceneCancel(CrowdScene *scene) {
    VkCommandBuffer commandBuffer = record(scene);
    GPU_CHECK(vkEndCommandBuffer(commandBuffer));
    vkFreeCommandBuffers(scene->gpu->device, scene->gpu->pool, 1, &commandBuffer);
    GPU_VKSKIN(scene->gpu, vkskinCancelFrame(scene->context));
}

/* ---- Reading ---- */

CrowdInside sceneInside(const CrowdScene *scene) {
    return crowdInside(scene->context, scene->crowd);
}

static void copyToHost(CrowdScene *scene, InsideBuffer buffer, void *bytes) {
    GpuBuffer copy = gpuBuffer(scene->gpu, buffer.size, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    VkCommandBuffer commandBuffer = gpuBegin(scene->gpu);
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
               VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    gpuRecordReadback(commandBuffer, buffer.buffer, 0, buffer.size, copy.buffer);
    /* later frames write it again */
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0);
    gpuSubmitAndWait(scene->gpu, commandBuffer);
    memcpy(bytes, copy.mapped, buffer.size);
    gpuFreeBuffer(scene->gpu, &copy);
}

void *sceneRead(CrowdScene *scene, InsideBuffer buffer) {
    void *bytes = newZeroed(1, buffer.size);
    if (buffer.mapped != NULL) {
        memcpy(bytes, buffer.mapped, buffer.size);
    } else {
        copyToHost(scene, buffer, bytes);
    }
    return bytes;
}

void sceneWrite(CrowdScene *scene, InsideBuffer target, const void *bytes) {
    GpuBuffer copy = gpuBuffer(scene->gpu, target.size, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    memcpy(copy.mapped, bytes, target.size);
    VkCommandBuffer commandBuffer = gpuBegin(scene->gpu);
    const VkBufferCopy region = {0, 0, target.size};
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_WRITE_BIT,
               VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdCopyBuffer(commandBuffer, copy.buffer, target.buffer, 1, &region);
    gpuBarrier(commandBuffer, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
               VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
    gpuSubmitAndWait(scene->gpu, commandBuffer);
    gpuFreeBuffer(scene->gpu, &copy);
}

uint32_t *sceneFrame(CrowdScene *scene) {
    return sceneRead(scene, sceneInside(scene).frame);
}

float *sceneVertices(CrowdScene *scene, uint32_t pool) {
    return sceneRead(scene, insideOutput(scene->context, scene->crowd, pool));
}

static uint64_t hashOf(const float *positions, uint32_t count, uint64_t hash) {
    for (uint32_t i = 0; i < 3 * count; i++) {
        uint32_t word;
        memcpy(&word, positions + i, sizeof word);
        hash = (hash ^ word) * 0x100000001b3u;
    }
    return hash;
}

SceneDrawn sceneDrawn(CrowdScene *scene) {
    SceneDrawn drawn = {.views = {0}};
    uint32_t *frame = sceneFrame(scene);
    LayoutCrowdCold *colds = sceneRead(scene, sceneInside(scene).colds);
    const uint32_t *tables = sceneInside(scene).plan->tables;
    assert_true(scene->def.cast.capacity <= SCENE_MAX_CHARACTERS);
    for (uint32_t p = 0; p < sceneInside(scene).plan->poolCount; p++) {
        const LayoutCrowdPool *pool = sknCrowdPool(tables, p);
        const LayoutCrowdPart *parts = (const LayoutCrowdPart *)(tables + pool->partsAt);
        const LayoutCrowdSlot *slots = (const LayoutCrowdSlot *)(frame + pool->records);
        float *vertices = sceneVertices(scene, p);
        for (uint32_t i = 0; i < frame[pool->counts + CROWD_SKINNED]; i++) {
            const uint32_t character = frame[pool->characters + i] & CROWD_SKINNED_CHARACTER;
            uint64_t *hash = &drawn.vertices[character];
            for (uint32_t part = 0; part < pool->partCount; part++) {
                if (parts[part].mask != 0 && (parts[part].mask & colds[character].parts) == 0) {
                    continue;
                }
                const uint32_t slot = frame[pool->skinned + i];
                const size_t copy = (size_t)(slots[slot].copies & 0xff) * pool->copyWords;
                *hash = hashOf(vertices + (size_t)slot * pool->outputWords + copy + parts[part].place,
                               insideVertices(scene->context, scene->crowd, pool->group, part), *hash + 1);
            }
        }
        for (uint32_t view = 0; view < CROWD_VIEWS; view++) {
            for (uint32_t i = 0; i < frame[pool->counts + CROWD_FIRST_VIEW + view]; i++) {
                drawn.views[slots[frame[pool->lists + view * pool->slots + i]].character] |= 1u << view;
            }
        }
        free(vertices);
    }
    free(frame);
    free(colds);
    return drawn;
}
