/* Boxes of a skinned model: exact at one moment, and conservative for a whole clip, for culling. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "skinned_model.h"
#include "model_unpack.h"

bool skinnedModelBounds(const SkinnedModel *skinned, uint32_t clip, double time, VkskinWrap wrap, Bounds *bounds,
                        EngineError *error) {
    *bounds = boundsEmpty();
    return skinnedModelAddBounds(skinned, clip, time, wrap, NULL, NULL, bounds, error);
}

bool skinnedModelAddBounds(const SkinnedModel *skinned, uint32_t clip, double time, VkskinWrap wrap, MotionSwing *swing,
                           const BoundsSpaces *spaces, Bounds *bounds, EngineError *error) {
    const Model *model = skinned->model;
    VkskinAffine *world = engineAllocate(model->nodeCount, sizeof(*world), error);
    float *weights = engineAllocate(skinned->morphCount, sizeof(*weights), error);
    bool posed = world && weights && skinnedModelPose(skinned, clip, time, wrap, swing, world, error) &&
                 skinnedModelMorphWeights(skinned, clip, time, wrap, weights, error);
    for (uint32_t i = 0; i < skinned->partCount && posed; i++) {
        posed = modelAddPartBounds(model, &model->parts[i], world, weights + skinned->parts[i].firstMorph, spaces,
                                   bounds, error);
    }
    free(world);
    free(weights);
    return posed;
}

/* ---- Boxes that hold every pose of a clip ---- */

/*
 * With linear blending, a vertex is a weighted mean of its positions under each bone. So it lies in the box around the
 * node boxes. A node box holds all vertices that the node influences, in the node's space. A clip is sampled at many
 * times. Between two samples, a node moves at most as far as its tracks and its ancestors' tracks allow. The boxes are
 * grown by that distance.
 *
 * The other methods may leave the convex hull. They move a vertex from bone to bone along an arc of at most half a
 * turn. The arc bulges by at most half of the distance. Encodings that lose scale add the error of that loss.
 */

#define BOX_RATE        60.0 /* samples per second of a clip */
#define BOX_SAMPLES_MAX 1024u

/* How far a node may move between two samples. */
typedef struct NodeSpan {
    float turn, move, grow;   /* from its own tracks: radians, parent's units, change of scale */
    float linear, linearMove; /* 3x3 matrix of the node: largest stretch, and largest change */
    float originMove;         /* model's units */
} NodeSpan;

typedef struct BoxWork {
    const SkinnedModel *skinned;
    Bounds *nodeBoxes;     /* [nodeCount] */
    VkskinTransform *pose; /* [nodeCount] */
    VkskinAffine *world;   /* [nodeCount] */
    NodeSpan *motions;     /* [nodeCount] */
    const ModelClip *keys; /* keys of the clip; null: the rest pose */
} BoxWork;

static float length(const float *v, uint32_t count) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        sum += v[i] * v[i];
    }
    return sqrtf(sum);
}

static float distance(const float *a, const float *b, uint32_t count) {
    float difference[4];
    for (uint32_t i = 0; i < count; i++) {
        difference[i] = a[i] - b[i];
    }
    return length(difference, count);
}

/* Upper bound of the factor by which a matrix stretches a vector. */
static float stretchOf(const VkskinAffine *affine) {
    float sum = 0.0f;
    bool identity = true;
    for (int row = 0; row < 3; row++) {
        sum += affine->m[row][0] * affine->m[row][0] + affine->m[row][1] * affine->m[row][1] +
               affine->m[row][2] * affine->m[row][2];
        for (int column = 0; column < 3; column++) {
            identity = identity && affine->m[row][column] == (row == column ? 1.0f : 0.0f);
        }
    }
    return identity ? 1.0f : sqrtf(sum);
}

/* ---- Node boxes ---- */

