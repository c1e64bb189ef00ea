#include "null_crowd.h"

#define NODES 2u

const float nullCrowdDurations[CLIPS] = {2.0f, 0.7f, 1.5f, 0.0004f};

/* ---- Objects ---- */

static VkskinClip makeClip(uint32_t number, bool weights) {
    const float times[2] = {0.0f, nullCrowdDurations[number]},
                values[6] = {0.0f, 2.0f * (float)number, 0.0f, 0.0f, 2.0f * (float)number + 1.0f};
    const float steps[4] = {0.0f, 0.0f, 0.0f, number == STEPPING ? 1.0f : 0.0f};
    const VkskinTrack place = {
        .node = 1, .channel = VKSKIN_CHANNEL_TRANSLATION, .keyCount = 2, .times = times, .values = values};
    const VkskinTrack weight = {.node = 1,
                                .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                                .interpolation = VKSKIN_INTERPOLATION_STEP,
                                .keyCount = 2,
                                .times = times,
                                .values = steps,
                                .weightCount = 2};
    VkskinClipDef def = vkskinDefaultClipDef();
    VkskinClip clip = NULL;
    def.duration = nullCrowdDurations[number];
    def.nodeCount = NODES;
    def.trackCount = 1;
    def.tracks = weights ? &weight : &place;
    OK(vkskinCreateClip(&def, &clip));
    return clip;
}

static VkskinClipSet makeClips(const Host *host) {
    const int32_t parents[NODES] = {-1, 0};
    const VkskinTransform rest[NODES] = {vkskinIdentityTransform(), vkskinIdentityTransform()};
    VkskinSkeletonDef skeleton = vkskinDefaultSkeletonDef();
    VkskinAnimationDef def = vkskinDefaultAnimationDef();
    VkskinClip clips[CLIPS];
    VkskinClipSet set;
    void *block = NULL;
    size_t size = 0;
    skeleton.nodeCount = NODES;
    skeleton.parents = parents;
    skeleton.restPose = rest;
    OK(vkskinCreateSkeleton(&skeleton, &def.skeleton));
    for (uint32_t c = 0; c < CLIPS; c++) {
        clips[c] = makeClip(c, false);
    }
    def.clips = clips;
    def.clipCount = CLIPS;
    def.maxError = 1e-5f;
    OK(vkskinPackAnimation(&def, &block, &size, NULL));
    OK(vkskinCreateClipSet(host->context, block, size, &set));
    vkskinFreeAnimation(block, NULL);
    for (uint32_t c = 0; c < CLIPS; c++) {
        vkskinDestroyClip(clips[c]);
    }
    vkskinDestroySkeleton(def.skeleton);
    return set;
}

/* All vertices at one place. The first morph target has no weight, the second one moves them along z. */
static VkskinMesh makeMesh(const Host *host, float x) {
    TestMesh *built = meshBuild((MeshSpec){VERTICES, 1, .morphs = 2});
    VkskinMesh mesh;
    for (uint32_t v = 0; v < VERTICES; v++) {
        meshSetPosition(built, v, x, 0.0f, 0.0f);
    }
    built->def.previousPositions = true;
    OK(vkskinCreateMesh(host->context, &built->def, &mesh));
    meshFree(built);
    return mesh;
}

static void makeCrowd(Host *host, uint32_t slots) {
    const uint32_t node = 1;
    VkskinCrowdPart parts[2];
    const VkskinAnimationBox boxes[NODES] = {vkskinEmptyAnimationBox(), {{0, 0, 0}, {MODEL_X + PART_X, 0, 0}}};
    VkskinAffine bind = vkskinIdentityAffine();
    VkskinCrowdModel models[MODELS];
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    VkskinClip weights[CLIPS];
    VkskinSkinDef skin = skinDefOf(NODES, 1, &node, &bind);
    for (uint32_t m = 0; m < MODELS; m++) {
        models[m] = vkskinDefaultCrowdModel();
        bind.m[0][3] = MODEL_X * (float)m;
        OK(vkskinCreateSkin(&skin, &models[m].skin));
        models[m].parts = parts;
        models[m].partCount = 1 + m;
        parts[m] = vkskinDefaultCrowdPart();
        parts[m].mesh = makeMesh(host, PART_X * (float)m);
        parts[m].indexCount = 3;
        parts[m].morphNode = 1;
        parts[m].mask = m == 0 ? 0 : PART_MASK;
        models[m].slots = slots;
        models[m].boxes = boxes;
    }
    for (uint32_t c = 0; c < CLIPS; c++) {
        weights[c] = makeClip(c, true);
    }
    def.clipSet = makeClips(host);
    def.models = models;
    def.modelCount = MODELS;
    def.capacity = CAPACITY;
    def.maxViews = VKSKIN_MAX_CROWD_VIEWS;
    def.morphClips = weights;
    OK(vkskinCreateCrowd(host->context, &def, &host->crowd, NULL));
    for (uint32_t i = 0; i < CLIPS; i++) {
        vkskinDestroyClip(weights[i]);
        vkskinDestroySkin(i < MODELS ? models[i].skin : NULL);
    }
}

