/* Samples of skinned vertices, compared with the reference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "count_of.h"
#include "world.h"

#define FNV_PRIME 0x100000001b3u

/* ---- Expected values ---- */

/* A vertex that a wild bone moves is not known. */
static bool isMovedByWild(const WorldMesh *mesh, const ModelMesh *model, const bool *wild, uint32_t vertex) {
    const uint32_t unweighted = mesh->character->unweightedBone;
    bool moved = unweighted != VKSKIN_NO_BONE && wild[unweighted];
    for (size_t i = (size_t)vertex * model->influences; i < (vertex + (size_t)1) * model->influences; i++) {
        moved = moved || (model->weights[i] > 0.0f && wild[model->joints[i]]);
    }
    return moved;
}

static void fillExpected(const WorldMesh *mesh, const WorldPose *pose, const WorldSample *sample,
                         WorldExpected *expected) {
    static const bool morphsAfter[WORLD_MORPHS] = {false, true};
    const ModelMesh model = worldMeshModel(mesh);
    uint32_t vertices[WORLD_SAMPLE_VERTICES];
    for (uint32_t i = 0; i < sample->vertexCount; i++) {
        vertices[i] = sample->firstVertex + i;
    }
    WorldBones bones = worldPoseBones(mesh->character, pose);
    const float *const deltas[WORLD_MORPHS] = {mesh->influenceDeltas};
    const ReferenceDef def = {
        .method = pose->way.method,
        .exactNormals = mesh->info.normalRule == VKSKIN_NORMALS_EXACT,
        .maxInfluences = mesh->maxInfluences,
        .minWeight = mesh->minWeight,
        .unweightedBone = mesh->character->unweightedBone,
        .centres = mesh->centres,
        .morphWeights = pose->morphWeights,
        .morphsAfter = morphsAfter,
        .influencePositions = mesh->influencePositions,
        .influenceDeltas = deltas,
    };
    ReferenceVertex *skinned = newReferenceSample(&model, bones.bones, &def, vertices, sample->vertexCount);
    for (uint32_t i = 0; i < sample->vertexCount; i++) {
        const bool wild = bones.wild != NULL && model.boneCount > 0 && !pose->odd;
        expected[i] =
            (WorldExpected){skinned[i], !pose->odd && !(wild && isMovedByWild(mesh, &model, bones.wild, vertices[i]))};
    }
    free(skinned);
    worldBonesFree(&bones);
}

/* The first, the last or any. */
static void chooseWindow(Random *random, const WorldMesh *mesh, uint32_t most, WorldSample *sample) {
    const uint32_t all = mesh->info.vertexCount;
    sample->vertexCount = all < most ? all : most;
    const uint32_t places[] = {0, all - sample->vertexCount, randomBelow(random, all - sample->vertexCount + 1)};
    sample->firstVertex = places[randomBelow(random, COUNT_OF(places))];
}

bool worldIsKnown(const WorldInstance *instance) {
    return instance->updateFrame > 0 && !instance->pose.odd &&
           instance->mesh->info.weightFormat == VKSKIN_WEIGHTS_FLOAT; /* others are rounded: not in the reference */
}

void worldSampleTake(World *world, const WorldInstance *instance, uint32_t most, WorldSample *sample) {
    const WorldMesh *mesh = instance->mesh;
    sample->copy = worldOutput(world, instance);
    sample->previousUnknown = false;
    sample->instance = instance->handle;
    sample->info = mesh->info;
    sample->diagonal = mesh->character->diagonal;
    chooseWindow(&world->random, mesh, most, sample);
    sample->firstRead = sample->firstVertex;
    fillExpected(mesh, &instance->pose, sample, sample->expected);
    const bool moving = mesh->previousPositions && instance->moved && instance->updateFrame == world->context->frame;
    fillExpected(mesh, moving ? &instance->before : &instance->pose, sample, sample->before);
}

/* ---- Recording ---- */

static VkBufferCopy takeCopy(WorldSamples *samples, VkDeviceSize source, VkDeviceSize size) {
    VkBufferCopy copy = {source, samples->used, size};
    samples->used += size;
    return copy;
}

/* The sampled vertices of each stream, and their previous positions. */
static void recordCopies(WorldSamples *samples, WorldSample *sample, const WorldTarget *target) {
    const VkskinOutput output = sample->copy;
    const VkskinOutputLayout *layout = &sample->info.layout;
    const VkDeviceSize first = sample->firstVertex, count = sample->vertexCount, begin = samples->used;
    VkBufferCopy copies[VKSKIN_MAX_OUTPUT_STREAMS + 1];
    VkDeviceSize *offsets = sample->info.streamOffsets;
    for (uint32_t s = 0; s < layout->streamCount; s++) {
        copies[s] =
            takeCopy(samples, output.offset + offsets[s] + layout->strides[s] * first, layout->strides[s] * count);
    }
    const VkDeviceSize last = output.positionStride * (count - 1) + sizeof(float) * sample->info.dimensions;
    copies[layout->streamCount] =
        takeCopy(samples, output.previousPositionOffset + output.positionStride * first, last);
    /* Bytes that are never copied must not be right by chance. */
    memset((char *)target->readback.mapped + begin, 0xff, samples->used - begin);
    vkCmdCopyBuffer(target->commandBuffer, output.buffer, target->readback.handle, layout->streamCount + 1, copies);
    for (uint32_t s = 0; s < layout->streamCount; s++) {
        offsets[s] = copies[s].dstOffset;
    }
    sample->copy.positionOffset = offsets[layout->position.stream] + layout->position.offset;
    sample->copy.attributeOffset = offsets[layout->normal.stream] + layout->normal.offset;
    sample->copy.previousPositionOffset = copies[layout->streamCount].dstOffset;
    sample->firstRead = 0;
}

