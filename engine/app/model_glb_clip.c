/* model_glb_clip.c: the clips of a model in a .glb file. Keys of the model stay keys; other curves become straight lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_glb.h"
#include "vkskin/vkskin_pose.h"

#define CURVE_TOLERANCE 2e-6              /* relative to the largest value of the track */
#define CURVE_DEPTH_MIN 2                 /* an S-curve crosses its chord in the middle */
#define CURVE_DEPTH_MAX 20                /* halvings between two keys: a curve may be steep at one point */
#define CURVE_KEYS_MAX  ((size_t)1 << 18) /* keys of a track that lines may need */

static const uint32_t CHANNEL_WIDTHS[] = {3, 4, 3};
static const char *const CHANNEL_NAMES[] = {"translation", "rotation", "scale", "weights"};
static const char *const INTERPOLATION_NAMES[] = {"LINEAR", "STEP", "CUBICSPLINE"}; /* as VkskinInterpolation */

/* ---- Keys ---- */

/* The keys of a track on their way into the file. */
typedef struct Keys {
    float *times, *values; /* [count], [count][parts][width] */
    size_t count, room;
    uint32_t width, parts; /* parts: 3 with tangents, else 1 */
} Keys;

static bool resize(float **array, size_t count) {
    float *larger = realloc(*array, count * sizeof *larger);
    if (!larger) {
        return false;
    }
    *array = larger;
    return true;
}

/* value: [parts][width]; null: zeros. False: out of memory. */
static bool addKey(Keys *keys, float time, const float *value) {
    const size_t floats = (size_t)keys->width * keys->parts;
    if (keys->count == keys->room) {
        const size_t room = 2 * keys->room + 16;
        if (!resize(&keys->times, room) || !resize(&keys->values, room * floats)) {
            return false;
        }
        keys->room = room;
    }
    keys->times[keys->count] = time;
    for (size_t i = 0; i < floats; i++) {
        keys->values[floats * keys->count + i] = value ? value[i] : 0.0f;
    }
    keys->count++;
    return true;
}

/* ---- One track as the library plays it ---- */

typedef struct Course {
    VkskinSkeleton skeleton; /* has one node */
    VkskinClip clip;         /* with the track alone, for that node */
    VkskinChannel channel;
    Keys *keys;              /* keys of the lines */
    float *spare;            /* [CURVE_DEPTH_MAX + 2][width] */
    double tolerance, error; /* error: the largest distance between a curve and its lines */
} Course;

static bool sample(const Course *course, double time, float *value) {
    VkskinTransform pose;
    if (course->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        return vkskinSampleMorphWeights(course->clip, 0, time, VKSKIN_WRAP_CLAMP, value, course->keys->width) >= 0;
    }
    const float *channels[] = {pose.translation, pose.rotation, pose.scale};
    const bool good = vkskinSampleClip(course->skeleton, course->clip, time, VKSKIN_WRAP_CLAMP, &pose) >= 0;
    for (uint32_t i = 0; i < course->keys->width && good; i++) {
        value[i] = channels[course->channel][i];
    }
    return good;
}

/* The distance between the middle of a line and the curve there. Of unit quaternions the middle is the normalised mean. */
static double distanceInMiddle(const Course *course, const float *from, const float *to, const float *curve) {
    double scale = 0.5, sign = 1.0, squares = 0.0, most = 0.0;
    if (course->channel == VKSKIN_CHANNEL_ROTATION) {
        double turn = 0.0, side = 0.0;
        for (int i = 0; i < 4; i++) {
            turn += (double)from[i] * to[i];
        }
        sign = turn < 0.0 ? -1.0 : 1.0;
        for (int i = 0; i < 4; i++) {
            const double sum = from[i] + sign * to[i];
            squares += sum * sum;
            side += sum * curve[i];
        }
        scale = (side < 0.0 ? -1.0 : 1.0) / sqrt(squares);
    }
    for (uint32_t i = 0; i < course->keys->width; i++) {
        most = fmax(most, fabs(scale * (from[i] + sign * to[i]) - curve[i]));
    }
    return most;
}

