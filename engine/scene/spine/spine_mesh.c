#include "spine_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "spine_rig.h"

/* ---- Sizes ---- */

static bool isClip(const SpineAttachment *attachment) {
    return attachment->kind == SPINE_CLIPPING && attachment->vertexCount >= 3;
}

/* Pictures of an attachment; each has all vertices of it. */
static uint32_t picturesOf(const SpineAttachment *attachment) {
    return isClip(attachment) ? 1 : attachment->frameCount;
}

static uint32_t indicesOf(const SpineAttachment *attachment) {
    return isClip(attachment) ? 3 * (attachment->vertexCount - 2) : attachment->indexCount;
}

static uint32_t largestVertex(const SpineAttachment *attachment) {
    uint32_t most = 1;
    for (uint32_t i = 0, count = 0; i < attachment->influenceCount; i++) {
        count = i > 0 && attachment->vertices[i] == attachment->vertices[i - 1] ? count + 1 : 1;
        most = count > most ? count : most;
    }
    return most;
}

static bool measure(SpineMesh *mesh, EngineError *error) {
    const SpineModel *spine = mesh->spine;
    uint64_t vertices = 0, indices = 0, pictures = 0;
    mesh->influences = 1;
    for (uint32_t a = 0; a < spine->attachmentCount; a++) {
        const SpineAttachment *attachment = &spine->attachments[a];
        const uint64_t count = picturesOf(attachment);
        mesh->firstVertex[a] = (uint32_t)vertices;
        mesh->firstPicture[a] = (uint32_t)pictures;
        vertices += count * attachment->vertexCount;
        indices += count * indicesOf(attachment);
        pictures += count;
        if (vertices > INT32_MAX || indices > INT32_MAX) {
            return engineFail(error, "the attachments have too many vertices to be drawn");
        }
        const uint32_t most = count > 0 ? largestVertex(attachment) : 1;
        mesh->influences = most > mesh->influences ? most : mesh->influences;
    }
    mesh->firstVertex[spine->attachmentCount] = mesh->vertexCount = (uint32_t)vertices;
    mesh->firstPicture[spine->attachmentCount] = mesh->pictureCount = (uint32_t)pictures;
    mesh->indexCount = (uint32_t)indices;
    return vertices > 0 || engineFail(error, "no slot has a region or a mesh");
}

/* ---- Vertices ---- */

/* The library draws weights that are not negative and sum to 1. Without a sum, the first bone takes all. */
static void normalise(float *weights, uint32_t count) {
    float sum = 0.0f;
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = fmaxf(weights[i], 0.0f);
        sum += weights[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        weights[i] = sum > 0.0f ? weights[i] / sum : i == 0 ? 1.0f : 0.0f;
    }
}

/* positions and weights: of vertex `first` and those after it. */
static void addInfluences(const SpineMesh *mesh, const SpineAttachment *attachment, const SpineFrame *frame,
                          uint32_t first) {
    for (uint32_t i = 0, place = 0; i < attachment->influenceCount; i++) {
        place = i > 0 && attachment->vertices[i] == attachment->vertices[i - 1] ? place + 1 : 0;
        const size_t at = ((size_t)first + attachment->vertices[i]) * mesh->influences + place;
        const float *point =
            frame && frame->corners ? frame->corners + (size_t)i * 2 : attachment->offsets + (size_t)i * 3;
        memcpy(mesh->positions + at * 2, point, 2 * sizeof *point);
        mesh->weights[at] = attachment->offsets[(size_t)i * 3 + 2];
        mesh->joints[at] = attachment->bones[i];
    }
    for (uint32_t i = 0; i < attachment->vertexCount; i++) {
        normalise(mesh->weights + ((size_t)first + i) * mesh->influences, mesh->influences);
    }
}

