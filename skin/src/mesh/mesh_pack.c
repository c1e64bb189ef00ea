#include "mesh_pack.h"

#include "centres.h"
#include "morph_pack.h"
#include "vertex_pack.h"

#include <string.h>

static void writeFloats(uint32_t *words, const float *values, uint32_t count) {
    memcpy(words, values, count * sizeof *values);
}

void sknWriteAttributes(const VkskinMeshDef *def, uint32_t vertex, uint32_t *words) {
    static const float up[3] = {0.0f, 0.0f, 1.0f};
    float normal[3];
    sknNormalise(sknMeshNormal(def, vertex), up, normal);
    float tangent[3];
    float handedness = 1.0f;
    if (def->tangents != NULL) {
        float across[3];
        sknPerpendicular(normal, across);
        const float *given = sknMeshTangent(def, vertex);
        sknNormalise(given, across, tangent);
        handedness = given[3] < 0.0f ? -1.0f : 1.0f;
    }
    if (def->format == VKSKIN_VERTEX_PACKED) {
        words[0] = sknPackNormal(normal);
        if (def->tangents != NULL) {
            words[1] = sknPackTangent(tangent, handedness);
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
    uint32_t bits; /* of an element */
    uint32_t word;
    uint32_t used; /* bits of `word` */
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
    for (uint32_t v = 0; v < head->vertexCount; v++) {
        VertexInfluences influences;
        sknMeshVertex(def, &surface, plan->sorted[head->firstVertex + v], &influences);
        for (uint32_t i = 0; i < influences.count; i++) {
            writeElement(&joints, influences.kept[i].joint);
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
        writeFloats(words + head->positions + (size_t)def->dimensions * i, sknMeshPosition(def, vertex),
                    def->dimensions);
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

/* Offsets from the mesh's start become those from the page's; 0 stays: there is no such stream. */
static void rebase(uint32_t *offset, uint32_t base) {
    *offset += *offset != 0 ? base : 0;
}

static void writeClassHead(LayoutClass head, uint32_t base, uint32_t outputAttributes, uint32_t *words) {
    uint32_t *offsets[] = {&head.order,  &head.positions, &head.attributes,   &head.starts,
                           &head.joints, &head.weights,   &head.blendWeights, &head.centres};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        rebase(offsets[i], base);
    }
    head.outputAttributes = outputAttributes;
    memcpy(words, &head, sizeof head);
}

static void writeMorphHead(LayoutMorph head, uint32_t base, uint32_t *words) {
    uint32_t *offsets[] = {&head.blocks, &head.positions, &head.normals, &head.tangents};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        rebase(offsets[i], base);
    }
    memcpy(words, &head, sizeof head);
}

static VkskinResult writeMorphTargets(const Host *host, const VkskinMeshDef *def, const MeshPlan *plan, uint32_t base,
                                      uint32_t *words) {
    uint32_t *scratch = sknHostAllocateArray(host->allocator, sknMorphScratch(def, plan->morphs), sizeof *scratch);
    if (scratch == NULL) {
        return sknReport(&host->logger, VKSKIN_ERROR_OUT_OF_HOST_MEMORY, "mesh %s: no memory to pack morph targets",
                         sknMeshName(def));
    }
    sknWriteMorphs(def, plan->places, plan->morphs, scratch, words);
    sknHostFree(host->allocator, scratch);
    for (uint32_t i = 0; i < def->morphTargetCount; i++) {
        writeMorphHead(plan->morphs[i], base, words + plan->morphHeads + (size_t)i * LAYOUT_MORPH_WORDS);
    }
    return VKSKIN_SUCCESS;
}

VkskinResult sknWriteMesh(const Host *host, const VkskinMeshDef *def, const MeshPlan *plan, uint32_t base,
                          uint32_t outputAttributes, uint32_t *words) {
    for (uint32_t c = 0; c < plan->classCount; c++) {
        writeClassHead(plan->classes[c], base, outputAttributes, words + (size_t)c * LAYOUT_CLASS_WORDS);
        writeVertices(def, plan, &plan->classes[c], words);
        if (def->boneCount > 0) {
            writeInfluences(host, def, plan, c, words);
        }
    }
    return def->morphTargetCount > 0 ? writeMorphTargets(host, def, plan, base, words) : VKSKIN_SUCCESS;
}
