/* Poses of the reference: sampled tracks, hierarchy, bone matrices. */
#include "reference.h"

#include "random.h"

#include <math.h>
#include <stdlib.h>

typedef struct Pose {
    double translation[3];
    double rotation[4];
    double scale[3];
} Pose;

static uint32_t channelSize(const VkskinTrack *track) {
    return track->channel == VKSKIN_CHANNEL_ROTATION ? 4 : 3;
}

/* ---- One track ---- */

/* The last key at or before `time`, or -1. */
static int64_t keyBefore(const VkskinTrack *track, double time) {
    int64_t key = -1;
    for (uint32_t i = 0; i < track->keyCount; i++) {
        if (track->times[i] <= time) {
            key = i;
        }
    }
    return key;
}

/* A component of a key. offset: 0 value; of cubic keys -1 in-tangent, 1 out-tangent; of Bezier keys -2 and -1 time and
 * value of the in-handle, 1 and 2 of the out-handle. */
static double keyPart(const VkskinTrack *track, int64_t key, int offset, uint32_t component) {
    int64_t row = track->interpolation == VKSKIN_INTERPOLATION_CUBIC    ? 3 * key + 1
                  : track->interpolation == VKSKIN_INTERPOLATION_BEZIER ? 5 * key + 2
                                                                        : key;
    return track->values[(row + offset) * channelSize(track) + component];
}

static double keyValue(const VkskinTrack *track, int64_t key, uint32_t component) {
    return keyPart(track, key, 0, component);
}

static void slerp(const double *a, const double *b, double t, double *out) {
    double dot = 0.0, sign = 1.0;
    for (int i = 0; i < 4; i++) {
        dot += a[i] * b[i];
    }
    if (dot < 0.0) {
        sign = -1.0;
        dot = -dot;
    }
    double angle = acos(dot < 1.0 ? dot : 1.0);
    double wa = 1.0 - t, wb = t;
    if (angle > 1e-7) {
        wa = sin((1.0 - t) * angle) / sin(angle);
        wb = sin(t * angle) / sin(angle);
    }
    for (int i = 0; i < 4; i++) {
        out[i] = wa * a[i] + sign * wb * b[i];
    }
}

static void sampleTurn(const VkskinTrack *track, int64_t key, double t, double *out) {
    double a[4], b[4];
    for (uint32_t i = 0; i < 4; i++) {
        a[i] = keyValue(track, key, i);
        b[i] = keyValue(track, key + 1, i);
    }
    referenceNormalise(a, 4);
    referenceNormalise(b, 4);
    slerp(a, b, t, out);
}

static double sampleLinear(const VkskinTrack *track, int64_t key, double t, uint32_t component) {
    double a = keyValue(track, key, component);
    return a + (keyValue(track, key + 1, component) - a) * t;
}

/* As glTF 2.0, appendix C.5. */
static double sampleCubic(const VkskinTrack *track, int64_t key, double t, double span, uint32_t component) {
    double t2 = t * t, t3 = t2 * t;
    return (2 * t3 - 3 * t2 + 1) * keyValue(track, key, component) +
           span * (t3 - 2 * t2 + t) * keyPart(track, key, 1, component) +
           (-2 * t3 + 3 * t2) * keyValue(track, key + 1, component) +
           span * (t3 - t2) * keyPart(track, key + 1, -1, component);
}

/* De Casteljau's way to a point of a cubic Bezier curve. */
static double casteljau(double a, double b, double c, double d, double s) {
    double points[4] = {a, b, c, d};
    for (int left = 3; left > 0; left--) {
        for (int i = 0; i < left; i++) {
            points[i] += (points[i + 1] - points[i]) * s;
        }
    }
    return points[0];
}

/* Time never runs backwards along the curve: halving the parameter's range 200 times ends at the last bit. */
static double sampleBezier(const VkskinTrack *track, int64_t key, double since, double span, uint32_t component) {
    double outTime = fmax(keyPart(track, key, 1, component), 0.0);
    double inTime = fmax(-keyPart(track, key + 1, -2, component), 0.0);
    double outSize = outTime > span ? span / outTime : 1.0, inSize = inTime > span ? span / inTime : 1.0;
    double from = keyValue(track, key, component), to = keyValue(track, key + 1, component);
    double low = 0.0, high = 1.0;
    for (int i = 0; i < 200; i++) {
        double middle = 0.5 * (low + high);
        bool early = casteljau(0.0, outTime * outSize, span - inTime * inSize, span, middle) < since;
        low = early ? middle : low;
        high = early ? high : middle;
    }
    return casteljau(from, from + outSize * keyPart(track, key, 2, component),
                     to + inSize * keyPart(track, key + 1, -1, component), to, high);
}

