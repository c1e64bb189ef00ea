/* Crowds in the API fuzzer: clip sets, crowds, characters, records and queries. */
#include "api_run.h"

#include <string.h>

#include "random_animation.h"

#define NODES_MAX      6u
#define PARTS_MAX      2u
#define CAPACITY_MAX   70u
#define CHARACTERS_MAX 5u /* maximum characters of a call */

/* ---- Clip sets ---- */

/* One word in some of the blocks is any number. */
void apiMakeClips(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    ApiContext *context = apiContext(run);
    const uint8_t kind = fuzzByte(bytes);
    VkskinClipSet *set = &run->clipSets[kind % API_OBJECTS];
    Random random = {fuzzByte(bytes)};
    const RandomAnimationDef def = {.nodeCount = 1 + kind / 2 % NODES_MAX,
                                    .clipCount = (kind & 0x40) != 0 ? 2 : 1,
                                    .maxKeys = 5,
                                    .maxDistance = 0.5f,
                                    .turn = 0.4f};
    size_t size = 0;
    uint32_t *block = newRandomAnimation(&random, &def, &size);
    if (kind >= 0xc0) {
        const uint32_t at = fuzzNumber(bytes) % (uint32_t)(size / 4);
        block[at] = fuzzNumber(bytes);
    }
    (void)apiCheck(vkskinCreateClipSet(context->context, block, size - (kind >= 0xf0 ? 4 : 0), set));
    free(block);
}

/* ---- Crowds ---- */

/* Bone b is of node b, modulo the number of nodes. */
static VkskinSkin makeSkin(FuzzBytes *bytes, uint32_t nodeCount, uint32_t boneCount) {
    VkskinSkinDef def = vkskinDefaultSkinDef();
    VkskinSkin skin = NULL;
    uint32_t *nodes = fuzzRoom(bytes, boneCount * sizeof *nodes);
    for (uint32_t b = 0; b < boneCount; b++) {
        nodes[b] = b % nodeCount;
    }
    def.nodeCount = nodeCount;
    def.boneCount = boneCount;
    def.boneNodes = nodes;
    def.logger = apiLogger();
    (void)apiCheck(vkskinCreateSkin(&def, &skin));
    return skin;
}

/* Mostly a cube; else any numbers. */
static VkskinAnimationBox takeBox(FuzzBytes *bytes) {
    VkskinAnimationBox box = {{-1, -1, -1}, {1, 1, 1}};
    if (fuzzByte(bytes) >= 0xe0) {
        float *numbers = fuzzFloats(bytes, sizeof box / sizeof(float));
        memcpy(&box, numbers, sizeof box);
    }
    return box;
}

static const ApiField modelFields[] = {
    {0xf0, offsetof(VkskinCrowdModel, partCount)},
    {0xf1, offsetof(VkskinCrowdModel, method)},
    {0xf2, offsetof(VkskinCrowdModel, encoding)},
};
static const ApiField crowdFields[] = {
    {0xf3, offsetof(VkskinCrowdDef, cookie)},     {0xf4, offsetof(VkskinCrowdDef, modelCount)},
    {0xf5, offsetof(VkskinCrowdDef, maxChanges)}, {0xf6, offsetof(VkskinCrowdDef, ticksPerSecond)},
    {0xf7, offsetof(VkskinCrowdDef, capacity)},
};

/* Sizes that are refused, or small ones: larger ones are allocated. */
static uint32_t takeSize(uint32_t size, uint32_t most) {
    return size > (1u << 24) ? size : size % (most + 1);
}

