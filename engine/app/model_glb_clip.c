/* model_glb_clip.c: the clips of a model in a .glb file. Keys of the model stay keys; other curves become straight lines. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_glb.h"
#include "outputs.h"
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
    bool good;
} Keys;

static bool resize(float **array, size_t count) {
    float *larger = realloc(*array, count * sizeof *larger);
    if (!larger) {
        return false;
    }
    *array = larger;
    return true;
}

/* Room for one more key, whose values are zero. Null: out of memory. */
static float *addKey(Keys *keys, float time) {
    const size_t floats = (size_t)keys->width * keys->parts;
    if (keys->count == keys->room) {
        const size_t room = 2 * keys->room + 16;
        keys->good = keys->good && resize(&keys->times, room) && resize(&keys->values, room * floats);
        if (!keys->good) {
            return NULL;
        }
        keys->room = room;
    }
    keys->times[keys->count] = time;
    float *value = keys->values + floats * keys->count++;
    memset(value, 0, floats * sizeof *value);
    return value;
}

static void freeKeys(Keys *keys) {
    free(keys->times);
    free(keys->values);
}

/* ---- One track as the library plays it ---- */

typedef struct Course {
    VkskinSkeleton skeleton; /* has one node */
    VkskinClip clip;         /* with the track alone, for that node */
    VkskinChannel channel;
    uint32_t width;
    double tolerance, error; /* error: the largest distance between a curve and its lines */
} Course;

static bool sample(const Course *course, double time, float *value) {
    VkskinTransform pose;
    if (course->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        return vkskinSampleMorphWeights(course->clip, 0, time, VKSKIN_WRAP_CLAMP, value, course->width) >= 0;
    }
    const float *channels[] = {pose.translation, pose.rotation, pose.scale};
    const bool good = vkskinSampleClip(course->skeleton, course->clip, time, VKSKIN_WRAP_CLAMP, &pose) >= 0;
    for (uint32_t i = 0; i < course->width && good; i++) {
        value[i] = channels[course->channel][i];
    }
    return good;
}

/* The value of the course as a new key. */
static bool sampleKey(const Course *course, double time, Keys *keys) {
    float *value = addKey(keys, (float)time);
    return value && sample(course, time, value);
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
    for (uint32_t i = 0; i < course->width; i++) {
        most = fmax(most, fabs(scale * (from[i] + sign * to[i]) - curve[i]));
    }
    return most;
}

/*
 * Adds keys between the last one and the one at `end`, which is not added. to: the value there. spare: a value for each
 * depth.
 */