/* Adds keys between the last one and the one at `end`, which is not added. to: the value there. */
static bool divide(Course *course, float end, const float *to, int depth) {
    Keys *keys = course->keys;
    const float begin = keys->times[keys->count - 1], middle = (float)(0.5 * ((double)begin + end));
    float *curve = course->spare + (size_t)keys->width * (size_t)depth;
    if (middle <= begin || middle >= end || !sample(course, middle, curve)) {
        return true;
    }
    const double distance = distanceInMiddle(course, keys->values + keys->width * (keys->count - 1), to, curve);
    if (depth >= CURVE_DEPTH_MAX || keys->count >= CURVE_KEYS_MAX ||
        (depth >= CURVE_DEPTH_MIN && distance <= course->tolerance)) {
        course->error = fmax(course->error, distance);
        return true;
    }
    return divide(course, middle, curve, depth + 1) && addKey(keys, middle, curve) &&
           divide(course, end, to, depth + 1);
}

/* ---- Tracks ---- */

/* Whether the file says the same with the same keys: times within the clip and ascending, and unit quaternions. */
static bool isPlain(const VkskinTrack *track, double duration) {
    const float *times = track->times;
    bool plain = track->interpolation == VKSKIN_INTERPOLATION_CUBIC && times[0] >= 0.0f &&
                 (double)times[track->keyCount - 1] <= duration && duration > 0.0;
    for (uint32_t k = 0; k < track->keyCount && plain; k++) {
        plain = k == 0 || times[k] > times[k - 1];
        if (plain && track->channel == VKSKIN_CHANNEL_ROTATION) {
            const float *q = track->values + 12 * (size_t)k + 4;
            const double squares =
                (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] + (double)q[3] * q[3];
            plain = fabs(squares - 1.0) < 1e-6;
        }
    }
    return plain;
}

static bool copyKeys(const VkskinTrack *track, Keys *keys) {
    uint32_t k = 0;
    while (k < track->keyCount &&
           addKey(keys, track->times[k], track->values + (size_t)k * keys->width * keys->parts)) {
        k++;
    }
    return k == track->keyCount;
}

static float clamped(float time, double duration) {
    return fminf(fmaxf(time, 0.0f), (float)duration);
}

/*
 * The keys of a track at its times, and between them where its curve is not a line. Where several keys have one time, the
 * value jumps: the first of them moves to the number before that time.
 */
static bool sampleKeys(Course *course, const VkskinTrack *track, double duration) {
    const bool curved =
        track->interpolation == VKSKIN_INTERPOLATION_CUBIC || track->interpolation == VKSKIN_INTERPOLATION_BEZIER;
    Keys *keys = course->keys;
    float *to = course->spare + (size_t)keys->width * (CURVE_DEPTH_MAX + 1);
    bool good = true;
    for (uint32_t k = 0; k < track->keyCount && good; k++) {
        const float time = clamped(track->times[k], duration);
        const float last = keys->count > 0 ? keys->times[keys->count - 1] : -1.0f;
        const bool jumps = k + 1 < track->keyCount && track->times[k + 1] == track->times[k];
        const float at = jumps ? nextafterf(time, -1.0f) : time;
        if (at >= 0.0f && at > last) {
            good = sample(course, at, to) && (!curved || keys->count == 0 || divide(course, at, to, 0)) &&
                   addKey(keys, at, to);
        }
    }
    return good;
}

static bool beginCourse(Course *course, const VkskinTrack *track, double duration) {
    VkskinTrack alone = *track;
    VkskinClipDef def = vkskinDefaultClipDef();
    const size_t width = course->keys->width, parts = vkskinInterpolationParts(track->interpolation);
    const float *values = track->values + parts / 2 * width;
    double most = 0.0;
    for (size_t i = 0; i < track->keyCount * width; i++) {
        most = fmax(most, fabs((double)values[i / width * parts * width + i % width]));
    }
    course->tolerance = CURVE_TOLERANCE * (track->channel == VKSKIN_CHANNEL_ROTATION ? 1.0 : most);
    course->spare = calloc(CURVE_DEPTH_MAX + 2, width * sizeof *course->spare);
    alone.node = 0;
    def.nodeCount = 1;
    def.duration = (float)duration;
    def.trackCount = 1;
    def.tracks = &alone;
    return course->spare && vkskinCreateClip(&def, &course->clip) >= 0;
}

/* Fills the keys as the file has them. Receives their interpolation in it. */
static bool fillKeys(ModelGlb *out, VkskinSkeleton skeleton, const VkskinTrack *track, double duration, Keys *keys,
                     VkskinInterpolation *interpolation) {
    Course course = {.skeleton = skeleton, .channel = track->channel, .keys = keys};
    if (isPlain(track, duration)) {
        keys->parts = 3;
        *interpolation = VKSKIN_INTERPOLATION_CUBIC;
        return copyKeys(track, keys);
    }
    const bool steps = track->interpolation == VKSKIN_INTERPOLATION_STEP;
    const bool good = beginCourse(&course, track, duration) && sampleKeys(&course, track, duration);
    *interpolation = steps ? VKSKIN_INTERPOLATION_STEP : VKSKIN_INTERPOLATION_LINEAR;
    vkskinDestroyClip(course.clip);
    free(course.spare);
    out->losses.resampled += track->interpolation >= VKSKIN_INTERPOLATION_CUBIC;
    out->losses.curveError = fmax(out->losses.curveError, course.error);
    return good;
}

