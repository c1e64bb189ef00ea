#include "population_place.h"

#include <math.h>
#include <stdlib.h>

#include "count_of.h"
#include "splitmix.h"

#define FIELD_ASPECT 1.6f  /* width to depth */
#define FIELD_SLACK  1.15f /* space per character relative to its box; leaves room for jitter */
#define FIELD_TURN   0.65f /* radians either way */
#define CLIP_SAMPLES 8
#define POSE_LARGEST 1e5f /* diagonals of the rest pose: a larger pose is a fault of the file, and gets no room */

/* The room of a clip in common space: the box of sampled poses. */
typedef struct ClipRoom {
    uint32_t clip; /* UINT32_MAX: the rest pose */
    Bounds bounds;
    float height; /* average height of a pose */
} ClipRoom;

/* A kind of character and the clips that its characters play. */
typedef struct Kind {
    uint32_t roomCount;
    ClipRoom *rooms; /* [roomCount] */
    float scale;
    bool tinted;
} Kind;

/* A character's random choices and its place. */
typedef struct Lot {
    const Kind *kind;
    const ClipRoom *room;
    float turn;      /* about Y, radians */
    float half[2];   /* half size of its rotated box, x and z, world units */
    float jitter[2]; /* -1 to 1 */
    float spot[2];   /* x and z of its box's centre */
} Lot;

void populationChooseKinds(Population *population, uint64_t seed) {
    uint64_t state = seed;
    for (uint32_t i = 0; i < population->characterCount; i++) {
        population->characters[i].model = i % population->modelCount;
    }
    for (uint32_t left = population->characterCount; left > 1; left--) {
        uint32_t other = (uint32_t)(randomNext(&state) % left);
        uint32_t kept = population->characters[left - 1].model;
        population->characters[left - 1].model = population->characters[other].model;
        population->characters[other].model = kept;
    }
}

/* rest: in the rest pose. */
static bool measureClip(const SkinnedModel *skinned, const Bounds *rest, ClipRoom *room, EngineError *error) {
    const double duration = clipSourceDuration(&skinned->source, room->clip);
    const float most = POSE_LARGEST * boundsDiagonal(rest);
    /* Without a swing in common each sample would simulate from the start. */
    MotionSwing *swing = motionSwings(skinned->motion) ? motionCreateSwing(skinned->motion) : NULL;
    bool good = true;
    room->bounds = boundsEmpty();
    room->height = 0.0f;
    for (int sample = 0; sample < CLIP_SAMPLES && good; sample++) {
        Bounds pose = boundsEmpty();
        good = skinnedModelAddBounds(skinned, room->clip, duration * sample / CLIP_SAMPLES, VKSKIN_WRAP_CLAMP, swing,
                                     NULL, &pose, error);
        pose = most > 0.0f && boundsDiagonal(&pose) > most ? *rest : pose;
        pose = boundsTransform(&pose, &skinned->modelToCommon);
        boundsAdd(&room->bounds, &pose);
        room->height += (pose.max[1] - pose.min[1]) / CLIP_SAMPLES;
    }
    motionSwingDestroy(swing);
    return good;
}

/* Whether red, green and blue differ. */
static bool isColour(const float colour[3]) {
    return colour[0] != colour[1] || colour[1] != colour[2];
}

/* Textures of colours, colours per vertex, or materials that are not grey. */
static bool hasOwnColours(const Model *model) {
    bool own = false;
    for (uint32_t i = 0; i < model->materialCount; i++) {
        const ModelMaterial *material = &model->materials[i];
        own = own || material->maps[MODEL_MAP_BASE] >= 0 || material->maps[MODEL_MAP_EMISSION] >= 0 ||
              isColour(material->baseColor) || isColour(material->emission);
    }
    for (uint32_t i = 0; i < model->meshCount; i++) {
        own = own || model->meshes[i].colours;
    }
    return own;
}

/* clip: null for clips that move; if none does, the first clip, or the rest pose. */
static void chooseClips(const SkinnedModel *skinned, const uint32_t *clip, Kind *kind) {
    if (clip) {
        kind->rooms[kind->roomCount++].clip = *clip;
        return;
    }
    for (uint32_t i = 0; i < skinned->clipCount; i++) {
        if (clipSourceDuration(&skinned->source, i) > 0.0) {
            kind->rooms[kind->roomCount++].clip = i;
        }
    }
    if (kind->roomCount == 0) {
        kind->rooms[kind->roomCount++].clip = skinned->clipCount > 0 ? 0 : UINT32_MAX;
    }
}

