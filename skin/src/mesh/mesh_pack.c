#include "mesh_pack.h"

#include "centres.h"
#include "output_layout.h"

#include <math.h>
#include <string.h>

/* v divided by its length; `fallback` if the length is below 1e-20. */
static void normalise(const float *v, const float *fallback, float *unit) {
    double length = sqrt((double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        unit[i] = length < 1e-20 ? fallback[i] : (float)(v[i] / length);
    }
}

/* A unit vector perpendicular to the unit vector `normal`. */
static void perpendicular(const float *normal, float *unit) {
    /* A cross product with an axis that is far from parallel to the normal is never near zero. */
    bool alongX = fabsf(normal[0]) > 0.7f;
    float across[3] = {alongX ? -normal[2] : 0.0f, alongX ? 0.0f : normal[2], alongX ? normal[0] : -normal[1]};
    static const float x[3] = {1.0f, 0.0f, 0.0f};
    normalise(across, x, unit);
}

static void octahedral(const float *v, float *e) {
    float sum = fabsf(v[0]) + fabsf(v[1]) + fabsf(v[2]);
    float x = v[0] / sum;
    float y = v[1] / sum;
    bool lower = v[2] < 0.0f;
    e[0] = lower ? copysignf(1.0f - fabsf(y), x) : x;
    e[1] = lower ? copysignf(1.0f - fabsf(x), y) : y;
}

static uint32_t snorm(float value, float scale, uint32_t mask) {
    float clamped = fminf(fmaxf(value, -1.0f), 1.0f);
    return (uint32_t)(int32_t)lrintf(clamped * scale) & mask;
}

/* The first and the second word of all formats but VKSKIN_VERTEX_FLOAT; the vectors are of unit length. */
static uint32_t packNormal(const float *normal) {
    float e[2];
    octahedral(normal, e);
    return snorm(e[0], 32767.0f, 0xffffu) | snorm(e[1], 32767.0f, 0xffffu) << 16;
}

static uint32_t packTangent(const float *tangent, float handedness) {
    float e[2];
    octahedral(tangent, e);
    uint32_t words = snorm(e[0], 32767.0f, 0xffffu) | snorm(e[1], 16383.0f, 0x7fffu) << 16;
    return words | (handedness < 0.0f ? 0x80000000u : 0u);
}

/* Bits first to first + bits - 1 of a word, as a signed integer. */
static float signedBits(uint32_t word, uint32_t first, uint32_t bits) {
    int32_t value = (int32_t)(word >> first & ((1u << bits) - 1));
    int32_t half = (int32_t)1 << (bits - 1);
    return (float)(value >= half ? value - 2 * half : value);
}

static void unitFromOctahedral(float x, float y, float *unit) {
    float ex = fmaxf(x, -1.0f);
    float ey = fmaxf(y, -1.0f);
    float z = 1.0f - fabsf(ex) - fabsf(ey);
    float fold = fmaxf(-z, 0.0f);
    float v[3] = {ex - copysignf(fold, ex), ey - copysignf(fold, ey), z};
    float scale = 1.0f / sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        unit[i] = v[i] * scale;
    }
}

void sknUnpackNormal(uint32_t word, float *normal) {
    unitFromOctahedral(signedBits(word, 0, 16) / 32767.0f, signedBits(word, 16, 16) / 32767.0f, normal);
}

void sknUnpackTangent(uint32_t word, float *tangent) {
    unitFromOctahedral(signedBits(word, 0, 16) / 32767.0f, signedBits(word, 16, 15) / 16383.0f, tangent);
    tangent[3] = (word & 0x80000000u) != 0 ? -1.0f : 1.0f;
}

size_t sknMorphScratch(const VkskinMeshDef *def, const LayoutMorph *heads) {
    size_t most = 0;
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        size_t words = 2 * (size_t)heads[i].blockCount;
        most = words > most ? words : most;
    }
    return most;
}

/* blocks[2 * blockCount]: the bits of each block, and the number of bits set in earlier blocks. */
static void fillBlocks(const VkskinMorphTarget *target, const uint32_t *places, const LayoutMorph *head,
                       uint32_t *blocks) {
    memset(blocks, 0, 2 * (size_t)head->blockCount * sizeof *blocks);
    for (uint32_t i = 0; i < target->vertexCount; i++) {
        uint32_t place = places[sknMorphVertex(target, i)];
        blocks[2 * (size_t)(place / 32 - head->firstBlock)] |= 1u << place % 32;
    }
    uint32_t before = 0;
    for (uint32_t b = 0; b < head->blockCount; b++) {
        blocks[2 * (size_t)b + 1] = before;
        before += sknCountBits(blocks[2 * (size_t)b]);
    }
}

static void writeDelta(uint32_t *words, uint32_t stream, uint32_t delta, const float *values, uint32_t from,
                       uint32_t width) {
    if (stream != 0) {
        memcpy(words + stream + (size_t)delta * width, values + (size_t)from * width, width * sizeof *values);
    }
}

