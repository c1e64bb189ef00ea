#include "model_faults.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lod_error.h"
#include "model_bounds.h"
#include "model_mesh.h"
#include "model_pack.h"
#include "model_pose.h"
#include "vkskin/vkskin_cpu.h"
#include "weight_faults.h"

#define STRETCH       8.0
#define STRETCH_SHARE 0.25
#define GROWTH_MAX    1000.0f        /* by scales and morph targets: more is not meant */
#define TURN_SECONDS  (1.001 / 24.0) /* times of files are rounded */
#define TURN_COSINE   0.5            /* cosine of half of 120 degrees */

const char *const MODEL_FAULT_NAMES[MODEL_FAULT_KINDS] = {
    [MODEL_FAULT_NOT_FINITE] = "not finite", [MODEL_FAULT_STRETCHED] = "stretched", [MODEL_FAULT_TURNED] = "turned",
    [MODEL_FAULT_MIRRORED] = "mirrored",     [MODEL_FAULT_WEIGHT] = "weight",
};

/* The faults of a kind that a bone has in the clip that is checked. */
typedef struct Group {
    ModelFault worst;
    double measure; /* measure of the worst one */
} Group;

typedef struct PosedPart {
    VkskinCpuMesh mesh;
    VkskinAffine *bones;
    float *stretches;          /* [boneCount]: how much each bone lengthens directions, on average */
    float *weights;            /* weights of the morph targets */
    float *rest, *posed, *own; /* [vertexCount][3]; own: with morph targets alone; null: the mesh has none */
    uint32_t *seen;            /* [2][vertexCount]: 1 + the last clip with this fault */
    float scale;               /* from the mesh's unit to the model's */
} PosedPart;

typedef struct Check {
    const Model *model;
    ModelFaults *faults;
    VkskinSkeleton skeleton;
    VkskinClip *clips; /* [clipCount] */
    ClipSource source;
    VkskinTransform *local, *before; /* [nodeCount] */
    VkskinAffine *world;             /* [nodeCount] */
    PosedPart *parts;                /* [partCount] */
    Group *groups;                   /* [MODEL_FAULT_KINDS][nodeCount] */
    ModelFault *anchors;             /* [nodeCount]: the vertex with the node's largest weight */
    uint8_t *broken;                 /* [nodeCount]: 1 for a joint with a fault */
    double longest;                  /* STRETCH_SHARE of the diagonal, squared */
} Check;

/* ---- Groups ---- */

static void addFault(Check *check, const ModelFault *fault, double measure, bool isNew) {
    Group *group = &check->groups[(size_t)fault->kind * check->model->nodeCount + fault->node];
    const uint64_t count = group->worst.count + (isNew ? 1 : 0);
    if (group->worst.count == 0 || measure > group->measure) {
        *group = (Group){*fault, measure};
    }
    group->worst.count = count;
}

/* Ends a clip. */
static void flushGroups(Check *check) {
    const size_t groupCount = (size_t)MODEL_FAULT_KINDS * check->model->nodeCount;
    for (size_t i = 0; i < groupCount; i++) {
        const ModelFault *fault = &check->groups[i].worst;
        if (fault->count > 0) {
            uint64_t *count = &check->faults->counts[fault->kind];
            if (*count < MODEL_FAULT_LINES) {
                check->faults->rows[fault->kind][*count] = *fault;
            }
            ++*count;
            check->faults->total++;
        }
    }
    memset(check->groups, 0, groupCount * sizeof(*check->groups));
}

/* A fault of a vertex. */
static ModelFault faultAt(const Model *model, ModelFaultKind kind, const ModelPart *part, uint32_t vertex) {
    const ModelMesh *mesh = &model->meshes[part->mesh];
    const uint32_t slot = heaviestInfluence(mesh, vertex);
    const size_t at = (size_t)mesh->influences * vertex + slot;
    return (ModelFault){.kind = kind,
                        .clip = MODEL_FAULT_NONE,
                        .node = model->skins[part->skin].boneNodes[mesh->joints[at]],
                        .mesh = part->mesh,
                        .vertex = vertex,
                        .weight = mesh->weights[at]};
}

/* ---- Vertices ---- */

static void addVertex(Check *check, uint32_t part, ModelFaultKind kind, const LodMoment *moment, uint32_t vertex,
                      double measure) {
    const ModelPart *source = &check->model->parts[part];
    ModelFault fault = faultAt(check->model, kind, source, vertex);
    const uint32_t vertexCount = check->model->meshes[source->mesh].vertexCount;
    uint32_t *seen = &check->parts[part].seen[(kind == MODEL_FAULT_STRETCHED ? vertexCount : 0) + (size_t)vertex];
    fault.clip = moment->clip;
    fault.time = moment->time;
    addFault(check, &fault, measure, *seen != moment->clip + 1);
    *seen = moment->clip + 1;
    check->faults->marked[source->mesh][vertex] = 1;
}