static bool divide(Course *course, double end, const float *to, int depth, float *spare, Keys *keys) {
    const double begin = keys->times[keys->count - 1], middle = 0.5 * (begin + end);
    const size_t width = course->width;
    float *curve = spare + width * (size_t)depth;
    if ((float)middle <= (float)begin || (float)middle >= (float)end || !sample(course, (float)middle, curve)) {
        return keys->good;
    }
    const double distance = distanceInMiddle(course, keys->values + width * (keys->count - 1), to, curve);
    if (depth >= CURVE_DEPTH_MAX || keys->count >= CURVE_KEYS_MAX ||
        (depth >= CURVE_DEPTH_MIN && distance <= course->tolerance)) {
        course->error = fmax(course->error, distance);
        return true;
    }
    if (!divide(course, (float)middle, curve, depth + 1, spare, keys)) {
        return false;
    }
    float *value = addKey(keys, (float)middle);
    if (value) {
        memcpy(value, curve, width * sizeof *value);
    }
    return value && divide(course, end, to, depth + 1, spare, keys);
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

static void copyKeys(const VkskinTrack *track, Keys *keys) {
    const size_t floats = (size_t)keys->width * keys->parts;
    for (uint32_t k = 0; k < track->keyCount && keys->good; k++) {
        float *value = addKey(keys, track->times[k]);
        if (value) {
            memcpy(value, track->values + k * floats, floats * sizeof *value);
        }
    }
}

static float clamped(float time, double duration) {
    return fminf(fmaxf(time, 0.0f), (float)duration);
}

/*
 * The keys of a track at its times, and between them where its curve is not a line. Where several keys have one time, the
 * value jumps: the first of them moves to the number before that time.
 */
static bool sampleKeys(Course *course, const VkskinTrack *track, double duration, float *spare, Keys *keys) {
    const bool curved =
        track->interpolation == VKSKIN_INTERPOLATION_CUBIC || track->interpolation == VKSKIN_INTERPOLATION_BEZIER;
    float *to = spare + (size_t)course->width * (CURVE_DEPTH_MAX + 1);
    for (uint32_t k = 0; k < track->keyCount && keys->good; k++) {
        const float time = clamped(track->times[k], duration);
        const float last = keys->count > 0 ? keys->times[keys->count - 1] : -1.0f;
        const bool jumps = k + 1 < track->keyCount && track->times[k + 1] == track->times[k];
        const float at = jumps ? nextafterf(time, -1.0f) : time;
        if (at < 0.0f || at <= last) {
            continue;
        }
        if (curved && keys->count > 0 && sample(course, at, to) && !divide(course, at, to, 0, spare, keys)) {
            return false;
        }
        if (!sampleKey(course, at, keys)) {
            return false;
        }
    }
    return keys->good;
}

static bool beginCourse(Course *course, const VkskinTrack *track, double duration) {
    VkskinTrack alone = *track;
    VkskinClipDef def = vkskinDefaultClipDef();
    const uint32_t parts = vkskinInterpolationParts(track->interpolation);
    const float *values = track->values + (size_t)(parts / 2) * course->width;
    double most = 0.0;
    for (size_t k = 0; k < track->keyCount; k++) {
        for (uint32_t i = 0; i < course->width; i++) {
            most = fmax(most, fabs((double)values[k * parts * course->width + i]));
        }
    }
    course->channel = track->channel;
    course->tolerance = CURVE_TOLERANCE * (track->channel == VKSKIN_CHANNEL_ROTATION ? 1.0 : most);
    alone.node = 0;
    def.nodeCount = 1;
    def.duration = (float)duration;
    def.trackCount = 1;
    def.tracks = &alone;
    return vkskinCreateClip(&def, &course->clip) >= 0;
}

/* Fills the keys as the file has them. Returns their interpolation in it. */
static VkskinInterpolation fillKeys(ModelGlb *out, VkskinSkeleton skeleton, const VkskinTrack *track, double duration,
                                    Keys *keys) {
    Course course = {.skeleton = skeleton, .width = keys->width};
    if (isPlain(track, duration)) {
        keys->parts = 3;
        copyKeys(track, keys);
        return VKSKIN_INTERPOLATION_CUBIC;
    }
    float *spare = calloc((size_t)keys->width * (CURVE_DEPTH_MAX + 2), sizeof *spare);
    keys->good = spare && beginCourse(&course, track, duration) && sampleKeys(&course, track, duration, spare, keys);
    vkskinDestroyClip(course.clip);
    free(spare);
    out->losses.resampled += track->interpolation >= VKSKIN_INTERPOLATION_CUBIC;
    out->losses.curveError = fmax(out->losses.curveError, course.error);
    return track->interpolation == VKSKIN_INTERPOLATION_STEP ? VKSKIN_INTERPOLATION_STEP : VKSKIN_INTERPOLATION_LINEAR;
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

/* Tracks of a clip often have the same times: they share the accessor of the one before. */
static uint64_t inputOf(ModelGlb *out, Animation *animation, Keys *keys) {
    const Keys *last = &animation->last;
    if (last->count != keys->count || memcmp(last->times, keys->times, keys->count * sizeof *keys->times) != 0) {
        const uint64_t offset = glbWords(out->glb, keys->times, keys->count);
        cJSON *input = glbAccessor(out->glb, animation->view, offset, GLB_FLOAT, keys->count, "SCALAR");
        glbRange(out->glb, input, keys->times, keys->count, 1, false);
        animation->input = glbLast(out->glb, GLB_ACCESSORS);
        free(animation->last.times);
        animation->last = (Keys){.times = keys->times, .count = keys->count};
        keys->times = NULL;
    }
    return animation->input;
}

/* The weights of another number of targets: those that the track lacks are at rest. */
static uint64_t weightsOutput(ModelGlb *out, const Animation *animation, const Keys *keys, const ModelPart *part) {
    const uint32_t count = out->model->meshes[part->mesh].morphCount;
    const size_t rows = keys->count * keys->parts;
    float *values = malloc(rows * count * sizeof *values);
    out->glb->good = out->glb->good && values;
    for (size_t i = 0; i < rows * count && values; i++) {
        const size_t row = i / count, target = i % count;
        const bool value = keys->parts == 1 || row % 3 == 1;
        const float rest = part->morphWeights && value ? part->morphWeights[target] : 0.0f;
        values[i] = target < keys->width ? keys->values[row * keys->width + target] : rest;
    }
    const uint64_t offset = glbWords(out->glb, values, values ? rows * count : 0);
    (void)glbAccessor(out->glb, animation->view, offset, GLB_FLOAT, rows * count, "SCALAR");
    free(values);
    return glbLast(out->glb, GLB_ACCESSORS);
}

static void addChannel(ModelGlb *out, Animation *animation, uint64_t node, VkskinChannel channel) {
    cJSON *object = jsonAddRow(animation->channels, &out->glb->good);
    jsonAddCount(object, "sampler", animation->samplerCount - 1, &out->glb->good);
    cJSON *target = jsonAddObject(object, "target", &out->glb->good);
    jsonAddCount(target, "node", node, &out->glb->good);
    jsonAddText(target, "path", CHANNEL_NAMES[channel], &out->glb->good);
}

static void addSampler(ModelGlb *out, Animation *animation, uint64_t input, VkskinInterpolation interpolation,
                       uint64_t output) {
    cJSON *object = jsonAddRow(animation->samplers, &out->glb->good);
    jsonAddCount(object, "input", input, &out->glb->good);
    jsonAddText(object, "interpolation", INTERPOLATION_NAMES[interpolation], &out->glb->good);
    jsonAddCount(object, "output", output, &out->glb->good);
    animation->samplerCount++;
}

/* Adds what the track moves: its node, or the morph targets of the meshes that the node carries. Takes over keys->times. */
static void addChannels(ModelGlb *out, Animation *animation, const VkskinTrack *track,
                        VkskinInterpolation interpolation, Keys *keys) {
    static const char *const types[] = {[3] = "VEC3", [4] = "VEC4"};
    const uint64_t input = inputOf(out, animation, keys);
    if (track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS) {
        const size_t rows = keys->count * keys->parts;
        const uint64_t offset = glbWords(out->glb, keys->values, rows * keys->width);
        (void)glbAccessor(out->glb, animation->view, offset, GLB_FLOAT, rows, types[keys->width]);
        addSampler(out, animation, input, interpolation, glbLast(out->glb, GLB_ACCESSORS));
        addChannel(out, animation, track->node, track->channel);
        return;
    }
    for (uint32_t next = out->carried[track->node]; next > 0; next = out->groups[next - 1].next) {
        const GlbGroup *group = &out->groups[next - 1];
        const ModelPart *part = &out->model->parts[group->first];
        if (out->model->meshes[part->mesh].morphCount > 0) {
            addSampler(out, animation, input, interpolation, weightsOutput(out, animation, keys, part));
            addChannel(out, animation, group->node, track->channel);
        }
    }
}

/* A last key that holds: a file's clip ends with its last key. */
static void holdUntil(Keys *keys, float time) {
    const size_t floats = (size_t)keys->width * keys->parts, middle = (size_t)keys->width * (keys->parts / 2);
    if (keys->count == 0 || keys->times[keys->count - 1] >= time || !addKey(keys, time)) {
        return;
    }
    float *last = keys->values + floats * (keys->count - 1), *before = last - floats;
    memcpy(last + middle, before + middle, keys->width * sizeof *last);
    if (keys->parts == 3) {
        memset(before + 2 * (size_t)keys->width, 0, keys->width * sizeof *before);
    }
}

static bool addTrack(ModelGlb *out, Animation *animation, const VkskinTrack *track, double duration,
                     EngineError *error) {
    Keys keys = {.parts = 1, .good = true};
    keys.width = track->channel < VKSKIN_CHANNEL_MORPH_WEIGHTS ? CHANNEL_WIDTHS[track->channel] : track->weightCount;
    const VkskinInterpolation interpolation = fillKeys(out, animation->skeleton, track, duration, &keys);
    holdUntil(&keys, animation->until);
    animation->until = -1.0f;
    if (keys.good && keys.count > 0) {
        addChannels(out, animation, track, interpolation, &keys);
    }
    freeKeys(&keys);
    return keys.good || engineFail(error, "out of memory");
}

/* ---- Clips ---- */

/* Whether the file can have the track: of morph weights, if its node carries a mesh with targets. */
static bool isKept(const ModelGlb *out, const VkskinTrack *track) {
    uint32_t next = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? out->carried[track->node] : 0;
    bool kept = track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS;
    for (; next > 0 && !kept; next = out->groups[next - 1].next) {
        kept = out->model->meshes[out->model->parts[out->groups[next - 1].first].mesh].morphCount > 0;
    }
    return kept;
}

/* The clip holds a node at rest: the file's clips are not empty. */
static bool addStill(ModelGlb *out, Animation *animation, double duration, EngineError *error) {
    static const float zero = 0.0f;
    const VkskinTrack still = {.keyCount = 1, .times = &zero, .values = out->model->nodes[0].rest.translation};
    return addTrack(out, animation, &still, duration, error);
}

/* lasts: [nodeCount][4], for the last track + 1 of each channel: it counts. */
static bool addTracks(ModelGlb *out, Animation *animation, const ModelClip *clip, uint32_t *lasts, EngineError *error) {
    const double duration = clip->duration;
    bool good = true, any = false;
    float latest = 0.0f;
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        const VkskinTrack *track = &clip->tracks[t];
        lasts[4 * (size_t)track->node + track->channel] = t + 1;
        latest = fmaxf(latest, isKept(out, track) ? clamped(track->times[track->keyCount - 1], duration) : 0.0f);
    }
    animation->until = latest < clip->duration ? clip->duration : -1.0f;
    for (uint32_t t = 0; t < clip->trackCount && good; t++) {
        const VkskinTrack *track = &clip->tracks[t];
        uint32_t *last = &lasts[4 * (size_t)track->node + track->channel];
        const bool counts = *last == t + 1, kept = isKept(out, track);
        out->losses.dropped += counts && !kept;
        if (counts && kept) {
            good = addTrack(out, animation, track, duration, error);
            any = true;
        }
    }
    for (uint32_t t = 0; t < clip->trackCount; t++) {
        lasts[4 * (size_t)clip->tracks[t].node + clip->tracks[t].channel] = 0;
    }
    return good && (any || addStill(out, animation, duration, error));
}

static bool addClip(ModelGlb *out, const ModelClip *clip, VkskinSkeleton skeleton, uint32_t *lasts,
                    EngineError *error) {
    cJSON *object = glbAdd(out->glb, GLB_ANIMATIONS);
    jsonAddText(object, "name", clip->name, &out->glb->good);
    Animation animation = {.channels = jsonAddArray(object, "channels", &out->glb->good),
                           .samplers = jsonAddArray(object, "samplers", &out->glb->good),
                           .view = glbBeginView(out->glb, 0, GLB_NO_TARGET),
                           .skeleton = skeleton};
    const bool good = addTracks(out, &animation, clip, lasts, error);
    glbEndView(out->glb);
    free(animation.last.times);
    return good;
}

static VkskinSkeleton oneNode(EngineError *error) {
    static const int32_t parent = -1;
    const VkskinTransform rest = vkskinIdentityTransform();
    VkskinSkeletonDef def = vkskinDefaultSkeletonDef();
    VkskinSkeleton skeleton = NULL;
    def.nodeCount = 1;
    def.parents = &parent;
    def.restPose = &rest;
    if (vkskinCreateSkeleton(&def, &skeleton) < 0) {
        engineFail(error, "out of memory");
    }
    return skeleton;
}

bool modelGlbClips(ModelGlb *out, EngineError *error) {
    const Model *model = out->model;
    uint32_t *lasts = engineAllocate((size_t)model->nodeCount * 4, sizeof *lasts, error);
    VkskinSkeleton skeleton = lasts ? oneNode(error) : NULL;
    bool good = skeleton != NULL;
    for (uint32_t i = 0; i < model->clipCount && good && out->glb->good; i++) {
        good = addClip(out, &model->clips[i], skeleton, lasts, error);
    }
    vkskinDestroySkeleton(skeleton);
    free(lasts);
    return good;
}
