#include "methods.h"

#include <assert.h>

/* The lists of the public headers are in the order of the enums. A switch over each list (base/names.c) finds
 * enumerators that a list lacks. */
#define METHOD_INDEX(name, text) METHOD_INDEX_##name,
#define METHOD_CHECK(name, text)                                                                                       \
    static_assert((int)METHOD_INDEX_##name == (int)VKSKIN_METHOD_##name &&                                             \
                      VKSKIN_METHOD_##name##_BIT == VKSKIN_METHOD_BIT(VKSKIN_METHOD_##name),                           \
                  "VKSKIN_METHODS is in the order of VkskinMethod, with a bit for each");
#define ENCODING_INDEX(name, bytes, text) ENCODING_INDEX_##name,
#define ENCODING_CHECK(name, bytes, text)                                                                              \
    static_assert((int)ENCODING_INDEX_##name == (int)VKSKIN_PALETTE_##name &&                                          \
                      VKSKIN_PALETTE_##name##_BIT == VKSKIN_PALETTE_BIT(VKSKIN_PALETTE_##name),                        \
                  "VKSKIN_PALETTE_ENCODINGS is in the order of VkskinPaletteEncoding, with a bit for each");
#define FORMAT_INDEX(name, text) FORMAT_INDEX_##name,
#define FORMAT_CHECK(name, text)                                                                                       \
    static_assert((int)FORMAT_INDEX_##name == (int)VKSKIN_VERTEX_##name &&                                             \
                      VKSKIN_VERTEX_##name##_BIT == VKSKIN_VERTEX_FORMAT_BIT(VKSKIN_VERTEX_##name),                    \
                  "VKSKIN_VERTEX_FORMATS is in the order of VkskinVertexFormat, with a bit for each");
enum { VKSKIN_METHODS(METHOD_INDEX) METHOD_INDICES };
enum { VKSKIN_PALETTE_ENCODINGS(ENCODING_INDEX) ENCODING_INDICES };
enum { VKSKIN_VERTEX_FORMATS(FORMAT_INDEX) FORMAT_INDICES };
VKSKIN_METHODS(METHOD_CHECK)
VKSKIN_PALETTE_ENCODINGS(ENCODING_CHECK)
VKSKIN_VERTEX_FORMATS(FORMAT_CHECK)
static_assert((int)METHOD_INDICES == VKSKIN_METHOD_COUNT, "VKSKIN_METHOD_COUNT is the length of VKSKIN_METHODS");
static_assert((int)ENCODING_INDICES == VKSKIN_PALETTE_ENCODING_COUNT,
              "VKSKIN_PALETTE_ENCODING_COUNT is the length of VKSKIN_PALETTE_ENCODINGS");
static_assert((int)FORMAT_INDICES == VKSKIN_VERTEX_FORMAT_COUNT,
              "VKSKIN_VERTEX_FORMAT_COUNT is the length of VKSKIN_VERTEX_FORMATS");

/* Flat meshes have no normals. */
#define PAIR(method, encoding)                                                                                         \
    {VKSKIN_METHOD_##method, VKSKIN_PALETTE_##encoding,                                                                \
     VKSKIN_METHOD_##method != VKSKIN_METHOD_DUAL_QUATERNION && VKSKIN_PALETTE_##encoding != VKSKIN_PALETTE_MAT2X3},
const MethodPair sknMethodPairs[METHOD_PAIRS] = {VKSKIN_METHOD_ENCODINGS(PAIR)};

VkskinPaletteEncoding vkskinMethodEncoding(VkskinMethod method) {
    for (uint32_t i = 0; i < METHOD_PAIRS; i++) {
        if (sknMethodPairs[i].method == method) {
            return sknMethodPairs[i].encoding;
        }
    }
    return VKSKIN_PALETTE_MAT3X4;
}

uint32_t sknFindMethodPair(VkskinMethod method, VkskinPaletteEncoding encoding) {
    for (uint32_t i = 0; i < METHOD_PAIRS; i++) {
        if (sknMethodPairs[i].method == method && sknMethodPairs[i].encoding == encoding) {
            return i;
        }
    }
    return NO_PAIR;
}

bool vkskinMethodReads(VkskinMethod method, VkskinPaletteEncoding encoding) {
    return sknFindMethodPair(method, encoding) != NO_PAIR;
}

uint32_t sknPlainPair(uint32_t dimensions) {
    return dimensions == 2 ? PAIR_LINEAR_BLEND_MAT2X3 : PAIR_LINEAR_BLEND_MAT3X4;
}

bool sknIsFlatEncoding(VkskinPaletteEncoding encoding) {
    return encoding == VKSKIN_PALETTE_MAT2X3;
}

const char *sknMissingMethodData(VkskinMethod method, bool hasBlendWeights, bool hasCentres) {
    switch (method) {
    case VKSKIN_METHOD_LINEAR_BLEND:
    case VKSKIN_METHOD_DUAL_QUATERNION:
    case VKSKIN_METHOD_SCALED_DUAL_QUATERNION:
        return NULL;
    case VKSKIN_METHOD_PAINTED_BLEND:
        return hasBlendWeights ? NULL : "blend weights";
    case VKSKIN_METHOD_CENTRES_OF_ROTATION:
        return hasCentres ? NULL : "centres";
    }
    return NULL;
}