/* The numbers of a key that are `offset` parts behind its value. */
static const float *keyPart(const VkskinTrack *track, uint32_t key, int offset) {
    const uint32_t parts = vkskinInterpolationParts(track->interpolation);
    const size_t width = track->channel == VKSKIN_CHANNEL_MORPH_WEIGHTS ? track->weightCount
                         : track->channel == VKSKIN_CHANNEL_ROTATION    ? 4
                                                                        : 3;
    return track->values + (size_t)((int64_t)key * parts + parts / 2 + offset) * width;
}

/* How far a curve may exceed the value of a key: to its handles, which for a spline are a third of the tangents. */
static float keyMaxDelta(const VkskinTrack *track, uint32_t key, uint32_t component) {
    const float before = key > 0 ? track->times[key] - track->times[key - 1] : 0.0f;
    const float after = key + 1 < track->keyCount ? track->times[key + 1] - track->times[key] : 0.0f;
    if (track->interpolation == VKSKIN_INTERPOLATION_CUBIC) {
        return fmaxf(fabsf(keyPart(track, key, -1)[component]) * before,
                     fabsf(keyPart(track, key, 1)[component]) * after) /
               3.0f;
    }
    if (track->interpolation == VKSKIN_INTERPOLATION_BEZIER) {
        return fmaxf(fabsf(keyPart(track, key, -1)[component]), fabsf(keyPart(track, key, 2)[component]));
    }
    return 0.0f;
}

/* The range of weights that clips, rest pose and settings give to a morph target of a part. */
static void weightRange(const SkinnedModel *skinned, uint32_t part, uint32_t target, float range[2]) {
    const Model *model = skinned->model;
    const SkinnedPart *source = &skinned->parts[part];
    const SkinnedMorph *morph = &skinned->morphs[source->firstMorph + target];
    range[0] = range[1] = morph->weight;
    for (uint32_t c = 0; c < model->clipCount && !morph->fixed; c++) {
        for (uint32_t i = 0; i < model->clips[c].trackCount; i++) {
            const VkskinTrack *track = &model->clips[c].tracks[i];
            if (track->channel != VKSKIN_CHANNEL_MORPH_WEIGHTS || track->node != source->carrier ||
                target >= track->weightCount) {
                continue;
            }
            for (uint32_t key = 0; key < track->keyCount; key++) {
                const float value = keyPart(track, key, 0)[target], maxDelta = keyMaxDelta(track, key, target);
                range[0] = fminf(range[0], value - maxDelta);
                range[1] = fmaxf(range[1], value + maxDelta);
            }
        }
    }
}

/* The box of each vertex of the part's mesh over all morph weights; free() it. */
static Bounds *morphBoxes(const SkinnedModel *skinned, uint32_t part, EngineError *error) {
    const ModelMesh *mesh = &skinned->model->meshes[skinned->model->parts[part].mesh];
    Bounds *boxes = engineAllocate(mesh->vertexCount, sizeof(*boxes), error);
    for (uint32_t vertex = 0; vertex < mesh->vertexCount && boxes; vertex++) {
        memcpy(boxes[vertex].min, &mesh->positions[3 * (size_t)vertex], sizeof(boxes[vertex].min));
        memcpy(boxes[vertex].max, &mesh->positions[3 * (size_t)vertex], sizeof(boxes[vertex].max));
    }
    for (uint32_t target = 0; target < mesh->morphCount && boxes; target++) {
        const ModelMorph *morph = &mesh->morphs[target];
        float range[2];
        weightRange(skinned, part, target, range);
        for (size_t i = 0; i < morph->vertexCount && morph->positions; i++) {
            Bounds *box = &boxes[morph->vertices[i]];
            for (size_t axis = 0; axis < 3; axis++) {
                float a = range[0] * morph->positions[3 * i + axis], b = range[1] * morph->positions[3 * i + axis];
                /* NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): the loop above sets every box */
                box->min[axis] += fminf(a, b);
                box->max[axis] += fmaxf(a, b);
            }
        }
    }
    return boxes;
}