static double distanceSquared(const float *points, uint32_t a, uint32_t b) {
    double sum = 0.0;
    for (size_t axis = 0; axis < 3; axis++) {
        const double d = (double)points[3 * (size_t)a + axis] - points[3 * (size_t)b + axis];
        sum += d * d;
    }
    return sum;
}

/* Also finds the middle of the finite vertices. */
static void checkFinite(Check *check, uint32_t part, const LodMoment *moment, double middle[3]) {
    const ModelMesh *mesh = &check->model->meshes[check->model->parts[part].mesh];
    const float *posed = check->parts[part].posed;
    double count = 0.0;
    memset(middle, 0, 3 * sizeof(*middle));
    for (uint32_t i = 0; i < mesh->vertexCount; i++) {
        const float *p = &posed[3 * (size_t)i];
        if (!finiteAll(p, 3)) {
            addVertex(check, part, MODEL_FAULT_NOT_FINITE, moment, i, 0.0);
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] += p[axis];
        }
        count++;
    }
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] /= fmax(count, 1.0);
    }
}

static double distanceTo(const double middle[3], const float *point) {
    return hypot(hypot(point[0] - middle[0], point[1] - middle[1]), point[2] - middle[2]);
}

/* The squared length that an edge may have, without STRETCH: that at rest, or as its bones and morph targets lengthen it. A file's
 * rest pose may be collapsed, and a whole mesh may grow. */
static double meantLength(const Check *check, uint32_t part, uint32_t a, uint32_t b) {
    const PosedPart *posed = &check->parts[part];
    const ModelMesh *mesh = &check->model->meshes[check->model->parts[part].mesh];
    const size_t first = (size_t)mesh->influences * a + heaviestInfluence(mesh, a);
    const size_t second = (size_t)mesh->influences * b + heaviestInfluence(mesh, b);
    const double stretch = fminf(fmaxf(posed->stretches[mesh->joints[first]], posed->stretches[mesh->joints[second]]),
                                 GROWTH_MAX * posed->scale);
    const double own = distanceSquared(mesh->positions, a, b);
    const double morphed = posed->own ? distanceSquared(posed->own, a, b) : own;
    return fmax(fmin(morphed, own * GROWTH_MAX * GROWTH_MAX) * stretch * stretch, distanceSquared(posed->rest, a, b));
}

/* The vertex that has left its neighbour is the one that is farther from the middle. */
static void checkEdge(Check *check, uint32_t part, const LodMoment *moment, uint32_t a, uint32_t b,
                      const double middle[3]) {
    const PosedPart *posed = &check->parts[part];
    const double now = distanceSquared(posed->posed, a, b);
    if (!(now > check->longest) || !isfinite(now)) {
        return;
    }
    if (now > STRETCH * STRETCH * meantLength(check, part, a, b)) {
        const bool first =
            distanceTo(middle, &posed->posed[3 * (size_t)a]) > distanceTo(middle, &posed->posed[3 * (size_t)b]);
        addVertex(check, part, MODEL_FAULT_STRETCHED, moment, first ? a : b, now);
    }
}

/* By how much a matrix lengthens directions: the root mean square. */
static float meanStretch(const VkskinAffine *affine) {
    float sum = 0.0f;
    for (int i = 0; i < 9; i++) {
        sum += affine->m[i / 3][i % 3] * affine->m[i / 3][i % 3];
    }
    return sqrtf(sum / 3.0f);
}

static bool skinPart(const PosedPart *posed, uint32_t boneCount, uint32_t morphCount, float *positions,
                     EngineError *error) {
    const VkskinCpuCommand command = {.palette = posed->bones,
                                      .encoding = VKSKIN_PALETTE_MAT3X4,
                                      .boneCount = boneCount,
                                      .morphWeights = posed->weights,
                                      .morphWeightCount = morphCount,
                                      .streams = {positions}};
    const VkskinResult result = vkskinSkinOnCpu(posed->mesh, &command, 1, NULL);
    return result >= 0 || engineVkskin(error, "skinning", result, "");
}

