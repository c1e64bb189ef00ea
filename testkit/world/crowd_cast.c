#include "crowd_cast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "defs.h"
#include "model_mesh.h"
#include "random_animation.h"

/* ---- Objects ---- */

typedef struct Making {
    VkskinContext context;
    const CastDef *def;
    Random *random;
    Cast *cast;
    VkskinResult result; /* the first failure */
} Making;

/* Remembers the first failure. */
static void keep(Making *making, VkskinResult result) {
    making->result = making->result < 0 ? making->result : result;
}

#define WEIGHT_KEYS 4u

/* The weights of a clip, in each way of interpolation; the last clip has none. */
static VkskinClip makeWeights(Making *making, uint32_t clip, float duration) {
    const uint32_t parts = vkskinInterpolationParts((VkskinInterpolation)clip);
    float times[WEIGHT_KEYS];
    float values[2][WEIGHT_KEYS * 5 * CAST_TARGETS] = {{0}};
    VkskinTrack tracks[2];
    VkskinClipDef def = vkskinDefaultClipDef();
    for (uint32_t k = 0; k < WEIGHT_KEYS; k++) {
        times[k] = duration * ((float)k + 0.3f) / WEIGHT_KEYS;
    }
    for (uint32_t t = 0; t < 2; t++) {
        for (uint32_t i = 0; i < WEIGHT_KEYS * parts * CAST_TARGETS; i++) {
            values[t][i] = i % CAST_TARGETS == 2 ? 0.0f : randomFloat(making->random, -1.0f, 2.0f);
        }
        tracks[t] = (VkskinTrack){.node = CAST_CARRIER + t,
                                  .channel = VKSKIN_CHANNEL_MORPH_WEIGHTS,
                                  .interpolation = (VkskinInterpolation)clip,
                                  .keyCount = WEIGHT_KEYS,
                                  .times = times,
                                  .values = values[t],
                                  .weightCount = CAST_TARGETS};
    }
    def.duration = duration;
    def.nodeCount = CAST_NODES;
    def.trackCount = clip + 1 < CAST_CLIPS ? 2 : 0;
    def.tracks = tracks;
    VkskinClip made = NULL;
    keep(making, vkskinCreateClip(&def, &made));
    return made;
}

static void makeClipSet(Making *making) {
    const RandomAnimationDef animation = {
        .nodeCount = CAST_NODES, .clipCount = CAST_CLIPS, .maxKeys = 12, .maxDistance = 0.5f, .turn = 0.4f};
    size_t size = 0;
    void *block = newRandomAnimation(making->random, &animation, &size);
    keep(making, vkskinCreateClipSet(making->context, block, size, &making->cast->clipSet));
    for (uint32_t c = 0; making->def->morphs && c < CAST_CLIPS; c++) {
        making->cast->clips[c] = makeWeights(making, c, vkskinGetAnimationDuration(block, c));
    }
    free(block);
    for (uint32_t n = 0; n < CAST_NODES; n++) {
        making->cast->boxes[n] = vkskinEmptyAnimationBox();
    }
}

static void makeSkin(Making *making) {
    uint32_t nodes[CAST_SKIN_BONES];
    VkskinAffine binds[CAST_SKIN_BONES];
    for (uint32_t b = 0; b < CAST_SKIN_BONES; b++) {
        nodes[b] = randomBelow(making->random, CAST_NODES);
        binds[b] = randomBone(making->random, 3.0f, false);
    }
    VkskinSkinDef def = skinDefOf(CAST_NODES, CAST_SKIN_BONES, nodes, binds);
    keep(making, vkskinCreateSkin(&def, &making->cast->skin));
}