static bool addPartToNodes(BoxWork *work, uint32_t index, EngineError *error) {
    const Model *model = work->skinned->model;
    const ModelPart *part = &model->parts[index];
    const ModelMesh *mesh = &model->meshes[part->mesh];
    const ModelSkin *skin = &model->skins[part->skin];
    Bounds *vertices = morphBoxes(work->skinned, index, error);
    for (uint32_t vertex = 0; vertex < mesh->vertexCount && vertices; vertex++) {
        const Bounds *box = &vertices[vertex];
        float far[3];
        for (int axis = 0; axis < 3; axis++) {
            far[axis] = fmaxf(fabsf(box->min[axis]), fabsf(box->max[axis]));
        }
        float *most = &work->skinned->meshMaxDistance[part->mesh];
        *most = fmaxf(*most, length(far, 3));
        for (uint32_t i = 0; i < mesh->influences; i++) {
            size_t influence = (size_t)mesh->influences * vertex + i;
            uint32_t bone = mesh->joints[influence];
            if (mesh->weights[influence] > 0.0f) {
                Bounds local = boundsTransform(box, &skin->inverseBinds[bone]);
                boundsAdd(&work->nodeBoxes[skin->boneNodes[bone]], &local);
            }
        }
    }
    const bool added = vertices != NULL;
    free(vertices);
    return added;
}

static bool makeNodeBoxes(BoxWork *work, EngineError *error) {
    const Model *model = work->skinned->model;
    bool made = true;
    for (uint32_t node = 0; node < model->nodeCount; node++) {
        /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller allocated all of *work */
        work->nodeBoxes[node] = boundsEmpty();
    }
    for (uint32_t part = 0; part < model->partCount && made; part++) {
        made = addPartToNodes(work, part, error);
    }
    return made;
}

/* ---- Motion ---- */

/* Upper bound of the speed of a cubic segment: the largest of its derivative's control points. */
static float cubicSpeed(const float *v0, const float *v1, uint32_t width, float span) {
    const float *out = v0 + width, *in = v1 - width;
    float middle[4];
    for (uint32_t i = 0; i < width; i++) {
        middle[i] = 3.0f * (v1[i] - v0[i]) / span - out[i] - in[i];
    }
    return fmaxf(length(middle, width), fmaxf(length(out, width), length(in, width)));
}

/* Upper bound of the path of a Bezier segment. A component goes at most the way along its handles; shorter handles only
 * make that shorter. */
static float bezierPath(const VkskinTrack *track, uint32_t key, uint32_t width) {
    const float *v0 = keyPart(track, key, 0), *v1 = keyPart(track, key + 1, 0);
    const float *out = keyPart(track, key, 2), *in = keyPart(track, key + 1, -1);
    float path = 0.0f;
    for (uint32_t i = 0; i < width; i++) {
        path += fabsf(out[i]) + fabsf(v1[i] + in[i] - v0[i] - out[i]) + fabsf(in[i]);
    }
    return path;
}

static float turnBetween(const float a[4], const float b[4]) {
    float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    return 2.0f * acosf(fminf(fabsf(dot) / (length(a, 4) * length(b, 4)), 1.0f));
}

/* Path length of a track's value between key `key` and the next, within `begin` to `end`. */
static float segmentPath(const VkskinTrack *track, uint32_t key, float begin, float end) {
    const bool rotation = track->channel == VKSKIN_CHANNEL_ROTATION;
    const bool curve = vkskinInterpolationParts(track->interpolation) > 1;
    const bool bezier = track->interpolation == VKSKIN_INTERPOLATION_BEZIER;
    const uint32_t width = rotation ? 4 : 3;
    const float *v0 = keyPart(track, key, 0), *v1 = keyPart(track, key + 1, 0);
    const float t0 = track->times[key], t1 = track->times[key + 1], span = t1 - t0;
    /* Steps and Bezier curves may make their whole way in any part of the time. */
    const bool even = !bezier && track->interpolation != VKSKIN_INTERPOLATION_STEP;
    const float share = span > 0.0f && even ? (fminf(end, t1) - fmaxf(begin, t0)) / span : 1.0f;
    if (curve && span > 0.0f) {
        float path = bezier ? bezierPath(track, key, width) : cubicSpeed(v0, v1, width, span) * span;
        /* Quaternions are normalised afterwards: a shorter quaternion rotates faster. */
        float shortest = rotation ? fminf(length(v0, width), length(v1, width)) - 0.5f * path : 1.0f;
        return !rotation ? path * share : shortest > 0.25f ? 2.0f * path * share / shortest : 4.0f;
    }
    return share * (rotation ? turnBetween(v0, v1) : distance(v0, v1, width));
}