static bool posePart(Check *check, uint32_t index, const LodMoment *moment, EngineError *error) {
    const Model *model = check->model;
    const ModelPart *part = &model->parts[index];
    const ModelMesh *mesh = &model->meshes[part->mesh];
    const ModelSkin *skin = &model->skins[part->skin];
    PosedPart *posed = &check->parts[index];
    for (uint32_t i = 0; i < mesh->morphCount; i++) {
        posed->weights[i] = part->morphWeights ? part->morphWeights[i] : 0.0f;
    }
    if (mesh->morphCount > 0 && moment->clip < model->clipCount) {
        vkskinSampleMorphWeights(check->clips[moment->clip], part->carrier, moment->time, VKSKIN_WRAP_CLAMP,
                                 posed->weights, mesh->morphCount);
    }
    for (uint32_t i = 0; i < skin->boneCount && posed->own; i++) {
        posed->bones[i] = vkskinIdentityAffine();
    }
    if (posed->own && !skinPart(posed, skin->boneCount, mesh->morphCount, posed->own, error)) {
        return false;
    }
    for (uint32_t i = 0; i < skin->boneCount; i++) {
        posed->bones[i] = vkskinMultiplyAffine(&check->world[skin->boneNodes[i]], &skin->inverseBinds[i]);
        posed->stretches[i] = meanStretch(&posed->bones[i]);
    }
    return skinPart(posed, skin->boneCount, mesh->morphCount, posed->posed, error);
}

static bool checkMoment(Check *check, const LodMoment *moment, EngineError *error) {
    const Model *model = check->model;
    VkskinResult result = clipSourceSample(&check->source, moment->clip, moment->time, VKSKIN_WRAP_CLAMP, check->local);
    result = result < 0 ? result : vkskinComposePose(check->skeleton, check->local, check->world);
    bool good = result >= 0 || engineVkskin(error, "posing", result, "");
    for (uint32_t i = 0; i < model->partCount && good; i++) {
        const ModelMesh *mesh = &model->meshes[model->parts[i].mesh];
        const PosedPart *part = &check->parts[i];
        double middle[3];
        good = posePart(check, i, moment, error);
        if (good && moment->clip == model->clipCount) {
            memcpy(part->rest, part->posed, (size_t)mesh->vertexCount * 3 * sizeof(*part->rest));
        }
        checkFinite(check, i, moment, middle);
        for (uint32_t k = 0; k < mesh->indexCount && good; k++) {
            checkEdge(check, i, moment, mesh->indices[k], mesh->indices[k % 3 == 2 ? k - 2 : k + 1], middle);
        }
    }
    return good;
}

/* ---- Joints ---- */

static void addJoint(Check *check, ModelFaultKind kind, uint32_t clip, uint32_t node, double time) {
    ModelFault fault = check->anchors[node];
    fault.kind = kind;
    fault.node = node;
    fault.clip = clip;
    fault.time = time;
    addFault(check, &fault, -time, true); /* the first one is the worst */
    check->broken[node] = 1;
}

/* Between two rotations of any length. */
static void checkTurn(Check *check, uint32_t clip, uint32_t node, const float *before, const float *after,
                      const double times[2]) {
    double dot = 0.0, lengths[2] = {0.0, 0.0};
    for (int i = 0; i < 4; i++) {
        dot += (double)before[i] * after[i];
        lengths[0] += (double)before[i] * before[i];
        lengths[1] += (double)after[i] * after[i];
    }
    const double gap = times[1] - times[0];
    if (gap > 0.0 && gap <= TURN_SECONDS && fabs(dot) < TURN_COSINE * sqrt(lengths[0] * lengths[1])) {
        addJoint(check, MODEL_FAULT_TURNED, clip, node, times[1]);
    }
}

static void checkHand(Check *check, uint32_t clip, uint32_t node, const float scale[3], double time) {
    const float *rest = check->model->nodes[node].rest.scale;
    if ((double)scale[0] * scale[1] * scale[2] * rest[0] * rest[1] * rest[2] < 0.0) {
        addJoint(check, MODEL_FAULT_MIRRORED, clip, node, time);
    }
}

static void checkTrack(Check *check, uint32_t clip, const VkskinTrack *track) {
    const bool turns = track->channel == VKSKIN_CHANNEL_ROTATION;
    const uint32_t parts = vkskinInterpolationParts(track->interpolation), width = turns ? 4 : 3;
    for (uint32_t key = 0; key < track->keyCount; key++) {
        const float *value = &track->values[((size_t)key * parts + parts / 2) * width];
        if (!turns) {
            checkHand(check, clip, track->node, value, track->times[key]);
        } else if (key > 0) {
            const double times[2] = {track->times[key - 1], track->times[key]};
            checkTurn(check, clip, track->node, value - (size_t)parts * width, value, times);
        }
    }
}

/* A packed clip has rows of keys for all joints, and more of them where a joint turns fast: each is compared with the pose
 * 1/24 s before it. */