/* ---- Channels ---- */

/* A clip while it is written. */
typedef struct Animation {
    cJSON *channels, *samplers;
    uint64_t samplerCount;
    uint64_t view;  /* holds all numbers of the clip */
    Keys last;      /* times of the channel before; owned */
    uint64_t input; /* their accessor */
    float until;    /* the last track that is to hold up to here; below 0: none */
    VkskinSkeleton skeleton;
} Animation;

/* Tracks of a clip often have the same times: they share the accessor of the one before. Takes over keys->times. */
static void addInput(ModelGlb *out, Animation *animation, Keys *keys) {
    const Keys *last = &animation->last;
    if (last->count != keys->count || memcmp(last->times, keys->times, keys->count * sizeof *keys->times) != 0) {
        const uint64_t offset = glbPut(out->glb, keys->times, GLB_FLOAT, keys->count);
        cJSON *input = glbAccessor(out->glb, animation->view, offset, GLB_FLOAT, keys->count, 1);
        glbRange(out->glb, input, keys->times, keys->count, 1, false);
        animation->input = glbLast(out->glb, GLB_ACCESSORS);
        free(animation->last.times);
        animation->last = (Keys){.times = keys->times, .count = keys->count};
        keys->times = NULL;
    }
}

/* A channel whose values are `rows` elements of `width` numbers, after the times of addInput. */
static void addChannel(ModelGlb *out, Animation *animation, uint64_t node, VkskinChannel channel,
                       VkskinInterpolation interpolation, const float *values, size_t rows, size_t width) {
    Glb *glb = out->glb;
    const uint64_t offset = glbPut(glb, values, GLB_FLOAT, rows * width);
    (void)glbAccessor(glb, animation->view, offset, GLB_FLOAT, rows, width);
    JSON_ROW(animation->samplers, &glb->good, jsonCount("input", animation->input),
             jsonText("interpolation", INTERPOLATION_NAMES[interpolation]),
             jsonCount("output", glbLast(glb, GLB_ACCESSORS)));
    JSON_ROW(animation->channels, &glb->good, jsonCount("sampler", animation->samplerCount++),
             JSON_OBJECT("target", jsonCount("node", node), jsonText("path", CHANNEL_NAMES[channel])));
}

static uint32_t targetsOf(const ModelGlb *out, const GlbGroup *group) {
    return out->model->meshes[out->model->parts[group->first].mesh].morphCount;
}

/* The morph weights of a mesh. It may have another number of targets: those that the track lacks are at rest. */
static void addWeights(ModelGlb *out, Animation *animation, const GlbGroup *group, VkskinInterpolation interpolation,
                       const Keys *keys) {
    const ModelPart *part = &out->model->parts[group->first];
    const uint32_t count = targetsOf(out, group);
    const size_t rows = keys->count * keys->parts;
    float *values = count > 0 ? malloc(rows * count * sizeof *values) : NULL;
    out->glb->good = out->glb->good && (values || count == 0);
    for (size_t i = 0; i < rows * count && values; i++) {
        const size_t row = i / count, target = i % count;
        const bool value = keys->parts == 1 || row % 3 == 1;
        const float rest = part->morphWeights && value ? part->morphWeights[target] : 0.0f;
        values[i] = target < keys->width ? keys->values[row * keys->width + target] : rest;
    }
    if (values) {
        addChannel(out, animation, group->node, VKSKIN_CHANNEL_MORPH_WEIGHTS, interpolation, values, rows * count, 1);
    }
    free(values);
}

/* A last key that holds: a file's clip ends with its last key. */
static bool holdUntil(Keys *keys, float time) {
    const size_t width = keys->width, floats = width * keys->parts, middle = width * (keys->parts / 2);
    if (keys->count == 0 || keys->times[keys->count - 1] >= time) {
        return true;
    }
    if (!addKey(keys, time, NULL)) {
        return false;
    }
    float *last = keys->values + floats * (keys->count - 1), *before = last - floats;
    memcpy(last + middle, before + middle, width * sizeof *last);
    if (keys->parts == 3) {
        memset(before + 2 * width, 0, width * sizeof *before);
    }
    return true;
}