void apiMakeCrowd(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    ApiContext *context = apiContext(run);
    const uint8_t kind = fuzzByte(bytes);
    VkskinCrowdPart *parts = fuzzRoom(bytes, PARTS_MAX * sizeof *parts);
    VkskinAnimationBox *boxes = fuzzRoom(bytes, NODES_MAX * sizeof *boxes);
    VkskinMeshInfo info = {.boneCount = 1};
    VkskinCrowdModel model = vkskinDefaultCrowdModel();
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    for (uint32_t i = 0; i < PARTS_MAX; i++) {
        parts[i] = (VkskinCrowdPart){.indexCount = 3};
        apiHandle(run, run->meshes, API_MESHES, &parts[i].mesh);
    }
    (void)vkskinGetMeshInfo(context->context, parts[0].mesh, &info);
    const uint32_t nodes = 1 + fuzzByte(bytes) % NODES_MAX;
    for (uint32_t n = 0; n < NODES_MAX; n++) {
        boxes[n] = takeBox(bytes);
    }
    VkskinSkin skin = makeSkin(bytes, nodes, info.boneCount);
    model.skin = skin;
    model.parts = parts;
    model.partCount = 1 + kind % PARTS_MAX;
    model.slots = takeSize(fuzzNumber(bytes), CAPACITY_MAX);
    model.boxes = kind == 0xf8 ? NULL : boxes;
    model.method = (VkskinMethod)(kind / 2 % (VKSKIN_METHOD_COUNT + 1));
    model.encoding = model.method < VKSKIN_METHOD_COUNT ? vkskinMethodEncoding(model.method) : model.encoding;
    API_SPOIL(bytes, &model, modelFields, kind);
    model.partCount = model.partCount > PARTS_MAX && model.partCount <= VKSKIN_MAX_CROWD_PARTS ? 1 : model.partCount;
    def.models = &model;
    def.modelCount = 1;
    def.capacity = CAPACITY_MAX;
    apiHandle(run, run->clipSets, API_OBJECTS, &def.clipSet);
    API_SPOIL(bytes, &def, crowdFields, kind);
    def.modelCount = def.modelCount <= VKSKIN_MAX_CROWD_MODELS ? def.modelCount % 2 : def.modelCount;
    def.capacity = takeSize(def.capacity, CAPACITY_MAX);
    VkskinCrowd *crowd = &run->crowds[kind % API_OBJECTS];
    const bool made = apiCheck(vkskinCreateCrowd(context->context, &def, crowd, NULL));
    FUZZ_CHECK(made == (crowd->index != 0));
    vkskinDestroySkin(skin);
}

void apiEndCrowd(ApiRun *run) {
    ApiContext *context = apiContext(run);
    if ((fuzzByte(&run->bytes) & 1) == 0) {
        VkskinCrowd crowd;
        apiHandle(run, run->crowds, API_OBJECTS, &crowd);
        (void)apiCheck(vkskinDestroyCrowd(context->context, crowd));
    } else {
        VkskinClipSet set;
        apiHandle(run, run->clipSets, API_OBJECTS, &set);
        (void)apiCheck(vkskinDestroyClipSet(context->context, set));
    }
}

/* ---- Characters ---- */

static VkskinAffine takeAffine(FuzzBytes *bytes) {
    VkskinAffine affine = vkskinIdentityAffine();
    if (fuzzByte(bytes) >= 0xc0) {
        ((float *)affine.m)[fuzzByte(bytes) % 12] = fuzzFloat(bytes);
    }
    return affine;
}

static VkskinCrowdPlay takePlay(FuzzBytes *bytes) {
    const uint8_t kind = fuzzByte(bytes);
    VkskinCrowdPlay play = vkskinDefaultCrowdPlay();
    play.clip = kind & 1;
    play.once = (kind & 2) != 0;
    play.fade = (kind & 4) != 0 ? 0.25f : 0.0f;
    play.clip = kind == 0xf0 ? fuzzNumber(bytes) : play.clip;
    play.start = kind == 0xf1 ? fuzzFloat(bytes) : play.start;
    play.speed = kind == 0xf2 ? fuzzFloat(bytes) : play.speed;
    play.fade = kind == 0xf3 ? fuzzFloat(bytes) : play.fade;
    return play;
}

void apiAddCharacters(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    ApiContext *context = apiContext(run);
    const uint8_t kind = fuzzByte(bytes);
    const uint32_t count = kind % (API_CHARACTERS + 1);
    const bool one = (kind & 0x40) != 0;
    VkskinCharacterDef *defs = fuzzRoom(bytes, (one ? 1 : count) * sizeof *defs);
    for (uint32_t i = 0; i < (one ? 1 : count); i++) {
        defs[i] = vkskinDefaultCharacterDef();
        defs[i].transform = takeAffine(bytes);
        defs[i].model = kind >= 0xf8 ? fuzzNumber(bytes) : 0;
        defs[i].play = takePlay(bytes);
        defs[i].hidden = (fuzzByte(bytes) & 1) != 0;
        defs[i].cookie ^= kind == 0xf6;
    }
    VkskinCrowd crowd;
    VkskinCharacter *made = fuzzRoom(bytes, count * sizeof *made);
    apiHandle(run, run->crowds, API_OBJECTS, &crowd);
    const size_t stride = one ? 0 : kind == 0xf7 ? fuzzNumber(bytes) % sizeof *defs : sizeof *defs;
    if (apiCheck(vkskinAddCharacters(context->context, crowd, defs, stride, count, made))) {
        memcpy(run->characters, made, count * sizeof *made);
    }
}