/* A polygon's fan: with the stencil inverted once for each triangle, what is odd is inside. */
static void addIndices(const SpineAttachment *attachment, uint32_t first, uint32_t *indices) {
    for (uint32_t i = 0; i < indicesOf(attachment); i++) {
        const uint32_t corner = i % 3 == 0 ? 0 : i / 3 + i % 3;
        indices[i] = first + (isClip(attachment) ? corner : attachment->indices[i]);
    }
}

static void addAttachment(SpineMesh *mesh, uint32_t index, uint32_t *nextIndex) {
    const SpineAttachment *attachment = &mesh->spine->attachments[index];
    for (uint32_t p = 0; p < picturesOf(attachment); p++) {
        const SpineFrame *frame = attachment->frameCount > 0 ? &attachment->frames[p] : NULL;
        const uint32_t first = mesh->firstVertex[index] + p * attachment->vertexCount;
        addInfluences(mesh, attachment, frame, first);
        for (uint32_t v = 0; v < attachment->vertexCount; v++) {
            SpineVertex *vertex = &mesh->vertices[first + v];
            vertex->slot = attachment->slot;
            if (frame) {
                memcpy(vertex->texcoord, frame->texcoords + (size_t)v * 2, sizeof vertex->texcoord);
            }
        }
        addIndices(attachment, first, mesh->indices + *nextIndex);
        mesh->pictures[mesh->firstPicture[index] + p] = (SpineRange){*nextIndex, indicesOf(attachment)};
        *nextIndex += indicesOf(attachment);
    }
}

/* ---- Deform keys ---- */

static bool moves(const SpineTimeline *timeline, uint32_t key) {
    const float *values = timeline->values + (size_t)key * timeline->channels;
    bool any = false;
    for (uint32_t i = 0; i < timeline->channels; i++) {
        any = any || values[i] != 0.0f;
    }
    return any;
}

/* Whether keys of the timeline move the attachment. */
static bool follows(const SpineMesh *mesh, uint32_t attachment, const SpineTimeline *timeline) {
    const SpineAttachment *own = &mesh->spine->attachments[attachment];
    return own->source == timeline->target && own->influenceCount * 2 == timeline->channels && picturesOf(own) > 0;
}

static void addDeltas(const SpineMesh *mesh, uint32_t index, const float *offsets, VkskinMorphTarget *morph,
                      uint32_t *vertices, float *deltas) {
    const SpineAttachment *attachment = &mesh->spine->attachments[index];
    for (uint32_t p = 0; p < picturesOf(attachment); p++) {
        for (uint32_t i = 0, place = 0; i < attachment->influenceCount; i++) {
            place = i > 0 && attachment->vertices[i] == attachment->vertices[i - 1] ? place + 1 : 0;
            const size_t at = ((size_t)morph->vertexCount + attachment->vertices[i]) * mesh->influences + place;
            memcpy(deltas + at * 2, offsets + (size_t)i * 2, 2 * sizeof *deltas);
        }
        for (uint32_t v = 0; v < attachment->vertexCount; v++) {
            vertices[morph->vertexCount + v] = mesh->firstVertex[index] + p * attachment->vertexCount + v;
        }
        morph->vertexCount += attachment->vertexCount;
    }
}

static bool addMorph(SpineMesh *mesh, const SpineTimeline *timeline, uint32_t key, EngineError *error) {
    VkskinMorphTarget *morph = &mesh->morphs[mesh->morphCount];
    size_t count = 0;
    for (uint32_t a = 0; a < mesh->spine->attachmentCount; a++) {
        count += follows(mesh, a, timeline) ? mesh->firstVertex[a + 1] - mesh->firstVertex[a] : 0;
    }
    uint32_t *vertices = engineAllocate(count, sizeof *vertices, error);
    float *deltas = vertices ? engineAllocate(count * mesh->influences, 2 * sizeof *deltas, error) : NULL;
    *morph = (VkskinMorphTarget){.vertices = vertices, .positions = deltas};
    mesh->morphCount++;
    for (uint32_t a = 0; a < mesh->spine->attachmentCount && deltas; a++) {
        if (follows(mesh, a, timeline)) {
            addDeltas(mesh, a, timeline->values + (size_t)key * timeline->channels, morph, vertices, deltas);
        }
    }
    return deltas != NULL;
}

