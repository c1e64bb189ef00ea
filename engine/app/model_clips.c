#include "model_clips.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_pose.h"
#include "name_list.h"
#include "rest_pose.h"

/* ---- Nodes ---- */

static bool isCarrier(const Model *model, uint32_t node) {
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].carrier == node) {
            return true;
        }
    }
    return false;
}

static uint32_t targetsAt(const Model *model, uint32_t node) {
    uint32_t targets = 0;
    for (uint32_t i = 0; i < model->partCount; i++) {
        if (model->parts[i].carrier == node) {
            const uint32_t own = model->meshes[model->parts[i].mesh].morphCount;
            targets = own > targets ? own : targets;
        }
    }
    return targets;
}

/* The node that a track named `name` moves; nodeCount: none. */
static uint32_t findNode(const Model *model, const char *name, const VkskinTrack *track) {
    bool weights = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS;
    uint32_t found = model->nodeCount;
    for (uint32_t i = 0; i < model->nodeCount; i++) {
        if (strcmp(model->nodes[i].name, name) != 0 || (weights && targetsAt(model, i) != track->weightCount)) {
            continue;
        }
        if (weights || !isCarrier(model, i)) {
            return i;
        }
        found = found < model->nodeCount ? found : i;
    }
    return found;
}

/* ---- Conversion to the model's up axis and unit ---- */

#define SAME_SCALE 1e-3f /* largest relative difference of scales that count as equal */

/*
 * Bones keep their own axes. So only the node where the animation begins is turned, and lengths are scaled: those of the
 * nodes below it too.
 */
typedef struct Conversion {
    VkskinTransform turn; /* rotation of the node where the animation begins; scale of all lengths */
    bool possible;
} Conversion;

static VkskinAffine localAtRest(const ModelNode *node) {
    const VkskinAffine transform = vkskinAffineFromTransform(&node->rest);
    return vkskinMultiplyAffine(&node->preTransform, &transform);
}

/* The world matrix at rest of the parent of `node`. */
static VkskinAffine parentAtRest(const Model *model, uint32_t node) {
    VkskinAffine world = vkskinIdentityAffine();
    for (int32_t i = model->nodes[node].parent; i >= 0; i = model->nodes[i].parent) {
        const VkskinAffine local = localAtRest(&model->nodes[i]);
        world = vkskinMultiplyAffine(&local, &world);
    }
    return world;
}

static bool otherUnit(const Model *model, const Model *from) {
    return from->metres > 0.0f && model->metres > 0.0f && from->metres != model->metres;
}

/* Turns and scales directions of one model to those of the other. */
static VkskinAffine toSpace(const Model *model, const Model *from) {
    const VkskinAffine up = modelUpToY(from->up), modelUp = modelUpToY(model->up);
    const float scale = otherUnit(model, from) ? from->metres / model->metres : 1.0f;
    VkskinAffine fromY;
    (void)vkskinInvertAffine(&modelUp, &fromY); /* cannot fail: the matrix is a rotation */
    VkskinAffine space = vkskinMultiplyAffine(&fromY, &up);
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            space.m[r][c] *= scale;
        }
    }
    return space;
}

/* For an animation that begins at `fromNode`, which moves `node` of the model. */
static Conversion findConversion(const Model *model, uint32_t node, const Model *from, uint32_t fromNode) {
    Conversion conversion = {.possible = false};
    const VkskinAffine space = toSpace(model, from), parent = parentAtRest(model, node);
    const VkskinAffine fromParent = parentAtRest(from, fromNode);
    VkskinAffine inverse;
    if (vkskinInvertAffine(&parent, &inverse) < 0) {
        return conversion;
    }
    const VkskinAffine before = vkskinMultiplyAffine(&space, &fromParent);
    VkskinAffine turn = vkskinMultiplyAffine(&inverse, &before);
    turn.m[0][3] = turn.m[1][3] = turn.m[2][3] = 0.0f;
    const bool split = restSplit(&turn, &conversion.turn);
    const float *scale = conversion.turn.scale;
    conversion.possible = split && scale[0] > 0.0f && fabsf(scale[1] - scale[0]) <= SAME_SCALE * scale[0] &&
                          fabsf(scale[2] - scale[0]) <= SAME_SCALE * scale[0];
    return conversion;
}

static void turnVector(const Conversion *conversion, float v[3]) {
    const float *q = conversion->turn.rotation;
    const float t[3] = {2.0f * (q[1] * v[2] - q[2] * v[1]), 2.0f * (q[2] * v[0] - q[0] * v[2]),
                        2.0f * (q[0] * v[1] - q[1] * v[0])};
    const float turned[3] = {v[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1],
                             v[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2],
                             v[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0]};
    memcpy(v, turned, sizeof turned);
}

static void turnRotation(const Conversion *conversion, float q[4]) {
    const float *a = conversion->turn.rotation;
    const float turned[4] = {
        a[3] * q[0] + a[0] * q[3] + a[1] * q[2] - a[2] * q[1], a[3] * q[1] + a[1] * q[3] + a[2] * q[0] - a[0] * q[2],
        a[3] * q[2] + a[2] * q[3] + a[0] * q[1] - a[1] * q[0], a[3] * q[3] - a[0] * q[0] - a[1] * q[1] - a[2] * q[2]};
    memcpy(q, turned, sizeof turned);
}

/* Times of handles, which no conversion changes. */
static bool isHandleTime(const VkskinTrack *track, size_t part) {
    return track->interpolation == VKSKIN_INTERPOLATION_BEZIER && (part == 0 || part == 3);
}

