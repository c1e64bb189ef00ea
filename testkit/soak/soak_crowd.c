/*
 * A crowd of a context: characters are added, removed and changed at random, in frames that lag and that are cancelled. A
 * plain loop over all characters says how many the device must draw.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "count_of.h"
#include "model_mesh.h"
#include "random_animation.h"
#include "soak_parts.h"
#include "vkskin/vkskin_crowd.h"

#define CAPACITY 96u
#define NODES    12u
#define CLIPS    3u
#define RECORDED 8u /* frames whose expected counters are known: more than are in flight */

static const uint32_t SLOTS[SOAK_CROWD_MODELS] = {20, 5};

/* A character, by its index. */
typedef struct Member {
    VkskinCharacter handle;
    uint32_t model;
    bool exists, hidden;
    bool resident; /* has a slot since the last frame that was not cancelled */
} Member;

/* What the counters of a recorded frame must be. */
typedef struct Expected {
    uint64_t frame;
    uint32_t characters, skinned, refused;
} Expected;

struct SoakCrowd {
    SoakWorld *world; /* borrowed: its context and counts */
    Random random;    /* of its own: crowds change nothing else */
    VkskinCrowd handle;
    VkskinClipSet clips;
    VkskinMesh meshes[SOAK_CROWD_MODELS];
    uint32_t tick;
    Member members[CAPACITY]; /* by index - 1 */
    bool before[CAPACITY];    /* `resident` before the frame that is recorded */
    Expected expected[RECORDED];
    uint64_t slotFrames[SOAK_MAX_FRAMES]; /* the latest frame recorded in a slot; 0: none */
};

static void check(const SoakCrowd *crowd, const char *call, VkskinResult result) {
    soakContextCheck(crowd->world->context, call, result);
}
#define CHECK(crowd, function, ...) check((crowd), #function, function((crowd)->world->context->handle, __VA_ARGS__))

/* ---- Objects ---- */

static VkskinSkin makeSkin(SoakCrowd *crowd, uint32_t bones, VkskinAffine *binds) {
    uint32_t nodes[NODES];
    VkskinSkinDef def = vkskinDefaultSkinDef();
    VkskinSkin skin = NULL;
    for (uint32_t b = 0; b < bones; b++) {
        nodes[b] = randomBelow(&crowd->random, NODES);
        binds[b] = randomBone(&crowd->random, 3.0f, false);
    }
    def.nodeCount = NODES;
    def.boneCount = bones;
    def.boneNodes = nodes;
    def.inverseBinds = binds;
    check(crowd, "vkskinCreateSkin", vkskinCreateSkin(&def, &skin));
    return skin;
}

static void makeMesh(SoakCrowd *crowd, uint32_t index, uint32_t bones, VkskinSkin skin, VkskinAnimationBox *boxes) {
    const SoakKinds *kinds = &crowd->world->context->kinds;
    const RandomMeshDef random = {.vertexCount = 1 + randomBelow(&crowd->random, 200),
                                  .boneCount = bones,
                                  .influences = 4,
                                  .minInfluences = 1,
                                  .normalised = true};
    ModelMesh mesh = randomMesh(&crowd->random, &random);
    VkskinMeshDef def = meshDefOfModel(&mesh);
    def.normals = kinds->vectors > 0 ? def.normals : NULL;
    def.tangents = kinds->vectors > 1 ? def.tangents : NULL;
    def.format = kinds->format;
    def.normalRule = kinds->normals;
    def.previousPositions = randomBelow(&crowd->random, 2) == 0;
    for (uint32_t n = 0; n < NODES; n++) {
        boxes[n] = vkskinEmptyAnimationBox();
    }
    CHECK(crowd, vkskinCreateMesh, &def, &crowd->meshes[index]);
    check(crowd, "vkskinAddAnimationBoxes",
          vkskinAddAnimationBoxes(skin, def.vertexCount, def.positions, def.influencesPerVertex, def.joints,
                                  def.weights, boxes));
    randomMeshFree(&mesh);
}

static void makeClips(SoakCrowd *crowd) {
    const RandomAnimationDef def = {.nodeCount = NODES, .clipCount = CLIPS, .maxKeys = 9, .reach = 0.5f, .turn = 0.4f};
    size_t size = 0;
    void *block = newRandomAnimation(&crowd->random, &def, &size);
    CHECK(crowd, vkskinCreateClipSet, block, size, &crowd->clips);
    free(block);
}