void worldSamplesRecord(WorldSamples *samples, World *world, WorldTarget *target, uint64_t frame) {
    uint32_t wanted = 1 + randomBelow(&world->random, WORLD_MAX_SAMPLES);
    uint32_t first = world->instanceCount > 0 ? randomBelow(&world->random, world->instanceCount) : 0;
    samples->frame = frame;
    for (uint32_t i = 0; i < world->instanceCount && samples->count < wanted; i++) {
        const WorldInstance *instance = world->instances[(first + i) % world->instanceCount];
        if (worldIsKnown(instance)) {
            WorldSample *sample = &samples->samples[samples->count++];
            worldSampleTake(world, instance, WORLD_SAMPLE_VERTICES, sample);
            recordCopies(samples, sample, target);
        }
    }
    if (samples->count > 0) {
        copyToHostBarrier(target->commandBuffer);
    }
}

/* ---- Comparing ---- */

/* A place in the samples of a frame. */
typedef struct Place {
    const WorldSample *sample;
    uint64_t frame;
    uint32_t vertex; /* in the sample */
} Place;

static _Noreturn void failAt(const Place *place, const char *difference) {
    worldFail("instance (%u, %u) of frame %" PRIu64 ", vertex %u: %s", place->sample->instance.index,
              place->sample->instance.generation, place->frame, place->sample->firstVertex + place->vertex, difference);
}

static _Noreturn void failPosition(const Place *place, const char *what, const float got[3], const double expected[3]) {
    char line[256];
    snprintf(line, sizeof line, "%s (%.7g, %.7g, %.7g), not (%.7g, %.7g, %.7g)", what, (double)got[0], (double)got[1],
             (double)got[2], expected[0], expected[1], expected[2]);
    failAt(place, line);
}

static _Noreturn void failDirection(const Place *place, const char *what, const double *got, const double *expected,
                                    double degrees) {
    char line[256];
    snprintf(line, sizeof line, "%s (%.5f, %.5f, %.5f), not (%.5f, %.5f, %.5f): %.3f degrees off", what, got[0], got[1],
             got[2], expected[0], expected[1], expected[2], degrees);
    failAt(place, line);
}

static void keepWorst(const Place *place, WorldVerdict *verdict, const VertexError *error) {
    vertexErrorKeepWorst(&verdict->worst[place->sample->info.format], error);
}

/* Checks the previous position, as a vertex without normal and tangent. */
static void checkBefore(const Place *place, const void *bytes, WorldVerdict *verdict) {
    const WorldSample *sample = place->sample;
    const VkskinMeshInfo positionsAlone = {.dimensions = sample->info.dimensions};
    const WorldExpected *expected = &sample->before[place->vertex];
    ReadVertex got = {{0}, {0}, {0}};
    memcpy(got.position,
           (const char *)bytes + sample->copy.previousPositionOffset +
               (size_t)sample->copy.positionStride * (sample->firstRead + place->vertex),
           sizeof(float) * sample->info.dimensions);
    VertexError off = vertexError(&expected->vertex, &got, sample->diagonal, &positionsAlone);
    if (expected->known) {
        keepWorst(place, verdict, &off);
    }
    if (expected->known && off.position > POSITION_BOUND) {
        failPosition(place, "previous position", got.position, expected->vertex.position);
    }
}

static void checkVertex(const Place *place, const void *bytes, WorldCounts *counts, WorldVerdict *verdict) {
    const WorldSample *sample = place->sample;
    const ReferenceVertex *expected = &sample->expected[place->vertex].vertex;
    ReadVertex got = readVertex(bytes, 0, &sample->copy, &sample->info, sample->firstRead + place->vertex);
    VertexError off = vertexError(expected, &got, sample->diagonal, &sample->info);
    double degrees = vertexErrorDegrees(sample->info.format);
    counts->verticesChecked++;
    counts->verticesLeftOut += off.leftOut;
    keepWorst(place, verdict, &off);
    if (off.position > POSITION_BOUND) {
        failPosition(place, "position", got.position, expected->position);
    }
    if (off.normal > degrees) {
        failDirection(place, "normal", got.normal, expected->normal, off.normal);
    }
    if (off.tangent > degrees) {
        failDirection(place, "tangent", got.tangent, expected->tangent, off.tangent);
    }
}

void worldSampleCheck(const WorldSample *sample, uint64_t frame, const void *bytes, WorldCounts *counts,
                      WorldVerdict *verdict) {
    Place place = {sample, frame, 0};
    counts->instancesChecked++;
    for (; place.vertex < sample->vertexCount; place.vertex++) {
        if (sample->expected[place.vertex].known) {
            checkVertex(&place, bytes, counts, verdict);
        }
        if (!sample->previousUnknown) {
            checkBefore(&place, bytes, verdict);
        }
    }
}

static void digestBytes(WorldVerdict *verdict, const unsigned char *bytes, VkDeviceSize size) {
    for (VkDeviceSize i = 0; i < size; i++) {
        verdict->digest = (verdict->digest ^ bytes[i]) * FNV_PRIME;
    }
}

void worldSamplesCheck(WorldSamples *samples, const WorldTarget *target, WorldCounts *counts, WorldVerdict *verdict) {
    digestBytes(verdict, target->readback.mapped, samples->used);
    for (uint32_t i = 0; i < samples->count; i++) {
        worldSampleCheck(&samples->samples[i], samples->frame, target->readback.mapped, counts, verdict);
    }
    samples->count = 0;
    samples->used = 0;
}