/* `since`: seconds after the key; there is a later key. */
static void sampleBetween(const VkskinTrack *track, int64_t key, double since, double *out) {
    double span = (double)track->times[key + 1] - track->times[key];
    if (track->channel == VKSKIN_CHANNEL_ROTATION && track->interpolation == VKSKIN_INTERPOLATION_LINEAR) {
        sampleTurn(track, key, since / span, out);
        return;
    }
    for (uint32_t i = 0; i < channelSize(track); i++) {
        out[i] = track->interpolation == VKSKIN_INTERPOLATION_BEZIER  ? sampleBezier(track, key, since, span, i)
                 : track->interpolation == VKSKIN_INTERPOLATION_CUBIC ? sampleCubic(track, key, since / span, span, i)
                                                                      : sampleLinear(track, key, since / span, i);
    }
}

/* out: [channelSize]. */
static void sampleTrack(const VkskinTrack *track, double time, double *out) {
    int64_t key = keyBefore(track, time);
    bool last = key == (int64_t)track->keyCount - 1;
    if (key >= 0 && !last && track->interpolation != VKSKIN_INTERPOLATION_STEP) {
        sampleBetween(track, key, time - track->times[key], out);
        return;
    }
    for (uint32_t i = 0; i < channelSize(track); i++) {
        out[i] = keyValue(track, key < 0 ? 0 : key, i);
    }
}

/* ---- A model ---- */

static double wrapTime(double time, double duration, VkskinWrap wrap) {
    if (wrap == VKSKIN_WRAP_LOOP) {
        return duration > 0.0 ? time - duration * floor(time / duration) : 0.0;
    }
    return time < 0.0 ? 0.0 : time > duration ? duration : time;
}

static Pose *newRestPose(const Model *model) {
    Pose *pose = newZeroed(model->nodeCount, sizeof *pose);
    for (uint32_t n = 0; n < model->nodeCount; n++) {
        const VkskinTransform *rest = &model->nodes[n].rest;
        for (int i = 0; i < 3; i++) {
            pose[n].translation[i] = rest->translation[i];
            pose[n].scale[i] = rest->scale[i];
        }
        for (int i = 0; i < 4; i++) {
            pose[n].rotation[i] = rest->rotation[i];
        }
    }
    return pose;
}

static void applyClip(const ModelClip *clip, double time, Pose *pose) {
    for (uint32_t i = 0; i < clip->trackCount; i++) {
        const VkskinTrack *track = &clip->tracks[i];
        if (track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
            continue;
        }
        Pose *node = &pose[track->node];
        double *channels[] = {node->translation, node->rotation, node->scale};
        sampleTrack(track, time, channels[track->channel]);
    }
}

ReferenceMatrix *newReferenceWorld(const Model *model, int32_t clip, double time, VkskinWrap wrap) {
    Pose *pose = newRestPose(model);
    if (clip >= 0) {
        applyClip(&model->clips[clip], wrapTime(time, model->clips[clip].duration, wrap), pose);
    }
    ReferenceMatrix *world = newZeroed(model->nodeCount, sizeof *world);
    for (uint32_t n = 0; n < model->nodeCount; n++) {
        ReferenceMatrix pre = referenceFromAffine(&model->nodes[n].preTransform);
        ReferenceMatrix own = referenceCompose(pose[n].translation, pose[n].rotation, pose[n].scale);
        ReferenceMatrix local = referenceMultiply(&pre, &own);
        int32_t parent = model->nodes[n].parent;
        world[n] = parent < 0 ? local : referenceMultiply(&world[parent], &local);
    }
    free(pose);
    return world;
}

ReferenceMatrix *newReferenceBones(const Model *model, uint32_t part, const ReferenceMatrix *world) {
    const ModelSkin *skin = &model->skins[model->parts[part].skin];
    ReferenceMatrix *rest = newReferenceWorld(model, -1, 0.0, VKSKIN_WRAP_CLAMP);
    ReferenceMatrix toMesh = referenceInvert(&rest[model->parts[part].node]);
    free(rest);
    ReferenceMatrix *bones = newZeroed(skin->boneCount, sizeof *bones);
    for (uint32_t b = 0; b < skin->boneCount; b++) {
        ReferenceMatrix bind = referenceFromAffine(&skin->inverseBinds[b]);
        bones[b] = referenceMultiply(&world[skin->boneNodes[b]], &bind);
        bones[b] = referenceMultiply(&toMesh, &bones[b]);
    }
    return bones;
}