static float trackPath(const VkskinTrack *track, float begin, float end) {
    uint32_t low = 0, high = track->keyCount - 1; /* the last key that is not after `begin`, or the first */
    while (low < high) {
        uint32_t middle = (low + high + 1) / 2;
        if (track->times[middle] <= begin) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    while (low > 0 && track->times[low - 1] == track->times[low]) {
        low--;
    }
    float path = 0.0f;
    for (uint32_t key = low; key + 1 < track->keyCount && track->times[key] <= end; key++) {
        path += track->times[key + 1] >= begin ? segmentPath(track, key, begin, end) : 0.0f;
    }
    return path;
}

static void findMotions(BoxWork *work, float begin, float end) {
    const Model *model = work->skinned->model;
    memset(work->motions, 0, model->nodeCount * sizeof(*work->motions));
    for (uint32_t i = 0; work->keys && i < work->keys->trackCount; i++) {
        const VkskinTrack *track = &work->keys->tracks[i];
        NodeSpan *motion = &work->motions[track->node];
        float *path = track->channel == VKSKIN_CHANNEL_ROTATION      ? &motion->turn
                      : track->channel == VKSKIN_CHANNEL_TRANSLATION ? &motion->move
                      : track->channel == VKSKIN_CHANNEL_SCALE       ? &motion->grow
                                                                     : NULL;
        if (path) {
            *path += trackPath(track, begin, end);
        }
    }
    static const NodeSpan still = {.linear = 1.0f};
    for (uint32_t node = 0; node < model->nodeCount; node++) {
        const ModelNode *source = &model->nodes[node];
        const VkskinTransform *local = &work->pose[node];
        const NodeSpan *parent = source->parent >= 0 ? &work->motions[source->parent] : &still;
        NodeSpan *motion = &work->motions[node];
        float scale = fmaxf(fabsf(local->scale[0]), fmaxf(fabsf(local->scale[1]), fabsf(local->scale[2])));
        float before = stretchOf(&source->preTransform);
        float origin = before * length(local->translation, 3);
        for (int row = 0; row < 3; row++) {
            origin += fabsf(source->preTransform.m[row][3]);
        }
        float change = fminf(motion->turn, 2.0f) * (scale + motion->grow) + motion->grow;
        float parentNow = parent->linear + parent->linearMove;
        motion->linear = parent->linear * before * scale;
        motion->linearMove = parentNow * before * change + parent->linearMove * before * scale;
        motion->originMove = parent->originMove + parent->linearMove * origin + parentNow * before * motion->move;
    }
}

/* ---- Clip boxes ---- */

static void grow(Bounds *box, float by) {
    for (int axis = 0; axis < 3; axis++) {
        box->min[axis] -= by;
        box->max[axis] += by;
    }
}

/* Maximum error of encodings without scale or shear: a matrix M differs from its nearest rotation by at most
 * |M^T M - 1|. The error of a vertex is that times its distance from the mesh's origin. */
static float scaleLoss(const SkinnedModel *skinned, const VkskinAffine *world) {
    float largest = 0.0f;
    for (uint32_t i = 0; i < skinned->partCount; i++) {
        const SkinnedPart *part = &skinned->parts[i];
        const ModelSkin *skin = &skinned->model->skins[skinned->model->parts[i].skin];
        VkskinAffine toMesh;
        if (vkskinInvertAffine(&part->meshToModel, &toMesh) < 0) {
            continue;
        }
        float maxDistance = skinned->meshMaxDistance[part->modelMesh] * stretchOf(&part->meshToModel);
        for (uint32_t bone = 0; bone < skin->boneCount; bone++) {
            VkskinAffine posed = vkskinMultiplyAffine(&world[skin->boneNodes[bone]], &skin->inverseBinds[bone]);
            VkskinAffine m = vkskinMultiplyAffine(&toMesh, &posed);
            float sum = 0.0f;
            for (int k = 0; k < 9; k++) {
                int a = k / 3, b = k % 3;
                float product = m.m[0][a] * m.m[0][b] + m.m[1][a] * m.m[1][b] + m.m[2][a] * m.m[2][b];
                sum += (product - (a == b ? 1.0f : 0.0f)) * (product - (a == b ? 1.0f : 0.0f));
            }
            largest = fmaxf(largest, sqrtf(sum) * maxDistance);
        }
    }
    return largest;
}

/* Adds the space that the model fills from `begin` to `end` seconds. */
static bool addMoment(BoxWork *work, uint32_t clip, float begin, float end, Bounds *box, float *loss,
                      EngineError *error) {
    const SkinnedModel *skinned = work->skinned;
    const Model *model = skinned->model;
    VkskinResult result = clipSourceSample(&skinned->source, clip, begin, VKSKIN_WRAP_CLAMP, work->pose);
    if (result >= 0) {
        result = vkskinComposePose(skinned->skeleton, work->pose, work->world);
    }
    if (result < 0) {
        return skinningFail(skinned->skinning, error, "posing", result);
    }
    findMotions(work, begin, end);
    for (uint32_t node = 0; node < model->nodeCount; node++) {
        const Bounds *local = &work->nodeBoxes[node];
        if (boundsIsEmpty(local)) {
            continue;
        }
        float far[3];
        for (int axis = 0; axis < 3; axis++) {
            /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller allocated all of *work */
            far[axis] = fmaxf(fabsf(local->min[axis]), fabsf(local->max[axis]));
        }
        Bounds placed = boundsTransform(local, &work->world[node]);
        grow(&placed, work->motions[node].originMove + work->motions[node].linearMove * length(far, 3));
        boundsAdd(box, &placed);
    }
    *loss = fmaxf(*loss, scaleLoss(skinned, work->world));
    return true;
}

static bool makeClipBoxes(BoxWork *work, uint32_t clip, Bounds boxes[2], EngineError *error) {
    const SkinnedModel *skinned = work->skinned;
    const double duration = clipSourceDuration(&skinned->source, clip);
    uint32_t steps = (uint32_t)fmin(ceil(duration * BOX_RATE), BOX_SAMPLES_MAX);
    Bounds box = boundsEmpty();
    float loss = 0.0f;
    for (uint32_t step = 0; step <= steps; step++) {
        double begin = steps > 0 ? duration * step / steps : 0.0;
        double end = steps > 0 ? fmin(duration * (step + 1) / steps, duration) : 0.0;
        if (!addMoment(work, clip, (float)begin, (float)end, &box, &loss, error)) {
            return false;
        }
    }
    grow(&box, 1e-4f * boundsDiagonal(&box)); /* covers rounding */
    boxes[0] = boxes[1] = box;
    grow(&boxes[1], 0.5f * boundsDiagonal(&box) + loss);
    return true;
}

/* Packed clips become keys while the boxes of one clip are made: the paths of vertices are found along keys. */
static bool makeBoxesFromKeys(BoxWork *work, uint32_t clip, Bounds boxes[2], EngineError *error) {
    const SkinnedModel *skinned = work->skinned;
    const bool moves = clip < skinned->clipCount, packed = moves && skinned->packed.block;
    uint64_t left = MODEL_UNPACK_BYTES;
    ModelClip keys = {0};
    work->keys = packed ? &keys : moves ? &skinned->model->clips[clip] : NULL;
    const bool made = (!packed || modelUnpackClip(skinned->packed.block, clip, &keys, &left, error)) &&
                      makeClipBoxes(work, clip, boxes, error);
    work->keys = NULL;
    modelFreeClip(&keys);
    return made;
}

/* A packed clip leaves the keys that were made from it by much less than its error. */
static void growBoxes(SkinnedModel *skinned) {
    const ModelPackTotals totals = modelPackTotals(skinned->model, &skinned->packed);
    const float margin = (float)(totals.error * skinned->packed.unitsPerMillimetre);
    for (size_t i = 0; i < 2 * ((size_t)skinned->clipCount + 1); i++) {
        for (int axis = 0; axis < 3 && !boundsIsEmpty(&skinned->boxes[i]); axis++) {
            skinned->boxes[i].min[axis] -= margin;
            skinned->boxes[i].max[axis] += margin;
        }
    }
}

bool skinnedModelCreateBoxes(SkinnedModel *skinned, EngineError *error) {
    const Model *model = skinned->model;
    if (skinned->boxes) {
        return true;
    }
    BoxWork work = {.skinned = skinned,
                    .nodeBoxes = engineAllocate(model->nodeCount, sizeof(*work.nodeBoxes), error),
                    .pose = engineAllocate(model->nodeCount, sizeof(*work.pose), error),
                    .world = engineAllocate(model->nodeCount, sizeof(*work.world), error),
                    .motions = engineAllocate(model->nodeCount, sizeof(*work.motions), error)};
    skinned->boxes = engineAllocate(2 * ((size_t)skinned->clipCount + 1), sizeof(*skinned->boxes), error);
    skinned->nodeBoxes = engineAllocate(model->nodeCount, sizeof(*skinned->nodeBoxes), error);
    skinned->meshMaxDistance = engineAllocate(model->meshCount, sizeof(*skinned->meshMaxDistance), error);
    bool made = work.nodeBoxes && work.pose && work.world && work.motions && skinned->boxes && skinned->nodeBoxes &&
                skinned->meshMaxDistance && makeNodeBoxes(&work, error);
    for (uint32_t node = 0; node < model->nodeCount && made; node++) {
        const Bounds *box = &work.nodeBoxes[node];
        skinned->nodeBoxes[node] = vkskinEmptyAnimationBox();
        if (!boundsIsEmpty(box)) {
            memcpy(skinned->nodeBoxes[node].low, box->min, sizeof(box->min));
            memcpy(skinned->nodeBoxes[node].high, box->max, sizeof(box->max));
        }
    }
    for (uint32_t clip = 0; clip <= skinned->clipCount && made; clip++) {
        made = makeBoxesFromKeys(&work, clip, &skinned->boxes[2 * (size_t)clip], error);
    }
    if (made && skinned->packed.block) {
        growBoxes(skinned);
    }
    free(work.nodeBoxes);
    free(work.pose);
    free(work.world);
    free(work.motions);
    return made;
}

bool skinnedModelPoseBox(const SkinnedModel *skinned, const VkskinAffine *world, SkinMode mode, Bounds *box) {
    VkskinAnimationBox bound;
    *box = boundsEmpty();
    if (vkskinBoundPose(skinned->nodeBoxes, world, skinned->model->nodeCount, skinModeMethod(mode), 0.0f, &bound) < 0) {
        return false;
    }
    if (bound.low[0] <= bound.high[0]) {
        memcpy(box->min, bound.low, sizeof(box->min));
        memcpy(box->max, bound.high, sizeof(box->max));
        grow(box, mode == SKIN_MODE_LBS ? 0.0f : scaleLoss(skinned, world));
    }
    return true;
}

const Bounds *skinnedModelBox(const SkinnedModel *skinned, uint32_t clip, SkinMode mode) {
    uint32_t known = clip < skinned->clipCount ? clip : skinned->clipCount;
    return &skinned->boxes[2 * (size_t)known + (mode == SKIN_MODE_LBS ? 0 : 1)];
}