/* One delta per kept influence, then zeros. */
static void writeEachDelta(const VkskinMeshDef *def, const VkskinMorphTarget *target, const LayoutMorph *head,
                           uint32_t from, float *to) {
    const Surface surface = {.mesh = def};
    const float *deltas = target->positions + (size_t)from * 2 * def->influencesPerVertex;
    VertexInfluences influences;
    sknMeshVertex(def, &surface, sknMorphVertex(target, from), &influences);
    for (uint32_t i = 0; i < head->width; i++) {
        const bool kept = i < influences.count;
        const float *delta = kept ? deltas + 2 * (size_t)influences.places[i] : NULL;
        to[2 * (size_t)i] = kept ? delta[0] : 0.0f;
        to[2 * (size_t)i + 1] = kept ? delta[1] : 0.0f;
    }
}

static void writeTarget(const VkskinMeshDef *def, const VkskinMorphTarget *target, const uint32_t *places,
                        const LayoutMorph *head, uint32_t *blocks, uint32_t *words) {
    fillBlocks(target, places, head, blocks);
    memcpy(words + head->blocks, blocks, 2 * (size_t)head->blockCount * sizeof *blocks);
    for (uint32_t i = 0; i < target->vertexCount; i++) {
        uint32_t place = places[sknMorphVertex(target, i)];
        const uint32_t *block = &blocks[2 * (size_t)(place / 32 - head->firstBlock)];
        uint32_t delta = block[1] + sknCountBits(block[0] & ((1u << place % 32) - 1));
        if (head->positions != 0 && sknMovesInfluences(def, target)) {
            float *to = (float *)(void *)(words + head->positions) + (size_t)delta * head->width * 2;
            writeEachDelta(def, target, head, i, to);
        } else {
            writeDelta(words, head->positions, delta, target->positions, i, def->dimensions);
        }
        writeDelta(words, head->normals, delta, target->normals, i, 3);
        writeDelta(words, head->tangents, delta, target->tangents, i, 3);
    }
}

void sknWriteMorphs(const VkskinMeshDef *def, const uint32_t *places, const LayoutMorph *heads, uint32_t *scratch,
                    uint32_t *words) {
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        writeTarget(def, &def->morphTargets[i], places, &heads[i], scratch, words);
    }
}

static void writeFloats(uint32_t *words, const float *values, uint32_t count) {
    memcpy(words, values, count * sizeof *values);
}

void sknWriteAttributes(const VkskinMeshDef *def, uint32_t vertex, uint32_t *words) {
    static const float up[3] = {0.0f, 0.0f, 1.0f};
    float normal[3];
    normalise(sknMeshNormal(def, vertex), up, normal);
    float tangent[3];
    float handedness = 1.0f;
    if (def->tangents != NULL) {
        float across[3];
        perpendicular(normal, across);
        const float *given = sknMeshTangent(def, vertex);
        normalise(given, across, tangent);
        handedness = given[3] < 0.0f ? -1.0f : 1.0f;
    }
    if (def->format != VKSKIN_VERTEX_FLOAT) {
        words[0] = packNormal(normal);
        if (def->tangents != NULL) {
            words[1] = packTangent(tangent, handedness);
        }
        return;
    }
    writeFloats(words, normal, 3);
    if (def->tangents != NULL) {
        writeFloats(words + 3, tangent, 3);
        writeFloats(words + 6, &handedness, 1);
    }
}

/* Elements of 1, 2 or 4 bytes, gathered into words before they are written. */
typedef struct ElementWriter {
    uint32_t *words;
    uint32_t bits; /* per element */
    uint32_t word;
    uint32_t used; /* bits of `word` in use */
} ElementWriter;

static ElementWriter startElements(uint32_t *words, uint32_t log2Bytes) {
    return (ElementWriter){.words = words, .bits = 8u << log2Bytes};
}

static void flushElements(ElementWriter *writer) {
    if (writer->used > 0) {
        *writer->words++ = writer->word;
        writer->word = 0;
        writer->used = 0;
    }
}

static void writeElement(ElementWriter *writer, uint32_t value) {
    writer->word |= value << writer->used;
    writer->used += writer->bits;
    if (writer->used == 32) {
        flushElements(writer);
    }
}

static void writeWeight(ElementWriter *writer, const VkskinMeshDef *def, const VertexInfluences *influences,
                        uint32_t i) {
    uint32_t value = influences->units[i];
    if (def->weightFormat == VKSKIN_WEIGHTS_FLOAT) {
        memcpy(&value, &influences->kept[i].weight, sizeof value);
    }
    writeElement(writer, value);
}