static bool measureKind(const Population *population, const PopulationDef *def, uint32_t index, Kind *kind,
                        EngineError *error) {
    const SkinnedModel *skinned = population->models[index];
    const bool field = def->placement == POPULATION_FIELD;
    kind->rooms = engineAllocate((size_t)skinned->clipCount + 1, sizeof(*kind->rooms), error);
    if (!kind->rooms) {
        return false;
    }
    chooseClips(skinned, def->clips ? &def->clips[index] : NULL, kind);
    kind->tinted =
        def->tint == POPULATION_TINT_ON || (def->tint == POPULATION_TINT_AUTO && !hasOwnColours(skinned->model));
    float height = 0.0f;
    Bounds rest;
    if (!skinnedModelBounds(skinned, UINT32_MAX, 0.0, VKSKIN_WRAP_CLAMP, &rest, error)) {
        return false;
    }
    for (uint32_t i = 0; i < kind->roomCount; i++) {
        if (!measureClip(skinned, &rest, &kind->rooms[i], error)) {
            return false;
        }
        if (field && !boundsCanBeDrawn(&kind->rooms[i].bounds)) {
            return engineFail(error, "the vertices of the model of mesh '%.200s' lie too far out to be drawn",
                              skinned->model->meshes[skinned->parts[0].modelMesh].name);
        }
        height += kind->rooms[i].height / (float)kind->roomCount;
    }
    kind->scale = field && height > 0.0f ? POPULATION_FIELD_HEIGHT / height : 1.0f;
    return true;
}

static void freeKinds(Kind *kinds, uint32_t count) {
    for (uint32_t i = 0; i < count && kinds; i++) {
        free(kinds[i].rooms);
    }
    free(kinds);
}

/* ---- A field: rows, filled from left to right ---- */

static Lot drawLot(const Kind *kind, uint32_t choice, uint64_t *state) {
    Lot lot = {.kind = kind, .room = &kind->rooms[choice]};
    const Bounds *box = &lot.room->bounds;
    lot.turn = FIELD_TURN * randomSigned(state);
    lot.jitter[0] = randomSigned(state);
    lot.jitter[1] = randomSigned(state);
    float x = 0.5f * kind->scale * (box->max[0] - box->min[0]);
    float z = 0.5f * kind->scale * (box->max[2] - box->min[2]);
    float c = fabsf(cosf(lot.turn));
    float s = fabsf(sinf(lot.turn));
    lot.half[0] = c * x + s * z;
    lot.half[1] = s * x + c * z;
    return lot;
}

/* Places the characters of a row side by side around x = 0. Jitter stays within each character's room. */
static void layRow(Lot *lots, uint32_t count, float centreZ, float rowDepth) {
    float width = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        width += 2.0f * lots[i].half[0] * FIELD_SLACK;
    }
    float x = -0.5f * width;
    for (uint32_t i = 0; i < count; i++) {
        float half = lots[i].half[0] * FIELD_SLACK;
        lots[i].spot[0] = x + half + lots[i].jitter[0] * (half - lots[i].half[0]);
        lots[i].spot[1] = centreZ + lots[i].jitter[1] * (0.5f * rowDepth - lots[i].half[1]);
        x += 2.0f * half;
    }
}

static void layField(Lot *lots, uint32_t count) {
    float rowDepth = 0.0f;
    float length = 0.0f; /* length of one row with all characters */
    for (uint32_t i = 0; i < count; i++) {
        rowDepth = fmaxf(rowDepth, 2.0f * lots[i].half[1]);
        length += 2.0f * lots[i].half[0] * FIELD_SLACK;
    }
    uint32_t rows = rowDepth > 0.0f ? (uint32_t)ceilf(sqrtf(length / (FIELD_ASPECT * rowDepth))) : 1;
    rows = rows < 1 ? 1 : rows > count ? count : rows;
    uint32_t first = 0;
    float passed = 0.0f;
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t end = first;
        while (end < count && (row + 1 == rows || passed < length * (float)(row + 1) / (float)rows)) {
            passed += 2.0f * lots[end++].half[0] * FIELD_SLACK;
        }
        layRow(lots + first, end - first, ((float)row - 0.5f * (float)(rows - 1)) * rowDepth, rowDepth);
        first = end;
    }
}