static bool checkRows(Check *check, uint32_t clip, EngineError *error) {
    const void *block = check->model->packed.block;
    const VkskinAnimationClip *packed = modelPackedClip(block, clip);
    VkskinResult result = VKSKIN_SUCCESS;
    for (uint32_t row = 0; row < packed->keyCount && result >= 0; row++) {
        const double time = modelPackRowTime(block, packed, row), times[2] = {fmax(time - 1.0 / 24.0, 0.0), time};
        result = vkskinSampleAnimation(block, clip, times[0], VKSKIN_WRAP_CLAMP, check->before);
        result = result < 0 ? result : vkskinSampleAnimation(block, clip, time, VKSKIN_WRAP_CLAMP, check->local);
        for (uint32_t node = 0; node < check->model->nodeCount && result >= 0; node++) {
            checkHand(check, clip, node, check->local[node].scale, time);
            checkTurn(check, clip, node, check->before[node].rotation, check->local[node].rotation, times);
        }
    }
    return result >= 0 || engineVkskin(error, "posing", result, "");
}

static bool checkJoints(Check *check, uint32_t clip, EngineError *error) {
    const ModelClip *keys = &check->model->clips[clip];
    for (uint32_t i = 0; i < keys->trackCount; i++) {
        const VkskinChannel channel = keys->tracks[i].channel;
        if (channel == VKSKIN_CHANNEL_ROTATION || channel == VKSKIN_CHANNEL_SCALE) {
            checkTrack(check, clip, &keys->tracks[i]);
        }
    }
    return !check->model->packed.block || checkRows(check, clip, error);
}

/* ---- Weights ---- */

/* A mesh of several parts is looked at once. */
static bool checkWeights(Check *check, EngineError *error) {
    const Model *model = check->model;
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelPart *part = &model->parts[i];
        const ModelMesh *mesh = &model->meshes[part->mesh];
        uint8_t **marks = &check->faults->marked[part->mesh];
        const bool isNew = !*marks;
        *marks = isNew ? engineAllocate(mesh->vertexCount, 1, error) : *marks;
        if (!*marks || (isNew && !findWeightFaults(model, part, *marks, error))) {
            return false;
        }
        for (uint32_t vertex = 0; vertex < mesh->vertexCount; vertex++) {
            const ModelFault fault = faultAt(model, MODEL_FAULT_WEIGHT, part, vertex);
            ModelFault *anchor = &check->anchors[fault.node];
            if (isNew && (*marks)[vertex]) {
                addFault(check, &fault, fault.weight, true);
            }
            *anchor = anchor->vertex == MODEL_FAULT_NONE || fault.weight > anchor->weight ? fault : *anchor;
        }
    }
    flushGroups(check);
    return true;
}

/* ---- The whole ---- */

static bool createPart(const Model *model, const ModelPart *part, PosedPart *posed, EngineError *error) {
    const ModelMesh *mesh = &model->meshes[part->mesh];
    const size_t floats = 3 * (size_t)mesh->vertexCount * sizeof(float);
    VkskinMeshDef source = meshDefOfModel(mesh);
    VkskinMorphTarget *morphs = modelCreateMorphs(mesh, error);
    for (uint32_t i = 0; i < mesh->morphCount && morphs; i++) {
        morphs[i].normals = morphs[i].tangents = NULL;
    }
    source.normals = source.tangents = NULL;
    source.morphTargets = mesh->morphCount > 0 ? morphs : NULL;
    source.morphTargetCount = mesh->morphCount;
    VkskinCpuMeshDef def = vkskinDefaultCpuMeshDef();
    def.mesh = &source;
    posed->scale = (float)modelStretch(model, part->mesh);
    posed->bones = engineAllocate(model->skins[part->skin].boneCount, sizeof(*posed->bones), error);
    posed->stretches = engineAllocate(model->skins[part->skin].boneCount, sizeof(*posed->stretches), error);
    posed->own = mesh->morphCount > 0 ? engineAllocate(1, floats, error) : NULL;
    posed->weights = engineAllocate(mesh->morphCount, sizeof(*posed->weights), error);
    posed->rest = engineAllocate(1, floats, error);
    posed->posed = engineAllocate(1, floats, error);
    posed->seen = engineAllocate(mesh->vertexCount, 2 * sizeof(*posed->seen), error);
    bool good = morphs && posed->bones && posed->stretches && (posed->own || mesh->morphCount == 0) && posed->weights &&
                posed->rest && posed->posed && posed->seen;
    if (good) {
        const VkskinResult result = vkskinCreateCpuMesh(&def, &posed->mesh);
        good = result >= 0 || engineVkskin(error, mesh->name, result, "");
    }
    free(morphs);
    return good;
}