SoakCrowd *soakCrowdCreate(SoakWorld *world, uint64_t seed) {
    SoakCrowd *crowd = newZeroed(1, sizeof *crowd);
    *crowd = (SoakCrowd){.world = world, .random = {seed}, .tick = UINT32_MAX - 500}; /* ticks wrap */
    VkskinCrowdModel models[SOAK_CROWD_MODELS];
    VkskinCrowdPart parts[SOAK_CROWD_MODELS] = {{.indexCount = 3}, {.indexCount = 6}};
    VkskinAnimationBox boxes[SOAK_CROWD_MODELS][NODES];
    VkskinAffine binds[NODES];
    makeClips(crowd);
    for (uint32_t m = 0; m < SOAK_CROWD_MODELS; m++) {
        const uint32_t bones = 1 + randomBelow(&crowd->random, NODES);
        models[m] = vkskinDefaultCrowdModel();
        models[m].skin = makeSkin(crowd, bones, binds);
        makeMesh(crowd, m, bones, models[m].skin, boxes[m]);
        parts[m].mesh = crowd->meshes[m];
        models[m].parts = &parts[m];
        models[m].partCount = 1;
        models[m].slots = SLOTS[m];
        models[m].boxes = boxes[m];
    }
    VkskinCrowdDef def = vkskinDefaultCrowdDef();
    def.clipSet = crowd->clips;
    def.models = models;
    def.modelCount = SOAK_CROWD_MODELS;
    def.capacity = CAPACITY;
    CHECK(crowd, vkskinCreateCrowd, &def, &crowd->handle, NULL);
    for (uint32_t m = 0; m < SOAK_CROWD_MODELS; m++) {
        vkskinDestroySkin(models[m].skin);
    }
    world->counts.crowdsMade++;
    return crowd;
}

void soakCrowdDestroy(SoakCrowd *crowd) {
    CHECK(crowd, vkskinDestroyCrowd, crowd->handle);
    CHECK(crowd, vkskinDestroyClipSet, crowd->clips);
    for (uint32_t m = 0; m < SOAK_CROWD_MODELS; m++) {
        CHECK(crowd, vkskinDestroyMesh, crowd->meshes[m]);
    }
    soakCrowdForget(crowd);
}

void soakCrowdForget(SoakCrowd *crowd) {
    free(crowd);
}

/* ---- Changes ---- */

static VkskinAffine randomPlace(Random *random) {
    VkskinAffine place = randomBone(random, 3.0f, false);
    for (int i = 0; i < 3; i++) {
        place.m[i][3] = randomFloat(random, -20.0f, 20.0f);
    }
    return place;
}

static VkskinCrowdPlay randomPlay(Random *random) {
    return (VkskinCrowdPlay){.clip = randomBelow(random, CLIPS),
                             .start = randomFloat(random, 0.0f, 1.0f),
                             .speed = randomFloat(random, -2.0f, 2.0f),
                             .fade = randomBelow(random, 2) == 0 ? 0.0f : randomFloat(random, 0.0f, 0.5f),
                             .once = randomBelow(random, 2) == 0};
}

static void addMember(SoakCrowd *crowd) {
    Random *random = &crowd->random;
    const VkskinCharacterDef def = {.transform = randomPlace(random),
                                    .model = randomBelow(random, SOAK_CROWD_MODELS),
                                    .variation = randomWord(random),
                                    .play = randomPlay(random),
                                    .hidden = randomBelow(random, 8) == 0};
    SoakContext *context = crowd->world->context;
    VkskinCharacter made;
    VkskinResult result = vkskinAddCharacters(context->handle, crowd->handle, &def, 0, 1, &made);
    if (result == VKSKIN_ERROR_CROWD_FULL) { /* indices of removed ones are not free yet */
        crowd->world->counts.crowdsFull++;
        return;
    }
    soakContextCheck(context, "vkskinAddCharacters", result);
    Member *member = &crowd->members[made.index - 1];
    if (member->exists) {
        soakFail("vkskinAddCharacters: index %u of a character that exists", made.index);
    }
    member->handle = made;
    member->model = def.model;
    member->exists = true;
    member->hidden = def.hidden;
}

static void removeMember(SoakCrowd *crowd, Member *member) {
    CHECK(crowd, vkskinRemoveCharacters, crowd->handle, &member->handle, 1);
    member->exists = false;
    VkskinResult result = vkskinHideCharacters(crowd->world->context->handle, crowd->handle, &member->handle, 1, true);
    if (result != VKSKIN_ERROR_STALE_HANDLE) {
        soakFail("vkskinHideCharacters of a removed character: %s", vkskinResultName(result));
    }
}

static void changeMember(SoakCrowd *crowd, Member *member) {
    Random *random = &crowd->random;
    const VkskinCharacter *who = &member->handle;
    const VkskinAffine place = randomPlace(random);
    const VkskinCrowdPlay play = randomPlay(random);
    const VkskinCrowdMove move = randomBelow(random, 2) == 0 ? VKSKIN_CROWD_WALK : VKSKIN_CROWD_TELEPORT;
    const uint32_t variation = randomWord(random);
    switch (randomBelow(random, 6)) {
    case 0:
        CHECK(crowd, vkskinMoveCharacters, crowd->handle, who, 1, &place, 0, move);
        break;
    case 1:
        CHECK(crowd, vkskinPlayCharacters, crowd->handle, who, 1, &play, 0);
        break;
    case 2:
        CHECK(crowd, vkskinSetCharacterSpeeds, crowd->handle, who, 1, &play.speed, 0);
        break;
    case 3:
        CHECK(crowd, vkskinSetCharacterVariations, crowd->handle, who, 1, &variation, 0);
        break;
    case 4:
        member->hidden = !member->hidden;
        CHECK(crowd, vkskinHideCharacters, crowd->handle, who, 1, member->hidden);
        break;
    default:
        removeMember(crowd, member);
        break;
    }
}