/* Adds what the track moves: its node, or the morph targets of the meshes that the node carries. */
static void addTrack(ModelGlb *out, Animation *animation, const VkskinTrack *track, double duration) {
    const bool weights = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS;
    Keys keys = {.parts = 1, .width = weights ? track->weightCount : CHANNEL_WIDTHS[track->channel]};
    VkskinInterpolation interpolation;
    const bool good = fillKeys(out, animation->skeleton, track, duration, &keys, &interpolation) &&
                      holdUntil(&keys, animation->until);
    animation->until = -1.0f;
    out->glb->good = out->glb->good && good;
    if (good && keys.count > 0) {
        addInput(out, animation, &keys);
        if (!weights) {
            addChannel(out, animation, track->node, track->channel, interpolation, keys.values, keys.count * keys.parts,
                       keys.width);
        }
        for (uint32_t next = weights ? out->carried[track->node] : 0; next > 0; next = out->groups[next - 1].next) {
            addWeights(out, animation, &out->groups[next - 1], interpolation, &keys);
        }
    }
    free(keys.times);
    free(keys.values);
}

/* ---- Clips ---- */

/* Whether the file can have the track: of morph weights, if its node carries a mesh with targets. */
static bool isKept(const ModelGlb *out, const VkskinTrack *track) {
    uint32_t next = out->carried[track->node];
    while (next > 0 && targetsOf(out, &out->groups[next - 1]) == 0) {
        next = out->groups[next - 1].next;
    }
    return next > 0 || track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS;
}

/* lasts: [nodeCount][4], for the last track + 1 of each channel: it counts. The file's clips are not empty: a node rests. */
static void addTracks(ModelGlb *out, Animation *animation, const ModelClip *clip, uint32_t *lasts) {
    static const float zero = 0.0f;
    const VkskinTrack still = {.keyCount = 1, .times = &zero, .values = out->model->nodes[0].rest.translation};
    const double duration = clip->duration;
    bool any = false;
    float latest = 0.0f;
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        const VkskinTrack *track = &clip->tracks[t];
        lasts[4 * (size_t)track->node + track->channel] = t + 1;
        latest = fmaxf(latest, isKept(out, track) ? clamped(track->times[track->keyCount - 1], duration) : 0.0f);
    }
    animation->until = latest < clip->duration ? clip->duration : -1.0f;
    for (uint32_t t = 0; t < clip->trackCount && out->glb->good; t++) {
        const VkskinTrack *track = &clip->tracks[t];
        const bool counts = lasts[4 * (size_t)track->node + track->channel] == t + 1, kept = isKept(out, track);
        out->losses.dropped += counts && !kept;
        if (counts && kept) {
            addTrack(out, animation, track, duration);
            any = true;
        }
    }
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        lasts[4 * (size_t)clip->tracks[t].node + clip->tracks[t].channel] = 0;
    }
    if (!any) {
        addTrack(out, animation, &still, duration);
    }
}

static void addClip(ModelGlb *out, const ModelClip *clip, VkskinSkeleton skeleton, uint32_t *lasts) {
    cJSON *object = GLB_ADD(out->glb, GLB_ANIMATIONS, jsonText("name", clip->name));
    Animation animation = {.channels = jsonAddArray(object, "channels", &out->glb->good),
                           .samplers = jsonAddArray(object, "samplers", &out->glb->good),
                           .view = glbBeginView(out->glb, 0, GLB_NO_TARGET),
                           .skeleton = skeleton};
    addTracks(out, &animation, clip, lasts);
    glbEndView(out->glb);
    free(animation.last.times);
}

bool modelGlbClips(ModelGlb *out, EngineError *error) {
    static const int32_t parent = -1;
    const Model *model = out->model;
    const VkskinTransform rest = vkskinIdentityTransform();
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    VkskinSkeleton skeleton = NULL;
    uint32_t *lasts = engineAllocate((size_t)model->nodeCount * 4, sizeof *lasts, error);
    def.nodeCount = 1;
    def.parents = &parent;
    def.restPose = &rest;
    const bool good = lasts && (vkskinCreateSkeleton(&def, &skeleton) >= 0 || engineFail(error, "out of memory"));
    for (uint32_t i = 0; i < model->clipCount && good && out->glb->good; i++) {
        addClip(out, &model->clips[i], skeleton, lasts);
    }
    vkskinDestroySkeleton(skeleton);
    free(lasts);
    return good;
}