/* A call for some characters; the arrays have one element each. */
void apiChangeCharacters(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    VkskinContext context = apiContext(run)->context;
    const uint8_t kind = fuzzByte(bytes);
    const uint32_t count = fuzzByte(bytes) % (CHARACTERS_MAX + 1);
    VkskinCharacter *who = fuzzRoom(bytes, count * sizeof *who);
    for (uint32_t i = 0; i < count; i++) {
        apiHandle(run, run->characters, API_CHARACTERS, &who[i]);
    }
    VkskinCrowd crowd;
    apiHandle(run, run->crowds, API_OBJECTS, &crowd);
    const VkskinAffine place = takeAffine(bytes);
    const VkskinCrowdPlay play = takePlay(bytes);
    const float speed = fuzzFloat(bytes);
    const uint32_t number = fuzzNumber(bytes);
    const VkskinCrowdMove move = (VkskinCrowdMove)(kind >= 0xf0 ? number : number % 2);
    const VkskinResult result = kind % 6 == 0   ? vkskinRemoveCharacters(context, crowd, who, count)
                                : kind % 6 == 1 ? vkskinMoveCharacters(context, crowd, who, count, &place, 0, move)
                                : kind % 6 == 2 ? vkskinPlayCharacters(context, crowd, who, count, &play, 0)
                                : kind % 6 == 3 ? vkskinSetCharacterSpeeds(context, crowd, who, count, &speed, 0)
                                : kind % 6 == 4 ? vkskinHideCharacters(context, crowd, who, count, (number & 1) != 0)
                                                : vkskinSetCharacterVariations(context, crowd, who, count, &number, 0);
    (void)apiCheck(result);
}

/* ---- Frames ---- */

void apiRecordCrowd(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    ApiContext *context = apiContext(run);
    const uint8_t kind = fuzzByte(bytes);
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    VkskinCrowd crowd;
    frame.viewCount = kind >= 0xf0 ? fuzzNumber(bytes) : 1 + kind % VKSKIN_MAX_CROWD_VIEWS;
    const uint32_t views = frame.viewCount <= VKSKIN_MAX_CROWD_VIEWS ? frame.viewCount : 0;
    VkskinCrowdView *list = fuzzRoom(bytes, views * sizeof *list);
    memset(list, 0, views * sizeof *list);
    for (uint32_t v = 0; v < views; v++) {
        const uint8_t view = fuzzByte(bytes);
        list[v].kind = (VkskinCrowdViewKind)(view >= 0xf0 ? fuzzNumber(bytes) : view % 2);
        list[v].planeCount = view >= 0xe0 ? fuzzNumber(bytes) : view / 2 % 3;
        list[v].planes[0][0] = fuzzFloat(bytes);
        list[v].planes[1][3] = fuzzFloat(bytes);
    }
    frame.views = list;
    frame.tick = fuzzNumber(bytes);
    apiHandle(run, run->crowds, API_OBJECTS, &crowd);
    (void)apiCheck(
        vkskinRecordCrowd(context->context, kind == 0xee ? VK_NULL_HANDLE : context->commands, crowd, &frame));
}

void apiAskCrowd(ApiRun *run) {
    FuzzBytes *bytes = &run->bytes;
    VkskinContext context = apiContext(run)->context;
    VkskinCrowd crowd;
    VkskinCrowdStats stats;
    VkskinCrowdBuffers buffers;
    uint32_t count = fuzzByte(bytes) % 9;
    VkskinCrowdDraw *draws = fuzzRoom(bytes, count * sizeof *draws);
    const uint32_t room = count;
    apiHandle(run, run->crowds, API_OBJECTS, &crowd);
    if (apiCheck(vkskinGetCrowdStats(context, crowd, &stats))) {
        FUZZ_CHECK(stats.skinned <= stats.characters && stats.drawn[0] <= stats.skinned);
    }
    if (apiCheck(vkskinGetCrowdBuffers(context, crowd, &buffers))) {
        FUZZ_CHECK(buffers.frame != VK_NULL_HANDLE);
    }
    if (apiCheck(vkskinGetCrowdDraws(context, crowd, room == 0 ? NULL : draws, &count))) {
        FUZZ_CHECK(room == 0 || count <= room);
    }
}