/* Visits all deform timelines; counts them and their keys while `keys` is null. */
static bool addKeys(SpineMesh *mesh, uint32_t *keyCount, EngineError *error) {
    bool good = true;
    *keyCount = 0;
    mesh->keysCount = 0;
    for (uint32_t i = 0; i < mesh->spine->animationCount; i++) {
        const SpineAnimation *animation = &mesh->spine->animations[i];
        for (uint32_t t = 0; t < animation->timelineCount; t++) {
            const SpineTimeline *timeline = &animation->timelines[t];
            if (timeline->kind != SPINE_TIMELINE_DEFORM) {
                continue;
            }
            for (uint32_t k = 0; k < timeline->keyCount && mesh->keys && good; k++) {
                const bool moved = moves(timeline, k);
                mesh->morphOfKey[*keyCount + k] = moved ? mesh->morphCount : SPINE_NO_MORPH;
                good = !moved || addMorph(mesh, timeline, k, error);
            }
            if (mesh->keys) {
                mesh->keys[mesh->keysCount] = (SpineKeys){timeline, *keyCount};
            }
            mesh->keysCount++;
            *keyCount += timeline->keyCount;
        }
    }
    return good;
}

static int byTimeline(const void *a, const void *b) {
    const uintptr_t left = (uintptr_t)((const SpineKeys *)a)->timeline;
    const uintptr_t right = (uintptr_t)((const SpineKeys *)b)->timeline;
    return left < right ? -1 : left > right;
}

static bool makeKeys(SpineMesh *mesh, EngineError *error) {
    uint32_t keyCount;
    (void)addKeys(mesh, &keyCount, error);
    if (mesh->keysCount == 0) {
        return true;
    }
    mesh->morphOfKey = engineAllocate(keyCount, sizeof *mesh->morphOfKey, error);
    mesh->morphs = mesh->morphOfKey ? engineAllocate(keyCount, sizeof *mesh->morphs, error) : NULL;
    mesh->keys = mesh->morphs ? engineAllocate(mesh->keysCount, sizeof *mesh->keys, error) : NULL;
    if (!mesh->keys || !addKeys(mesh, &keyCount, error)) {
        return false;
    }
    qsort(mesh->keys, mesh->keysCount, sizeof *mesh->keys, byTimeline);
    return true;
}

/* ---- The mesh ---- */

static bool allocate(SpineMesh *mesh, EngineError *error) {
    const size_t places = (size_t)mesh->vertexCount * mesh->influences;
    mesh->positions = engineAllocate(places, 2 * sizeof *mesh->positions, error);
    mesh->weights = mesh->positions ? engineAllocate(places, sizeof *mesh->weights, error) : NULL;
    mesh->joints = mesh->weights ? engineAllocate(places, sizeof *mesh->joints, error) : NULL;
    mesh->vertices = mesh->joints ? engineAllocate(mesh->vertexCount, sizeof *mesh->vertices, error) : NULL;
    mesh->indices = mesh->vertices ? engineAllocate(mesh->indexCount + 1, sizeof *mesh->indices, error) : NULL;
    mesh->pictures = mesh->indices ? engineAllocate(mesh->pictureCount, sizeof *mesh->pictures, error) : NULL;
    return mesh->pictures != NULL;
}

bool spineMeshCreate(const SpineModel *spine, SpineMesh *mesh, EngineError *error) {
    const size_t count = (size_t)spine->attachmentCount + 1;
    *mesh = (SpineMesh){.spine = spine};
    mesh->firstVertex = engineAllocate(count, sizeof *mesh->firstVertex, error);
    mesh->firstPicture = mesh->firstVertex ? engineAllocate(count, sizeof *mesh->firstPicture, error) : NULL;
    if (!mesh->firstPicture || !measure(mesh, error) || !allocate(mesh, error)) {
        return false;
    }
    uint32_t nextIndex = 0;
    for (uint32_t a = 0; a < spine->attachmentCount; a++) {
        addAttachment(mesh, a, &nextIndex);
    }
    return makeKeys(mesh, error);
}

