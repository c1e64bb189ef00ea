#include "crowd_place.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_HEIGHT 1.8f   /* world units that every kind is scaled to */
#define FIELD_ASPECT 1.5f   /* columns to rows */
#define FIELD_SLACK 1.12f   /* distance of neighbours over what they need; the rest is jitter */
#define FIELD_TURN 0.7f     /* radians either way */
#define CLIP_SAMPLES 8

/* How much room a clip takes, in the kind's common space. */
typedef struct ClipRoom {
    float centre[2]; /* x and z that it moves about */
    float floor;     /* lowest y */
    float height;    /* of a pose, on average */
    float radius;    /* about the centre, over all poses */
} ClipRoom;

/* A kind of character: its clips worth playing. */
typedef struct Kind {
    uint32_t clipCount;
    uint32_t *clips;  /* [clipCount], UINT32_MAX for rest */
    ClipRoom *rooms;  /* [clipCount] */
    float scale;
} Kind;

/* splitmix64: Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators". */
static uint64_t randomNext(uint64_t *state) {
    *state += 0x9e3779b97f4a7c15u;
    uint64_t value = *state;
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
}

/* In 0 to 1, 1 excluded. */
static double randomShare(uint64_t *state) {
    return (double)(randomNext(state) >> 11) * 0x1p-53;
}

/* In -1 to 1. */
static float randomSigned(uint64_t *state) {
    return (float)(2.0 * randomShare(state) - 1.0);
}

void crowdChooseKinds(Crowd *crowd, uint64_t seed) {
    uint64_t state = seed;
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        crowd->members[i].character = i % crowd->characterCount;
    }
    for (uint32_t i = crowd->memberCount - 1; i > 0; i--) {
        uint32_t other = (uint32_t)(randomNext(&state) % (i + 1));
        uint32_t kept = crowd->members[i].character;
        crowd->members[i].character = crowd->members[other].character;
        crowd->members[other].character = kept;
    }
}

static bool measureClip(const Character *character, uint32_t clip, ClipRoom *room, EngineError *error) {
    VkskinClip handle = clip < character->clipCount ? character->clips[clip] : NULL;
    double duration = handle ? vkskinClipDuration(handle) : 0.0;
    Bounds all = boundsEmpty();
    memset(room, 0, sizeof(*room));
    for (int sample = 0; sample < CLIP_SAMPLES; sample++) {
        Bounds pose;
        if (!characterBounds(character, handle, duration * sample / CLIP_SAMPLES, VKSKIN_WRAP_CLAMP, &pose, error)) {
            return false;
        }
        pose = boundsTransform(&pose, &character->modelToCommon);
        boundsAdd(&all, &pose);
        room->height += (pose.max[1] - pose.min[1]) / CLIP_SAMPLES;
    }
    room->centre[0] = 0.5f * (all.min[0] + all.max[0]);
    room->centre[1] = 0.5f * (all.min[2] + all.max[2]);
    room->floor = all.min[1];
    room->radius = 0.5f * hypotf(all.max[0] - all.min[0], all.max[2] - all.min[2]);
    return true;
}

/* Clips that move; where there is none, the first, or the pose at rest. */
static void chooseClips(const Character *character, Kind *kind) {
    for (uint32_t clip = 0; clip < character->clipCount; clip++) {
        if (vkskinClipDuration(character->clips[clip]) > 0.0f) {
            kind->clips[kind->clipCount++] = clip;
        }
    }
    if (kind->clipCount == 0) {
        kind->clips[kind->clipCount++] = character->clipCount > 0 ? 0 : UINT32_MAX;
    }
}

static bool measureKind(const Character *character, CrowdPlacement placement, Kind *kind, EngineError *error) {
    kind->clips = calloc(character->clipCount + 1, sizeof(*kind->clips));
    kind->rooms = calloc(character->clipCount + 1, sizeof(*kind->rooms));
    if (!kind->clips || !kind->rooms) {
        return engineFail(error, "out of memory");
    }
    chooseClips(character, kind);
    float height = 0.0f;
    for (uint32_t i = 0; i < kind->clipCount; i++) {
        if (!measureClip(character, kind->clips[i], &kind->rooms[i], error)) {
            return false;
        }
        height += kind->rooms[i].height / (float)kind->clipCount;
    }
    kind->scale = placement == CROWD_FIELD && height > 0.0f ? FIELD_HEIGHT / height : 1.0f;
    return true;
}

static void freeKinds(Kind *kinds, uint32_t count) {
    for (uint32_t i = 0; i < count && kinds; i++) {
        free(kinds[i].clips);
        free(kinds[i].rooms);
    }
    free(kinds);
}