/* A turn mixes components. It may: their curves run through time alike. */
static bool mayTurn(const VkskinTrack *track) {
    const uint32_t width = track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    const size_t parts = vkskinInterpolationParts(track->interpolation);
    bool alike = true;
    for (size_t i = 0; i < track->keyCount * parts; i++) {
        const float *value = track->values + i * width;
        for (uint32_t component = 1; isHandleTime(track, i % parts) && component < width; component++) {
            alike = alike && value[component] == value[0];
        }
    }
    return alike;
}

/* first: the animation begins at the track's node. Tangents and handles are converted as values are: all are linear. */
static void convertTrack(const Conversion *conversion, bool first, VkskinTrack *track) {
    const uint32_t width = track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
    const size_t parts = vkskinInterpolationParts(track->interpolation);
    float *values = (float *)track->values; /* the model owns them */
    for (size_t i = 0; i < track->keyCount * parts; i++) {
        if (isHandleTime(track, i % parts)) {
            continue;
        }
        float *value = values + i * width;
        if (track->channel == VKSKIN_CHANNEL_ROTATION && first) {
            turnRotation(conversion, value);
        } else if (track->channel == VKSKIN_CHANNEL_TRANSLATION) {
            for (int axis = 0; axis < 3; axis++) {
                value[axis] *= conversion->turn.scale[0];
            }
            if (first) {
                turnVector(conversion, value);
            }
        }
    }
}

static bool isAnimated(const Model *model, const Model *from, const ModelClip *clip, uint32_t node) {
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        const VkskinTrack *track = &clip->tracks[t];
        if (track->node == node && track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS &&
            findNode(model, from->nodes[node].name, track) < model->nodeCount) {
            return true;
        }
    }
    return false;
}

/* The node where the animation of `node` begins: the highest one above it that the clip moves, or itself. */
static uint32_t findFirst(const Model *model, const Model *from, const ModelClip *clip, uint32_t node) {
    uint32_t first = node;
    for (int32_t i = from->nodes[node].parent; i >= 0; i = from->nodes[i].parent) {
        first = isAnimated(model, from, clip, (uint32_t)i) ? (uint32_t)i : first;
    }
    return first;
}

/* Before the tracks get their new nodes. False: a track stays as it is, because no turn and scale converts it. */
static bool convertClip(const Model *model, const Model *from, ModelClip *clip) {
    if (from->up == model->up && !otherUnit(model, from)) {
        return true;
    }
    bool converted = true;
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        VkskinTrack *track = &clip->tracks[t];
        if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ||
            findNode(model, from->nodes[track->node].name, track) == model->nodeCount) {
            continue;
        }
        const uint32_t first = findFirst(model, from, clip, track->node);
        const uint32_t node = findNode(model, from->nodes[first].name, track);
        Conversion conversion = findConversion(model, node, from, first);
        conversion.possible = conversion.possible && (first != track->node || mayTurn(track));
        if (conversion.possible) {
            convertTrack(&conversion, first == track->node, track);
        }
        converted = converted && conversion.possible;
    }
    return converted;
}

/* ---- Clips ---- */

/* Keeps the tracks with a node in the model. Returns their number. */
static uint32_t bindClip(const Model *model, const Model *from, ModelClip *clip, NameList *unknown, bool *good) {
    uint32_t kept = 0;
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        VkskinTrack track = clip->tracks[t];
        const char *name = from->nodes[track.node].name;
        track.node = findNode(model, name, &track);
        if (track.node < model->nodeCount) {
            clip->tracks[t] = clip->tracks[kept];
            clip->tracks[kept++] = track;
        } else {
            *good = nameListAdd(unknown, name) && *good;
        }
    }
    for (uint32_t t = kept; t < clip->trackCount; t++) {
        free((void *)clip->tracks[t].times);
        free((void *)clip->tracks[t].values);
    }
    clip->trackCount = kept;
    return kept;
}

static bool warnOfClips(Model *model, const Model *from, const char *file, const NameList *unknown, bool converted) {
    char names[320];
    bool good = true;
    for (uint32_t i = 0; i < from->warningCount; i++) {
        good = modelWarn(model, "%.200s: %s", file, from->warnings[i].text) && good;
    }
    if (unknown->count > 0) {
        nameListFormat(names, sizeof names, unknown);
        good = modelWarn(model, "%.80s moves nodes that the model does not have: %s", file, names) && good;
    }
    if (!converted) {
        good =
            modelWarn(model,
                      "%.200s has another up axis or unit than the model, and scales its nodes differently: its clips "
                      "are used as they are",
                      file) &&
            good;
    }
    return good;
}

bool modelTakeClips(Model *model, Model *from, const char *path, const char *file, EngineError *error) {
    NameList unknown = {0};
    uint32_t bound = 0;
    bool good = true, converted = true;
    if (from->clipCount == 0) {
        return engineFail(error, "%s: no clips", file);
    }
    ModelClip *clips = realloc(model->clips, ((size_t)model->clipCount + from->clipCount) * sizeof *clips);
    if (!clips) {
        return engineFail(error, "out of memory");
    }
    model->clips = clips;
    for (uint32_t i = 0; i < from->clipCount; i++) {
        converted = convertClip(model, from, &from->clips[i]) && converted;
        bound += bindClip(model, from, &from->clips[i], &unknown, &good);
        clips[model->clipCount++] = from->clips[i];
    }
    from->clipCount = 0; /* the model owns them */
    good = good && warnOfClips(model, from, file, &unknown, converted);
    free(unknown.names);
    if (!good) {
        return engineFail(error, "out of memory");
    }
    return bound > 0 || engineFail(error, "%s: none of its animated nodes is in %s", file, path);
}