void soakCrowdChange(SoakCrowd *crowd) {
    for (uint32_t i = randomBelow(&crowd->random, 5); i > 0; i--) {
        addMember(crowd);
    }
    for (uint32_t i = randomBelow(&crowd->random, 20); i > 0; i--) {
        Member *member = &crowd->members[randomBelow(&crowd->random, CAPACITY)];
        if (member->exists) {
            changeMember(crowd, member);
        }
    }
}

/* ---- Frames ---- */

/* The first view sees all characters that are not hidden. Who frees a slot does so for the next frame. */
static Expected nextFrame(SoakCrowd *crowd) {
    uint32_t room[SOAK_CROWD_MODELS];
    Expected expected = {0};
    for (uint32_t m = 0; m < SOAK_CROWD_MODELS; m++) {
        room[m] = SLOTS[m];
    }
    for (uint32_t i = 0; i < CAPACITY; i++) {
        crowd->before[i] = crowd->members[i].resident;
        room[crowd->members[i].model] -= crowd->members[i].resident;
    }
    for (uint32_t i = 0; i < CAPACITY; i++) {
        Member *member = &crowd->members[i];
        const bool wants = member->exists && !member->hidden;
        const bool gets = wants && !member->resident && room[member->model] > 0;
        room[member->model] -= gets;
        member->resident = wants && (member->resident || gets);
        expected.characters += member->exists;
        expected.skinned += member->resident;
        expected.refused += wants && !member->resident;
    }
    return expected;
}

static VkskinCrowdView randomView(Random *random) {
    VkskinCrowdView view = {.kind = VKSKIN_CROWD_SHADOW, .planeCount = 1};
    for (int i = 0; i < 4; i++) {
        view.planes[0][i] = randomFloat(random, -1.0f, 1.0f);
    }
    return view;
}

void soakCrowdRecord(SoakCrowd *crowd, VkCommandBuffer commandBuffer) {
    SoakContext *context = crowd->world->context;
    const VkskinCrowdView views[2] = {{.kind = VKSKIN_CROWD_COLOUR}, randomView(&crowd->random)};
    VkskinCrowdFrame frame = vkskinDefaultCrowdFrame();
    VkskinStats stats;
    frame.tick = crowd->tick;
    frame.viewCount = COUNT_OF(views);
    frame.views = views;
    crowd->tick += randomBelow(&crowd->random, 40);
    soakContextUploads(context, commandBuffer);
    CHECK(crowd, vkskinRecordCrowd, commandBuffer, crowd->handle, &frame);
    soakContextBarrier(context, commandBuffer);
    CHECK(crowd, vkskinGetStats, &stats);
    Expected *expected = &crowd->expected[stats.frame % RECORDED];
    *expected = nextFrame(crowd);
    expected->frame = stats.frame;
    crowd->slotFrames[context->slot] = stats.frame;
}

void soakCrowdCancel(SoakCrowd *crowd, uint32_t slot) {
    for (uint32_t i = 0; i < CAPACITY; i++) {
        crowd->members[i].resident = crowd->before[i];
    }
    crowd->expected[crowd->slotFrames[slot] % RECORDED].frame = 0;
    crowd->slotFrames[slot] = 0;
}

void soakCrowdCheck(SoakCrowd *crowd) {
    const SoakContext *context = crowd->world->context;
    VkskinCrowdStats stats;
    CHECK(crowd, vkskinGetCrowdStats, crowd->handle, &stats);
    const Expected *expected = &crowd->expected[stats.frame % RECORDED];
    if (stats.frame < crowd->slotFrames[context->slot]) {
        soakFail("the counters of the crowd are of frame %" PRIu64 ", although frame %" PRIu64 " has finished",
                 stats.frame, crowd->slotFrames[context->slot]);
    }
    if (stats.frame == 0 || stats.frame != expected->frame) {
        return;
    }
    if (stats.characters != expected->characters || stats.skinned != expected->skinned ||
        stats.refused != expected->refused || stats.drawn[0] != expected->skinned ||
        stats.drawn[1] > expected->skinned || stats.badClip + stats.badModel + stats.badPlace > 0) {
        soakFail("crowd, frame %" PRIu64
                 ": %u characters, %u skinned, %u refused, %u and %u drawn; expected %u, %u, %u",
                 stats.frame, stats.characters, stats.skinned, stats.refused, stats.drawn[0], stats.drawn[1],
                 expected->characters, expected->skinned, expected->refused);
    }
    crowd->world->counts.crowdFramesChecked++;
    crowd->world->counts.crowdCharactersSkinned += stats.skinned;
    crowd->world->counts.crowdCharactersRefused += stats.refused;
}
