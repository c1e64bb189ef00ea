#include "methods.h"

const MethodPair sknMethodPairs[METHOD_PAIRS] = {
    {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT3X4, true},
    {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_QUATERNION, true},
    {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_QUATERNION_HALF, true},
    {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_QUATERNION_SNORM16, true},
    {VKSKIN_METHOD_LINEAR_BLEND, VKSKIN_PALETTE_MAT2X3, false},
    {VKSKIN_METHOD_DUAL_QUATERNION, VKSKIN_PALETTE_DUAL_QUATERNION, false},
    {VKSKIN_METHOD_SCALED_DUAL_QUATERNION, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, true},
    {VKSKIN_METHOD_PAINTED_BLEND, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, true},
    {VKSKIN_METHOD_CENTRES_OF_ROTATION, VKSKIN_PALETTE_SCALED_DUAL_QUATERNION, true},
};

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
    return sknFindMethodPair(VKSKIN_METHOD_LINEAR_BLEND,
                             dimensions == 2 ? VKSKIN_PALETTE_MAT2X3 : VKSKIN_PALETTE_MAT3X4);
}