static void writeInfluences(const Host *host, const VkskinMeshDef *def, const MeshPlan *plan, uint32_t index,
                            uint32_t *words) {
    const LayoutClass *head = &plan->classes[index];
    bool many = plan->influences[index] == LAYOUT_MANY;
    Surface surface = sknMeshSurface(def, &host->logger);
    ElementWriter joints = startElements(words + head->joints, LAYOUT_JOINT_FORMAT(head->influenceFormat));
    ElementWriter weights = startElements(words + head->weights, LAYOUT_WEIGHT_FORMAT(head->influenceFormat));
    uint32_t start = 0;
    size_t point = 0;
    for (uint32_t v = 0; v < head->vertexCount; v++) {
        VertexInfluences influences;
        const uint32_t vertex = plan->sorted[head->firstVertex + v];
        sknMeshVertex(def, &surface, vertex, &influences);
        for (uint32_t i = 0; i < influences.count; i++) {
            writeElement(&joints, influences.kept[i].joint);
            if (def->influencePositions != NULL) {
                const float *position = sknInfluencePosition(def, vertex, influences.places[i]);
                writeFloats(words + head->positions + 2 * point++, position, 2);
            }
            if (many || i + 1 < influences.count) {
                writeWeight(&weights, def, &influences, i);
            }
        }
        if (many) {
            words[head->starts + v] = start;
            start += influences.count;
        }
    }
    if (many) {
        words[head->starts + head->vertexCount] = start;
    }
    flushElements(&joints);
    flushElements(&weights);
}

static void writeVertices(const VkskinMeshDef *def, const MeshPlan *plan, const LayoutClass *head, uint32_t *words) {
    uint32_t attributeWords = sknAttributeWords(def);
    for (uint32_t i = 0; i < head->vertexCount; i++) {
        uint32_t vertex = plan->sorted[head->firstVertex + i];
        if (def->influencePositions == NULL) {
            writeFloats(words + head->positions + (size_t)def->dimensions * i, sknMeshPosition(def, vertex),
                        def->dimensions);
        }
        if (attributeWords > 0) {
            sknWriteAttributes(def, vertex, words + head->attributes + (size_t)attributeWords * i);
        }
        if (head->order != 0) {
            words[head->order + i] = vertex;
        }
        if (def->blendWeights != NULL) {
            float blend = sknMeshBlendWeight(def, vertex);
            writeFloats(words + head->blendWeights + i, &blend, 1);
        }
        if (def->centres != NULL) {
            float centre[3];
            sknReadCentre(def->centres, vertex, centre);
            writeFloats(words + head->centres + 3 * (size_t)i, centre, 3);
        }
    }
}

/* Converts an offset from the mesh's start to the page's start. 0 means no stream and stays 0. */
static void rebase(uint32_t *offset, uint32_t base) {
    *offset += *offset != 0 ? base : 0;
}

static void writeClassHead(LayoutClass head, uint32_t base, const VkskinMeshInfo *info, uint32_t *words) {
    uint32_t *offsets[] = {&head.order,  &head.positions, &head.attributes,   &head.starts,
                           &head.joints, &head.weights,   &head.blendWeights, &head.centres};
    for (size_t i = 0; i < SKN_COUNT(offsets); i++) {
        rebase(offsets[i], base);
    }
    sknWritePlaces(info, &head);
    memcpy(words, &head, sizeof head);
}

static void writeMorphHead(LayoutMorph head, uint32_t base, uint32_t *words) {
    uint32_t *offsets[] = {&head.blocks, &head.positions, &head.normals, &head.tangents};
    for (size_t i = 0; i < SKN_COUNT(offsets); i++) {
        rebase(offsets[i], base);
    }
    memcpy(words, &head, sizeof head);
}

static VkskinResult writeMorphTargets(const Host *host, const VkskinMeshDef *def, const MeshPlan *plan, uint32_t base,
                                      uint32_t *words) {
    uint32_t *scratch = sknHostAllocateArray(host->allocator, sknMorphScratch(def, plan->morphs), sizeof *scratch);
    if (scratch == NULL) {
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "%s%s: no memory to pack morph targets",
                         SKN_MESH_LABEL(def));
    }
    sknWriteMorphs(def, plan->places, plan->morphs, scratch, words);
    sknHostFree(host->allocator, scratch);
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        writeMorphHead(plan->morphs[i], base, words + plan->morphHeads + (size_t)i * LAYOUT_MORPH_WORDS);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknWriteMesh(const Host *host, const VkskinMeshDef *def, const MeshPlan *plan, uint32_t base,
                          const VkskinMeshInfo *info, uint32_t *words) {
    for (uint32_t c = 0; c < plan->classCount; c++) {
        writeClassHead(plan->classes[c], base, info, words + (size_t)c * LAYOUT_CLASS_WORDS);
        writeVertices(def, plan, &plan->classes[c], words);
        if (def->boneCount > 0) {
            writeInfluences(host, def, plan, c, words);
        }
    }
    return def->morphTargetCount > 0 ? writeMorphTargets(host, def, plan, base, words) : VKSKIN_SUCCESS;
}