void makeHost(Host *host, uint32_t slots) {
    *host = (Host){.driver = nullDriverCreate(NULL), .viewCount = VKSKIN_MAX_CROWD_VIEWS, .tick = 0u - 3000u};
    VkskinContextDef def = nullDriverContextDef(host->driver);
    def.backend = VKSKIN_BACKEND_CPU;
    def.framesInFlight = 2;
    OK(vkskinCreateContext(&def, &host->context));
    makeCrowd(host, slots);
}

void freeHost(Host *host) {
    vkskinDestroyContext(host->context);
    assert_string_equal(nullDriverFirstFault(host->driver), "");
    assert_int_equal(nullDriverDestroy(host->driver), 0);
}

void beginFrame(Host *host) {
    host->begun++;
    OK(vkskinBeginFrame(host->context, host->slot));
    host->finished = host->recorded[host->slot] > host->finished ? host->recorded[host->slot] : host->finished;
}

VkCommandBuffer recordFrame(Host *host) {
    VkCommandBuffer commands = nullDriverBegin(host->driver);
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    frame.tick = host->tick;
    frame.viewCount = host->viewCount;
    frame.views = host->views;
    OK(vkskinRecordCrowd(host->context, commands, host->crowd, &frame));
    return commands;
}

void submitFrame(Host *host, VkCommandBuffer commands) {
    nullDriverRun(commands);
    host->recorded[host->slot] = host->begun;
}

void cancelFrame(Host *host, VkCommandBuffer commands) {
    nullDriverDrop(commands);
    OK(vkskinCancelFrame(host->context));
    beginFrame(host);
}

/* ---- What a host reads ---- */

static void readInstance(const Host *host, const VkskinCrowdDraw *draw, const uint32_t *frame, uint32_t instance,
                         Drawn drawn[CAPACITY]) {
    const VkskinCrowdConstants *at = &draw->constants;
    const uint32_t slot = frame[at->list + instance];
    const float *vertices = nullDriverContents(host->driver, draw->vertices);
    LayoutCrowdSlot record;
    memcpy(&record, frame + at->slots + (size_t)slot * CROWD_SLOT_WORDS, sizeof record);
    assert_true(record.character < CAPACITY);
    Drawn *one = &drawn[record.character];
    const float *first = vertices + at->vertices + (size_t)slot * at->slotWords;
    one->record = record;
    one->views |= 1u << draw->view;
    one->parts |= 1u << draw->part;
    one->places[draw->view] = instance;
    memcpy(one->now[draw->part], first + (size_t)(record.copies & 0xff) * at->copyWords, sizeof one->now[0]);
    memcpy(one->before[draw->part], first + (size_t)(record.copies >> 8) * at->copyWords, sizeof one->before[0]);
}

void readDrawn(const Host *host, Drawn drawn[CAPACITY]) {
    VkskinCrowdDraw draws[VKSKIN_MAX_CROWD_VIEWS * 3];
    VkskinCrowdBuffers buffers;
    uint32_t count = COUNT_OF(draws);
    OK(vkskinGetCrowdDraws(host->context, host->crowd, draws, &count));
    OK(vkskinGetCrowdBuffers(host->context, host->crowd, &buffers));
    const unsigned char *bytes = nullDriverContents(host->driver, buffers.frame);
    const uint32_t *frame = (const uint32_t *)(const void *)(bytes + buffers.frameOffset);
    memset(drawn, 0, CAPACITY * sizeof *drawn);
    for (uint32_t d = 0; d < count; d++) {
        const uint32_t *arguments = frame + draws[d].argumentsOffset / 4;
        for (uint32_t i = 0; i < arguments[1]; i++) {
            readInstance(host, &draws[d], frame, i, drawn);
        }
    }
}
