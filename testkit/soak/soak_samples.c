/* Samples of skinned vertices, compared with the reference. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soak_parts.h"

#define FNV_PRIME 0x100000001b3u

/* ---- Expected values ---- */

static void fillExpected(const SoakMesh *mesh, const SoakPose *pose, const SoakSample *sample,
                         ReferenceVertex *expected) {
    static const bool morphsAfter[SOAK_MORPHS] = {false, true};
    const Model *model = mesh->character->model;
    uint32_t vertices[SOAK_SAMPLE_VERTICES];
    for (uint32_t i = 0; i < sample->vertexCount; i++) {
        vertices[i] = sample->firstVertex + i;
    }
    ReferenceMatrix *world = newReferenceWorld(model, pose->clip, pose->time, VKSKIN_WRAP_LOOP);
    ReferenceMatrix *bones = newReferenceBones(model, 0, world);
    ReferenceDef def = {
        .method = pose->method,
        .exactNormals = mesh->info.normalRule == VKSKIN_NORMALS_EXACT,
        .maxInfluences = mesh->maxInfluences,
        .centres = mesh->centres,
        .morphWeights = pose->morphWeights,
        .morphsAfter = morphsAfter,
    };
    ReferenceVertex *skinned = newReferenceSample(&model->meshes[0], bones, &def, vertices, sample->vertexCount);
    memcpy(expected, skinned, sample->vertexCount * sizeof *skinned);
    free(skinned);
    free(bones);
    free(world);
}

static void chooseWindow(Random *random, const SoakMesh *mesh, SoakSample *sample) {
    uint32_t all = mesh->info.vertexCount;
    sample->vertexCount = all < SOAK_SAMPLE_VERTICES ? all : SOAK_SAMPLE_VERTICES;
    sample->firstVertex = randomBelow(random, all - sample->vertexCount + 1);
}

/* ---- Recording ---- */

static VkBufferCopy takeCopy(SoakSamples *samples, VkDeviceSize source, VkDeviceSize size) {
    VkBufferCopy copy = {source, samples->used, size};
    samples->used += size;
    return copy;
}

static void recordCopies(SoakSamples *samples, SoakSample *sample, const VkskinOutput *output, SoakSlot *slot) {
    VkDeviceSize first = sample->firstVertex, count = sample->vertexCount;
    VkDeviceSize begin = samples->used;
    const VkBufferCopy copies[3] = {
        takeCopy(samples, output->positionOffset + 12 * first, 12 * count),
        takeCopy(samples, output->previousPositionOffset + 12 * first, 12 * count),
        takeCopy(samples, output->attributeOffset + output->attributeStride * first, output->attributeStride * count),
    };
    sample->copy = *output;
    sample->copy.positionOffset = copies[0].dstOffset;
    sample->copy.previousPositionOffset = copies[1].dstOffset;
    sample->copy.attributeOffset = copies[2].dstOffset;
    /* Bytes that are never copied must not be right by chance. */
    memset((char *)slot->readback.mapped + begin, 0xff, samples->used - begin);
    vkCmdCopyBuffer(slot->commandBuffer, output->buffer, slot->readback.handle, output->attributeStride > 0 ? 3 : 2,
                    copies);
}

static void recordSample(SoakSamples *samples, SoakWorld *world, const SoakInstance *instance, SoakSlot *slot) {
    SoakSample *sample = &samples->samples[samples->count++];
    VkskinOutput output = soakWorldOutput(world, instance);
    sample->instance = instance->handle;
    sample->info = instance->mesh->info;
    sample->diagonal = instance->mesh->character->diagonal;
    chooseWindow(&world->random, instance->mesh, sample);
    fillExpected(instance->mesh, &instance->pose, sample, sample->expected);
    bool moving =
        instance->mesh->previousPositions && instance->moved && instance->updateFrame == world->context->frame;
    fillExpected(instance->mesh, moving ? &instance->before : &instance->pose, sample, sample->before);
    recordCopies(samples, sample, &output, slot);
}

void soakSamplesRecord(SoakSamples *samples, SoakWorld *world, SoakSlot *slot, uint64_t frame) {
    uint32_t wanted = 1 + randomBelow(&world->random, SOAK_MAX_SAMPLES);
    uint32_t first = world->instanceCount > 0 ? randomBelow(&world->random, world->instanceCount) : 0;
    samples->frame = frame;
    for (uint32_t i = 0; i < world->instanceCount && samples->count < wanted; i++) {
        const SoakInstance *instance = world->instances[(first + i) % world->instanceCount];
        if (instance->updateFrame > 0) {
            recordSample(samples, world, instance, slot);
        }
    }
    if (samples->count > 0) {
        copyToHostBarrier(slot->commandBuffer);
    }
}

/* ---- Comparing ---- */

/* A place in the samples of a frame. */
typedef struct Place {
    const SoakSamples *samples;
    const SoakSample *sample;
    uint32_t vertex; /* in the sample */
} Place;

static _Noreturn void failAt(const Place *place, const char *difference) {
    soakFail("instance (%u, %u) of frame %" PRIu64 ", vertex %u: %s", place->sample->instance.index,
             place->sample->instance.generation, place->samples->frame, place->sample->firstVertex + place->vertex,
             difference);
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

static void keepWorst(const Place *place, SoakVerdict *verdict, const VertexError *error) {
    vertexErrorKeepWorst(&verdict->worst[place->sample->info.format], error);
}

/* Checks the previous position, as a vertex without normal and tangent. */
static void checkBefore(const Place *place, const void *bytes, SoakVerdict *verdict) {
    static const VkskinMeshInfo positionsAlone;
    const SoakSample *sample = place->sample;
    const ReferenceVertex *expected = &sample->before[place->vertex];
    ReadVertex got = {{0}, {0}, {0}};
    readPosition(bytes, 0, sample->copy.previousPositionOffset, place->vertex, got.position);
    VertexError off = vertexError(expected, &got, sample->diagonal, &positionsAlone);
    keepWorst(place, verdict, &off);
    if (off.position > POSITION_BOUND) {
        failPosition(place, "previous position", got.position, expected->position);
    }
}

static void checkVertex(const Place *place, const void *bytes, SoakCounts *counts, SoakVerdict *verdict) {
    const SoakSample *sample = place->sample;
    const ReferenceVertex *expected = &sample->expected[place->vertex];
    ReadVertex got = readVertex(bytes, 0, &sample->copy, &sample->info, place->vertex);
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
    checkBefore(place, bytes, verdict);
}

static void digestBytes(SoakVerdict *verdict, const unsigned char *bytes, VkDeviceSize size) {
    for (VkDeviceSize i = 0; i < size; i++) {
        verdict->digest = (verdict->digest ^ bytes[i]) * FNV_PRIME;
    }
}

void soakSamplesCheck(SoakSamples *samples, const SoakSlot *slot, SoakCounts *counts, SoakVerdict *verdict) {
    digestBytes(verdict, slot->readback.mapped, samples->used);
    for (uint32_t i = 0; i < samples->count; i++) {
        Place place = {samples, &samples->samples[i], 0};
        counts->instancesChecked++;
        for (; place.vertex < place.sample->vertexCount; place.vertex++) {
            checkVertex(&place, slot->readback.mapped, counts, verdict);
        }
    }
    samples->count = 0;
    samples->used = 0;
}