/* The second target moves vertices farther than the others, along one axis. */
static void addTargets(float *deltas, float *lifts, VkskinMeshDef *def, VkskinMorphTarget targets[CAST_TARGETS]) {
    for (size_t v = 0; v < def->vertexCount; v++) {
        lifts[3 * v + 1] = 100.0f;
    }
    for (uint32_t t = 0; t < CAST_TARGETS; t++) {
        targets[t] = (VkskinMorphTarget){.vertexCount = def->vertexCount,
                                         .positions = t == 1 ? lifts : deltas,
                                         .normals = deltas,
                                         .afterSkinning = t == 1};
    }
    def->morphTargets = targets;
    def->morphTargetCount = CAST_TARGETS;
}

static void makeMesh(Making *making, uint32_t index) {
    const CastDef *settings = making->def;
    const RandomMeshDef random = {.vertexCount = 70 + 41 * index,
                                  .boneCount = index == 0 ? CAST_SKIN_BONES : CAST_BONES,
                                  .influences = settings->rigid ? 1
                                                : index == 0    ? 4
                                                                : 7,
                                  .minInfluences = 1,
                                  .normalised = true};
    ModelMesh mesh = randomMesh(making->random, &random);
    VkskinMeshDef def = meshDefOfModel(&mesh);
    def.previousPositions = settings->previousPositions;
    def.format = settings->format;
    def.normalRule = settings->normals;
    def.tangents = settings->dropped > 0 ? NULL : def.tangents;
    def.normals = settings->dropped > 1 ? NULL : def.normals;
    VkskinMorphTarget targets[CAST_TARGETS];
    float *deltas = settings->morphs ? randomDeltas(making->random, def.vertexCount, 12.0f, false) : NULL;
    float *lifts = newZeroed(def.vertexCount, sizeof(float[3]));
    if (settings->morphs) {
        addTargets(deltas, lifts, &def, targets);
    }
    making->cast->vertexCounts[index] = def.vertexCount;
    keep(making, vkskinCreateMesh(making->context, &def, &making->cast->meshes[index]));
    keep(making, vkskinAddAnimationBoxes(making->cast->skin, &def, making->cast->boxes));
    free(lifts);
    free(deltas);
    randomMeshFree(&mesh);
}

VkskinResult castMake(VkskinContext context, const CastDef *def, Random *random, Cast *cast) {
    Making making = {context, def, random, cast, VKSKIN_SUCCESS};
    *cast = (Cast){.skin = NULL};
    makeClipSet(&making);
    makeSkin(&making);
    makeMesh(&making, 0);
    makeMesh(&making, 1);
    return making.result;
}

void castFree(Cast *cast) {
    vkskinDestroySkin(cast->skin);
    for (uint32_t c = 0; c < CAST_CLIPS; c++) {
        vkskinDestroyClip(cast->clips[c]);
    }
}

void castDescribe(const Cast *cast, const CastDef *settings, CastCrowdDef *made) {
    static const float weights[CAST_TARGETS] = {0.5f, -0.25f, 0.0f};
    const VkskinCrowdPart all[CAST_PARTS] = {
        {.mesh = cast->meshes[0], .indexCount = 30, .firstIndex = 6, .vertexOffset = 2},
        {.mesh = cast->meshes[0], .indexCount = 12},
        {.mesh = cast->meshes[1], .indexCount = 60, .mask = settings->whole ? 0 : CAST_MASK},
    };
    VkskinCrowdPart *parts = made->parts;
    VkskinCrowdModel *models = made->models;
    memcpy(parts, all, sizeof all);
    for (uint32_t p = 0; settings->morphs && p < CAST_PARTS; p++) {
        parts[p].morphNode = CAST_CARRIER + p / 2;
        parts[p].morphWeights = weights;
        parts[p].morphWeightCount = CAST_TARGETS;
    }
    for (uint32_t m = 0; m < CAST_MODELS; m++) {
        models[m] = vkskinDefaultCrowdModel();
        models[m].skin = cast->skin;
        models[m].parts = parts + m;
        models[m].partCount = 1 + m;
        models[m].slots = settings->slots[m];
        models[m].boxes = cast->boxes;
        models[m].method = settings->method;
        models[m].encoding = vkskinMethodEncoding(settings->method);
        models[m].levels = made->levels[m];
        models[m].levelCount = settings->levels ? CAST_LEVELS : 0;
        for (uint32_t i = 0; i < CAST_LEVELS; i++) {
            made->levels[m][i] = (VkskinCrowdLevel){.skin = cast->skin,
                                                    .parts = parts + (i + m + 1) % 3,
                                                    .partCount = 1,
                                                    .slots = settings->slots[m],
                                                    .error = 0.02f * powf(5.0f, (float)i),
                                                    .interval = 1u << i};
        }
    }
    VkskinCrowdDef *def = &made->def;
    *def = vkskinDefaultCrowdDef();
    def->name = "scene";
    def->clipSet = cast->clipSet;
    def->models = models;
    def->modelCount = CAST_MODELS;
    def->capacity = settings->capacity;
    def->morphClips = settings->morphs ? cast->clips : NULL;
    def->maxChanges = settings->maxChanges != 0 ? settings->maxChanges : def->maxChanges;
}

