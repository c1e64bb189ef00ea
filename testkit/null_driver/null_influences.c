#include "null_influences.h"

/* Of a stream of elements of 1 << log2Bytes bytes. */
static uint32_t readElement(NullAccess *access, uint32_t stream, uint32_t element, uint32_t log2Bytes) {
    uint32_t byte = element << log2Bytes;
    uint32_t word = nullReadWord(access, LAYOUT_SET_MESH, stream + byte / 4);
    uint32_t bits = 8u << log2Bytes;
    return bits == 32 ? word : word >> 8 * (byte % 4) & ((1u << bits) - 1);
}

static uint32_t readJoint(NullAccess *access, const LayoutClass *vertexClass, uint32_t element) {
    return readElement(access, vertexClass->joints, element, LAYOUT_JOINT_FORMAT(vertexClass->influenceFormat));
}

static float readWeight(NullAccess *access, const LayoutClass *vertexClass, uint32_t element) {
    uint32_t log2Bytes = LAYOUT_WEIGHT_FORMAT(vertexClass->influenceFormat);
    if (log2Bytes == LAYOUT_WEIGHT_FLOAT) {
        return nullReadFloat(access, LAYOUT_SET_MESH, vertexClass->weights + element);
    }
    return (float)readElement(access, vertexClass->weights, element, log2Bytes) / (log2Bytes == 1 ? 65535.0f : 255.0f);
}

static void readMany(NullAccess *access, const LayoutClass *vertexClass, uint32_t vertex, NullInfluences *influences) {
    uint32_t start = nullReadWord(access, LAYOUT_SET_MESH, vertexClass->starts + vertex);
    uint32_t end = nullReadWord(access, LAYOUT_SET_MESH, vertexClass->starts + vertex + 1);
    if (end - start < LAYOUT_MANY || end - start > NULL_MAX_INFLUENCES) {
        nullFailAccess(access, "a vertex of many influences that has few, or more than there may be");
        return;
    }
    for (uint32_t i = start; i < end; i++) {
        influences->joints[influences->count] = readJoint(access, vertexClass, i);
        influences->weights[influences->count++] = readWeight(access, vertexClass, i);
    }
}

/* The last weight is what is left of one. */
static void readFew(NullAccess *access, const LayoutClass *vertexClass, uint32_t vertex, uint32_t count,
                    NullInfluences *influences) {
    float left = 1.0f;
    for (uint32_t i = 0; i < count; i++) {
        bool last = i + 1 == count;
        float weight = last ? left : readWeight(access, vertexClass, vertex * (count - 1) + i);
        influences->joints[i] = readJoint(access, vertexClass, vertex * count + i);
        influences->weights[i] = weight;
        left -= weight;
    }
    influences->count = count;
}

void nullReadInfluences(NullAccess *access, const LayoutClass *vertexClass, uint32_t vertex, uint32_t count,
                        NullInfluences *influences) {
    influences->count = 0;
    uint32_t jointFormat = LAYOUT_JOINT_FORMAT(vertexClass->influenceFormat);
    uint32_t weightFormat = LAYOUT_WEIGHT_FORMAT(vertexClass->influenceFormat);
    if (jointFormat > 2 || weightFormat > LAYOUT_WEIGHT_FLOAT) {
        nullFailAccess(access, "a class of joints or weights in no format");
        return;
    }
    if (count == LAYOUT_MANY) {
        readMany(access, vertexClass, vertex, influences);
    } else {
        readFew(access, vertexClass, vertex, count, influences);
    }
}