/* Rotates about Y and scales. The clip's box is centred on the spot, and its bottom is on the ground. */
static VkskinAffine placeLot(const Lot *lot) {
    const Bounds *box = &lot->room->bounds;
    float scale = lot->kind->scale;
    float c = scale * cosf(lot->turn);
    float s = scale * sinf(lot->turn);
    float x = 0.5f * (box->min[0] + box->max[0]);
    float z = 0.5f * (box->min[2] + box->max[2]);
    return (VkskinAffine){{{c, 0.0f, s, lot->spot[0] - c * x - s * z},
                           {0.0f, scale, 0.0f, -scale * box->min[1]},
                           {-s, 0.0f, c, lot->spot[1] + s * x - c * z}}};
}

/* One of a few colours, in one of many shades. */
static void drawTint(const Kind *kind, uint32_t kindIndex, uint64_t *state, float tint[3]) {
    static const float earths[][3] = {{1.25f, 0.72f, 0.42f},
                                      {0.85f, 0.50f, 0.32f},
                                      {1.60f, 1.15f, 0.75f},
                                      {0.62f, 0.42f, 0.32f},
                                      {1.45f, 0.90f, 0.50f}};
    static const float cloths[][3] = {{0.50f, 0.78f, 1.25f}, {1.55f, 0.62f, 0.45f}, {0.80f, 1.05f, 0.50f},
                                      {1.75f, 1.45f, 0.95f}, {0.55f, 0.95f, 0.90f}, {1.35f, 0.75f, 0.95f}};
    uint64_t number = randomNext(state);
    float shade = 1.0f + 0.15f * randomSigned(state);
    const float *colour =
        kindIndex % 2 == 0 ? earths[number % (COUNT_OF(earths))] : cloths[number % (COUNT_OF(cloths))];
    for (int channel = 0; channel < 3; channel++) {
        tint[channel] = kind->tinted ? shade * colour[channel] : 1.0f;
    }
}

static void enterCharacter(Population *population, Character *character, const Lot *lot) {
    const Bounds *box = &lot->room->bounds;
    Bounds placed = boundsTransform(box, &character->place);
    boundsAdd(&population->bounds, &placed);
    population->characterHeight = fmaxf(population->characterHeight, lot->kind->scale * lot->room->height);
}

static void placeAll(Population *population, const Kind *kinds, Lot *lots, uint64_t seed,
                     PopulationPlacement placement) {
    uint64_t state = ~seed;
    for (uint32_t i = 0; i < population->characterCount; i++) {
        Character *character = &population->characters[i];
        const SkinnedModel *skinned = population->models[character->model];
        const Kind *kind = &kinds[character->model];
        /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): chooseClips left one at least */
        uint32_t choice = (uint32_t)(randomNext(&state) % kind->roomCount);
        double share = randomShare(&state);
        lots[i] = drawLot(kind, choice, &state);
        character->clip = kind->rooms[choice].clip;
        bool moves = placement == POPULATION_FIELD && character->clip < skinned->clipCount;
        character->time = moves ? share * vkskinGetClipDuration(skinned->clips[character->clip]) : 0.0;
        drawTint(kind, character->model, &state, character->tint);
    }
    layField(lots, population->characterCount);
    for (uint32_t i = 0; i < population->characterCount; i++) {
        Character *character = &population->characters[i];
        bool field = placement == POPULATION_FIELD;
        character->place = field ? placeLot(&lots[i]) : vkskinIdentityAffine();
        character->continues = false;
        for (int channel = 0; channel < 3 && !field; channel++) {
            character->tint[channel] = 1.0f;
        }
        enterCharacter(population, character, &lots[i]);
    }
}

bool populationPlaceCharacters(Population *population, const PopulationDef *def, EngineError *error) {
    Kind *kinds = engineAllocate(population->modelCount, sizeof(*kinds), error);
    Lot *lots = engineAllocate(population->characterCount, sizeof(*lots), error);
    bool measured = kinds && lots;
    for (uint32_t i = 0; i < population->modelCount && measured; i++) {
        measured = measureKind(population, def, i, &kinds[i], error);
    }
    if (measured) {
        population->bounds = boundsEmpty();
        population->characterHeight = 0.0f;
        placeAll(population, kinds, lots, def->seed, def->placement);
    }
    freeKinds(kinds, population->modelCount);
    free(lots);
    return measured;
}
