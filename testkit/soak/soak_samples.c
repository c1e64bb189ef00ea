/* Samples of skinned vertices, compared with the reference. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "soak_parts.h"

#define FNV_PRIME 0x100000001b3u

/* ---- Expected values ---- */

/* Consecutive vertices of a mesh and of its morph targets, which move all vertices. Copies no data. */
static ModelMesh windowOf(const ModelMesh *mesh, uint32_t first, uint32_t count, ModelMorph morphs[SOAK_MORPHS]) {
    ModelMesh window = *mesh;
    window.vertexCount = count;
    window.positions += (size_t)first * 3;
    window.normals += (size_t)first * 3;
    window.tangents += (size_t)first * 4;
    window.joints += (size_t)first * mesh->influences;
    window.weights += (size_t)first * mesh->influences;
    window.blendWeights += first;
    for (uint32_t i = 0; i < SOAK_MORPHS; i++) {
        morphs[i] = mesh->morphs[i];
        morphs[i].vertexCount = count; /* vertex numbers count from the start of the window */
        morphs[i].positions += (size_t)first * 3;
        morphs[i].normals += (size_t)first * 3;
        morphs[i].tangents += (size_t)first * 3;
    }
    window.morphs = morphs;
    return window;
}

static void fillExpected(const SoakMesh *mesh, const SoakPose *pose, const SoakSample *sample,
                         ReferenceVertex *expected) {
    static const bool morphsAfter[SOAK_MORPHS] = {false, true};
    const Model *model = mesh->character->model;
    ModelMorph morphs[SOAK_MORPHS];
    ModelMesh window = windowOf(&model->meshes[0], sample->firstVertex, sample->vertexCount, morphs);
    ReferenceMatrix *world = newReferenceWorld(model, pose->clip, pose->time, VKSKIN_WRAP_LOOP);
    ReferenceMatrix *bones = newReferenceBones(model, 0, world, REFERENCE_MESH_SPACE);
    ReferenceDef def = {
        .method = pose->method,
        .exactNormals = mesh->info.normalRule == VKSKIN_NORMALS_EXACT,
        .maxInfluences = mesh->maxInfluences,
        .centres = mesh->centres != NULL ? mesh->centres + (size_t)sample->firstVertex * 3 : NULL,
        .morphWeights = pose->morphWeights,
        .morphsAfter = morphsAfter,
    };
    ReferenceVertex *vertices = newReferenceVertices(&window, bones, &def);
    memcpy(expected, vertices, sample->vertexCount * sizeof *vertices);
    free(vertices);
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

static bool recordSample(SoakSamples *samples, SoakWorld *world, const SoakInstance *instance, SoakSlot *slot,
                         EngineError *error) {
    SoakContext *context = world->context;
    SoakSample *sample = &samples->samples[samples->count];
    VkskinOutput output;
    VkskinResult result = vkskinGetOutput(context->handle, instance->handle, &output);
    if (!soakContextCheck(context, "vkskinGetOutput", result, error)) {
        return false;
    }
    sample->instance = instance->handle;
    sample->info = instance->mesh->info;
    sample->diagonal = instance->mesh->character->diagonal;
    chooseWindow(&world->random, instance->mesh, sample);
    fillExpected(instance->mesh, &instance->pose, sample, sample->expected);
    bool moving = instance->mesh->previousPositions && instance->moved && instance->updateFrame == context->frame;
    fillExpected(instance->mesh, moving ? &instance->before : &instance->pose, sample, sample->before);
    recordCopies(samples, sample, &output, slot);
    samples->count++;
    return true;
}

bool soakSamplesRecord(SoakSamples *samples, SoakWorld *world, SoakSlot *slot, uint64_t frame, EngineError *error) {
    uint32_t wanted = 1 + randomBelow(&world->random, SOAK_MAX_SAMPLES);
    uint32_t first = world->instanceCount > 0 ? randomBelow(&world->random, world->instanceCount) : 0;
    bool good = true;
    samples->frame = frame;
    for (uint32_t i = 0; good && i < world->instanceCount && samples->count < wanted; i++) {
        const SoakInstance *instance = world->instances[(first + i) % world->instanceCount];
        if (instance->updateFrame > 0) {
            good = recordSample(samples, world, instance, slot, error);
        }
    }
    if (samples->count > 0) {
        copyToHostBarrier(slot->commandBuffer);
    }
    return good;
}

/* ---- Comparing ---- */

static bool failPosition(const SoakSamples *samples, const SoakSample *sample, uint32_t vertex, const char *what,
                         const float got[3], const double expected[3], EngineError *error) {
    return engineFail(
        error, "instance (%u, %u) of frame %" PRIu64 ", vertex %u: %s (%.7g, %.7g, %.7g), not (%.7g, %.7g, %.7g)",
        sample->instance.index, sample->instance.generation, samples->frame, sample->firstVertex + vertex, what,
        (double)got[0], (double)got[1], (double)got[2], expected[0], expected[1], expected[2]);
}

static bool failDirection(const SoakSamples *samples, const SoakSample *sample, uint32_t vertex, const char *what,
                          const double *got, const double *expected, double degrees, EngineError *error) {
    return engineFail(error,
                      "instance (%u, %u) of frame %" PRIu64
                      ", vertex %u: %s (%.5f, %.5f, %.5f), not (%.5f, %.5f, %.5f): "
                      "%.3f degrees off",
                      sample->instance.index, sample->instance.generation, samples->frame, sample->firstVertex + vertex,
                      what, got[0], got[1], got[2], expected[0], expected[1], expected[2], degrees);
}

static bool failVertex(const SoakSamples *samples, const SoakSample *sample, uint32_t vertex, const ReadVertex *got,
                       const VertexError *off, EngineError *error) {
    const ReferenceVertex *expected = &sample->expected[vertex];
    if (off->position > POSITION_BOUND) {
        return failPosition(samples, sample, vertex, "position", got->position, expected->position, error);
    }
    if (off->normal > vertexErrorDegrees(sample->info.format)) {
        return failDirection(samples, sample, vertex, "normal", got->normal, expected->normal, off->normal, error);
    }
    return failDirection(samples, sample, vertex, "tangent", got->tangent, expected->tangent, off->tangent, error);
}

/* Checks the previous position, as a vertex without normal and tangent. */
static bool checkBefore(const SoakSamples *samples, const SoakSample *sample, uint32_t vertex, const void *bytes,
                        SoakVerdict *verdict, EngineError *error) {
    static const VkskinMeshInfo positionsAlone;
    const ReferenceVertex *expected = &sample->before[vertex];
    ReadVertex got = {{0}, {0}, {0}};
    readPosition(bytes, 0, sample->copy.previousPositionOffset, vertex, got.position);
    VertexError off = vertexError(expected, &got, sample->diagonal, &positionsAlone);
    vertexErrorKeepWorst(sample->info.format == VKSKIN_VERTEX_FLOAT ? &verdict->floats : &verdict->packed, &off);
    return off.position <= POSITION_BOUND ||
           failPosition(samples, sample, vertex, "previous position", got.position, expected->position, error);
}

static bool checkVertex(const SoakSamples *samples, const SoakSample *sample, uint32_t vertex, const void *bytes,
                        SoakCounts *counts, SoakVerdict *verdict, EngineError *error) {
    bool floats = sample->info.format == VKSKIN_VERTEX_FLOAT;
    ReadVertex got = readVertex(bytes, 0, &sample->copy, &sample->info, vertex);
    VertexError off = vertexError(&sample->expected[vertex], &got, sample->diagonal, &sample->info);
    counts->verticesChecked++;
    counts->verticesLeftOut += off.leftOut;
    vertexErrorKeepWorst(floats ? &verdict->floats : &verdict->packed, &off);
    if (!vertexErrorIsGood(&off, sample->info.format)) {
        return failVertex(samples, sample, vertex, &got, &off, error);
    }
    return checkBefore(samples, sample, vertex, bytes, verdict, error);
}

static void digestBytes(SoakVerdict *verdict, const unsigned char *bytes, VkDeviceSize size) {
    for (VkDeviceSize i = 0; i < size; i++) {
        verdict->digest = (verdict->digest ^ bytes[i]) * FNV_PRIME;
    }
}

bool soakSamplesCheck(SoakSamples *samples, const SoakSlot *slot, SoakCounts *counts, SoakVerdict *verdict,
                      EngineError *error) {
    bool good = true;
    for (uint32_t i = 0; good && i < samples->count; i++) {
        const SoakSample *sample = &samples->samples[i];
        counts->instancesChecked++;
        for (uint32_t v = 0; good && v < sample->vertexCount; v++) {
            good = checkVertex(samples, sample, v, slot->readback.mapped, counts, verdict, error);
        }
    }
    digestBytes(verdict, slot->readback.mapped, samples->used);
    samples->count = 0;
    samples->used = 0;
    return good;
}