void spineMeshFree(SpineMesh *mesh) {
    for (uint32_t m = 0; m < mesh->morphCount; m++) {
        free((void *)mesh->morphs[m].vertices);
        free((void *)mesh->morphs[m].positions);
    }
    void *const arrays[] = {mesh->positions, mesh->weights,    mesh->joints,       mesh->vertices,
                            mesh->indices,   mesh->pictures,   mesh->firstPicture, mesh->firstVertex,
                            mesh->keys,      mesh->morphOfKey, mesh->morphs};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        free(arrays[i]);
    }
    *mesh = (SpineMesh){0};
}

VkskinMeshDef spineMeshDef(const SpineMesh *mesh) {
    VkskinMeshDef def = vkskinDefaultMeshDef();
    def.name = "2D model";
    def.vertexCount = mesh->vertexCount;
    def.boneCount = mesh->spine->boneCount;
    def.dimensions = 2;
    def.influencePositions = mesh->positions;
    def.influencesPerVertex = mesh->influences;
    def.jointFormat = VKSKIN_JOINTS_U32;
    def.joints = mesh->joints;
    def.weights = mesh->weights;
    def.unweightedBone = 0;
    def.morphTargets = mesh->morphs;
    def.morphTargetCount = mesh->morphCount;
    return def;
}

/* ---- Poses ---- */

static void addWeight(const SpineMesh *mesh, uint32_t key, double weight, float *weights) {
    if (mesh->morphOfKey[key] != SPINE_NO_MORPH) {
        weights[mesh->morphOfKey[key]] += (float)weight;
    }
}

/* Two keys of a deform timeline, times its share. */
static void addDeform(const SpineMesh *mesh, const SpineDeform *deform, float *weights) {
    const SpineKeys wanted = {.timeline = deform->timeline};
    const SpineKeys *keys = bsearch(&wanted, mesh->keys, mesh->keysCount, sizeof wanted, byTimeline);
    uint32_t key;
    double mix;
    if (keys && spineDeformKey(deform->timeline, deform->time, &key, &mix)) {
        addWeight(mesh, keys->firstKey + key, deform->share * (1.0 - mix), weights);
        if (mix != 0.0) {
            addWeight(mesh, keys->firstKey + key + 1, deform->share * mix, weights);
        }
    }
}

void spineMeshPose(const SpineMesh *mesh, const SpinePose *pose, const SpineMatrix *place, float *palette,
                   float *weights) {
    for (uint32_t b = 0; b < mesh->spine->boneCount; b++) {
        const SpineMatrix m = spineMultiply(place, &pose->bones[b].matrix);
        const double rows[6] = {m.a, m.b, m.x0, m.c, m.d, m.y0};
        for (size_t i = 0; i < 6; i++) {
            palette[6 * (size_t)b + i] = (float)rows[i];
        }
    }
    memset(weights, 0, mesh->morphCount * sizeof *weights);
    for (uint32_t s = 0; s < mesh->spine->slotCount; s++) {
        const SpineSlotState *slot = &pose->slots[s];
        for (uint32_t p = 0; p < slot->deformCount && slot->attachment >= 0; p++) {
            if (slot->deforms[p].timeline) {
                addDeform(mesh, &slot->deforms[p], weights);
            }
        }
    }
}

SpineRange spineMeshShown(const SpineMesh *mesh, const SpinePose *pose, uint32_t slot) {
    const SpineSlotState *state = &pose->slots[slot];
    const SpineAttachment *attachment = state->attachment >= 0 ? &mesh->spine->attachments[state->attachment] : NULL;
    if (!attachment || picturesOf(attachment) == 0) {
        return (SpineRange){0, 0};
    }
    return mesh->pictures[mesh->firstPicture[state->attachment] + (isClip(attachment) ? 0 : state->frame)];
}