/* ---- Characters ---- */

static VkskinAffine randomPlace(Random *random) {
    VkskinAffine place = randomBone(random, 3.0f, randomBelow(random, 3) == 0);
    place.m[0][3] = randomFloat(random, -25.0f, 25.0f);
    place.m[1][3] = randomFloat(random, -4.0f, 4.0f);
    place.m[2][3] = randomFloat(random, -25.0f, 25.0f);
    return place;
}

static VkskinCrowdPlay randomPlay(Random *random) {
    VkskinCrowdPlay play = vkskinDefaultCrowdPlay();
    play.clip = randomBelow(random, CAST_CLIPS);
    play.start = randomBelow(random, 4) == 0 ? 1.0f : randomFloat(random, 0.0f, 1.0f);
    play.speed = randomBelow(random, 8) == 0 ? 0.0f : randomFloat(random, -3.0f, 3.0f);
    play.fade = randomBelow(random, 3) == 0 ? 0.0f : randomFloat(random, 0.0f, 0.4f);
    play.once = randomBelow(random, 3) == 0;
    return play;
}

VkskinCharacterDef castCharacter(Random *random) {
    VkskinCharacterDef def = vkskinDefaultCharacterDef();
    def.transform = randomPlace(random);
    def.model = randomBelow(random, CAST_MODELS);
    def.variation = randomWord(random);
    def.parts = def.variation >> 8;
    def.priority = def.variation % 16 == 0;
    def.play = randomPlay(random);
    def.hidden = randomBelow(random, 10) == 0;
    return def;
}

VkskinResult castChange(VkskinContext context, VkskinCrowd crowd, const VkskinCharacter *who, Random *random,
                        bool *hidden) {
    const VkskinAffine place = randomPlace(random);
    const VkskinCrowdPlay play = randomPlay(random);
    const float speed = randomFloat(random, -2.0f, 2.0f);
    const uint32_t variation = randomWord(random);
    bool hides = false;
    switch (randomBelow(random, 7)) {
    case 0:
        return vkskinMoveCharacters(context, crowd, who, 1, &place, 0,
                                    randomBelow(random, 2) == 0 ? VKSKIN_CROWD_WALK : VKSKIN_CROWD_TELEPORT);
    case 1:
    case 2:
        return vkskinPlayCharacters(context, crowd, who, 1, &play, 0);
    case 3:
        return vkskinSetCharacterSpeeds(context, crowd, who, 1, &speed, 0);
    case 4:
        hides = randomBelow(random, 4) == 0;
        *(hidden != NULL ? hidden : &hides) = hides;
        return vkskinHideCharacters(context, crowd, who, 1, hides);
    case 5:
        return vkskinSetCharacterParts(context, crowd, who, 1, &variation, 0);
    default:
        return vkskinSetCharacterVariations(context, crowd, who, 1, &variation, 0);
    }
}