static bool createCheck(Check *check, EngineError *error) {
    const Model *model = check->model;
    Bounds bounds;
    check->clips = engineAllocate(model->clipCount, sizeof(VkskinClip), error);
    check->local = engineAllocate(model->nodeCount, sizeof(*check->local), error);
    check->before = engineAllocate(model->nodeCount, sizeof(*check->before), error);
    check->world = engineAllocate(model->nodeCount, sizeof(*check->world), error);
    check->parts = engineAllocate(model->partCount, sizeof(*check->parts), error);
    check->groups = engineAllocate(model->nodeCount, MODEL_FAULT_KINDS * sizeof(*check->groups), error);
    check->anchors = engineAllocate(model->nodeCount, sizeof(*check->anchors), error);
    check->broken = engineAllocate(model->nodeCount, sizeof(*check->broken), error);
    check->faults->marked = engineAllocate(model->meshCount, sizeof(*check->faults->marked), error);
    bool good = check->clips && check->local && check->before && check->world && check->parts && check->groups &&
                check->anchors && check->broken && check->faults->marked && modelRestBounds(model, &bounds, error);
    for (uint32_t i = 0; i < model->nodeCount && good; i++) {
        check->anchors[i].mesh = check->anchors[i].vertex = MODEL_FAULT_NONE;
    }
    for (uint32_t i = 0; i < model->partCount && good; i++) {
        good = createPart(model, &model->parts[i], &check->parts[i], error);
    }
    VkskinResult result = good ? modelCreateSkeleton(model, NULL, (VkskinLogger){0}, &check->skeleton) : VKSKIN_SUCCESS;
    for (uint32_t i = 0; i < model->clipCount && good && result >= 0; i++) {
        result = modelCreateClip(model, i, NULL, (VkskinLogger){0}, &check->clips[i]);
    }
    check->source = (ClipSource){check->skeleton, model->clipCount, check->clips, model->packed.block};
    check->longest = good ? pow(STRETCH_SHARE * boundsDiagonal(&bounds), 2) : 0.0;
    return good && (result >= 0 || engineVkskin(error, "making clips", result, ""));
}

static void destroyCheck(Check *check) {
    for (uint32_t i = 0; i < check->model->partCount && check->parts; i++) {
        const PosedPart *part = &check->parts[i];
        vkskinDestroyCpuMesh(part->mesh);
        free(part->bones);
        free(part->stretches);
        free(part->own);
        free(part->weights);
        free(part->rest);
        free(part->posed);
        free(part->seen);
    }
    for (uint32_t i = 0; i < check->model->clipCount && check->clips; i++) {
        vkskinDestroyClip(check->clips[i]);
    }
    vkskinDestroySkeleton(check->skeleton);
    free(check->clips);
    free(check->local);
    free(check->before);
    free(check->world);
    free(check->parts);
    free(check->groups);
    free(check->anchors);
    free(check->broken);
}

/* The vertices of broken joints. */
static void markBroken(const Check *check) {
    const Model *model = check->model;
    for (uint32_t i = 0; i < model->partCount; i++) {
        const ModelPart *part = &model->parts[i];
        for (uint32_t vertex = 0; vertex < model->meshes[part->mesh].vertexCount; vertex++) {
            check->faults->marked[part->mesh][vertex] |=
                check->broken[faultAt(model, MODEL_FAULT_TURNED, part, vertex).node];
        }
    }
}

bool modelFindFaults(const Model *model, ModelFaults *faults, EngineError *error) {
    Check check = {.model = model, .faults = faults};
    LodMoment *moments = NULL;
    memset(faults, 0, sizeof(*faults));
    bool good = createCheck(&check, error) && checkWeights(&check, error) &&
                lodFindMoments(model, &moments, &faults->moments, error);
    for (size_t i = 0; i < faults->moments && good; i++) {
        const uint32_t clip = moments[i].clip;
        if (i > 0 && clip != moments[i - 1].clip) {
            flushGroups(&check);
            good = checkJoints(&check, clip, error);
        }
        good = good && checkMoment(&check, &moments[i], error);
    }
    if (good) {
        flushGroups(&check);
        markBroken(&check);
    }
    free(moments);
    destroyCheck(&check);
    return good;
}

void modelFreeFaults(const Model *model, ModelFaults *faults) {
    for (uint32_t i = 0; i < model->meshCount && faults->marked; i++) {
        free(faults->marked[i]);
    }
    free(faults->marked);
    faults->marked = NULL;
}