/* Distance that keeps any two members apart, whichever way they face. */
static float fieldSpacing(const Kind *kinds, uint32_t count) {
    float widest = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t clip = 0; clip < kinds[i].clipCount; clip++) {
            widest = fmaxf(widest, kinds[i].scale * kinds[i].rooms[clip].radius);
        }
    }
    return fmaxf(2.0f * widest * FIELD_SLACK, 0.1f);
}

/* Every second row stands half a column aside, as people do who want to see something. */
static void fieldSpot(uint32_t index, uint32_t columns, uint32_t rows, float spacing, uint64_t *state, float spot[2]) {
    float jitter = 0.5f * spacing * (1.0f - 1.0f / FIELD_SLACK);
    uint32_t row = index / columns;
    float column = (float)(index % columns) + ((row & 1) ? 0.25f : -0.25f);
    spot[0] = (column - 0.5f * (float)(columns - 1)) * spacing + jitter * randomSigned(state);
    spot[1] = ((float)row - 0.5f * (float)(rows - 1)) * spacing + jitter * randomSigned(state);
}

/* Turned about Y, scaled, the clip's centre on the spot and its floor on the ground. */
static VkskinAffine placeAt(const float spot[2], float turn, float scale, const ClipRoom *room) {
    float c = scale * cosf(turn);
    float s = scale * sinf(turn);
    float x = room->centre[0];
    float z = room->centre[1];
    return (VkskinAffine){{{c, 0.0f, s, spot[0] - c * x - s * z},
                           {0.0f, scale, 0.0f, -scale * room->floor},
                           {-s, 0.0f, c, spot[1] + s * x - c * z}}};
}

static void addRoom(Crowd *crowd, const VkskinAffine *place, float scale, const ClipRoom *room) {
    for (int side = -1; side <= 1; side += 2) {
        float height = side < 0 ? room->floor : room->floor + room->height;
        float corner[3];
        for (int row = 0; row < 3; row++) {
            const float *m = place->m[row];
            corner[row] = m[0] * room->centre[0] + m[1] * height + m[2] * room->centre[1] + m[3];
        }
        corner[0] += (float)side * scale * room->radius;
        corner[2] += (float)side * scale * room->radius;
        boundsAddPoint(&crowd->bounds, corner);
    }
    crowd->memberHeight = fmaxf(crowd->memberHeight, scale * room->height);
}

static void placeAll(Crowd *crowd, const Kind *kinds, uint64_t seed, CrowdPlacement placement) {
    uint64_t state = ~seed;
    float spacing = fieldSpacing(kinds, crowd->characterCount);
    uint32_t columns = (uint32_t)ceilf(sqrtf((float)crowd->memberCount * FIELD_ASPECT));
    uint32_t rows = (crowd->memberCount + columns - 1) / columns;
    for (uint32_t i = 0; i < crowd->memberCount; i++) {
        CrowdMember *member = &crowd->members[i];
        const Kind *kind = &kinds[member->character];
        uint32_t choice = (uint32_t)(randomNext(&state) % kind->clipCount);
        const ClipRoom *room = &kind->rooms[choice];
        member->clip = kind->clips[choice];
        const Character *character = crowd->characters[member->character];
        double duration = member->clip < character->clipCount ? vkskinClipDuration(character->clips[member->clip]) : 0;
        double share = randomShare(&state);
        float spot[2];
        fieldSpot(i, columns, rows, spacing, &state, spot);
        float turn = FIELD_TURN * randomSigned(&state);
        float shade = 0.08f * randomSigned(&state);
        for (int channel = 0; channel < 3; channel++) {
            member->tint[channel] = 0.95f + shade + 0.1f * randomSigned(&state);
        }
        if (placement == CROWD_ORIGIN) {
            member->place = vkskinIdentityAffine();
            member->time = 0.0;
            member->tint[0] = member->tint[1] = member->tint[2] = 1.0f;
        } else {
            member->place = placeAt(spot, turn, kind->scale, room);
            member->time = share * duration;
        }
        addRoom(crowd, &member->place, kind->scale, room);
    }
}

bool crowdPlaceMembers(Crowd *crowd, uint64_t seed, CrowdPlacement placement, EngineError *error) {
    Kind *kinds = calloc(crowd->characterCount, sizeof(*kinds));
    bool measured = kinds || engineFail(error, "out of memory");
    for (uint32_t i = 0; i < crowd->characterCount && measured; i++) {
        measured = measureKind(crowd->characters[i], placement, &kinds[i], error);
    }
    if (measured) {
        crowd->bounds = boundsEmpty();
        crowd->memberHeight = 0.0f;
        placeAll(crowd, kinds, seed, placement);
    }
    freeKinds(kinds, crowd->characterCount);
    return measured;
}
